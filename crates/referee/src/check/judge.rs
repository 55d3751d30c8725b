//! What an answer to a case is worth.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ::mmpawns::matrix::{Mark, Matrix};
use games::GameTime;
use games::mmpawns::matrix;
use games::reversi::argv;
use rules::Game;

use super::case::{Case, Step, Want};
use super::{Blanks, Difference};
use crate::player::program::{Program, failed, fault};
use crate::process::{Allowance, Event, Exit};
use crate::{Limits, Penalties, Verdict};

/// What a program did with a case.
pub(super) struct Run<'a> {
    pub(super) exit: &'a Exit,
    /// What it did to files other than `matrix.txt`.
    pub(super) changed: Option<Verdict>,
    /// `matrix.txt` afterwards, if it is there.
    pub(super) file: Option<&'a [u8]>,
    /// Size of the program itself.
    pub(super) size: Option<u64>,
    pub(super) limits: &'a Limits,
    pub(super) blanks: Blanks,
}

type Complaint = (String, Option<Difference>);

/// What is wrong, if anything.
pub(super) fn judge(case: &Case, run: &Run) -> Option<Complaint> {
    let plain = |what: String| Some((what, None));
    if let Some(verdict) = over_time(run) {
        return plain(verdict.to_string());
    }
    let wanted = match case.want {
        Want::Refusal { .. } => 2,
        Want::Complaint { status, .. } => status,
        _ => 0,
    };
    match fault(run.exit, run.limits) {
        Some(Verdict::ExitStatus { status }) if status == wanted => {}
        Some(verdict) => {
            // Output that was wrong before it failed says more than the failure.
            let difference = case.expected().and_then(|expected| compare(expected, run));
            return Some((verdict.to_string(), difference));
        }
        None if wanted != 0 => return plain(format!("exit status 0 on bad input, not {wanted}")),
        None => {}
    }
    if let Some(verdict) = &run.changed {
        return plain(verdict.to_string());
    }
    match &case.want {
        Want::Output(expected) => wrong_output(expected, run),
        Want::Complaint { output, errors, .. } => {
            wrong_output(output, run).or_else(|| missing(*errors, run).and_then(plain))
        }
        Want::Move(position) => {
            let played = argv::read(&run.exit.stdout)
                .map_err(Verdict::from)
                .and_then(|mv| position.parse_move(&mv).map_err(Verdict::from));
            played.err().and_then(|verdict| plain(verdict.to_string()))
        }
        Want::OneOf(lines) => one_of(lines, &run.exit.stdout),
        Want::Refusal { names } => refusal(case, names, run).and_then(plain),
        Want::Rewrite(before) => rewrite(before, run).err().and_then(plain),
        Want::Result { before, first_line } => match rewrite(before, run) {
            Err(what) => plain(what),
            Ok(()) => {
                let text = String::from_utf8_lossy(run.file.unwrap_or_default()).into_owned();
                let actual = text.lines().next().map(String::from);
                let wrong = actual.as_deref() != Some(*first_line);
                wrong.then(|| {
                    let difference = Difference {
                        line: 1,
                        expected: Some((*first_line).into()),
                        actual,
                    };
                    ("wrong result".into(), Some(difference))
                })
            }
        },
        Want::Size(limit) => match run.size {
            Some(size) if size > *limit => {
                plain(format!("the program has {size} bytes, more than {limit}"))
            }
            _ => None,
        },
    }
}

fn over_time(run: &Run) -> Option<Verdict> {
    let span = crate::Span::Move;
    let (wall, cpu) = (run.exit.wall.into(), run.exit.cpu.into());
    if let Some(limit) = run.limits.wall.filter(|limit| wall > *limit) {
        let used = wall;
        return Some(Verdict::WallTime { used, limit, span });
    }
    let limit = run.limits.cpu.filter(|limit| cpu > *limit)?;
    let used = cpu;
    Some(Verdict::ProcessorTime { used, limit, span })
}

/// Output without blank lines and trailing blanks.
fn meat(output: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    for line in output.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii_end();
        if !line.is_empty() {
            kept.extend_from_slice(line);
            kept.push(b'\n');
        }
    }
    kept
}

fn wrong_output(expected: &[u8], run: &Run) -> Option<Complaint> {
    let difference = compare(expected, run)?;
    let only_blanks = meat(expected) == meat(&run.exit.stdout);
    let what = if only_blanks {
        "wrong output, but only blanks differ (--ignore-blanks lets them pass)"
    } else {
        "wrong output"
    };
    Some((what.into(), Some(difference)))
}

fn compare(expected: &[u8], run: &Run) -> Option<Difference> {
    match run.blanks {
        Blanks::Count => first_difference(expected, &run.exit.stdout),
        Blanks::Ignored => first_difference(&meat(expected), &meat(&run.exit.stdout)),
    }
}

/// The first line that differs.
fn first_difference(expected: &[u8], actual: &[u8]) -> Option<Difference> {
    if expected == actual {
        return None;
    }
    let shown = |line: Option<&[u8]>| {
        line.map(|line| {
            let text: String = String::from_utf8_lossy(line)
                .trim_end_matches('\n')
                .chars()
                .take(200)
                .flat_map(char::escape_debug)
                .collect();
            // The missing end of a last line is a difference that must be seen, and so
            // are blanks at the end.
            if !line.ends_with(b"\n") {
                return format!("{text}␄");
            }
            let bare = text.trim_end_matches(' ');
            format!("{bare}{}", "·".repeat(text.len() - bare.len()))
        })
    };
    let mut expected = expected.split_inclusive(|byte| *byte == b'\n');
    let mut actual = actual.split_inclusive(|byte| *byte == b'\n');
    for line in 1.. {
        let pair = (expected.next(), actual.next());
        if pair.0 != pair.1 {
            return Some(Difference {
                line,
                expected: shown(pair.0),
                actual: shown(pair.1),
            });
        }
        if pair.0.is_none() {
            break;
        }
    }
    None
}

/// What is missing on standard error.
fn missing(wanted: Option<&str>, run: &Run) -> Option<String> {
    let errors = run.exit.stderr.text();
    match wanted {
        None if errors.trim().is_empty() => Some("nothing on standard error".into()),
        Some(line) if !errors.lines().any(|found| found.trim_end() == line) => {
            Some(format!("{line:?} is wanted on standard error"))
        }
        _ => None,
    }
}

fn one_of(lines: &[String], output: &[u8]) -> Option<Complaint> {
    let text = String::from_utf8_lossy(output);
    let line = text.strip_suffix('\n').unwrap_or(&text);
    let line = line.strip_suffix('\r').unwrap_or(line);
    if lines.iter().any(|right| right == line) {
        return None;
    }
    let difference = Difference {
        line: 1,
        expected: lines.first().cloned(),
        actual: text.lines().next().map(String::from),
    };
    let what = match lines {
        [only] => format!("{only} is wanted and nothing else"),
        many => format!("one of {} lines such as {} is wanted", many.len(), many[0]),
    };
    Some((what, Some(difference)))
}

fn refusal(case: &Case, names: &[String], run: &Run) -> Option<String> {
    if !run.exit.stdout.is_empty() {
        return Some("something on standard output with bad input".into());
    }
    let errors = run.exit.stderr.text();
    match errors.trim_end().lines().count() {
        1 => {}
        0 => return Some("nothing on standard error".into()),
        many => return Some(format!("{many} lines on standard error, not one")),
    }
    if !names.is_empty() && !names.iter().any(|name| errors.contains(name)) {
        let line = errors.trim_end();
        return Some(format!("{line:?} does not name the bad argument"));
    }
    if let super::Ask::Matrix(content) = &case.ask
        && content.as_deref() != run.file
    {
        return Some("matrix.txt was changed".into());
    }
    None
}

/// Processor time beyond what the file gave: a clock's tick, and what ending costs.
const GRACE: f64 = 0.1;

fn rewrite(before: &Matrix, run: &Run) -> Result<(), String> {
    let after = run.file.ok_or("removed matrix.txt")?;
    let Penalties {
        own_time,
        other_time,
        ..
    } = Penalties::default();
    let time = GameTime {
        own_error: own_time.0,
        other_error: other_time.0,
        ..GameTime::default()
    };
    // The very bytes do not matter here: an unchanged file has made no move.
    let (_, account) = matrix::check(before, &before.write(), after, run.exit.cpu, &time)
        .map_err(|refusal| Verdict::from(refusal).to_string())?;
    if let Some(byte) = after
        .iter()
        .find(|byte| !byte.is_ascii() || **byte == b'\r')
    {
        return Err(format!("byte {byte:#04x} in a file of plain text"));
    }
    let own = before.position.side_to_move().index();
    let time = String::from_utf8_lossy(&account.line).into_owned();
    if time.split_once('.').is_some_and(|(_, rest)| rest.len() > 2) {
        let line = 2 + own;
        return Err(format!(
            "matrix.txt:{line}: {time:?} has more than 2 decimals"
        ));
    }
    let (left, used) = (before.accounts[own].seconds, run.exit.cpu.as_secs_f64());
    if used > left + GRACE {
        return Err(format!(
            "processor time {used:.3} s over {left:.3} s of the file"
        ));
    }
    // A referee decides the result itself; a program has to know it.
    let truth = Matrix::read(after).map(|file| (file.result, Mark::of(file.position.outcome())));
    match truth {
        Ok((written, truth)) if written != truth => Err(format!(
            "matrix.txt:1: the result is {}, not {}",
            truth.letter(),
            written.letter()
        )),
        _ => Ok(()),
    }
}

/// Talks with a program: after every piece the output must be there before the next.
pub(super) fn dialogue(
    program: &Program,
    steps: &[Step],
    limits: &Limits,
    stop: &AtomicBool,
) -> Exit {
    let mut process = match program.start(limits) {
        Ok(process) => process,
        Err(error) => return failed(error),
    };
    // A program that holds its answer back would wait for ever, and so would we.
    let patience = Allowance {
        wall: Some(
            limits
                .wall
                .map_or(Duration::from_secs(5), |limit| limit.0 / 2),
        ),
        ..Allowance::default()
    };
    for step in steps {
        process.send(&step.input);
        let mut enough = |output: &[u8]| output.len() >= step.until;
        if process.wait(&mut enough, &patience, stop) != Event::Ready {
            return process.finish();
        }
    }
    process.close_stdin();
    process.wait(&mut |_| false, &Allowance::of(limits), stop);
    process.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: &str, actual: &str, difference: Option<(usize, &str, &str)>) {
        let found = first_difference(expected.as_bytes(), actual.as_bytes()).map(|d| {
            (
                d.line,
                d.expected.unwrap_or("-".into()),
                d.actual.unwrap_or("-".into()),
            )
        });
        let difference = difference.map(|(line, a, b)| (line, a.to_string(), b.to_string()));
        assert_eq!(found, difference);
    }

    #[test]
    fn the_first_differing_line_is_found() {
        check("a\nb\n", "a\nb\n", None);
        check("a\nb\n", "a\nc\n", Some((2, "b", "c")));
        check("a\nb\n", "a\n", Some((2, "b", "-")));
        check("a\n", "a\nb\n", Some((2, "-", "b")));
        check("a\n", "a", Some((1, "a", "a␄")));
        check("a\n", "a \r\n", Some((1, "a", "a \\r")));
        check("a  \n", "a\n", Some((1, "a··", "a")));
    }

    #[test]
    fn blanks_do_not_count_where_they_do_not() {
        assert_eq!(meat(b" a \n\n  \nb"), b" a\nb\n");
    }
}

//! What an answer to a case is worth.

use std::sync::atomic::AtomicBool;

use ::mmpawns::matrix::{Mark, Matrix};
use games::GameTime;
use games::mmpawns::matrix;
use games::reversi::argv;
use rules::{Game, beginning};

use super::Blanks;
use super::case::{Case, Step, Want};
use super::compare::{Difference, same_but_line_ends};
use crate::game::over_time;
use crate::player::program::{Program, failed, fault};
use crate::process::{Allowance, Event, Exit};
use crate::{Limits, Penalties, Seconds, Span, Verdict};

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

/// What is wrong with an answer, in short.
pub(super) struct Complaint {
    pub(super) what: String,
    pub(super) difference: Option<Difference>,
    /// Whether the output differs from the right one; how is found out only if asked.
    pub(super) is_output: bool,
}

impl Complaint {
    fn new(what: impl Into<String>) -> Complaint {
        Complaint {
            what: what.into(),
            difference: None,
            is_output: false,
        }
    }
}

/// What is wrong, if anything.
pub(super) fn judge(case: &Case, run: &Run) -> Option<Complaint> {
    let plain = |what: String| Some(Complaint::new(what));
    let (wall, cpu) = (run.exit.wall.into(), run.exit.cpu.into());
    if let Some(verdict) = over_time(run.limits, wall, cpu, Span::Move) {
        return plain(verdict.to_string());
    }
    let wanted = match case.want {
        Want::Refusal { .. } => 2,
        Want::Complaint { status, .. } => status,
        _ => 0,
    };
    match fault(run.exit, run.limits) {
        Some(Verdict::ExitStatus { status }) if status == wanted => {}
        Some(verdict) => return plain(verdict.to_string()),
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
        Want::Move(position) => not_a_move(position, run).and_then(plain),
        Want::Play(position) => not_played(position, run).and_then(plain),
        Want::OneOf(lines) => one_of(lines, &run.exit.stdout),
        Want::Refusal { names } => refusal(case, names, run).and_then(plain),
        Want::Rewrite(before) => rewrite(before, run).err().and_then(plain),
        Want::Result { before, first_line } => match rewrite(before, run) {
            Err(what) => plain(what),
            Ok(()) => {
                let text = String::from_utf8_lossy(run.file.unwrap_or_default()).into_owned();
                let actual = text.lines().next();
                let wrong = actual != Some(*first_line);
                wrong.then(|| {
                    let difference = Difference {
                        line: 1,
                        expected: Some((*first_line).into()),
                        actual: actual.map(beginning),
                    };
                    Complaint {
                        difference: Some(difference),
                        ..Complaint::new("wrong result")
                    }
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

/// Why the answer of an Othello program is not a legal move, if it is not.
fn not_a_move(position: &::reversi::Position, run: &Run) -> Option<String> {
    let stuck = position.board().moves().is_empty();
    let answer = match argv::read(&run.exit.stdout) {
        Ok(answer) => answer,
        Err(refusal) => return Some(Verdict::from(refusal).to_string()),
    };
    match (answer.as_str(), stuck) {
        ("pass", true) => None,
        ("pass", false) => Some("-1,-1, but there is a legal move".into()),
        (square, true) => Some(format!("{square}, but no move is legal: -1,-1 is wanted")),
        (square, false) => {
            let error = position.parse_move(square).err()?;
            Some(Verdict::from(error).to_string())
        }
    }
}

/// Why the answer of a player of published GIPF is not a legal move, if it is not.
fn not_played(position: &gipf_standard::Position, run: &Run) -> Option<String> {
    let answer = match games::read_line(&run.exit.stdout) {
        Ok(answer) => answer,
        Err(refusal) => return Some(Verdict::from(refusal).to_string()),
    };
    let error = position.parse_move(&answer).err()?;
    Some(Verdict::from(error).to_string())
}

fn wrong_output(expected: &[u8], run: &Run) -> Option<Complaint> {
    let actual = &run.exit.stdout;
    let same = match run.blanks {
        Blanks::Count => expected == actual,
        Blanks::Ignored => same_but_line_ends(expected, actual),
    };
    (!same).then(|| Complaint {
        is_output: true,
        ..Complaint::new("wrong output")
    })
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
        actual: text.lines().next().map(beginning),
    };
    let what = match lines {
        [only] => format!("{only} is wanted and nothing else"),
        many => format!("one of {} lines such as {} is wanted", many.len(), many[0]),
    };
    Some(Complaint {
        difference: Some(difference),
        ..Complaint::new(what)
    })
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
        let line = beginning(errors.trim_end());
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

/// Processor time that no program can have used without taking any of it off: what starting
/// and ending cost is far less.
const UNCOUNTED: f64 = 0.1;

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
    let line = 2 + own;
    let decimals = time
        .split_once('.')
        .map_or(0, |(_, rest)| rest.trim_end().len());
    if decimals != 2 {
        return Err(format!(
            "matrix.txt:{line}: {:?} has {decimals} decimals, not 2",
            beginning(&time)
        ));
    }
    let (left, used) = (before.accounts[own].seconds, run.exit.cpu.as_secs_f64());
    if used > left + GRACE {
        return Err(format!(
            "processor time {used:.3} s over {left:.3} s of the file"
        ));
    }
    // Rounding may keep the last decimal, and add half of one to a longer number.
    let written = account.seconds;
    if written > left + 0.005 {
        return Err(format!(
            "matrix.txt:{line}: {written:.2} s are more than the {left} s before"
        ));
    }
    if used > UNCOUNTED && written > left - 0.005 {
        return Err(format!(
            "matrix.txt:{line}: {used:.3} s of processor time are not taken off"
        ));
    }
    let Ok(file) = Matrix::read(after) else {
        return Ok(());
    };
    // A referee decides the result itself; a program has to know it.
    let truth = Mark::of(file.position.outcome());
    if file.result != truth {
        return Err(format!(
            "matrix.txt:1: the result is {}, not {}",
            truth.letter(),
            file.result.letter()
        ));
    }
    odd_form(&file.write(), after).map_or(Ok(()), Err)
}

/// The first line of a file that says what it should, but not as it should. Where the last line
/// ends is left open.
fn odd_form(plain: &[u8], written: &[u8]) -> Option<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (plain, written) = (text(plain), text(written));
    let mut wanted = plain.lines();
    for (line, found) in (1..).zip(written.lines()) {
        let shown = beginning(found);
        match wanted.next() {
            Some(right) if right == found => {}
            Some(right) => return Some(format!("matrix.txt:{line}: {shown:?}, not {right:?}")),
            None => return Some(format!("matrix.txt:{line}: {shown:?} follows the last row")),
        }
    }
    None
}

/// Talks with a program: after every piece the output must be there before the next. Says also
/// which limits held when it ended.
pub(super) fn dialogue(
    program: &Program,
    steps: &[Step],
    limits: &Limits,
    stop: &AtomicBool,
) -> (Exit, Limits) {
    let mut process = match program.start(limits) {
        Ok(process) => process,
        Err(error) => return (failed(error), *limits),
    };
    // A program that holds its answer back would wait for ever, and so would we.
    let wall = limits.wall.map_or(PATIENCE, |limit| Seconds(limit.0 / 2));
    let patience = Limits {
        wall: Some(wall),
        ..*limits
    };
    for step in steps {
        process.send(&step.input);
        let mut enough = |output: &[u8]| output.len() >= step.until;
        if process.wait(&mut enough, &Allowance::of(&patience), stop) != Event::Ready {
            return (process.finish(), patience);
        }
    }
    process.close_stdin();
    process.wait(&mut |_| false, &Allowance::of(limits), stop);
    (process.finish(), *limits)
}

/// How long a dialogue may take to its last answer where there is no limit.
const PATIENCE: Seconds = Seconds::from_secs(5);

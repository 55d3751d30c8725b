//! A failed case as it is reported: what is wrong, since when, and why.

use serde::{Deserialize, Serialize};

use super::Subject;
use super::case::Case;
use super::compare::{Difference, Looks, compare};
use super::explain::explain;
use super::judge::{Complaint, Run};
use crate::process::Exit;

/// What is wrong with an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// In one sentence.
    pub what: String,
    /// What it has in common with other failures of the same cause.
    pub cause: String,
    /// The first line that differs, where texts are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The command or the line of input that the differing line answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The board before it, drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The rule that decides, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The end of standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// How much of standard error is reported.
const STDERR: usize = 2048;

impl Failure {
    /// Everything that can be said about a complaint.
    pub(super) fn new(subject: Subject, case: &Case, run: &Run, complaint: Complaint) -> Failure {
        let Complaint {
            mut what,
            mut difference,
            is_output,
        } = complaint;
        let expected = case.expected();
        let compared = expected.and_then(|expected| compare(expected, &run.exit.stdout));
        let mut looks: Option<Looks> = None;
        if let Some((found, only)) = compared {
            difference = Some(found);
            looks = only.filter(|_| is_output);
        }
        if let Some(looks) = looks {
            what = looks.sentence().into();
        }
        let explanation = match looks {
            // There is nothing to understand about a blank.
            Some(_) => None,
            None => Some(explain(subject, case, run, difference.as_ref())),
        };
        let explanation = explanation.unwrap_or_default();
        let cause = explanation.cause.filter(|_| is_output);
        Failure {
            cause: cause.map_or_else(
                || common(&what),
                |cause| format!("{} ({cause})", common(&what)),
            ),
            what,
            difference,
            command: explanation.command,
            board: explanation.board,
            reason: explanation.reason,
            stderr: ending(run.exit),
        }
    }

    /// A case that was left out, since others of its kind had failed in the same way.
    pub(super) fn left_out(times: usize) -> Failure {
        let what = format!("not tried, since {times} cases before it ran out of time");
        Failure {
            cause: common(&what),
            what,
            difference: None,
            command: None,
            board: None,
            reason: None,
            stderr: String::new(),
        }
    }
}

/// The sentence without what belongs to one case alone: numbers, squares, quoted text.
fn common(what: &str) -> String {
    let mut plain = String::new();
    for (index, part) in what.split('"').enumerate() {
        match index % 2 {
            0 => plain.push_str(part),
            _ => plain.push_str("\"…\""),
        }
    }
    let is_square = |word: &str| {
        let bytes = word.as_bytes();
        matches!(bytes, [b'a'..=b'h', b'1'..=b'8'])
            || matches!(
                bytes,
                [b'a'..=b'h', b'1'..=b'8', _, b'a'..=b'h', b'1'..=b'8']
            )
    };
    let words = plain.split(' ').map(|word| {
        let bare = word.trim_matches(|c: char| ",;:.()".contains(c));
        if is_square(bare) {
            return word.replace(bare, "…");
        }
        let mut text = String::new();
        for c in word.chars() {
            match c {
                '0'..='9' if text.ends_with('#') => {}
                '0'..='9' => text.push('#'),
                c => text.push(c),
            }
        }
        text.replace("#.#", "#")
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The end of what a program wrote to standard error.
pub(crate) fn ending(exit: &Exit) -> String {
    let whole = exit.stderr.omitted == 0;
    let bytes = if whole {
        &exit.stderr.bytes
    } else {
        &exit.stderr_end
    };
    let text = String::from_utf8_lossy(bytes);
    let cut = text.len().saturating_sub(STDERR);
    let from = (cut..text.len()).find(|place| text.is_char_boundary(*place));
    match from {
        Some(from) if cut > 0 || !whole => format!("…{}", &text[from..]),
        _ => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(what: &str, cause: &str) {
        assert_eq!(common(what), cause);
    }

    #[test]
    fn causes_leave_out_what_differs() {
        check("illegal move a1 (taken)", "illegal move … (taken)");
        check("wall time 1.003 s over 1.000 s", "wall time # s over # s");
        check("unreadable answer \"x 3\"", "unreadable answer \"…\"");
        check("matrix.txt:4: b6-c5: no", "matrix.txt:#: …: no");
    }

    #[test]
    fn the_end_of_standard_error_is_kept() {
        let wrote = |text: &str| Exit {
            stderr: text.into(),
            ..Exit::default()
        };
        let long = format!("{}panic at the end\n", "é".repeat(3000));
        let kept = ending(&wrote(&long));
        assert!(kept.starts_with('…') && kept.ends_with("panic at the end\n"));
        assert!(kept.len() < 2100);
        assert_eq!(ending(&wrote("short")), "short");
    }
}

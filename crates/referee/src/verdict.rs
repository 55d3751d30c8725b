//! What the referee says about one answer.

use std::fmt;

use rules::beginning;
use serde::{Deserialize, Serialize};

use crate::{Seconds, Size};

/// Which span a limit of time covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Span {
    /// One move.
    Move,
    /// All moves of the game so far.
    Game,
}

/// What the referee says about one answer: exactly what happened, with the numbers.
///
/// In JSON it is an object whose `kind` is the variant's name in small letters with
/// hyphens. `Display` is the sentence that people read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Verdict {
    /// A legal move within all limits.
    Legal,
    /// The player could only pass and was not asked.
    Passed,
    /// A readable answer that the rules forbid.
    IllegalMove {
        /// The move as the game writes it.
        text: String,
        /// The rule that it breaks.
        reason: String,
    },
    /// An answer that is no move at all.
    Unreadable {
        /// The beginning of what was printed.
        answer: String,
        /// What was expected instead.
        reason: String,
    },
    /// `matrix.txt` is not what one legal move makes of it.
    FalseFile {
        /// Line of the file, from 1.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// Too much wall time.
    WallTime {
        /// Time taken.
        used: Seconds,
        /// Time allowed.
        limit: Seconds,
        /// What the limit covers.
        span: Span,
    },
    /// Too much wall time, but the machine kept the player waiting: it is asked again.
    HeldUp {
        /// Time taken.
        used: Seconds,
        /// Processor time of it.
        cpu: Seconds,
        /// Time allowed.
        limit: Seconds,
    },
    /// Too much processor time.
    ProcessorTime {
        /// Time taken.
        used: Seconds,
        /// Time allowed.
        limit: Seconds,
        /// What the limit covers.
        span: Span,
    },
    /// More memory than allowed.
    OutOfMemory {
        /// Memory allowed.
        limit: Size,
    },
    /// More on standard output than allowed.
    TooMuchOutput {
        /// Output allowed.
        limit: Size,
    },
    /// A file grew beyond what is allowed.
    FileTooLarge {
        /// Size of one file allowed.
        limit: Size,
    },
    /// All files together grew beyond what is allowed.
    DiskFull {
        /// Size of the folder when it was stopped.
        used: Size,
        /// Size allowed.
        limit: Size,
    },
    /// More processes at once than allowed.
    TooManyProcesses {
        /// Processes allowed.
        limit: u32,
    },
    /// Died of a signal that the referee did not send.
    Killed {
        /// Its name, `SIGSEGV`.
        signal: String,
    },
    /// Ended with a status other than 0.
    ExitStatus {
        /// The status.
        status: i32,
    },
    /// Ended well but said nothing.
    NoOutput,
    /// Changed a file other than `matrix.txt`.
    Changed {
        /// Its path in the player's folder.
        path: String,
    },
    /// Made a file or folder that was not there.
    Created {
        /// Its path in the player's folder.
        path: String,
    },
    /// Removed a file or folder.
    Removed {
        /// Its path in the player's folder.
        path: String,
    },
    /// An engine gave the game up.
    Resigned,
    /// An engine broke its protocol.
    Protocol {
        /// What was expected and what came.
        what: String,
    },
    /// Killed the referee's process that watches over it.
    KilledParent,
    /// The program could not be started at all.
    CannotStart {
        /// The system's reason.
        reason: String,
    },
    /// The machine could not start it, nor any other.
    NotStarted {
        /// The system's reason.
        reason: String,
    },
}

impl Verdict {
    /// Whether the answer stands.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        matches!(self, Verdict::Legal | Verdict::Passed)
    }

    /// Whether it counts against the player.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        !self.is_ok() && !self.is_of_machine() && *self != Verdict::Resigned
    }

    /// Whether it says something about the machine alone.
    #[must_use]
    pub fn is_of_machine(&self) -> bool {
        matches!(self, Verdict::HeldUp { .. } | Verdict::NotStarted { .. })
    }

    /// The variant's name as in JSON: for counting faults by kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Verdict::Legal => "legal",
            Verdict::Passed => "passed",
            Verdict::IllegalMove { .. } => "illegal-move",
            Verdict::Unreadable { .. } => "unreadable",
            Verdict::FalseFile { .. } => "false-file",
            Verdict::WallTime { .. } => "wall-time",
            Verdict::HeldUp { .. } => "held-up",
            Verdict::ProcessorTime { .. } => "processor-time",
            Verdict::OutOfMemory { .. } => "out-of-memory",
            Verdict::TooMuchOutput { .. } => "too-much-output",
            Verdict::FileTooLarge { .. } => "file-too-large",
            Verdict::DiskFull { .. } => "disk-full",
            Verdict::TooManyProcesses { .. } => "too-many-processes",
            Verdict::Killed { .. } => "killed",
            Verdict::ExitStatus { .. } => "exit-status",
            Verdict::NoOutput => "no-output",
            Verdict::Changed { .. } => "changed",
            Verdict::Created { .. } => "created",
            Verdict::Removed { .. } => "removed",
            Verdict::Resigned => "resigned",
            Verdict::Protocol { .. } => "protocol",
            Verdict::KilledParent => "killed-parent",
            Verdict::CannotStart { .. } => "cannot-start",
            Verdict::NotStarted { .. } => "not-started",
        }
    }
}

impl Verdict {
    /// An engine's answer is none to this command.
    pub(crate) fn broken(command: &str, answer: &str) -> Verdict {
        let (command, answer) = (beginning(command), beginning(answer));
        Verdict::Protocol {
            what: format!("{command} was answered {answer:?}"),
        }
    }
}

impl From<rules::MoveError> for Verdict {
    fn from(error: rules::MoveError) -> Verdict {
        match error {
            rules::MoveError::Illegal { text, reason } => Verdict::IllegalMove { text, reason },
            rules::MoveError::Unreadable { text, reason } => Verdict::Unreadable {
                answer: text,
                reason,
            },
        }
    }
}

impl From<games::Refusal> for Verdict {
    fn from(refusal: games::Refusal) -> Verdict {
        use games::Refusal;
        match refusal {
            Refusal::NoOutput => Verdict::NoOutput,
            Refusal::Unreadable { answer, reason } => Verdict::Unreadable { answer, reason },
            Refusal::FalseFile { line, what } => Verdict::FalseFile { line, what },
            Refusal::Illegal { text, reason } => Verdict::IllegalMove { text, reason },
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = |span: &Span| match span {
            Span::Move => "",
            Span::Game => " for the whole game",
        };
        match self {
            Verdict::Legal => f.write_str("ok"),
            Verdict::Passed => f.write_str("could only pass"),
            Verdict::IllegalMove { text, reason } => write!(f, "illegal move {text} ({reason})"),
            Verdict::Unreadable { answer, reason } => {
                write!(f, "unreadable answer {answer:?} ({reason})")
            }
            Verdict::FalseFile { line, what } => write!(f, "matrix.txt:{line}: {what}"),
            Verdict::WallTime { used, limit, span } => {
                write!(
                    f,
                    "wall time {} over {limit}{}",
                    used.round_up(),
                    game(span)
                )
            }
            Verdict::HeldUp { used, cpu, limit } => write!(
                f,
                "wall time {} over {limit} with {} of processor time: the machine was busy",
                used.round_up(),
                cpu.round_up()
            ),
            Verdict::ProcessorTime { used, limit, span } => {
                let used = used.round_up();
                write!(f, "processor time {used} over {limit}{}", game(span))
            }
            Verdict::OutOfMemory { limit } => write!(f, "out of memory (limit {limit})"),
            Verdict::TooMuchOutput { limit } => write!(f, "output over {limit}"),
            Verdict::FileTooLarge { limit } => write!(f, "file larger than {limit}"),
            Verdict::DiskFull { used, limit } => write!(f, "disk use {used} over {limit}"),
            Verdict::TooManyProcesses { limit } => write!(f, "more than {limit} processes"),
            Verdict::Killed { signal } => write!(f, "killed by {signal}"),
            Verdict::ExitStatus { status } => write!(f, "exit status {status}"),
            Verdict::NoOutput => f.write_str("no output"),
            Verdict::Changed { path } => write!(f, "changed {path}"),
            Verdict::Created { path } => write!(f, "created {path}"),
            Verdict::Removed { path } => write!(f, "removed {path}"),
            Verdict::Resigned => f.write_str("resigned"),
            Verdict::Protocol { what } => write!(f, "protocol: {what}"),
            Verdict::KilledParent => f.write_str("killed its parent process"),
            Verdict::CannotStart { reason } => write!(f, "cannot start: {reason}"),
            Verdict::NotStarted { reason } => {
                write!(f, "the machine could not start a program: {reason}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_read_well_and_survive_json() {
        let verdicts = [
            (Verdict::Legal, "ok"),
            (
                Verdict::IllegalMove {
                    text: "c4".into(),
                    reason: "not adjacent to a white disc".into(),
                },
                "illegal move c4 (not adjacent to a white disc)",
            ),
            (
                Verdict::WallTime {
                    used: Seconds::from_millis(1004),
                    limit: Seconds::from_secs(1),
                    span: Span::Move,
                },
                "wall time 1.004 s over 1.000 s",
            ),
            (
                Verdict::WallTime {
                    used: Seconds(std::time::Duration::from_micros(1_000_100)),
                    limit: Seconds::from_secs(1),
                    span: Span::Move,
                },
                "wall time 1.001 s over 1.000 s",
            ),
            (
                Verdict::ProcessorTime {
                    used: Seconds::from_millis(30_010),
                    limit: Seconds::from_secs(30),
                    span: Span::Game,
                },
                "processor time 30.010 s over 30.000 s for the whole game",
            ),
            (
                Verdict::HeldUp {
                    used: Seconds::from_millis(1190),
                    cpu: Seconds::from_millis(10),
                    limit: Seconds::from_secs(1),
                },
                "wall time 1.190 s over 1.000 s with 0.010 s of processor time: the machine was busy",
            ),
            (Verdict::Resigned, "resigned"),
            (
                Verdict::OutOfMemory { limit: Size::gb(1) },
                "out of memory (limit 1 GB)",
            ),
            (
                Verdict::Killed {
                    signal: "SIGSEGV".into(),
                },
                "killed by SIGSEGV",
            ),
            (Verdict::ExitStatus { status: 3 }, "exit status 3"),
            (
                Verdict::NotStarted {
                    reason: "no process".into(),
                },
                "the machine could not start a program: no process",
            ),
            (Verdict::NoOutput, "no output"),
            (
                Verdict::Changed {
                    path: "notes.txt".into(),
                },
                "changed notes.txt",
            ),
        ];
        for (verdict, shown) in verdicts {
            assert_eq!(verdict.to_string(), shown);
            let json = serde_json::to_value(&verdict).unwrap();
            assert_eq!(json["kind"], verdict.kind());
            assert_eq!(serde_json::from_value::<Verdict>(json).unwrap(), verdict);
        }
    }
}

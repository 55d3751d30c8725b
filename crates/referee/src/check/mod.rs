//! The grader: cases for the four programs of the course documents, and for players of
//! published GIPF.
//!
//! Dialogue programs (Reversi, GIPF) are compared with the project's own, line by line.
//! One-shot players (Othello, MMPawns, published GIPF) are judged by the referee's rules, since
//! many answers are right. Cases are built in or generated from a seed, so that a whole class
//! gets the same.

mod answers;
mod boards;
mod case;
mod checker;
mod choices;
mod compare;
mod cover;
mod dialogues;
mod endings;
mod explain;
mod failure;
mod gipf;
mod judge;
mod lines;
mod mmpawns;
mod mutants;
mod noise;
mod othello;
mod phases;
mod published;
mod rays;
mod report;
mod reversi;
mod rounds;
mod slides;
mod stages;
mod steps;
mod stretches;
mod strides;
mod whole;

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use games::GameName;
use serde::{Deserialize, Serialize};

use self::case::{Ask, Case};
use self::judge::{Run, judge};
use crate::folder::FileRead;
use crate::player::program::{Program, fault};
use crate::process::Cause;
use crate::{IsolationMode, Kind, Limits, PlayerSpec, RefereeError, Seconds, Size, Verdict};

/// Which program is graded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// The Reversi dialogue.
    Reversi,
    /// The one-shot Othello player.
    Othello,
    /// The GIPF interpreter.
    Gipf,
    /// The one-shot MMPawns player.
    Mmpawns,
    /// The player of published GIPF: a position in, a move out.
    #[serde(rename = "gipf-standard")]
    GipfStandard,
}

impl Subject {
    const ALL: [(Subject, &'static str); 5] = [
        (Subject::Reversi, "reversi"),
        (Subject::Othello, "othello"),
        (Subject::Gipf, "gipf"),
        (Subject::Mmpawns, "mmpawns"),
        (Subject::GipfStandard, "gipf-standard"),
    ];

    /// What programs of this assignment play against each other, and how they are asked; nothing
    /// for dialogues, which are only graded.
    #[must_use]
    pub fn plays(self) -> Option<(GameName, Kind)> {
        match self {
            Subject::Reversi | Subject::Gipf => None,
            Subject::Othello => Some((games::REVERSI, Kind::Argv)),
            Subject::Mmpawns => Some((games::MMPAWNS, Kind::Matrix)),
            Subject::GipfStandard => Some((games::GIPF_STANDARD, Kind::Line)),
        }
    }

    fn cases(self, options: &CheckOptions) -> Vec<Case> {
        match self {
            Subject::Reversi => reversi::cases(options.seed, options.generated),
            Subject::Othello => othello::cases(options.seed, options.generated),
            Subject::Gipf => gipf::cases(options.seed, options.generated),
            Subject::Mmpawns => mmpawns::cases(options.seed, options.generated),
            Subject::GipfStandard => published::cases(options.seed, options.generated),
        }
    }

    /// What one case may use.
    fn limits(self) -> Limits {
        let seconds = match self {
            Subject::Othello => 1,
            Subject::Reversi | Subject::Gipf | Subject::GipfStandard => 10,
            Subject::Mmpawns => 40,
        };
        Limits {
            wall: Some(Seconds::from_secs(seconds)),
            cpu: (self == Subject::Mmpawns).then_some(Seconds::from_secs(30)),
            memory: Some(Size::gb(1)),
            output: Some(Size::mb(64)),
            file: Some(Size::mb(16)),
            disk: Some(Size::mb(64)),
            processes: Some(32),
            ..Limits::default()
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Subject::ALL[*self as usize].1)
    }
}

impl FromStr for Subject {
    type Err = String;

    fn from_str(text: &str) -> Result<Subject, String> {
        Subject::ALL
            .iter()
            .find(|(_, name)| *name == text)
            .map(|(subject, _)| *subject)
            .ok_or_else(|| {
                format!("{text:?} is not reversi, othello, gipf, mmpawns or gipf-standard")
            })
    }
}

/// Whether blanks make a difference in the output of a dialogue program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Blanks {
    /// Every byte counts.
    #[default]
    Count,
    /// Blank lines and blanks at the end of a line do not.
    Ignored,
}

/// How to grade.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Decides the generated cases.
    pub seed: u64,
    /// How many cases to generate.
    pub generated: usize,
    /// Only cases whose name contains this.
    pub only: Option<String>,
    /// Whether blanks make a difference.
    pub blanks: Blanks,
    /// Limits that differ from the usual ones.
    pub limits: Limits,
    /// How the program is kept apart.
    pub isolation: IsolationMode,
    /// After how many cases of a rule in a row that ran out of time the others of the rule
    /// are left out; never if 0.
    pub patience: usize,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            seed: 1,
            generated: 20,
            only: None,
            blanks: Blanks::Count,
            limits: Limits::default(),
            isolation: IsolationMode::Auto,
            patience: 3,
        }
    }
}

/// One case and what came of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CaseResult {
    /// A short name, unique for the subject and seed.
    pub name: String,
    /// The rule of the document that the case is about.
    pub rule: String,
    /// What is wrong; nothing if the case passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// A shell command that runs the program on the same input.
    pub reproduce: String,
    /// Wall time.
    pub wall: Seconds,
    /// Processor time.
    pub cpu: Seconds,
    /// Most memory held at once.
    pub memory: Size,
    /// Whether it was stopped since it ran out of time.
    #[serde(skip)]
    pub timed_out: bool,
    /// Whether that was the machine's fault.
    #[serde(skip)]
    pub(crate) held_up: bool,
    /// The input, as the program got it.
    #[serde(skip)]
    pub input: Vec<u8>,
    /// The right output, where there is just one.
    #[serde(skip)]
    pub expected: Option<Vec<u8>>,
    /// What the program wrote.
    #[serde(skip)]
    pub actual: Vec<u8>,
}

impl CaseResult {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failure.is_none()
    }
}

pub use self::checker::{Candidate, Checker};
pub use self::compare::Difference;
pub use self::failure::Failure;
pub(crate) use self::failure::ending;
pub use self::mutants::{Family, Mutant, MutantReport, mutants};
pub use self::report::{CheckReport, Group, RuleScore, WEIGHTS};
pub use self::whole::WholeReport;

/// Grades one program; `observe` sees every case right after it.
///
/// # Errors
/// If programs cannot be kept apart as the options ask.
pub fn check(
    subject: Subject,
    command: &[String],
    options: &CheckOptions,
    observe: &mut dyn FnMut(&CaseResult),
) -> Result<CheckReport, RefereeError> {
    let checker = Checker::new(subject, options)?;
    checker.check(&Candidate::new(command), observe, &AtomicBool::new(false))
}

fn try_case(
    checker: &Checker,
    case: &Case,
    program: &Program,
    spec: &PlayerSpec,
    stop: &AtomicBool,
) -> Result<CaseResult, RefereeError> {
    let limits = checker.limits();
    let (mut exit, limits) = match &case.ask {
        Ask::Steps(steps) => judge::dialogue(program, steps, limits, stop),
        _ => (program.run(&case.as_input(), limits, stop), *limits),
    };
    let held_up = match fault(&exit, &limits) {
        Some(Verdict::NotStarted { reason }) => return Err(RefereeError::NotStarted { reason }),
        verdict => matches!(verdict, Some(Verdict::HeldUp { .. })),
    };
    let changed = exit.folder.changed.take();
    let file = match std::mem::take(&mut exit.folder.file) {
        FileRead::Content(content) => Some(content),
        FileRead::Missing | FileRead::NotAFile => None,
    };
    let run = Run {
        exit: &exit,
        changed,
        file: file.as_deref(),
        size: program.size(),
        limits: &limits,
        blanks: checker.options().blanks,
    };
    let complaint = judge(case, &run);
    let failure = complaint.map(|complaint| Failure::new(checker.subject(), case, &run, complaint));
    Ok(CaseResult {
        name: case.name.clone(),
        rule: case.rule.into(),
        failure,
        reproduce: case.reproduce(&spec.command.0),
        wall: exit.wall.into(),
        cpu: exit.cpu.into(),
        memory: Size(exit.memory),
        timed_out: matches!(exit.cause, Some(Cause::Wall | Cause::Cpu)),
        held_up,
        input: case.input(),
        expected: case.expected().map(<[u8]>::to_vec),
        actual: match case.ask {
            Ask::Matrix(_) => file.unwrap_or_default(),
            _ => exit.stdout,
        },
    })
}

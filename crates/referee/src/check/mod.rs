//! The grader: cases for the four programs of the course documents.
//!
//! Dialogue programs (Reversi, GIPF) are compared with the project's own, line by line.
//! One-shot players (Othello, MMPawns) are judged by the referee's rules, since many
//! answers are right. Cases are built in or generated from a seed, so that a whole class
//! gets the same.

mod case;
mod choices;
mod gipf;
mod judge;
mod junit;
mod mmpawns;
#[cfg(test)]
mod mutants;
mod othello;
mod reversi;

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use self::case::{Ask, Case};
use self::judge::{Run, judge};
use crate::folder::FileRead;
use crate::player::program::Program;
use crate::{
    Blob, Isolation, IsolationMode, Kind, Limits, PlayerSpec, RefereeError, Seconds, Size, process,
};

/// Which program is graded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
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
}

impl Subject {
    const ALL: [(Subject, &'static str); 4] = [
        (Subject::Reversi, "reversi"),
        (Subject::Othello, "othello"),
        (Subject::Gipf, "gipf"),
        (Subject::Mmpawns, "mmpawns"),
    ];

    fn cases(self, options: &CheckOptions) -> Vec<Case> {
        match self {
            Subject::Reversi => reversi::cases(options.seed, options.generated),
            Subject::Othello => othello::cases(options.seed, options.generated),
            Subject::Gipf => gipf::cases(options.seed, options.generated),
            Subject::Mmpawns => mmpawns::cases(options.seed, options.generated),
        }
    }

    /// What one case may use.
    fn limits(self) -> Limits {
        let seconds = match self {
            Subject::Othello => 1,
            Subject::Reversi | Subject::Gipf => 10,
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
            .ok_or_else(|| format!("{text:?} is not reversi, othello, gipf or mmpawns"))
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
        }
    }
}

/// What is wrong with an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// In one sentence.
    pub what: String,
    /// The first line that differs, where texts are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// The beginning of standard error.
    #[serde(skip_serializing_if = "Blob::is_empty")]
    pub stderr: Blob,
}

/// The first line that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// Its number, from 1.
    pub line: usize,
    /// The right line; `None` if the output should have ended.
    pub expected: Option<String>,
    /// The program's line; `None` if its output ended.
    pub actual: Option<String>,
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

/// The grade of one program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckReport {
    /// What it was graded as.
    pub subject: Subject,
    /// Its command line.
    pub program: String,
    /// The seed of the generated cases.
    pub seed: u64,
    /// How it was kept apart.
    pub isolation: Isolation,
    /// Every case in order.
    pub cases: Vec<CaseResult>,
}

impl CheckReport {
    /// How many cases passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.passed()).count()
    }

    /// Whether all of them did.
    #[must_use]
    pub fn all_passed(&self) -> bool {
        self.passed() == self.cases.len()
    }
}

pub use self::junit::junit;

/// Grades a program; `observe` sees every case right after it.
pub fn check(
    subject: Subject,
    command: &[String],
    options: &CheckOptions,
    observe: &mut dyn FnMut(&CaseResult),
) -> Result<CheckReport, RefereeError> {
    let isolation = process::resolve(options.isolation)?;
    let limits = subject.limits().with(&options.limits);
    let spec = PlayerSpec::program(Kind::Argv, command.to_vec());
    let mut results = Vec::new();
    for case in subject.cases(options) {
        if options
            .only
            .as_ref()
            .is_some_and(|only| !case.name.contains(only))
        {
            continue;
        }
        let program = Program::new(&spec, isolation.mode)?;
        let result = try_case(&case, &program, &spec, &limits, options.blanks);
        observe(&result);
        results.push(result);
        if program.size().is_none() {
            // There is no such program; once is enough to say so.
            break;
        }
    }
    Ok(CheckReport {
        subject,
        program: spec.command.to_string(),
        seed: options.seed,
        isolation: isolation.clone(),
        cases: results,
    })
}

fn try_case(
    case: &Case,
    program: &Program,
    spec: &PlayerSpec,
    limits: &Limits,
    blanks: Blanks,
) -> CaseResult {
    let never = AtomicBool::new(false);
    let mut exit = match &case.ask {
        Ask::Steps(steps) => judge::dialogue(program, steps, limits, &never),
        _ => program.run(&case.as_input(), limits, &never),
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
        limits,
        blanks,
    };
    let failure = judge(case, &run).map(|(what, difference)| Failure {
        what,
        difference,
        stderr: exit.stderr.clone().bounded(2048),
    });
    CaseResult {
        name: case.name.clone(),
        rule: case.rule.into(),
        failure,
        reproduce: case.reproduce(&spec.command.0),
        wall: exit.wall.into(),
        cpu: exit.cpu.into(),
        memory: Size(exit.memory),
        input: case.input(),
        expected: case.expected().map(<[u8]>::to_vec),
        actual: match case.ask {
            Ask::Matrix(_) => file.unwrap_or_default(),
            _ => exit.stdout,
        },
    }
}

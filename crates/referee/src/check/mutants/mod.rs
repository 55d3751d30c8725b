//! Mutants: programs that get one rule of their document wrong, each made from a right
//! one. The grader must catch every one, and must let the right ones pass.

mod digits;
mod gipf;
mod interpreter;
mod mmpawns;
mod othello;
mod pawns;
mod published;
mod pusher;
mod readings;
mod reversi;
mod sights;
mod slips;
mod strider;

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;

use super::case::{Case, LONG};
use super::judge::{Run, judge};
use super::{Blanks, CheckOptions, Subject};
use crate::process::Exit;

/// What kind of fault a mutant has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// A right program of another make: must not be caught.
    Right,
    /// Does not see some legal moves.
    MissesMoves,
    /// Takes some illegal moves for legal ones.
    InventsMoves,
    /// Forgets or changes a rule of the game.
    LosesRule,
    /// Reads or writes in another form than the document says.
    WrongForm,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Right => "right",
            Family::MissesMoves => "misses moves",
            Family::InventsMoves => "invents moves",
            Family::LosesRule => "loses a rule",
            Family::WrongForm => "wrong form",
        })
    }
}

/// A mutant, and what the grader says to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Mutant {
    /// What kind of fault it has.
    pub family: Family,
    /// The fault itself.
    pub name: String,
    /// Why it is right all the same: no input distinguishes it from a right program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub equivalent: Option<&'static str>,
    /// How many cases catch it.
    pub caught: usize,
    /// The first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
}

impl Mutant {
    /// Whether the grader judges it as it should.
    #[must_use]
    pub fn is_judged_rightly(&self) -> bool {
        let right = self.family == Family::Right || self.equivalent.is_some();
        right == (self.caught == 0)
    }
}

/// All mutants of a program under the cases of these options.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MutantReport {
    /// Which program.
    pub subject: Subject,
    /// The seed of the generated cases.
    pub seed: u64,
    /// How many cases there are.
    pub cases: usize,
    /// Every mutant.
    pub mutants: Vec<Mutant>,
}

impl MutantReport {
    /// The mutants that are judged wrongly: faults that pass, and right programs that fail.
    pub fn misjudged(&self) -> impl Iterator<Item = &Mutant> {
        self.mutants
            .iter()
            .filter(|mutant| !mutant.is_judged_rightly())
    }
}

/// What a program makes of a case.
#[derive(Clone, Default)]
struct Answer {
    stdout: Vec<u8>,
    stderr: String,
    status: i32,
    /// `matrix.txt` afterwards.
    file: Option<Vec<u8>>,
    cpu: Duration,
}

fn said(stdout: impl Into<Vec<u8>>) -> Answer {
    Answer {
        stdout: stdout.into(),
        ..Answer::default()
    }
}

fn refused(stderr: impl Into<String>) -> Answer {
    Answer {
        stderr: stderr.into(),
        status: 2,
        ..Answer::default()
    }
}

/// A mutant as a program.
struct Wrong {
    family: Family,
    name: String,
    equivalent: Option<&'static str>,
    /// Whether it can fail in long cases only.
    tires: bool,
    program: Box<dyn Fn(&Case) -> Answer + Send + Sync>,
}

impl Wrong {
    fn new(
        family: Family,
        name: impl Into<String>,
        program: impl Fn(&Case) -> Answer + Send + Sync + 'static,
    ) -> Wrong {
        Wrong {
            family,
            name: name.into(),
            equivalent: None,
            tires: false,
            program: Box::new(program),
        }
    }

    fn tires(self) -> Wrong {
        Wrong {
            tires: true,
            ..self
        }
    }

    fn equivalent(self, reason: &'static str) -> Wrong {
        Wrong {
            equivalent: Some(reason),
            ..self
        }
    }
}

/// Which of the cases that catch a mutant are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Every,
    /// Any one: cases that have caught others come first.
    #[cfg(test)]
    One,
}

/// Judges all mutants of a program, on all processors.
#[must_use]
pub fn mutants(subject: Subject, options: &CheckOptions) -> MutantReport {
    judge_all(subject, options, Extent::Every)
}

fn judge_all(subject: Subject, options: &CheckOptions, extent: Extent) -> MutantReport {
    let cases = subject.cases(options);
    let all = match subject {
        Subject::Reversi => reversi::mutants(),
        Subject::Othello => othello::mutants(),
        Subject::Gipf => gipf::mutants(),
        Subject::Mmpawns => mmpawns::mutants(),
        Subject::GipfStandard => published::mutants(),
    };
    let judged = Mutex::new(vec![None; all.len()]);
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut order: Vec<&Case> = cases.iter().collect();
                while let Some((index, wrong)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    all.get(index).map(|wrong| (index, wrong))
                } {
                    let mutant = judged_by(subject, &mut order, wrong, extent);
                    let mut judged = judged.lock().unwrap_or_else(PoisonError::into_inner);
                    judged[index] = Some(mutant);
                }
            });
        }
    });
    let judged = judged.into_inner().unwrap_or_else(PoisonError::into_inner);
    MutantReport {
        subject,
        seed: options.seed,
        cases: cases.len(),
        mutants: judged.into_iter().flatten().collect(),
    }
}

fn judged_by(subject: Subject, cases: &mut [&Case], wrong: &Wrong, extent: Extent) -> Mutant {
    let limits = subject.limits();
    let fails = |case: &Case| {
        let answer = (wrong.program)(case);
        let exit = Exit {
            status: Some(answer.status << 8),
            cause: None,
            failure: None,
            wall: Duration::from_millis(1),
            cpu: answer.cpu,
            memory: 1 << 20,
            stdout: answer.stdout,
            stderr: answer.stderr.as_str().into(),
            ..Exit::default()
        };
        let run = Run {
            exit: &exit,
            changed: None,
            file: answer.file.as_deref(),
            size: Some(1000),
            limits: &limits,
            blanks: Blanks::Count,
        };
        judge(case, &run).is_some()
    };
    let right = wrong.family == Family::Right;
    let tried = |case: &Case| case.rule != LONG || wrong.tires || right;
    let tried = (0..).zip(&*cases).filter(|(_, case)| tried(case));
    let mut caught = tried.filter(|(_, case)| fails(case));
    let first = caught.next();
    let mut mutant = Mutant {
        family: wrong.family,
        name: wrong.name.clone(),
        equivalent: wrong.equivalent,
        caught: first.iter().count(),
        first: first.map(|(_, case)| case.name.clone()),
    };
    match extent {
        Extent::Every => mutant.caught += caught.count(),
        #[cfg(test)]
        Extent::One => {
            if let Some((place, _)) = first {
                cases[..=place].rotate_right(1);
            }
        }
    }
    mutant
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every fault is caught and every right program passes. Where most cases come from
    /// the seed, two are tried. One case that catches a fault is enough here; `ludex check
    /// SUBJECT --mutants` counts them all.
    #[track_caller]
    fn check(subject: Subject, seeds: &[u64], fewest: usize) {
        for &seed in seeds {
            let options = CheckOptions {
                seed,
                ..CheckOptions::default()
            };
            let report = judge_all(subject, &options, Extent::One);
            let (cases, all) = (report.cases, report.mutants.len());
            println!("{subject}, seed {seed}: {cases} cases, {all} mutants and right programs");
            let misjudged: Vec<&Mutant> = report.misjudged().collect();
            assert!(misjudged.is_empty(), "seed {seed}: {misjudged:#?}");
            assert!(report.mutants.len() >= fewest, "{}", report.mutants.len());
            let right = |mutant: &&Mutant| mutant.family == Family::Right;
            assert!(report.mutants.iter().any(|mutant| right(&mutant)));
            let mut names: Vec<&str> = report.mutants.iter().map(|m| m.name.as_str()).collect();
            names.sort_unstable();
            assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
        }
    }

    #[test]
    fn every_wrong_reversi_program_is_caught() {
        check(Subject::Reversi, &[1], 2690);
    }

    #[test]
    fn every_wrong_othello_program_is_caught() {
        check(Subject::Othello, &[1, 2], 860);
    }

    #[test]
    fn every_wrong_gipf_program_is_caught() {
        check(Subject::Gipf, &[1], 959);
    }

    #[test]
    fn every_wrong_mmpawns_program_is_caught() {
        check(Subject::Mmpawns, &[1, 2], 939);
    }

    #[test]
    fn every_wrong_player_of_published_gipf_is_caught() {
        check(Subject::GipfStandard, &[1, 2], 290);
    }
}

//! The checker: the cases of a document, tried on any number of programs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::case::Case;
use super::{CaseResult, CheckOptions, CheckReport, Failure, Subject, try_case};
use crate::player::program::Program;
use crate::{Built, Isolation, Kind, Limits, PlayerSpec, RefereeError, Seconds, Size, process};

/// A program to be graded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// A folder whose content the program finds in its own, fresh for every case.
    pub folder: Option<PathBuf>,
    /// Files and folders that the program may read besides its own and the system's.
    pub read: Vec<PathBuf>,
}

impl Candidate {
    /// A program without files of its own.
    #[must_use]
    pub fn new(command: &[String]) -> Candidate {
        Candidate {
            command: command.to_vec(),
            folder: None,
            read: Vec::new(),
        }
    }
}

/// All cases of a subject, made once, and how programs are run on them.
pub struct Checker {
    subject: Subject,
    options: CheckOptions,
    isolation: Isolation,
    limits: Limits,
    cases: Vec<Case>,
}

impl Checker {
    /// Makes the cases.
    ///
    /// # Errors
    /// If programs cannot be kept apart as the options ask.
    pub fn new(subject: Subject, options: &CheckOptions) -> Result<Checker, RefereeError> {
        let wanted = |case: &Case| {
            let only = options.only.as_ref();
            only.is_none_or(|only| case.name.contains(only))
        };
        let mut cases = subject.cases(options);
        cases.retain(wanted);
        Ok(Checker {
            subject,
            isolation: process::resolve(options.isolation)?.clone(),
            limits: subject.limits().with(&options.limits),
            options: options.clone(),
            cases,
        })
    }

    /// What is graded.
    #[must_use]
    pub fn subject(&self) -> Subject {
        self.subject
    }

    /// How many cases there are.
    #[must_use]
    pub fn cases(&self) -> usize {
        self.cases.len()
    }

    /// Grades a program; `observe` sees every case right after it. A report that was
    /// stopped holds the cases so far.
    ///
    /// # Errors
    /// If the program's folder cannot be made, or the machine cannot start programs or is too busy
    /// to judge their time.
    pub fn check(
        &self,
        candidate: &Candidate,
        observe: &mut dyn FnMut(&CaseResult),
        stop: &AtomicBool,
    ) -> Result<CheckReport, RefereeError> {
        let spec = PlayerSpec {
            folder: candidate.folder.clone(),
            read: candidate.read.clone(),
            ..PlayerSpec::program(Kind::Argv, candidate.command.clone())
        };
        let program = Program::new(&spec, self.isolation.mode)?;
        self.check_program(&spec, &program, observe, stop)
    }

    /// Grades a program on what a build has left in its folder.
    ///
    /// # Errors
    /// As [`Checker::check`].
    pub fn check_built(
        &self,
        candidate: &Candidate,
        built: &Built,
        observe: &mut dyn FnMut(&CaseResult),
        stop: &AtomicBool,
    ) -> Result<CheckReport, RefereeError> {
        let spec = PlayerSpec::program(Kind::Argv, candidate.command.clone());
        let program = Program::with(&spec, built.given(), self.isolation.mode)?;
        self.check_program(&spec, &program, observe, stop)
    }

    fn check_program(
        &self,
        spec: &PlayerSpec,
        program: &Program,
        observe: &mut dyn FnMut(&CaseResult),
        stop: &AtomicBool,
    ) -> Result<CheckReport, RefereeError> {
        let mut patience = Patience::new(self.options.patience);
        let mut results = Vec::new();
        for case in &self.cases {
            let result = match patience.is_over(case.rule) {
                Some(times) => Ok(left_out(case, spec, times)),
                None => self.try_fairly(case, program, spec, stop),
            };
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let result = result?;
            patience.saw(&result);
            observe(&result);
            results.push(result);
            if program.size().is_none() {
                // There is no such program; once is enough to say so.
                break;
            }
        }
        Ok(CheckReport {
            subject: self.subject,
            program: spec.command.to_string(),
            seed: self.options.seed,
            isolation: self.isolation.clone(),
            cases: results,
        })
    }

    /// Tries a case, and again where the machine has spoilt it.
    fn try_fairly(
        &self,
        case: &Case,
        program: &Program,
        spec: &PlayerSpec,
        stop: &AtomicBool,
    ) -> Result<CaseResult, RefereeError> {
        let mut spoilt = RefereeError::Busy { times: AGAIN };
        for _ in 0..AGAIN {
            match try_case(self, case, program, spec, stop) {
                Ok(result) if result.held_up => spoilt = RefereeError::Busy { times: AGAIN },
                Err(error) => spoilt = error,
                result => return result,
            }
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        Err(spoilt)
    }

    /// How programs are kept apart.
    #[must_use]
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(super) fn options(&self) -> &CheckOptions {
        &self.options
    }
}

/// How often a case is tried that the machine spoils.
const AGAIN: u32 = 10;

/// The result of a case that is not tried.
pub(super) fn left_out(case: &Case, spec: &PlayerSpec, times: usize) -> CaseResult {
    CaseResult {
        name: case.name.clone(),
        rule: case.rule.into(),
        failure: Some(Failure::left_out(times)),
        reproduce: case.reproduce(&spec.command.0),
        wall: Seconds::default(),
        cpu: Seconds::default(),
        memory: Size(0),
        timed_out: false,
        held_up: false,
        input: case.input(),
        expected: case.expected().map(<[u8]>::to_vec),
        actual: Vec::new(),
    }
}

/// How often a program may run out of time before its other cases are left out: so many
/// times in a row under one rule; twice as often under any if nothing has passed yet.
struct Patience {
    most: usize,
    in_a_row: BTreeMap<String, usize>,
    in_all: usize,
    passed: bool,
}

impl Patience {
    fn new(most: usize) -> Patience {
        Patience {
            most,
            in_a_row: BTreeMap::new(),
            in_all: 0,
            passed: false,
        }
    }

    fn saw(&mut self, result: &CaseResult) {
        self.passed |= result.passed();
        let times = self.in_a_row.entry(result.rule.clone()).or_default();
        if result.timed_out {
            *times += 1;
            self.in_all += 1;
        } else if *times < self.most {
            *times = 0;
        }
    }

    /// After how many cases patience with this rule has come to an end, if it has.
    fn is_over(&self, rule: &str) -> Option<usize> {
        if self.most == 0 {
            return None;
        }
        let under_rule = self.in_a_row.get(rule).copied().unwrap_or(0);
        if under_rule >= self.most {
            return Some(under_rule);
        }
        let hopeless = !self.passed && self.in_all / 2 >= self.most;
        hopeless.then_some(self.in_all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(rule: &str, timed_out: bool) -> CaseResult {
        CaseResult {
            name: String::new(),
            rule: rule.into(),
            failure: timed_out.then(|| Failure::left_out(0)),
            reproduce: String::new(),
            wall: Seconds::default(),
            cpu: Seconds::default(),
            memory: Size(0),
            timed_out,
            held_up: false,
            input: Vec::new(),
            expected: None,
            actual: Vec::new(),
        }
    }

    /// The rules under which a program ran out of time, and what comes of it for rule `a`.
    #[track_caller]
    fn check(seen: &str, most: usize, over: bool) {
        let mut patience = Patience::new(most);
        for rule in seen.chars() {
            let timed_out = rule.is_lowercase();
            patience.saw(&result(&rule.to_lowercase().to_string(), timed_out));
        }
        assert_eq!(patience.is_over("a").is_some(), over, "{seen}");
    }

    #[test]
    fn patience_ends_rule_by_rule() {
        check("aa", 3, false);
        check("aaa", 3, true);
        check("aaAa", 3, false);
        check("Baaa", 3, true);
        check("Bbbbcccddd", 3, false);
        check("bbbccc", 3, true);
        check("aaaaaaaa", 0, false);
    }
}

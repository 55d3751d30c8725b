//! Programs that get one rule of their document wrong: the grader must catch every one,
//! and must let the right one pass.

mod gipf;
mod mmpawns;
mod othello;
mod reversi;

use std::time::Duration;

use super::case::Case;
use super::judge::{Run, judge};
use super::{Blanks, CheckOptions, Subject};
use crate::process::Exit;

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

fn cases(subject: Subject) -> Vec<Case> {
    subject.cases(&CheckOptions::default())
}

/// The names of the cases that a program fails.
fn failed(subject: Subject, cases: &[Case], program: &dyn Fn(&Case) -> Answer) -> Vec<String> {
    let limits = subject.limits();
    let fails = |case: &&Case| {
        let answer = program(case);
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
    let failed = cases.iter().filter(fails);
    failed.map(|case| case.name.clone()).collect()
}

/// Every bug is caught, and the program without one passes.
#[track_caller]
fn check<B: Copy + std::fmt::Debug>(
    subject: Subject,
    right: B,
    bugs: &[B],
    program: impl Fn(&Case, B) -> Answer,
) {
    let cases = cases(subject);
    let wrong = failed(subject, &cases, &|case| program(case, right));
    assert_eq!(wrong, Vec::<String>::new(), "the right {subject} program");
    for &bug in bugs {
        let caught = failed(subject, &cases, &|case| program(case, bug));
        assert!(!caught.is_empty(), "{subject}: {bug:?} is not caught");
    }
}

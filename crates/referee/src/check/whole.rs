//! A report as it goes from one machine to another: with all that its own text leaves out.

use serde::{Deserialize, Serialize};

use super::{CaseResult, CheckReport, Failure, Subject};
use crate::{Isolation, Seconds, Size};

/// So much of an input or output travels.
const LONGEST: usize = 64 << 10;

/// A report that can be sent: nothing is left out but the texts of cases that passed, and what is
/// very long.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WholeReport {
    subject: Subject,
    program: String,
    seed: u64,
    isolation: Isolation,
    cases: Vec<WholeCase>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct WholeCase {
    name: String,
    rule: String,
    failure: Option<Failure>,
    reproduce: String,
    wall: Seconds,
    cpu: Seconds,
    memory: Size,
    timed_out: bool,
    held_up: bool,
    input: Vec<u8>,
    expected: Option<Vec<u8>>,
    actual: Vec<u8>,
}

impl From<CheckReport> for WholeReport {
    fn from(report: CheckReport) -> WholeReport {
        let whole = |case: CaseResult| {
            let longest = if case.passed() { 0 } else { LONGEST };
            let short = |mut text: Vec<u8>| {
                text.truncate(longest);
                text
            };
            WholeCase {
                name: case.name,
                rule: case.rule,
                failure: case.failure,
                reproduce: case.reproduce,
                wall: case.wall,
                cpu: case.cpu,
                memory: case.memory,
                timed_out: case.timed_out,
                held_up: case.held_up,
                input: short(case.input),
                expected: case.expected.map(short),
                actual: short(case.actual),
            }
        };
        WholeReport {
            subject: report.subject,
            program: report.program,
            seed: report.seed,
            isolation: report.isolation,
            cases: report.cases.into_iter().map(whole).collect(),
        }
    }
}

impl From<WholeReport> for CheckReport {
    fn from(report: WholeReport) -> CheckReport {
        let case = |case: WholeCase| CaseResult {
            name: case.name,
            rule: case.rule,
            failure: case.failure,
            reproduce: case.reproduce,
            wall: case.wall,
            cpu: case.cpu,
            memory: case.memory,
            timed_out: case.timed_out,
            held_up: case.held_up,
            input: case.input,
            expected: case.expected,
            actual: case.actual,
        };
        CheckReport {
            subject: report.subject,
            program: report.program,
            seed: report.seed,
            isolation: report.isolation,
            cases: report.cases.into_iter().map(case).collect(),
        }
    }
}

//! Reports on the terminal: failures by cause, and the table at the end.

use std::io::{self, Write};

use referee::check::{CaseResult, CheckReport, Group};
use referee::printable;
use referee::{Isolation, Seconds};

/// Longer commands are no use to anybody.
const LONGEST_COMMAND: usize = 400;
/// How many lines of standard error are shown, and how many names of cases.
const STDERR_LINES: usize = 5;
const NAMES: usize = 8;

/// The failures of a report: of every cause one in full, or all of them.
pub(super) fn failures(out: &mut impl Write, report: &CheckReport, all: bool) -> io::Result<()> {
    for Group { cases, .. } in report.groups() {
        let shown = if all { cases.len() } else { 1 };
        for case in &cases[..shown] {
            let more = if all { &[] } else { &cases[1..] };
            failure(out, case, more)?;
        }
    }
    Ok(())
}

fn failure(out: &mut impl Write, case: &CaseResult, more: &[&CaseResult]) -> io::Result<()> {
    let Some(failure) = &case.failure else {
        return Ok(());
    };
    let others = match more.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    writeln!(out, "FAIL {}{others}: {}", case.name, failure.what)?;
    writeln!(out, "     rule: {}", case.rule)?;
    if let Some(command) = &failure.command {
        writeln!(out, "     answer to: {}", printable(command))?;
    }
    for line in failure.board.iter().flat_map(|board| board.lines()) {
        writeln!(out, "{}", format!("       {line}").trim_end())?;
    }
    if let Some(difference) = &failure.difference {
        let text = |line: &Option<String>| line.clone().unwrap_or_else(|| "(end)".into());
        let (expected, actual) = (text(&difference.expected), text(&difference.actual));
        let width = expected.chars().count().clamp(8, 60);
        let line = format!("line {}", difference.line);
        writeln!(out, "     {line:<9} {:<width$} | actual", "expected")?;
        writeln!(out, "     {:<9} {expected:<width$} | {actual}", "")?;
    }
    if let Some(reason) = &failure.reason {
        writeln!(out, "     why: {}", printable(reason))?;
    }
    let errors: Vec<&str> = failure.stderr.lines().collect();
    for line in &errors[errors.len().saturating_sub(STDERR_LINES)..] {
        writeln!(out, "     stderr: {}", printable(line))?;
    }
    if case.reproduce.len() <= LONGEST_COMMAND {
        writeln!(out, "     again: {}", case.reproduce)?;
    } else {
        let (name, bytes) = (&case.name, case.input.len());
        writeln!(
            out,
            "     again: with --only {name} --save FOLDER (the input has {bytes} bytes)"
        )?;
    }
    if !more.is_empty() {
        let names: Vec<&str> = more.iter().map(|case| case.name.as_str()).collect();
        let shown = names[..names.len().min(NAMES)].join(", ");
        let rest = match names.len().saturating_sub(NAMES) {
            0 => String::new(),
            rest => format!(" and {rest} more"),
        };
        writeln!(out, "     also: {shown}{rest}")?;
    }
    let (wall, cpu, memory) = (case.wall, case.cpu, case.memory);
    writeln!(out, "     {wall} wall, {cpu} processor, {memory}")
}

/// The table of all programs.
pub(super) fn summary(out: &mut impl Write, reports: &[CheckReport]) -> io::Result<()> {
    let width = reports
        .iter()
        .map(|report| report.program.chars().count())
        .max();
    let width = width.unwrap_or(0).max("program".len());
    writeln!(
        out,
        "{:<width$} {:>6} {:>6} {:>6} {:>9} {:>9} {:>10}  verdict",
        "program", "passed", "failed", "points", "slowest", "total", "memory"
    )?;
    for report in reports {
        let (passed, all) = (report.passed(), report.cases.len());
        let walls = report.cases.iter().map(|case| case.wall);
        let slowest = walls.clone().max().unwrap_or_default();
        let total = Seconds(walls.map(|wall| wall.0).sum());
        let memory = report.cases.iter().map(|case| case.memory).max();
        writeln!(
            out,
            "{:<width$} {passed:>6} {:>6} {:>6.1} {:>9} {:>9} {:>10}  {}",
            printable(&report.program),
            all - passed,
            report.points(),
            slowest.to_string(),
            total.to_string(),
            memory.unwrap_or_default().to_string(),
            if report.all_passed() { "pass" } else { "FAIL" }
        )?;
    }
    let Some(report) = reports.first() else {
        return Ok(());
    };
    writeln!(out, "{} cases, seed {}", report.subject, report.seed)?;
    not_enforced(out, &report.isolation)
}

/// What this machine does not enforce.
pub(super) fn not_enforced(out: &mut impl Write, isolation: &Isolation) -> io::Result<()> {
    for missing in isolation.gaps() {
        writeln!(out, "not enforced ({}): {missing}", isolation.mode)?;
    }
    Ok(())
}

//! `ludex check`: grading the programs of the course documents.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use referee::check::{Blanks, CaseResult, CheckOptions, CheckReport, Subject, check, junit};
use referee::{CommandLine, IsolationMode, Kind, Limits, PlayerSpec, Seconds};
use tournament::output::table::printable;

use crate::error::bad_input;
use crate::input;
use crate::limits::LimitArgs;

/// Grade programs: built-in and generated cases, each with its verdict
///
/// The output of dialogue programs (reversi, gipf) is compared with the right one byte by byte;
/// players (othello, mmpawns) are judged by the referee's rules. The same seed gives the
/// same cases, so that a whole class gets the same. Exit status 0: all cases pass.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex check reversi ./reversi
  ludex check othello ./anna './bruno --fast' --seed 7 --junit report.xml
  ludex check gipf ./gipf --only load --save failed/")]
pub(crate) struct Args {
    /// reversi, othello, gipf or mmpawns
    subject: Subject,
    /// Programs; one with arguments is written in quotes
    #[arg(required = true)]
    programs: Vec<String>,
    /// Decides the generated cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many cases to generate
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    cases: u32,
    /// Only cases whose name contains this
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Let blank lines and blanks at the end of a line pass in the output of reversi and gipf
    #[arg(long)]
    ignore_blanks: bool,
    /// Wall time for one case, such as 5 (seconds), 1.5s or 200ms [default: 1s for othello, 10s or
    /// 40s for the others]
    #[arg(long, value_parser = input::time_limit)]
    time: Option<Duration>,
    #[command(flatten)]
    limits: LimitArgs,
    /// auto, namespaces, bwrap, landlock or none
    #[arg(long, default_value_t)]
    isolation: IsolationMode,
    /// Write a JUnit report to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Keep input, right output and the program's output of failed cases in this folder, or in one
    /// below it for each of several programs
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Print the reports as JSON
    #[arg(long)]
    json: bool,
    /// Print only the summary
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let options = CheckOptions {
        seed: args.seed,
        generated: args.cases as usize,
        only: args.only.clone(),
        blanks: match args.ignore_blanks {
            true => Blanks::Ignored,
            false => Blanks::Count,
        },
        limits: args.limits.read()?.with(&Limits {
            wall: args.time.map(Seconds),
            ..Limits::default()
        }),
        isolation: args.isolation,
    };
    // Found out before the work, not after it.
    if let Some(path) = &args.junit {
        input::check_writable(path)?;
    }
    if let Some(folder) = &args.save {
        input::make_folder(folder)?;
    }
    let mut out = std::io::stdout().lock();
    let mut reports = Vec::new();
    for (number, program) in (1..).zip(&args.programs) {
        let command: CommandLine = program.parse().map_err(bad_input)?;
        let report = check(args.subject, &command.0, &options, &mut |case| {
            if !case.passed() && !args.json && !args.quiet {
                // A reader who has gone away shows at the next write outside.
                let _ = show_failure(&mut out, case);
            }
        })
        .map_err(bad_input)?;
        if report.cases.is_empty() {
            return Err(bad_input(format!(
                "no case of {} has {:?} in its name",
                args.subject,
                args.only.as_deref().unwrap_or_default()
            )));
        }
        if let Some(folder) = &args.save {
            // Cases have the same names for all programs.
            let folder = match args.programs.len() {
                1 => folder.clone(),
                _ => folder.join(format!("{number}-{}", file_name(&command))),
            };
            save(&folder, &report)?;
        }
        reports.push(report);
    }
    if let Some(path) = &args.junit {
        input::write_file(path, junit(&reports))?;
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&reports)?)?;
    } else {
        summary(&mut out, &reports)?;
    }
    out.flush()?;
    let failed = reports.iter().filter(|report| !report.all_passed()).count();
    if failed > 0 {
        bail!("{failed} of {} programs failed", reports.len());
    }
    Ok(())
}

/// Longer commands are no use to anybody.
const LONGEST_COMMAND: usize = 400;

fn show_failure(out: &mut impl Write, case: &CaseResult) -> std::io::Result<()> {
    let Some(failure) = &case.failure else {
        return Ok(());
    };
    writeln!(out, "FAIL {}: {}", case.name, failure.what)?;
    writeln!(out, "     rule: {}", case.rule)?;
    if let Some(difference) = &failure.difference {
        let text = |line: &Option<String>| line.clone().unwrap_or_else(|| "(end)".into());
        let (expected, actual) = (text(&difference.expected), text(&difference.actual));
        let width = expected.chars().count().clamp(8, 60);
        let line = format!("line {}", difference.line);
        writeln!(out, "     {line:<9} {:<width$} | actual", "expected")?;
        writeln!(out, "     {:<9} {expected:<width$} | {actual}", "")?;
    }
    for line in failure.stderr.text().lines().take(5) {
        writeln!(out, "     stderr: {}", printable(line))?;
    }
    if case.reproduce.len() <= LONGEST_COMMAND {
        writeln!(out, "     again: {}", case.reproduce)?;
    } else {
        let bytes = case.input.len();
        writeln!(
            out,
            "     again: with --only {} --save FOLDER (the input has {bytes} bytes)",
            case.name
        )?;
    }
    writeln!(
        out,
        "     {} wall, {} processor, {}",
        case.wall, case.cpu, case.memory
    )
}

fn summary(out: &mut impl Write, reports: &[CheckReport]) -> std::io::Result<()> {
    let width = reports
        .iter()
        .map(|report| report.program.chars().count())
        .max();
    let width = width.unwrap_or(0).max("program".len());
    writeln!(
        out,
        "{:<width$} {:>6} {:>6} {:>9} {:>9} {:>10}  verdict",
        "program", "passed", "failed", "slowest", "total", "memory"
    )?;
    for report in reports {
        let (passed, all) = (report.passed(), report.cases.len());
        let slowest = report
            .cases
            .iter()
            .map(|case| case.wall)
            .max()
            .unwrap_or_default();
        let total = Seconds(report.cases.iter().map(|case| case.wall.0).sum());
        let memory = report
            .cases
            .iter()
            .map(|case| case.memory)
            .max()
            .unwrap_or_default();
        writeln!(
            out,
            "{:<width$} {passed:>6} {:>6} {:>9} {:>9} {:>10}  {}",
            report.program,
            all - passed,
            slowest.to_string(),
            total.to_string(),
            memory.to_string(),
            if report.all_passed() { "pass" } else { "FAIL" }
        )?;
    }
    let Some(report) = reports.first() else {
        return Ok(());
    };
    writeln!(out, "{} cases, seed {}", report.subject, report.seed)?;
    for missing in report.isolation.gaps() {
        writeln!(out, "not enforced ({}): {missing}", report.isolation.mode)?;
    }
    Ok(())
}

/// The name of the program's file.
fn file_name(command: &CommandLine) -> String {
    PlayerSpec::program(Kind::Argv, command.0.clone()).name
}

fn save(folder: &Path, report: &CheckReport) -> anyhow::Result<()> {
    input::make_folder(folder)?;
    for case in report.cases.iter().filter(|case| !case.passed()) {
        let path = |ending: &str| folder.join(format!("{}.{ending}", case.name));
        input::write_file(&path("in"), &case.input)?;
        input::write_file(&path("actual"), &case.actual)?;
        if let Some(expected) = &case.expected {
            input::write_file(&path("expected"), expected)?;
        }
    }
    Ok(())
}

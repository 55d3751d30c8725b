//! `ludex check`: grading the programs of the course documents.

mod class;
mod html;
mod junit;
mod mutants;
mod positions;
mod roster;
mod show;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::bail;
use referee::check::{Blanks, Candidate, CheckOptions, CheckReport, Checker, Subject};
use referee::{CommandLine, IsolationMode, Kind, Limits, PlayerSpec, Seconds};

use self::class::Class;
use self::positions::Asking;
use self::roster::Usual;
use crate::error::bad_input;
use crate::input;
use crate::limits::LimitArgs;

/// Grade programs: built-in and generated cases, each with its verdict
///
/// The output of dialogue programs (reversi, gipf) is compared with the right one byte by byte;
/// players (othello, mmpawns, gipf-standard) are judged by the referee's rules. The same seed gives the
/// same cases, so that a whole class gets the same. Exit status 0: all cases pass.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex check reversi ./reversi
  ludex check othello ./anna './bruno --fast' --seed 7 --junit report.xml
  ludex check gipf ./gipf --only load --save failed/
  ludex check othello --class hand-ins/ --build make --out grades -j 4
  ludex check othello ./anna --positions suite.txt
  ludex check othello --mutants")]
pub(crate) struct Args {
    /// reversi, othello, gipf, mmpawns or gipf-standard
    subject: Subject,
    /// Programs; one with arguments is written in quotes
    #[arg(required_unless_present_any = ["mutants", "class"])]
    programs: Vec<String>,
    /// Grade a class: a roster (CSV with the columns name, program, folder, build), or a folder with
    /// a program or a folder for every student
    #[arg(long, value_name = "FILE|FOLDER", conflicts_with_all = ["programs", "json", "junit", "save", "quiet", "all"])]
    class: Option<PathBuf>,
    /// Where the grades of a class and a page for every student go
    #[arg(
        long,
        value_name = "FOLDER",
        default_value = "grades",
        requires = "class"
    )]
    out: PathBuf,
    /// The command that builds a program in the folder of a student
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "class",
        conflicts_with = "programs"
    )]
    build: Option<String>,
    /// The program in the folder of a student [default: ./ and the name of the subject]
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "class",
        conflicts_with = "programs"
    )]
    program: Option<String>,
    /// Keep the grades of programs that have not changed
    #[arg(long, requires = "class", conflicts_with = "programs")]
    resume: bool,
    /// How many programs of a class are graded at once
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = input::threads(), requires = "class", conflicts_with = "programs")]
    jobs: usize,
    /// Leave out the other cases of a rule after so many in a row that ran out of time; 0: never
    #[arg(long, value_name = "N", default_value_t = 3)]
    patience: usize,
    /// Instead of programs, judge several hundred wrong ones that are built in: how many cases
    /// catch each
    #[arg(long, conflicts_with_all = ["programs", "class"])]
    mutants: bool,
    /// Instead of the rules, test what programs play: in every position of this file, written by
    /// `ludex review --export`, a move must keep the value. Programs are players of the game, by
    /// their command, as KIND:COMMAND, or bot:NAME
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mutants", "class", "junit", "save"])]
    positions: Option<PathBuf>,
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
    /// Show every failed case, not one of every cause
    #[arg(long)]
    all: bool,
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
        patience: args.patience,
    };
    if let Some(path) = &args.positions {
        let asking = Asking {
            limits: options.limits,
            isolation: args.isolation,
            json: args.json,
            quiet: args.quiet,
        };
        let game = args.subject.to_string();
        return positions::run(&game, &args.programs, path, &asking);
    }
    if args.mutants {
        let detail = match (args.json, args.quiet) {
            (true, _) => mutants::Detail::Json,
            (false, true) => mutants::Detail::Summary,
            (false, false) => mutants::Detail::All,
        };
        return mutants::run(args.subject, &options, detail);
    }
    if let Some(path) = &args.class {
        let usual = Usual {
            subject: args.subject,
            program: args.program.as_deref(),
            build: args.build.as_deref(),
            out: &args.out,
        };
        let students = usual.read(path)?;
        let class = Class {
            checker: &checker(args, &options)?,
            students,
            folder: &args.out,
            jobs: args.jobs,
            resume: args.resume,
            options: format!("{} {} {options:?}", env!("CARGO_PKG_VERSION"), args.subject),
        };
        return class.run();
    }
    // Found out before the work, not after it.
    if let Some(path) = &args.junit {
        input::check_writable(path)?;
    }
    if let Some(folder) = &args.save {
        input::make_folder(folder)?;
    }
    let commands: Vec<CommandLine> = args
        .programs
        .iter()
        .map(|program| program.parse().map_err(bad_input))
        .collect::<Result<_, _>>()?;
    let checker = checker(args, &options)?;
    let never = AtomicBool::new(false);
    let mut out = std::io::stdout().lock();
    let mut reports = Vec::new();
    for (number, command) in (1..).zip(&commands) {
        let candidate = Candidate::new(&command.0);
        let report = checker.check(&candidate, &mut |_| (), &never);
        let report = report.map_err(bad_input)?;
        if !args.json && !args.quiet {
            show::failures(&mut out, &report, args.all)?;
        }
        if let Some(folder) = &args.save {
            // Cases have the same names for all programs.
            let folder = match args.programs.len() {
                1 => folder.clone(),
                _ => folder.join(format!("{number}-{}", file_name(command))),
            };
            save(&folder, &report)?;
        }
        reports.push(report);
    }
    if let Some(path) = &args.junit {
        input::write_file(path, junit::junit(&reports)?)?;
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&reports)?)?;
    } else {
        show::summary(&mut out, &reports)?;
    }
    out.flush()?;
    let failed = reports.iter().filter(|report| !report.all_passed()).count();
    if failed > 0 {
        bail!("{failed} of {} programs failed", reports.len());
    }
    Ok(())
}

/// The cases; there must be some.
fn checker(args: &Args, options: &CheckOptions) -> anyhow::Result<Checker> {
    let checker = Checker::new(args.subject, options).map_err(bad_input)?;
    if checker.cases() == 0 {
        return Err(bad_input(format!(
            "no case of {} has {:?} in its name",
            args.subject,
            args.only.as_deref().unwrap_or_default()
        )));
    }
    Ok(checker)
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

//! `ludex check GAME --mutants`: how many cases catch each wrong program.

use std::io::{self, Write};

use anyhow::bail;
use referee::check::{CheckOptions, Family, MutantReport, Subject, mutants};

/// How much is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    All,
    Summary,
    Json,
}

/// Judges all mutants and prints them; an error if one is judged wrongly.
pub(super) fn run(subject: Subject, options: &CheckOptions, detail: Detail) -> anyhow::Result<()> {
    let report = mutants(subject, options);
    let mut out = io::stdout().lock();
    match detail {
        Detail::Json => writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?,
        Detail::Summary => summary(&mut out, &report)?,
        Detail::All => {
            table(&mut out, &report)?;
            summary(&mut out, &report)?;
        }
    }
    out.flush()?;
    match report.misjudged().count() {
        0 => Ok(()),
        wrong => bail!("{wrong} programs are judged wrongly"),
    }
}

fn table(out: &mut impl Write, report: &MutantReport) -> io::Result<()> {
    let head = ["caught", "family", "fault"];
    writeln!(
        out,
        "{:>6}  {:<13}  {:<42}  first case",
        head[0], head[1], head[2]
    )?;
    for mutant in &report.mutants {
        let first = mutant.first.as_deref().unwrap_or("-");
        let note = match (mutant.equivalent, mutant.is_judged_rightly()) {
            (_, false) => "  WRONGLY JUDGED".to_string(),
            (Some(reason), true) => format!("  (equivalent: {reason})"),
            (None, true) => String::new(),
        };
        let (family, name) = (mutant.family.to_string(), &mutant.name);
        let caught = mutant.caught;
        writeln!(out, "{caught:>6}  {family:<13}  {name:<42}  {first}{note}")?;
    }
    Ok(())
}

fn summary(out: &mut impl Write, report: &MutantReport) -> io::Result<()> {
    let count = |family: Family| {
        let alike = report.mutants.iter().filter(|m| m.family == family);
        alike.count()
    };
    let wrong = report.mutants.iter().filter(|m| m.family != Family::Right);
    let equivalent = wrong.clone().filter(|m| m.equivalent.is_some()).count();
    let caught = wrong.clone().filter(|m| m.caught > 0).count();
    writeln!(
        out,
        "{}: {} cases, seed {}",
        report.subject, report.cases, report.seed
    )?;
    writeln!(
        out,
        "{} mutants: {} miss moves, {} invent moves, {} lose a rule, {} have a wrong form",
        wrong.count(),
        count(Family::MissesMoves),
        count(Family::InventsMoves),
        count(Family::LosesRule),
        count(Family::WrongForm)
    )?;
    let right = count(Family::Right);
    writeln!(
        out,
        "{caught} caught, {equivalent} equivalent to a right program; {right} right programs pass"
    )
}

//! `ludex doctor`: what this machine can enforce against programs.

use std::io::Write;

use referee::doctor::{self, State};

/// Say what this machine can enforce against programs, and what to do about the rest
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let findings = doctor::examine();
    let mut out = std::io::stdout().lock();
    for finding in &findings {
        if args.json {
            writeln!(out, "{}", serde_json::to_string(finding)?)?;
            continue;
        }
        let (subject, state) = (finding.subject, finding.state);
        writeln!(out, "{state:<8} {subject:<15} {}", finding.detail)?;
        if let Some(remedy) = &finding.remedy {
            writeln!(out, "{:24} -> {remedy}", "")?;
        }
    }
    let open = |finding: &&doctor::Finding| {
        finding.subject == "isolation" && finding.state == State::Missing
    };
    match findings.iter().find(open) {
        Some(_) => anyhow::bail!("programs cannot be kept apart on this machine"),
        None => Ok(()),
    }
}

//! `ludex table`, and what solving and asking have in common.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use clap::Subcommand;
use gipf::Position;
use gipf_engine::tables::{self, Table, TableError, Value};
use rules::{Game, Side};
use serde_json::json;

use crate::error::bad_input;
use crate::input;
use crate::progress::with_bar;

/// Look after tables of solved games
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Prove that every value of a table follows from those of its successors
    Verify {
        /// The table's folder
        folder: PathBuf,
        /// Threads [default: all cores]
        #[arg(long, value_parser = input::threads())]
        threads: Option<usize>,
    },
    /// Say what a table holds
    Info {
        /// The table's folder
        folder: PathBuf,
        /// Print it as JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.chore {
        Chore::Verify { folder, threads } => {
            let threads = threads.unwrap_or_else(all_cores);
            let stop = AtomicBool::new(false);
            let manifest = with_bar(&stop, |progress| {
                tables::verify(folder, threads, &stop, progress)
            })
            .map_err(error)?;
            let (variant, positions) = (&manifest.variant, manifest.positions());
            let mut out = std::io::stdout().lock();
            writeln!(
                out,
                "{variant}: all {positions} values follow from their successors"
            )?;
            Ok(())
        }
        Chore::Info { folder, json } => {
            let table = Table::open(folder).map_err(error)?;
            info(&table, *json)
        }
    }
}

fn info(table: &Table, json: bool) -> anyhow::Result<()> {
    let manifest = table.manifest();
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(manifest)?)?;
        return Ok(());
    }
    writeln!(out, "variant {}", manifest.variant)?;
    writeln!(
        out,
        "stones    positions        won       lost      drawn  longest"
    )?;
    for tier in &manifest.tiers {
        let drawn = tier.positions - tier.wins - tier.losses;
        writeln!(
            out,
            "{:>2}:{:<2} {:>13} {:>10} {:>10} {drawn:>10} {:>8}",
            tier.own, tier.other, tier.positions, tier.wins, tier.losses, tier.longest
        )?;
    }
    writeln!(
        out,
        "all   {:>13}{:>42}",
        manifest.positions(),
        manifest.longest()
    )?;
    Ok(())
}

/// Whose fault it is: a wrong folder or size is the user's.
pub(crate) fn error(error: TableError) -> anyhow::Error {
    match error {
        TableError::File { .. } | TableError::Wrong { .. } | TableError::Stopped => error.into(),
        _ => bad_input(error),
    }
}

/// A value in words, from the players' point of view.
pub(crate) fn value_text(position: &Position, value: Value) -> String {
    let name = |side: Side| Position::side_name(side);
    let side = position.side_to_move();
    match value {
        Value::Win(distance) => format!("{} wins in {distance}", name(side)),
        Value::Loss(distance) => format!("{} wins in {distance}", name(!side)),
        Value::Draw => "draw: neither side can force a win".into(),
    }
}

/// A value for programs.
pub(crate) fn value_json(position: &Position, value: Value) -> serde_json::Value {
    let side = position.side_to_move();
    let (winner, distance) = match value {
        Value::Win(distance) => (Some(side), Some(distance)),
        Value::Loss(distance) => (Some(!side), Some(distance)),
        Value::Draw => (None, None),
    };
    json!({ "winner": winner.map(Position::side_name), "distance": distance })
}

pub(crate) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The most memory this process had, where the system says so.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

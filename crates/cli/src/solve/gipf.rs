//! `ludex solve gipf`: a whole variant, from its start position.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use gipf::{Position, Variant};
use gipf_engine::tables::{self, Settings, Table};
use serde_json::json;

use crate::error::bad_input;
use crate::input;
use crate::progress::with_bar;
use crate::table;

/// Solve a variant of GIPF: every position that can arise gets its value and distance
///
/// The table is written into a folder, part by part. Interrupt it or kill it at any moment:
/// with --resume it goes on where it was. `ludex play` and the player `best` use finished
/// tables named gipf-S-K-GW-GB.table that lie in the current folder, or in the folders that
/// the variable LUDEX_TABLES lists (separated as in PATH).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex solve gipf 2 2 5 5
  ludex solve gipf 3 3 5 5 --memory 512M --table /tmp/gipf-3355
  ludex table verify /tmp/gipf-3355
  ludex query gipf /tmp/gipf-3355")]
pub(crate) struct Args {
    /// Points along each side of the board: 2 or 3
    #[arg(value_name = "S")]
    size: u8,
    /// Stones in a line that are taken off
    #[arg(value_name = "K")]
    run: u8,
    /// Stones of White in all
    #[arg(value_name = "GW")]
    white: u16,
    /// Stones of Black in all
    #[arg(value_name = "GB")]
    black: u16,
    /// Folder for the table [default: gipf-S-K-GW-GB.table]
    #[arg(long, value_name = "FOLDER")]
    table: Option<PathBuf>,
    /// Go on with an unfinished table
    #[arg(long)]
    resume: bool,
    /// The most memory to use, such as 800M or 2G; a number alone is bytes
    #[arg(long, default_value = "4G", value_name = "SIZE", value_parser = input::size)]
    memory: u64,
    /// Threads [default: all cores]
    #[arg(long, value_parser = input::threads())]
    threads: Option<usize>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let variant = Variant::new(args.size, args.run, args.white, args.black).map_err(bad_input)?;
    let folder = args
        .table
        .clone()
        .unwrap_or_else(|| tables::folder_name(variant).into());
    input::check_place(&folder)?;
    let settings = Settings {
        threads: args.threads.unwrap_or_else(table::all_cores),
        memory: args.memory,
        resume: args.resume,
    };
    let stop = AtomicBool::new(false);
    let manifest = with_bar(&stop, |progress| {
        tables::solve(variant, &folder, settings, &stop, progress)
    })
    .map_err(table::error)?;
    let table = Table::open(&folder).map_err(table::error)?;
    let start = Position::start(variant);
    let value = table.value(&start);
    let memory = table::peak_memory();
    let mut out = std::io::stdout().lock();
    if args.json {
        let answer = json!({
            "variant": manifest.variant,
            "positions": manifest.positions(),
            "value": value.map(|value| table::value_json(&start, value)),
            "longest": manifest.longest(),
            "seconds": manifest.seconds,
            "peak_memory_bytes": memory,
            "table": folder,
        });
        writeln!(out, "{answer:#}")?;
        return Ok(());
    }
    writeln!(out, "variant    {}", manifest.variant)?;
    writeln!(
        out,
        "positions  {} up to symmetry and exchange of colours",
        manifest.positions()
    )?;
    if let Some(value) = value {
        writeln!(out, "start      {}", table::value_text(&start, value))?;
    }
    writeln!(out, "longest    {} plies", manifest.longest())?;
    writeln!(out, "time       {:.1} s", manifest.seconds)?;
    if let Some(bytes) = memory {
        writeln!(out, "memory     {} MB at most", bytes >> 20)?;
    }
    writeln!(out, "table      {}", folder.display())?;
    Ok(())
}

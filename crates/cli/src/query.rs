//! `ludex query`: what a table of a solved game says about a position.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use gipf::Position;
use gipf_engine::tables::Table;
use rules::Game;
use serde_json::json;

use crate::error::bad_input;
use crate::{input, table};

/// Ask a table of a solved game about a position
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Solved,
}

#[derive(Subcommand)]
enum Solved {
    /// Value, distance and the value of every move
    Gipf {
        /// The table's folder
        table: PathBuf,
        /// The position in one line; `-` reads it from standard input [default: the start of the
        /// variant]
        position: Option<String>,
        /// Print the answer as JSON
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Solved::Gipf {
        table: folder,
        position,
        json,
    } = &args.game;
    let table = Table::open(folder).map_err(table::error)?;
    let position = match position.as_deref() {
        None | Some("start") => Position::start(table.variant()),
        Some(text) => input::line(text)?
            .parse()
            .map_err(|error| bad_input(format!("bad gipf position: {error}")))?,
    };
    // A damaged table answers nonsense with the same face as a sound one.
    table.check(&position).map_err(table::error)?;
    let value = table.value(&position).ok_or_else(|| {
        bad_input(format!(
            "{position}: cannot arise in variant {}",
            table.variant()
        ))
    })?;
    let moves = table.moves(&position);
    let mut out = std::io::stdout().lock();
    if *json {
        let moves: Vec<_> = moves
            .iter()
            .map(|&(mv, value)| {
                json!({
                    "move": position.move_text(mv),
                    "value": table::value_json(&position, value),
                })
            })
            .collect();
        let answer = json!({
            "position": position.to_string(),
            "value": table::value_json(&position, value),
            "moves": moves,
        });
        writeln!(out, "{answer:#}")?;
        return Ok(());
    }
    writeln!(out, "{position}")?;
    writeln!(out, "{}", table::value_text(&position, value))?;
    let moves = moves
        .iter()
        .map(|&(mv, value)| (position.move_text(mv), value));
    let moves: Vec<_> = moves.collect();
    let width = moves.iter().map(|(mv, _)| mv.len()).max().unwrap_or(0);
    for (mv, value) in moves {
        let value = table::value_text(&position, value);
        writeln!(out, "  {mv:<width$}  {value}")?;
    }
    Ok(())
}

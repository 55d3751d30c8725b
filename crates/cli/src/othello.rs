//! What the commands about Othello have in common: their options and how lines look.

use std::io::Read;
use std::time::Duration;

use anyhow::Context;
use othello::{Engine, Options};
use reversi::Move;
use reversi::notation::{self, Record};
use search::Limits;

use crate::error::bad_input;

/// Options of every search.
#[derive(clap::Args)]
pub(crate) struct Search {
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Look at most this many moves ahead
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Threads [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Mebibytes of the transposition table
    #[arg(long, default_value_t = 256, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

impl Search {
    /// The engine that the options ask for.
    pub(crate) fn engine(&self) -> Engine {
        let usual = Options::default();
        Engine::new(Options {
            threads: self.threads.map_or(usual.threads, usize::from),
            hash: self.hash as usize,
        })
    }

    /// The limits that the options set.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            wall: self.time,
            ..Limits::default()
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a possible time".to_owned())
}

/// The games or positions that an argument gives, in any common form; `-` reads them
/// from standard input.
pub(crate) fn records(text: &str) -> anyhow::Result<Vec<Record>> {
    let mut piped = String::new();
    let text = if text == "-" {
        std::io::stdin()
            .read_to_string(&mut piped)
            .context("standard input")?;
        &piped
    } else {
        text
    };
    notation::read(text).map_err(|error| bad_input(format!("bad game or position: {error}")))
}

/// A line of play as people write it.
pub(crate) fn line(moves: &[Move]) -> String {
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    moves.join(" ")
}

/// How well founded a value is.
pub(crate) fn trust(exact: bool, depth: u32, percent: u32) -> String {
    match (exact, percent) {
        (true, _) => "exact".to_owned(),
        (false, 100) => format!("depth {depth}"),
        (false, _) => format!("depth {depth} at {percent} %"),
    }
}

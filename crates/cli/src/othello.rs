//! What the commands about Othello have in common: their options and how lines look.

use std::path::Path;
use std::time::Duration;

use games::REVERSI;
use othello::{Engine, Options};
use reversi::Move;
use reversi::notation::{self, Record, wthor};
use search::{Limits, Report};

use crate::error::bad_input;
use crate::input;

/// Options of every search.
#[derive(clap::Args)]
pub(crate) struct Search {
    /// Stop after this time, such as 5 (seconds), 1.5s or 200ms
    #[arg(long, value_parser = input::time)]
    time: Option<Duration>,
    /// Look at most this many moves ahead
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Threads [default: all cores]
    #[arg(long, value_parser = input::threads())]
    threads: Option<usize>,
    /// Memory for the transposition table, such as 800M or 2G; a number alone is bytes
    #[arg(long, default_value = "256M", value_name = "SIZE", value_parser = input::table_size)]
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
            threads: self.threads.unwrap_or(usual.threads),
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

/// The games or positions that an argument gives, in any common form, or those of a file;
/// `-` reads them from standard input.
pub(crate) fn records(argument: &str) -> anyhow::Result<Vec<Record>> {
    let (place, read) = match input::source(argument)? {
        Some((place, bytes)) => (place.to_string(), read(&bytes)),
        None => (input::no_source(argument), read_text(argument)),
    };
    read.map_err(|error| bad_input(format!("{place}: {error}")))
}

/// The games or positions of a file.
pub(crate) fn file_records(path: &Path) -> anyhow::Result<Vec<Record>> {
    let bytes = input::read_file(path)?;
    read(&bytes).map_err(|error| bad_input(format!("{}: {error}", path.display())))
}

/// Games as text, or as a file of WTHOR.
fn read(bytes: &[u8]) -> Result<Vec<Record>, String> {
    // No text has a zero in it, and every game of WTHOR has one.
    if bytes.contains(&0) {
        let games = wthor::games(bytes).map_err(|error| error.to_string())?;
        return Ok(games.entries.into_iter().map(|game| game.record).collect());
    }
    read_text(&String::from_utf8_lossy(bytes))
}

fn read_text(text: &str) -> Result<Vec<Record>, String> {
    let (_, text) = games::body(Some(REVERSI), text)?;
    notation::read(&text).map_err(|error| error.to_string())
}

/// A line of play as people write it.
pub(crate) fn line(moves: &[Move]) -> String {
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    moves.join(" ")
}

/// How well founded a value is.
pub(crate) fn trust(report: &Report<Move>) -> String {
    let depth = report.depth;
    match (report.score.is_proven(), report.confidence) {
        (true, _) => "exact".to_owned(),
        (false, 100) => format!("depth {depth}"),
        (false, percent) => format!("depth {depth} at {percent} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_games_are_read() {
        let records = read(b"ludex reversi\nf5\nd6\n").unwrap();
        assert_eq!(line(&records[0].moves), "f5 d6");
        let error = read(b"ludex gipf\n3 3 6 6\n").unwrap_err();
        assert_eq!(error, "a game of gipf, not reversi");
    }

    #[test]
    fn games_of_wthor_are_read() {
        let mut bytes = vec![0; 16 + 68];
        bytes[4] = 1;
        // After the numbers of tournament and players and two scores: f5 d6.
        bytes[16 + 8..16 + 10].copy_from_slice(&[56, 64]);
        let records = read(&bytes).unwrap();
        assert_eq!(line(&records[0].moves), "f5 d6");
        bytes[4] = 2;
        assert!(read(&bytes).is_err());
    }
}

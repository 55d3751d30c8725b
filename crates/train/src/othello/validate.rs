//! How far the evaluation is off, on games of people that no fit has seen.

use std::path::Path;

use othello::eval::{DISC, Features, Network, PHASES, Weights, phase_of};
use rand::RngExt;
use reversi::notation::wthor::{self, Entry, WthorError};
use rules::{Game, Side};
use thiserror::Error;

use super::record::{self, Record, RecordError};
use super::selfplay::generator;

/// Which positions of the games to take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The choice of games follows from it.
    pub seed: u64,
    /// How many games.
    pub games: u32,
    /// With this many empties or fewer, the label is the exact score.
    pub solve: u32,
}

/// Why there is nothing to validate on.
#[derive(Debug, Error)]
pub enum ValidateError {
    /// A file or folder that cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file that is not what it should be.
    #[error("{path}: {source}")]
    Wthor {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: WthorError,
    },
    /// There is no game in the folder.
    #[error("{0}: no games in WTHOR files (.wtb)")]
    NoGames(String),
}

/// Labels positions of games in a folder of WTHOR files. Near the end a label is the
/// exact score; from the base's own depth upwards it is the score that perfect play
/// from that depth on would have given; in between there are none.
pub fn label(folder: &Path, settings: &Settings) -> Result<Vec<Record>, ValidateError> {
    let mut games = Vec::new();
    for path in record::files_named(folder, "wtb")? {
        let bytes = std::fs::read(&path).map_err(|error| RecordError::io(&path, error))?;
        let file = wthor::games(&bytes).map_err(|source| ValidateError::Wthor {
            path: path.display().to_string(),
            source,
        })?;
        games.extend(file.entries.into_iter().map(|entry| (file.depth, entry)));
    }
    if games.is_empty() {
        return Err(ValidateError::NoGames(folder.display().to_string()));
    }
    let mut rng = generator(settings.seed, 0);
    let mut records = Vec::new();
    for number in 0..settings.games {
        let (depth, entry) = &games[rng.random_range(0..games.len())];
        label_game(entry, u32::from(*depth), settings.solve, |board, score| {
            records.push(Record {
                board,
                value: (score * DISC) as i16,
                game: number as u16,
            });
        });
    }
    Ok(records)
}

fn label_game(entry: &Entry, depth: u32, solve: u32, mut add: impl FnMut(reversi::Board, i32)) {
    for position in entry.record.positions() {
        let board = position.board();
        let empties = board.empty().len();
        if board.moves().is_empty() || empties < FEWEST {
            continue;
        }
        if empties <= solve {
            add(board, othello::solve_exact(board));
        } else if empties >= depth {
            let score = 2 * i32::from(entry.perfect) - 64;
            let black = position.side_to_move() == Side::First;
            add(board, if black { score } else { -score });
        }
    }
}

/// Positions with fewer empties are left out: they are solved, not evaluated.
const FEWEST: u32 = 6;

/// How far the values of one phase are off, in discs.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PhaseError {
    /// How many positions there were.
    pub positions: u64,
    /// The mean absolute error.
    pub absolute: f64,
    /// The root of the mean squared error.
    pub squared: f64,
    /// The mean error: positive where the evaluation is too high for the player to move.
    pub bias: f64,
}

/// Compares the evaluation with the labels, phase by phase: the sum of weights, and the
/// network's correction where one is given.
#[must_use]
pub fn errors(
    weights: &Weights,
    network: Option<&Network>,
    records: &[Record],
) -> [PhaseError; PHASES] {
    let mut errors = [PhaseError::default(); PHASES];
    for record in records {
        let empties = record.board.empty().len();
        let features = Features::new(record.board);
        let correction = network.map_or(0, |net| net.correction(record.board, &features));
        let value = weights.value(record.board, &features) + correction;
        let error = f64::from(value - i32::from(record.value)) / f64::from(DISC);
        let phase = &mut errors[phase_of(empties)];
        phase.positions += 1;
        phase.absolute += error.abs();
        phase.squared += error * error;
        phase.bias += error;
    }
    for phase in &mut errors {
        let count = phase.positions.max(1) as f64;
        phase.absolute /= count;
        phase.squared = (phase.squared / count).sqrt();
        phase.bias /= count;
    }
    errors
}

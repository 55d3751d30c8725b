//! Games and positions as other people write them.
//!
//! [`read`] takes a text of unknown form and finds out: a transcript (`f5d6c3…`), one or
//! more games in GGF, lines of OBF, or a plain board of 64 squares with the side to move.
//! Whatever the form, the result is a list of [`Record`]s: a start position and legal moves.
//!
//! ```
//! use reversi::notation;
//! use rules::Game;
//!
//! let records = notation::read("F5 d6 C3 d3 c4")?;
//! assert_eq!(records[0].moves.len(), 5);
//! assert_eq!(notation::transcript::write(&records[0]), "f5d6c3d3c4");
//! # Ok::<(), notation::NotationError>(())
//! ```

pub mod ggf;
pub mod obf;
pub mod transcript;
pub mod wthor;

use rules::{Game, MoveError, PositionError};
use thiserror::Error;

use crate::{Move, Position};

/// A game: where it began, what was played (passes included), and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position before the first move.
    pub start: Position,
    /// The moves, every one legal where it stands.
    pub moves: Vec<Move>,
    /// The player of the black discs, where the text says so.
    pub black: Option<String>,
    /// The player of the white discs, where the text says so.
    pub white: Option<String>,
    /// Where or when it was played, where the text says so.
    pub event: Option<String>,
}

impl Record {
    /// A record of this position, without a move.
    #[must_use]
    pub fn new(start: Position) -> Record {
        Record {
            start,
            moves: Vec::new(),
            black: None,
            white: None,
            event: None,
        }
    }

    /// Every position of the game, the first and the last included.
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start];
        let mut position = self.start;
        for &mv in &self.moves {
            position.play_unchecked(mv);
            positions.push(position);
        }
        positions
    }

    /// The position after the last move.
    #[must_use]
    pub fn last(&self) -> Position {
        let mut position = self.start;
        for &mv in &self.moves {
            position.play_unchecked(mv);
        }
        position
    }

    /// Adds a move as some notation wrote it, with passes that it left out put in before.
    fn push(&mut self, position: &mut Position, text: &str) -> Result<(), NotationError> {
        let is_pass = ["pass", "pa", "ps", "--", "@@"]
            .iter()
            .any(|pass| text.eq_ignore_ascii_case(pass));
        if !is_pass && position.is_legal(Move::PASS) {
            position.play_unchecked(Move::PASS);
            self.moves.push(Move::PASS);
        }
        let text = if is_pass { "pass" } else { text };
        let mv = position
            .parse_move(text)
            .map_err(|source| NotationError::Move {
                number: self.moves.len() + 1,
                source,
            })?;
        position.play_unchecked(mv);
        self.moves.push(mv);
        Ok(())
    }
}

/// Why a text is no game and no position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotationError {
    /// There is nothing to read.
    #[error("nothing to read: a board, a transcript, GGF or OBF is wanted")]
    Empty,
    /// A move that cannot be read or played.
    #[error("move {number}: {source}")]
    Move {
        /// Which ply of the game, counted from 1, passes included.
        number: usize,
        /// What is wrong with it.
        source: MoveError,
    },
    /// A board that cannot be read.
    #[error("board: {0}")]
    Board(#[from] PositionError),
    /// A GGF text that does not hold together.
    #[error("ggf: {0}")]
    Ggf(String),
    /// A line of several that is at fault.
    #[error("line {line}: {source}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        source: Box<NotationError>,
    },
}

/// Reads a text of any known form. Lines that begin with a per cent sign are comments.
pub fn read(text: &str) -> Result<Vec<Record>, NotationError> {
    let is_comment = |line: &str| line.trim_start().starts_with('%');
    let blank_comments = |line| if is_comment(line) { "" } else { line };
    // Errors count the lines that were given.
    let numbered: Vec<&str> = text.lines().map(blank_comments).collect();
    let numbered = &numbered.join("\n");
    let lines: Vec<&str> = text.lines().filter(|line| !is_comment(line)).collect();
    let text = lines.join("\n");
    let text = text.trim();
    if text.is_empty() {
        return Err(NotationError::Empty);
    }
    if text.contains("(;") {
        return ggf::read(text);
    }
    // Squares of a board come before anything that could be a move.
    let board_like = |line: &str| {
        let squares = line.chars().filter(|c| !c.is_whitespace()).take(8);
        squares.filter(|c| "xXoO*-.".contains(*c)).count() == 8
    };
    if text == "start" {
        return Ok(vec![Record::new(Position::start())]);
    }
    if !board_like(text) {
        return transcript::read_all(numbered);
    }
    // A board in one line, and moves from there.
    if let Some((first, rest)) = text.split_once('\n')
        && !rest.trim().is_empty()
        && !board_like(rest)
        && let Ok(start) = first.trim().parse()
    {
        return Ok(vec![transcript::read_from(start, rest)?]);
    }
    let one_per_line = text.lines().any(|line| {
        line.contains(';') || line.chars().filter(|c| !c.is_whitespace()).count() >= 64
    });
    if one_per_line {
        return obf::read(numbered)?
            .into_iter()
            .map(|entry| Ok(Record::new(entry.position)))
            .collect();
    }
    Ok(vec![Record::new(text.parse()?)])
}

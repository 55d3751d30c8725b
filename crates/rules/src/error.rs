//! Why a text is no position, or no move.

use thiserror::Error;

/// A text that is no position of the game; the message says what and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PositionError(String);

impl PositionError {
    /// An error with this message: lower case, names the bad value, no full stop.
    pub fn new(message: impl Into<String>) -> PositionError {
        PositionError(message.into())
    }
}

/// A move that cannot be read, or cannot be played here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    /// The text is not the text of any move.
    #[error("{text:?} is not a move: {reason}")]
    Unreadable {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The move is readable, but the rules forbid it in this position.
    #[error("illegal move {text} ({reason})")]
    Illegal {
        /// The move as text.
        text: String,
        /// The rule that it breaks.
        reason: String,
    },
}

impl MoveError {
    /// The text is not the text of any move.
    pub fn unreadable(text: impl Into<String>, reason: impl Into<String>) -> MoveError {
        MoveError::Unreadable {
            text: text.into(),
            reason: reason.into(),
        }
    }

    /// The rules forbid the move here.
    pub fn illegal(text: impl Into<String>, reason: impl Into<String>) -> MoveError {
        MoveError::Illegal {
            text: text.into(),
            reason: reason.into(),
        }
    }
}

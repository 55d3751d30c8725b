//! Why a text is no position, or no move.

use thiserror::Error;

/// The longest beginning of somebody else's text that an error shows, in characters.
const SHOWN: usize = 80;
/// The longest beginning of a message, which may quote several such texts.
const MESSAGE: usize = 400;

/// The beginning of a text that somebody else wrote, as errors and records show it: there may be
/// any amount of it.
#[must_use]
pub fn beginning(text: &str) -> String {
    cut(text, SHOWN)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// A text that is no position of the game; the message says what and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct PositionError(String);

impl PositionError {
    /// An error with this message: lower case, names the bad value, no full stop.
    pub fn new(message: impl Into<String>) -> PositionError {
        PositionError(cut(&message.into(), MESSAGE))
    }
}

/// A move that cannot be read, or cannot be played here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    /// The text is not the text of any move.
    #[error("{text:?} is not a move: {reason}")]
    Unreadable {
        /// The beginning of what was given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The move is readable, but the rules forbid it in this position.
    #[error("illegal move {text} ({reason})")]
    Illegal {
        /// The beginning of the move as text.
        text: String,
        /// The rule that it breaks.
        reason: String,
    },
}

impl MoveError {
    /// The text is not the text of any move.
    pub fn unreadable(text: impl Into<String>, reason: impl Into<String>) -> MoveError {
        MoveError::Unreadable {
            text: beginning(&text.into()),
            reason: cut(&reason.into(), MESSAGE),
        }
    }

    /// The rules forbid the move here.
    pub fn illegal(text: impl Into<String>, reason: impl Into<String>) -> MoveError {
        MoveError::Illegal {
            text: beginning(&text.into()),
            reason: cut(&reason.into(), MESSAGE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_show_the_beginning_of_what_they_are_about() {
        let most = "ż".repeat(SHOWN);
        assert_eq!(beginning(&most), most);
        assert_eq!(beginning(&format!("{most}x")), format!("{most}…"));
        let long = "x".repeat(1 << 20);
        for error in [
            MoveError::unreadable(&long, &long),
            MoveError::illegal(&long, &long),
        ] {
            assert!(error.to_string().chars().count() < 600);
        }
        assert!(PositionError::new(long).to_string().chars().count() < 500);
    }
}

//! What is wrong with a set-up that is no position.

use rules::{Game, PositionError, Side};
use thiserror::Error;

use crate::position::{LAST_PLY, MOST_PAWNS, goal};
use crate::{Position, Square, Squares};

/// Why pawns, field and ply number are no position of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// The number is 0, or past the one after the last ply.
    #[error("half-move number {0} is not from 1 to {most}", most = LAST_PLY + 1)]
    Number(u32),
    /// A pawn stands where there is no field.
    #[error("the pawn on {0} stands outside the field")]
    OffField(Square),
    /// Two pawns stand on one square.
    #[error("{0} holds a pawn of both players")]
    Overlap(Square),
    /// More pawns than a player can have.
    #[error("{} has {count} pawns, more than {MOST_PAWNS} (the one on {square} is too many)", Position::side_name(*side))]
    TooMany {
        /// Whose pawns.
        side: Side,
        /// How many.
        count: u32,
        /// The first one too many.
        square: Square,
    },
    /// A pawn stands on the edge that it was to reach, but did not get there just now.
    #[error("the pawn of {} on {square} has reached the far edge before half-move {number}", Position::side_name(*side))]
    Arrived {
        /// Whose pawn.
        side: Side,
        /// Where.
        square: Square,
        /// The number of the ply to be made.
        number: u32,
    },
}

impl SetupError {
    /// The square at fault, if it is one.
    #[must_use]
    pub fn square(self) -> Option<Square> {
        match self {
            SetupError::Number(_) => None,
            SetupError::OffField(square)
            | SetupError::Overlap(square)
            | SetupError::TooMany { square, .. }
            | SetupError::Arrived { square, .. } => Some(square),
        }
    }
}

impl From<SetupError> for PositionError {
    fn from(error: SetupError) -> PositionError {
        PositionError::new(error.to_string())
    }
}

/// Checks what [`Position::new`] promises.
pub(crate) fn check(pawns: [Squares; 2], field: Squares, number: u32) -> Result<(), SetupError> {
    if !(1..=LAST_PLY + 1).contains(&number) {
        return Err(SetupError::Number(number));
    }
    let first = |set: u64| Squares(set).next();
    if let Some(square) = first((pawns[0].0 | pawns[1].0) & !field.0) {
        return Err(SetupError::OffField(square));
    }
    if let Some(square) = first(pawns[0].0 & pawns[1].0) {
        return Err(SetupError::Overlap(square));
    }
    let to_move = if number % 2 == 1 {
        Side::First
    } else {
        Side::Second
    };
    for side in Side::BOTH {
        let mut own = pawns[side.index()];
        let (count, most) = (own.len(), MOST_PAWNS as usize);
        if let Some(square) = own.nth(most) {
            return Err(SetupError::TooMany {
                side,
                count,
                square,
            });
        }
        // Only the move just made can have brought a pawn to the edge, and only one pawn.
        let allowed = usize::from(number > 1 && side != to_move);
        let mut arrived = Squares(pawns[side.index()].0 & goal(side).0);
        if let Some(square) = arrived.nth(allowed) {
            return Err(SetupError::Arrived {
                side,
                square,
                number,
            });
        }
    }
    Ok(())
}

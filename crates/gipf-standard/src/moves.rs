//! Pieces and moves.

use crate::board::Entry;
use crate::points::Points;

/// A single piece or two stacked ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Piece {
    /// One piece.
    Single,
    /// Two pieces, one on top of the other, which count as one on the board.
    Gipf,
}

impl Piece {
    /// Both kinds.
    pub const ALL: [Piece; 2] = [Piece::Single, Piece::Gipf];

    /// How many pieces of the reserve it takes.
    #[inline]
    #[must_use]
    pub const fn cost(self) -> u8 {
        match self {
            Piece::Single => 1,
            Piece::Gipf => 2,
        }
    }
}

/// Bringing a piece in: the way and the piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Push {
    /// The dot and the direction.
    pub entry: Entry,
    /// The kind of piece.
    pub piece: Piece,
}

/// One turn: the mover's rows that lie on the board are taken off, a piece is brought in, and the
/// mover's rows are taken off once more.
///
/// The opponent's rows are left to the opponent's turn. Two ways of taking rows off that take the
/// same pieces are one move. There is no push if taking off has ended the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    /// The pieces that are taken off before the push.
    pub before: Points,
    /// What is brought in, and from where.
    pub push: Option<Push>,
    /// The pieces that are taken off after the push.
    pub after: Points,
}

const _: () = assert!(size_of::<Move>() <= 24);

//! The two players, and how a game between them ends.

use std::ops::Not;

/// One of the two players, named by who starts.
///
/// Games have their own names for them (Black and White, A and B):
/// see [`Game::side_name`](crate::Game::side_name).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Side {
    /// The player who makes the first move of a game.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// Both sides, the starting one first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 for the first player, 1 for the second: for indexing a pair.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Side;

    #[inline]
    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    #[inline]
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }

    /// 1, 0 or −1 as `side` has won, drawn or lost.
    #[inline]
    #[must_use]
    pub fn sign_for(self, side: Side) -> i32 {
        match self {
            Outcome::Win(winner) if winner == side => 1,
            Outcome::Win(_) => -1,
            Outcome::Draw => 0,
        }
    }
}

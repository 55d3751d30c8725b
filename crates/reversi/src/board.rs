//! Two sets of discs, and what a disc put down does: portable code for any machine.

use crate::{Discs, Square};

/// The discs on the board, seen by the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Board {
    /// Discs of the player to move.
    pub own: Discs,
    /// Discs of the opponent.
    pub other: Discs,
}

impl Board {
    /// The squares without a disc.
    #[inline]
    #[must_use]
    pub const fn empty(self) -> Discs {
        Discs(!(self.own.0 | self.other.0))
    }

    /// The squares on which the player to move may put a disc.
    #[inline]
    #[must_use]
    pub const fn moves(self) -> Discs {
        Discs(moves(self.own.0, self.other.0))
    }

    /// The same discs with the other player to move.
    #[inline]
    #[must_use]
    pub const fn pass(self) -> Board {
        Board {
            own: self.other,
            other: self.own,
        }
    }

    /// The discs that turn over when the player to move puts one on `square`.
    #[inline]
    #[must_use]
    pub const fn flips(self, square: Square) -> Discs {
        Discs(flips(self.own.0, self.other.0, square))
    }

    /// The board after a disc on `square`, seen by the opponent, whose turn it then is.
    #[inline]
    #[must_use]
    pub fn play(self, square: Square) -> Board {
        let flips = self.flips(square);
        Board {
            own: self.other ^ flips,
            other: self.own | flips | square.into(),
        }
    }

    /// Own discs minus the opponent's.
    #[inline]
    #[must_use]
    pub const fn difference(self) -> i32 {
        self.own.len() as i32 - self.other.len() as i32
    }
}

/// Everything but the a- and h-columns: discs that a line along a row or a diagonal
/// can pass over.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Squares reachable from `own` over an unbroken line of `through`, in the direction
/// of a shift by `N` and in the opposite one.
#[inline]
const fn lines<const N: u32>(own: u64, through: u64) -> u64 {
    // Parallel prefix: lines of length 1, then up to 2, 4 and 6.
    let mut up = through & (own << N);
    let mut down = through & (own >> N);
    up |= through & (up << N);
    down |= through & (down >> N);
    let pairs_up = through & (through << N);
    let pairs_down = pairs_up >> N;
    up |= pairs_up & (up << (2 * N));
    down |= pairs_down & (down >> (2 * N));
    up |= pairs_up & (up << (2 * N));
    down |= pairs_down & (down >> (2 * N));
    (up << N) | (down >> N)
}

/// The squares on which `own` may put a disc.
#[inline]
#[must_use]
pub const fn moves(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    (lines::<1>(own, inner)
        | lines::<8>(own, other)
        | lines::<7>(own, inner)
        | lines::<9>(own, inner))
        & !(own | other)
}

/// The discs of `other` that a disc of `own` on `square` turns over.
#[inline]
#[must_use]
pub const fn flips(own: u64, other: u64, square: Square) -> u64 {
    let inner = other & INNER;
    let disc = 1 << square.index();
    flips_along::<1>(own, inner, disc)
        | flips_along::<8>(own, other, disc)
        | flips_along::<7>(own, inner, disc)
        | flips_along::<9>(own, inner, disc)
}

/// Flips in the direction of a shift by `N` and in the opposite one.
#[inline]
const fn flips_along<const N: u32>(own: u64, through: u64, disc: u64) -> u64 {
    let mut up = through & (disc << N);
    let mut down = through & (disc >> N);
    up |= through & (up << N);
    down |= through & (down >> N);
    let pairs_up = through & (through << N);
    let pairs_down = pairs_up >> N;
    up |= pairs_up & (up << (2 * N));
    down |= pairs_down & (down >> (2 * N));
    up |= pairs_up & (up << (2 * N));
    down |= pairs_down & (down >> (2 * N));
    let mut flips = 0;
    if (up << N) & own != 0 {
        flips |= up;
    }
    if (down >> N) & own != 0 {
        flips |= down;
    }
    flips
}

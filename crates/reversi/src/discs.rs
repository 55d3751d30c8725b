//! A set of squares in one word.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::Square;

/// A set of squares; bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Discs(pub u64);

impl Discs {
    /// No square.
    pub const NONE: Discs = Discs(0);
    /// The four corners.
    pub const CORNERS: Discs = Discs(0x8100_0000_0000_0081);

    /// How many squares.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no square in it.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the square is in it.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }
}

impl From<Square> for Discs {
    #[inline]
    fn from(square: Square) -> Discs {
        Discs(1 << square.index())
    }
}

impl FromIterator<Square> for Discs {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Discs {
        squares
            .into_iter()
            .fold(Discs::NONE, |set, square| set | square.into())
    }
}

impl Iterator for Discs {
    type Item = Square;

    /// Takes the first square out of the set.
    #[inline]
    fn next(&mut self) -> Option<Square> {
        (self.0 != 0).then(|| {
            let square = Square::new(self.0.trailing_zeros() as u8);
            self.0 &= self.0 - 1;
            square
        })
    }
}

impl fmt::Debug for Discs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.map(|s| s.to_string())).finish()
    }
}

macro_rules! operator {
    ($trait:ident $name:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl $trait for Discs {
            type Output = Discs;
            #[inline]
            fn $name(self, other: Discs) -> Discs {
                Discs(self.0 $op other.0)
            }
        }
        impl $assign_trait for Discs {
            #[inline]
            fn $assign(&mut self, other: Discs) {
                *self = *self $op other;
            }
        }
    };
}

operator!(BitAnd bitand BitAndAssign bitand_assign &);
operator!(BitOr bitor BitOrAssign bitor_assign |);
operator!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Discs {
    type Output = Discs;
    #[inline]
    fn not(self) -> Discs {
        Discs(!self.0)
    }
}

//! The squares of a board of eight by eight, and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};
use std::str::FromStr;

use crate::PositionError;

/// A square: 0 is a1 (top left), 7 is h1, 63 is h8 (bottom right).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Square(u8);

impl Square {
    /// All 64 squares in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }

    /// The square with this index below 64.
    #[inline]
    #[must_use]
    pub const fn new(index: u8) -> Square {
        debug_assert!(index < 64);
        Square(index & 63)
    }

    /// The square in this column and row, both counted from 0.
    #[inline]
    #[must_use]
    pub const fn at(column: u8, row: u8) -> Option<Square> {
        if column < 8 && row < 8 {
            Some(Square(row * 8 + column))
        } else {
            None
        }
    }

    /// 0 to 63.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for the a-column to 7 for the h-column.
    #[inline]
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the top row (row 1) to 7.
    #[inline]
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 >> 3
    }

    /// The square as far from the right edge as this one is from the left.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square(self.0 ^ 7)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (column, row) = (char::from(b'a' + self.column()), self.row() + 1);
        write!(f, "{column}{row}")
    }
}

impl FromStr for Square {
    type Err = PositionError;

    /// Reads `d3` or `D3`.
    fn from_str(text: &str) -> Result<Square, PositionError> {
        match text.as_bytes() {
            [column @ (b'a'..=b'h' | b'A'..=b'H'), row @ b'1'..=b'8'] => Ok(Square(
                (row - b'1') * 8 + (column.to_ascii_lowercase() - b'a'),
            )),
            _ => Err(PositionError::new(format!(
                "{text:?} is not a square a1 to h8"
            ))),
        }
    }
}

/// A set of squares in one word; bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Squares(pub u64);

impl Squares {
    /// No square.
    pub const NONE: Squares = Squares(0);
    /// The whole board.
    pub const ALL: Squares = Squares(!0);
    /// The four corners.
    pub const CORNERS: Squares = Squares(0x8100_0000_0000_0081);

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

    /// The set seen in a mirror: left is right.
    #[inline]
    #[must_use]
    pub const fn mirrored(self) -> Squares {
        Squares(self.0.swap_bytes().reverse_bits())
    }
}

impl From<Square> for Squares {
    #[inline]
    fn from(square: Square) -> Squares {
        Squares(1 << square.index())
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares
            .into_iter()
            .fold(Squares::NONE, |set, square| set | square.into())
    }
}

impl Iterator for Squares {
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

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.map(|s| s.to_string())).finish()
    }
}

macro_rules! operator {
    ($trait:ident $name:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl $trait for Squares {
            type Output = Squares;
            #[inline]
            fn $name(self, other: Squares) -> Squares {
                Squares(self.0 $op other.0)
            }
        }
        impl $assign_trait for Squares {
            #[inline]
            fn $assign(&mut self, other: Squares) {
                *self = *self $op other;
            }
        }
    };
}

operator!(BitAnd bitand BitAndAssign bitand_assign &);
operator!(BitOr bitor BitOrAssign bitor_assign |);
operator!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Squares {
    type Output = Squares;
    #[inline]
    fn not(self) -> Squares {
        Squares(!self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_is_read_as_it_is_written() {
        for square in Square::all() {
            let text = square.to_string();
            assert_eq!(text.parse(), Ok(square));
            assert_eq!(text.to_uppercase().parse(), Ok(square));
            assert_eq!(Square::at(square.column(), square.row()), Some(square));
        }
        for text in ["", "a", "a0", "a9", "i1", "a11", "é"] {
            assert!(text.parse::<Square>().is_err(), "{text:?}");
        }
        assert_eq!((Square::at(8, 0), Square::at(0, 8)), (None, None));
    }

    #[test]
    fn a_set_gives_back_what_was_put_in() {
        let squares: Vec<Square> = Square::all().step_by(5).collect();
        let set: Squares = squares.iter().copied().collect();
        assert_eq!(set.len() as usize, squares.len());
        assert!(squares.iter().all(|&square| set.contains(square)));
        assert_eq!(set.collect::<Vec<_>>(), squares);
        assert!((set & !set).is_empty());
        assert_eq!(set | !set, Squares::ALL);
        assert_eq!(set ^ Squares::NONE, set);
    }

    #[test]
    fn a_mirror_shows_a_set_square_by_square() {
        let set = Squares(0x0123_4567_89ab_cdef);
        assert_eq!(set.mirrored(), set.map(Square::mirrored).collect());
        assert_eq!(Squares::CORNERS.mirrored(), Squares::CORNERS);
    }
}

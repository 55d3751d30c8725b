//! The squares of the board, and sets of them.

use std::fmt;
use std::str::FromStr;

use rules::PositionError;

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
        squares.into_iter().fold(Squares::NONE, |set, square| {
            Squares(set.0 | 1 << square.index())
        })
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

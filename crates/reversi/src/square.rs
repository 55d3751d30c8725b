//! The squares of the board.

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

    /// The square in this column and row, both counted from 0.
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
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the top row (row 1) to 7.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 >> 3
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

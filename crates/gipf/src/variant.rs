//! The four numbers that make a variant of the game.

use std::fmt;
use std::str::FromStr;

use rules::{PositionError, Side};

/// The parameters of generalised GIPF, checked: the original game is `4 4 15 15`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Variant {
    size: u8,
    run: u8,
    stones: [u16; 2],
}

impl Variant {
    /// The board sizes that a bitboard of 128 bits holds.
    pub const SIZES: std::ops::RangeInclusive<u8> = 2..=7;

    /// The original game.
    pub const ORIGINAL: Variant = Variant {
        size: 4,
        run: 4,
        stones: [15, 15],
    };

    /// A variant with `size` points along each side of the board, rows of `run` stones
    /// or more that are taken off, and so many stones of White and Black in all.
    pub fn new(size: u8, run: u8, white: u16, black: u16) -> Result<Variant, PositionError> {
        let error = |message: String| Err(PositionError::new(message));
        if !Variant::SIZES.contains(&size) {
            return error(format!("board size {size} is not between 2 and 7"));
        }
        let longest = 2 * size - 1;
        if !(2..=longest).contains(&run) {
            return error(format!("run length {run} is not between 2 and {longest}"));
        }
        for (stones, name) in [(white, "white"), (black, "black")] {
            if !(4..=MOST_STONES).contains(&stones) {
                return error(format!(
                    "{stones} {name} stones are not between 4 and {MOST_STONES}"
                ));
            }
        }
        Ok(Variant {
            size,
            run,
            stones: [white, black],
        })
    }

    /// Points along each side of the board.
    #[inline]
    #[must_use]
    pub const fn size(self) -> u8 {
        self.size
    }

    /// The number of stones in a line that triggers collection.
    #[inline]
    #[must_use]
    pub const fn run(self) -> u8 {
        self.run
    }

    /// All stones of one side, on the board and in reserve, at the start.
    #[inline]
    #[must_use]
    pub const fn stones(self, side: Side) -> u16 {
        self.stones[side.index()]
    }
}

/// Far more than any board holds; keeps every sum of stones inside 16 bits.
const MOST_STONES: u16 = 9_999;

impl fmt::Display for Variant {
    /// `S K GW GB`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [white, black] = self.stones;
        write!(f, "{} {} {white} {black}", self.size, self.run)
    }
}

impl FromStr for Variant {
    type Err = PositionError;

    /// Reads `S K GW GB`.
    fn from_str(text: &str) -> Result<Variant, PositionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[size, run, white, black] = words.as_slice() else {
            return Err(PositionError::new(format!(
                "{text:?} is not the four numbers S K GW GB"
            )));
        };
        Variant::new(
            number(size, "board size")?,
            number(run, "run length")?,
            number(white, "number of white stones")?,
            number(black, "number of black stones")?,
        )
    }
}

/// Reads one number of a position's text.
pub(crate) fn number<N: FromStr>(text: &str, what: &str) -> Result<N, PositionError> {
    text.parse()
        .map_err(|_| PositionError::new(format!("{what} {text:?} is not a number in range")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        assert_eq!(text.parse::<Variant>().unwrap_err().to_string(), expected);
    }

    #[test]
    fn bad_variants_name_the_bad_number() {
        check_error("1 2 5 5", "board size 1 is not between 2 and 7");
        check_error("8 2 5 5", "board size 8 is not between 2 and 7");
        check_error("4 1 5 5", "run length 1 is not between 2 and 7");
        check_error("3 6 5 5", "run length 6 is not between 2 and 5");
        check_error("4 4 3 5", "3 white stones are not between 4 and 9999");
        check_error(
            "4 4 5 10000",
            "10000 black stones are not between 4 and 9999",
        );
        check_error("4 4 15", "\"4 4 15\" is not the four numbers S K GW GB");
        check_error(
            "4 4 15 -1",
            "number of black stones \"-1\" is not a number in range",
        );
    }

    #[test]
    fn the_original_survives_its_text() {
        assert_eq!("4 4 15 15".parse(), Ok(Variant::ORIGINAL));
        assert_eq!(Variant::ORIGINAL.to_string(), "4 4 15 15");
    }
}

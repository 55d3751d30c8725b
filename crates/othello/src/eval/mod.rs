//! The static evaluation: a sum of trained weights over patterns of squares.
//!
//! [`Features`] are carried along by a search, one copy per ply; [`Weights`] turn them
//! into a value. The trained weights are part of the program ([`Weights::embedded`]).
//!
//! ```
//! use othello::eval::{Features, Weights};
//! use reversi::Position;
//!
//! let board = Position::start().board();
//! let value = Weights::embedded().value(board, &Features::new(board));
//! assert!(value.abs() < 10 * othello::eval::DISC, "nobody is far ahead");
//! ```

mod features;
pub mod file;
pub mod network;
mod packing;
pub mod pattern;
mod weights;

pub use features::Features;
pub(crate) use network::Correction;
pub use network::Network;
pub(crate) use pattern::{LANES, mobility};
pub(crate) use weights::sum;
pub use weights::{PHASES, Weights, phase_of};

/// One disc in the unit of values.
pub const DISC: i32 = 128;

/// The highest value: every disc.
pub const MOST: i32 = 64 * DISC;

/// The final disc difference to expect with a value. Weights and network are fitted to games of
/// shallow searches, in which the winner loses a little of his lead and the player to move a little
/// of his tempo. Both numbers were fitted to positions of 22 and 30 empty squares whose ends are
/// known: with them deep searches miss those by least. A new network needs new ones.
#[inline]
pub(crate) fn calibrated(value: i32) -> i32 {
    (value + value * 3 / 100 + DISC * 2 / 5).clamp(-MOST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calibrated_value_keeps_the_order_and_the_range() {
        for value in -MOST..MOST {
            assert!(calibrated(value) <= calibrated(value + 1), "{value}");
            assert!(calibrated(value).abs() <= MOST, "{value}");
        }
        assert_eq!(calibrated(0), 51, "two fifths of a disc");
        assert_eq!(
            calibrated(10 * DISC) - calibrated(0),
            10 * DISC + 38,
            "three hundredths more"
        );
    }
}

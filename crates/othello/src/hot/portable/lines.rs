//! Moves and flips in plain Rust.

pub(crate) use crate::eval::weights::sum;
use reversi::Square;

/// The squares on which `own` may put a disc.
#[inline]
pub(crate) fn moves(own: u64, other: u64) -> u64 {
    reversi::moves(own, other)
}

/// The discs that turn over when `own` puts one on `square`.
#[inline]
pub(crate) fn flips(own: u64, other: u64, square: u32) -> u64 {
    reversi::flips(own, other, Square::new(square as u8))
}

/// How many discs turn over when `own` fills the last empty square.
#[inline]
pub(crate) fn last_flips(own: u64, square: u32) -> u32 {
    flips(own, !own & !(1 << square), square).count_ones()
}

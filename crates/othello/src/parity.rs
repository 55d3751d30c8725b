//! Parity: in a region with an odd number of empty squares, who plays first also plays
//! last, and discs that the last move of a region flips are not flipped back. The regions
//! are the four quadrants of the board.

/// All squares of the quadrants with an odd number of empty squares.
#[inline]
pub(crate) const fn odd(empty: u64) -> u64 {
    // Each quadrant's squares are folded together into its first.
    let rows = empty ^ empty >> 1;
    let rows = rows ^ rows >> 2;
    let pairs = rows ^ rows >> 8;
    let parities = (pairs ^ pairs >> 16) & 0x0000_0011_0000_0011;
    // A quadrant's first square times this is the whole quadrant.
    parities * 0x0f0f_0f0f
}

/// The number of the quadrant in which a square lies.
#[inline]
pub(crate) const fn quadrant(square: u32) -> u32 {
    (square >> 2 & 1) | (square >> 4 & 2)
}

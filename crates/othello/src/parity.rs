//! Parity: in a region with an odd number of empty squares, who plays first also plays
//! last, and the last move of a region turns discs that nobody turns back. The regions
//! are the four quadrants of the board.

/// The quadrants.
const QUADRANTS: [u64; 4] = [
    0x0000_0000_0f0f_0f0f,
    0x0000_0000_f0f0_f0f0,
    0x0f0f_0f0f_0000_0000,
    0xf0f0_f0f0_0000_0000,
];

/// All squares of the quadrants with an odd number of empty squares.
#[inline]
pub(crate) const fn odd(empty: u64) -> u64 {
    let mut squares = 0;
    let mut i = 0;
    while i < 4 {
        let quadrant = QUADRANTS[i];
        if (empty & quadrant).count_ones() & 1 != 0 {
            squares |= quadrant;
        }
        i += 1;
    }
    squares
}

/// The number of the quadrant in which a square lies.
#[inline]
pub(crate) const fn quadrant(square: u32) -> u32 {
    (square >> 2 & 1) | (square >> 4 & 2)
}

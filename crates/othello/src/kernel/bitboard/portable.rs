//! Moves and flips in plain Rust.

use reversi::Square;

/// The a-column.
const LEFT: u64 = 0x0101_0101_0101_0101;
/// Gathers the a-column into the top byte, a1 in its lowest bit.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// The legal moves of `own`, as a set of squares.
#[inline]
pub(super) fn moves(own: u64, other: u64) -> u64 {
    reversi::moves(own, other)
}

/// The discs that `own` flips by a move to `square`.
#[inline]
pub(super) fn flips(own: u64, other: u64, square: u32) -> u64 {
    reversi::flips(own, other, Square::new(square as u8))
}

/// How many discs `own` flips by filling the last empty square.
#[inline]
pub(super) fn last_flips(own: u64, square: u32) -> u32 {
    flips(own, !own & !(1 << square), square).count_ones()
}

/// The least of eight bytes, and which of them it is.
#[inline]
pub(super) fn least_byte(bytes: u64) -> (u32, u32) {
    let places = bytes.to_le_bytes().into_iter().zip(0..);
    places
        .map(|(byte, place)| (u32::from(byte), place))
        .min()
        .unwrap_or_default()
}

/// The a-column as a byte, a1 in its lowest bit.
#[inline]
pub(super) fn column(discs: u64) -> u64 {
    (discs & LEFT).wrapping_mul(GATHER) >> 56
}

/// A byte as the a-column.
#[inline]
pub(super) fn to_column(line: u64) -> u64 {
    (((line & 127) * (GATHER >> 7)) & LEFT) | (line & 128) << 49
}

/// All squares of the full lines: rows, columns and the two kinds of diagonals.
#[inline]
pub(super) fn full_lines(discs: u64) -> [u64; 4] {
    let mut rows = discs & discs >> 4 & 0x0f0f_0f0f_0f0f_0f0f;
    rows &= rows >> 2;
    rows &= rows >> 1;
    let rows = (rows & 0x0101_0101_0101_0101) * 255;
    let mut columns = discs & discs.rotate_right(8);
    columns &= columns.rotate_right(16);
    columns &= columns.rotate_right(32);
    // Beyond the ends of a diagonal everything counts as full.
    let mut falling = discs;
    let mut rising = discs;
    falling &= (falling >> 9 | 0xff80_8080_8080_8080) & (falling << 9 | 0x0101_0101_0101_01ff);
    rising &= (rising >> 7 | 0xff01_0101_0101_0101) & (rising << 7 | 0x8080_8080_8080_80ff);
    falling &= (falling >> 18 | 0xffff_c0c0_c0c0_c0c0) & (falling << 18 | 0x0303_0303_0303_ffff);
    rising &= (rising >> 14 | 0xffff_0303_0303_0303) & (rising << 14 | 0xc0c0_c0c0_c0c0_ffff);
    falling &= (falling >> 36 | 0xffff_ffff_f0f0_f0f0) & (falling << 36 | 0x0f0f_0f0f_ffff_ffff);
    rising &= (rising >> 28 | 0xffff_ffff_0f0f_0f0f) & (rising << 28 | 0xf0f0_f0f0_ffff_ffff);
    [rows, columns, rising, falling]
}

//! Bitboard operations, each written for every instruction set.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

use isa::{Isa, Set};

/// The legal moves of `own`, as a set of squares.
#[inline(always)]
pub(crate) fn moves<I: Isa>(_: I, own: u64, other: u64) -> u64 {
    match I::SET {
        // SAFETY: an `I` is the proof that the processor has its set.
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 | Set::Avx512Popcnt => unsafe { avx512::moves(own, other) },
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 => unsafe { avx2::moves(own, other) },
        _ => portable::moves(own, other),
    }
}

/// The legal moves of `own`, and those that `other` would have.
#[inline(always)]
pub(crate) fn moves_of_both<I: Isa>(isa: I, own: u64, other: u64) -> [u64; 2] {
    match I::SET {
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 | Set::Avx512Popcnt => unsafe { avx512::moves_of_both(own, other) },
        _ => [moves(isa, own, other), moves(isa, other, own)],
    }
}

/// The discs that `own` flips by a move to `square`.
#[inline(always)]
pub(crate) fn flips<I: Isa>(_: I, own: u64, other: u64, square: u32) -> u64 {
    match I::SET {
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 | Set::Avx512Popcnt => unsafe { avx512::flips(own, other, square) },
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 => unsafe { avx2::flips(own, other, square) },
        _ => portable::flips(own, other, square),
    }
}

/// A position with its legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub(crate) struct Turn {
    pub(crate) own: u64,
    pub(crate) other: u64,
    pub(crate) legal: u64,
    /// The moves that the other player would have, where somebody asked for them.
    pub(crate) returns: u64,
}

/// The positions after two moves, with the `returns` of both if `RETURNS`.
///
/// Both squares must be empty, else the positions mean nothing.
#[inline(always)]
pub(crate) fn play_two<I: Isa, const RETURNS: bool>(
    isa: I,
    own: u64,
    other: u64,
    squares: [u32; 2],
) -> [Turn; 2] {
    match I::SET {
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 | Set::Avx512Popcnt => unsafe {
            avx512::play_two::<RETURNS>(own, other, squares)
        },
        _ => squares.map(|square| {
            let flipped = flips(isa, own, other, square & 63);
            let (own, other) = (other ^ flipped, own | flipped | 1 << (square & 63));
            Turn {
                own,
                other,
                legal: moves(isa, own, other),
                returns: if RETURNS { moves(isa, other, own) } else { 0 },
            }
        }),
    }
}

/// The least of eight bytes, and which of them it is.
#[inline(always)]
pub(crate) fn least_byte<I: Isa>(_: I, bytes: u64) -> (u32, u32) {
    match I::SET {
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 | Set::Avx512 | Set::Avx512Popcnt => unsafe { avx2::least_byte(bytes) },
        _ => portable::least_byte(bytes),
    }
}

/// How many discs `own` flips by filling the last empty square.
#[inline(always)]
pub(crate) fn last_flips<I: Isa>(_: I, own: u64, square: u32) -> u32 {
    match I::SET {
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 | Set::Avx512 | Set::Avx512Popcnt => unsafe { avx2::last_flips(own, square) },
        _ => portable::last_flips(own, square),
    }
}

/// The a-column as a byte, a1 in its lowest bit.
#[inline(always)]
pub(crate) fn column<I: Isa>(_: I, discs: u64) -> u64 {
    match I::SET {
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 | Set::Avx512 | Set::Avx512Popcnt => unsafe { avx2::column(discs) },
        _ => portable::column(discs),
    }
}

/// A byte as the a-column.
#[inline(always)]
pub(crate) fn to_column<I: Isa>(_: I, line: u64) -> u64 {
    match I::SET {
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 | Set::Avx512 | Set::Avx512Popcnt => unsafe { avx2::to_column(line) },
        _ => portable::to_column(line),
    }
}

/// All squares of the full lines: rows, columns and the two kinds of diagonals.
#[inline(always)]
pub(crate) fn full_lines<I: Isa>(_: I, discs: u64) -> [u64; 4] {
    match I::SET {
        // SAFETY: see above.
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 | Set::Avx512Popcnt => unsafe { avx512::full_lines(discs) },
        _ => portable::full_lines(discs),
    }
}

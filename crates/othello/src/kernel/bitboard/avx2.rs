//! Moves and flips with AVX2: four directions at once, twice.

use std::arch::x86_64::*;

use crate::rays::{DOWN, LAST_FLIPS, LINES, UP};

/// The a-column.
const LEFT: u64 = 0x0101_0101_0101_0101;

/// Loads four rays.
macro_rules! load {
    ($rays:expr) => {
        // SAFETY: the source is 32 bytes, aligned to 32.
        unsafe { _mm256_load_si256(std::ptr::from_ref(&$rays.0).cast()) }
    };
}

/// The legal moves of `own`, as a set of squares.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn moves(own: u64, other: u64) -> u64 {
    const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    let step = _mm256_set_epi64x(9, 8, 7, 1);
    let step2 = _mm256_add_epi64(step, step);
    let discs = _mm256_set1_epi64x(own as i64);
    let through = _mm256_and_si256(
        _mm256_set1_epi64x(other as i64),
        _mm256_set_epi64x(INNER, -1, INNER, INNER),
    );
    // Parallel prefix: lines of length 1, then up to 2, 4 and 6.
    let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(discs, step));
    let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(discs, step));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(through, _mm256_srlv_epi64(down, step)),
    );
    let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)),
    );
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, step2)));
    down = _mm256_or_si256(
        down,
        _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, step2)),
    );
    let ends = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    union(ends) & !(own | other)
}

/// The discs that `own` flips by a move to `square`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn flips(own: u64, other: u64, square: u32) -> u64 {
    let discs = _mm256_set1_epi64x(own as i64);
    let through = _mm256_set1_epi64x(other as i64);
    let zero = _mm256_setzero_si256();

    // Upwards, the first square of a ray that is not the opponent's is its lowest
    // bit; if it is own, everything below it in the ray is flipped.
    let ray = load!(UP[(square & 63) as usize]);
    let stops = _mm256_andnot_si256(through, ray);
    let first = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let first = _mm256_and_si256(first, discs);
    let none = _mm256_cmpeq_epi64(first, zero);
    let below = _mm256_sub_epi64(_mm256_add_epi64(first, _mm256_set1_epi64x(-1)), none);
    let up = _mm256_and_si256(below, ray);

    // Downwards it is the highest bit: own if the own stops, as a number, exceed the
    // empty ones (bit 63 is in no downward ray, so a signed comparison will do).
    let ray = load!(DOWN[(square & 63) as usize]);
    let step = _mm256_set_epi64x(9, 8, 7, 1);
    let step2 = _mm256_add_epi64(step, step);
    let step4 = _mm256_add_epi64(step2, step2);
    let stops = _mm256_andnot_si256(through, ray);
    let owned = _mm256_cmpgt_epi64(
        _mm256_and_si256(stops, discs),
        _mm256_andnot_si256(discs, stops),
    );
    let beyond = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, step));
    let beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step2));
    let beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step4));
    let down = _mm256_and_si256(_mm256_andnot_si256(beyond, ray), owned);

    union(_mm256_or_si256(up, down))
}

/// How many discs `own` flips by filling the last empty square.
#[inline]
#[target_feature(enable = "bmi2")]
pub(super) fn last_flips(own: u64, square: u32) -> u32 {
    let lines = &LINES[(square & 63) as usize];
    let counts =
        |line: u64, place: u8| u32::from(LAST_FLIPS[usize::from(place & 7)][(line & 255) as usize]);
    counts(own >> (square & 56), square as u8 & 7)
        + counts(_pext_u64(own, lines.masks[0]), lines.places[0])
        + counts(_pext_u64(own, lines.masks[1]), lines.places[1])
        + counts(_pext_u64(own, lines.masks[2]), lines.places[2])
}

/// The least of eight bytes, and which of them it is.
#[inline]
#[target_feature(enable = "sse4.1")]
pub(super) fn least_byte(bytes: u64) -> (u32, u32) {
    let words = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(bytes as i64));
    let least = _mm_cvtsi128_si32(_mm_minpos_epu16(words)) as u32;
    (least & 0xffff, least >> 16)
}

/// The a-column as a byte, a1 in its lowest bit.
#[inline]
#[target_feature(enable = "bmi2")]
pub(super) fn column(discs: u64) -> u64 {
    _pext_u64(discs, LEFT)
}

/// A byte as the a-column.
#[inline]
#[target_feature(enable = "bmi2")]
pub(super) fn to_column(line: u64) -> u64 {
    _pdep_u64(line, LEFT)
}

/// The union of the four words.
#[inline]
#[target_feature(enable = "avx2")]
fn union(words: __m256i) -> u64 {
    let half = _mm_or_si128(
        _mm256_castsi256_si128(words),
        _mm256_extracti128_si256::<1>(words),
    );
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

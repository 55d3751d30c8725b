//! Moves and flips with AVX-512: all eight directions at once, and the highest bit of a
//! word found by itself.

use std::arch::x86_64::*;

use super::Turn;
use crate::rays::{DOWN, HERE, UP};

/// Eight words, one for each direction of [`moves`].
#[repr(align(64))]
struct Directions([u64; 8]);

/// The squares that lie on the board after one, two and four steps from another one.
static WITHIN: [Directions; 3] = [within(1), within(2), within(4)];

const fn within(steps: i32) -> Directions {
    const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
    let mut words = [0; 8];
    let mut at = 0;
    while at < 8 * 64 {
        let (direction, square) = (at / 64, at as i32 % 64);
        let steps = if direction < 4 { steps } else { -steps };
        let column = square % 8 - steps * STEPS[direction % 4].0;
        let row = square / 8 - steps * STEPS[direction % 4].1;
        if column >= 0 && column < 8 && row >= 0 && row < 8 {
            words[direction] |= 1 << square;
        }
        at += 1;
    }
    Directions(words)
}

/// Loads four rays.
macro_rules! load {
    ($rays:expr) => {
        // SAFETY: the source is 32 bytes, aligned to 32.
        unsafe { _mm256_load_si256(std::ptr::from_ref(&$rays.0).cast()) }
    };
}

/// The legal moves of `own`, as a set of squares.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
pub(super) fn moves(own: u64, other: u64) -> u64 {
    const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    const UPRIGHT: i64 = 0x00ff_ffff_ffff_ff00;
    const INMOST: i64 = INNER & UPRIGHT;
    // A turn to the left is a shift up, and by the rest of the circle one down; what
    // comes round lands on a border that nothing is passed through.
    let step = _mm512_set_epi64(64 - 9, 64 - 8, 64 - 7, 64 - 1, 9, 8, 7, 1);
    let step2 = _mm512_add_epi64(step, step);
    let through = _mm512_and_si512(
        _mm512_set1_epi64(other as i64),
        _mm512_set_epi64(
            INMOST, UPRIGHT, INMOST, INNER, INMOST, UPRIGHT, INMOST, INNER,
        ),
    );
    // Parallel prefix: lines of length 1, then up to 2, 4 and 6.
    let pairs = _mm512_and_si512(through, _mm512_rolv_epi64(through, step));
    let mut line = _mm512_and_si512(
        through,
        _mm512_rolv_epi64(_mm512_set1_epi64(own as i64), step),
    );
    line = _mm512_or_si512(
        line,
        _mm512_and_si512(through, _mm512_rolv_epi64(line, step)),
    );
    line = _mm512_or_si512(
        line,
        _mm512_and_si512(pairs, _mm512_rolv_epi64(line, step2)),
    );
    line = _mm512_or_si512(
        line,
        _mm512_and_si512(pairs, _mm512_rolv_epi64(line, step2)),
    );
    let ends = _mm512_rolv_epi64(line, step);
    let half = _mm256_or_si256(
        _mm512_castsi512_si256(ends),
        _mm512_extracti64x4_epi64::<1>(ends),
    );
    union(half) & !(own | other)
}

/// The discs that `own` flips by a move to `square`.
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512dq,avx512vl")]
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
    let found = _mm256_test_epi64_mask(first, first);
    let below = _mm256_add_epi64(first, _mm256_set1_epi64x(-1));
    let up = _mm256_maskz_and_epi64(found, below, ray);

    // Downwards it is the highest bit, and everything above it is flipped.
    let ray = load!(DOWN[(square & 63) as usize]);
    let stops = _mm256_andnot_si256(through, ray);
    let first = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
    let first = _mm256_and_si256(first, discs);
    let above = _mm256_sub_epi64(zero, _mm256_add_epi64(first, first));
    let down = _mm256_and_si256(above, ray);

    union(_mm256_or_si256(up, down))
}

/// The legal moves of `own`, and those that `other` would have.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
pub(super) fn moves_of_both(own: u64, other: u64) -> [u64; 2] {
    let (black, white) = (
        _mm512_set1_epi64(own as i64),
        _mm512_set1_epi64(other as i64),
    );
    let movers = _mm512_mask_mov_epi64(black, 0b1111_0000, white);
    let others = _mm512_mask_mov_epi64(white, 0b1111_0000, black);
    let ends = union_of_fours(ends(movers, others));
    let second = _mm512_extracti64x4_epi64::<1>(ends);
    let words = [_mm512_castsi512_si128(ends), _mm256_castsi256_si128(second)];
    words.map(|word| _mm_cvtsi128_si64(word) as u64 & !(own | other))
}

/// Loads four words of a table for one square, then four for another.
macro_rules! load_two {
    ($table:expr, $squares:expr) => {{
        let [a, b] = $squares;
        _mm512_inserti64x4::<1>(
            _mm512_castsi256_si512(load!($table[(a & 63) as usize])),
            load!($table[(b & 63) as usize]),
        )
    }};
}

/// The positions after moves to two squares.
///
/// Four words for one move, four for the other: the directions of [`flips`], then those of
/// lines both ways, so that nothing leaves the registers between the two.
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512dq,avx512vl")]
pub(super) fn play_two<const RETURNS: bool>(own: u64, other: u64, squares: [u32; 2]) -> [Turn; 2] {
    let discs = _mm512_set1_epi64(own as i64);
    let through = _mm512_set1_epi64(other as i64);
    let zero = _mm512_setzero_si512();

    let ray = load_two!(UP, squares);
    let stops = _mm512_andnot_si512(through, ray);
    let first = _mm512_and_si512(
        _mm512_and_si512(stops, _mm512_sub_epi64(zero, stops)),
        discs,
    );
    let found = _mm512_test_epi64_mask(first, first);
    let below = _mm512_add_epi64(first, _mm512_set1_epi64(-1));
    let up = _mm512_maskz_and_epi64(found, below, ray);

    let ray = load_two!(DOWN, squares);
    let stops = _mm512_andnot_si512(through, ray);
    let first = _mm512_srlv_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(stops));
    let first = _mm512_and_si512(first, discs);
    let above = _mm512_sub_epi64(zero, _mm512_add_epi64(first, first));
    let flipped = union_of_fours(_mm512_or_si512(up, _mm512_and_si512(above, ray)));

    let own = _mm512_xor_si512(through, flipped);
    let other = _mm512_or_si512(_mm512_or_si512(discs, flipped), load_two!(HERE, squares));
    let empty = _mm512_andnot_si512(_mm512_or_si512(own, other), _mm512_set1_epi64(-1));
    let legal = _mm512_and_si512(union_of_fours(ends(own, other)), empty);
    // The last word of each means nothing if it is not asked for.
    let mut words = _mm512_mask_mov_epi64(own, 0b0010_0010, other);
    words = _mm512_mask_mov_epi64(words, 0b0100_0100, legal);
    if RETURNS {
        let returns = _mm512_and_si512(union_of_fours(ends(other, own)), empty);
        words = _mm512_mask_mov_epi64(words, 0b1000_1000, returns);
    }
    // SAFETY: both are eight words, and any are valid.
    unsafe { std::mem::transmute::<__m512i, [Turn; 2]>(words) }
}

/// What lies behind the lines of `other` that begin beside `own`, in four directions both ways
/// for two positions.
#[inline]
#[target_feature(enable = "avx512f")]
fn ends(own: __m512i, other: __m512i) -> __m512i {
    const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    let step = _mm512_set_epi64(9, 8, 7, 1, 9, 8, 7, 1);
    let step2 = _mm512_add_epi64(step, step);
    let through = _mm512_and_si512(
        other,
        _mm512_set_epi64(INNER, -1, INNER, INNER, INNER, -1, INNER, INNER),
    );
    // Parallel prefix: lines of length 1, then up to 2, 4 and 6.
    let up = _mm512_and_si512(through, _mm512_sllv_epi64(own, step));
    let down = _mm512_and_si512(through, _mm512_srlv_epi64(own, step));
    let up = _mm512_or_si512(up, _mm512_and_si512(through, _mm512_sllv_epi64(up, step)));
    let down = _mm512_or_si512(
        down,
        _mm512_and_si512(through, _mm512_srlv_epi64(down, step)),
    );
    let pairs_up = _mm512_and_si512(through, _mm512_sllv_epi64(through, step));
    let pairs_down = _mm512_srlv_epi64(pairs_up, step);
    let up = _mm512_or_si512(up, _mm512_and_si512(pairs_up, _mm512_sllv_epi64(up, step2)));
    let down = _mm512_or_si512(
        down,
        _mm512_and_si512(pairs_down, _mm512_srlv_epi64(down, step2)),
    );
    let up = _mm512_or_si512(up, _mm512_and_si512(pairs_up, _mm512_sllv_epi64(up, step2)));
    let down = _mm512_or_si512(
        down,
        _mm512_and_si512(pairs_down, _mm512_srlv_epi64(down, step2)),
    );
    _mm512_or_si512(_mm512_sllv_epi64(up, step), _mm512_srlv_epi64(down, step))
}

/// The union of the first four words in each of them, and that of the last four.
#[inline]
#[target_feature(enable = "avx512f")]
fn union_of_fours(words: __m512i) -> __m512i {
    let pairs = _mm512_or_si512(words, _mm512_shuffle_epi32::<0b01_00_11_10>(words));
    _mm512_or_si512(pairs, _mm512_permutex_epi64::<0b01_00_11_10>(pairs))
}

/// All squares of the full lines: rows, columns and the two kinds of diagonals.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
pub(super) fn full_lines(discs: u64) -> [u64; 4] {
    let mut step = _mm512_set_epi64(64 - 9, 64 - 8, 64 - 7, 64 - 1, 9, 8, 7, 1);
    // A line is full unless an empty square on it reaches here.
    let mut empty = _mm512_set1_epi64(!discs as i64);
    for within in &WITHIN {
        // SAFETY: the source is 64 bytes, aligned to 64.
        let within = unsafe { _mm512_load_si512(std::ptr::from_ref(&within.0).cast()) };
        let moved = _mm512_rolv_epi64(empty, step);
        empty = _mm512_or_si512(empty, _mm512_and_si512(within, moved));
        step = _mm512_add_epi64(step, step);
    }
    let half = _mm256_or_si256(
        _mm512_castsi512_si256(empty),
        _mm512_extracti64x4_epi64::<1>(empty),
    );
    let full = _mm256_xor_si256(half, _mm256_set1_epi64x(-1));
    // SAFETY: both are four words.
    let [rows, rising, columns, falling] =
        unsafe { std::mem::transmute::<__m256i, [u64; 4]>(full) };
    [rows, columns, rising, falling]
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

//! Flips with AVX-512, which finds the highest bit of a word by itself. Vectors stay at
//! four words: wider ones would slow the processor's clock down.

use std::arch::x86_64::*;

pub(crate) use crate::eval::weights::avx512::sum;
use crate::rays::{DOWN, UP};

// What is compiled for AVX2 is inlined here and compiled anew.
pub(crate) use crate::hot::avx2::lines::{last_flips, moves};

/// Loads four rays.
macro_rules! load {
    ($rays:expr) => {
        // SAFETY: the source is 32 bytes, aligned to 32.
        unsafe { _mm256_load_si256(std::ptr::from_ref(&$rays.0).cast()) }
    };
}

fns! {
    /// The discs that turn over when `own` puts one on `square`.
    #[inline]
    pub(crate) fn flips(own: u64, other: u64, square: u32) -> u64 {
        let discs = _mm256_set1_epi64x(own as i64);
        let through = _mm256_set1_epi64x(other as i64);
        let zero = _mm256_setzero_si256();

        // Upwards, the first square of a ray that is not the opponent's is its lowest
        // bit; if it is own, everything below it in the ray turns over.
        let ray = load!(UP[(square & 63) as usize]);
        let stops = _mm256_andnot_si256(through, ray);
        let first = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
        let first = _mm256_and_si256(first, discs);
        let found = _mm256_test_epi64_mask(first, first);
        let below = _mm256_add_epi64(first, _mm256_set1_epi64x(-1));
        let up = _mm256_maskz_and_epi64(found, below, ray);

        // Downwards it is the highest bit, and everything above it turns over.
        let ray = load!(DOWN[(square & 63) as usize]);
        let stops = _mm256_andnot_si256(through, ray);
        let first = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
        let first = _mm256_and_si256(first, discs);
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(first, first));
        let down = _mm256_and_si256(above, ray);

        let turned = _mm256_or_si256(up, down);
        let half = _mm_or_si128(
            _mm256_castsi256_si128(turned),
            _mm256_extracti128_si256::<1>(turned),
        );
        _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
    }
}

//! How far a shallow search is from a deep one.
//!
//! The difference is taken to be normally distributed; its standard deviation grows with
//! the difference of the depths and shrinks towards the end of the game.

mod measure;

pub use measure::{Measure, Sample, fit, measure};

/// Searches shallower than this are not cut.
pub(crate) const MIN_DEPTH: u32 = 3;

/// The depth of the shallow search that stands in for one of depth `depth`.
#[inline]
pub(crate) const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// The standard deviation, in discs, between searches of these depths at positions with
/// so many empty squares.
#[inline]
pub(crate) fn deviation(empties: u32, deep: u32, shallow: u32) -> f32 {
    let (empties, deep, shallow) = (empties as f32, deep as f32, shallow as f32);
    let spread = COEFFICIENTS[0]
        + COEFFICIENTS[1] * empties
        + COEFFICIENTS[2] * deep
        + COEFFICIENTS[3] * shallow;
    spread.max(1.0)
}

const COEFFICIENTS: [f32; 4] = [5.56, -0.0987, 0.382, -0.683];

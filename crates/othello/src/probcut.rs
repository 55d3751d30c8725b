//! Multi-ProbCut: how far the value of a shallow search is from that of a deep one.
//!
//! The difference is taken to be normally distributed; its standard deviation is a product
//! of powers: it grows with the deeper depth, shrinks with the shallower one, and shrinks
//! by the same factor with every empty square more.

use std::array::from_fn;
use std::sync::LazyLock;

/// The least depth at which ProbCut is tried.
pub const MIN_DEPTH: u32 = 3;

/// The depth of the shallow search that replaces one of depth `depth`.
#[inline]
#[must_use]
pub const fn shallow_depth(depth: u32) -> u32 {
    2 * (depth / 4) + (depth & 1)
}

/// The depth of the search that is tried before that one towards the end of the game, where the
/// deep search is very deep.
#[inline]
#[must_use]
pub const fn first_depth(depth: u32) -> u32 {
    2 * (depth / 8) + (depth & 1)
}

/// The features of a pair of depths: their weighted sum is the logarithm of the standard
/// deviation.
#[must_use]
pub fn terms(empties: u32, deep: u32, shallow: u32) -> [f64; 4] {
    let (empties, deep, shallow) = (f64::from(empties), f64::from(deep), f64::from(shallow));
    [1.0, empties, deep.max(1.0).ln(), shallow.ln_1p()]
}

/// What a standard deviation in discs is made of; `ludex train othello-cuts` measures it.
const COEFFICIENTS: [f64; 4] = [1.646, -0.0220, 0.227, -0.329];

/// The standard deviation, in discs, between searches of these depths at positions with
/// so many empty squares.
fn deviation(empties: u32, deep: u32, shallow: u32) -> f64 {
    let terms = terms(empties, deep, shallow).into_iter();
    let sum: f64 = terms.zip(COEFFICIENTS).map(|(term, c)| term * c).sum();
    sum.exp()
}

/// Standard deviations by empty squares and depth of the deep search, ready for use.
pub(crate) struct Deviations([[Deviation; 61]; 61]);

/// The standard deviations of what stands in for one deep search.
#[derive(Clone, Copy)]
pub(crate) struct Deviation {
    /// Of the static evaluation.
    pub(crate) evaluation: f32,
    /// Of a search of [`first_depth`].
    pub(crate) first: f32,
    /// Of a search of [`shallow_depth`].
    pub(crate) shallow: f32,
}

/// The only ones there are.
pub(crate) static DEVIATIONS: LazyLock<Deviations> = LazyLock::new(|| {
    let of = |empties: usize, deep: usize| {
        let (empties, deep) = (empties as u32, deep as u32);
        let of = |shallow| deviation(empties, deep, shallow) as f32;
        Deviation {
            evaluation: of(0),
            first: of(first_depth(deep)),
            shallow: of(shallow_depth(deep)),
        }
    };
    Deviations(from_fn(|empties| from_fn(|deep| of(empties, deep))))
});

impl Deviations {
    /// Of what stands in for a search of depth `deep`.
    #[inline]
    pub(crate) fn of(&self, empties: u32, deep: u32) -> Deviation {
        self.0[empties as usize][deep as usize]
    }
}

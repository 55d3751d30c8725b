//! Stable discs, which can never be flipped: a lower bound on their number, and cutoffs by it.

use isa::{Isa, Kernel};

use super::bitboard::{column, full_lines, to_column};
use crate::edges::Edges;
use crate::score::MAX;

const BORDER: u64 = 0xff81_8181_8181_81ff;

/// Stability cutoff: the highest value that the opponent's stable discs leave, if not above
/// `alpha`.
///
/// They are counted only where the opponent has so many discs more than are needed that the cutoff is
/// likely: the more empty squares, the fewer discs are stable.
#[inline(always)]
pub(super) fn stability_cut<I: Isa>(
    isa: I,
    edges: &Edges,
    own: u64,
    other: u64,
    alpha: i32,
    empties: u32,
) -> Option<i32> {
    let most_if_all_stable = MAX - 2 * other.count_ones() as i32;
    if alpha - most_if_all_stable < 3 * empties as i32 + 2 {
        return None;
    }
    let most = MAX - 2 * isa.call(StableDiscs(edges, other, own)) as i32;
    (most <= alpha).then_some(most)
}

/// A lower bound on the number of stable discs of `own`.
pub(crate) struct StableDiscs<'a>(pub(crate) &'a Edges, pub(crate) u64, pub(crate) u64);

impl Kernel for StableDiscs<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u32 {
        let StableDiscs(edges, own, other) = self;
        let mut stable = stable_on_edges(isa, edges, own, other);
        let [rows, columns, rising, falling] = full_lines(isa, own | other);
        let inner = own & !BORDER;
        stable |= inner & rows & columns & rising & falling;
        if stable == 0 {
            return 0;
        }
        // A disc is stable if along each of the four lines it leans on a stable disc of
        // its own colour, or the line is full.
        loop {
            let found = inner
                & !stable
                & (rows | stable >> 1 | stable << 1)
                & (columns | stable >> 8 | stable << 8)
                & (rising | stable >> 7 | stable << 7)
                & (falling | stable >> 9 | stable << 9);
            if found == 0 {
                return stable.count_ones();
            }
            stable |= found;
        }
    }
}

/// The own discs on the border that are stable along their edges; along the other lines a
/// disc on the border cannot be outflanked.
#[inline(always)]
fn stable_on_edges<I: Isa>(isa: I, edges: &Edges, own: u64, other: u64) -> u64 {
    edges.stable(own, other)
        | edges.stable(own >> 56, other >> 56) << 56
        | to_column(isa, edges.stable(column(isa, own), column(isa, other)))
        | to_column(
            isa,
            edges.stable(column(isa, own >> 7), column(isa, other >> 7)),
        ) << 7
}

//! Shallow search: the last plies of a search that does not reach the end of the game.
//! Values are in parts of a disc; there is no transposition table.

use arrayvec::ArrayVec;
use isa::{Isa, Kernel};
use reversi::{Discs, Square};

use super::bitboard::{flips, moves};
use crate::eval::{Correction, DISC, Features, LANES, MOST, mobility, sum};
use crate::kernel::Node;
use crate::score::final_score;
use crate::worker::Worker;

/// Greater than every value.
pub(crate) const INFINITE: i32 = 1 << 20;

/// The features after a move.
#[inline(always)]
pub(crate) fn played(features: &Features, square: u32, flipped: u64) -> Features {
    features.played_inline(Square::new(square as u8), Discs(flipped))
}

/// The static evaluation of a position, in parts of a disc.
#[inline(always)]
pub(crate) fn evaluate<I: Isa>(isa: I, worker: &Worker<'_>, node: Node<'_>) -> i32 {
    evaluate_near(isa, worker, node, -INFINITE, INFINITE)
}

/// The static evaluation of a position, in parts of a disc; without the network if the value is
/// far outside `low` to `high`.
#[inline(always)]
pub(crate) fn evaluate_near<I: Isa>(
    isa: I,
    worker: &Worker<'_>,
    node: Node<'_>,
    low: i32,
    high: i32,
) -> i32 {
    let Node {
        own,
        other,
        features,
    } = node;
    let mobility = mobility(moves(isa, own, other), moves(isa, other, own));
    let empties = (!(own | other)).count_ones();
    let indices = features.indices(mobility);
    let mut value = sum(isa, worker.weights.slots(empties), &indices);
    if value > low - DOUBT && value < high + DOUBT {
        value += isa.call(Correction(worker.network, &indices, empties));
    }
    value.clamp(-MOST, MOST)
}

/// Larger corrections are rare: a value that is so far outside the window is not corrected.
const DOUBT: i32 = 8 * DISC;

/// The last ply, in two stages: the sums of weights of all successors, then the network for
/// those that may matter, the most promising first.
#[inline(always)]
fn last_ply<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    node: Node<'_>,
    legal: u64,
    (alpha, beta): (i32, i32),
) -> i32 {
    let Node {
        own,
        other,
        features,
    } = node;
    let reply = features.before_reply();
    let empties = (!(own | other)).count_ones() - 1;
    let slots = worker.weights.slots(empties);
    let mut values = ArrayVec::<i32, 64>::new();
    let mut successors = ArrayVec::<[u16; LANES], 64>::new();
    let mut left = legal;
    while left != 0 {
        let square = left.trailing_zeros();
        left &= left - 1;
        worker.nodes += 1;
        let flipped = flips(isa, own, other, square);
        let (own, other) = (other ^ flipped, own | flipped | 1 << square);
        let mobility = mobility(moves(isa, own, other), moves(isa, other, own));
        let indices = reply.after(square, flipped, mobility);
        let value = -sum(isa, slots, &indices);
        if value >= beta + DOUBT {
            return value.min(MOST);
        }
        values.push(value);
        successors.push(indices);
    }
    let mut best = -INFINITE;
    loop {
        let mut at = 0;
        for index in 1..values.len() {
            if values[index] > values[at] {
                at = index;
            }
        }
        let value = values[at];
        if value <= alpha.max(best) - DOUBT {
            return best.max(value).max(-MOST);
        }
        let correction = isa.call(Correction(worker.network, &successors[at], empties));
        best = best.max((value - correction).clamp(-MOST, MOST));
        if best >= beta {
            return best;
        }
        values[at] = -INFINITE;
    }
}

/// Alpha–beta to `depth` plies, in parts of a disc.
pub(crate) struct Shallow<'a, 'w>(
    pub(crate) &'a mut Worker<'w>,
    pub(crate) Node<'a>,
    pub(crate) i32,
    pub(crate) i32,
    pub(crate) u32,
);

impl Kernel for Shallow<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Shallow(worker, node, alpha, beta, depth) = self;
        let Node {
            own,
            other,
            features,
        } = node;
        worker.nodes += 1;
        if depth == 0 {
            return evaluate(isa, worker, node);
        }
        let mut left = moves(isa, own, other);
        if left == 0 {
            if moves(isa, other, own) == 0 {
                return final_score(own, other) * DISC;
            }
            let features = features.passed();
            let node = Node {
                own: other,
                other: own,
                features: &features,
            };
            return -isa.call(Shallow(worker, node, -beta, -alpha, depth));
        }
        if depth == 1 {
            return last_ply(isa, worker, node, left, (alpha, beta));
        }
        let mut best = -INFINITE;
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            let flipped = flips(isa, own, other, square);
            let features = played(features, square, flipped);
            let node = Node {
                own: other ^ flipped,
                other: own | flipped | 1 << square,
                features: &features,
            };
            let value = -isa.call(Shallow(worker, node, -beta, -alpha.max(best), depth - 1));
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }
}

//! Shallow search: the last plies of a search that does not reach the end of the game.
//! Values are in parts of a disc; there is no transposition table.

use isa::{Isa, Kernel};
use reversi::{Discs, Square};

use super::bitboard::{flips, moves};
use crate::eval::{DISC, Features, MOST, Reply, mobility, sum};
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
    let Node {
        own,
        other,
        features,
    } = node;
    let mobility = mobility(moves(isa, own, other), moves(isa, other, own));
    let slots = worker.weights.slots((!(own | other)).count_ones());
    sum(isa, slots, &features.indices(mobility)).clamp(-MOST, MOST)
}

/// The static evaluation of the position after a move, for the opponent, who is `own`
/// now; `replies` are the opponent's moves.
#[inline(always)]
pub(crate) fn evaluate_after<I: Isa>(
    isa: I,
    worker: &Worker<'_>,
    reply: &Reply,
    (square, flipped): (u32, u64),
    (own, other): (u64, u64),
    replies: u64,
) -> i32 {
    let mobility = mobility(replies, moves(isa, other, own));
    let slots = worker.weights.slots((!(own | other)).count_ones());
    sum(isa, slots, &reply.after(square, flipped, mobility)).clamp(-MOST, MOST)
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
        let mut best = -INFINITE;
        if depth == 1 {
            let reply = features.before_reply();
            while left != 0 && best < beta {
                let square = left.trailing_zeros();
                left &= left - 1;
                worker.nodes += 1;
                let flipped = flips(isa, own, other, square);
                let next = (other ^ flipped, own | flipped | 1 << square);
                let replies = moves(isa, next.0, next.1);
                let mv = (square, flipped);
                best = best.max(-evaluate_after(isa, worker, &reply, mv, next, replies));
            }
            return best;
        }
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

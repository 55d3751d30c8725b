//! Shallow search: the last plies of a search that does not reach the end of the game.
//! Values are in parts of a disc; there is no transposition table.

use super::bitboard::{flips, moves, sum};
use crate::eval::{DISC, Features, MOST, Reply, mobility};
use crate::score::final_score;
use crate::worker::Worker;
use reversi::{Discs, Square};

/// Greater than every value.
pub(crate) const INFINITE: i32 = 1 << 20;

fns! {
    /// The features after a move.
    #[inline]
    pub(crate) fn played(features: &Features, square: u32, flipped: u64) -> Features {
        features.played_portable(Square::new(square as u8), Discs(flipped))
    }

    /// The static evaluation of a position, in parts of a disc.
    #[inline]
    pub(crate) fn evaluate(worker: &Worker<'_>, own: u64, other: u64, features: &Features) -> i32 {
        let mobility = mobility(moves(own, other), moves(other, own));
        let slots = worker.weights.slots((!(own | other)).count_ones());
        sum(slots, &features.indices(mobility)).clamp(-MOST, MOST)
    }

    /// The static evaluation of the position after a move, for the opponent, who is `own`
    /// now; `replies` are the opponent's moves.
    #[inline]
    pub(crate) fn evaluate_after(
        worker: &Worker<'_>,
        reply: &Reply,
        (square, flipped): (u32, u64),
        (own, other): (u64, u64),
        replies: u64,
    ) -> i32 {
        let mobility = mobility(replies, moves(other, own));
        let slots = worker.weights.slots((!(own | other)).count_ones());
        sum(slots, &reply.after(square, flipped, mobility)).clamp(-MOST, MOST)
    }

    /// Alpha–beta to `depth` plies, in parts of a disc.
    pub(crate) fn shallow(
        worker: &mut Worker<'_>,
        own: u64,
        other: u64,
        features: &Features,
        alpha: i32,
        beta: i32,
        depth: u32,
    ) -> i32 {
        worker.nodes += 1;
        if depth == 0 {
            return evaluate(worker, own, other, features);
        }
        let mut left = moves(own, other);
        if left == 0 {
            return if moves(other, own) == 0 {
                final_score(own, other) * DISC
            } else {
                -shallow(worker, other, own, &features.passed(), -beta, -alpha, depth)
            };
        }
        let mut best = -INFINITE;
        if depth == 1 {
            let reply = features.before_reply();
            while left != 0 && best < beta {
                let square = left.trailing_zeros();
                left &= left - 1;
                worker.nodes += 1;
                let flipped = flips(own, other, square);
                let next = (other ^ flipped, own | flipped | 1 << square);
                let replies = moves(next.0, next.1);
                best = best.max(-evaluate_after(worker, &reply, (square, flipped), next, replies));
            }
            return best;
        }
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            let flipped = flips(own, other, square);
            let next = played(features, square, flipped);
            let (next_own, next_other) = (other ^ flipped, own | flipped | 1 << square);
            let value = -shallow(worker, next_own, next_other, &next, -beta, -alpha.max(best), depth - 1);
            best = best.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }
}

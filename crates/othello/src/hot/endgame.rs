//! Exact search to the end of the game.

use arrayvec::ArrayVec;

use super::leaf::solve_4;
use super::lines::{flips, moves};
use super::stability::stable_discs;
use crate::hot::{Candidate, Candidates};
use crate::level::Level;
use crate::parity;
use crate::score::{MAX, final_score};
use crate::table::{Found, NO_MOVE, hash};
use crate::worker::Worker;

/// With at most so many empty squares the order of moves follows parity alone.
const SHALLOW: u32 = 7;
const SORTED: u32 = 7;
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// From so many empty squares on, a look at all successors in the table comes first.
const ENHANCED: u32 = 11;
/// The level of knowledge that is beyond doubt.
const EXACT: u8 = Level::EXACT.index();

/// Stable discs are worth counting only if `alpha` is high: then few of them suffice.
#[inline]
pub(crate) const fn stability_may_cut(alpha: i32, empties: u32) -> bool {
    alpha >= 2 * empties as i32 - 4
}

fns! {
    /// Whether the value with a few empty squares exceeds `alpha`.
    fn shallow(worker: &mut Worker<'_>, own: u64, other: u64, alpha: i32, empties: u32) -> i32 {
        worker.nodes += 1;
        if stability_may_cut(alpha, empties) {
            let most = MAX - 2 * stable_discs(worker.edges, other, own) as i32;
            if most <= alpha {
                return most;
            }
        }
        let legal = moves(own, other);
        if legal == 0 {
            return if moves(other, own) == 0 {
                final_score(own, other)
            } else {
                -shallow(worker, other, own, !alpha, empties)
            };
        }
        let odd = parity::odd(!(own | other));
        let mut best = -MAX;
        if empties >= SORTED {
            let mut list = ArrayVec::<(u64, u64, i32), 16>::new();
            let mut left = legal;
            while left != 0 {
                let square = left.trailing_zeros();
                left &= left - 1;
                let turned = flips(own, other, square);
                let (next_own, next_other) = (other ^ turned, own | turned | 1 << square);
                let replies = moves(next_own, next_other);
                let freedom = (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
                list.push((next_own, next_other, 2 * freedom - (odd >> square & 1) as i32));
            }
            while !list.is_empty() {
                let mut at = 0;
                for i in 1..list.len() {
                    if list[i].2 < list[at].2 {
                        at = i;
                    }
                }
                let (next_own, next_other, _) = list.swap_remove(at);
                let value = -shallow(worker, next_own, next_other, !alpha, empties - 1);
                if value > alpha {
                    return value;
                }
                best = best.max(value);
            }
            return best;
        }
        for group in [legal & odd, legal & !odd] {
            let mut left = group;
            while left != 0 {
                let square = left.trailing_zeros();
                left &= left - 1;
                let turned = flips(own, other, square);
                let (next_own, next_other) = (other ^ turned, own | turned | 1 << square);
                let value = -if empties == 5 {
                    solve_4(worker, next_own, next_other, !alpha)
                } else {
                    shallow(worker, next_own, next_other, !alpha, empties - 1)
                };
                if value > alpha {
                    return value;
                }
                best = best.max(value);
            }
        }
        best
    }

    /// Whether the value exceeds `alpha`: a bound on the value, on the right side of it.
    pub(crate) fn null_window(worker: &mut Worker<'_>, own: u64, other: u64, alpha: i32, empties: u32) -> i32 {
        if empties <= SHALLOW {
            return match empties {
                5.. => shallow(worker, own, other, alpha, empties),
                4 => solve_4(worker, own, other, alpha),
                _ => tail(worker, own, other, alpha, alpha + 1),
            };
        }
        worker.nodes += 1;
        if worker.stopped() {
            return alpha;
        }
        if stability_may_cut(alpha, empties) {
            let most = MAX - 2 * stable_discs(worker.edges, other, own) as i32;
            if most <= alpha {
                return most;
            }
        }
        let key = hash(own, other);
        let mut first = [NO_MOVE; 2];
        if let Some(record) = worker.table.probe(key) {
            if record.holds_for(empties as u8, EXACT) {
                let (lower, upper) = (i32::from(record.lower), i32::from(record.upper));
                if lower > alpha {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
            first = record.moves;
        }
        let legal = moves(own, other);
        if legal == 0 {
            return if moves(other, own) == 0 {
                final_score(own, other)
            } else {
                -null_window(worker, other, own, !alpha, empties)
            };
        }
        let mut candidates = Candidates::new();
        fill(&mut candidates, worker, own, other, legal, first);
        if empties >= ENHANCED
            && let Some(value) = transposition(worker, &candidates, alpha, empties)
        {
            return value;
        }
        let (mut best, mut best_move) = (-MAX, NO_MOVE);
        while let Some(candidate) = next(&mut candidates) {
            let value = -null_window(worker, candidate.own, candidate.other, !alpha, empties - 1);
            if value > best {
                (best, best_move) = (value, candidate.square);
                if value > alpha {
                    break;
                }
            }
        }
        if !worker.stopped() {
            worker.table.store(key, Found {
                value: best,
                alpha,
                beta: alpha + 1,
                best: best_move,
                depth: empties as u8,
                level: EXACT,
            });
        }
        best
    }

    /// The value if it lies between `alpha` and `beta`, else a bound beyond them.
    pub(crate) fn full_window(worker: &mut Worker<'_>, own: u64, other: u64, alpha: i32, beta: i32, empties: u32) -> i32 {
        if empties <= SHALLOW {
            return tail(worker, own, other, alpha, beta);
        }
        worker.nodes += 1;
        if worker.stopped() {
            return alpha;
        }
        let legal = moves(own, other);
        if legal == 0 {
            return if moves(other, own) == 0 {
                final_score(own, other)
            } else {
                -full_window(worker, other, own, -beta, -alpha, empties)
            };
        }
        let key = hash(own, other);
        let first = worker.table.probe(key).map_or([NO_MOVE; 2], |record| record.moves);
        let mut candidates = Candidates::new();
        fill(&mut candidates, worker, own, other, legal, first);
        let (mut best, mut best_move) = (-MAX - 1, NO_MOVE);
        while let Some(candidate) = next(&mut candidates) {
            let from = alpha.max(best);
            let mut value = from + 1;
            if best_move != NO_MOVE {
                value = -null_window(worker, candidate.own, candidate.other, !from, empties - 1);
            }
            if best_move == NO_MOVE || (value > from && value < beta) {
                value = -full_window(worker, candidate.own, candidate.other, -beta, -from, empties - 1);
            }
            if value > best {
                (best, best_move) = (value, candidate.square);
                if value >= beta {
                    break;
                }
            }
        }
        if !worker.stopped() {
            worker.table.store(key, Found {
                value: best,
                alpha,
                beta,
                best: best_move,
                depth: empties as u8,
                level: EXACT,
            });
        }
        best
    }

    /// Plain alpha-beta, for the few places where speed does not matter.
    fn tail(worker: &mut Worker<'_>, own: u64, other: u64, alpha: i32, beta: i32) -> i32 {
        worker.nodes += 1;
        let mut left = moves(own, other);
        if left == 0 {
            return if moves(other, own) == 0 {
                final_score(own, other)
            } else {
                -tail(worker, other, own, -beta, -alpha)
            };
        }
        let mut best = -MAX;
        while left != 0 && best < beta {
            let square = left.trailing_zeros();
            left &= left - 1;
            let turned = flips(own, other, square);
            let value = -tail(worker, other ^ turned, own | turned | 1 << square, -beta, -alpha.max(best));
            best = best.max(value);
        }
        best
    }

    /// The moves with a first guess of how good they are.
    #[inline]
    fn fill(list: &mut Candidates, worker: &Worker<'_>, own: u64, other: u64, legal: u64, first: [u8; 2]) {
        let empty = !(own | other);
        let odd = parity::odd(empty);
        // Successors below the reach of the table need no hash.
        let looked_up = empty.count_ones() > SHALLOW + 1;
        let mut left = legal;
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            let turned = flips(own, other, square);
            let (next_own, next_other) = (other ^ turned, own | turned | 1 << square);
            let score = if square == u32::from(first[0]) {
                1 << 20
            } else if square == u32::from(first[1]) {
                1 << 19
            } else {
                let replies = moves(next_own, next_other);
                let corners = replies & 0x8100_0000_0000_0081;
                let odd_bonus = i32::from(odd >> square & 1 != 0);
                odd_bonus * 8 - 16 * (replies.count_ones() + corners.count_ones()) as i32
            };
            let hash = if looked_up {
                let hash = hash(next_own, next_other);
                worker.table.prefetch(hash);
                hash
            } else {
                0
            };
            list.push(Candidate {
                own: next_own,
                other: next_other,
                hash,
                turned,
                score,
                square: square as u8,
            });
        }
    }

    /// Takes the most promising move out of the list.
    #[inline]
    fn next(list: &mut Candidates) -> Option<Candidate> {
        let mut best = 0;
        for i in 1..list.len() {
            if list[i].score > list[best].score {
                best = i;
            }
        }
        list.swap_pop(best)
    }

    /// A value above `alpha` that some successor in the table promises.
    #[inline]
    fn transposition(worker: &Worker<'_>, list: &Candidates, alpha: i32, empties: u32) -> Option<i32> {
        list.iter().find_map(|candidate| {
            let record = worker.table.probe(candidate.hash)?;
            let value = -i32::from(record.upper);
            (record.holds_for(empties as u8 - 1, EXACT) && value > alpha).then_some(value)
        })
    }
}

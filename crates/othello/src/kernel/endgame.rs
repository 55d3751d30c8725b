//! Exact search to the end of the game with at most twelve or so empty squares, without
//! the evaluation: moves ordered by parity and mobility, cutoffs by stability.

use arrayvec::ArrayVec;

use super::bitboard::{flips, moves};
use super::last_empties::solve_4;
use super::stability::stable_discs;
use crate::level::Level;
use crate::parity;
use crate::score::{MAX, final_score};
use crate::table::{Entry, Found, NO_MOVE, hash};
use crate::worker::Worker;

/// With at most this many empty squares moves are ordered by parity alone.
const PARITY_ONLY: u32 = 6;
/// With at most this many empty squares no table is probed.
const NO_TABLE: u32 = 7;
/// With at most this many empty squares the thread's own small table is used, which fits
/// into its cache.
const LOCAL_TABLE: u32 = 10;
/// The fewest empty squares with which all successors are probed first.
const ENHANCED_CUTOFF: u32 = 9;
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The level of table entries of exact searches.
const EXACT: u8 = Level::EXACT.index();

/// A position with its legal moves.
#[derive(Clone, Copy)]
struct Turn {
    own: u64,
    other: u64,
    legal: u64,
}

/// The moves of a position, to be taken one by one in the order of their cost.
struct List {
    /// The positions after them, seen by the opponent.
    turns: ArrayVec<Turn, 64>,
    /// For each its cost, its place in the list and its square, a byte for each of the
    /// last two; [`TAKEN`] if it has been taken.
    keys: ArrayVec<u32, 64>,
}

const TAKEN: u32 = u32::MAX;

impl List {
    #[inline(always)]
    fn new() -> List {
        List {
            turns: ArrayVec::new(),
            keys: ArrayVec::new(),
        }
    }

    #[inline(always)]
    fn push(&mut self, turn: Turn, cost: u32, square: u32) {
        self.keys
            .push(cost << 16 | (self.turns.len() as u32) << 8 | square);
        self.turns.push(turn);
    }

    /// Takes the move of the least cost and the position after it.
    #[inline(always)]
    fn take(&mut self) -> Option<(Turn, u8)> {
        let key = self
            .keys
            .iter()
            .copied()
            .min()
            .filter(|&key| key != TAKEN)?;
        let place = (key >> 8 & 63) as usize;
        self.keys[place] = TAKEN;
        Some((self.turns[place], key as u8))
    }
}

/// Whether counting stable discs pays: only if `alpha` is high, so that few suffice.
#[inline]
pub(crate) const fn stability_may_cut(alpha: i32, empties: u32) -> bool {
    alpha >= 2 * empties as i32 - 4
}

fns! {
    /// Null-window search: a bound on the value, on the same side of `alpha` as the value.
    pub(crate) fn null_window(worker: &mut Worker<'_>, own: u64, other: u64, alpha: i32, empties: u32) -> i32 {
        let turn = Turn { own, other, legal: moves(own, other) };
        match empties {
            0..4 => alpha_beta(worker, own, other, alpha, alpha + 1),
            4 => solve_4(worker, own, other, alpha),
            5..=PARITY_ONLY => by_parity(worker, turn, alpha, empties),
            NO_TABLE => fastest_first(worker, turn, alpha, empties),
            _ => with_table(worker, turn, alpha, empties),
        }
    }

    /// Stability cutoff: the highest value that the opponent's stable discs leave, if not
    /// above `alpha`.
    #[inline]
    fn stability_cut(worker: &Worker<'_>, turn: Turn, alpha: i32, empties: u32) -> Option<i32> {
        if !stability_may_cut(alpha, empties) {
            return None;
        }
        let most = MAX - 2 * stable_discs(worker.edges, turn.other, turn.own) as i32;
        (most <= alpha).then_some(most)
    }

    /// The position after a move.
    #[inline]
    fn play(turn: Turn, square: u32) -> (u64, u64) {
        let flipped = flips(turn.own, turn.other, square);
        (turn.other ^ flipped, turn.own | flipped | 1 << square)
    }

    /// The position after a pass; `None` if the opponent has no move either.
    #[inline]
    fn passed(turn: Turn) -> Option<Turn> {
        let legal = moves(turn.other, turn.own);
        (legal != 0).then_some(Turn { own: turn.other, other: turn.own, legal })
    }

    /// Five or six empty squares: moves in odd quadrants first.
    fn by_parity(worker: &mut Worker<'_>, turn: Turn, alpha: i32, empties: u32) -> i32 {
        worker.nodes += 1;
        if let Some(most) = stability_cut(worker, turn, alpha, empties) {
            return most;
        }
        let Turn { own, other, legal } = turn;
        if legal == 0 {
            return match passed(turn) {
                Some(next) => -by_parity(worker, next, !alpha, empties),
                None => final_score(own, other),
            };
        }
        let odd = parity::odd(!(own | other));
        let mut best = -MAX;
        for group in [legal & odd, legal & !odd] {
            let mut left = group;
            while left != 0 {
                let square = left.trailing_zeros();
                left &= left - 1;
                let (own, other) = play(turn, square);
                let value = -if empties == 5 {
                    solve_4(worker, own, other, !alpha)
                } else {
                    by_parity(worker, Turn { own, other, legal: moves(own, other) }, !alpha, empties - 1)
                };
                if value > alpha {
                    return value;
                }
                best = best.max(value);
            }
        }
        best
    }

    /// Seven empty squares: moves in the fastest-first order, no table.
    fn fastest_first(worker: &mut Worker<'_>, turn: Turn, alpha: i32, empties: u32) -> i32 {
        worker.nodes += 1;
        if let Some(most) = stability_cut(worker, turn, alpha, empties) {
            return most;
        }
        let Turn { own, other, legal } = turn;
        if legal == 0 {
            return match passed(turn) {
                Some(next) => -fastest_first(worker, next, !alpha, empties),
                None => final_score(own, other),
            };
        }
        let mut list = List::new();
        generate(&mut list, worker, turn, NO_TABLE, [NO_MOVE; 2]);
        let mut best = -MAX;
        while let Some((next, _)) = list.take() {
            let value = -by_parity(worker, next, !alpha, empties - 1);
            if value > alpha {
                return value;
            }
            best = best.max(value);
        }
        best
    }

    /// Eight empty squares or more: the table first, then moves in the fastest-first order.
    fn with_table(worker: &mut Worker<'_>, turn: Turn, alpha: i32, empties: u32) -> i32 {
        worker.nodes += 1;
        if worker.stopped() {
            return alpha;
        }
        if let Some(most) = stability_cut(worker, turn, alpha, empties) {
            return most;
        }
        let Turn { own, other, legal } = turn;
        let key = hash(own, other);
        let mut first = [NO_MOVE; 2];
        if let Some(entry) = probe(worker, key, empties) {
            if entry.holds_for(empties as u8, EXACT) {
                let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
                if lower > alpha {
                    return lower;
                }
                if upper <= alpha {
                    return upper;
                }
            }
            first = entry.moves;
        }
        if legal == 0 {
            return match passed(turn) {
                Some(next) => -with_table(worker, next, !alpha, empties),
                None => final_score(own, other),
            };
        }
        let mut list = List::new();
        generate(&mut list, worker, turn, empties, first);
        if empties >= ENHANCED_CUTOFF && let Some(value) = enhanced_cutoff(worker, &list, alpha, empties) {
            return value;
        }
        let (mut best, mut best_move) = (-MAX, NO_MOVE);
        while let Some((next, square)) = list.take() {
            let value = -if empties == NO_TABLE + 1 {
                fastest_first(worker, next, !alpha, empties - 1)
            } else {
                with_table(worker, next, !alpha, empties - 1)
            };
            if value > best {
                (best, best_move) = (value, square);
                if value > alpha {
                    break;
                }
            }
        }
        if !worker.stopped() {
            store(worker, key, Found {
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

    /// The table entry of a position.
    #[inline]
    fn probe(worker: &Worker<'_>, key: u64, empties: u32) -> Option<Entry> {
        if empties <= LOCAL_TABLE { worker.local.probe(key) } else { worker.table.probe(key) }
    }

    /// Stores the result of a search to the end.
    #[inline]
    fn store(worker: &mut Worker<'_>, key: u64, found: Found) {
        if u32::from(found.depth) <= LOCAL_TABLE {
            worker.local.store(key, found);
        } else {
            worker.table.store(key, found);
        }
    }

    /// Principal variation search: the value if it lies between `alpha` and `beta`, else a
    /// bound on it.
    pub(crate) fn full_window(worker: &mut Worker<'_>, own: u64, other: u64, alpha: i32, beta: i32, empties: u32) -> i32 {
        if empties <= NO_TABLE {
            return alpha_beta(worker, own, other, alpha, beta);
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
        let first = worker.table.probe(key).map_or([NO_MOVE; 2], |entry| entry.moves);
        let mut list = List::new();
        generate(&mut list, worker, Turn { own, other, legal }, empties, first);
        let (mut best, mut best_move) = (-MAX - 1, NO_MOVE);
        while let Some((Turn { own, other, .. }, square)) = list.take() {
            let from = alpha.max(best);
            let mut value = from + 1;
            if best_move != NO_MOVE {
                value = -null_window(worker, own, other, !from, empties - 1);
            }
            if best_move == NO_MOVE || (value > from && value < beta) {
                value = -full_window(worker, own, other, -beta, -from, empties - 1);
            }
            if value > best {
                (best, best_move) = (value, square);
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

    /// Plain alpha–beta, for the few places where speed does not matter.
    fn alpha_beta(worker: &mut Worker<'_>, own: u64, other: u64, alpha: i32, beta: i32) -> i32 {
        worker.nodes += 1;
        let mut left = moves(own, other);
        if left == 0 {
            return if moves(other, own) == 0 {
                final_score(own, other)
            } else {
                -alpha_beta(worker, other, own, -beta, -alpha)
            };
        }
        let mut best = -MAX;
        while left != 0 && best < beta {
            let square = left.trailing_zeros();
            left &= left - 1;
            let flipped = flips(own, other, square);
            let value = -alpha_beta(worker, other ^ flipped, own | flipped | 1 << square, -beta, -alpha.max(best));
            best = best.max(value);
        }
        best
    }

    /// Move generation in the fastest-first order: a move costs more the more replies it
    /// leaves, corners counting twice, and less in an odd quadrant.
    #[inline]
    fn generate(list: &mut List, worker: &Worker<'_>, turn: Turn, empties: u32, first: [u8; 2]) {
        let odd = parity::odd(!(turn.own | turn.other));
        let mut left = turn.legal;
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            let (own, other) = play(turn, square);
            if empties - 1 > LOCAL_TABLE {
                worker.table.prefetch(hash(own, other));
            } else if empties >= ENHANCED_CUTOFF {
                worker.local.prefetch(hash(own, other));
            }
            let legal = moves(own, other);
            let cost = if square == u32::from(first[0]) {
                0
            } else if square == u32::from(first[1]) {
                1
            } else {
                let freedom = legal.count_ones() + (legal & CORNERS).count_ones();
                2 * freedom + 3 - (odd >> square & 1) as u32
            };
            list.push(Turn { own, other, legal }, cost, square);
        }
    }

    /// Enhanced transposition cutoff: a value above `alpha` that the table entry of some
    /// successor guarantees.
    #[inline]
    fn enhanced_cutoff(worker: &Worker<'_>, list: &List, alpha: i32, empties: u32) -> Option<i32> {
        list.turns.iter().find_map(|next| {
            let entry = probe(worker, hash(next.own, next.other), empties - 1)?;
            let value = -i32::from(entry.upper);
            (entry.holds_for(empties as u8 - 1, EXACT) && value > alpha).then_some(value)
        })
    }
}

//! The last four empty squares: no table with three or fewer, and no move generation either.
//!
//! All searches here have a null window: they return a bound on the value that is on the
//! same side of `alpha` as the value.

use isa::{Isa, Kernel};

use super::bitboard::{flips, last_flips};
use super::move_list::Turn;
use super::stability::stability_cut;
use crate::parity;
use crate::rays::AROUND;
use crate::score::final_score;
use crate::table::hash;
use crate::worker::Worker;

/// The value with one empty square left.
#[inline(always)]
fn solve_1<I: Isa>(isa: I, worker: &mut Worker<'_>, own: u64, square: u32) -> i32 {
    worker.nodes += 1;
    let kept = 2 * own.count_ones() as i32 - 64;
    let flipped = last_flips(isa, own, square) as i32;
    if flipped != 0 {
        return kept + 2 + 2 * flipped;
    }
    let other = !own & !(1 << square);
    let flipped = last_flips(isa, other, square) as i32;
    if flipped != 0 {
        return kept - 2 * flipped;
    }
    // Neither side can move: the empty square goes to the winner.
    if kept >= 0 { kept + 2 } else { kept }
}

/// Null-window search with two empty squares.
#[inline(always)]
fn solve_2<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    own: u64,
    other: u64,
    alpha: i32,
    squares: [u32; 2],
) -> i32 {
    worker.nodes += 1;
    let [a, b] = squares;
    let mut best = i32::MIN;
    if other & AROUND[a as usize & 63] != 0 {
        let flipped = flips(isa, own, other, a);
        if flipped != 0 {
            best = -solve_1(isa, worker, other ^ flipped, b);
            if best > alpha {
                return best;
            }
        }
    }
    if other & AROUND[b as usize & 63] != 0 {
        let flipped = flips(isa, own, other, b);
        if flipped != 0 {
            return best.max(-solve_1(isa, worker, other ^ flipped, a));
        }
    }
    if best > i32::MIN {
        return best;
    }
    // A pass: the opponent moves, if possible.
    let mut worst = i32::MAX;
    let flipped = flips(isa, other, own, a);
    if flipped != 0 {
        worst = solve_1(isa, worker, own ^ flipped, b);
        if worst <= alpha {
            return worst;
        }
    }
    let flipped = flips(isa, other, own, b);
    if flipped != 0 {
        worst = worst.min(solve_1(isa, worker, own ^ flipped, a));
    }
    if worst < i32::MAX {
        worst
    } else {
        final_score(own, other)
    }
}

/// Null-window search with three empty squares.
struct Solve3<'a, 'w>(&'a mut Worker<'w>, u64, u64, i32, [u32; 3], bool);

impl Kernel for Solve3<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Solve3(worker, own, other, alpha, squares, passed) = self;
        worker.nodes += 1;
        if let Some(most) = stability_cut(isa, worker.edges, own, other, alpha, 3) {
            return most;
        }
        let [a, b, c] = squares;
        let mut best = i32::MIN;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if other & AROUND[square as usize & 63] != 0 {
                let flipped = flips(isa, own, other, square);
                if flipped != 0 {
                    let value = -solve_2(
                        isa,
                        worker,
                        other ^ flipped,
                        own | flipped | 1 << square,
                        !alpha,
                        rest,
                    );
                    if value > alpha {
                        return value;
                    }
                    best = best.max(value);
                }
            }
        }
        if best > i32::MIN {
            best
        } else if passed {
            final_score(own, other)
        } else {
            -isa.call(Solve3(worker, other, own, !alpha, squares, true))
        }
    }
}

/// Null-window search with four empty squares.
pub(super) struct Solve4<'a, 'w>(
    pub(super) &'a mut Worker<'w>,
    pub(super) Turn,
    pub(super) i32,
);

impl Kernel for Solve4<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Solve4(worker, turn, alpha) = self;
        worker.nodes += 1;
        let Turn { own, other, legal } = turn;
        if let Some(most) = stability_cut(isa, worker.edges, own, other, alpha, 4) {
            return most;
        }
        if legal == 0 {
            return match turn.passed(isa) {
                Some(next) => -isa.call(Solve4(worker, next, !alpha)),
                None => final_score(own, other),
            };
        }
        let key = hash(own, other);
        if let Some(bound) = worker.local.recent.cutoff(key, alpha) {
            return bound;
        }
        let empty = !(own | other);
        let odd = parity::odd(empty);
        let mut best = i32::MIN;
        'moves: for group in [legal & odd, legal & !odd] {
            let mut left = group;
            while left != 0 {
                let square = left.trailing_zeros();
                left &= left - 1;
                let (own, other) = turn.play(isa, square);
                let squares = three(empty & !(1 << square));
                let value = -isa.call(Solve3(worker, own, other, !alpha, squares, false));
                best = best.max(value);
                if value > alpha {
                    break 'moves;
                }
            }
        }
        worker.local.recent.store(key, best, alpha);
        best
    }
}

/// The three squares of a set, one that is alone in its quadrant first.
#[inline(always)]
fn three(set: u64) -> [u32; 3] {
    let a = set.trailing_zeros();
    let c = 63 - set.leading_zeros();
    let b = (set & (set - 1)).trailing_zeros();
    let (qa, qb, qc) = (
        parity::quadrant(a),
        parity::quadrant(b),
        parity::quadrant(c),
    );
    if qa == qc {
        [b, a, c]
    } else if qa == qb {
        [c, a, b]
    } else {
        [a, b, c]
    }
}

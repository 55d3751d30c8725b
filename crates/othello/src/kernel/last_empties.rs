//! The last four empty squares: no table with three or fewer, and no move generation either.
//!
//! All searches here have a null window: they return a bound on the value that is on the
//! same side of `alpha` as the value.

use isa::{Isa, Visitor};

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

/// The discs of both players.
#[derive(Clone, Copy)]
struct Discs {
    own: u64,
    other: u64,
}

/// Null-window search with three empty squares, given in the lowest three bytes; all bits above
/// them are set after a pass.
struct Solve3<const CUT: bool>;

#[inline(always)]
fn solve_3<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    discs: Discs,
    alpha: i32,
    squares: u32,
    cut: bool,
) -> i32 {
    if cut {
        isa.visit::<Solve3<true>, _, _>(worker, discs, alpha, squares)
    } else {
        isa.visit::<Solve3<false>, _, _>(worker, discs, alpha, squares)
    }
}

const PASSED: u32 = 0xff00_0000;

impl<const CUT: bool> Visitor<Worker<'_>, Discs> for Solve3<CUT> {
    #[inline(always)]
    fn run<I: Isa>(isa: I, worker: &mut Worker<'_>, discs: Discs, alpha: i32, squares: u32) -> i32 {
        let Discs { own, other } = discs;
        worker.nodes += 1;
        if !CUT && let Some(most) = stability_cut(isa, worker.edges, own, other, alpha, 3) {
            return most;
        }
        let [a, b, c] = [squares & 63, squares >> 8 & 63, squares >> 16 & 63];
        let mut best = i32::MIN;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if other & AROUND[square as usize] != 0 {
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
        } else if squares & PASSED != 0 {
            final_score(own, other)
        } else {
            let discs = Discs {
                own: other,
                other: own,
            };
            -solve_3(isa, worker, discs, !alpha, squares | PASSED, !CUT)
        }
    }
}

/// Null-window search with four empty squares.
struct Solve4<const CUT: bool>;

#[inline(always)]
pub(super) fn solve_4<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    turn: &Turn,
    alpha: i32,
    cut: bool,
) -> i32 {
    if cut {
        isa.visit::<Solve4<true>, _, _>(worker, turn, alpha, 4)
    } else {
        isa.visit::<Solve4<false>, _, _>(worker, turn, alpha, 4)
    }
}

impl<const CUT: bool> Visitor<Worker<'_>, &Turn> for Solve4<CUT> {
    #[inline(always)]
    fn run<I: Isa>(isa: I, worker: &mut Worker<'_>, turn: &Turn, alpha: i32, _: u32) -> i32 {
        worker.nodes += 1;
        let &Turn {
            own, other, legal, ..
        } = turn;
        if !CUT && let Some(most) = stability_cut(isa, worker.edges, own, other, alpha, 4) {
            return most;
        }
        if legal == 0 {
            return match turn.passed(isa) {
                Some(next) => -solve_4(isa, worker, &next, !alpha, !CUT),
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
                let value = -solve_3(
                    isa,
                    worker,
                    Discs { own, other },
                    !alpha,
                    squares,
                    !CUT || best > i32::MIN,
                );
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

/// The three squares of a set, a byte each, one that is alone in its quadrant first.
#[inline(always)]
fn three(set: u64) -> u32 {
    let a = set.trailing_zeros();
    let c = 63 - set.leading_zeros();
    let b = (set & (set - 1)).trailing_zeros();
    let (qa, qb, qc) = (
        parity::quadrant(a),
        parity::quadrant(b),
        parity::quadrant(c),
    );
    if qa == qc {
        b | a << 8 | c << 16
    } else if qa == qb {
        c | a << 8 | b << 16
    } else {
        a | b << 8 | c << 16
    }
}

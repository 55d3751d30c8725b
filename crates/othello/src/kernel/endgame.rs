//! Exact search to the end of the game with at most twelve or so empty squares, without
//! the evaluation: moves ordered by parity and mobility, cutoffs by stability.

use isa::{Isa, Kernel, Visitor};

use super::bitboard::{flips, moves};
use super::last_empties::solve_4;
use super::move_list::{List, ShortList, Turn};
use super::stability::stability_cut;
use crate::level::Level;
use crate::parity;
use crate::score::{MAX, final_score};
use crate::table::{Found, NO_MOVE, hash};
use crate::worker::Worker;

/// With at most this many empty squares only recent bounds are probed.
const NO_TABLE: u32 = 7;
/// The fewest empty squares with which all successors are probed first.
const ENHANCED_CUTOFF: u32 = 9;
/// The fewest empty squares with which stable discs are counted in all successors first.
const ENHANCED_STABILITY: u32 = 7;
const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The level of table entries of exact searches.
const EXACT: u8 = Level::EXACT.index();

/// Null-window search: a bound on the value, on the same side of `alpha` as the value. The last
/// argument says whether a cut node is expected.
pub(crate) struct NullWindow<'a, 'w>(
    pub(crate) &'a mut Worker<'w>,
    pub(crate) u64,
    pub(crate) u64,
    pub(crate) i32,
    pub(crate) u32,
    pub(crate) bool,
);

impl Kernel for NullWindow<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let NullWindow(worker, own, other, alpha, empties, cut) = self;
        let turn = Turn::new(isa, own, other);
        match empties {
            0..4 => isa.call(AlphaBeta(worker, own, other, alpha, alpha + 1)),
            4 => solve_4(isa, worker, &turn, alpha, cut),
            5..=NO_TABLE => fastest_first(isa, worker, &turn, alpha, empties, cut),
            _ => with_table(isa, worker, &turn, alpha, empties, cut),
        }
    }
}

/// Five to seven empty squares: recent bounds, then moves in the fastest-first order.
///
/// Here and below, cut nodes and all nodes (see [`Task::cut`](super::Task)) have code of their own:
/// what hardly ever succeeds in one of them is not tried there.
struct FastestFirst<const CUT: bool>;

#[inline(always)]
fn fastest_first<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    turn: &Turn,
    alpha: i32,
    empties: u32,
    cut: bool,
) -> i32 {
    if cut {
        isa.visit::<FastestFirst<true>, _, _>(worker, turn, alpha, empties)
    } else {
        isa.visit::<FastestFirst<false>, _, _>(worker, turn, alpha, empties)
    }
}

impl<const CUT: bool> Visitor<Worker<'_>, &Turn> for FastestFirst<CUT> {
    #[inline(always)]
    fn run<I: Isa>(isa: I, worker: &mut Worker<'_>, turn: &Turn, alpha: i32, empties: u32) -> i32 {
        worker.nodes += 1;
        let &Turn {
            own, other, legal, ..
        } = turn;
        if !CUT && let Some(most) = stability_cut(isa, worker.edges, own, other, alpha, empties) {
            return most;
        }
        if legal == 0 {
            return match turn.passed(isa) {
                Some(next) => -fastest_first(isa, worker, &next, !alpha, empties, !CUT),
                None => final_score(own, other),
            };
        }
        let key = hash(own, other);
        if let Some(bound) = worker.local.recent.cutoff(key, alpha) {
            return bound;
        }
        let odd = parity::odd(!(own | other));
        let mut list = ShortList::new(isa, turn, |next, square| cost(next, odd, square));
        if CUT
            && empties >= ENHANCED_STABILITY
            && let Some(value) = stable_successor(isa, worker, list.turns(), alpha, empties)
        {
            return value;
        }
        let mut best = -MAX;
        for _ in 0..legal.count_ones() {
            let next = list.take(isa);
            let cut = !CUT || best > -MAX;
            let value = -if empties == 5 {
                solve_4(isa, worker, next, !alpha, cut)
            } else {
                fastest_first(isa, worker, next, !alpha, empties - 1, cut)
            };
            best = best.max(value);
            if value > alpha {
                break;
            }
        }
        worker.local.recent.store(key, best, alpha);
        best
    }
}

/// Eight empty squares or more: the table first, then moves in the fastest-first order.
struct WithTable<const CUT: bool>;

#[inline(always)]
fn with_table<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    turn: &Turn,
    alpha: i32,
    empties: u32,
    cut: bool,
) -> i32 {
    if cut {
        isa.visit::<WithTable<true>, _, _>(worker, turn, alpha, empties)
    } else {
        isa.visit::<WithTable<false>, _, _>(worker, turn, alpha, empties)
    }
}

impl<const CUT: bool> Visitor<Worker<'_>, &Turn> for WithTable<CUT> {
    #[inline(always)]
    fn run<I: Isa>(isa: I, worker: &mut Worker<'_>, turn: &Turn, alpha: i32, empties: u32) -> i32 {
        worker.nodes += 1;
        if worker.stopped() {
            return alpha;
        }
        let &Turn {
            own, other, legal, ..
        } = turn;
        if !CUT && let Some(most) = stability_cut(isa, worker.edges, own, other, alpha, empties) {
            return most;
        }
        let key = hash(own, other);
        let mut first = [NO_MOVE; 2];
        let bound = if empties <= worker.local.most {
            // Where a bound cuts off an all node, the node above has found it.
            CUT.then(|| worker.local.bounds.cutoff(key, alpha))
                .flatten()
        } else if let Some(entry) = worker.table.probe(key) {
            first = entry.moves;
            let holds = entry.holds_for(empties as u8, EXACT);
            holds.then(|| entry.cutoff(alpha)).flatten()
        } else {
            None
        };
        if let Some(bound) = bound {
            return bound;
        }
        if legal == 0 {
            return match turn.passed(isa) {
                Some(next) => -with_table(isa, worker, &next, !alpha, empties, !CUT),
                None => final_score(own, other),
            };
        }
        let mut list = List::new();
        generate::<I, CUT>(isa, &mut list, worker, turn, empties, first);
        if CUT
            && empties >= ENHANCED_CUTOFF
            && let Some(value) = enhanced_cutoff(worker, &list, alpha, empties)
        {
            return value;
        }
        if CUT && let Some(value) = stable_successor(isa, worker, list.turns(), alpha, empties) {
            return value;
        }
        let (mut best, mut best_move) = (-MAX, NO_MOVE);
        while let Some((next, square)) = list.take() {
            let cut = !CUT || best > -MAX;
            let value = -if empties == NO_TABLE + 1 {
                fastest_first(isa, worker, next, !alpha, empties - 1, cut)
            } else {
                with_table(isa, worker, next, !alpha, empties - 1, cut)
            };
            if value > best {
                (best, best_move) = (value, square);
                if value > alpha {
                    break;
                }
            }
        }
        if worker.stopped() {
            return alpha;
        }
        if empties <= worker.local.most {
            worker.local.bounds.store(key, best, alpha);
        } else {
            worker.table.store(
                key,
                Found {
                    value: best,
                    alpha,
                    beta: alpha + 1,
                    best: best_move,
                    depth: empties as u8,
                    level: EXACT,
                },
            );
        }
        best
    }
}

/// Principal variation search: the value if it lies between `alpha` and `beta`, else a
/// bound on it.
pub(crate) struct FullWindow<'a, 'w>(
    pub(crate) &'a mut Worker<'w>,
    pub(crate) u64,
    pub(crate) u64,
    pub(crate) i32,
    pub(crate) i32,
    pub(crate) u32,
);

impl Kernel for FullWindow<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let FullWindow(worker, own, other, alpha, beta, empties) = self;
        if empties <= NO_TABLE {
            return isa.call(AlphaBeta(worker, own, other, alpha, beta));
        }
        worker.nodes += 1;
        if worker.stopped() {
            return alpha;
        }
        let turn = Turn::new(isa, own, other);
        if turn.legal == 0 {
            return if turn.passed(isa).is_none() {
                final_score(own, other)
            } else {
                -isa.call(FullWindow(worker, other, own, -beta, -alpha, empties))
            };
        }
        let key = hash(own, other);
        let first = worker
            .table
            .probe(key)
            .map_or([NO_MOVE; 2], |entry| entry.moves);
        let mut list = List::new();
        generate::<I, true>(isa, &mut list, worker, &turn, empties, first);
        let (mut best, mut best_move) = (-MAX - 1, NO_MOVE);
        while let Some((&Turn { own, other, .. }, square)) = list.take() {
            let from = alpha.max(best);
            let mut value = from + 1;
            if best_move != NO_MOVE {
                value = -isa.call(NullWindow(worker, own, other, !from, empties - 1, true));
            }
            if best_move == NO_MOVE || (value > from && value < beta) {
                value = -isa.call(FullWindow(worker, own, other, -beta, -from, empties - 1));
            }
            if value > best {
                (best, best_move) = (value, square);
                if value >= beta {
                    break;
                }
            }
        }
        if !worker.stopped() {
            worker.table.store(
                key,
                Found {
                    value: best,
                    alpha,
                    beta,
                    best: best_move,
                    depth: empties as u8,
                    level: EXACT,
                },
            );
        }
        best
    }
}

/// Plain alpha–beta, for the few places where speed does not matter.
struct AlphaBeta<'a, 'w>(&'a mut Worker<'w>, u64, u64, i32, i32);

impl Kernel for AlphaBeta<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let AlphaBeta(worker, own, other, alpha, beta) = self;
        worker.nodes += 1;
        let mut left = moves(isa, own, other);
        if left == 0 {
            return if moves(isa, other, own) == 0 {
                final_score(own, other)
            } else {
                -isa.call(AlphaBeta(worker, other, own, -beta, -alpha))
            };
        }
        let mut best = -MAX;
        while left != 0 && best < beta {
            let square = left.trailing_zeros();
            left &= left - 1;
            let flipped = flips(isa, own, other, square);
            let value = -isa.call(AlphaBeta(
                worker,
                other ^ flipped,
                own | flipped | 1 << square,
                -beta,
                -alpha.max(best),
            ));
            best = best.max(value);
        }
        best
    }
}

/// What a move costs in the fastest-first order: more the more replies it leaves, corners
/// counting twice, less in an odd quadrant.
#[inline(always)]
fn cost(next: &Turn, odd: u64, square: u32) -> u32 {
    let freedom = next.legal.count_ones() + (next.legal & CORNERS).count_ones();
    1 + 2 * freedom - (odd >> square & 1) as u32
}

/// Move generation in the fastest-first order: the moves of the table entry, then by cost,
/// which with `RETURNS` is a little less the more moves the player would have.
#[inline(always)]
fn generate<I: Isa, const RETURNS: bool>(
    isa: I,
    list: &mut List,
    worker: &Worker<'_>,
    turn: &Turn,
    empties: u32,
    first: [u8; 2],
) {
    let odd = parity::odd(!(turn.own | turn.other));
    list.fill::<I, RETURNS>(isa, turn, |next, square| {
        if empties > worker.local.most + 1 {
            worker.table.prefetch(hash(next.own, next.other));
        } else if empties >= ENHANCED_CUTOFF {
            worker.local.bounds.prefetch(hash(next.own, next.other));
        }
        if square == u32::from(first[0]) {
            0
        } else if square == u32::from(first[1]) {
            1
        } else {
            let returns = if RETURNS {
                next.returns.count_ones()
            } else {
                0
            };
            62 + 4 * cost(next, odd, square) - returns
        }
    });
}

/// Enhanced stability cutoff: a value above `alpha` that own stable discs guarantee after some move.
#[inline(always)]
fn stable_successor<I: Isa>(
    isa: I,
    worker: &Worker<'_>,
    turns: &[Turn],
    alpha: i32,
    empties: u32,
) -> Option<i32> {
    for next in turns {
        if let Some(most) =
            stability_cut(isa, worker.edges, next.own, next.other, !alpha, empties - 1)
        {
            return Some(-most);
        }
    }
    None
}

/// Enhanced transposition cutoff: a value above `alpha` that the table entry of some
/// successor guarantees.
#[inline(always)]
fn enhanced_cutoff(worker: &Worker<'_>, list: &List, alpha: i32, empties: u32) -> Option<i32> {
    let local = empties <= worker.local.most + 1;
    list.turns().iter().find_map(|next| {
        let key = hash(next.own, next.other);
        let upper = if local {
            worker.local.bounds.upper(key)
        } else {
            let entry = worker.table.probe(key)?;
            entry
                .holds_for(empties as u8 - 1, EXACT)
                .then_some(i32::from(entry.upper))?
        };
        (-upper > alpha).then_some(-upper)
    })
}

//! Principal variation search of all deeper nodes, in the midgame and towards the end,
//! with multi-ProbCut and moves ordered by the static evaluation.

use arrayvec::ArrayVec;
use isa::{Isa, Kernel};

use super::bitboard::{flips, moves, moves_of_both};
use super::endgame::{FullWindow, NullWindow};
use super::shallow::{INFINITE, Shallow, evaluate_near, played};
use super::split::share;
use super::stability::stability_cut;
use crate::eval::{DISC, LANES, MOST, mobility, sum};
use crate::kernel::{Candidate, Candidates, Node, Task};
use crate::level::Level;
use crate::parity;
use crate::probcut;
use crate::score::{MAX, final_score};
use crate::table::{Found, NO_MOVE, hash};
use crate::worker::Worker;

/// Exact searches with at most this many empty squares order moves without the evaluation.
const NO_EVALUATION: u32 = 12;
/// Searches to the end with at most this many empty squares are exact at every level.
const NO_PROBCUT: u32 = 11;
/// The least depth at which moves are shared between threads.
const SPLIT: u32 = 9;
/// The greatest depth that is searched without the transposition table; a search so deep is
/// first tried by [`static_probcut`].
const SHALLOW: u32 = 2;
/// The greatest depth at which hopeless moves are left out.
const HOPELESS_DEPTH: u32 = 12;
/// A search so deep hardly ever makes up for this much: a later move whose ordering score is so far
/// below the window is hopeless.
const HOPELESS: i32 = 12 * DISC;

/// The ordering score of a move that has none yet: below all others.
const UNSCORED: i32 = i32::MIN;

/// A value of the evaluation, rounded to discs.
#[inline]
const fn to_discs(value: i32) -> i32 {
    let rounded = (value + DISC / 2).div_euclid(DISC);
    if rounded > MAX {
        MAX
    } else if rounded < -MAX {
        -MAX
    } else {
        rounded
    }
}

/// Principal variation search: the value in discs if it lies between `alpha` and
/// `beta`, else a bound on it.
pub(crate) struct Pvs<'a, 'w>(
    pub(crate) &'a mut Worker<'w>,
    pub(crate) Node<'a>,
    pub(crate) Task,
);

impl Kernel for Pvs<'_, '_> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Pvs(worker, node, task) = self;
        let Node {
            own,
            other,
            features,
        } = node;
        let Task {
            alpha,
            beta,
            depth,
            empties,
            level,
            ..
        } = task;
        if depth == empties {
            if empties <= NO_PROBCUT || (empties <= NO_EVALUATION && level == Level::EXACT) {
                return if beta - alpha == 1 {
                    isa.call(NullWindow(worker, own, other, alpha, empties, task.cut))
                } else {
                    isa.call(FullWindow(worker, own, other, alpha, beta, empties))
                };
            }
        } else if depth <= SHALLOW {
            if depth == SHALLOW
                && let Some(value) = static_probcut(isa, worker, node, task)
            {
                return value;
            }
            // In parts of a disc the window is what rounds to values inside it.
            let (alpha, beta) = (alpha * DISC + DISC / 2 - 1, beta * DISC - DISC / 2);
            return to_discs(isa.call(Shallow(worker, node, alpha, beta, depth)));
        }
        worker.nodes += 1;
        if worker.stopped() {
            return alpha;
        }
        let pv = beta - alpha > 1;
        if !pv
            && !task.cut
            && let Some(most) = stability_cut(isa, worker.edges, own, other, alpha, empties)
        {
            return most;
        }
        let key = hash(own, other);
        let mut first = [NO_MOVE; 2];
        if let Some(entry) = worker.table.probe(key) {
            if !pv
                && entry.holds_for(depth as u8, level.index())
                && let Some(bound) = entry.cutoff(alpha)
            {
                return bound;
            }
            first = entry.moves;
        }
        let legal = moves(isa, own, other);
        if legal == 0 {
            if moves(isa, other, own) == 0 {
                return final_score(own, other);
            }
            let features = features.passed();
            let node = Node {
                own: other,
                other: own,
                features: &features,
            };
            let task = Task {
                alpha: -beta,
                beta: -alpha,
                cut: !task.cut,
                ..task
            };
            return -isa.call(Pvs(worker, node, task));
        }
        if !pv && let Some(value) = multi_probcut(isa, worker, node, task) {
            return value;
        }
        let mut list = Candidates::new();
        // Successors at the least depths are in no table.
        let in_table = depth > SHALLOW + 1;
        generate(isa, &mut list, worker, node, legal, first, in_table);
        if !pv
            && task.cut
            && in_table
            && let Some(value) = enhanced_cutoff(worker, &list, task)
        {
            return value;
        }
        let (mut best, mut best_move) = (-MAX - 1, NO_MOVE);
        let mut searched = 0;
        while let Some(mut index) = best_index(&list) {
            if list[index].score == UNSCORED {
                score_moves(isa, &mut list, worker, node, task);
                index = best_index(&list).unwrap_or(index);
            }
            let mut candidate = list.swap_remove(index);
            let from = alpha.max(best);
            if !pv && best_move != NO_MOVE && is_hopeless(worker, task, candidate.score, from) {
                // So are all that are left.
                best = from;
                break;
            }
            let narrow = Task {
                cut: pv || !task.cut || best_move != NO_MOVE,
                ..task.next(from, from + 1)
            };
            let mut value = None;
            if best_move != NO_MOVE
                && depth >= SPLIT
                && !list.is_empty()
                && worker.pool.wants_work()
            {
                list.push(candidate);
                score_moves(isa, &mut list, worker, node, task);
                list.sort_unstable_by_key(|candidate| -candidate.score);
                let values = share(isa, worker, &list, features, narrow, searched);
                if worker.stopped() {
                    return alpha;
                }
                // Moves that failed low are finished. The one that failed high is searched
                // next. Unfinished moves stay in the list.
                let mut winner = None;
                let mut index = 0;
                list.retain(|candidate| {
                    index += 1;
                    match values[index - 1] {
                        None => true,
                        Some(value) if value <= from => {
                            if value > best {
                                (best, best_move) = (value, candidate.square);
                            }
                            false
                        }
                        Some(value) if winner.is_none() => {
                            winner = Some((*candidate, value));
                            false
                        }
                        Some(_) => true,
                    }
                });
                let Some(found) = winner else {
                    continue;
                };
                candidate = found.0;
                value = Some(found.1);
            }
            let features = played(features, u32::from(candidate.square), candidate.flipped);
            let next = Node {
                own: candidate.own,
                other: candidate.other,
                features: &features,
            };
            let mut value = match value {
                Some(value) => value,
                None if pv && best_move == NO_MOVE => from + 1,
                None => after(isa, worker, next, narrow, searched),
            };
            if pv && (best_move == NO_MOVE || (value > from && value < beta)) {
                value = -isa.call(Pvs(worker, next, task.next(from, beta)));
            }
            searched += 1;
            if worker.stopped() {
                return alpha;
            }
            if value > best {
                (best, best_move) = (value, candidate.square);
                if value >= beta {
                    break;
                }
            }
        }
        worker.table.store(
            key,
            Found {
                value: best,
                alpha,
                beta,
                best: best_move,
                depth: depth as u8,
                level: level.index(),
            },
        );
        best
    }
}

/// Null-window search of the position after a move: its value for the player of the move, of which
/// `earlier` moves have been searched before. By late move reduction it is not searched to the full
/// depth first, and again only if it fails high.
#[inline(always)]
pub(super) fn after<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    next: Node<'_>,
    task: Task,
    earlier: usize,
) -> i32 {
    let less = reduction(worker, task, earlier);
    if less > 0 {
        let task = Task {
            depth: task.depth - less,
            ..task
        };
        let value = -isa.call(Pvs(worker, next, task));
        if value <= -task.beta {
            return value;
        }
    }
    -isa.call(Pvs(worker, next, task))
}

/// By how many plies the search after a move is reduced, of which `earlier` moves have been searched
/// before. An even number, since values of odd and even depths differ.
#[inline(always)]
pub(crate) fn reduction(worker: &Worker<'_>, task: Task, earlier: usize) -> u32 {
    if !worker.reduces || task.depth == task.empties || task.level == Level::EXACT {
        return 0;
    }
    match (task.depth, earlier) {
        (7.., 4..) => 4,
        (4.., 2..) => 2,
        _ => 0,
    }
}

/// Whether the search after a move with this ordering score, which is the lowest so far, can be
/// left out, since it would hardly find a value above `from`.
#[inline(always)]
fn is_hopeless(worker: &Worker<'_>, task: Task, score: i32, from: i32) -> bool {
    worker.reduces
        && task.depth != task.empties
        && task.depth <= HOPELESS_DEPTH
        && score < from * DISC - HOPELESS
}

/// ProbCut by the static evaluation: a bound if it says that the value is probably outside a
/// null window. For the least depth, where no search is much shallower.
#[inline(always)]
fn static_probcut<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    node: Node<'_>,
    task: Task,
) -> Option<i32> {
    let Task {
        alpha,
        beta,
        depth,
        empties,
        level,
        ..
    } = task;
    let margin = level.margin()?;
    if beta - alpha > 1 {
        return None;
    }
    worker.nodes += 1;
    let deviation = worker.deviations.of(empties, depth);
    let error = (margin * deviation.evaluation * DISC as f32) as i32;
    let middle = alpha * DISC + DISC / 2;
    let value = evaluate_near(isa, worker, node, middle - error, middle + error);
    let distance = value - middle;
    if distance >= error {
        Some(beta)
    } else if distance < -error {
        Some(alpha)
    } else {
        None
    }
}

/// Multi-ProbCut: a bound if a shallow search says that the value is probably outside
/// the window.
#[inline(always)]
fn multi_probcut<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    node: Node<'_>,
    task: Task,
) -> Option<i32> {
    let Task {
        alpha,
        beta,
        depth,
        empties,
        level,
        ..
    } = task;
    let margin = level.margin()?;
    if depth < probcut::MIN_DEPTH || worker.in_probcut {
        return None;
    }
    let deviation = worker.deviations.of(empties, depth);
    let within = |deviation: f32| (margin * deviation + 0.5) as i32;
    // The static evaluation first: far from a bound no search pays.
    let (static_error, error) = (within(deviation.evaluation), within(deviation.shallow));
    let less = (static_error - error) / 2;
    let sign = if task.cut { 1 } else { -1 };
    let bound = if task.cut { beta } else { alpha };
    let needed = bound - sign * less;
    let near = needed * DISC;
    let estimate = to_discs(evaluate_near(isa, worker, node, near, near));
    let probes = [
        (probcut::first_depth(depth), within(deviation.first)),
        (probcut::shallow_depth(depth), error),
    ];
    // Towards the end the shallow search is deep: a shallower one first.
    for &(depth, error) in &probes[usize::from(depth < empties)..] {
        let beyond = bound + sign * error;
        if beyond.abs() > MAX || sign * (estimate - beyond) < -(error + static_error) / 2 {
            continue;
        }
        let alpha = if task.cut { beyond - 1 } else { beyond };
        let probe = Task {
            alpha,
            beta: alpha + 1,
            depth,
            ..task
        };
        worker.in_probcut = true;
        let value = isa.call(Pvs(worker, node, probe));
        worker.in_probcut = false;
        if sign * (value - beyond) >= 0 {
            return Some(bound);
        }
    }
    None
}

/// Move generation: the moves of the table entry get the highest scores, all others are
/// [`UNSCORED`].
#[inline(always)]
fn generate<I: Isa>(
    isa: I,
    list: &mut Candidates,
    worker: &mut Worker<'_>,
    node: Node<'_>,
    legal: u64,
    first: [u8; 2],
    in_table: bool,
) {
    let Node { own, other, .. } = node;
    let mut left = legal;
    while left != 0 {
        let square = left.trailing_zeros();
        left &= left - 1;
        let flipped = flips(isa, own, other, square);
        let (next_own, next_other) = (other ^ flipped, own | flipped | 1 << square);
        let hash = hash(next_own, next_other);
        if in_table {
            worker.table.prefetch(hash);
        }
        let score = if square == u32::from(first[0]) {
            INFINITE * 2
        } else if square == u32::from(first[1]) {
            INFINITE
        } else {
            UNSCORED
        };
        list.push(Candidate {
            own: next_own,
            other: next_other,
            flipped,
            hash,
            score,
            square: square as u8,
        });
    }
}

/// Move ordering: scores the moves that are [`UNSCORED`], by mobility and evaluation.
/// Where the table's move cuts off, this work is never done.
#[inline(always)]
fn score_moves<I: Isa>(
    isa: I,
    list: &mut Candidates,
    worker: &mut Worker<'_>,
    node: Node<'_>,
    task: Task,
) {
    let Node {
        own,
        other,
        features,
    } = node;
    let odd = parity::odd(!(own | other));
    let ahead = sort_depth(task);
    let reply = features.before_reply();
    // All indices first, then all sums: the loads of the weights of many moves overlap.
    let mut evaluated = ArrayVec::<(&mut i32, [u16; LANES]), 64>::new();
    for candidate in list
        .iter_mut()
        .filter(|candidate| candidate.score == UNSCORED)
    {
        let square = u32::from(candidate.square);
        let [replies, returns] = moves_of_both(isa, candidate.own, candidate.other);
        let corners = replies & 0x8100_0000_0000_0081;
        let freedom = (replies.count_ones() + corners.count_ones()) as i32;
        let odd_bonus = i32::from(odd >> square & 1 != 0);
        candidate.score = if task.depth == task.empties {
            odd_bonus * 64 - freedom * 200
        } else {
            -freedom * 32
        };
        if ahead == 0 {
            let indices = reply.after(square, candidate.flipped, mobility(replies, returns));
            evaluated.push((&mut candidate.score, indices));
        } else {
            let next = played(features, square, candidate.flipped);
            let node = Node {
                own: candidate.own,
                other: candidate.other,
                features: &next,
            };
            candidate.score -= isa.call(Shallow(worker, node, -INFINITE, INFINITE, ahead));
        }
    }
    worker.nodes += evaluated.len() as u64;
    let slots = worker.weights.slots(task.empties - 1);
    for (score, indices) in &mut evaluated {
        **score -= sum(isa, slots, indices).clamp(-MOST, MOST);
    }
}

/// The depth of the searches that order moves.
#[inline(always)]
fn sort_depth(task: Task) -> u32 {
    match task.depth {
        ..19 => 0,
        19..23 => 1,
        _ => 2,
    }
}

/// The index of the move with the highest score.
#[inline(always)]
fn best_index(list: &Candidates) -> Option<usize> {
    let mut best = 0;
    for i in 1..list.len() {
        if list[i].score > list[best].score {
            best = i;
        }
    }
    (best < list.len()).then_some(best)
}

/// Enhanced transposition cutoff: a value above `alpha` that the table entry of some
/// successor guarantees.
#[inline(always)]
fn enhanced_cutoff(worker: &Worker<'_>, list: &Candidates, task: Task) -> Option<i32> {
    list.iter().find_map(|candidate| {
        let entry = worker.table.probe(candidate.hash)?;
        let value = -i32::from(entry.upper);
        let holds = entry.holds_for(task.depth as u8 - 1, task.level.index());
        (holds && value > task.alpha).then_some(value)
    })
}

//! The search of all deeper nodes, in the middle of the game and towards its end, with
//! the evaluation as guide.

use arrayvec::ArrayVec;

use super::endgame;
use super::lines::{flips, moves, sum};
use super::quick::{INFINITE, glance, played, quick};
use super::split::share;
use super::stability::stable_discs;
use crate::eval::{DISC, LANES, MOST, mobility};
use crate::hot::{Candidate, Candidates, Node, Task};
use crate::level::Level;
use crate::parity;
use crate::probcut;
use crate::score::{MAX, final_score};
use crate::table::{Found, NO_MOVE, hash};
use crate::worker::Worker;

/// With at most so many empty squares an exact search does without the evaluation.
const FAST: u32 = 12;
/// A selective search to the end is exact with at most so many empty squares.
const SURE: u32 = 11;
/// Searches from so many plies on are worth sharing between threads.
const SPLIT: u32 = 9;
/// Searches of at most so many plies need no table.
const QUICK: u32 = 2;

/// The score of a move about which nobody has guessed yet: below every guess.
const UNRANKED: i32 = i32::MIN;

/// A value in discs.
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

fns! {
    /// The value in discs if it lies between `alpha` and `beta`, else a bound on it.
    pub(crate) fn deep(worker: &mut Worker<'_>, node: Node<'_>, task: Task) -> i32 {
        let Node { own, other, features } = node;
        let Task { alpha, beta, depth, empties, level } = task;
        if depth == empties {
            if empties <= SURE || (empties <= FAST && level == Level::EXACT) {
                return if beta - alpha == 1 {
                    endgame::null_window(worker, own, other, alpha, empties)
                } else {
                    endgame::full_window(worker, own, other, alpha, beta, empties)
                };
            }
        } else if depth <= QUICK {
            // In parts of a disc the window is what rounds to values inside it.
            let (alpha, beta) = (alpha * DISC + DISC / 2 - 1, beta * DISC - DISC / 2);
            return to_discs(quick(worker, own, other, features, alpha, beta, depth));
        }
        worker.nodes += 1;
        if worker.stopped() {
            return alpha;
        }
        let pv = beta - alpha > 1;
        if !pv && endgame::stability_may_cut(alpha, empties) {
            let most = MAX - 2 * stable_discs(worker.edges, other, own) as i32;
            if most <= alpha {
                return most;
            }
        }
        let key = hash(own, other);
        let mut first = [NO_MOVE; 2];
        if let Some(record) = worker.table.probe(key) {
            if !pv && record.holds_for(depth as u8, level.index()) {
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
                {
                let features = features.passed();
                let passed = Node { own: other, other: own, features: &features };
                -deep(worker, passed, Task { alpha: -beta, beta: -alpha, ..task })
            }
            };
        }
        if !pv && let Some(value) = probable_cut(worker, node, task) {
            return value;
        }
        let mut list = Candidates::new();
        fill(&mut list, worker, node, legal, first);
        if !pv && let Some(value) = transposition(worker, &list, task) {
            return value;
        }
        let (mut best, mut best_move) = (-MAX - 1, NO_MOVE);
        while let Some(mut index) = best_of(&list) {
            if list[index].score == UNRANKED {
                rank(&mut list, worker, node, task);
                index = best_of(&list).unwrap_or(index);
            }
            let mut candidate = list.swap_remove(index);
            let from = alpha.max(best);
            let narrow = task.next(from, from + 1);
            let mut value = None;
            if best_move != NO_MOVE && depth >= SPLIT && !list.is_empty() && worker.pool.wants_work() {
                list.push(candidate);
                rank(&mut list, worker, node, task);
                list.sort_unstable_by_key(|candidate| -candidate.score);
                let values = share(worker, &list, features, narrow);
                if worker.stopped() {
                    return alpha;
                }
                // What failed low is done with. What failed high is the next move to look
                // at. What was not finished stays in the list.
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
            let features = played(features, u32::from(candidate.square), candidate.turned);
            let next = Node { own: candidate.own, other: candidate.other, features: &features };
            let mut search = |task| -deep(worker, next, task);
            let mut value = match value {
                Some(value) => value,
                None if pv && best_move == NO_MOVE => from + 1,
                None => search(narrow),
            };
            if pv && (best_move == NO_MOVE || (value > from && value < beta)) {
                value = search(task.next(from, beta));
            }
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
        worker.table.store(key, Found {
            value: best,
            alpha,
            beta,
            best: best_move,
            depth: depth as u8,
            level: level.index(),
        });
        best
    }

    /// Cuts the node off if a shallow search says that its value is probably outside the
    /// window.
    #[inline]
    fn probable_cut(worker: &mut Worker<'_>, node: Node<'_>, task: Task) -> Option<i32> {
        let Task { alpha, beta, depth, empties, level } = task;
        let margin = level.margin()?;
        if depth < probcut::MIN_DEPTH || worker.in_probe {
            return None;
        }
        let shallow = probcut::shallow_depth(depth);
        let (deviation, glance_deviation) = worker.deviations.of(empties, depth);
        let error = (margin * deviation + 0.5) as i32;
        // A glance first: what is far from a bound is not worth a search.
        let glance_error = (margin * glance_deviation + 0.5) as i32;
        let glance = to_discs(glance(worker, node.own, node.other, node.features));
        for (bound, sign) in [(beta + error, 1), (alpha - error, -1)] {
            if bound.abs() > MAX || sign * (glance - bound) < -(error + glance_error) / 2 {
                continue;
            }
            let alpha = if sign > 0 { bound - 1 } else { bound };
            let probe = Task { alpha, beta: alpha + 1, depth: shallow, empties, level };
            worker.in_probe = true;
            let value = deep(worker, node, probe);
            worker.in_probe = false;
            if sign * (value - bound) >= 0 {
                return Some(if sign > 0 { beta } else { task.alpha });
            }
        }
        None
    }

    /// The moves, those of the table marked as the first to try, the others [`UNRANKED`].
    #[inline]
    fn fill(
        list: &mut Candidates,
        worker: &mut Worker<'_>,
        node: Node<'_>,
        legal: u64,
        first: [u8; 2],
    ) {
        let Node { own, other, .. } = node;
        let mut left = legal;
        while left != 0 {
            let square = left.trailing_zeros();
            left &= left - 1;
            let turned = flips(own, other, square);
            let (next_own, next_other) = (other ^ turned, own | turned | 1 << square);
            let hash = hash(next_own, next_other);
            worker.table.prefetch(hash);
            let score = if square == u32::from(first[0]) {
                INFINITE * 2
            } else if square == u32::from(first[1]) {
                INFINITE
            } else {
                UNRANKED
            };
            list.push(Candidate {
                own: next_own,
                other: next_other,
                turned,
                hash,
                score,
                square: square as u8,
            });
        }
    }

    /// Guesses how good the moves are about which nobody has guessed yet. Where a move of
    /// the table cuts off, this work is never done.
    #[inline]
    fn rank(list: &mut Candidates, worker: &mut Worker<'_>, node: Node<'_>, task: Task) {
        let Node { own, other, features } = node;
        let odd = parity::odd(!(own | other));
        let ahead = sort_depth(task);
        let reply = features.before_reply();
        // All indices first, then all sums: so the processor asks for the weights of many
        // moves at once, and waits for memory once instead of once a move.
        let mut at_a_glance = ArrayVec::<(&mut i32, [u16; LANES]), 64>::new();
        for candidate in list.iter_mut().filter(|candidate| candidate.score == UNRANKED) {
            let square = u32::from(candidate.square);
            let replies = moves(candidate.own, candidate.other);
            let corners = replies & 0x8100_0000_0000_0081;
            let freedom = (replies.count_ones() + corners.count_ones()) as i32;
            let odd_bonus = i32::from(odd >> square & 1 != 0);
            candidate.score = if task.depth == task.empties {
                odd_bonus * 64 - freedom * 200
            } else {
                -freedom * 32
            };
            if ahead == 0 {
                let mobility = mobility(replies, moves(candidate.other, candidate.own));
                let indices = reply.after(square, candidate.turned, mobility);
                at_a_glance.push((&mut candidate.score, indices));
            } else {
                let next = played(features, square, candidate.turned);
                candidate.score -= quick(worker, candidate.own, candidate.other, &next, -INFINITE, INFINITE, ahead);
            }
        }
        worker.nodes += at_a_glance.len() as u64;
        let slots = worker.weights.slots(task.empties - 1);
        for (score, indices) in &mut at_a_glance {
            **score -= sum(slots, indices).clamp(-MOST, MOST);
        }
    }

    /// How many plies to look ahead to sort moves.
    #[inline]
    fn sort_depth(task: Task) -> u32 {
        match task.depth {
            ..19 => 0,
            19..23 => 1,
            _ => 2,
        }
    }

    /// Where the most promising move stands in the list.
    #[inline]
    fn best_of(list: &Candidates) -> Option<usize> {
        let mut best = 0;
        for i in 1..list.len() {
            if list[i].score > list[best].score {
                best = i;
            }
        }
        (best < list.len()).then_some(best)
    }

    /// A value above `alpha` that some successor in the table promises.
    #[inline]
    fn transposition(worker: &Worker<'_>, list: &Candidates, task: Task) -> Option<i32> {
        list.iter().find_map(|candidate| {
            let record = worker.table.probe(candidate.hash)?;
            let value = -i32::from(record.upper);
            let holds = record.holds_for(task.depth as u8 - 1, task.level.index());
            (holds && value > task.alpha).then_some(value)
        })
    }
}

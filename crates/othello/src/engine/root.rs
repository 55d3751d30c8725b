//! The root of the search.

use isa::Available;
use reversi::{Board, Move, Square};

use super::schedule::{Goal, Step};
use crate::eval::Features;
use crate::kernel::pvs::{Pvs, reduction};
use crate::kernel::{Node, Task};
use crate::score::MAX;
use crate::worker::Worker;

/// A move of the root.
struct RootMove {
    square: Square,
    after: Board,
    features: Features,
    value: i32,
}

/// The root with its moves, the best one first.
pub(super) struct Root {
    moves: Vec<RootMove>,
    empties: u32,
    value: i32,
}

/// Half the width of the first aspiration window.
const ASPIRATION: i32 = 3;

/// By how many plies the search after a move of the root is reduced at most: a move that is missed
/// here is not played.
const REDUCTION: u32 = 2;

/// The value of a position for the player to move, between `alpha` and `beta`.
pub(crate) fn value_of(
    worker: &mut Worker<'_>,
    board: Board,
    features: &Features,
    task: Task,
) -> i32 {
    let node = Node {
        own: board.own.0,
        other: board.other.0,
        features,
    };
    Available::best().call(Pvs(worker, node, task))
}

/// Aspiration search: a window around `guess`, widened until the value lies inside.
pub(super) fn aspiration_search(guess: i32, mut search: impl FnMut(i32, i32) -> i32) -> i32 {
    let mut width = ASPIRATION;
    let (mut alpha, mut beta) = (guess - width, guess + width);
    loop {
        (alpha, beta) = (alpha.max(-MAX), beta.min(MAX));
        let value = search(alpha, beta);
        width *= 2;
        if value <= alpha && alpha > -MAX {
            alpha = value - width;
        } else if value >= beta && beta < MAX {
            beta = value + width;
        } else {
            return value;
        }
    }
}

impl Root {
    /// The moves, ordered by their static evaluations. There must be one.
    pub(super) fn new(worker: &mut Worker<'_>, board: Board) -> Root {
        let features = Features::new(board);
        let empties = board.empty().len();
        let mut moves: Vec<_> = board
            .moves()
            .map(|square| {
                let features = features.played(square, board.flips(square));
                let after = board.play(square);
                RootMove {
                    square,
                    after,
                    value: -worker.weights.value(after, &features),
                    features,
                }
            })
            .collect();
        moves.sort_by_key(|mv| -mv.value);
        let value = moves[0].value / crate::eval::DISC;
        Root {
            moves,
            empties,
            value,
        }
    }

    /// The best move known.
    pub(super) fn best(&self) -> Move {
        self.moves[0].square.into()
    }

    /// The value of the best move.
    pub(super) fn value(&self) -> i32 {
        self.value
    }

    /// Searches all moves to the depth of a step. Returns `false` if the search is stopped;
    /// the best move is then the best one among those that were finished, if any.
    pub(super) fn deepen(&mut self, worker: &mut Worker<'_>, step: Step) -> bool {
        let guess = self.value;
        match step.goal {
            Goal::Value => {
                aspiration_search(guess, |alpha, beta| self.window(worker, step, alpha, beta));
            }
            Goal::WinLossDraw => {
                let sign = self.window(worker, step, -1, 1).signum();
                // The guess is better than the bounds, unless they contradict it.
                if !worker.stopped() {
                    self.value = if guess.signum() == sign { guess } else { sign };
                }
            }
        }
        !worker.stopped()
    }

    fn window(&mut self, worker: &mut Worker<'_>, step: Step, alpha: i32, beta: i32) -> i32 {
        let Step { depth, level, .. } = step;
        let mut best = -MAX - 1;
        for index in 0..self.moves.len() {
            let mv = &self.moves[index];
            let from = alpha.max(best);
            let after = |alpha: i32, beta: i32, depth: u32| {
                let task = Task {
                    alpha,
                    beta,
                    depth,
                    empties: self.empties,
                    level,
                    cut: false,
                };
                task.next(alpha, beta)
            };
            let less = reduction(worker, after(from, from + 1, depth), index).min(REDUCTION);
            let mut search = |alpha: i32, beta: i32, depth: u32| {
                -value_of(worker, mv.after, &mv.features, after(alpha, beta, depth))
            };
            let mut value = from + 1;
            if index > 0 {
                if less > 0 {
                    value = search(from, from + 1, depth - less);
                }
                if value > from {
                    value = search(from, from + 1, depth);
                }
            }
            if index == 0 || (value > from && value < beta) {
                value = search(from, beta, depth);
            }
            if worker.stopped() {
                // Whatever the window: `aspiration_search` is not to search on.
                return self.value.clamp(alpha + 1, beta - 1);
            }
            if value > best {
                best = value;
                if index == 0 || value > alpha {
                    self.moves[..=index].rotate_right(1);
                    self.value = value;
                }
                if value >= beta {
                    break;
                }
            }
        }
        best
    }
}

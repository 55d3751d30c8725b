//! The value of every move.

use std::time::Duration;

use reversi::{Board, Move};
use search::Limits;

use super::principal_variation::principal_variation;
use super::root::{aspiration_search, value_of};
use super::schedule;
use crate::Level;
use crate::eval::{DISC, Features};
use crate::kernel::Task;
use crate::worker::Worker;

/// One legal move and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveValue {
    /// The move.
    pub mv: Move,
    /// The final disc difference to expect after it, seen by who plays it.
    pub value: i32,
    /// Plies looked ahead, the move included.
    pub depth: u32,
    /// How sure the search was.
    pub level: Level,
    /// Whether the value is proven.
    pub exact: bool,
    /// How the game goes on, the move first.
    pub line: Vec<Move>,
}

/// All legal moves, the best one first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The moves; none if the game is over or the player must pass.
    pub moves: Vec<MoveValue>,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time taken.
    pub time: Duration,
}

pub(super) fn analyse(
    worker: &mut Worker<'_>,
    board: Board,
    limits: &Limits,
    report: &mut dyn FnMut(&Analysis),
) -> Analysis {
    let features = Features::new(board);
    let empties = board.empty().len();
    let after = |mv: Move| {
        let square = mv.square().expect("not a pass");
        let features = features.played(square, board.flips(square));
        (board.play(square), features)
    };
    let evaluated = |mv: Move| {
        let (board, features) = after(mv);
        MoveValue {
            mv,
            value: -worker.weights.value(board, &features) / DISC,
            depth: 0,
            level: Level::FIRST,
            exact: false,
            line: vec![mv],
        }
    };
    let mut analysis = Analysis {
        moves: board.moves().map(Move::from).map(evaluated).collect(),
        nodes: 0,
        time: Duration::ZERO,
    };
    analysis.moves.sort_by_key(|mv| -mv.value);
    for schedule::Step { depth, level, .. } in schedule::steps(empties, limits.depth) {
        // The list is sorted again after every move, so the loop is over a copy of the order.
        let order: Vec<Move> = analysis.moves.iter().map(|known| known.mv).collect();
        for mv in order {
            let (next, features) = after(mv);
            let known = analysis.moves.iter_mut().find(|known| known.mv == mv);
            let Some(known) = known else { continue };
            let value = aspiration_search(known.value, |alpha, beta| {
                let task = Task {
                    alpha,
                    beta,
                    depth,
                    empties,
                    level,
                };
                let value = -value_of(worker, next, &features, task.next(alpha, beta));
                if worker.stopped() { alpha + 1 } else { value }
            });
            analysis.nodes = worker.all_nodes();
            analysis.time = worker
                .clock()
                .map(|clock| clock.elapsed())
                .unwrap_or_default();
            if worker.stopped() {
                return analysis;
            }
            known.value = value;
            (known.depth, known.level) = (depth, level);
            known.exact = depth == empties && level == Level::EXACT;
            known.line = principal_variation(worker, board, mv, known.exact);
            analysis.moves.sort_by_key(|known| -known.value);
            report(&analysis);
        }
    }
    analysis
}

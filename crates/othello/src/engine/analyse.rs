//! The value of every move.

use std::time::Duration;

use reversi::{Board, Move, Position};
use rules::{Side, Symmetric};
use search::{Limits, Report, Score};

use super::principal_variation::principal_variation;
use super::root::{aspiration_search, value_of};
use super::schedule;
use crate::Level;
use crate::eval::{DISC, Features};
use crate::kernel::Task;
use crate::score::{discs, score};
use crate::worker::Worker;

/// All legal moves, the best one first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// A report of each move, the move included in its depth and line; none if the game is over
    /// or the player must pass.
    pub moves: Vec<Report<Move>>,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time taken.
    pub time: Duration,
}

/// A move that leads to the same position as another one, seen through a symmetry. Only one of them
/// is searched: two searches could give two values.
struct Twin {
    mv: Move,
    of: Move,
    symmetry: usize,
}

/// All moves but the first of each class of symmetric successors.
fn twins(board: Board) -> Vec<Twin> {
    let mut firsts: Vec<(Move, Position)> = Vec::new();
    let mut twins = Vec::new();
    for square in board.moves() {
        let (mv, next) = (
            square.into(),
            Position::new(board.play(square), Side::First),
        );
        let twin = firsts.iter().find_map(|(of, first)| {
            let mut symmetries = 0..first.symmetries();
            let symmetry = symmetries.find(|&index| first.transform(index) == next)?;
            Some(Twin {
                mv,
                of: *of,
                symmetry,
            })
        });
        match twin {
            Some(twin) => twins.push(twin),
            None => firsts.push((mv, next)),
        }
    }
    twins
}

impl Twin {
    /// What is known about this move by what is known about the other.
    fn report(&self, board: Board, known: &Report<Move>) -> Report<Move> {
        let position = Position::new(board, Side::First);
        let seen = |&mv: &Move| position.transform_move(mv, self.symmetry);
        let reply = known.line.iter().skip(1).map(seen);
        Report {
            best: Some(self.mv),
            line: std::iter::once(self.mv).chain(reply).collect(),
            ..known.clone()
        }
    }
}

pub(super) fn analyse(
    worker: &mut Worker<'_>,
    board: Board,
    limits: &Limits,
    progress: &mut dyn FnMut(&Analysis),
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
        let value = -worker.weights.value(board, &features) / DISC;
        Report {
            best: Some(mv),
            line: vec![mv],
            confidence: Level::FIRST.percent(),
            ..Report::over(Score::estimated_margin(value))
        }
    };
    let twins = twins(board);
    let is_twin = |mv: Move| twins.iter().any(|twin| twin.mv == mv);
    let with_twins = |known: Report<Move>| {
        let same = twins.iter().filter(|twin| known.best == Some(twin.of));
        let mut reports: Vec<_> = same.map(|twin| twin.report(board, &known)).collect();
        reports.push(known);
        reports
    };
    let firsts = board.moves().map(Move::from).filter(|&mv| !is_twin(mv));
    let mut analysis = Analysis {
        moves: firsts.map(evaluated).flat_map(with_twins).collect(),
        nodes: 0,
        time: Duration::ZERO,
    };
    analysis.moves.sort_by_key(|known| -known.score.value());
    for schedule::Step { depth, level, .. } in schedule::steps(empties, limits.depth) {
        let before = analysis.moves.clone();
        // The list is sorted again after every move, so the loop is over a copy of the order.
        let order: Vec<Move> = analysis
            .moves
            .iter()
            .filter_map(|known| known.best)
            .filter(|&mv| !is_twin(mv))
            .collect();
        for mv in order {
            let (next, features) = after(mv);
            let known = analysis.moves.iter().find(|known| known.best == Some(mv));
            let Some(known) = known else { continue };
            let value = aspiration_search(discs(known.score), |alpha, beta| {
                let task = Task {
                    alpha,
                    beta,
                    depth,
                    empties,
                    level,
                    cut: false,
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
                // Moves are compared at the same depth, or not at all.
                analysis.moves = before;
                return analysis;
            }
            let exact = depth == empties && level == Level::EXACT;
            let found = with_twins(Report {
                best: Some(mv),
                score: score(value, exact),
                line: principal_variation(worker, board, mv, exact),
                depth,
                confidence: level.percent(),
                nodes: analysis.nodes,
                time: analysis.time,
            });
            for report in found {
                let mut old = analysis.moves.iter_mut();
                if let Some(old) = old.find(|old| old.best == report.best) {
                    *old = report;
                }
            }
            analysis.moves.sort_by_key(|known| -known.score.value());
            progress(&analysis);
        }
    }
    analysis
}

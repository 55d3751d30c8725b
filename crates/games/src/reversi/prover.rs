//! Exact margins near the end of a game of Reversi.

use ::reversi::{Move, Position};
use othello::{Engine, Options};
use search::{Limits, Report};

use crate::{Proof, Prover, Room};

/// Empty squares beyond which a position is not solved in any time that people wait.
const MOST_EMPTIES: u32 = 30;

/// The engine as a prover. What it finds about one position of a game stays in its table for
/// the others.
pub(super) struct Solver(Engine);

impl Solver {
    /// One for each thread.
    pub(super) fn side_by_side(room: Room) -> Vec<Box<dyn Prover<Position>>> {
        let hash = ((room.memory / room.threads.max(1)) >> 20).clamp(1, 256);
        let prover = |_| {
            let engine = Engine::new(Options { threads: 1, hash });
            Box::new(Solver(engine)) as Box<dyn Prover<Position>>
        };
        (0..room.threads.max(1)).map(prover).collect()
    }

    fn solve(&mut self, position: &Position, limits: &Limits) -> Option<Report<Move>> {
        if !is_feasible(position.board().empty().len(), limits) {
            return None;
        }
        let report = self.0.search(position, limits, |_| {});
        report.score.is_proven().then_some(report)
    }
}

/// Whether a position with so many empty squares can be solved in the time. About a tenth of a
/// second is enough for 20, and every square more takes twice as long; four times as long as the
/// time allows is hopeless, below that it depends on the position.
fn is_feasible(empties: u32, limits: &Limits) -> bool {
    let expected = 0.1 * f64::from(empties as i32 - 20).exp2();
    let wall = limits.wall.map_or(f64::INFINITY, |wall| wall.as_secs_f64());
    empties <= MOST_EMPTIES && (empties <= 12 || expected <= 4.0 * wall)
}

impl Prover<Position> for Solver {
    fn prove(&mut self, position: &Position, limits: &Limits) -> Option<Proof> {
        Proof::of(self.solve(position, limits)?.score)
    }

    /// Best play to the end, as the exact search found it.
    fn line(&mut self, position: &Position, limits: &Limits) -> Vec<Move> {
        self.solve(position, limits)
            .map_or_else(Vec::new, |report| report.line)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn hopeless_positions_are_not_tried() {
        let short = Limits::default().with_wall(Duration::from_millis(50));
        for (empties, limits, tried) in [
            (12, &short, true),
            (21, &short, true),
            (24, &short, false),
            (24, &Limits::default(), true),
            (31, &Limits::default(), false),
        ] {
            assert_eq!(is_feasible(empties, limits), tried, "{empties}");
        }
    }
}

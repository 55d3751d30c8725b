//! What positions of GIPF are worth: the player's search, then the solver.

use std::sync::Arc;

use ::gipf::{Move, Position};
use gipf_engine::player::Player;
use gipf_engine::tables::Library;
use search::{Clock, Distance, Limits, Report, Score};

use super::prover::Solver;
use crate::{Engine, Prover as _};

/// Bytes that the solver may use.
const MEMORY: usize = 128 << 20;

/// The player, with proofs: an exact distance where the search has found a win, and who wins, or
/// that neither side can force a win, where it has not.
pub(super) struct Analyst {
    player: Player,
    solver: Solver,
}

impl Analyst {
    /// An analyst that knows these tables.
    pub(super) fn new(tables: &Arc<Library>) -> Analyst {
        Analyst {
            player: Player::default().with_tables(Arc::clone(tables)),
            solver: Solver::new(tables, MEMORY),
        }
    }
}

impl Engine<Position> for Analyst {
    /// Half of the time is for the search, the rest for the solver.
    fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        let clock = Clock::start(limits);
        let half = Limits {
            wall: limits.wall.map(|wall| wall / 2),
            cpu: limits.cpu.map(|cpu| cpu / 2),
            ..limits.clone()
        };
        let mut report = self.player.search(position, &half);
        let rest = &Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(report.nodes)),
            depth: None,
            ..clock.rest()
        };
        // Without a limit of time or positions a proof could take for ever.
        if rest.is_endless() {
            return report;
        }
        let exact = |plies: Option<u32>| plies.map(Distance::Exactly);
        match report.score {
            Score::Win(Distance::AtMost(most)) => {
                let plies = exact(self.solver.distance(position, most, rest));
                report.score = plies.map_or(report.score, Score::Win);
            }
            Score::Loss(Distance::AtMost(most)) => {
                let plies = exact(self.solver.distance(position, most, rest));
                report.score = plies.map_or(report.score, Score::Loss);
            }
            Score::Estimate(_) => {
                if let Some(proof) = self.solver.prove(position, rest) {
                    report.score = proof.score();
                }
            }
            _ => {}
        }
        report
    }

    fn new_game(&mut self) {
        self.player.clear();
    }
}

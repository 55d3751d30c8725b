//! What positions of GIPF are worth: the player's search, then the solver.

use ::gipf::{Move, Position};
use gipf_engine::player::Player;
use gipf_engine::solve::{Budget, Verdict, shortest_win, solve};
use rules::Game;
use search::{Distance, Limits, Report, Score};

use crate::Engine;

/// Bytes that the solver may use.
const MEMORY: usize = 64 << 20;

/// The player, with proofs: an exact distance where the search has found a win, and who wins, or
/// that neither side can force a win, where it has not.
pub(super) struct Analyst(pub(super) Player);

impl Engine<Position> for Analyst {
    /// Half of the time on the wall clock is for the search, the rest for the solver.
    fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        let half = Limits {
            wall: limits.wall.map(|wall| wall / 2),
            ..limits.clone()
        };
        let mut report = self.0.search(position, &half);
        // Without a limit of time or positions a proof could take for ever.
        if limits.wall.is_none() && limits.nodes.is_none() {
            return report;
        }
        let budget = Budget {
            limits: Limits {
                wall: limits.wall.map(|wall| wall.saturating_sub(report.time)),
                nodes: limits.nodes.map(|nodes| nodes.saturating_sub(report.nodes)),
                depth: None,
                ..limits.clone()
            },
            memory: MEMORY,
        };
        let side = position.side_to_move();
        let won_by = |winner, distance| match winner == side {
            true => Score::Win(distance),
            false => Score::Loss(distance),
        };
        match report.score {
            Score::Win(Distance::AtMost(plies)) | Score::Loss(Distance::AtMost(plies)) => {
                if let Ok(Some((winner, plies))) = shortest_win(position, plies, &budget) {
                    report.score = won_by(winner, Distance::Exactly(plies));
                }
            }
            Score::Estimate(_) => match solve(position, &budget) {
                Ok(Verdict::Win(winner)) => report.score = won_by(winner, Distance::Unknown),
                Ok(Verdict::Tie) => report.score = Score::Draw,
                Err(_) => {}
            },
            _ => {}
        }
        report
    }

    fn new_game(&mut self) {
        self.0.clear();
    }
}

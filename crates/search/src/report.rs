//! What a search found.

use std::ops::ControlFlow;
use std::time::Duration;

use rules::Game;

use crate::Score;

/// What a search of any kind found about a position, or about one of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report<M> {
    /// The move to play, or the move that the report is about; `None` exactly if the game is
    /// over.
    pub best: Option<M>,
    /// What the position, or the move, is worth to the player to move.
    pub score: Score,
    /// How the game is expected to go on, `best` first.
    pub line: Vec<M>,
    /// Plies looked ahead in full.
    pub depth: u32,
    /// How sure a selective search is of what it cut off within that depth, in per cent; 100
    /// where nothing was.
    pub confidence: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time taken.
    pub time: Duration,
}

impl<M> Report<M> {
    /// The report of a finished game.
    #[must_use]
    pub fn over(score: Score) -> Report<M> {
        Report {
            best: None,
            score,
            line: Vec::new(),
            depth: 0,
            confidence: 100,
            nodes: 0,
            time: Duration::ZERO,
        }
    }

    /// The score, unless the player has not looked ahead and so has no opinion.
    #[must_use]
    pub fn opinion(&self) -> Option<Score> {
        (self.depth > 0).then_some(self.score)
    }

    /// Notes what a search of `depth` plies found on the scale of [`rules::WIN`]. `whole` says
    /// that all moves have been looked at: without that a win is proven, but a loss is only that
    /// of some moves, so the score stays as it is.
    pub fn note(&mut self, value: i32, depth: u32, whole: bool) {
        match Score::decided(value, depth) {
            Some(Score::Loss(_)) if !whole => {}
            Some(score) => self.score = score,
            None => self.score = Score::Estimate(value),
        }
    }
}

impl<M: Copy> Report<M> {
    /// What can be said without looking: the first legal move, or how the game ended.
    #[must_use]
    pub fn before_search<G: Game<Move = M>>(position: &G) -> Report<M> {
        let best = match position.visit_moves(ControlFlow::Break) {
            ControlFlow::Break(mv) => Some(mv),
            ControlFlow::Continue(()) => None,
        };
        let score = match position.outcome() {
            Some(outcome) => Score::over(outcome, position.side_to_move()),
            None => Score::Estimate(0),
        };
        Report {
            best,
            line: best.into_iter().collect(),
            ..Report::over(score)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Distance::{AtMost, Exactly};
    use rules::WIN;

    #[test]
    fn a_loss_of_some_moves_proves_nothing() {
        let mut report = Report::<u8>::over(Score::Estimate(12));
        let table = [
            (4 - WIN, 5, false, Score::Estimate(12)),
            (-30, 5, false, Score::Estimate(-30)),
            (WIN - 5, 5, false, Score::Win(Exactly(5))),
            (WIN - 7, 5, true, Score::Win(AtMost(7))),
            (4 - WIN, 5, true, Score::Loss(Exactly(4))),
        ];
        for (value, depth, whole, expected) in table {
            report.note(value, depth, whole);
            assert_eq!(report.score, expected);
        }
    }
}

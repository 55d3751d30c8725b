//! The strong Othello engine as a player of Reversi, and as an analyst.

use ::reversi::{Move, Position};
use othello::{Engine as Othello, Options};
use search::{Limits, Report};

use crate::Engine;

/// Mebibytes in which a player remembers positions.
pub(super) const PLAYER_HASH: usize = 64;

/// Mebibytes in which an analyst remembers positions.
pub(super) const ANALYST_HASH: usize = 32;

/// The strongest player of Reversi. It estimates margins, and proves them near the end.
pub(super) struct Strongest(Othello);

impl Strongest {
    /// One thread, so that several players can share a machine fairly.
    pub(super) fn new(hash: usize) -> Strongest {
        Strongest(Othello::new(Options { threads: 1, hash }))
    }
}

impl Engine<Position> for Strongest {
    fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        self.0.search(position, limits, |_| {})
    }

    fn new_game(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Game;

    #[test]
    fn it_plays_a_whole_game() {
        let (mut player, mut position) = (Strongest::new(PLAYER_HASH), Position::start());
        let limits = Limits::default().with_nodes(20_000);
        while position.outcome().is_none() {
            let report = player.search(&position, &limits);
            let mv = report.best.expect("a move while the game goes on");
            assert_eq!(report.line.first(), Some(&mv));
            position.play(mv).expect("a legal move");
        }
        let report = player.search(&position, &limits);
        assert_eq!(report.best, None);
        assert!(report.score.is_proven());
    }
}

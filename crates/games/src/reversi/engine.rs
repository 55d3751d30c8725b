//! The strong Othello engine as a player of Reversi, and as an analyst.

use ::reversi::{Move, Position};
use othello::{Answer, Engine as Othello, Options};
use rules::WIN;
use search::{Limits, Report};

use super::DISC;
use crate::Engine;

/// Mebibytes in which a player remembers positions.
const PLAYER_HASH: usize = 64;

/// Mebibytes in which an analyst remembers positions.
const ANALYST_HASH: usize = 32;

/// One thread, so that several players can share a machine fairly.
fn engine(hash: usize) -> Othello {
    Othello::new(Options { threads: 1, hash })
}

fn report(answer: Answer, value: i32) -> Report<Move> {
    Report {
        best: answer.best,
        value,
        exact: answer.exact,
        line: answer.line,
        depth: answer.depth,
        nodes: answer.nodes,
        time: answer.time,
    }
}

/// The strongest player of Reversi. A proven win counts as one, however many discs it is
/// worth.
pub(super) struct Strongest(Othello);

impl Strongest {
    pub(super) fn new() -> Strongest {
        Strongest(engine(PLAYER_HASH))
    }
}

impl Engine<Position> for Strongest {
    fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        let answer = self.0.search(position, limits, |_| {});
        let empties = position.board().empty().len() as i32;
        let value = if answer.exact {
            answer.value.signum() * (WIN - empties)
        } else {
            answer.value * DISC
        };
        report(answer, value)
    }

    fn new_game(&mut self) {
        self.0.clear();
    }
}

/// The same engine with every value in discs.
pub(super) struct Margins(Othello);

impl Margins {
    pub(super) fn new() -> Margins {
        Margins(engine(ANALYST_HASH))
    }
}

impl Engine<Position> for Margins {
    fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        let answer = self.0.search(position, limits, |_| {});
        let value = answer.value * DISC;
        report(answer, value)
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
        let (mut player, mut position) = (Strongest::new(), Position::start());
        let limits = Limits::default().with_nodes(20_000);
        while position.outcome().is_none() {
            let report = player.search(&position, &limits);
            let mv = report.best.expect("a move while the game goes on");
            assert_eq!(report.line.first(), Some(&mv));
            position.play(mv).expect("a legal move");
        }
        let report = player.search(&position, &limits);
        assert_eq!(report.best, None);
        assert!(report.exact);
    }
}

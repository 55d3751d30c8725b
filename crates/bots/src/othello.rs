//! The strong Othello engine as a player of Reversi.

use othello::{Answer, Engine as Othello, Options};
use reversi::{Move, Position};
use rules::WIN;
use search::{Limits, Report};

use crate::Engine;

/// One disc on the scale of values: estimates stay far below [`WIN`].
const DISC: i32 = 100;

/// The strongest player of Reversi.
pub(crate) struct Strongest(Othello);

impl Strongest {
    /// One thread, so that several players can share a machine fairly.
    pub(crate) fn new() -> Strongest {
        Strongest(Othello::new(Options {
            threads: 1,
            hash: 64,
        }))
    }
}

impl Engine<Position> for Strongest {
    fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        let answer = self.0.search(position, limits, |_| {});
        let empties = position.board().empty().len() as i32;
        Report {
            best: answer.best,
            value: value(&answer, empties),
            exact: answer.exact,
            line: answer.line,
            depth: answer.depth,
            nodes: answer.nodes,
            time: answer.time,
        }
    }

    fn new_game(&mut self) {
        self.0.clear();
    }
}

/// A proven win counts as one, however many discs it is worth.
fn value(answer: &Answer, empties: i32) -> i32 {
    if answer.exact {
        answer.value.signum() * (WIN - empties)
    } else {
        answer.value * DISC
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

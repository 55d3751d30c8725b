//! Players of one game as a type, and of any game as a value.

use rules::Game;
use search::{Limits, Report};

use crate::{AnyPosition, Definition};

/// A player of one game.
pub trait Engine<G: Game>: Send {
    /// Looks for a move; see [`Report`].
    fn search(&mut self, position: &G, limits: &Limits) -> Report<G::Move>;

    /// Forgets what it learned from earlier games.
    fn new_game(&mut self) {}
}

/// A player of the game that it was built for; moves are texts.
pub trait AnyEngine: Send {
    /// Looks for a move.
    ///
    /// # Panics
    /// If the position is of another game than the engine was built for.
    fn search(&mut self, position: &AnyPosition, limits: &Limits) -> Report<String>;

    /// Forgets what it learned from earlier games.
    fn new_game(&mut self);
}

/// An engine of the game that `D` defines.
pub(crate) struct Typed<D: Definition>(pub(crate) Box<dyn Engine<D::Position>>);

impl<D: Definition> AnyEngine for Typed<D> {
    fn search(&mut self, position: &AnyPosition, limits: &Limits) -> Report<String> {
        let Some(position) = position.downcast_ref::<D::Position>() else {
            let (own, other) = (D::Position::NAME, position.game());
            panic!("a bot for {own} was asked about {other}");
        };
        texts(position, self.0.search(position, limits))
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }
}

/// A report about `position` with moves as texts.
fn texts<G: Game>(position: &G, report: Report<G::Move>) -> Report<String> {
    let mut at = position.clone();
    let mut line = Vec::with_capacity(report.line.len());
    for mv in report.line {
        line.push(at.move_text(mv));
        at.play_unchecked(mv);
    }
    Report {
        best: report.best.map(|mv| position.move_text(mv)),
        score: report.score,
        line,
        depth: report.depth,
        confidence: report.confidence,
        nodes: report.nodes,
        time: report.time,
    }
}

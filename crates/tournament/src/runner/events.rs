//! What happens while a tournament is played.

use referee::MoveRecord;

use crate::schedule::Fixture;
use crate::store::GameRow;

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A runner begins.
    Started {
        /// The tournament's id.
        tournament: String,
        /// Games that were played before.
        known: usize,
        /// Games there will be; the least number for a knockout.
        planned: usize,
    },
    /// A worker begins a game.
    GameStarted {
        /// The game's id.
        id: String,
        /// Who meets.
        fixture: Fixture,
        /// The start position.
        start: String,
    },
    /// A player has made its turn in a game.
    Turn {
        /// The game's id.
        id: String,
        /// The turn.
        record: Box<MoveRecord>,
    },
    /// A game is over and written.
    GameFinished {
        /// The game.
        row: GameRow,
    },
    /// A player plays no more.
    Benched {
        /// Its number.
        player: usize,
        /// Why.
        reason: String,
    },
    /// The runner ends.
    Ended {
        /// Whether all games have been played.
        finished: bool,
    },
}

/// Someone who wants to know what happens. Called from the workers' threads: be quick.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn event(&self, event: &Event);
}

impl<F: Fn(&Event) + Send + Sync> Observer for F {
    fn event(&self, event: &Event) {
        self(event);
    }
}

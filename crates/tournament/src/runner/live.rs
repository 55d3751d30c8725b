//! The state of a running tournament, for those who join later.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde::Serialize;

use super::events::{Event, Observer};
use crate::schedule::Fixture;
use crate::store::GameRow;

/// A game that is being played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RunningGame {
    /// Its id.
    pub id: String,
    /// Number of the player who moved first.
    pub first: usize,
    /// Number of the other player.
    pub second: usize,
    /// The start position.
    pub start: String,
    /// The moves so far; a turn that was lost has none.
    pub moves: Vec<String>,
    /// The position before the last turn.
    pub position: String,
}

/// Keeps track of a running tournament.
#[derive(Default, Debug)]
pub struct Live {
    state: Mutex<State>,
}

#[derive(Default, Debug)]
struct State {
    running: BTreeMap<String, RunningGame>,
    finished: Vec<GameRow>,
    version: u64,
    ended: bool,
}

impl Live {
    /// The games that are being played, by id.
    #[must_use]
    pub fn running(&self) -> Vec<RunningGame> {
        self.lock().running.values().cloned().collect()
    }

    /// One game, if it is being played.
    #[must_use]
    pub fn game(&self, id: &str) -> Option<RunningGame> {
        self.lock().running.get(id).cloned()
    }

    /// The games that this run has finished, in order.
    #[must_use]
    pub fn finished(&self) -> Vec<GameRow> {
        self.lock().finished.clone()
    }

    /// A number that grows with everything that happens: nothing new, nothing to redraw.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.lock().version
    }

    /// Whether the run is over.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.lock().ended
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // The state is whole after every line below, so a panic elsewhere does no harm.
        self.state
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Observer for Live {
    fn event(&self, event: &Event) {
        let mut state = self.lock();
        state.version += 1;
        match event {
            Event::Started { .. } => state.ended = false,
            Event::GameStarted { id, fixture, start } => {
                let &Fixture { first, second, .. } = fixture;
                let game = RunningGame {
                    id: id.clone(),
                    first,
                    second,
                    start: start.clone(),
                    moves: Vec::new(),
                    position: start.clone(),
                };
                state.running.insert(id.clone(), game);
            }
            Event::Turn { id, record } => {
                if let Some(game) = state.running.get_mut(id) {
                    game.position.clone_from(&record.position);
                    let played = record.verdict.is_ok();
                    game.moves.extend(record.mv.clone().filter(|_| played));
                }
            }
            Event::GameFinished { row } => {
                state.running.remove(&row.id);
                state.finished.push(row.clone());
            }
            Event::Benched { .. } => {}
            Event::Ended { .. } => {
                state.running.clear();
                state.ended = true;
            }
        }
    }
}

//! Games that are put aside: nothing comes of them now, and the others are played first.

use std::collections::{BTreeMap, HashMap};

use super::RunError;
use crate::schedule::Fixture;

/// A game that the machine was too busy for is not tried more often than this.
const MOST_BUSY: u32 = 3;

/// After so many games in a row that cannot be played, none is tried any more.
const MOST_SPOILT: u32 = 3;

/// What is put aside, and what the machine was too busy for.
#[derive(Default)]
pub(super) struct Aside {
    games: BTreeMap<String, Fixture>,
    /// Why the first of those that this machine cannot play was put aside.
    problem: Option<RunError>,
    /// How many of those were put aside since one was played.
    spoilt: u32,
    /// How often the machine was too busy for a game.
    busy: HashMap<String, u32>,
}

impl Aside {
    pub(super) fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    pub(super) fn holds(&self, id: &str) -> bool {
        self.games.contains_key(id)
    }

    /// Puts a game aside of which nothing came.
    pub(super) fn put(&mut self, id: &str, game: Fixture) {
        self.games.insert(id.into(), game);
    }

    /// Takes a game back.
    pub(super) fn take(&mut self, id: &str) -> Option<Fixture> {
        self.games.remove(id)
    }

    /// Puts a game aside that this machine cannot play: it may be the only one. Why is told when
    /// there is nothing else to play, or at once if it is one of several in a row.
    pub(super) fn put_spoilt(
        &mut self,
        id: &str,
        game: Fixture,
        problem: RunError,
    ) -> Result<(), RunError> {
        self.spoilt += 1;
        if self.spoilt >= MOST_SPOILT {
            return Err(problem);
        }
        self.put(id, game);
        self.problem.get_or_insert(problem);
        Ok(())
    }

    /// A game was played: the machine can.
    pub(super) fn played(&mut self) {
        self.spoilt = 0;
    }

    /// The machine was too busy for a game. What to say once that has been so too often.
    pub(super) fn too_busy(&mut self, id: &str, what: &str) -> Option<RunError> {
        let times = self.busy.entry(id.into()).or_default();
        *times += 1;
        let times = *times;
        if times < MOST_BUSY {
            return None;
        }
        self.busy.remove(id);
        Some(RunError::Busy {
            game: id.into(),
            what: what.into(),
            times,
        })
    }

    /// Whether the machine was too busy for a game that is to be tried again.
    pub(super) fn was_too_busy(&self, id: &str) -> bool {
        self.busy.contains_key(id)
    }

    /// Why this machine cannot play what is left, if that is so.
    pub(super) fn problem(&mut self) -> Option<RunError> {
        self.problem.take()
    }

    /// The games that wait for others to play them again; what this machine cannot play the next
    /// run tries again.
    pub(super) fn waiting(self) -> Vec<String> {
        match self.problem {
            Some(_) => Vec::new(),
            None => self.games.into_keys().collect(),
        }
    }
}

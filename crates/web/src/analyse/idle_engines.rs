//! The engines that say what positions are worth.

use std::sync::{Mutex, PoisonError};

use games::{AnyEngine, AnyPosition, Resources};
use search::{Limits, Report};

/// So many engines wait for their next position; more are given up.
const WAITING: usize = 3;

/// Engines between two positions. They are large, so searches share a few of them: each is
/// lent to one that has a place in the pool.
#[derive(Default)]
pub(crate) struct IdleEngines(Mutex<Vec<(String, Box<dyn AnyEngine>)>>);

impl std::fmt::Debug for IdleEngines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("IdleEngines")
    }
}

impl IdleEngines {
    /// Says what a position is worth.
    pub(crate) fn think(
        &self,
        position: &AnyPosition,
        resources: &Resources,
        limits: &Limits,
    ) -> Report<String> {
        // What an engine remembers of one variant is wrong in another.
        let key = format!("{} {}", position.game(), position.variant());
        let known = {
            let mut waiting = self.lock();
            let place = waiting.iter().rposition(|(name, _)| *name == key);
            place.map(|place| waiting.remove(place).1)
        };
        let mut engine = known.unwrap_or_else(|| position.game().analyst(resources));
        let report = engine.search(position, limits);
        let mut waiting = self.lock();
        waiting.push((key, engine));
        if waiting.len() > WAITING {
            waiting.remove(0);
        }
        report
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(String, Box<dyn AnyEngine>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

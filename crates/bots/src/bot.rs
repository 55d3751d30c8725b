//! A built-in player of the game that it was built for.

use std::time::{Duration, Instant};

use games::{AnyEngine, AnyPosition};
use search::{Limits, Report};

use crate::{BotSpec, Budget};

/// Nobody thinks long about the only move there is.
const FORCED: Limits = Limits {
    depth: Some(4),
    nodes: Some(1_000),
    wall: None,
    about: None,
    cpu: None,
    stop: None,
    time: search::Time::SYSTEM,
};

/// What holds if neither the caller nor the name sets a limit.
const USUAL: Duration = Duration::from_secs(1);

/// An engine with its name and its own limits.
pub struct Bot {
    spec: BotSpec,
    limits: Limits,
    /// The time for all its moves of a game, if the name sets one.
    game_time: Option<Duration>,
    /// What is used of it.
    used: Duration,
    engine: Box<dyn AnyEngine>,
}

impl std::fmt::Debug for Bot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bot({})", self.spec)
    }
}

impl Bot {
    pub(crate) fn new(spec: BotSpec, engine: Box<dyn AnyEngine>) -> Bot {
        Bot {
            spec,
            limits: spec.budget.limits(),
            game_time: match spec.budget {
                Budget::Game(time) => Some(time),
                _ => None,
            },
            used: Duration::ZERO,
            engine,
        }
    }

    /// The name that would build it again.
    #[must_use]
    pub fn name(&self) -> String {
        self.spec.to_string()
    }

    /// Chooses a move; the report has none exactly if the game is over. The bot's own limits hold
    /// too, whichever are tighter.
    ///
    /// # Panics
    /// If the position is of another game than the bot was built for.
    pub fn choose(&mut self, position: &AnyPosition, limits: &Limits) -> Report<String> {
        let started = Instant::now();
        let mut limits = limits.and(&self.limits);
        if let Some(time) = self.game_time {
            limits = limits.and(&position.share(time.saturating_sub(self.used)));
        }
        // A level stops by itself, and plays the same on every machine.
        if limits.is_endless() && !self.spec.algorithm.is_level() {
            limits = limits.with_wall(USUAL);
        }
        if position.count_moves() == 1 {
            limits = limits.and(&FORCED);
        }
        let report = self.engine.search(position, &limits);
        self.used += started.elapsed();
        report
    }

    /// Forgets what it learned from earlier games.
    pub fn new_game(&mut self) {
        self.used = Duration::ZERO;
        self.engine.new_game();
    }
}

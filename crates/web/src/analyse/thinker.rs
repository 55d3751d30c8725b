//! The engines that say what positions are worth.

use std::sync::{Mutex, PoisonError};

use bots::{AnyPosition, Bot, BotSpec, Budget};
use search::Limits;

use super::values::{DISC, Worth};

/// So many engines wait for their next position; more are given up.
const WAITING: usize = 3;

/// Engines between two positions. They are large, so searches share a few of them: each is
/// lent to one that has a place in the pool.
#[derive(Default)]
pub(crate) struct Stock(Mutex<Vec<(String, Thinker)>>);

impl std::fmt::Debug for Stock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stock")
    }
}

impl Stock {
    /// Says what a position is worth.
    pub(crate) fn think(&self, position: &AnyPosition, limits: &Limits) -> Option<Worth> {
        // What an engine remembers of one variant is wrong in another.
        let key = match position {
            AnyPosition::Gipf(position) => position.variant().to_string(),
            other => other.game().to_string(),
        };
        let known = {
            let mut waiting = self.lock();
            let place = waiting.iter().rposition(|(name, _)| *name == key);
            place.map(|place| waiting.remove(place).1)
        };
        let mut thinker = match known {
            Some(thinker) => thinker,
            None => Thinker::new(position)?,
        };
        let worth = thinker.think(position, limits);
        let mut waiting = self.lock();
        waiting.push((key, thinker));
        if waiting.len() > WAITING {
            waiting.remove(0);
        }
        Some(worth)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(String, Thinker)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who says what a position is worth.
enum Thinker {
    /// Counts discs, and proves them near the end.
    Othello(Box<othello::Engine>),
    /// The strongest player of any other game.
    Bot(Box<dyn Bot>),
}

/// Mebibytes that an engine of Reversi remembers positions in.
const MEMORY: usize = 32;

impl Thinker {
    fn new(position: &AnyPosition) -> Option<Thinker> {
        match position {
            AnyPosition::Reversi(_) => {
                let options = othello::Options {
                    threads: 1,
                    hash: MEMORY,
                };
                Some(Thinker::Othello(Box::new(othello::Engine::new(options))))
            }
            _ => {
                let bot = BotSpec::Best(Budget::Free).build(position.game(), 0);
                bot.ok().map(Thinker::Bot)
            }
        }
    }

    fn think(&mut self, position: &AnyPosition, limits: &Limits) -> Worth {
        match (self, position) {
            (Thinker::Othello(engine), AnyPosition::Reversi(position)) => {
                let answer = engine.search(position, limits, |_| ());
                Worth {
                    mv: answer.best.map_or_else(String::new, |mv| mv.to_string()),
                    value: answer.value * DISC,
                    exact: answer.exact,
                    depth: answer.depth,
                    line: answer.line.iter().map(ToString::to_string).collect(),
                }
            }
            (Thinker::Bot(bot), position) => {
                let choice = bot.choose(position, limits);
                Worth {
                    mv: choice.mv,
                    value: choice.value.unwrap_or(0),
                    exact: choice.exact,
                    depth: choice.depth,
                    line: choice.line,
                }
            }
            // A thinker is only asked about positions of the game it was made for.
            (Thinker::Othello(_), _) => Worth::default(),
        }
    }
}

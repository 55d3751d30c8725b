//! The names of players, such as `alphabeta:200ms`.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::time::Duration;

use search::{AlphaBeta, Limits, Mcts};
use thiserror::Error;

use crate::bot::Player;
use crate::game::dispatch;
use crate::players::{Greedy, Minimax, Random};
use crate::{Bot, Engine, GameName, Playable};

/// A player by name.
///
/// ```
/// use bots::{BotSpec, Budget};
///
/// assert_eq!("minimax:3".parse(), Ok(BotSpec::Minimax(3)));
/// assert_eq!("alphabeta:d6".parse(), Ok(BotSpec::AlphaBeta(Budget::Depth(6))));
/// assert_eq!("best:1500ms".parse::<BotSpec>()?.to_string(), "best:1.5s");
/// # Ok::<(), bots::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BotSpec {
    /// `random`: any legal move.
    Random,
    /// `greedy`: best after one move.
    Greedy,
    /// `minimax:DEPTH`: looks at every line of this many half-moves.
    Minimax(u32),
    /// `alphabeta`, `alphabeta:TIME`, `alphabeta:dDEPTH`, `alphabeta:nNODES`: deeper
    /// and deeper, leaving out what cannot matter.
    AlphaBeta(Budget),
    /// `mcts`, `mcts:TIME`, `mcts:nNODES`: a tree grown by short random games.
    Mcts(Budget),
    /// `best`, `best:TIME`, …: the strongest player of the game.
    Best(Budget),
}

/// What a player may spend, on one move unless it says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Budget {
    /// What the caller allows, or one second if it sets no limit.
    Free,
    /// Wall time: `200ms`, `1.5s`.
    Time(Duration),
    /// Wall time for all moves of a game: `30s/game`.
    Game(Duration),
    /// Half-moves to look ahead: `d6`.
    Depth(u32),
    /// Positions to visit: `n10000`.
    Nodes(u64),
}

/// Why a text names no player.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// No such player.
    #[error(
        "unknown player {0:?}; there are random, greedy, minimax:DEPTH, alphabeta[:TIME], mcts[:TIME], best[:TIME]"
    )]
    Unknown(String),
    /// The part after the colon is missing, superfluous or unreadable.
    #[error("bad player {text:?}: {reason}")]
    Malformed {
        /// The whole text.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Deeper than any game here can be searched.
const DEEPEST: u32 = 100;

/// Longer than anybody waits for a move.
const LONGEST: f64 = 86_400.0;

impl FromStr for BotSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<BotSpec, SpecError> {
        let malformed = |reason: String| SpecError::Malformed {
            text: text.into(),
            reason,
        };
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let budget = || argument.map_or(Ok(Budget::Free), |a| a.parse().map_err(malformed));
        match name {
            "random" | "greedy" if argument.is_some() => {
                Err(malformed(format!("{name} takes no argument")))
            }
            "random" => Ok(BotSpec::Random),
            "greedy" => Ok(BotSpec::Greedy),
            "minimax" => argument
                .and_then(|a| a.strip_prefix('d').unwrap_or(a).parse().ok())
                .filter(|depth| (1..=DEEPEST).contains(depth))
                .map(BotSpec::Minimax)
                .ok_or_else(|| malformed(format!("minimax wants a depth from 1 to {DEEPEST}"))),
            "alphabeta" => budget().map(BotSpec::AlphaBeta),
            "mcts" => match budget()? {
                Budget::Depth(_) => Err(malformed("mcts has no depth".into())),
                budget => Ok(BotSpec::Mcts(budget)),
            },
            "best" => budget().map(BotSpec::Best),
            _ => Err(SpecError::Unknown(text.into())),
        }
    }
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Budget, String> {
        let bad = || {
            format!(
                "{text:?} is no time (200ms, 1.5s, 30s/game), depth (d1 to d{DEEPEST}) or number of nodes (n10000)"
            )
        };
        let (time, game) = match text.strip_suffix("/game") {
            Some(time) => (time, true),
            None => (text, false),
        };
        let (number, unit) = match text.as_bytes().first() {
            Some(b'd') => {
                let depth = text[1..].parse().map_err(|_| bad())?;
                return if (1..=DEEPEST).contains(&depth) {
                    Ok(Budget::Depth(depth))
                } else {
                    Err(bad())
                };
            }
            Some(b'n') => return text[1..].parse().map(Budget::Nodes).map_err(|_| bad()),
            _ => match time.strip_suffix("ms") {
                Some(number) => (number, 1e-3),
                None => (time.strip_suffix('s').ok_or_else(bad)?, 1.0),
            },
        };
        let seconds = number.parse::<f64>().map_err(|_| bad())? * unit;
        if !(0.0..=LONGEST).contains(&seconds) {
            return Err(bad());
        }
        let time = Duration::from_secs_f64(seconds);
        Ok(if game {
            Budget::Game(time)
        } else {
            Budget::Time(time)
        })
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotSpec::Random => f.write_str("random"),
            BotSpec::Greedy => f.write_str("greedy"),
            BotSpec::Minimax(depth) => write!(f, "minimax:{depth}"),
            BotSpec::AlphaBeta(budget) => write!(f, "alphabeta{budget}"),
            BotSpec::Mcts(budget) => write!(f, "mcts{budget}"),
            BotSpec::Best(budget) => write!(f, "best{budget}"),
        }
    }
}

impl fmt::Display for Budget {
    /// With the colon before it, or nothing at all.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Free => Ok(()),
            Budget::Time(time) => write!(f, ":{}", Seconds(*time)),
            Budget::Game(time) => write!(f, ":{}/game", Seconds(*time)),
            Budget::Depth(depth) => write!(f, ":d{depth}"),
            Budget::Nodes(nodes) => write!(f, ":n{nodes}"),
        }
    }
}

/// A time as people write it.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_secs_f64() {
            seconds if seconds < 1.0 => write!(f, "{}ms", seconds * 1e3),
            seconds => write!(f, "{seconds}s"),
        }
    }
}

impl Budget {
    /// The budget as limits of every move; the time of a game is for the player to share out.
    #[must_use]
    pub fn limits(self) -> Limits {
        let free = Limits::default();
        match self {
            Budget::Free | Budget::Game(_) => free,
            Budget::Time(time) => free.with_wall(time),
            Budget::Depth(depth) => free.with_depth(depth),
            Budget::Nodes(nodes) => free.with_nodes(nodes),
        }
    }
}

impl BotSpec {
    /// Builds the player; the seed decides all its random choices.
    pub fn build(self, game: GameName, seed: u64) -> Result<Box<dyn Bot>, SpecError> {
        dispatch!(game as P => {
            Ok(Box::new(Player {
                name: self.to_string(),
                limits: self.budget().limits(),
                game_time: match self.budget() {
                    Budget::Game(time) => Some(time),
                    _ => None,
                },
                used: Duration::ZERO,
                default: Limits::default().with_wall(Duration::from_secs(1)),
                engine: self.engine::<P>(seed),
                game: PhantomData::<fn(&P)>,
            }))
        })
    }

    /// What the player may spend.
    #[must_use]
    pub fn budget(self) -> Budget {
        match self {
            BotSpec::Random | BotSpec::Greedy => Budget::Free,
            BotSpec::Minimax(depth) => Budget::Depth(depth),
            BotSpec::AlphaBeta(budget) | BotSpec::Mcts(budget) | BotSpec::Best(budget) => budget,
        }
    }

    fn engine<G: Playable>(self, seed: u64) -> Box<dyn Engine<G>> {
        match self {
            BotSpec::Random => Box::new(Random::new(seed)),
            BotSpec::Greedy => Box::new(Greedy::new(seed)),
            BotSpec::Minimax(_) => Box::new(Minimax),
            BotSpec::AlphaBeta(_) => Box::new(AlphaBeta::new()),
            BotSpec::Mcts(_) => Box::new(Mcts::new(seed)),
            BotSpec::Best(_) => G::strongest(seed).unwrap_or_else(|| Box::new(AlphaBeta::new())),
        }
    }
}

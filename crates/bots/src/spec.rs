//! The names of players, such as `alphabeta:200ms`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use games::{Algorithm, Argument, GameName, Resources};
use search::Limits;
use thiserror::Error;

use crate::Bot;

/// A player by name.
///
/// ```
/// use bots::{BotSpec, Budget};
/// use games::Algorithm;
///
/// let spec: BotSpec = "alphabeta:d6".parse()?;
/// assert_eq!(spec, BotSpec::new(Algorithm::AlphaBeta, Budget::Depth(6)));
/// assert_eq!("best:1500ms".parse::<BotSpec>()?.to_string(), "best:1.5s");
/// # Ok::<(), bots::SpecError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BotSpec {
    /// How it chooses.
    pub algorithm: Algorithm,
    /// What it may spend.
    pub budget: Budget,
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
    /// Plies to look ahead: `d6`.
    Depth(u32),
    /// Positions to visit: `n10000`.
    Nodes(u64),
}

/// Why a text names no player.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// No such player.
    #[error("unknown player {0:?}; there are {list}", list = names())]
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

/// All players with what follows their names.
fn names() -> String {
    let name = |algorithm: &Algorithm| {
        let argument = match algorithm.argument() {
            Argument::None => "",
            Argument::Depth => ":DEPTH",
            Argument::Time | Argument::Budget => "[:TIME]",
        };
        format!("{}{argument}", algorithm.name())
    };
    let names: Vec<String> = Algorithm::ALL.iter().map(name).collect();
    names.join(", ")
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
        let algorithm = *Algorithm::ALL
            .iter()
            .find(|algorithm| algorithm.name() == name)
            .ok_or_else(|| SpecError::Unknown(text.into()))?;
        let budget = || argument.map_or(Ok(Budget::Free), |a| a.parse().map_err(malformed));
        let budget = match algorithm.argument() {
            Argument::None if argument.is_some() => {
                return Err(malformed(format!("{name} takes no argument")));
            }
            Argument::None => Budget::Free,
            Argument::Depth => argument
                .and_then(|a| a.strip_prefix('d').unwrap_or(a).parse().ok())
                .filter(|depth| (1..=DEEPEST).contains(depth))
                .map(Budget::Depth)
                .ok_or_else(|| malformed(format!("{name} wants a depth from 1 to {DEEPEST}")))?,
            Argument::Time => match budget()? {
                Budget::Depth(_) => return Err(malformed(format!("{name} has no depth"))),
                budget => budget,
            },
            Argument::Budget => budget()?,
        };
        Ok(BotSpec { algorithm, budget })
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
        f.write_str(self.algorithm.name())?;
        match (self.algorithm.argument(), self.budget) {
            (Argument::Depth, Budget::Depth(depth)) => write!(f, ":{depth}"),
            (_, budget) => write!(f, "{budget}"),
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
    /// This player with this budget.
    #[must_use]
    pub const fn new(algorithm: Algorithm, budget: Budget) -> BotSpec {
        BotSpec { algorithm, budget }
    }

    /// Builds the player; the seed decides all its random choices.
    #[must_use]
    pub fn build(self, game: GameName, seed: u64) -> Bot {
        self.build_with(game, &Resources::default(), seed)
    }

    /// Builds the player with what it may use beside its own code.
    #[must_use]
    pub fn build_with(self, game: GameName, resources: &Resources, seed: u64) -> Bot {
        Bot::new(self, game.engine(self.algorithm, resources, seed))
    }
}

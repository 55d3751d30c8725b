//! Every built-in player by name, for every game.
//!
//! A [`BotSpec`] such as `alphabeta:200ms` names an [`Algorithm`](games::Algorithm) and what it
//! may spend; it builds a [`Bot`] that plays one of the [games](games::GameName).
//!
//! ```
//! use bots::BotSpec;
//! use games::{AnyPosition, GameName};
//! use search::Limits;
//!
//! let game: GameName = "reversi".parse()?;
//! let mut position = AnyPosition::start(game);
//! let mut bot = "random".parse::<BotSpec>()?.build(game, 42);
//! let report = bot.choose(&position, &Limits::default());
//! position.play(&report.best.expect("the game is not over"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bot;
mod spec;

pub use bot::Bot;
pub use spec::{BotSpec, Budget, SpecError};

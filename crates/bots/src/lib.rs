//! Every built-in player by name, for every game.
//!
//! Below this floor games are types; above it they are values: a [`GameName`] picks the
//! game, an [`AnyPosition`] is a position of it, and a [`BotSpec`] such as `alphabeta:200ms`
//! builds a [`Bot`] that plays it. This is the one place with `dyn`.
//!
//! ```
//! use bots::{AnyPosition, BotSpec, GameName};
//! use search::Limits;
//!
//! let game: GameName = "reversi".parse()?;
//! let mut position = AnyPosition::start(game);
//! let mut bot = "random".parse::<BotSpec>()?.build(game, 42)?;
//! let choice = bot.choose(&position, &Limits::default());
//! position.play(&choice.mv)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bot;
mod game;
mod othello;
mod playable;
mod players;
mod spec;

pub use bot::{Bot, Choice, Engine};
pub use game::{AnyPosition, GameName, UnknownGame};
pub use playable::Playable;
pub use spec::{BotSpec, Budget, SpecError};

//! Tournaments: who meets whom, what came of it, and how strong everyone is.
//!
//! A [`Config`] (from a TOML file) decides everything; [`run`] plays what is left of it
//! with the referee and writes every game into a [`Store`]; [`Standings`] say where things
//! stand; [`output`] turns them into tables, CSV, JSON and one HTML page.
//!
//! This is the only crate that touches a database.
//!
//! ```
//! use tournament::{Config, RawConfig, RunOptions, Store, run};
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
//! # runtime.block_on(async {
//! let players = vec!["random".parse()?, "greedy".parse()?];
//! let config = RawConfig::new("First steps", games::REVERSI, players);
//! let config = Config::try_from(config)?;
//! let store = Store::in_memory().await?;
//! let summary = run(&store, &config, &RunOptions::default()).await?;
//! let standings = store.standings(&summary.tournament).await?;
//! assert_eq!(standings.played, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod config;
mod conversion;
pub mod output;
pub mod rating;
pub mod runner;
pub mod schedule;
pub mod standings;
pub mod store;

pub use config::{Config, ConfigError, FileError, LONGEST_NAME, RawConfig, game_id};
pub use conversion::{Conversions, suite};
pub use runner::{Event, Live, Observer, RunError, RunOptions, RunningGame, Summary, cores, run};
pub use standings::{Duel, Standing, Standings, Wdl};
pub use store::{GameFilter, GameOrder, GameRow, Note, NoteKind, Store, StoreError, TournamentRow};

//! The referee: one game between two players.
//!
//! Players are programs of several kinds or built-in bots ([`PlayerSpec`]). Every answer
//! is checked by the rules of the game, every limit is watched, and every fault gets an
//! exact [`Verdict`]. The [`GameRecord`] holds all that happened, enough to judge the game
//! and to run a program again on the very input that it failed on.
//!
//! This is the only crate that starts processes.
//!
//! ```
//! use games::{AnyPosition, GameName};
//! use referee::{GameSetup, Score};
//!
//! let start = AnyPosition::start(games::REVERSI);
//! let setup = GameSetup::new(start, ["random".parse()?, "greedy".parse()?]);
//! let record = referee::play_game(&setup, &mut |_| (), &Default::default())?;
//! assert_ne!(record.score, Score::None);
//! # Ok::<(), referee::RefereeError>(())
//! ```

pub mod bench;
mod blob;
mod build;
pub mod check;
pub mod doctor;
mod error;
mod folder;
mod game;
mod isolation;
mod limits;
mod player;
mod private;
mod process;
mod record;
mod replay;
mod seconds;
mod size;
mod spec;
mod strangers;
pub mod tester;
mod verdict;

pub use blob::Blob;
pub use build::{Build, Built, build_limits};
pub use error::RefereeError;
pub use folder::{LONGEST_PATH, hash, hex, is_runnable};
pub use game::{GameSetup, play_game};
pub use games::Kind;
pub use isolation::{Isolation, IsolationMode, survey};
pub use limits::{Clock, Cost, Limits, Penalties};
pub use private::{keep_private, private_file, private_folder};
pub use process::{check_read, find_tool, is_shown_to_all};
pub use record::{Ending, GameRecord, Input, Machine, MoveRecord, Score, Seat};
pub use replay::replay;
pub use seconds::{Seconds, SecondsError};
pub use size::{Size, SizeError};
pub use spec::{CommandLine, PlayerSpec, quoted};
pub use strangers::{cell, hidden, is_hidden, marked, name, printable, shortened, without_joiners};
pub use verdict::{Span, Verdict};

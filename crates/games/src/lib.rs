//! The one place that knows all games.
//!
//! Below this floor games are types; above it they are values: a [`GameName`] picks the
//! game, an [`AnyPosition`] is a position of it. What a page, a referee or a form must know
//! of a game, the game says itself: it implements [`Definition`] once, and one line
//! registers it, in [`BUILT_IN`] here or in [`EXTENSIONS`] from any other crate.
//!
//! ```
//! use games::{AnyPosition, GameName};
//!
//! let game: GameName = "othello".parse()?;
//! assert_eq!(game.name(), "reversi");
//! let mut position = AnyPosition::start(game);
//! assert_eq!(position.moves().len(), 4);
//! assert_eq!(position.play("D3")?, "d3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod about;
mod definition;
mod drawn;
mod editor;
mod engine;
pub mod gipf;
pub mod gipf_standard;
mod hexagon;
mod lesson;
mod levels;
mod mistake;
pub mod mmpawns;
mod name;
mod players;
mod position;
mod program;
mod proof;
mod recorded;
mod resources;
pub mod reversi;
mod start;
mod transcript;

pub use about::{About, Cost, Example, Opening, Prompt, Scale, Start, TimeLimits, Variants};
pub use definition::{AnyGame, Definition};
pub use editor::{Board, Change, Editor, Field, Sketch, Values};
pub use engine::{AnyEngine, Engine};
pub use gipf::GIPF;
/// Where tables are looked for if nobody says.
pub use gipf_engine::tables::{TABLES_VARIABLE, usual_folders};
pub use gipf_standard::GIPF_STANDARD;
pub use lesson::{Goal, Lesson};
pub use levels::{Handicap, Judgement, Levels};
/// For the attribute `linkme::distributed_slice`, with which another crate registers a game.
pub use linkme;
pub use mistake::{Mistake, Weight};
pub use mmpawns::MMPAWNS;
pub use name::{BUILT_IN, EXTENSIONS, GameName, UnknownGame};
pub use players::{Algorithm, Argument};
pub(crate) use position::Defined;
pub use position::{AnyPosition, DynPosition};
pub use program::{
    GameTime, Kind, LONGEST_FILE, OneShot, Question, Refusal, Reply, Spent, read_line,
};
pub use proof::{AnyProver, Proof, Prover, Room, Value};
pub use recorded::Recorded;
pub use resources::Resources;
pub use reversi::REVERSI;
pub use start::random_opening;
pub use transcript::{Form, HEADING, Transcript, Unread, body, comment};

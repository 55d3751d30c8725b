//! The static evaluation: a sum of trained weights over patterns of squares.
//!
//! [`Features`] are carried along by a search, one copy per ply; [`Weights`] turn them
//! into a value. The trained weights are part of the program ([`Weights::embedded`]).
//!
//! ```
//! use othello::eval::{Features, Weights};
//! use reversi::Position;
//!
//! let board = Position::start().board();
//! let value = Weights::embedded().value(board, &Features::new(board));
//! assert!(value.abs() < 10 * othello::eval::DISC, "nobody is far ahead");
//! ```

mod features;
pub mod file;
pub mod network;
mod packing;
pub mod pattern;
mod weights;

pub use features::Features;
pub(crate) use network::Correction;
pub use network::Network;
pub(crate) use pattern::{LANES, mobility};
pub(crate) use weights::sum;
pub use weights::{PHASES, Weights, phase_of};

/// One disc in the unit of values.
pub const DISC: i32 = 128;

/// The highest value: every disc.
pub const MOST: i32 = 64 * DISC;

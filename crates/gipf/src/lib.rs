//! Rules of generalised GIPF: any board size from 2 to 7, run length and number of stones.
//!
//! A [`Variant`] holds the four numbers of the game, a [`Position`] the stones, reserves
//! and the player to move, and a [`Move`] everything one player does in a turn, the
//! choice between crossing rows included. White is the first side.
//!
//! ```
//! use gipf::{Position, Variant};
//! use rules::{Game, Side};
//!
//! let mut position = Position::start(Variant::ORIGINAL);
//! let mv = position.parse_move("e9-e8")?;
//! position.play(mv)?;
//! assert_eq!(position.reserve(Side::First), 11);
//! assert_eq!(position.to_string(), "4 4 15 15 11 12 B W__W/___B_/______/B_____W/______/_____/W__B");
//! # Ok::<(), rules::MoveError>(())
//! ```

mod collect;
mod game;
mod geometry;
mod notation;
mod position;
mod symmetry;
pub mod text;
mod variant;

pub use collect::Choices;
pub use geometry::{Entry, Field, Geometry, MAX_LENGTH, MAX_POINTS};
pub use notation::BadMove;
pub use position::{Fault, Midway, Move, Position, Setup};
pub use variant::Variant;

//! Rules of GIPF as it is published: the basic, the standard and the tournament game.
//!
//! The generalised game of any size without GIPF-pieces is crate `gipf`. Here the board has 37
//! points, a [`Position`] fits into 32 bytes, and everything of a turn that needs a decision is
//! part of a [`Move`]: which rows are taken off first, which GIPF-pieces are kept, and what is
//! brought in. A [`Turn`] makes a move one decision after the other. `docs/gipf-rules.md` settles
//! every case.
//!
//! ```
//! use gipf_standard::{Position, Rules};
//! use rules::{Game, Side};
//!
//! let mut position = Position::start(Rules::Standard);
//! let mv = position.parse_move("e1-e2")?;
//! position.play(mv)?;
//! assert_eq!(position.reserve(Side::First), 11);
//! assert_eq!(
//!     position.to_string(),
//!     "standard 11 12 B 1/100 W__B/_____/______/B_____W/______/_W___/w__B"
//! );
//! # Ok::<(), rules::MoveError>(())
//! ```

mod board;
pub mod boardspace;
mod game;
mod moves;
mod notation;
mod points;
mod position;
pub mod record;
mod removal;
mod text;
mod turn;
mod variant;
mod written;

pub use board::{Entry, SYMMETRIES};
pub use moves::{Move, Piece, Push};
pub use notation::Style;
pub use points::{Point, Points, SIZE};
pub use position::{Fault, Position, Setup};
pub use removal::{Removal, Row};
pub use turn::{Ask, Turn, TurnError};
pub use variant::{DrawLimit, Rules, Stage};

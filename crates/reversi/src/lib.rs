//! Rules of Reversi, also known as Othello.
//!
//! A [`Board`] is two sets of discs seen by the player to move; a [`Position`] adds
//! who that is. Squares count from a1 (top left) along the rows to h8.
//!
//! ```
//! use reversi::Position;
//! use rules::Game;
//!
//! let mut position = Position::start();
//! let mv = position.parse_move("d3")?;
//! position.play(mv)?;
//! assert_eq!(position.discs(rules::Side::First).len(), 4);
//! # Ok::<(), rules::MoveError>(())
//! ```

mod board;
pub mod notation;
mod position;

pub use board::{Board, flips, moves};
pub use position::{Move, Position};
pub use rules::Square;
/// A set of squares.
pub use rules::Squares as Discs;

//! Rules of MMPawns: pawns that only go forward, on a field with holes.
//!
//! A [`Position`] is the pawns of A (who goes up) and of B (who goes down), the squares
//! that belong to the field, and the number of the ply to be made. Squares count
//! from a1 (top left) along the rows to h8. A player without a move *wins*; otherwise
//! the first pawn on the far edge does, and after sixty plies the game is drawn.
//!
//! ```
//! use mmpawns::Position;
//! use rules::{Game, Outcome, Side};
//!
//! let text = "A 1 --------/-A------/--------/--------/--------/--------/------B-/--------";
//! let mut position: Position = text.parse()?;
//! position.play(position.parse_move("b2-c1")?)?;
//! assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod matrix;
mod position;
mod setup;
mod text;

pub use position::{LAST_PLY, MOST_PAWNS, Move, Position, goal, shift};
pub use rules::{Square, Squares};
pub use setup::SetupError;

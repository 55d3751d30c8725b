//! What a game is.
//!
//! A game is a *position* type that implements [`Game`]: whose turn it is, which
//! moves are legal, what a move does, when it is over, and the text of moves and
//! positions. What only some algorithms need is opt-in: [`Hashed`], [`Symmetric`]
//! and [`Evaluate`].
//!
//! Two of our games are played on eight by eight squares: [`Square`] and [`Squares`] serve both.
//!
//! Rule crates do no input or output and know neither a clock nor a random source.
//!
//! ```
//! use rules::{Game, Outcome, Side};
//! # use rules::doc_example::Nim;
//! // `Nim` is a toy game: take one or two stones, who takes the last one wins.
//! let mut position: Nim = "4 first".parse()?;
//! let take_one = position.parse_move("1")?;
//! position.play(take_one)?;
//! assert_eq!(position.to_string(), "3 second");
//! assert_eq!(position.side_to_move(), Side::Second);
//! assert_eq!(position.outcome(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod game;
mod perft;
mod side;
mod square;

#[doc(hidden)]
pub mod doc_example;
#[cfg(feature = "kit")]
pub mod kit;

pub use error::{MoveError, PositionError, beginning};
pub use game::{Evaluate, Game, Hashed, Symmetric, WIN};
pub use perft::perft;
pub use side::{Outcome, Side};
pub use square::{Square, Squares};

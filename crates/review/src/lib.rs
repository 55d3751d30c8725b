//! What solvers can prove about games that were played.
//!
//! [`Played`] is a game, read from a record or a transcript. [`review`] proves as many of its
//! positions as a [`Budget`] allows, from the end backwards, and compares neighbours: where a
//! proven value got worse, a [`Mistake`] was made. What was proven is kept in [`Knowledge`], so
//! that a review can be stopped, go on later, and use what other games have shown.
//! [`Conversion`] sums up the games of one player, [`Suite`] turns mistakes into tests.
//!
//! An estimate is never counted as a proof, here or in anything that is made from here.
//!
//! ```
//! use games::{REVERSI, Resources, Transcript};
//! use review::{Budget, Knowledge, Played, review};
//! use std::time::Duration;
//!
//! // A game that was broken off with twenty squares empty.
//! let text = "d3c5e6d2c6f4c4f6f5d6e7g4f3e3g6e8c2g5h4c3h6h5d7h3h2d8f7b6b5a5c8f8b7f2d1c7g8a8b4g3";
//! let games = Transcript::read(Some(REVERSI), text)?;
//! let played = Played::from_transcript(&games[0])?;
//! let budget = Budget::default().with_time(Duration::from_millis(200));
//! let review = review(&played, &Knowledge::default(), &Resources::default(), &budget);
//! assert!(review.coverage.proven <= review.coverage.positions);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budget;
mod conversion;
mod knowledge;
mod mistake;
mod played;
mod priority;
mod prove;
mod report;
mod suite;
mod words;

pub use budget::Budget;
pub use conversion::{Conversion, Costly, Reviewed};
pub use knowledge::Knowledge;
pub use mistake::{Kind, Mistake, MoveWorth};
pub use played::{Action, Played, Turn, Unplayable};
pub use report::{Coverage, Judged, Review, Statement, review, stated};
pub use suite::{Case, Suite, SuiteError};

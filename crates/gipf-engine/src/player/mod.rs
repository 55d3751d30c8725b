//! A player for every variant.
//!
//! Alpha–beta with iterative deepening on the generator that makes positions rather than
//! moves; late moves are looked at less deeply until they surprise.

mod eval;
mod patterns;
mod search;

pub use eval::{Features, NAMES, Weights, features};
pub use search::Player;

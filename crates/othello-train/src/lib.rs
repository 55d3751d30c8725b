//! Trains the Othello evaluation from nothing but the rules.
//!
//! [`selfplay`] plays games with the weights so far and labels their positions: exactly
//! near the end, and above by what a search sees along the game. [`fit`](mod@fit) finds the
//! weights that explain the labels best, phase by phase from the end to the opening.
//! [`recipe`] repeats both; [`validate`] measures the result on other people's games.
//! Every random choice follows from a seed.

pub mod fit;
pub mod recipe;
pub mod record;
mod search;
pub mod selfplay;
mod solve;
pub mod validate;

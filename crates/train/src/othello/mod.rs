//! Othello: the weights of the evaluation and its network, the deviations of multi-ProbCut, the opening book.
//!
//! [`selfplay`] plays games with the weights so far and labels their positions: exactly
//! near the end, and above by what a search sees along the game. [`fit`](mod@fit) finds the
//! weights that explain the labels best, phase by phase from the end to the opening.
//! [`recipe`] repeats both; [`validate`] measures the result on other people's games.
//! [`network`] trains the network that corrects the weights, on games of the engine itself.
//! [`probcut`] measures how far shallow searches are from deep ones; [`book`] grows the book.
//! Every random choice follows from a seed.

pub mod book;
pub mod fit;
pub mod network;
pub mod probcut;
pub mod recipe;
pub mod record;
mod search;
pub mod selfplay;
mod solve;
pub mod validate;

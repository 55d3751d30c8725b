//! A strong Othello engine.
//!
//! - [`eval`]: what a position is worth at a glance, from patterns with trained weights.

pub mod eval;

//! The prover and the player against a slow, obvious solver.

mod player;
mod prover;
mod slow;

//! The prover and the player against a slow, obvious solver.

mod prover;
mod slow;

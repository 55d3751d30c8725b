//! The prover and the player against a slow, obvious solver.

mod node_counts;
mod player;
mod prover;
mod slow;

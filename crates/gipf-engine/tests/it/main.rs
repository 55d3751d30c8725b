//! The solver against a slow, obvious one and known truths; tables of whole variants.

mod layers;
mod node_counts;
mod player;
mod slow;
mod solve;
mod tables;

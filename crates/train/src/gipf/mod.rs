//! The numbers of the GIPF engine: the evaluation of its player, and the weights of its solver.

pub mod evaluation;
pub mod loss_estimate;
pub mod move_ordering;
pub mod proof_numbers;

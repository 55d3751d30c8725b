//! Where the numbers of the solver come from: the defender's loss estimate and move ordering.

pub mod loss_estimate;
pub mod move_ordering;

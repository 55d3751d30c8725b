//! The solver against a slow, obvious one, and against known truths.

mod slow;
mod solve;

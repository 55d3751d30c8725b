//! A strong Othello engine.
//!
//! - [`solve_exact`]: the exact value of a position near the end.
//! - [`eval`]: what a position is worth at a glance, from patterns with trained weights.

mod edges;
pub mod eval;
mod hot;
mod level;
mod parity;
mod probcut;
mod rays;
mod score;
mod solve;
mod table;
mod worker;

pub use level::Level;
pub use score::MAX;
pub use solve::{solve_counting, solve_exact};
pub use table::Table;

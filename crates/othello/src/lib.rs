//! A strong Othello engine.
//!
//! - [`solve_exact`]: the exact value of a position near the end.
//! - [`eval`]: what a position is worth at a glance, from patterns with trained weights.

pub mod book;
mod edges;
mod engine;
pub mod eval;
mod hot;
mod level;
mod parity;
mod pool;
pub mod probcut;
mod rays;
mod score;
mod solve;
mod stop;
mod table;
mod worker;

pub use engine::{Analysis, Answer, Engine, MoveValue, Options, allot};
pub use level::Level;
pub use score::MAX;
pub use solve::{Solver, solve_exact};
pub use table::Table;

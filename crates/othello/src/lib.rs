//! A strong Othello engine.
//!
//! - [`solve_exact`]: the exact value of a position near the end.
//! - [`eval`]: the static evaluation, by patterns with trained weights.
//! - [`Engine`]: principal variation search with a transposition table, exact near the end.

pub mod book;
mod edges;
mod engine;
pub mod eval;
mod kernel;
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

pub use engine::{Analysis, Engine, Options, allot};
pub use level::Level;
pub use score::{MAX, discs};
pub use solve::{Solver, solve_exact};
pub use table::Table;

//! Game-independent search.
//!
//! Every search takes [`Limits`] and gives a [`Report`]; a [`Clock`] between them is
//! the only thing that reads the time.

mod alphabeta;
mod clock;
mod limits;
mod mcts;
mod minimax;
mod order;
mod report;
mod table;
mod time;

pub use alphabeta::{AlphaBeta, DEEPEST};
pub use clock::Clock;
pub use limits::Limits;
pub use mcts::Mcts;
pub use minimax::minimax;
pub use report::Report;
pub use time::{HeldTime, Time};

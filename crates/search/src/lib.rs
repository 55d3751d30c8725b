//! Game-independent search.
//!
//! Every search takes [`Limits`] and gives a [`Report`] with a [`Score`]; a [`Clock`] between
//! them is the only thing that reads the time.
//!
//! Kernels that the engines of single games share: transposition tables ([`DepthTable`],
//! [`GrowingTable`]), depth-first proof-number search ([`proof_number`]), principal variation search
//! ([`pvs`]), and the order of successors ([`successors`]).

mod alphabeta;
mod clock;
mod depth_table;
mod growing_table;
mod limits;
mod mcts;
mod minimax;
mod order;
pub mod proof_number;
pub mod pvs;
mod report;
mod score;
mod shared_cpu;
pub mod successors;
mod time;

pub use alphabeta::{AlphaBeta, DEEPEST};
pub use clock::Clock;
pub use depth_table::{Bound, DepthTable, PROVEN, Store, answers, from_table, to_table};
pub use growing_table::GrowingTable;
pub use limits::Limits;
pub use mcts::Mcts;
pub use minimax::minimax;
pub use report::Report;
pub use score::{Distance, Score};
pub use time::{HeldTime, Time};

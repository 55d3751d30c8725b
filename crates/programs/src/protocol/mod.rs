//! Protocols by which Othello GUIs and other people's engines talk to ours.
//!
//! The loops here know the protocols and the rules; the search is behind [`ProtocolEngine`].

mod engine;
pub mod gtp;
pub mod nboard;

use ::reversi::{Move, Position};
use search::{Limits, Report};

/// An Othello player that can be asked for a move, and for its opinion of several.
pub trait ProtocolEngine {
    /// The best move here; the position is not over.
    fn think(&mut self, position: &Position, limits: &Limits) -> Report<Move>;

    /// The best `count` moves, best first, in at most one pass over `report` per
    /// improvement; `report` may be called many times with better and better reports.
    fn hints(
        &mut self,
        position: &Position,
        count: usize,
        limits: &Limits,
        report: &mut dyn FnMut(&Report<Move>),
    );

    /// Forgets what it remembers of earlier games.
    fn forget(&mut self) {}
}

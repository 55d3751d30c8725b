//! Protocols by which Othello GUIs and other people's engines talk to ours.
//!
//! The loops here know the protocols and the rules; who thinks is behind [`Thinker`].

mod engine;
pub mod gtp;
pub mod nboard;

use std::time::Duration;

use ::reversi::{Move, Position};
use search::Limits;

/// An Othello player that can be asked for a move, and for its opinion of several.
pub trait Thinker {
    /// The best move here; the position is not over.
    fn think(&mut self, position: &Position, limits: &Limits) -> Thought;

    /// The best `count` moves, best first, in at most one pass over `tell` per
    /// improvement; `tell` may be called many times with better and better opinions.
    fn hints(
        &mut self,
        position: &Position,
        count: usize,
        limits: &Limits,
        tell: &mut dyn FnMut(&Thought),
    );

    /// Forgets what it remembers of earlier games.
    fn forget(&mut self) {}
}

/// What a [`Thinker`] thinks of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The move and what it expects after it.
    pub line: Vec<Move>,
    /// Discs that the mover expects to win by.
    pub value: f64,
    /// Half-moves looked ahead.
    pub depth: u32,
    /// How sure the search was, in per cent.
    pub confidence: String,
    /// Whether the value is proven.
    pub exact: bool,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time taken.
    pub time: Duration,
}

impl Thought {
    /// The move itself.
    #[must_use]
    pub fn best(&self) -> Move {
        self.line.first().copied().unwrap_or(Move::PASS)
    }
}

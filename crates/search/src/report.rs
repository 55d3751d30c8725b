//! What a search found.

use std::time::Duration;

/// The result of a search of any kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// The move to play; `None` exactly if the game is over.
    pub best: Option<M>,
    /// What the position is worth to the player to move, on the scale of
    /// [`rules::WIN`]: a win in `n` half-moves is `WIN − n`.
    pub value: i32,
    /// Whether `value` is proven rather than estimated.
    pub exact: bool,
    /// How the game is expected to go on, `best` first.
    pub line: Vec<M>,
    /// Half-moves looked ahead in full.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time taken.
    pub time: Duration,
}

//! What a search found.

use std::ops::ControlFlow;
use std::time::Duration;

use rules::{Game, WIN};

/// The result of a search of any kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    /// The move to play; `None` exactly if the game is over.
    pub best: Option<M>,
    /// What the position is worth to the player to move, on the scale of
    /// [`rules::WIN`]: a win in `n` plies is `WIN − n`.
    pub value: i32,
    /// Whether `value` is proven rather than estimated.
    pub exact: bool,
    /// How the game is expected to go on, `best` first.
    pub line: Vec<M>,
    /// Plies looked ahead in full.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time taken.
    pub time: Duration,
}

impl<M: Copy> Report<M> {
    /// What can be said without looking: the first legal move, or how the game ended.
    #[must_use]
    pub fn before_search<G: Game<Move = M>>(position: &G) -> Report<M> {
        let best = match position.visit_moves(ControlFlow::Break) {
            ControlFlow::Break(mv) => Some(mv),
            ControlFlow::Continue(()) => None,
        };
        let sign = position
            .outcome()
            .map_or(0, |outcome| outcome.sign_for(position.side_to_move()));
        Report {
            best,
            value: sign * WIN,
            exact: best.is_none(),
            line: best.into_iter().collect(),
            depth: 0,
            nodes: 0,
            time: Duration::ZERO,
        }
    }
}

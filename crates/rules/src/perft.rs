//! Counting lines of play: the classic check of a move generator.

use std::ops::ControlFlow;

use crate::Game;

/// The number of ways to play `depth` plies from here.
/// A line on which the game ends before that counts as one.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        1 => return position.count_moves().max(1) as u64,
        _ => {}
    }
    let mut count = 0;
    let _ = position.visit_moves(|mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        count += perft(&next, depth - 1);
        ControlFlow::<()>::Continue(())
    });
    count.max(1)
}

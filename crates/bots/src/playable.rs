//! What this floor needs of a game beyond its rules: where games start, and its
//! strongest player. A new game implements [`Playable`] here.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Evaluate, Game, Hashed};

use crate::Engine;

/// A game that bots can play.
pub trait Playable: Hashed + Evaluate {
    /// Where a game usually starts.
    fn usual_start() -> Self;

    /// A fair-looking start that the seed decides.
    fn random_start(seed: u64) -> Self;

    /// What `greedy` wants most: the worth of a position to the player who just moved.
    fn greed(&self) -> i32 {
        -self.evaluate()
    }

    /// The strongest player of this game, where one is better than generic search.
    fn strongest(seed: u64) -> Option<Box<dyn Engine<Self>>> {
        let _ = seed;
        None
    }
}

/// Plays random half-moves from `start`, and again from the beginning should the game
/// end on the way.
fn random_opening<G: Game>(start: &G, half_moves: u32, rng: &mut impl Rng) -> G {
    'again: loop {
        let mut position = start.clone();
        for _ in 0..half_moves {
            let moves = position.moves();
            if moves.is_empty() {
                continue 'again;
            }
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

impl Playable for reversi::Position {
    fn usual_start() -> Self {
        reversi::Position::start()
    }

    fn random_start(seed: u64) -> Self {
        random_opening(
            &Self::usual_start(),
            8,
            &mut ChaCha8Rng::seed_from_u64(seed),
        )
    }

    /// The most discs.
    fn greed(&self) -> i32 {
        -self.board().difference()
    }
}

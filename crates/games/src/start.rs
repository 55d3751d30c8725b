//! Start positions that a seed decides.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;

/// Plays random plies from `start`, and again from the beginning should the game end on
/// the way.
#[must_use]
pub fn random_opening<G: Game>(start: &G, plies: u32, seed: u64) -> G {
    opening(start, plies, &mut ChaCha8Rng::seed_from_u64(seed))
}

fn opening<G: Game>(start: &G, plies: u32, rng: &mut impl Rng) -> G {
    'again: loop {
        let mut position = start.clone();
        for _ in 0..plies {
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

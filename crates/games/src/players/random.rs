//! Any legal move.

use std::time::Instant;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;
use search::{Limits, Report};

use crate::Engine;

/// Any legal move, all alike.
pub(super) struct Random(ChaCha8Rng);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }
}

impl<G: Game> Engine<G> for Random {
    fn search(&mut self, position: &G, _: &Limits) -> Report<G::Move> {
        let started = Instant::now();
        let best = pick(&position.moves(), &mut self.0);
        report(best, None, started)
    }
}

/// One of these moves, all alike.
pub(super) fn pick<M: Copy>(moves: &[M], rng: &mut impl Rng) -> Option<M> {
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
}

/// A report of depth 1, or 0 where the player has no opinion about the value.
pub(super) fn report<M: Copy>(best: Option<M>, value: Option<i32>, started: Instant) -> Report<M> {
    Report {
        best,
        value: value.unwrap_or(0),
        exact: false,
        line: best.into_iter().collect(),
        depth: u32::from(value.is_some()),
        nodes: 1,
        time: started.elapsed(),
    }
}

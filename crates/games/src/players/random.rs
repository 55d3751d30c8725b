//! Any legal move.

use std::time::Instant;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;
use search::{Limits, Report, Score};

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
        match position.outcome() {
            Some(_) => Report::before_search(position),
            None => report(best, started),
        }
    }
}

/// One of these moves, all alike.
pub(super) fn pick<M: Copy>(moves: &[M], rng: &mut impl Rng) -> Option<M> {
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
}

/// The best moves so far, equal ones side by side.
pub(super) struct BestMoves<M> {
    pub(super) value: i32,
    pub(super) moves: Vec<M>,
}

impl<M> BestMoves<M> {
    /// None yet; one that counts is worth `least` or more.
    pub(super) fn new(least: i32) -> BestMoves<M> {
        BestMoves {
            value: least,
            moves: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, mv: M, value: i32) {
        if value > self.value {
            self.value = value;
            self.moves.clear();
        }
        if value == self.value {
            self.moves.push(mv);
        }
    }
}

/// The report of a player that has not looked ahead.
pub(super) fn report<M: Copy>(best: Option<M>, started: Instant) -> Report<M> {
    Report {
        best,
        line: best.into_iter().collect(),
        nodes: 1,
        time: started.elapsed(),
        ..Report::over(Score::Estimate(0))
    }
}

//! The engines that are the same for every game.

use std::time::Instant;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Evaluate, Game, Hashed, WIN};
use search::{AlphaBeta, Limits, Mcts, Report};

use crate::{Engine, Playable};

/// Any legal move, all alike.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
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

/// The move after which it stands best at once; equal ones by chance.
pub(crate) struct Greedy(ChaCha8Rng);

impl Greedy {
    pub(crate) fn new(seed: u64) -> Greedy {
        Greedy(ChaCha8Rng::seed_from_u64(seed))
    }
}

impl<G: Playable> Engine<G> for Greedy {
    fn search(&mut self, position: &G, _: &Limits) -> Report<G::Move> {
        let started = Instant::now();
        let mover = position.side_to_move();
        let mut best: Vec<G::Move> = Vec::new();
        let mut most = i32::MIN;
        for mv in position.moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let value = match next.outcome() {
                Some(outcome) => outcome.sign_for(mover) * (WIN - 1),
                None => next.greed(),
            };
            if value > most {
                most = value;
                best.clear();
            }
            if value == most {
                best.push(mv);
            }
        }
        report(pick(&best, &mut self.0), Some(most), started)
    }
}

/// Every line of so many half-moves.
pub(crate) struct Minimax;

impl<G: Playable> Engine<G> for Minimax {
    fn search(&mut self, position: &G, limits: &Limits) -> Report<G::Move> {
        search::minimax(position, limits)
    }
}

impl<G: Hashed + Evaluate> Engine<G> for AlphaBeta<G> {
    fn search(&mut self, position: &G, limits: &Limits) -> Report<G::Move> {
        AlphaBeta::search(self, position, limits)
    }

    fn new_game(&mut self) {
        self.clear();
    }
}

impl<G: Evaluate> Engine<G> for Mcts<G> {
    fn search(&mut self, position: &G, limits: &Limits) -> Report<G::Move> {
        Mcts::search(self, position, limits)
    }
}

impl Engine<gipf::Position> for gipf_engine::player::Player {
    fn search(&mut self, position: &gipf::Position, limits: &Limits) -> Report<gipf::Move> {
        gipf_engine::player::Player::search(self, position, limits)
    }

    fn new_game(&mut self) {
        self.clear();
    }
}

fn pick<M: Copy>(moves: &[M], rng: &mut impl Rng) -> Option<M> {
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
}

/// A report of depth 1, or 0 where the player has no opinion about the value.
fn report<M: Copy>(best: Option<M>, value: Option<i32>, started: Instant) -> Report<M> {
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

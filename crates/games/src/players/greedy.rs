//! Best after one move.

use std::marker::PhantomData;
use std::time::Instant;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rules::{Game, WIN};
use search::{Limits, Report};

use super::random::{BestMoves, pick, report};
use crate::{Definition, Engine};

/// The move after which it stands best at once; equal ones by chance.
pub(super) struct Greedy<D> {
    rng: ChaCha8Rng,
    game: PhantomData<fn() -> D>,
}

impl<D> Greedy<D> {
    pub(super) fn new(seed: u64) -> Greedy<D> {
        Greedy {
            rng: ChaCha8Rng::seed_from_u64(seed),
            game: PhantomData,
        }
    }
}

impl<D: Definition> Engine<D::Position> for Greedy<D> {
    fn search(
        &mut self,
        position: &D::Position,
        _: &Limits,
    ) -> Report<<D::Position as Game>::Move> {
        let started = Instant::now();
        let mover = position.side_to_move();
        if position.outcome().is_some() {
            return Report::before_search(position);
        }
        let mut best = BestMoves::new(i32::MIN);
        for mv in position.moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let value = match next.outcome() {
                Some(outcome) => outcome.sign_for(mover) * (WIN - 1),
                None => D::greed(&next),
            };
            best.add(mv, value);
        }
        let mut report = report(pick(&best.moves, &mut self.rng), started);
        report.note(best.value, 1, true);
        report.depth = 1;
        report
    }
}

//! Players that err as people do: they see only so far, and overlook things.

use std::time::Instant;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rules::{Evaluate, Game, Hashed, WIN};
use search::{Clock, Limits, Report, Score};

use super::random::{BestMoves, pick, report};
use super::strongest;
use crate::{Definition, Engine, Handicap, Judgement, Resources};

/// Estimates of a player that overlooks things prove nothing, however large they are.
const SUREST: i32 = WIN / 100;

/// A level of the game that `D` defines. What is overlooked follows from the seed and the
/// position, so that one look at a position sees the same as the next.
pub(super) struct Level<D: Definition> {
    plays: Handicap,
    seed: u64,
    rng: ChaCha8Rng,
    /// The strongest player, where the level knows what it knows.
    engine: Option<Box<dyn Engine<D::Position>>>,
}

/// The move type of a definition.
type Move<D> = <<D as Definition>::Position as Game>::Move;

impl<D: Definition> Level<D> {
    pub(super) fn new(plays: Handicap, resources: &Resources, seed: u64) -> Level<D> {
        let knows = plays.judges == Judgement::Engine;
        Level {
            plays,
            seed,
            rng: ChaCha8Rng::seed_from_u64(seed),
            engine: knows.then(|| strongest::<D>(resources, seed)),
        }
    }

    /// A number from 0 to 99 that the seed, the position and one of its moves decide.
    fn chance(&self, position: &D::Position, index: usize) -> u32 {
        let key = self.seed ^ position.hash() ^ (index as u64 + 1).wrapping_mul(0x9e37_79b9);
        (mixed(key) % 100) as u32
    }

    /// The moves that it notices; at least one. Those that gain most at once strike the eye.
    fn noticed(&self, position: &D::Position) -> Vec<Move<D>> {
        let mover = position.side_to_move();
        let gains = |mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            match next.outcome() {
                Some(outcome) => outcome.sign_for(mover) * WIN,
                None => D::greed(&next),
            }
        };
        let moves = position.moves();
        let values: Vec<i32> = moves.iter().map(|&mv| gains(mv)).collect();
        let most = values.iter().copied().max().unwrap_or(0);
        let mut noticed = Vec::with_capacity(moves.len());
        for (index, (&mv, &value)) in moves.iter().zip(&values).enumerate() {
            let part = match value == most {
                true => self.plays.overlooks / 2,
                false => self.plays.overlooks,
            };
            if self.chance(position, index) >= part {
                noticed.push(mv);
            }
        }
        if noticed.is_empty() {
            let striking = moves.iter().zip(&values).find(|(_, value)| **value == most);
            noticed.extend(striking.map(|(mv, _)| *mv));
        }
        noticed
    }

    /// What a position seems worth to the player to move.
    fn judge(&self, position: &D::Position) -> i32 {
        let value = match self.plays.judges {
            Judgement::Gains => -D::greed(position),
            Judgement::Features | Judgement::Engine => position.evaluate(),
        };
        let blur = i64::from(self.plays.blur);
        let wide = 2 * blur + 1;
        let off = (mixed(self.seed ^ position.hash()) % wide as u64) as i64 - blur;
        value + off as i32
    }

    /// The value of a position by looking `depth` plies ahead, at what is noticed there.
    fn value(
        &self,
        position: &D::Position,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        clock: &mut Clock,
    ) -> i32 {
        let mover = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            // Sooner is better.
            return outcome.sign_for(mover) * (WIN + depth as i32);
        }
        if depth == 0 || clock.tick() {
            return self.judge(position);
        }
        let mut best = None;
        for (index, mv) in position.moves().into_iter().enumerate() {
            if self.chance(position, index) < self.plays.overlooks {
                continue;
            }
            let mut next = position.clone();
            next.play_unchecked(mv);
            let value = -self.value(&next, depth - 1, -beta, -alpha, clock);
            best = best.max(Some(value));
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best.unwrap_or_else(|| self.judge(position))
    }

    /// The best of these moves by looking ahead; equal ones by chance.
    fn look(
        &mut self,
        position: &D::Position,
        moves: &[Move<D>],
        depth: u32,
        limits: &Limits,
    ) -> Report<Move<D>> {
        let started = Instant::now();
        let mut clock = Clock::start(limits);
        let mut best = BestMoves::new(-2 * WIN);
        for &mv in moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            // Equal moves are to be told from worse ones, so the window is open by one.
            let value = -self.value(&next, depth - 1, -2 * WIN, 1 - best.value, &mut clock);
            if clock.stopped() && !best.moves.is_empty() {
                break;
            }
            best.add(mv, value);
        }
        let mut report = report(pick(&best.moves, &mut self.rng), started);
        report.score = Score::Estimate(best.value.clamp(-SUREST, SUREST));
        report.depth = depth;
        report.nodes = clock.nodes() + 1;
        report
    }
}

impl<D: Definition> Engine<D::Position> for Level<D> {
    fn search(&mut self, position: &D::Position, limits: &Limits) -> Report<Move<D>> {
        if position.outcome().is_some() {
            return Report::before_search(position);
        }
        let noticed = self.noticed(position);
        let depth = self.plays.depth.max(1);
        let Some(engine) = &mut self.engine else {
            return self.look(position, &noticed, depth, limits);
        };
        let own = Limits {
            nodes: self.plays.nodes,
            ..Limits::default().with_depth(depth)
        };
        let limits = limits.and(&own);
        let found = engine.search(position, &limits);
        match found.best {
            Some(best) if noticed.contains(&best) => found,
            // The move was overlooked: what is left is judged at sight.
            _ => self.look(position, &noticed, depth.min(2), &limits),
        }
    }

    fn new_game(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.new_game();
        }
    }
}

/// A number that looks as if it had nothing to do with this one (splitmix64).
fn mixed(key: u64) -> u64 {
    let key = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}

//! Who wins a position of published GIPF.

use gipf_standard::{Move, Position};
use gipf_standard_engine::{Player, Proof as Answer, Prover as Numbers, Weights};
use rules::{Evaluate, Game};
use search::{Clock, Limits};

use crate::{Proof, Prover, Room, Value};

/// Positions that are expanded for one side before the other one's turn; twice as many each time.
const FIRST_SLICE: u64 = 256;

/// The distance of a win gets so many positions at most, and never more than its proof took: it is
/// found or not found alike on every machine.
const DISTANCE_POSITIONS: u64 = 20_000;

/// Entries of the player's table, as a power of two: it only looks for distances.
const TABLE_BITS: u32 = 14;

/// Proof-number search for a win of either side in turn, and the player's search for the distance.
pub(super) struct Solver {
    numbers: Numbers,
    weights: Weights,
    player: Player,
}

impl Solver {
    /// One for each thread.
    pub(super) fn side_by_side(room: Room) -> Vec<Box<dyn Prover<Position>>> {
        let threads = room.threads.max(1);
        let prover = |_| {
            let solver = Solver {
                numbers: Numbers::new((room.memory / threads).max(1 << 18)),
                weights: Weights::default(),
                player: Player::new(Weights::default(), TABLE_BITS),
            };
            Box::new(solver) as Box<dyn Prover<Position>>
        };
        (0..threads).map(prover).collect()
    }

    /// Who wins, if that is found out within the limits, and how many positions that took at most.
    fn value(
        &mut self,
        position: &Position,
        limits: &Limits,
        clock: &mut Clock,
    ) -> Option<(Value, u64)> {
        let mover = position.side_to_move();
        // Whoever seems to be better is asked about first.
        let likely = if position.evaluate() >= 0 {
            mover
        } else {
            !mover
        };
        let mut drawn = [false; 2];
        let (mut slice, mut used) = (FIRST_SLICE, 0);
        loop {
            for attacker in [likely, !likely] {
                if drawn[attacker.index()] {
                    continue;
                }
                let left = limits.nodes.map(|nodes| nodes.saturating_sub(used));
                let nodes = left.map_or(slice, |left| slice.min(left));
                let slice_limits = clock.rest().with_nodes(nodes);
                used += nodes;
                match self
                    .numbers
                    .prove(position, attacker, &self.weights, &slice_limits)
                {
                    Some(Answer::Win(_)) if attacker == mover => return Some((Value::Win, used)),
                    Some(Answer::Win(_)) => return Some((Value::Loss, used)),
                    Some(Answer::NoWin) => drawn[attacker.index()] = true,
                    None => {}
                }
                if drawn == [true; 2] {
                    return Some((Value::Draw, used));
                }
                if clock.check() || limits.nodes.is_some_and(|nodes| used >= nodes) {
                    return None;
                }
            }
            slice = slice.saturating_mul(2);
        }
    }
}

impl Prover<Position> for Solver {
    fn prove(&mut self, position: &Position, limits: &Limits) -> Option<Proof> {
        let mut clock = Clock::start(limits);
        let (value, used) = self.value(position, limits, &mut clock)?;
        if value == Value::Draw {
            return Some(value.into());
        }
        let within = clock.rest().with_nodes(used.min(DISTANCE_POSITIONS));
        let report = self.player.search(position, &within);
        let found = Proof::of(report.score).filter(|proof| proof.value == value);
        Some(found.unwrap_or(value.into()))
    }

    fn line(&mut self, position: &Position, limits: &Limits) -> Vec<Move> {
        crate::proof::best_line(self, position, limits)
    }
}

//! Who wins a position of GIPF, by tables and by the solver.

use std::sync::Arc;
use std::time::Duration;

use ::gipf::{Move, Position};
use gipf_engine::solve::Series;
use gipf_engine::tables::{self, Library};
use rules::{Game, Side};
use search::{Clock, Limits};

use crate::{Proof, Prover, Room, Value};

/// Plies of the longest win whose distance is looked for after a proof.
const LONGEST_DISTANCE: u32 = 40;

/// The distance of a win gets so many positions; more only if there is time for them. So short wins
/// have their distance on every machine.
const DISTANCE_POSITIONS: u64 = 1_000;

/// The distance of a win gets so much time at most, and never more than its proof took.
const DISTANCE_TIME: Duration = Duration::from_millis(200);

/// Threads that the solver makes use of on one position.
const THREADS_OF_ONE: usize = 2;

/// Tables of solved variants, and the solver where no table has the position.
pub(super) struct Solver {
    tables: Arc<Library>,
    series: Series,
}

impl Solver {
    /// A solver that takes at most so many bytes.
    pub(super) fn new(tables: &Arc<Library>, memory: usize) -> Solver {
        Solver {
            tables: Arc::clone(tables),
            series: Series::new(memory),
        }
    }

    /// One for two threads. The first has most of the memory: it proves positions together.
    pub(super) fn side_by_side(
        tables: &Arc<Library>,
        room: Room,
    ) -> Vec<Box<dyn Prover<Position>>> {
        let count = room.threads.div_ceil(THREADS_OF_ONE).max(1);
        let others = room.memory / 4 / (count - 1).max(1);
        let memory = |number: usize| match number {
            _ if count == 1 => room.memory,
            0 => room.memory / 4 * 3,
            _ => others,
        };
        let prover = |number| {
            let solver = Solver::new(tables, memory(number));
            Box::new(solver) as Box<dyn Prover<Position>>
        };
        (0..count).map(prover).collect()
    }

    /// The distance of a proven win of at most so many plies, if it is found in time.
    pub(super) fn distance(
        &mut self,
        position: &Position,
        most: u32,
        limits: &Limits,
    ) -> Option<u32> {
        let found = self.series.shortest_win(position, most, limits);
        Some(found.ok()??.1)
    }
}

impl From<tables::Value> for Proof {
    fn from(value: tables::Value) -> Proof {
        match value {
            tables::Value::Win(plies) => Proof::with_distance(Value::Win, Some(plies)),
            tables::Value::Loss(plies) => Proof::with_distance(Value::Loss, Some(plies)),
            tables::Value::Draw => Value::Draw.into(),
        }
    }
}

/// What a position is worth to the player to move.
fn value_for(position: &Position, winner: Side) -> Value {
    match winner == position.side_to_move() {
        true => Value::Win,
        false => Value::Loss,
    }
}

impl Prover<Position> for Solver {
    fn prove(&mut self, position: &Position, limits: &Limits) -> Option<Proof> {
        if let Some(value) = self.tables.value(position) {
            return Some(value.into());
        }
        let clock = Clock::start(limits);
        let Some((winner, distance)) = self.series.winner(position, limits).ok()? else {
            return Some(Value::Draw.into());
        };
        let value = value_for(position, winner);
        let time = clock.elapsed().min(DISTANCE_TIME);
        let within = limits.clone().with_wall(time);
        let sure = limits.clone().with_nodes(DISTANCE_POSITIONS);
        let distance = distance
            .or_else(|| self.distance(position, LONGEST_DISTANCE, &sure))
            .or_else(|| self.distance(position, LONGEST_DISTANCE, &within));
        Some(Proof::with_distance(value, distance))
    }

    fn prove_together(
        &mut self,
        positions: &[&Position],
        limits: &Limits,
        found: &mut (dyn FnMut(usize, Proof) + Send),
    ) {
        self.series
            .decide_all(positions, limits, &mut |number, winner| {
                let proof = winner.map_or(Value::Draw.into(), |(winner, distance)| {
                    Proof::with_distance(value_for(positions[number], winner), distance)
                });
                found(number, proof);
            });
    }

    fn line(&mut self, position: &Position, limits: &Limits) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = *position;
        while let Some(moves) = self.tables.moves(&at)
            && line.len() < LONGEST_DISTANCE as usize
        {
            let (best, value) = moves[0];
            if value == tables::Value::Draw && !line.is_empty() {
                // A draw goes on for ever.
                break;
            }
            line.push(best);
            at.play_unchecked(best);
        }
        match line.is_empty() {
            true => crate::proof::best_line(self, position, limits),
            false => line,
        }
    }
}

//! Who wins a position of MMPawns.

use ::mmpawns::Position;
use mmpawns_engine::{Player, Sizes};
use search::Limits;

use crate::{Proof, Prover, Room};

/// The strongest player as a prover: proof-number search for the value, and the deepening
/// search for the distance where it is near.
pub(super) struct Solver(Player);

impl Solver {
    /// One for each thread.
    pub(super) fn side_by_side(room: Room) -> Vec<Box<dyn Prover<Position>>> {
        let threads = room.threads.max(1);
        let sizes = Sizes {
            proofs: (room.memory / threads / 8 * 7).max(1 << 18),
            values: (room.memory / threads / 8).max(1 << 18),
        };
        let prover = |_| Box::new(Solver(Player::new(sizes))) as Box<dyn Prover<Position>>;
        (0..threads).map(prover).collect()
    }
}

impl Prover<Position> for Solver {
    fn prove(&mut self, position: &Position, limits: &Limits) -> Option<Proof> {
        Proof::of(self.0.proved(position, limits)?)
    }
}

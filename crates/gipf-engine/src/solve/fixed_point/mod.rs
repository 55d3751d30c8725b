//! Fixed-point provers: whether a side can force a win at all.
//!
//! The positions that the attacker wins are a least fixed point; those from which the defender
//! can avoid losing are the greatest fixed point of the contrary, a *safe set*: the attacker to
//! move, none of whose moves wins or leads to a position without a reply into the set. Both
//! provers look for such a set locally and on demand. A position is taken for safe until it is
//! refuted, and whatever relied on it is then looked at again; what is still in the set when
//! no work is left is safe for good.
//!
//! [`hashed`] keeps the set in a hash map and serves any board. [`indexed`] keeps it in arrays by
//! the canonical index of the tablebases, for small boards.

pub(crate) mod hashed;
pub(crate) mod indexed;
mod node_map;

use search::Limits;

/// What a prover knows of a side that wants to win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// The attacker can force a win.
    Wins,
    /// The attacker cannot.
    Fails,
    /// Not known yet.
    Paused,
    /// Not known, and there is no memory to go on.
    Full,
}

/// A prover that finds out whether a side can force a win.
pub(crate) trait FixedPointProver: Send {
    /// Goes on for at most `slice` positions, or until the limits are reached: whether the
    /// player to move can force a win, and whether the opponent can. Once one of them can,
    /// nothing more is found out about the other.
    fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2];

    /// Whether it knows what to try first on this board, so that a tie is likely to be proved.
    fn is_fitted(&self) -> bool {
        false
    }

    /// The number of positions expanded since the last call.
    fn take_count(&mut self) -> u64;
}

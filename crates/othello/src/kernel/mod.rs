//! The search kernels, compiled once per instruction set by [`isa`].
//!
//! Each recursive function is a [`Kernel`](isa::Kernel), whose first line names its arguments;
//! everything else is inlined into the kernels.
//! Only [`bitboard`] and the sums of the evaluation are written per instruction set.

pub(crate) mod bitboard;
pub(crate) mod endgame;
mod last_empties;
mod move_list;
pub(crate) mod pvs;
mod shallow;
pub(crate) mod split;
mod stability;
#[cfg(test)]
mod tests;

use arrayvec::ArrayVec;

use crate::eval::Features;
use crate::level::Level;

/// The parameters of the search of one node.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    /// The window.
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    /// The depth in plies; equal to `empties`: to the end.
    pub(crate) depth: u32,
    pub(crate) empties: u32,
    /// The selectivity.
    pub(crate) level: Level,
    /// Whether a null window is expected to be a *cut node*, in which one move is enough to reach
    /// `beta`. In the others, the *all nodes*, every move has to fail. Nearly all expectations
    /// are right, so only what suits them is tried: stability, which bounds a value from above,
    /// in all nodes, bounds of successors in cut nodes, and one side of ProbCut in each.
    pub(crate) cut: bool,
}

impl Task {
    /// The task for a successor; as a null window it is expected to be a cut node, as nearly all
    /// are but for the first successors of cut nodes.
    #[inline]
    pub(crate) fn next(self, alpha: i32, beta: i32) -> Task {
        Task {
            alpha: -beta,
            beta: -alpha,
            depth: self.depth - 1,
            empties: self.empties - 1,
            level: self.level,
            cut: true,
        }
    }
}

/// A position with its features, seen by the player to move.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    pub(crate) own: u64,
    pub(crate) other: u64,
    pub(crate) features: &'a Features,
}

/// A move with the position after it, seen by the opponent.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) own: u64,
    pub(crate) other: u64,
    /// The discs that the move flips.
    pub(crate) flipped: u64,
    /// The hash of the position after it.
    pub(crate) hash: u64,
    /// The score for move ordering.
    pub(crate) score: i32,
    pub(crate) square: u8,
}

/// The moves of a position.
pub(crate) type Candidates = ArrayVec<Candidate, 64>;

//! Whether a side can force a win at all, on small boards.
//!
//! The same question as that of [`closure`](super::closure), and the same answer: a set of
//! positions, the attacker to move, that the defender can always come back to. Here the
//! positions have numbers, those of the tables, and what is known of them lies in arrays.
//! Numbers do not tell the colours apart: one set serves both questions, whether the one
//! side can force a win and whether the other can.
//!
//! A position that enters the set is counted in all positions from which the defender can
//! move there; so a defender's position knows without looking at its moves whether one of
//! them leads into the set, and the set grows only where none does. Positions that turn
//! out to be lost leave it and are counted back.
//!
//! Moves that take rows off cannot be taken back so simply; those that matter are kept as
//! links.
//!
//! Most of the work goes into positions that turn out to be lost, and into those that were
//! needed on their account alone. So at first the defender is cautious and does without those
//! that look lost: what he can hold like that he can hold, and only if he cannot, all of his
//! moves count. Of what is in the set, that which looks worst is looked at first; and when
//! somebody has left it, nothing is done on his account any more unless others need it too.
//!
//! A stone in reserve never harms its owner. So a position is not taken into the set, nor looked
//! at, if the set has the same board with more stones of the attacker or fewer of the defender.

mod cells;
mod links;
mod places;
mod queue;
mod search;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ::search::Limits;

use self::search::Hold;
use super::closure::{Defence, Progress};
use super::outlook::Outlook;
use crate::tables::index::{Index, Tier};
use crate::tables::moves::Stones;

/// What is made once for each size and run length.
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) index: Arc<Index>,
    pub(crate) outlook: Arc<Outlook>,
}

/// The position that it is all about.
#[derive(Clone, Copy)]
pub(crate) struct Root {
    pub(crate) stones: Stones,
    pub(crate) totals: [u8; 2],
}

/// The search for a set that the defender can hold, by and by with more of his moves.
pub(crate) struct Holds {
    board: Board,
    root: Root,
    memory: usize,
    /// What he dares next, if this does not do.
    next: Option<i32>,
    hold: Hold,
}

/// Any risk will do.
const BOLD: i32 = i32::MAX;

/// What the defender dares first, where risks are known.
const CAUTION: i32 = 100;

impl Holds {
    /// Everything open. The root is a position in which the game goes on.
    pub(crate) fn new(board: Board, root: Root, memory: usize) -> Holds {
        let (first, next) = match board.outlook.is_fitted() {
            true => (CAUTION, Some(BOLD)),
            false => (BOLD, None),
        };
        Holds {
            hold: Hold::new(board.clone(), first, root, memory),
            board,
            root,
            memory,
            next,
        }
    }
}

impl Holds {
    /// The same search with another outlook.
    pub(crate) fn with(self, outlook: Arc<Outlook>) -> Holds {
        let board = Board {
            outlook,
            ..self.board
        };
        Holds::new(board, self.root, self.memory)
    }

    /// Searches to the end, and shows where the moves of one in `every` of the positions lead in
    /// which the defender has not much choice.
    pub(crate) fn choices(mut self, every: usize, mut show: impl FnMut(Tier, Stones)) {
        while self.run(&Limits::default(), u64::MAX) == [Progress::Paused; 2] {}
        let mut list = Vec::new();
        for (tier, stones) in self.hold.places.pressed().into_iter().step_by(every.max(1)) {
            self.board.index.shape().successors(stones, &mut list);
            for next in &list {
                let after = Tier {
                    own: tier.other - next.lost[1],
                    other: tier.own - next.lost[0],
                };
                show(after, next.stones);
            }
        }
    }
}

impl Defence for Holds {
    fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2] {
        let progress = self.hold.run(limits, slice);
        if !progress.contains(&Progress::Wins) {
            return progress;
        }
        // Without all moves of the defender that means nothing yet.
        let Some(next) = self.next.take() else {
            return progress;
        };
        let count = self.hold.count;
        self.hold = Hold::new(self.board.clone(), next, self.root, self.memory);
        self.hold.count = count;
        [Progress::Paused; 2]
    }

    fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.hold.count)
    }
}

//! One safe set for many positions, such as those of one game.
//!
//! Positions of a game can be reached from each other, so their safe sets are mostly the same
//! positions: a second root adds little to a set that is closed for the first. All roots share
//! one set for each risk limit. Once no work is left, every root that is not refuted is safe, and
//! so is every other position of the set.

use search::Limits;

use super::super::{FixedPointProver, Progress};
use super::Knowledge;
use super::safe_set::SafeSet;
use crate::solve::rules::SmallBoard;
use crate::solve::tuning::{CAUTIOUS_RISK_LIMIT, NO_RISK_LIMIT};

/// Safe sets that grow with every position that is asked about.
pub(crate) struct SharedSets {
    knowledge: Knowledge,
    /// No side has more stones in all.
    totals: [u8; 2],
    memory: usize,
    /// A set for each risk limit, once it is needed.
    sets: Vec<(i32, Option<SafeSet>)>,
}

impl SharedSets {
    /// Nothing is known yet; no side has more stones in all than `most`.
    pub(crate) fn new(knowledge: Knowledge, most: u8, memory: usize) -> SharedSets {
        let limits: &[i32] = match knowledge.model.is_fitted() {
            true => &[CAUTIOUS_RISK_LIMIT, NO_RISK_LIMIT],
            false => &[NO_RISK_LIMIT],
        };
        SharedSets {
            knowledge,
            totals: [most; 2],
            memory,
            sets: limits.iter().map(|&limit| (limit, None)).collect(),
        }
    }

    /// Whether a position fits.
    pub(crate) fn has_room_for(&self, board: SmallBoard) -> bool {
        board.totals.iter().max() <= self.totals.iter().max()
    }

    /// Takes over who wins a position.
    pub(crate) fn learn(&mut self, board: SmallBoard, mover_wins: bool) {
        for set in self.sets.iter_mut().filter_map(|(_, set)| set.as_mut()) {
            let nodes = set.nodes_of(board);
            set.learn(nodes, mover_wins);
        }
    }

    /// The sets, once no work is left in them.
    #[cfg(test)]
    pub(super) fn finished(&mut self) -> Vec<&mut SafeSet> {
        let sets = self.sets.iter_mut();
        let mut sets: Vec<_> = sets.filter_map(|(_, set)| set.as_mut()).collect();
        sets.iter_mut().for_each(|set| set.finish());
        sets
    }

    /// The set with this number. The sets share the memory.
    fn set(&mut self, number: usize) -> &mut SafeSet {
        let used = |(_, set): &(i32, Option<SafeSet>)| set.as_ref().map_or(0, SafeSet::bytes);
        let others = self.sets.iter().enumerate();
        let others = others.filter(|(other, _)| *other != number);
        let left = others.fold(self.memory, |left, (_, set)| left.saturating_sub(used(set)));
        let (limit, set) = &mut self.sets[number];
        let make = || SafeSet::new(self.knowledge.clone(), *limit, self.totals, left);
        let set = set.get_or_insert_with(make);
        set.memory = left;
        set
    }
}

/// The question about one position, which the shared sets answer.
pub(crate) struct SharedProver<'a> {
    shared: &'a mut SharedSets,
    root: SmallBoard,
    /// The number of the set that is asked.
    number: usize,
    count: u64,
}

impl<'a> SharedProver<'a> {
    /// The root is a position in which the game goes on, and for which there is room.
    pub(crate) fn new(shared: &'a mut SharedSets, root: SmallBoard) -> SharedProver<'a> {
        SharedProver {
            shared,
            root,
            number: 0,
            count: 0,
        }
    }
}

impl FixedPointProver for SharedProver<'_> {
    fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2] {
        let last = self.number + 1 == self.shared.sets.len();
        let set = self.shared.set(self.number);
        let nodes = set.nodes_of(self.root);
        set.add_root(nodes);
        let progress = set.run(nodes, limits, slice);
        self.count += std::mem::take(&mut set.count);
        match progress {
            // Without all replies of the defender that means nothing yet.
            [Progress::Wins, _] | [_, Progress::Wins] if !last => {
                self.number += 1;
                [Progress::Paused; 2]
            }
            [Progress::Full, _] => {
                // What is left may fit when other roots are gone.
                self.shared.sets[self.number].1 = None;
                progress
            }
            _ => progress,
        }
    }

    fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.count)
    }
}

//! One safe set for many positions, such as those of one game.
//!
//! Positions of a game can be reached from each other, so their safe sets are mostly the same
//! positions: all of them together take hardly more work than one alone. Those with few stones
//! come first, since their set is small and part of what the others need. Once no work is left,
//! every position of the set is safe for good.
//!
//! Where risks are known, the defender does without risky positions at first. When that has come
//! to its end, what was refuted is asked about again with a higher risk limit, and at last without
//! one; the set stays.

use search::Limits;

use super::super::Progress;
use super::Knowledge;
use super::cells::Node;
use super::safe_set::SafeSet;
use crate::solve::rules::SmallBoard;
use crate::solve::tuning::NO_RISK_LIMIT;

/// A position that is asked about.
#[derive(Clone, Copy)]
struct Root {
    /// The number under which it is asked about.
    number: usize,
    nodes: [Node; 2],
    /// Stones of both sides in all.
    stones: u8,
}

/// Positions that are decided together.
pub(crate) struct Together {
    knowledge: Knowledge,
    /// No side has more stones in all.
    most: u8,
    memory: usize,
    set: SafeSet,
    /// Positions that the set does not have yet, those with the fewest stones last.
    waiting: Vec<Root>,
    /// Positions that it has, and that are not refuted.
    roots: Vec<Root>,
    /// Positions that are refuted, though perhaps only under the risk limit.
    risky: Vec<Root>,
}

impl Together {
    /// Nothing is known yet; no side has more stones in all than `most`.
    pub(crate) fn new(knowledge: Knowledge, most: u8, memory: usize) -> Together {
        let limit = knowledge.first_risk_limit();
        Together {
            set: SafeSet::new(knowledge.clone(), limit, [most; 2], memory),
            knowledge,
            most,
            memory,
            waiting: Vec::new(),
            roots: Vec::new(),
            risky: Vec::new(),
        }
    }

    /// How much memory its tables take.
    pub(crate) fn bytes(&self) -> usize {
        self.set.bytes()
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        *self = Together::new(self.knowledge.clone(), self.most, self.memory);
    }

    /// Whether a position fits.
    pub(crate) fn has_room_for(&self, board: SmallBoard) -> bool {
        board.totals.iter().all(|&total| total <= self.most)
    }

    /// Asks about positions instead of those before; what is known of others stays. The game goes
    /// on in all of them, and they fit.
    pub(crate) fn ask(&mut self, boards: impl IntoIterator<Item = (usize, SmallBoard)>) {
        self.roots.clear();
        self.risky.clear();
        self.set.drop_roots();
        self.set.risk_limit = self.knowledge.first_risk_limit();
        let root = |(number, board): (usize, SmallBoard)| Root {
            number,
            nodes: self.set.nodes_of(board),
            stones: board.totals.iter().sum(),
        };
        self.waiting = boards.into_iter().map(root).collect();
        self.waiting
            .sort_by_key(|root| std::cmp::Reverse(root.stones));
    }

    /// Takes over who wins a position that is asked about.
    pub(crate) fn learn(&mut self, number: usize, mover_wins: bool) {
        let lists = [&mut self.waiting, &mut self.roots, &mut self.risky];
        for list in lists {
            if let Some(at) = list.iter().position(|root| root.number == number) {
                let root = list.remove(at);
                self.set.learn(root.nodes, mover_wins);
                return;
            }
        }
    }

    /// Goes on for at most about `slice` positions, or until the limits are reached. Calls `found`
    /// with the number of every position that is decided, and whether the player to move wins, the
    /// opponent, or nobody.
    pub(crate) fn run(
        &mut self,
        limits: &Limits,
        slice: u64,
        mut found: impl FnMut(usize, Option<bool>),
    ) -> Progress {
        let end = self.set.count.saturating_add(slice);
        loop {
            if self.roots.is_empty() && !self.add_roots() && self.risky.is_empty() {
                return Progress::Fails;
            }
            let nodes = self.roots.last().map(|root| root.nodes);
            let left = end.saturating_sub(self.set.count);
            let progress = self.set.run_until(nodes, limits, left);
            self.sort_out(&mut found);
            match progress {
                Progress::Fails => self.close(&mut found),
                Progress::Wins => {}
                Progress::Paused => return progress,
                Progress::Full => {
                    self.forget();
                    return progress;
                }
            }
        }
    }

    /// Adds the positions with the fewest stones; false if none wait.
    fn add_roots(&mut self) -> bool {
        let Some(fewest) = self.waiting.last().map(|root| root.stones) else {
            return false;
        };
        while let Some(root) = self.waiting.pop_if(|root| root.stones == fewest) {
            self.set.add_root(root.nodes);
            self.roots.push(root);
        }
        true
    }

    /// Puts aside what is refuted.
    fn sort_out(&mut self, found: &mut impl FnMut(usize, Option<bool>)) {
        let Together {
            set, roots, risky, ..
        } = self;
        roots.retain(|&root| {
            let wins = set.wins(root.nodes);
            match wins {
                [false, false] => return true,
                // Without all replies of the defender that means nothing yet.
                _ if set.risk_limit != NO_RISK_LIMIT => risky.push(root),
                [mover_wins, _] => found(root.number, Some(mover_wins)),
            }
            false
        });
    }

    /// No work is left: what is not refuted is safe, and the rest is asked about with a higher risk
    /// limit.
    fn close(&mut self, found: &mut impl FnMut(usize, Option<bool>)) {
        for root in self.roots.drain(..) {
            let holds = self.set.holds(root.nodes);
            debug_assert!(holds, "a root stays in the set");
            if holds {
                found(root.number, None);
            }
        }
        if self.waiting.is_empty() && !self.risky.is_empty() {
            self.set.raise_risk_limit();
            self.waiting = std::mem::take(&mut self.risky);
            self.waiting
                .sort_by_key(|root| std::cmp::Reverse(root.stones));
        }
    }

    /// Positions expanded so far.
    #[cfg(test)]
    pub(crate) fn count(&self) -> u64 {
        self.set.count
    }

    /// The set, once no work is left in it.
    #[cfg(test)]
    pub(super) fn finished(&mut self) -> &mut SafeSet {
        self.set.finish();
        &mut self.set
    }
}

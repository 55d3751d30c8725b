//! The safe set in arrays by canonical index, for small boards.
//!
//! Boards have the indices of the tablebases, which do not tell the colours apart: one set
//! serves both questions, whether the one side can force a win and whether the other can.
//! Positions of the defender are bytes of arrays, those of the attacker, of which there are far
//! fewer, are in a hash table by board, with all reserves side by side.
//!
//! Every defender's position counts its *support*, the replies without collection that lead into
//! the set: a position that enters the set adds one to the support of all predecessors, and takes
//! it back when it is refuted. So the set grows only where a position is *unsupported*. Moves
//! that take rows off cannot be taken back so simply; those that matter are kept as links.
//!
//! Most of the work goes into positions that are refuted later, and into those that were needed
//! on their account alone. So the defender first does without positions whose estimated risk of
//! loss ([`defender`](crate::solve::defender)) is above a risk limit: a set that is closed under
//! fewer replies is closed. If the defender loses like that the limit is raised, and only if he
//! loses again, all replies count. Of the positions in the set the riskiest is expanded first; and
//! work that was only for a position that has been refuted is dropped.
//!
//! # Dominance
//!
//! Position *p* *dominates* *q* if both have the same board and player to move, the defender has
//! at least as many stones in reserve in *p* as in *q*, and the attacker at most as many. A reply
//! to a position that dominates one of the set is as good as a reply into the set, so the
//! dominating position need not be added. Why that is sound:
//!
//! 1. *Moves do not depend on reserves.* Where a stone can be pushed in, what moves, which rows
//!    arise, in which ways they can be taken off, and which stones of which colour then go back
//!    to a reserve or are lost: all that follows from the board and the colour of the mover. A
//!    reserve matters in one way only: who is to move and has none has lost. (Who is to move on
//!    a full board has lost as well, but that is a matter of the board.)
//! 2. *Moves keep dominance.* Let *p* dominate *q*, and let *m* be legal in both. By 1 the boards
//!    after *m* are the same, and each reserve changes by the same number in both; so *p·m*
//!    dominates *q·m*.
//! 3. *The set, enlarged by what dominates it, is a safe set.* Let *S* be the set that the prover
//!    ends with: for every *q* of *S* no move of the attacker ends the game, and after every
//!    move *m* there is a reply *r* that wins at once or leads to a position that dominates one
//!    of *S*. Let *p* dominate *q* of *S*, the attacker to move. If the attacker has no move in
//!    *p*, the defender has won. Otherwise let *m* be a move of the attacker in *p*.
//!    - *m* is legal in *q*: the attacker has a stone in reserve in *p*, so at least as many in
//!      *q*, and the board is the same.
//!    - *m* does not win in *p*. It would leave the defender without a stone in reserve or on a
//!      full board. By 2 the defender has at most as many stones in *q·m*, and the board is the
//!      same, so *m* would win in *q* too, which it does not.
//!    - If the reply *r* wins at once in *q·m*, then it is legal in *p·m*, where the defender has
//!      at least as many stones, and leaves the attacker, who has at most as many, as lost.
//!    - Otherwise *q·m·r* dominates some *s* of *S*; *r* is legal in *p·m* for the same reason, and
//!      *p·m·r* dominates *q·m·r* by 2, so it dominates *s*: dominance is transitive.
//!
//!    So from every position that dominates one of *S* the defender always comes back to such a
//!    position, or wins: the attacker never wins. In particular the attacker cannot win the root.
//!
//! It follows that a stone more in reserve never harms its owner: the strategy that is enough
//! without it is enough with it. The converse is not used: a refuted position refutes no other by
//! dominance. The tests hold the premises (1 and 2) on random positions of all sizes, the closure
//! of finished sets move by move, and the values of positions with a stone more.

mod attacks;
mod candidates;
mod cells;
mod links;
mod positions;
mod safe_set;
#[cfg(test)]
mod tests;
mod together;
mod work_queue;

use std::sync::Arc;

use search::Limits;

use self::cells::Node;
use self::safe_set::SafeSet;
use super::{FixedPointProver, Progress};
use crate::solve::defender::DefenderModel;
use crate::solve::rules::SmallBoard;
use crate::solve::tuning::{CAUTIOUS_RISK_LIMIT, NO_RISK_LIMIT, next_risk_limit};
use crate::tables::index::{Index, Tier};
use crate::tables::moves::Stones;

pub(crate) use self::together::Together;

/// What the prover needs of a board size and a run length.
#[derive(Clone)]
pub(crate) struct Knowledge {
    pub(crate) index: Arc<Index>,
    pub(crate) model: Arc<DefenderModel>,
}

impl Knowledge {
    /// The risk limit to begin with: a tight one where risks are known.
    fn first_risk_limit(&self) -> i32 {
        match self.model.is_fitted() {
            true => CAUTIOUS_RISK_LIMIT,
            false => NO_RISK_LIMIT,
        }
    }
}

/// The search for a safe set, with a tight risk limit first where risks are known.
pub(crate) struct IndexedProver {
    knowledge: Knowledge,
    root: SmallBoard,
    memory: usize,
    set: SafeSet,
    /// The root in the set.
    nodes: [Node; 2],
}

impl IndexedProver {
    /// Nothing is known yet. The root is a position in which the game goes on.
    pub(crate) fn new(knowledge: Knowledge, root: SmallBoard, memory: usize) -> IndexedProver {
        let first = knowledge.first_risk_limit();
        let (set, nodes) = IndexedProver::begin(&knowledge, first, root, memory);
        IndexedProver {
            set,
            nodes,
            knowledge,
            root,
            memory,
        }
    }

    /// A set with one root.
    fn begin(
        knowledge: &Knowledge,
        risk_limit: i32,
        root: SmallBoard,
        memory: usize,
    ) -> (SafeSet, [Node; 2]) {
        let mut set = SafeSet::new(knowledge.clone(), risk_limit, root.totals, memory);
        let nodes = set.nodes_of(root);
        set.add_root(nodes);
        (set, nodes)
    }

    /// Searches to the end, and visits the positions after the replies of one in `every` of the
    /// defender's positions that have little support: samples for the loss estimate.
    pub(crate) fn visit_choices(mut self, every: usize, mut visit: impl FnMut(Tier, Stones)) {
        while self.run(&Limits::default(), u64::MAX) == [Progress::Paused; 2] {}
        let mut list = Vec::new();
        let critical = self.set.positions.critical();
        for (tier, stones) in critical.into_iter().step_by(every.max(1)) {
            self.knowledge.index.shape().successors(stones, &mut list);
            for next in &list {
                let after = Tier {
                    own: tier.other - next.lost[1],
                    other: tier.own - next.lost[0],
                };
                visit(after, next.stones);
            }
        }
    }
}

impl FixedPointProver for IndexedProver {
    fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2] {
        let progress = self.set.run(self.nodes, limits, slice);
        if !progress.contains(&Progress::Wins) {
            return progress;
        }
        // Without all replies of the defender that means nothing yet.
        let Some(next) = next_risk_limit(self.set.risk_limit) else {
            return progress;
        };
        let count = self.set.count;
        (self.set, self.nodes) =
            IndexedProver::begin(&self.knowledge, next, self.root, self.memory);
        self.set.count = count;
        [Progress::Paused; 2]
    }

    fn is_fitted(&self) -> bool {
        self.knowledge.model.is_fitted()
    }

    fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.set.count)
    }
}

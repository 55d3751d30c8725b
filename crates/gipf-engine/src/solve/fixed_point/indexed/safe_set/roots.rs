//! The positions that are asked for, what is known of them, and what is learnt from elsewhere.

use isa::{Available, Isa, Kernel, Set};

use super::super::super::node_map::{NIL, NodeMap};
use super::super::cells::{Node, attacker, defender};
use super::super::work_queue::{Unsupported, WorkItem};
use super::SafeSet;
use crate::solve::rules::SmallBoard;
use crate::solve::tuning::{NO_RISK_LIMIT, next_risk_limit};
use crate::tables::index::{Bits, Portable, Tier};
use crate::tables::moves::Successor;
use crate::tables::parallel::SETS;

impl SafeSet {
    /// A position in which the player to move is the attacker, or the opponent.
    pub(in super::super) fn nodes_of(&mut self, board: SmallBoard) -> [Node; 2] {
        let SmallBoard { stones, totals } = board;
        let [own, other] = totals;
        [true, false].map(|attacking| {
            let tier = self.positions.tier(Tier { own, other }, attacking);
            self.positions.node::<Portable>(tier, stones)
        })
    }

    #[inline(always)]
    pub(super) fn is_root(&self, node: Node) -> bool {
        self.roots.get(node.key()) != NIL
    }

    /// Whether the player to move is known to win, and whether the opponent is.
    #[inline(always)]
    pub(in super::super) fn wins(&self, nodes: [Node; 2]) -> [bool; 2] {
        let [mover, opponent] = nodes;
        [
            self.positions.attack(mover) == attacker::REFUTED,
            self.positions.get(opponent) & defender::SUPPORT == defender::REFUTED,
        ]
    }

    /// Whether both questions are answered by the set: neither side wins once no work is left.
    pub(in super::super) fn holds(&self, nodes: [Node; 2]) -> bool {
        let [mover, opponent] = nodes;
        let replies = self.positions.get(opponent) & (defender::SUPPORT | defender::LINKED);
        self.wins(nodes) == [false; 2] && self.positions.is_safe(mover) && replies != 0
    }

    /// Adds a position in which the game goes on, for as long as there is the set: whether the
    /// player to move can win it, and whether the opponent can. Nothing happens if it is there.
    pub(in super::super) fn add_root(&mut self, nodes: [Node; 2]) {
        let [mover, opponent] = nodes;
        for node in nodes {
            self.roots.replace(node.key(), 0);
        }
        // Others may have asked for one of them already.
        let cell = self.positions.cell(opponent);
        *cell |= defender::NEEDED;
        if *cell & (defender::SUPPORT | defender::LINKED) == 0 {
            // Once the mover's root is refuted nothing is left to do.
            let item = WorkItem {
                node: opponent,
                parent: mover,
            };
            let stones = self.positions.stones::<Portable>(opponent);
            self.unsupported.push(Unsupported { item, stones });
        }
        if self.positions.attack(mover) == 0 {
            let item = WorkItem {
                node: mover,
                parent: mover,
            };
            let stones = self.positions.stones::<Portable>(mover);
            self.add::<Portable>(item, stones, None, 0);
        }
    }

    /// Takes over who wins a position: the player to move (`mover_wins`) or the opponent. What
    /// was built on the contrary leaves the set.
    pub(in super::super) fn learn(&mut self, nodes: [Node; 2], mover_wins: bool) {
        let [mover, opponent] = nodes;
        for node in nodes {
            self.roots.replace(node.key(), NIL);
        }
        match mover_wins {
            true if self.positions.is_safe(mover) => self.refute_attack(mover),
            true => self.positions.set_attack(mover, attacker::REFUTED),
            false if self.wins(nodes)[1] => {}
            false => {
                *self.positions.cell(opponent) |= defender::REFUTED;
                self.refuted.push(opponent);
            }
        }
    }

    /// Positions stay in the set only if others rely on them, until new ones are added.
    pub(in super::super) fn drop_roots(&mut self) {
        self.roots = NodeMap::new();
    }

    /// Raises the risk limit, when no work is left. Positions of the set stay, and what was
    /// refuted under the limit is open again.
    pub(in super::super) fn raise_risk_limit(&mut self) {
        self.risk_limit = next_risk_limit(self.risk_limit).unwrap_or(NO_RISK_LIMIT);
        self.drop_roots();
        Available::best().call(Reopen { set: self });
    }

    /// Forgets that a position is refuted.
    #[inline(always)]
    fn reopen<B: Bits>(&mut self, node: Node, list: &mut Vec<Successor>) {
        if self.positions.tiers[usize::from(node.tier)].attacking {
            return self.positions.set_attack(node, 0);
        }
        let mut support = 0;
        let stones = self.positions.stones::<B>(node);
        self.positions.shape().successors(stones, list);
        for next in list.iter().filter(|next| !next.collected) {
            let to = self.positions.after::<B>(node.tier, next);
            support += u8::from(self.positions.is_safe(to));
        }
        *self.positions.cell(node) = support;
    }
}

/// Opens everything again that is refuted.
struct Reopen<'a> {
    set: &'a mut SafeSet,
}

impl Kernel for Reopen<'_> {
    type Output = ();
    const SETS: &'static [Set] = SETS;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let mut list = Vec::new();
        for tier in 0..self.set.positions.tiers.len() as u16 {
            for index in self.set.positions.refuted_of(tier) {
                self.set.reopen::<I>(Node { tier, index }, &mut list);
            }
        }
    }
}

//! Whether there is still a need for a position, once the one on whose account it was worked on has
//! left the set.

use super::super::cells::{Node, defender};
use super::SafeSet;
use crate::tables::index::Bits;
use crate::tables::moves::Stones;

impl SafeSet {
    /// Whether the attacker can still move to a defender's position from the set; if not, the
    /// position is marked as not needed.
    #[inline(always)]
    pub(super) fn is_needed<B: Bits>(&mut self, node: Node, stones: Stones) -> bool {
        self.list_predecessors::<B>(node, stones);
        for &before in &self.nodes {
            self.positions.prefetch_attack(before);
        }
        let needed = self.is_root(node)
            || self
                .nodes
                .iter()
                .any(|&before| self.positions.is_safe(before))
            || self
                .collections
                .of(node)
                .any(|before| self.positions.is_safe(before));
        if !needed {
            *self.positions.cell(node) &= !defender::NEEDED;
        }
        needed
    }

    /// Whether a needed position of the defender has no support but this one.
    #[inline(always)]
    pub(super) fn is_wanted<B: Bits>(&mut self, node: Node, answered: Option<Node>) -> bool {
        // Mostly that is still the one that it was the reply to.
        let only = [defender::NEEDED | 1, defender::NEEDED | defender::LINKED];
        if let Some(answered) = answered
            && only.contains(&self.positions.get(answered))
            && self.is_needed::<B>(answered, self.positions.stones::<B>(answered))
        {
            return true;
        }
        self.list_predecessors::<B>(node, self.positions.stones::<B>(node));
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.clear();
        // Several moves can lead from one position to another: each of them counts.
        let support =
            |before: Node| self.nodes.iter().filter(|&&node| node == before).count() as u8;
        for &before in &self.nodes {
            let cell = self.positions.get(before);
            if cell & !defender::SUPPORT == defender::NEEDED
                && cell == defender::NEEDED | support(before)
            {
                wanted.push(before);
            }
        }
        let mut found = self.is_any_needed::<B>(&wanted);
        if !found {
            wanted.clear();
            let head = *self.positions.head(node);
            for before in self.replies.of(head, node) {
                // No quiet move leads here from it: it would leave other numbers of stones on the board.
                if self.positions.get(before) == defender::NEEDED | defender::LINKED {
                    wanted.push(before);
                }
            }
            found = self.is_any_needed::<B>(&wanted);
        }
        self.wanted = wanted;
        found
    }

    /// Whether one of these is needed; those before it are marked as not needed.
    #[inline(always)]
    fn is_any_needed<B: Bits>(&mut self, nodes: &[Node]) -> bool {
        for &node in nodes {
            if self.is_needed::<B>(node, self.positions.stones::<B>(node)) {
                return true;
            }
        }
        false
    }
}

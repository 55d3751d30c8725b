//! Where the cells of positions are, and what follows from the numbers of stones alone.

use std::sync::Arc;

use super::attacks::{AttackTier, Attacks};
use super::cells::{BLOCK, Block, Blocks, Node, TierCells, attacker, defender};
use super::links::Head;
use crate::solve::tuning::{DOMINANCE_ATTACKER, DOMINANCE_DEFENDER};
use crate::tables::board::Shape;
use crate::tables::index::{Bits, Index, Layout, Portable, Tier};
use crate::tables::moves::{Stones, Successor};

/// The cells of all positions that have turned up, by tier.
pub(super) struct Positions {
    pub(super) index: Arc<Index>,
    /// The numbers of boards, the same for all tiers.
    pub(super) layout: Layout,
    pub(super) tiers: Vec<TierCells>,
    /// The tier of each side to move and each pair of totals; [`NO_TIER`] for none.
    slots: Vec<u16>,
    /// No side has so many stones in all.
    most: usize,
    attacks: Attacks,
    blocks: Blocks,
    bytes: usize,
}

const NO_TIER: u16 = u16::MAX;

impl Positions {
    /// Nothing yet; no side has more stones than the larger of these.
    pub(super) fn new(index: Arc<Index>, totals: [u8; 2]) -> Positions {
        let largest = totals[0].max(totals[1]);
        let most = usize::from(largest) + 1;
        Positions {
            layout: index.layout(Tier {
                own: largest,
                other: largest,
            }),
            index,
            tiers: Vec::new(),
            slots: vec![NO_TIER; 2 * most * most],
            most,
            attacks: Attacks::new(),
            blocks: Blocks::new(),
            bytes: 0,
        }
    }

    /// The lines and moves of the board.
    #[inline(always)]
    pub(super) fn shape(&self) -> &Shape {
        self.index.shape()
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.attacks.bytes() + self.blocks.bytes()
    }

    /// The tier with these totals.
    #[inline(always)]
    pub(super) fn tier(&mut self, tier: Tier, attacking: bool) -> u16 {
        let slot = self.slot(tier, attacking);
        match self.slots[slot] {
            NO_TIER => self.open_tier(tier, attacking, slot),
            known => known,
        }
    }

    #[inline(always)]
    fn slot(&self, tier: Tier, attacking: bool) -> usize {
        (usize::from(attacking) * self.most + usize::from(tier.own)) * self.most
            + usize::from(tier.other)
    }

    /// The tier with these totals, if it is open; the opponent's total must be that of a tier.
    #[inline(always)]
    fn known_tier(&self, tier: Tier, attacking: bool) -> Option<u16> {
        if usize::from(tier.own) >= self.most {
            return None;
        }
        let known = self.slots[self.slot(tier, attacking)];
        (known != NO_TIER).then_some(known)
    }

    /// Opens a tier, and that of the same stones with the other side to move.
    #[cold]
    fn open_tier(&mut self, tier: Tier, attacking: bool, slot: usize) -> u16 {
        let number = self.tiers.len() as u16;
        self.slots[slot] = number;
        let blocks = match attacking {
            true => 0,
            false => self.layout.size.div_ceil(BLOCK),
        };
        self.bytes += blocks * size_of::<Block>();
        self.tiers.push(TierCells {
            tier,
            attacking,
            attacks: AttackTier::new(tier, self.most as u8 - 1),
            next: 0,
            blocks: vec![0; blocks],
        });
        self.tiers[number as usize].next = self.tier(tier.flip(), !attacking);
        number
    }

    /// The cell of a defender's position, to be changed.
    #[inline(always)]
    pub(super) fn cell(&mut self, node: Node) -> &mut u8 {
        let tier = &mut self.tiers[node.tier as usize];
        self.blocks.cell(tier, node.index)
    }

    /// The cell of a defender's position.
    #[inline(always)]
    pub(super) fn get(&self, node: Node) -> u8 {
        self.tiers[node.tier as usize].get(&self.blocks, node.index)
    }

    /// The cell of an attacker's position.
    #[inline(always)]
    pub(super) fn attack(&self, node: Node) -> u8 {
        let tier = &self.tiers[node.tier as usize];
        self.attacks.get(&tier.attacks, node.index)
    }

    /// A defender's position will be looked at soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, node: Node) {
        self.tiers[node.tier as usize].prefetch(&self.blocks, node.index);
    }

    /// An attacker's position will be looked at soon.
    #[inline(always)]
    pub(super) fn prefetch_attack(&self, node: Node) {
        let tier = &self.tiers[node.tier as usize];
        self.attacks.prefetch(&tier.attacks, node.index);
    }

    /// Changes the cell of an attacker's position.
    #[inline(always)]
    pub(super) fn set_attack(&mut self, node: Node, cell: u8) {
        let tier = &self.tiers[node.tier as usize];
        self.attacks.set(&tier.attacks, node.index, cell);
    }

    /// Where the list of what relies on an attacker's position begins, which must have a cell. It
    /// is that of all positions of the board.
    #[inline(always)]
    pub(super) fn head(&mut self, node: Node) -> &mut Head {
        let tier = &self.tiers[node.tier as usize];
        self.attacks.head(&tier.attacks, node.index)
    }

    #[inline(always)]
    pub(super) fn is_safe(&self, node: Node) -> bool {
        self.attack(node) == attacker::SAFE
    }

    #[inline(always)]
    pub(super) fn stones<B: Bits>(&self, node: Node) -> Stones {
        let section = &self.layout.sections[self.layout.section(node.index)];
        self.index.stones::<B>(section, node.index)
    }

    /// The tier after a move.
    #[inline(always)]
    pub(super) fn tier_after(&mut self, from: u16, next: &Successor) -> u16 {
        let cells = &self.tiers[from as usize];
        if next.lost == [0; 2] {
            return cells.next;
        }
        let Tier { own, other } = cells.tier;
        let to = Tier {
            own: other - next.lost[1],
            other: own - next.lost[0],
        };
        let attacking = !cells.attacking;
        self.tier(to, attacking)
    }

    /// The node after a move.
    #[inline(always)]
    pub(super) fn after<B: Bits>(&mut self, from: u16, next: &Successor) -> Node {
        let to = self.tier_after(from, next);
        self.node::<B>(to, next.stones)
    }

    /// The node of these stones.
    #[inline(always)]
    pub(super) fn node<B: Bits>(&self, tier: u16, stones: Stones) -> Node {
        let index = self.index.number::<B>(&self.layout, stones);
        Node { tier, index }
    }

    /// The node of these stones, and the canonical ones of it.
    #[inline(always)]
    pub(super) fn placed<B: Bits>(&self, tier: u16, stones: Stones) -> (Node, Stones) {
        let (index, stones) = self.index.placed::<B>(&self.layout, stones);
        (Node { tier, index }, stones)
    }

    /// Whether the player to move has lost.
    #[inline(always)]
    pub(super) fn is_over(&self, tier: u16, stones: Stones) -> bool {
        stones.own.count_ones() == u32::from(self.tiers[tier as usize].tier.own)
            || stones.own | stones.other == self.shape().full
    }

    /// Lists the nodes from which a move without collection leads to these stones, which are the
    /// canonical ones of their node; `before` is a buffer.
    #[inline(always)]
    pub(super) fn list_predecessors<B: Bits>(
        &self,
        tier: u16,
        stones: Stones,
        before: &mut Vec<Stones>,
        nodes: &mut Vec<Node>,
    ) {
        self.shape().predecessors(stones, before);
        let tier = self.tiers[tier as usize].next;
        nodes.clear();
        for &stones in &*before {
            if self.index.views.is_free(stones.own) {
                nodes.push(self.node::<B>(tier, stones));
            }
        }
        // Symmetric positions of one node lead here through each symmetry of this one.
        if self.index.views.symmetries(stones) > 1 {
            nodes.sort_unstable_by_key(|node| node.index);
            nodes.dedup();
        }
    }

    /// Whether a move without collection wins: it leaves the opponent without a stone to play, or
    /// no point empty.
    #[inline(always)]
    pub(super) fn wins_without_collection(&self, tier: u16, stones: Stones) -> bool {
        let total = u32::from(self.tiers[tier as usize].tier.other);
        let shape = self.shape();
        let empty = shape.full & !(stones.own | stones.other);
        (stones.other.count_ones() == total || empty.count_ones() == 1)
            && shape.has_quiet_move(stones)
    }

    /// A position of the set that this one dominates: the same board with at least as many stones
    /// of the attacker in reserve and at most as many of the defender.
    #[inline(always)]
    pub(super) fn dominated_by(&self, to: Node, stones: Stones) -> Option<Node> {
        let cells = &self.tiers[to.tier as usize];
        let Tier { own, other } = cells.tier;
        let reserve = other - stones.other.count_ones() as u8;
        if !self.attacks.may_dominate(&cells.attacks, to.index, reserve) {
            return None;
        }
        let less = other - DOMINANCE_DEFENDER.min(reserve);
        for own in own..=own + DOMINANCE_ATTACKER {
            for other in less..=other {
                let Some(tier) = self.known_tier(Tier { own, other }, true) else {
                    continue;
                };
                let node = Node { tier, ..to };
                if self.is_safe(node) {
                    return Some(node);
                }
            }
        }
        None
    }

    /// The numbers of a tier's positions that are refuted.
    pub(super) fn refuted_of(&self, tier: u16) -> Vec<u32> {
        let cells = &self.tiers[usize::from(tier)];
        if cells.attacking {
            return self.attacks.boards_with(&cells.attacks, attacker::REFUTED);
        }
        let touched = cells.touched(&self.blocks);
        let refuted = touched.filter(|(_, cell)| cell & defender::SUPPORT == defender::REFUTED);
        refuted.map(|(number, _)| number).collect()
    }

    /// The needed positions of the defender that are refuted or have at most one support: these
    /// had to look for a reply.
    pub(super) fn critical(&self) -> Vec<(Tier, Stones)> {
        let mut critical = Vec::new();
        let tiers = self.tiers.iter().zip(0..);
        for (cells, tier) in tiers.filter(|(cells, _)| !cells.attacking) {
            for (index, cell) in cells.touched(&self.blocks) {
                let support = cell & defender::SUPPORT;
                let little = support <= 1 || support == defender::REFUTED;
                if cell & defender::NEEDED != 0 && little {
                    let stones = self.stones::<Portable>(Node { tier, index });
                    critical.push((cells.tier, stones));
                }
            }
        }
        critical
    }
}

//! Where positions lie, and what follows from the numbers of stones alone.

use std::sync::Arc;

use super::cells::{BLOCK, Block, Cells, Node, attacks, defends};
use crate::tables::board::Shape;
use crate::tables::index::{Bits, Index, Portable, Tier};
use crate::tables::moves::{Stones, Successor};

/// The tiers of the positions that have turned up, with what is known of each.
pub(super) struct Places {
    pub(super) index: Arc<Index>,
    pub(super) tiers: Vec<Cells>,
    /// Which of the tiers has which side to move and which totals; [`NO_TIER`] for none.
    slots: Vec<u16>,
    /// Numbers of stones in all: fewer than this.
    most: usize,
    bytes: usize,
}

const NO_TIER: u16 = u16::MAX;

/// Stones that the attacker can have more, and the defender fewer, in a position that another
/// one is compared with: those further apart are hardly ever held.
const STONES_MORE: u8 = 2;
const STONES_LESS: u8 = 1;

impl Places {
    /// Nothing yet; nobody has more stones than these.
    pub(super) fn new(index: Arc<Index>, totals: [u8; 2]) -> Places {
        let most = usize::from(totals[0].max(totals[1])) + 1;
        Places {
            index,
            tiers: Vec::new(),
            slots: vec![NO_TIER; 2 * most * most],
            most,
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
        self.bytes
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

    /// The tier with these totals, if it is open; the other one's total is that of a tier.
    #[inline(always)]
    fn known_tier(&self, tier: Tier, attacking: bool) -> Option<u16> {
        if usize::from(tier.own) >= self.most {
            return None;
        }
        let known = self.slots[self.slot(tier, attacking)];
        (known != NO_TIER).then_some(known)
    }

    /// Opens a tier, and the one of the same stones when the other side is to move.
    #[cold]
    fn open_tier(&mut self, tier: Tier, attacking: bool, slot: usize) -> u16 {
        let number = self.tiers.len() as u16;
        self.slots[slot] = number;
        let layout = self.index.layout(tier);
        let blocks = layout.size.div_ceil(BLOCK);
        self.bytes += blocks * size_of::<Block>();
        self.tiers.push(Cells {
            layout,
            attacking,
            next: 0,
            blocks: (0..blocks).map(|_| None).collect(),
        });
        self.tiers[number as usize].next = self.tier(tier.flip(), !attacking);
        number
    }

    /// The cell of a position, to be changed.
    #[inline(always)]
    pub(super) fn cell(&mut self, node: Node) -> &mut u8 {
        let block = &mut self.tiers[node.tier as usize].blocks[node.number as usize / BLOCK];
        if block.is_none() {
            self.bytes += BLOCK;
            *block = Some(vec![0; BLOCK].into_boxed_slice());
        }
        match block {
            Some(block) => &mut block[node.number as usize % BLOCK],
            None => unreachable!("it has just been made"),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, node: Node) -> u8 {
        self.tiers[node.tier as usize].get(node.number)
    }

    #[inline(always)]
    pub(super) fn is_held(&self, node: Node) -> bool {
        self.get(node) == attacks::HELD
    }

    #[inline(always)]
    pub(super) fn stones<B: Bits>(&self, node: Node) -> Stones {
        let layout = &self.tiers[node.tier as usize].layout;
        let section = &layout.sections[layout.section(node.number)];
        self.index.stones::<B>(section, node.number)
    }

    /// The tier after a move.
    #[inline(always)]
    pub(super) fn tier_after(&mut self, from: u16, next: &Successor) -> u16 {
        let cells = &self.tiers[from as usize];
        if next.lost == [0; 2] {
            return cells.next;
        }
        let Tier { own, other } = cells.layout.tier;
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
        let layout = &self.tiers[tier as usize].layout;
        let number = self.index.number::<B>(layout, stones);
        Node { tier, number }
    }

    /// Whether the player to move has lost.
    #[inline(always)]
    pub(super) fn is_over(&self, tier: u16, stones: Stones) -> bool {
        stones.own.count_ones() == u32::from(self.tiers[tier as usize].layout.tier.own)
            || stones.own | stones.other == self.shape().full
    }

    /// Lists the nodes from which a move without collection leads here; `before` is room to work.
    #[inline(always)]
    pub(super) fn list_before<B: Bits>(
        &self,
        node: Node,
        before: &mut Vec<Stones>,
        nodes: &mut Vec<Node>,
    ) {
        let stones = self.stones::<B>(node);
        self.shape().predecessors(stones, before);
        let tier = self.tiers[node.tier as usize].next;
        nodes.clear();
        for &stones in &*before {
            if self.index.views.is_free(stones.own) {
                nodes.push(self.node::<B>(tier, stones));
            }
        }
        // Views of one node lead here through each symmetry of this one.
        if self.index.views.symmetries(stones) > 1 {
            nodes.sort_unstable_by_key(|node| node.number);
            nodes.dedup();
        }
    }

    /// Whether a move without collection wins: the opponent has no stone to move then, or no
    /// point is free.
    #[inline(always)]
    pub(super) fn wins_quietly(&self, tier: u16, stones: Stones) -> bool {
        let total = u32::from(self.tiers[tier as usize].layout.tier.other);
        let shape = self.shape();
        let empty = shape.full & !(stones.own | stones.other);
        (stones.other.count_ones() == total || empty.count_ones() == 1)
            && shape.has_quiet_move(stones)
    }

    /// A position of the set with the same board, in which the attacker has more stones in
    /// reserve or the defender fewer: a stone in reserve never harms its owner.
    #[inline(always)]
    pub(super) fn worse(&self, to: Node, stones: Stones) -> Option<Node> {
        let layout = &self.tiers[to.tier as usize].layout;
        let Tier { own, other } = layout.tier;
        let within = to.number - layout.start(stones);
        let less = other - STONES_LESS.min(other - stones.other.count_ones() as u8);
        for own in own..=own + STONES_MORE {
            for other in less..=other {
                let Some(tier) = self.known_tier(Tier { own, other }, true) else {
                    continue;
                };
                let number = self.tiers[tier as usize].layout.start(stones) + within;
                let node = Node { tier, number };
                if self.is_held(node) {
                    return Some(node);
                }
            }
        }
        None
    }

    /// The defender's positions that he can be brought to and that are lost or have at most one
    /// way into the set that takes no rows off: these had to look for one.
    pub(super) fn pressed(&self) -> Vec<(Tier, Stones)> {
        let mut pressed = Vec::new();
        let tiers = self.tiers.iter().zip(0..);
        for (cells, tier) in tiers.filter(|(cells, _)| !cells.attacking) {
            for number in 0..cells.layout.size as u32 {
                let cell = cells.get(number);
                let ways = cell & defends::WAYS;
                if cell & defends::NEEDED != 0 && (ways <= 1 || ways == defends::LOST) {
                    let stones = self.stones::<Portable>(Node { tier, number });
                    pressed.push((cells.layout.tier, stones));
                }
            }
        }
        pressed
    }
}

//! What is known of positions: of the defender's a byte for each, in blocks of memory that are
//! allocated once they are touched; of the attacker's see [`attacks`](super::attacks).

use super::attacks::AttackTier;
use crate::tables::index::Tier;
use isa::prefetch;

/// A position: a tier (who is to move, and the stones of both sides in all) and the canonical
/// index of the board, which is the same in all tiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    /// Which of the tiers in use.
    pub(super) tier: u16,
    pub(super) index: u32,
}

impl Node {
    pub(super) fn key(self) -> u64 {
        let word = u64::from(self.tier) << 32 | u64::from(self.index) | 1 << 63;
        let mixed = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }
}

/// The cell of a defender's position: these marks, and the support in the low bits.
pub(super) mod defender {
    /// The attacker can move here from the set.
    pub(in super::super) const NEEDED: u8 = 1 << 7;
    /// A reply that takes rows off leads into the set, or wins.
    pub(in super::super) const LINKED: u8 = 1 << 6;
    /// The number of replies into the set that take no rows off, at most one for each move; all
    /// ones if the position is refuted.
    pub(in super::super) const SUPPORT: u8 = LINKED - 1;
    pub(in super::super) const REFUTED: u8 = SUPPORT;
}

/// The cell of an attacker's position.
pub(super) mod attacker {
    pub(in super::super) const SAFE: u8 = 1;
    pub(in super::super) const REFUTED: u8 = 2;
}

/// Positions that share a block of memory.
pub(super) const BLOCK: usize = 1 << 15;

pub(super) type Block = Option<Box<[u8]>>;

/// The positions of a tier.
pub(super) struct TierCells {
    pub(super) tier: Tier,
    pub(super) attacking: bool,
    /// Where the cells are if the attacker is to move.
    pub(super) attacks: AttackTier,
    /// The tier after a move without loss.
    pub(super) next: u16,
    /// The cells if the defender is to move.
    pub(super) blocks: Vec<Block>,
}

impl TierCells {
    /// The cell will be looked at soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: u32) {
        if let Some(block) = &self.blocks[index as usize / BLOCK] {
            prefetch(&block[index as usize % BLOCK]);
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, index: u32) -> u8 {
        match &self.blocks[index as usize / BLOCK] {
            Some(block) => block[index as usize % BLOCK],
            None => 0,
        }
    }
}

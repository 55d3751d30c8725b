//! What is known of positions: of the defender's a byte for each, in blocks of memory that are
//! taken once they are touched; of the attacker's see [`attacks`](super::attacks).

use super::attacks::AttackTier;
use crate::tables::index::Tier;
use isa::{advise_large_pages, prefetch};

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

/// The number of a block. Block 0 is that of all positions that have not been touched: it is read,
/// and never written.
pub(super) type Block = u32;
const UNTOUCHED: Block = 0;

/// Blocks of a slab, which the system is asked for at once, so that it can give large pages.
const SLAB: usize = 1 << 9;

/// The blocks of memory, in the order in which they are touched.
pub(super) struct Blocks {
    slabs: Vec<Vec<[u8; BLOCK]>>,
    used: usize,
}

impl Blocks {
    pub(super) fn new() -> Blocks {
        Blocks {
            // Mostly no more is needed: nothing is asked for but what is touched.
            slabs: vec![vec![[0; BLOCK]; SLAB]],
            used: 1,
        }
    }

    /// One more block.
    #[cold]
    fn add(&mut self) -> Block {
        let number = self.used;
        self.used += 1;
        if number / SLAB == self.slabs.len() {
            let mut slab = vec![[0; BLOCK]; SLAB];
            advise_large_pages(&mut slab);
            self.slabs.push(slab);
        }
        number as Block
    }

    #[inline(always)]
    fn get(&self, block: Block, index: u32) -> &u8 {
        let block = block as usize;
        &self.slabs[block / SLAB][block % SLAB][index as usize % BLOCK]
    }

    /// The cell of a position, to be changed.
    #[inline(always)]
    pub(super) fn cell(&mut self, tier: &mut TierCells, index: u32) -> &mut u8 {
        let block = &mut tier.blocks[index as usize / BLOCK];
        if *block == UNTOUCHED {
            *block = self.add();
        }
        let block = *block as usize;
        &mut self.slabs[block / SLAB][block % SLAB][index as usize % BLOCK]
    }

    /// Bytes of the blocks that were touched.
    pub(super) fn bytes(&self) -> usize {
        self.used * BLOCK
    }
}

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
    pub(super) fn prefetch(&self, blocks: &Blocks, index: u32) {
        prefetch(blocks.get(self.blocks[index as usize / BLOCK], index));
    }

    #[inline(always)]
    pub(super) fn get(&self, blocks: &Blocks, index: u32) -> u8 {
        *blocks.get(self.blocks[index as usize / BLOCK], index)
    }

    /// The numbers and cells of all positions that were touched.
    pub(super) fn touched(&self, blocks: &Blocks) -> impl Iterator<Item = (u32, u8)> {
        let touched = self.blocks.iter().zip((0..).step_by(BLOCK));
        let touched = touched.filter(|&(&block, _)| block != UNTOUCHED);
        touched.flat_map(move |(&block, start)| {
            (start..start + BLOCK as u32).map(move |index| (index, *blocks.get(block, index)))
        })
    }
}

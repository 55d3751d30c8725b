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

/// Blocks that the first slab begins with: mostly few are needed.
const FEW: usize = 1 << 3;

/// The blocks of memory, in the order in which they are touched.
pub(super) struct Blocks {
    /// The first one grows until it is as large as the others.
    slabs: Vec<Vec<u8>>,
    used: usize,
}

impl Blocks {
    pub(super) fn new() -> Blocks {
        Blocks {
            slabs: vec![vec![0; FEW * BLOCK]],
            used: 1,
        }
    }

    /// One more block.
    #[cold]
    fn add(&mut self) -> Block {
        let number = self.used;
        self.used += 1;
        if number / SLAB == self.slabs.len() {
            // It comes from the system and is not touched here.
            let mut slab = vec![0; SLAB * BLOCK];
            advise_large_pages(&mut slab);
            self.slabs.push(slab);
        }
        let slab = &mut self.slabs[number / SLAB];
        if place(number, 0) >= slab.len() {
            slab.resize(2 * slab.len(), 0);
        }
        number as Block
    }

    #[inline(always)]
    fn get(&self, block: Block, index: u32) -> &u8 {
        let block = block as usize;
        &self.slabs[block / SLAB][place(block, index)]
    }

    /// The cell of a position, to be changed.
    #[inline(always)]
    pub(super) fn cell(&mut self, tier: &mut TierCells, index: u32) -> &mut u8 {
        let block = &mut tier.blocks[index as usize / BLOCK];
        if *block == UNTOUCHED {
            *block = self.add();
        }
        let block = *block as usize;
        &mut self.slabs[block / SLAB][place(block, index)]
    }

    /// Bytes of the blocks that were touched.
    pub(super) fn bytes(&self) -> usize {
        self.used * BLOCK
    }
}

/// Where a cell is in its slab.
#[inline(always)]
fn place(block: usize, index: u32) -> usize {
    block % SLAB * BLOCK + index as usize % BLOCK
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stay_as_they_are_while_there_are_more() {
        let tier = Tier { own: 5, other: 5 };
        let mut cells = TierCells {
            tier,
            attacking: false,
            attacks: AttackTier::new(tier, 5),
            next: 0,
            blocks: vec![UNTOUCHED; 3 * SLAB],
        };
        let mut blocks = Blocks::new();
        // One cell of each block, in an order that is not theirs.
        let index = |step: u32| {
            let block = step * 7 % (3 * SLAB as u32);
            block * BLOCK as u32 + block * 31 % BLOCK as u32
        };
        let steps = 0..SLAB as u32 + 70;
        for step in steps.clone() {
            assert_eq!(cells.get(&blocks, index(step)), 0);
            *blocks.cell(&mut cells, index(step)) = (step % 251) as u8 + 1;
        }
        for step in steps.clone() {
            assert_eq!(cells.get(&blocks, index(step)), (step % 251) as u8 + 1);
        }
        assert_eq!(cells.get(&blocks, index(steps.end)), 0);
        let touched = cells.touched(&blocks).filter(|&(_, cell)| cell != 0);
        assert_eq!(touched.count(), steps.count());
        assert_eq!(blocks.bytes(), (SLAB + 71) * BLOCK);
    }
}

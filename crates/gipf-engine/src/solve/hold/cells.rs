//! What is known of positions: a byte for each, in memory that is there once it is touched.

use crate::tables::index::Layout;

/// A position: who is to move, the stones in all, and the number of the board among those.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    /// Which of the tiers in use.
    pub(super) tier: u16,
    pub(super) number: u32,
}

impl Node {
    pub(super) fn key(self) -> u64 {
        let word = u64::from(self.tier) << 32 | u64::from(self.number) | 1 << 63;
        let mixed = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }
}

/// What is known of a defender's position: these marks, and the number of ways into the set.
pub(super) mod defends {
    /// The attacker can come here.
    pub(in super::super) const NEEDED: u8 = 1 << 7;
    /// A move that takes rows off leads into the set, or wins.
    pub(in super::super) const LINKED: u8 = 1 << 6;
    /// The ways into the set that take no rows off, at most one for each move; all ones if
    /// the position is lost.
    pub(in super::super) const WAYS: u8 = LINKED - 1;
    pub(in super::super) const LOST: u8 = WAYS;
}

/// What is known of an attacker's position.
pub(super) mod attacks {
    pub(in super::super) const HELD: u8 = 1;
    pub(in super::super) const LOST: u8 = 2;
}

/// Positions that share a block of memory, which is there once one of them is touched.
pub(super) const BLOCK: usize = 1 << 15;

pub(super) type Block = Option<Box<[u8]>>;

/// The positions with the same stones in all and the same side to move.
pub(super) struct Cells {
    pub(super) layout: Layout,
    pub(super) attacking: bool,
    /// The tier after a move without loss.
    pub(super) next: u16,
    pub(super) blocks: Vec<Block>,
}

impl Cells {
    #[inline(always)]
    pub(super) fn get(&self, number: u32) -> u8 {
        match &self.blocks[number as usize / BLOCK] {
            Some(block) => block[number as usize % BLOCK],
            None => 0,
        }
    }
}

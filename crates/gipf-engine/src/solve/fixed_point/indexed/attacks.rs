//! What is known of attacker's positions. Few of those that there are get into the set, so they
//! are in a hash table; and the same board with other reserves is in the same slot, so that one
//! look is enough to compare a position with those that it may dominate.

use crate::solve::tuning::{DOMINANCE_ATTACKER, DOMINANCE_DEFENDER};
use crate::tables::index::Tier;
use isa::{on_large_pages, prefetch};

use super::cells::attacker;

/// So many totals of the attacker, and of the defender, share a slot; each has two bits of it.
const OWN: u8 = 8;
const OTHER: u8 = 4;
const CELL: u64 = 3;

/// Cells by board and totals: open addressing with linear probing.
pub(super) struct Attacks {
    /// Their number is a power of two.
    slots: Vec<Slot>,
    used: usize,
}

/// A key of 0 is a free slot.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    cells: u64,
}

/// Where the cells of a tier are.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttackTier {
    /// The key without the board.
    key: u64,
    /// Where the cell is in a slot.
    shift: u32,
    /// The bits of safe positions that one of this tier dominates, on the same board: where the
    /// defender has no stone in reserve, and where there is at least one. None if some of them are
    /// in another slot.
    dominated: Option<[u64; DOMINANCE_DEFENDER as usize + 1]>,
}

impl AttackTier {
    /// The place of a tier, where no side has more stones in all than `most`.
    pub(super) fn new(tier: Tier, most: u8) -> AttackTier {
        let (own, other) = (most - tier.own, most - tier.other);
        let shift = |own: u8, other: u8| 2 * u32::from(other % OTHER * OWN + own % OWN);
        let least = own.saturating_sub(DOMINANCE_ATTACKER);
        let same_slot =
            least / OWN == own / OWN && (other + DOMINANCE_DEFENDER) / OTHER == other / OTHER;
        let dominated = |reserve: u8| {
            let all = (least..=own).flat_map(|own| {
                let others = other..=other + reserve;
                others.map(move |other| (own, other))
            });
            let bit = |(own, other)| u64::from(attacker::SAFE) << shift(own, other);
            all.map(bit).fold(0, |bits, bit| bits | bit)
        };
        AttackTier {
            key: 1 << 63 | u64::from(own / OWN) << 40 | u64::from(other / OTHER) << 32,
            shift: shift(own, other),
            dominated: same_slot.then(|| std::array::from_fn(|reserve| dominated(reserve as u8))),
        }
    }
}

/// Slots of a new table.
const SLOTS: usize = 1 << 10;

impl Attacks {
    pub(super) fn new() -> Attacks {
        Attacks {
            slots: vec![Slot::default(); SLOTS],
            used: 0,
        }
    }

    /// Where the search for a key begins.
    #[inline(always)]
    fn first_slot(&self, key: u64) -> usize {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.slots.len() - 1)
    }

    /// The cell will be looked at soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, tier: &AttackTier, board: u32) {
        prefetch(&self.slots[self.first_slot(tier.key | u64::from(board))]);
    }

    /// The slot of a key, or the free one where it belongs.
    #[inline(always)]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = self.first_slot(key);
        while self.slots[at].key != key && self.slots[at].key != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    /// The cell of a board in a tier.
    #[inline(always)]
    pub(super) fn get(&self, tier: &AttackTier, board: u32) -> u8 {
        let slot = &self.slots[self.slot(tier.key | u64::from(board))];
        (slot.cells >> tier.shift & CELL) as u8
    }

    /// Whether the board in this tier may dominate one of the set, where the defender has so many
    /// stones in reserve.
    #[inline(always)]
    pub(super) fn may_dominate(&self, tier: &AttackTier, board: u32, reserve: u8) -> bool {
        let slot = &self.slots[self.slot(tier.key | u64::from(board))];
        tier.dominated
            .is_none_or(|bits| slot.cells & bits[usize::from(reserve.min(DOMINANCE_DEFENDER))] != 0)
    }

    /// Changes the cell of a board in a tier.
    #[inline(always)]
    pub(super) fn set(&mut self, tier: &AttackTier, board: u32, cell: u8) {
        if 2 * self.used >= self.slots.len() {
            self.grow();
        }
        let key = tier.key | u64::from(board);
        let at = self.slot(key);
        let slot = &mut self.slots[at];
        self.used += usize::from(slot.key == 0);
        slot.key = key;
        slot.cells = slot.cells & !(CELL << tier.shift) | u64::from(cell) << tier.shift;
    }

    #[cold]
    fn grow(&mut self) {
        let more = on_large_pages(Slot::default(), 2 * self.slots.len());
        for known in std::mem::replace(&mut self.slots, more) {
            if known.key != 0 {
                let at = self.slot(known.key);
                self.slots[at] = known;
            }
        }
    }

    /// The boards of a tier whose cell is this.
    pub(super) fn boards_with(&self, tier: &AttackTier, cell: u8) -> Vec<u32> {
        let has = |slot: &&Slot| {
            slot.key & !u64::from(u32::MAX) == tier.key
                && slot.cells >> tier.shift & CELL == u64::from(cell)
        };
        let found = self.slots.iter().filter(has);
        found.map(|slot| slot.key as u32).collect()
    }

    /// Bytes in use. A table that grows is there twice for a moment, the new one being twice as
    /// large.
    pub(super) fn bytes(&self) -> usize {
        3 * self.slots.len() * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn cells_of_all_totals_stay_apart() {
        const MOST: u8 = 21;
        let mut attacks = Attacks::new();
        let mut expected = HashMap::new();
        for step in 0..60_000u64 {
            let mixed = step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let part = |from: u32, many: u64| (mixed >> from) % many;
            let tier = Tier {
                own: part(60, 22) as u8,
                other: part(13, 22) as u8,
            };
            let (board, cell) = (part(20, 900) as u32, part(50, 3) as u8);
            attacks.set(&AttackTier::new(tier, MOST), board, cell);
            expected.insert((tier, board), cell);
        }
        let mut safe = 0;
        for own in 0..=MOST {
            for other in 0..=MOST {
                let tier = Tier { own, other };
                let place = AttackTier::new(tier, MOST);
                for board in 0..900 {
                    let cell = expected.get(&(tier, board)).copied().unwrap_or(0);
                    assert_eq!(attacks.get(&place, board), cell);
                    for reserve in 0..3.min(other) {
                        let dominated = (own..=own + DOMINANCE_ATTACKER).any(|own| {
                            let least = other - reserve.min(DOMINANCE_DEFENDER);
                            (least..=other).any(|other| {
                                let tier = Tier { own, other };
                                expected.get(&(tier, board)) == Some(&attacker::SAFE)
                            })
                        });
                        let may = attacks.may_dominate(&place, board, reserve);
                        assert!(may || !dominated, "{tier:?} {board}");
                        assert!(!may || dominated || place.dominated.is_none());
                    }
                }
                let boards = attacks.boards_with(&place, attacker::SAFE);
                for board in &boards {
                    assert_eq!(expected[&(tier, *board)], attacker::SAFE);
                }
                safe += boards.len();
            }
        }
        let all = expected.values().filter(|&&cell| cell == attacker::SAFE);
        assert_eq!(safe, all.count());
    }
}

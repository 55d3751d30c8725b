//! What is known of attacker's positions. Few of those that there are get into the set, so they
//! are in a hash table; and the same board with other reserves is in the same slot, so that one
//! look is enough to compare a position with those that it may dominate.

use crate::solve::tuning::{DOMINANCE_ATTACKER, DOMINANCE_DEFENDER};
use crate::tables::index::Tier;
use isa::{on_large_pages, prefetch};

use super::cells::attacker;
use super::links::Head;

/// So many totals of the attacker, and of the defender, share a slot; each has two bits of it.
const OWN: u8 = 4;
const OTHER: u8 = 4;
const CELL: u32 = 3;

/// Cells by board and totals: open addressing, one bucket after the other.
pub(super) struct Attacks {
    /// Their number is a power of two.
    buckets: Vec<Bucket>,
    used: usize,
}

/// A line of the cache. Its slots are used from the first on.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

/// Slots of a bucket.
const SLOTS: usize = 4;

/// A key of 0 is a free slot.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    cells: u32,
    /// Where the list of what relies on the board begins, see [`Links`](super::links::Links).
    head: Head,
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
    dominated: Option<[u32; DOMINANCE_DEFENDER as usize + 1]>,
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
            let bit = |(own, other)| u32::from(attacker::SAFE) << shift(own, other);
            all.map(bit).fold(0, |bits, bit| bits | bit)
        };
        AttackTier {
            key: 1 << 63 | u64::from(own / OWN) << 40 | u64::from(other / OTHER) << 32,
            shift: shift(own, other),
            dominated: same_slot.then(|| std::array::from_fn(|reserve| dominated(reserve as u8))),
        }
    }
}

/// Buckets of a new table.
const BUCKETS: usize = 1 << 8;

impl Attacks {
    pub(super) fn new() -> Attacks {
        Attacks {
            buckets: vec![Bucket::default(); BUCKETS],
            used: 0,
        }
    }

    /// Where the search for a key begins.
    #[inline(always)]
    fn first_bucket(&self, key: u64) -> usize {
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.buckets.len() - 1)
    }

    /// The cell will be looked at soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, tier: &AttackTier, board: u32) {
        prefetch(&self.buckets[self.first_bucket(tier.key | u64::from(board))]);
    }

    /// The slot of a key, or the free one where it belongs.
    #[inline(always)]
    fn slot(&mut self, key: u64) -> &mut Slot {
        let mask = self.buckets.len() - 1;
        let mut at = self.first_bucket(key);
        loop {
            let bucket = &self.buckets[at].0;
            let place = bucket
                .iter()
                .position(|slot| slot.key == key || slot.key == 0);
            if let Some(place) = place {
                return &mut self.buckets[at].0[place];
            }
            at = (at + 1) & mask;
        }
    }

    /// The cells of a key, all 0 if it is not there. Where it is in its bucket, if it is, cannot be
    /// foreseen, so that is no branch; hardly ever another bucket has to be looked at.
    #[inline(always)]
    fn cells(&self, key: u64) -> u32 {
        let mask = self.buckets.len() - 1;
        let mut at = self.first_bucket(key);
        loop {
            let slots = &self.buckets[at].0;
            let (mut cells, mut found) = (0, false);
            for slot in slots {
                let same = slot.key == key;
                cells |= slot.cells & u32::from(same).wrapping_neg();
                found |= same;
            }
            if found | (slots[SLOTS - 1].key == 0) {
                return cells;
            }
            at = (at + 1) & mask;
        }
    }

    /// The cell of a board in a tier.
    #[inline(always)]
    pub(super) fn get(&self, tier: &AttackTier, board: u32) -> u8 {
        let cells = self.cells(tier.key | u64::from(board));
        (cells >> tier.shift & CELL) as u8
    }

    /// Whether the board in this tier may dominate one of the set, where the defender has so many
    /// stones in reserve.
    #[inline(always)]
    pub(super) fn may_dominate(&self, tier: &AttackTier, board: u32, reserve: u8) -> bool {
        let cells = self.cells(tier.key | u64::from(board));
        tier.dominated
            .is_none_or(|bits| cells & bits[usize::from(reserve.min(DOMINANCE_DEFENDER))] != 0)
    }

    /// Changes the cell of a board in a tier.
    #[inline(always)]
    pub(super) fn set(&mut self, tier: &AttackTier, board: u32, cell: u8) {
        if 2 * self.used >= SLOTS * self.buckets.len() {
            self.grow();
        }
        let key = tier.key | u64::from(board);
        let slot = self.slot(key);
        let new = slot.key == 0;
        slot.key = key;
        slot.cells = slot.cells & !(CELL << tier.shift) | u32::from(cell) << tier.shift;
        self.used += usize::from(new);
    }

    /// Where the list of what relies on a board begins, whatever the tier; the board must be there.
    #[inline(always)]
    pub(super) fn head(&mut self, tier: &AttackTier, board: u32) -> &mut Head {
        let slot = self.slot(tier.key | u64::from(board));
        debug_assert!(slot.key != 0, "a cell of it has been set");
        &mut slot.head
    }

    #[cold]
    fn grow(&mut self) {
        let more = on_large_pages(Bucket::default(), 2 * self.buckets.len());
        for known in std::mem::replace(&mut self.buckets, more) {
            for slot in known.0.into_iter().filter(|slot| slot.key != 0) {
                *self.slot(slot.key) = slot;
            }
        }
    }

    /// The boards of a tier whose cell is this.
    pub(super) fn boards_with(&self, tier: &AttackTier, cell: u8) -> Vec<u32> {
        let has = |slot: &&Slot| {
            slot.key & !u64::from(u32::MAX) == tier.key
                && slot.cells >> tier.shift & CELL == u32::from(cell)
        };
        let slots = self.buckets.iter().flat_map(|bucket| &bucket.0);
        let found = slots.filter(has);
        found.map(|slot| slot.key as u32).collect()
    }

    /// Bytes in use. A table that grows is there twice for a moment, the new one being twice as
    /// large.
    pub(super) fn bytes(&self) -> usize {
        3 * self.buckets.len() * size_of::<Bucket>()
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

//! A hash map from keys to numbers.

/// No number; the end of a list of links.
pub(super) const NIL: u32 = u32::MAX;

/// Numbers by keys, which are hashes already: open addressing with linear probing.
pub(super) struct NodeMap {
    /// Their number is a power of two.
    slots: Vec<Slot>,
    used: usize,
}

/// A key in two halves, so that no bytes lie unused between slots, and its number. A key of 0 is
/// a free slot.
#[derive(Clone, Copy)]
struct Slot {
    key: [u32; 2],
    number: u32,
}

const FREE: Slot = Slot {
    key: [0; 2],
    number: NIL,
};

/// So many parts in four of the slots are used at most.
const FULL: usize = 3;

#[inline(always)]
fn halves(key: u64) -> [u32; 2] {
    [key as u32, (key >> 32) as u32]
}

#[inline(always)]
fn whole([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

impl NodeMap {
    pub(super) fn new() -> NodeMap {
        NodeMap {
            slots: vec![FREE; 1 << 10],
            used: 0,
        }
    }

    /// The slot of a key, or the free one where it belongs.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        let key = halves(key);
        while self.slots[at].key != key && self.slots[at].key != FREE.key {
            at = (at + 1) & mask;
        }
        at
    }

    /// The number of a key, or [`NIL`].
    #[inline]
    pub(super) fn get(&self, key: u64) -> u32 {
        self.slots[self.slot(key)].number
    }

    /// Inserts a key that is not there.
    pub(super) fn insert(&mut self, key: u64, number: u32) {
        if 4 * self.used >= FULL * self.slots.len() {
            let more = vec![FREE; 2 * self.slots.len()];
            for known in std::mem::replace(&mut self.slots, more) {
                if known.key != FREE.key {
                    let slot = self.slot(whole(known.key));
                    self.slots[slot] = known;
                }
            }
        }
        self.used += 1;
        let slot = self.slot(key);
        self.slots[slot] = Slot {
            key: halves(key),
            number,
        };
    }

    /// Gives a key a number, and returns the one that it had, or [`NIL`].
    pub(super) fn replace(&mut self, key: u64, number: u32) -> u32 {
        let slot = self.slot(key);
        if self.slots[slot].key == halves(key) {
            return std::mem::replace(&mut self.slots[slot].number, number);
        }
        self.insert(key, number);
        NIL
    }
}

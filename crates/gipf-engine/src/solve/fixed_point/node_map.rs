//! A hash map from keys to numbers.

/// No number; the end of a list of links.
pub(super) const NIL: u32 = u32::MAX;

/// Numbers by keys, which are hashes already: open addressing with linear probing.
pub(super) struct NodeMap {
    /// A key of 0 is a free slot. Their number is a power of two.
    slots: Vec<(u64, u32)>,
    used: usize,
}

impl NodeMap {
    pub(super) fn new() -> NodeMap {
        NodeMap {
            slots: vec![(0, NIL); 1 << 10],
            used: 0,
        }
    }

    /// The slot of a key, or the free one where it belongs.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].0 != key && self.slots[at].0 != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    /// The number of a key, or [`NIL`].
    #[inline]
    pub(super) fn get(&self, key: u64) -> u32 {
        self.slots[self.slot(key)].1
    }

    /// Inserts a key that is not there.
    pub(super) fn insert(&mut self, key: u64, number: u32) {
        if 2 * self.used >= self.slots.len() {
            let more = vec![(0, NIL); 2 * self.slots.len()];
            for (key, number) in std::mem::replace(&mut self.slots, more) {
                if key != 0 {
                    let slot = self.slot(key);
                    self.slots[slot] = (key, number);
                }
            }
        }
        self.used += 1;
        let slot = self.slot(key);
        self.slots[slot] = (key, number);
    }

    /// Gives a key a number, and returns the one that it had, or [`NIL`].
    pub(super) fn replace(&mut self, key: u64, number: u32) -> u32 {
        let slot = self.slot(key);
        if self.slots[slot].0 == key {
            return std::mem::replace(&mut self.slots[slot].1, number);
        }
        self.insert(key, number);
        NIL
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<(u64, u32)>()
    }
}

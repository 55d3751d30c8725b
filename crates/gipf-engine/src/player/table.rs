//! What the search remembers of positions.

/// Which side of the value a bound lies on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Lower,
    Upper,
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) value: i32,
    /// The number of the best move in the order of generation.
    pub(super) best: u16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
}

const _: () = assert!(size_of::<Entry>() == 16);

const EMPTY: Entry = Entry {
    key: 0,
    value: 0,
    best: u16::MAX,
    depth: 0,
    bound: Bound::Upper,
};

/// A table of a fixed number of entries; deeper results stay longer.
#[derive(Clone, Debug)]
pub(super) struct Table(Vec<[Entry; 2]>);

impl Table {
    pub(super) fn new(bits: u32) -> Table {
        Table(vec![[EMPTY; 2]; 1 << bits.saturating_sub(1)])
    }

    pub(super) fn clear(&mut self) {
        self.0.fill([EMPTY; 2]);
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let bucket = &self.0[key as usize & (self.0.len() - 1)];
        bucket.iter().copied().find(|entry| entry.key == key)
    }

    /// The first place of a bucket keeps the deepest, the second the latest.
    #[inline]
    pub(super) fn put(&mut self, entry: Entry) {
        let index = entry.key as usize & (self.0.len() - 1);
        let [deep, late] = &mut self.0[index];
        if deep.key == entry.key || entry.depth >= deep.depth {
            if deep.key != entry.key {
                *late = *deep;
            }
            *deep = entry;
        } else {
            *late = entry;
        }
    }

    /// Makes room for a new search: what was deep then is not worth more now.
    pub(super) fn age(&mut self) {
        for [deep, _] in &mut self.0 {
            deep.depth /= 2;
        }
    }
}

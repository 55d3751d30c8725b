//! The transposition table of the deepening search.

use search::{Bound, DepthTable, Store};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) value: i32,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// The best move.
    pub(crate) from: u8,
    pub(crate) to: u8,
}

impl Entry {
    fn pack(self) -> u64 {
        let [a, b, c, d] = self.value.to_le_bytes();
        u64::from_le_bytes([a, b, c, d, self.depth, self.bound as u8, self.from, self.to])
    }

    fn unpack(word: u64) -> Entry {
        let [a, b, c, d, depth, bound, from, to] = word.to_le_bytes();
        Entry {
            value: i32::from_le_bytes([a, b, c, d]),
            depth,
            bound: [Bound::Upper, Bound::Lower, Bound::Exact][usize::from(bound)],
            from,
            to,
        }
    }
}

/// Entries are a key and a packed word, so that fresh memory is all zeros and costs nothing until
/// it is used.
struct Packed;

impl Store for Packed {
    type Entry = [u64; 2];
    const SHIFT: u32 = 20;
    const KEEPS_REPLACED: bool = false;
    const FREE: [u64; 2] = [0; 2];

    #[inline]
    fn is_of(entry: &[u64; 2], key: u64) -> bool {
        entry[0] == key
    }

    #[inline]
    fn depth(entry: &[u64; 2]) -> u8 {
        Entry::unpack(entry[1]).depth
    }
}

/// Values and best moves by key.
pub(crate) struct ValueTable(DepthTable<Packed>);

impl ValueTable {
    /// A table of at most so many bytes, and of one bucket at least.
    pub(crate) fn new(bytes: usize) -> ValueTable {
        let count = 1 << (bytes / 32).max(1).ilog2();
        let mut buckets = vec![[[0; 2]; 2]; count];
        isa::advise_large_pages(&mut buckets);
        ValueTable(DepthTable::from_buckets(buckets))
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        let [_, word] = self.0.get(key)?;
        Some(Entry::unpack(word))
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u64, entry: Entry) {
        self.0.put(key, [key, entry.pack()]);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_as_it_was_written_and_the_deeper_one_stays() {
        let mut table = ValueTable::new(1 << 10);
        let entry = Entry {
            value: -999_998,
            depth: 7,
            bound: Bound::Upper,
            from: 63,
            to: 54,
        };
        table.put(5, entry);
        table.put(6, Entry { depth: 3, ..entry });
        table.put(7, Entry { depth: 2, ..entry });
        assert_eq!(table.get(5), Some(entry));
        assert_eq!(table.get(6), None);
        assert_eq!(table.get(7).map(|entry| entry.depth), Some(2));
        table.clear();
        assert_eq!(table.get(5), None);
    }
}

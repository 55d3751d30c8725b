//! The transposition table: what is known about positions met before.

use rules::WIN;

/// How a stored value relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// It is this.
    Exact,
}

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry<M> {
    /// The move that was best, or good enough.
    pub(crate) mv: M,
    /// As seen from this position: a win in `n` half-moves from here is `WIN − n`.
    pub(crate) value: i32,
    pub(crate) bound: Bound,
    /// Half-moves looked ahead from here, or [`EXHAUSTED`].
    pub(crate) depth: u8,
}

/// The depth of an entry below which every line was followed to the end of the game.
pub(crate) const EXHAUSTED: u8 = u8::MAX;

/// Two entries with the same lowest bits of the hash: the first keeps what was searched
/// deepest, the second what came last.
type Bucket<M> = [Option<(u64, Entry<M>)>; 2];

/// A fixed number of entries, found by the hash of a position.
#[derive(Clone, Debug)]
pub(crate) struct Table<M> {
    buckets: Vec<Bucket<M>>,
}

impl<M: Copy> Table<M> {
    /// A table of `2^bits` entries, at least two.
    pub(crate) fn new(bits: u32) -> Table<M> {
        Table {
            buckets: vec![[None; 2]; 1 << bits.saturating_sub(1)],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.buckets.fill([None; 2]);
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub(crate) fn get(&self, hash: u64) -> Option<Entry<M>> {
        let bucket = &self.buckets[self.index(hash)];
        bucket
            .iter()
            .flatten()
            .find(|(key, _)| *key == hash)
            .map(|(_, entry)| *entry)
    }

    #[inline]
    pub(crate) fn put(&mut self, hash: u64, entry: Entry<M>) {
        let index = self.index(hash);
        let [deepest, latest] = &mut self.buckets[index];
        match deepest {
            Some((key, old)) if *key != hash && old.depth > entry.depth => {
                *latest = Some((hash, entry));
            }
            _ => {
                // What was deepest until now is still worth more than what came last.
                if let Some((key, _)) = deepest
                    && *key != hash
                {
                    *latest = *deepest;
                }
                *deepest = Some((hash, entry));
            }
        }
    }
}

/// Values this far from zero are wins and losses, not estimates.
pub(crate) const PROVEN: i32 = WIN - 5_000;

/// A value seen from the root as seen from a position `ply` half-moves below it.
#[inline]
pub(crate) fn to_table(value: i32, ply: usize) -> i32 {
    nearer(value, ply as i32)
}

/// The reverse of [`to_table`].
#[inline]
pub(crate) fn from_table(value: i32, ply: usize) -> i32 {
    nearer(value, -(ply as i32))
}

/// A win or loss that comes so many half-moves sooner; an estimate stays as it is.
#[inline]
fn nearer(value: i32, by: i32) -> i32 {
    if value.abs() >= PROVEN {
        value + value.signum() * by
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mv: u8, depth: u8) -> Entry<u8> {
        Entry {
            mv,
            value: 0,
            bound: Bound::Exact,
            depth,
        }
    }

    #[test]
    fn deep_entries_stay_and_late_ones_are_found() {
        let mut table = Table::new(4);
        assert_eq!(table.get(8), None);
        // All of these fall into one bucket of eight.
        table.put(8, entry(1, 5));
        table.put(16, entry(2, 3));
        assert_eq!(table.get(8), Some(entry(1, 5)));
        assert_eq!(table.get(16), Some(entry(2, 3)));
        table.put(24, entry(3, 1));
        assert_eq!(table.get(16), None);
        table.put(32, entry(4, 6));
        assert_eq!(table.get(32), Some(entry(4, 6)));
        assert_eq!(table.get(8), Some(entry(1, 5)));
        table.put(32, entry(5, 1));
        assert_eq!(table.get(32), Some(entry(5, 1)));
        table.clear();
        assert_eq!(table.get(32), None);
    }

    #[test]
    fn wins_are_stored_by_distance() {
        for value in [WIN - 9, -WIN + 9, 0, 345, -345] {
            assert_eq!(from_table(to_table(value, 6), 6), value);
        }
        assert_eq!(to_table(WIN - 9, 6), WIN - 3);
        assert_eq!(to_table(9 - WIN, 6), 3 - WIN);
    }
}

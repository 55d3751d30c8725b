//! The transposition table of depth-limited searches.

use rules::WIN;

/// How a stored value relates to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// It is this.
    Exact,
}

impl Bound {
    /// What a value is that was searched with a window from `floor` to `beta`.
    #[inline]
    #[must_use]
    pub fn of(value: i32, [floor, beta]: [i32; 2]) -> Bound {
        if value >= beta {
            Bound::Lower
        } else if value > floor {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

/// How a search keeps its results in a [`DepthTable`].
pub trait Store {
    /// What is kept of a position, with its key.
    type Entry: Copy;

    /// Lowest bits of a key that do not choose a bucket.
    const SHIFT: u32 = 0;

    /// Whether an entry that gives way to a deeper one moves to the second slot of its bucket.
    const KEEPS_REPLACED: bool = true;

    /// A free slot.
    const FREE: Self::Entry;

    /// Whether an entry is of this key.
    fn is_of(entry: &Self::Entry, key: u64) -> bool;

    /// How deep the position was searched; 0 for a free slot.
    fn depth(entry: &Self::Entry) -> u8;

    /// The number of the search that an entry is of, as far as it is kept.
    fn age(entry: &Self::Entry) -> u8 {
        let _ = entry;
        0
    }

    /// Notes the number of the search in an entry.
    fn stamp(entry: &mut Self::Entry, age: u8) {
        let _ = (entry, age);
    }
}

/// A transposition table of a fixed size. Of the two slots of a bucket the first keeps the
/// deepest entry of the current search, or of earlier ones as long as there is none; the second
/// keeps the latest.
pub struct DepthTable<S: Store> {
    buckets: Vec<[S::Entry; 2]>,
    age: u8,
}

impl<S: Store> Clone for DepthTable<S> {
    fn clone(&self) -> Self {
        DepthTable {
            buckets: self.buckets.clone(),
            age: self.age,
        }
    }
}

impl<S: Store> std::fmt::Debug for DepthTable<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DepthTable")
            .field("buckets", &self.buckets.len())
            .finish_non_exhaustive()
    }
}

impl<S: Store> DepthTable<S> {
    /// A table of `2^bits` entries, at least two.
    #[must_use]
    pub fn new(bits: u32) -> DepthTable<S> {
        DepthTable::from_buckets(vec![[S::FREE; 2]; 1 << bits.saturating_sub(1)])
    }

    /// A table in memory that the caller has prepared: free slots, a power of two of buckets.
    #[must_use]
    pub fn from_buckets(buckets: Vec<[S::Entry; 2]>) -> DepthTable<S> {
        assert!(buckets.len().is_power_of_two(), "a power of two of buckets");
        DepthTable { buckets, age: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.fill([S::FREE; 2]);
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        (key >> S::SHIFT) as usize & (self.buckets.len() - 1)
    }

    /// The entry of a key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<S::Entry> {
        let bucket = &self.buckets[self.bucket(key)];
        bucket.iter().copied().find(|entry| S::is_of(entry, key))
    }

    /// Another search begins: what earlier ones found is still an answer, but gives way to
    /// whatever this one finds.
    pub fn begin_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// Keeps an entry, which must be of this key.
    #[inline]
    pub fn put(&mut self, key: u64, mut entry: S::Entry) {
        S::stamp(&mut entry, self.age);
        let at = self.bucket(key);
        let [deepest, latest] = &mut self.buckets[at];
        let same = S::is_of(deepest, key);
        let current = S::age(deepest) == S::age(&entry);
        if !same && current && S::depth(deepest) > S::depth(&entry) {
            *latest = entry;
            return;
        }
        if S::KEEPS_REPLACED && !same {
            *latest = *deepest;
        }
        *deepest = entry;
    }
}

/// Searches are numbered below this, and then from 0 again.
const AGES: u8 = 64;

/// Values this far from zero are wins and losses, not estimates.
pub const PROVEN: i32 = WIN - 5_000;

/// A value seen from the root as seen from a position `ply` plies below it: a table keeps wins by
/// their distance from the position.
#[inline]
#[must_use]
pub fn to_table(value: i32, ply: usize) -> i32 {
    nearer(value, ply as i32)
}

/// The reverse of [`to_table`].
#[inline]
#[must_use]
pub fn from_table(value: i32, ply: usize) -> i32 {
    nearer(value, -(ply as i32))
}

/// A win or loss that comes so many plies sooner; an estimate stays as it is.
#[inline]
fn nearer(value: i32, by: i32) -> i32 {
    if value.abs() >= PROVEN {
        value + value.signum() * by
    } else {
        value
    }
}

/// Whether a bound on a value, seen from the root, answers a question with this window: it was
/// searched deep enough or is proven, and it is on one side of the window or exact.
#[inline]
#[must_use]
pub fn answers(value: i32, bound: Bound, deep: bool, [alpha, beta]: [i32; 2]) -> bool {
    match bound {
        Bound::Lower => value >= beta && (deep || value >= PROVEN),
        Bound::Upper => value <= alpha && (deep || value <= -PROVEN),
        Bound::Exact => deep || value.abs() >= PROVEN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries of a key, a depth and the number of the search; a key of 0 is free.
    struct Aged;

    impl Store for Aged {
        type Entry = (u64, u8, u8);
        const FREE: (u64, u8, u8) = (0, 0, 0);

        fn is_of(entry: &(u64, u8, u8), key: u64) -> bool {
            entry.0 == key
        }

        fn depth(entry: &(u64, u8, u8)) -> u8 {
            entry.1
        }

        fn age(entry: &(u64, u8, u8)) -> u8 {
            entry.2
        }

        fn stamp(entry: &mut (u64, u8, u8), age: u8) {
            entry.2 = age;
        }
    }

    #[test]
    fn what_an_earlier_search_found_gives_way() {
        let mut table = DepthTable::<Aged>::new(4);
        table.put(8, (8, 9, 0));
        table.begin_search();
        assert_eq!(table.get(8), Some((8, 9, 0)));
        table.put(16, (16, 1, 0));
        assert_eq!(table.get(16), Some((16, 1, 1)));
        // Once more, and it is gone: what is current is compared by its depth.
        table.put(24, (24, 3, 0));
        table.put(32, (32, 2, 0));
        let found = [8, 16, 24, 32].map(|key| table.get(key).is_some());
        assert_eq!(found, [false, false, true, true]);
    }

    /// Entries of a key and a depth; a key of 0 is free.
    struct Pairs;

    impl Store for Pairs {
        type Entry = (u64, u8);
        const FREE: (u64, u8) = (0, 0);

        fn is_of(entry: &(u64, u8), key: u64) -> bool {
            entry.0 == key
        }

        fn depth(entry: &(u64, u8)) -> u8 {
            entry.1
        }
    }

    #[test]
    fn deep_entries_stay_and_late_ones_are_found() {
        let mut table = DepthTable::<Pairs>::new(4);
        assert_eq!(table.get(8), None);
        // All of these fall into one bucket of eight.
        let steps = [
            ((8, 5), &[8][..]),
            ((16, 3), &[8, 16]),
            ((24, 1), &[8, 24]),
            ((32, 6), &[32, 8]),
            ((32, 1), &[32, 8]),
        ];
        for (entry, kept) in steps {
            table.put(entry.0, entry);
            let found: Vec<u64> = [8, 16, 24, 32]
                .into_iter()
                .filter(|&key| table.get(key).is_some())
                .collect();
            let mut kept = kept.to_vec();
            kept.sort_unstable();
            assert_eq!(found, kept, "{entry:?}");
            assert_eq!(table.get(entry.0), Some(entry));
        }
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

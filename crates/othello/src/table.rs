//! The transposition table: what earlier searches found out about positions.
//!
//! Threads share it without locks. An entry is two words, the second holds the
//! knowledge, the first the position's hash mixed with the second: a torn entry fits no
//! hash and is not found.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use memmap2::MmapMut;

/// The hash of a position: equal for equal boards, practically never for others.
#[inline]
pub(crate) const fn hash(own: u64, other: u64) -> u64 {
    // One wide product mixes every bit of one half with every bit of the other.
    let product = (own ^ 0x9e37_79b9_7f4a_7c15) as u128 * (other ^ 0xd1b5_4a32_d192_ed03) as u128;
    (product as u64) ^ (product >> 64) as u64
}

/// "No move" in a [`Record`].
pub(crate) const NO_MOVE: u8 = 64;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// The value is at least this.
    pub(crate) lower: i8,
    /// The value is at most this.
    pub(crate) upper: i8,
    /// How deep the search went.
    pub(crate) depth: u8,
    /// How sure it was: the level of selectivity.
    pub(crate) level: u8,
    /// The best moves known, the better one first, or [`NO_MOVE`].
    pub(crate) moves: [u8; 2],
}

impl Record {
    /// Whether this is knowledge from a search at least so deep and so sure.
    #[inline]
    pub(crate) fn holds_for(&self, depth: u8, level: u8) -> bool {
        self.depth >= depth && self.level >= level
    }

    #[inline]
    fn pack(self, generation: u8) -> u64 {
        u64::from_le_bytes([
            self.lower as u8,
            self.upper as u8,
            self.depth,
            self.level,
            self.moves[0],
            self.moves[1],
            generation,
            1,
        ])
    }

    #[inline]
    fn unpack(word: u64) -> Record {
        let [lower, upper, depth, level, first, second, ..] = word.to_le_bytes();
        Record {
            lower: lower as i8,
            upper: upper as i8,
            depth,
            level,
            moves: [first, second],
        }
    }
}

struct Entry {
    check: AtomicU64,
    word: AtomicU64,
}

const _: () = assert!(size_of::<Entry>() == 16);

/// Entries that share a line of the cache.
#[repr(align(64))]
struct Bucket([Entry; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// A table of fixed size.
pub struct Table {
    memory: MmapMut,
    mask: usize,
    generation: AtomicU8,
}

impl Table {
    /// A table of at most so many mebibytes: the next lower power of two.
    ///
    /// # Panics
    /// If the system has not that much memory to give.
    #[must_use]
    pub fn new(mebibytes: usize) -> Table {
        let buckets = 1 << ((mebibytes.max(1) << 20) / size_of::<Bucket>()).ilog2();
        // Straight from the system the memory is zero, aligned to pages, and costs
        // nothing before it is touched. Large pages halve the cost of a look-up.
        let memory = MmapMut::map_anon(buckets * size_of::<Bucket>())
            .expect("memory for the transposition table");
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Table {
            memory,
            mask: buckets - 1,
            generation: AtomicU8::new(1),
        }
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        // SAFETY: the memory is aligned to a page, holds `mask + 1` buckets, and lives as
        // long as `self`; any bytes are valid atomics, and it is only reached as such.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.mask + 1) }
    }

    /// Begins a new search: what is stored from now on outlives older knowledge.
    pub fn age(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for entry in self.buckets().iter().flat_map(|bucket| &bucket.0) {
            entry.check.store(0, Relaxed);
            entry.word.store(0, Relaxed);
        }
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        &self.buckets()[hash as usize & self.mask]
    }

    /// Asks for the memory that [`probe`](Table::probe) will read.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(self.bucket(hash));
    }

    /// What is known about the position with this hash.
    #[inline]
    pub(crate) fn probe(&self, hash: u64) -> Option<Record> {
        for entry in &self.bucket(hash).0 {
            let word = entry.word.load(Relaxed);
            if entry.check.load(Relaxed) ^ word == hash && word != 0 {
                return Some(Record::unpack(word));
            }
        }
        None
    }

    /// Stores what a search with the window `alpha` to `beta` found: `value`, a bound
    /// unless it lies between them. Joins it with what is known from an equal search.
    #[inline]
    pub(crate) fn store(&self, hash: u64, found: Found) {
        let generation = self.generation.load(Relaxed);
        let entries = &self.bucket(hash).0;
        let mut victim = &entries[0];
        let mut least = u32::MAX;
        for entry in entries {
            let word = entry.word.load(Relaxed);
            if entry.check.load(Relaxed) ^ word == hash && word != 0 {
                let record = found.join(Record::unpack(word)).pack(generation);
                entry.check.store(hash ^ record, Relaxed);
                entry.word.store(record, Relaxed);
                return;
            }
            // Deep and recent knowledge stays longest.
            let [_, _, depth, level, _, _, age, _] = word.to_le_bytes();
            let worth =
                u32::from(age == generation) << 16 | u32::from(depth) << 8 | u32::from(level);
            if worth < least {
                (victim, least) = (entry, worth);
            }
        }
        let record = found.record().pack(generation);
        victim.check.store(hash ^ record, Relaxed);
        victim.word.store(record, Relaxed);
    }
}

/// Asks for memory that will soon be read.
#[inline(always)]
fn prefetch<T>(_memory: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching has no effect but on the cache.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(_memory).cast()) };
    }
}

/// How many entries a [`Near`] has: half of the cache that a core of today has to itself,
/// the other half is for the weights.
const NEAR_ENTRIES: usize = 1 << 16;

/// A small table of one thread's own, for the last plies: most positions are met again
/// soon or never, and asking main memory about them takes longer than searching on.
///
/// Every position has one place, and the latest to come has it.
pub(crate) struct Near(Box<[(u64, u64); NEAR_ENTRIES]>);

impl Near {
    /// An empty table.
    pub(crate) fn new() -> Near {
        let entries = vec![(0, 0); NEAR_ENTRIES].into_boxed_slice();
        Near(entries.try_into().expect("as many entries as asked for"))
    }

    /// What is known about the position with this hash.
    #[inline]
    pub(crate) fn probe(&self, hash: u64) -> Option<Record> {
        let (of, word) = self.0[hash as usize % NEAR_ENTRIES];
        (of == hash && word != 0).then(|| Record::unpack(word))
    }

    /// Asks for the memory that [`probe`](Near::probe) will read.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(&self.0[hash as usize % NEAR_ENTRIES]);
    }

    /// Stores what a search found, as [`Table::store`] does.
    #[inline]
    pub(crate) fn store(&mut self, hash: u64, found: Found) {
        let entry = &mut self.0[hash as usize % NEAR_ENTRIES];
        let record = if entry.0 == hash && entry.1 != 0 {
            found.join(Record::unpack(entry.1))
        } else {
            found.record()
        };
        *entry = (hash, record.pack(0));
    }
}

/// The result of a search, to be stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) value: i32,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) best: u8,
    pub(crate) depth: u8,
    pub(crate) level: u8,
}

impl Found {
    #[inline]
    fn record(&self) -> Record {
        let value = self.value as i8;
        Record {
            lower: if self.value > self.alpha { value } else { -64 },
            upper: if self.value < self.beta { value } else { 64 },
            depth: self.depth,
            level: self.level,
            moves: [
                if self.value > self.alpha {
                    self.best
                } else {
                    NO_MOVE
                },
                NO_MOVE,
            ],
        }
    }

    /// This result together with an older one of the same position.
    #[inline]
    fn join(&self, old: Record) -> Record {
        let mut new = self.record();
        if new.depth == old.depth && new.level == old.level {
            let (lower, upper) = (new.lower.max(old.lower), new.upper.min(old.upper));
            // Selective searches contradict each other now and then: then the newer counts.
            if lower <= upper {
                (new.lower, new.upper) = (lower, upper);
            }
        }
        new.moves = if new.moves[0] == NO_MOVE || new.moves[0] == old.moves[0] {
            old.moves
        } else {
            [new.moves[0], old.moves[0]]
        };
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUND: Found = Found {
        value: 6,
        alpha: 5,
        beta: 6,
        best: 19,
        depth: 9,
        level: 3,
    };

    #[test]
    fn both_tables_join_what_they_are_told() {
        let (table, mut near) = (Table::new(1), Near::new());
        let later = Found {
            value: 8,
            alpha: 8,
            beta: 9,
            ..FOUND
        };
        for found in [FOUND, later] {
            table.store(0x1234_5678_9abc, found);
            near.store(0x1234_5678_9abc, found);
        }
        let record = table.probe(0x1234_5678_9abc);
        assert_eq!(
            record.map(|r| (r.lower, r.upper, r.moves[0])),
            Some((6, 8, 19))
        );
        assert_eq!(near.probe(0x1234_5678_9abc), record);
    }

    #[test]
    fn the_latest_has_the_place_in_a_near_table() {
        let mut near = Near::new();
        assert_eq!(near.probe(0), None);
        let other = 7 + NEAR_ENTRIES as u64;
        near.store(7, FOUND);
        assert_eq!(near.probe(other), None);
        near.store(other, FOUND);
        assert_eq!(near.probe(7), None);
        assert!(near.probe(other).is_some());
    }
}

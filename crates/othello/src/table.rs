//! The transposition table.
//!
//! Threads share it without locks. A slot is two words: the second holds the entry, the
//! first the hash of the position XOR the second, so that a torn slot matches no hash.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use isa::prefetch;
use memmap2::MmapMut;

/// The hash of a position: equal for equal boards, practically never for others.
#[inline]
pub(crate) const fn hash(own: u64, other: u64) -> u64 {
    // One wide product mixes every bit of one half with every bit of the other.
    let product = (own ^ 0x9e37_79b9_7f4a_7c15) as u128 * (other ^ 0xd1b5_4a32_d192_ed03) as u128;
    (product as u64) ^ (product >> 64) as u64
}

/// "No move" in an [`Entry`].
pub(crate) const NO_MOVE: u8 = 64;

/// An entry: the bounds that a search has found, how deep and selective the search was, and
/// its best moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The value is at least this.
    pub(crate) lower: i8,
    /// The value is at most this.
    pub(crate) upper: i8,
    /// How deep the search went.
    pub(crate) depth: u8,
    /// The level of selectivity of the search.
    pub(crate) level: u8,
    /// The best moves known, the better one first, or [`NO_MOVE`].
    pub(crate) moves: [u8; 2],
}

impl Entry {
    /// The bound that lies on one side of `alpha`, if there is one.
    #[inline]
    pub(crate) fn cutoff(&self, alpha: i32) -> Option<i32> {
        cutoff(self.lower, self.upper, alpha)
    }

    /// Whether the entry is of a search at least as deep and at least as sure.
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
    fn unpack(word: u64) -> Entry {
        let [lower, upper, depth, level, first, second, ..] = word.to_le_bytes();
        Entry {
            lower: lower as i8,
            upper: upper as i8,
            depth,
            level,
            moves: [first, second],
        }
    }
}

/// The bound that lies on one side of `alpha`, if there is one.
#[inline(always)]
fn cutoff(lower: i8, upper: i8, alpha: i32) -> Option<i32> {
    let (lower, upper) = (i32::from(lower), i32::from(upper));
    if lower > alpha {
        Some(lower)
    } else {
        (upper <= alpha).then_some(upper)
    }
}

struct Slot {
    check: AtomicU64,
    word: AtomicU64,
}

const _: () = assert!(size_of::<Slot>() == 16);

/// Slots that share a cache line.
#[repr(align(64))]
struct Bucket([Slot; 4]);

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

    /// Begins a new search: older entries are replaced first.
    pub fn age(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    /// Removes all entries.
    pub fn clear(&self) {
        for slot in self.buckets().iter().flat_map(|bucket| &bucket.0) {
            slot.check.store(0, Relaxed);
            slot.word.store(0, Relaxed);
        }
    }

    #[inline]
    fn bucket(&self, hash: u64) -> &Bucket {
        &self.buckets()[hash as usize & self.mask]
    }

    /// Prefetches the memory that [`probe`](Table::probe) will read.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(self.bucket(hash));
    }

    /// The entry of the position with this hash.
    #[inline]
    pub(crate) fn probe(&self, hash: u64) -> Option<Entry> {
        for slot in &self.bucket(hash).0 {
            let word = slot.word.load(Relaxed);
            if slot.check.load(Relaxed) ^ word == hash && word != 0 {
                return Some(Entry::unpack(word));
            }
        }
        None
    }

    /// Stores the result of a search with the window `alpha` to `beta`: `value`, a bound
    /// unless it lies between them. Joined with the entry of an equal search.
    #[inline]
    pub(crate) fn store(&self, hash: u64, found: Found) {
        let generation = self.generation.load(Relaxed);
        let slots = &self.bucket(hash).0;
        let mut victim = &slots[0];
        let mut least = u32::MAX;
        for slot in slots {
            let word = slot.word.load(Relaxed);
            if slot.check.load(Relaxed) ^ word == hash && word != 0 {
                let entry = found.join(Entry::unpack(word)).pack(generation);
                slot.check.store(hash ^ entry, Relaxed);
                slot.word.store(entry, Relaxed);
                return;
            }
            // Depth-preferred replacement, older entries first.
            let [_, _, depth, level, _, _, age, _] = word.to_le_bytes();
            let worth =
                u32::from(age == generation) << 16 | u32::from(depth) << 8 | u32::from(level);
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let entry = found.entry().pack(generation);
        victim.check.store(hash ^ entry, Relaxed);
        victim.word.store(entry, Relaxed);
    }
}

/// The tables of one thread for the last plies, where most positions recur soon or never, and a
/// probe of main memory takes longer than searching on.
pub(crate) struct LocalTable {
    /// The most empty squares with which bounds are kept here. One of several threads keeps less,
    /// since what it finds out the others may need.
    pub(crate) most: u32,
    /// With eight empty squares up to `most`: as many as half of the cache holds that a core has to itself,
    /// the other half is for the weights.
    pub(crate) bounds: Bounds<{ 1 << 16 }>,
    /// With four to seven, where positions recur at once or never: as many as the fastest cache holds.
    pub(crate) recent: Bounds<{ 1 << 12 }>,
}

impl LocalTable {
    /// Empty tables for one of so many threads.
    pub(crate) fn new(threads: usize) -> LocalTable {
        LocalTable {
            most: if threads > 1 { 9 } else { 10 },
            bounds: Bounds::new(),
            recent: Bounds::new(),
        }
    }
}

/// Bounds on the exact values of `N` positions.
///
/// Direct-mapped, always replaced. A slot is one word: the hash without its lowest sixteen bits,
/// which are the two bounds; most of those sixteen bits say which slot it is.
pub(crate) struct Bounds<const N: usize>(Box<[u64; N]>);

/// The bounds of a position of which nothing is known.
const NO_BOUNDS: [i8; 2] = [-64, 64];

const fn pack_bounds(hash: u64, [lower, upper]: [i8; 2]) -> u64 {
    hash & !0xffff | (upper as u8 as u64) << 8 | lower as u8 as u64
}

impl<const N: usize> Bounds<N> {
    fn new() -> Bounds<N> {
        const { assert!(N.is_power_of_two() && N <= 1 << 16) };
        Bounds(boxed(pack_bounds(0, NO_BOUNDS)))
    }

    /// The bounds of the position with this hash, lower and upper.
    #[inline(always)]
    fn probe(&self, hash: u64) -> Option<[i8; 2]> {
        let word = self.0[hash as usize % N];
        let [lower, upper, ..] = word.to_le_bytes();
        ((word ^ hash) >> 16 == 0).then_some([lower as i8, upper as i8])
    }

    /// The bound that lies on one side of `alpha`, if it is known.
    #[inline(always)]
    pub(crate) fn cutoff(&self, hash: u64, alpha: i32) -> Option<i32> {
        let [lower, upper] = self.probe(hash)?;
        cutoff(lower, upper, alpha)
    }

    /// The upper bound that is known.
    #[inline(always)]
    pub(crate) fn upper(&self, hash: u64) -> i32 {
        self.probe(hash).map_or(64, |[_, upper]| i32::from(upper))
    }

    /// Prefetches the memory that [`probe`](Bounds::probe) will read.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(&self.0[hash as usize % N]);
    }

    /// Stores the result of a search with a null window.
    #[inline(always)]
    pub(crate) fn store(&mut self, hash: u64, value: i32, alpha: i32) {
        let mut bounds = self.probe(hash).unwrap_or(NO_BOUNDS);
        bounds[usize::from(value <= alpha)] = value as i8;
        self.0[hash as usize % N] = pack_bounds(hash, bounds);
    }
}

/// An array that is made on the heap, since the stack may be too small for it.
fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    let Ok(array) = vec![value; N].into_boxed_slice().try_into() else {
        unreachable!("as many as asked for");
    };
    array
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
    fn entry(&self) -> Entry {
        let value = self.value as i8;
        Entry {
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
    fn join(&self, old: Entry) -> Entry {
        let mut new = self.entry();
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
    fn a_table_joins_results_of_equal_searches() {
        let table = Table::new(1);
        let later = Found {
            value: 8,
            alpha: 8,
            beta: 9,
            ..FOUND
        };
        for found in [FOUND, later] {
            table.store(0x1234_5678_9abc, found);
        }
        let entry = table.probe(0x1234_5678_9abc);
        assert_eq!(
            entry.map(|r| (r.lower, r.upper, r.moves[0])),
            Some((6, 8, 19))
        );
    }

    #[test]
    fn bounds_are_of_one_position() {
        let mut bounds = Bounds::<16>::new();
        let hash = 0x1234_5678_9abc_def7;
        for unknown in [0, hash] {
            assert_eq!(bounds.cutoff(unknown, 0), None);
            assert_eq!(bounds.upper(unknown), 64);
        }
        bounds.store(hash, -4, 1);
        bounds.store(hash, -8, -9);
        let cutoffs = [-9, -8, -5, -4, 0].map(|alpha| bounds.cutoff(hash, alpha));
        assert_eq!(cutoffs, [Some(-8), None, None, Some(-4), Some(-4)]);
        assert_eq!(bounds.upper(hash), -4);
        // Another hash of the same slot replaces it, whichever of the bits above differs.
        for bit in 16..64 {
            let other = hash ^ 1 << bit;
            assert_eq!(bounds.cutoff(other, 0), None, "bit {bit}");
            bounds.store(other, 2, 1);
            assert_eq!(
                (bounds.cutoff(hash, 0), bounds.cutoff(other, 0)),
                (None, Some(2)),
                "bit {bit}"
            );
            bounds.store(hash, -4, 1);
        }
    }
}

//! The transposition table of the prover.

use search::proof_number::{INFINITE, ProofNumbers};

use crate::arena::Key;

/// The numbers of a position that is won by the move between these squares, given as bits: any
/// number from [`INFINITE`] on says the same to the search, so there is room for the move.
pub(crate) const fn won_by([from, to]: [u64; 2]) -> ProofNumbers {
    let code = from.trailing_zeros() | to.trailing_zeros() << 6;
    ProofNumbers {
        proof: 0,
        disproof: INFINITE + 1 + code,
    }
}

/// The move that wins, if these numbers hold one.
pub(crate) const fn winning_move(numbers: ProofNumbers) -> Option<[u64; 2]> {
    if numbers.proof != 0 || numbers.disproof <= INFINITE {
        return None;
    }
    let code = numbers.disproof - INFINITE - 1;
    Some([1 << (code & 63), 1 << (code >> 6)])
}

/// Four entries in a row: a tag (48 bits of the key, then the age of the table, then the
/// logarithm of the work spent), and the two numbers.
type Bucket = [[u64; 2]; 4];

const KEY: u64 = !0 << 16;
const AGE: u64 = 0xff00;
const WORK: u64 = 0xff;

/// Proof numbers by key; fresh memory is all zeros and costs nothing until it is used.
pub(crate) struct ProofTable {
    buckets: Vec<Bucket>,
    /// One bit for every place of a key that was ever put (a Bloom filter of one hash): most
    /// positions are new, and this small map says so without a look at the large table.
    seen: Vec<u64>,
    /// Entries of another age are as good as empty.
    age: u64,
}

impl ProofTable {
    /// A table of at most so many bytes, and of one bucket at least.
    pub(crate) fn new(bytes: usize) -> ProofTable {
        // About eight bits for every bucket, two for every entry, in whole lines of the cache.
        let lines = 1 << (bytes / size_of::<Bucket>() / 64).max(1).ilog2();
        let mut seen = vec![0; 8 * lines];
        let count = (bytes.saturating_sub(64 * lines) / size_of::<Bucket>()).max(1);
        let mut buckets = vec![[[0; 2]; 4]; count];
        isa::advise_large_pages(&mut buckets);
        isa::advise_large_pages(&mut seen);
        ProofTable {
            buckets,
            seen,
            age: 1 << 8,
        }
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        // The lowest bits count most: they are not part of the tag.
        let part = key.rotate_right(40) as u32;
        ((u64::from(part) * self.buckets.len() as u64) >> 32) as usize
    }

    /// The word and the bit of a key in the map of those seen; the steps from one
    /// position are all in one line of the cache.
    #[inline]
    fn place(&self, key: Key) -> (usize, u64) {
        let line = key.parent as usize & (self.seen.len() / 8 - 1);
        let word = 8 * line + (key.whole >> 16 & 7) as usize;
        (word, 1 << (key.whole >> 19 & 63))
    }

    /// Whether this key may have been put; false is certain.
    #[inline]
    fn may_hold(&self, key: Key) -> bool {
        let (word, bit) = self.place(key);
        self.seen[word] & bit != 0
    }

    /// Whether this key may have been put; if so, asks the cache for its entry.
    #[inline]
    pub(crate) fn ask(&self, key: Key) -> bool {
        let may_hold = self.may_hold(key);
        if may_hold {
            prefetch(&self.buckets[self.index(key.whole)]);
        }
        may_hold
    }

    /// Asks the cache for the part of the map that holds this key and its like.
    #[inline]
    pub(crate) fn expect(&self, key: Key) {
        prefetch(&self.seen[self.place(key).0]);
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<ProofNumbers> {
        let bucket = &self.buckets[self.index(key)];
        let entry = bucket
            .iter()
            .find(|entry| entry[0] & !WORK == key & KEY | self.age)?;
        Some(ProofNumbers {
            proof: entry[1] as u32,
            disproof: (entry[1] >> 32) as u32,
        })
    }

    /// Keeps the numbers of a position that took `work` positions to find; of the four entries of
    /// a bucket the one with the least work is replaced.
    #[inline]
    pub(crate) fn put(&mut self, key: Key, numbers: ProofNumbers, work: u64) {
        let (word, bit) = self.place(key);
        let key = key.whole;
        let (index, age) = (self.index(key), self.age);
        self.seen[word] |= bit;
        let bucket = &mut self.buckets[index];
        let worth = |tag: u64| match tag {
            _ if tag & !WORK == key & KEY | age => 0,
            _ if tag & AGE != age => 1,
            _ => 2 + (tag & WORK),
        };
        let mut slot = 0;
        for i in 1..4 {
            if worth(bucket[i][0]) < worth(bucket[slot][0]) {
                slot = i;
            }
        }
        bucket[slot] = [
            key & KEY | age | u64::from(work.max(1).ilog2()),
            u64::from(numbers.proof) | u64::from(numbers.disproof) << 32,
        ];
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.seen.fill(0);
        self.age += 1 << 8;
        if self.age > AGE {
            self.age = 1 << 8;
            self.buckets.fill([[0; 2]; 4]);
        }
    }
}

/// Asks the cache for this element.
#[inline]
fn prefetch<T>(element: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing; the address is that of an element.
        unsafe { _mm_prefetch((&raw const *element).cast::<i8>(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = element;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_of_five_is_forgotten() {
        let mut table = ProofTable::new(64);
        let keys = [1u64, 2, 3, 4, 5].map(|k| k << 60);
        for (key, work) in keys.into_iter().zip([100, 5, 1000, 100, 100]) {
            let numbers = ProofNumbers {
                proof: work,
                disproof: (key >> 60) as u32,
            };
            let key = Key {
                whole: key,
                parent: 0,
            };
            table.put(key, numbers, work.into());
        }
        let kept = keys.map(|key| table.get(key).map(|n| (n.proof, n.disproof)));
        let expected = [
            Some((100, 1)),
            None,
            Some((1000, 3)),
            Some((100, 4)),
            Some((100, 5)),
        ];
        assert_eq!(kept, expected);
    }
}

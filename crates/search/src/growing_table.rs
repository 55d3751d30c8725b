//! A transposition table that grows.

use crate::Clock;

/// A transposition table of entries of 8 bytes beside their keys. It doubles before it gets
/// crowded, as long as there is memory; then new entries replace old ones.
#[derive(Clone, Debug)]
pub struct GrowingTable<T> {
    /// A key of 0 is a free slot. Their number is a power of two.
    slots: Vec<(u64, T)>,
    /// Slots in use.
    used: usize,
    most: usize,
    /// So many more entries are asked for before the clock is asked again.
    wait: u32,
}

/// Slots of a new table.
const SMALLEST: usize = 1 << 10;

/// Slots of a bucket, side by side in one line of the cache: a key may be in any of them.
const BUCKET: usize = 4;

/// A table of so many slots is not made when more than this share of the time is gone:
/// it takes long to move.
const LARGE: usize = 1 << 18;
const GROW_UNTIL: f64 = 0.6;

/// Where there was no time, there may be some again after so many entries: in the next search.
const WAIT: u32 = 1 << 12;

impl<T: Copy> GrowingTable<T> {
    /// A table of at most so many bytes; `unknown` fills the free slots.
    #[must_use]
    pub fn new(memory: usize, unknown: T) -> GrowingTable<T> {
        const { assert!(size_of::<(u64, T)>() == 16) };
        // While the table doubles, the old one is there as well.
        let most = memory / size_of::<(u64, T)>() * 2 / 3;
        GrowingTable {
            slots: vec![(0, unknown); SMALLEST],
            used: 0,
            most: most.max(SMALLEST),
            wait: 0,
        }
    }

    /// The entry of a key.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<T> {
        let start = self.bucket(key);
        let bucket = &self.slots[start..start + BUCKET];
        let slot = bucket.iter().find(|slot| slot.0 == key)?;
        Some(slot.1)
    }

    /// The entry of a key will be looked at soon.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        isa::prefetch(&self.slots[self.bucket(key)]);
    }

    /// The entry of a key, `unknown` if it was not there. The clock says whether there is time to
    /// grow.
    #[inline]
    pub fn entry(&mut self, key: u64, unknown: T, clock: &Clock) -> &mut T {
        if self.used * 2 >= self.slots.len() {
            self.grow(unknown, clock);
        }
        let at = self.slot(key);
        let slot = &mut self.slots[at];
        if slot.0 != key {
            self.used += usize::from(slot.0 == 0);
            *slot = (key, unknown);
        }
        &mut slot.1
    }

    /// Forgets all entries but those to be kept; how many these are.
    pub fn retain(&mut self, unknown: T, keep: impl Fn(&T) -> bool) -> usize {
        for slot in self.slots.iter_mut().filter(|slot| slot.0 != 0) {
            if !keep(&slot.1) {
                *slot = (0, unknown);
                self.used -= 1;
            }
        }
        self.used
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1) & !(BUCKET - 1)
    }

    /// The slot of a key, a free one, or one that is replaced.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let start = self.bucket(key);
        let bucket = &self.slots[start..start + BUCKET];
        let at = bucket.iter().position(|slot| slot.0 == key);
        let at = at.or_else(|| bucket.iter().position(|slot| slot.0 == 0));
        start + at.unwrap_or((key >> 62) as usize)
    }

    fn grow(&mut self, unknown: T, clock: &Clock) {
        let slots = 2 * self.slots.len();
        if slots > self.most {
            return;
        }
        if self.wait > 0 {
            self.wait -= 1;
            return;
        }
        if slots >= LARGE && clock.used().is_some_and(|used| used > GROW_UNTIL) {
            self.wait = WAIT;
            return;
        }
        let old = std::mem::replace(&mut self.slots, isa::on_large_pages((0, unknown), slots));
        for slot in old.into_iter().filter(|slot| slot.0 != 0) {
            let at = self.slot(slot.0);
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    /// Puts many keys into a table of so many bytes; how many of them are still there.
    fn kept(memory: usize) -> u64 {
        let clock = Clock::start(&Limits::default());
        let mut table = GrowingTable::new(memory, 0u64);
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        for number in 1..=100_000 {
            *table.entry(key(number), 0, &clock) += number;
            assert_eq!(table.get(key(number)), Some(number));
            assert_eq!(table.get(key(number + 1_000_000)), None);
        }
        assert!(table.slots.len() * 16 <= memory.max(SMALLEST * 16));
        let right = |number: &u64| match table.get(key(*number)) {
            None => false,
            Some(found) => {
                assert_eq!(found, *number);
                true
            }
        };
        (1..=100_000).filter(right).count() as u64
    }

    #[test]
    fn what_is_known_stays_while_there_is_room() {
        assert!(kept(16 << 20) > 95_000);
        let few = kept(1 << 20);
        assert!((20_000..50_000).contains(&few), "{few}");
        assert!((500..=1024).contains(&kept(0)));
    }

    #[test]
    fn a_search_without_time_to_grow_is_not_the_last_word() {
        let mut table = GrowingTable::new(64 << 20, 0u64);
        let mut fill = |clock: &Clock, from: u64| {
            for number in from..from + 200_000 {
                let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
                table.entry(key, 0, clock);
            }
            table.slots.len()
        };
        let no_time = Clock::start(&Limits::default().with_wall(std::time::Duration::ZERO));
        assert_eq!(fill(&no_time, 1), LARGE / 2);
        let clock = Clock::start(&Limits::default());
        assert!(fill(&clock, 1_000_000) > LARGE / 2);
    }

    #[test]
    fn what_is_not_kept_is_forgotten() {
        let clock = Clock::start(&Limits::default());
        let mut table = GrowingTable::new(1 << 20, 0u64);
        for number in 1..=300 {
            *table.entry(number << 7, 0, &clock) = number;
        }
        let before = (1..=300).filter(|number| table.get(number << 7).is_some());
        let third = before.filter(|number| number % 3 == 0).count();
        assert_eq!(table.retain(0, |number| number % 3 == 0), third);
        for number in 1..=300u64 {
            let found = table.get(number << 7);
            assert!(found.is_none() || found == Some(number) && number % 3 == 0);
        }
        *table.entry(5, 0, &clock) = 7;
        assert_eq!(table.get(5), Some(7));
    }
}

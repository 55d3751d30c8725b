//! What is known of positions, by their keys.

use search::Clock;

/// A table that doubles before it gets crowded, as long as there is memory; then what is
/// found replaces what was known.
pub(crate) struct Table<T> {
    /// A key of 0 is a free place. Their number is a power of two.
    places: Vec<(u64, T)>,
    /// Places in use.
    used: usize,
    most: usize,
}

/// Places of a new table.
const SMALLEST: usize = 1 << 10;

/// A key may lie in any of so many places, side by side in one line of the cache.
const GROUP: usize = 4;

/// A table of so many places is not made when more than this share of the time is gone:
/// it takes long to move.
const LARGE: usize = 1 << 18;
const GROW_UNTIL: f64 = 0.6;

impl<T: Copy> Table<T> {
    /// A table of at most so many bytes. What is `unknown` fills the places that are free.
    pub(crate) fn new(memory: usize, unknown: T) -> Table<T> {
        const { assert!(size_of::<(u64, T)>() == 16) };
        // While the table doubles, the old one is there as well.
        let most = memory / size_of::<(u64, T)>() * 2 / 3;
        Table {
            places: vec![(0, unknown); SMALLEST],
            used: 0,
            most: most.max(SMALLEST),
        }
    }

    /// What is known of a key.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<T> {
        let start = self.group(key);
        let group = &self.places[start..start + GROUP];
        let place = group.iter().find(|place| place.0 == key)?;
        Some(place.1)
    }

    /// Where a key belongs; it is entered as `unknown` if it is not there.
    #[inline]
    pub(crate) fn entry(&mut self, key: u64, unknown: T, clock: &Clock) -> &mut T {
        if self.used * 2 >= self.places.len() {
            self.grow(unknown, clock);
        }
        let at = self.place(key);
        let place = &mut self.places[at];
        if place.0 != key {
            self.used += usize::from(place.0 == 0);
            *place = (key, unknown);
        }
        &mut place.1
    }

    #[inline]
    fn group(&self, key: u64) -> usize {
        key as usize & (self.places.len() - 1) & !(GROUP - 1)
    }

    /// The place of a key, a free one, or one that has to make room.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let start = self.group(key);
        let group = &self.places[start..start + GROUP];
        let at = group.iter().position(|place| place.0 == key);
        let at = at.or_else(|| group.iter().position(|place| place.0 == 0));
        start + at.unwrap_or((key >> 62) as usize)
    }

    fn grow(&mut self, unknown: T, clock: &Clock) {
        let places = 2 * self.places.len();
        if places > self.most {
            return;
        }
        if places >= LARGE && clock.used().is_some_and(|used| used > GROW_UNTIL) {
            self.most = self.places.len();
            return;
        }
        let old = std::mem::replace(&mut self.places, vec![(0, unknown); places]);
        for place in old.into_iter().filter(|place| place.0 != 0) {
            let at = self.place(place.0);
            self.places[at] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use search::Limits;

    use super::*;

    /// Puts many keys into a table of so many bytes; how many of them are still there.
    fn kept(memory: usize) -> u64 {
        let clock = Clock::start(&Limits::default());
        let mut table = Table::new(memory, 0u64);
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        for number in 1..=100_000 {
            *table.entry(key(number), 0, &clock) += number;
            assert_eq!(table.get(key(number)), Some(number));
            assert_eq!(table.get(key(number + 1_000_000)), None);
        }
        assert!(table.places.len() * 16 <= memory.max(SMALLEST * 16));
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
}

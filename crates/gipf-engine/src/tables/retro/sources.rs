//! Lists of the moves that take rows off.

use std::sync::atomic::AtomicU32;

use super::NOW;

/// Bytes of a move in [`Sources`].
pub(super) const SOURCE: u64 = 4;

/// Moves that take rows off, by their target. They are counted first and filled in then, so
/// that they take no more room than they need.
pub(super) struct Sources {
    /// Where the list of each target ends; before that is known, the number of its sources.
    ends: Vec<AtomicU32>,
    sources: Vec<AtomicU32>,
}

impl Sources {
    pub(super) fn new(size: usize) -> Sources {
        Sources {
            ends: (0..size).map(|_| AtomicU32::new(0)).collect(),
            sources: Vec::new(),
        }
    }

    pub(super) fn count(&self, target: u32) {
        self.ends[target as usize].fetch_add(1, NOW);
    }

    /// All are counted: how many there are.
    pub(super) fn total(&self) -> u64 {
        self.ends
            .iter()
            .map(|count| u64::from(count.load(NOW)))
            .sum()
    }

    /// Makes room for them. For now every list ends where it begins.
    pub(super) fn make_room(&mut self) {
        let mut start = 0;
        for end in &mut self.ends {
            let count = std::mem::replace(end.get_mut(), start);
            start += count;
        }
        self.sources = (0..start).map(|_| AtomicU32::new(0)).collect();
    }

    pub(super) fn add(&self, target: u32, source: u32) {
        let at = self.ends[target as usize].fetch_add(1, NOW);
        self.sources[at as usize].store(source, NOW);
    }

    pub(super) fn of(&self, target: u32) -> impl Iterator<Item = u32> {
        let end = |target: usize| self.ends[target].load(NOW) as usize;
        let target = target as usize;
        let start = if target == 0 { 0 } else { end(target - 1) };
        self.sources[start..end(target)]
            .iter()
            .map(|source| source.load(NOW))
    }
}

//! The transposition table of the player.

use search::{Bound, Store};

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

/// How entries are kept.
pub(super) enum Entries {}

impl Store for Entries {
    type Entry = Entry;

    const FREE: Entry = Entry {
        key: 0,
        value: 0,
        best: u16::MAX,
        depth: 0,
        bound: Bound::Upper,
    };

    #[inline]
    fn is_of(entry: &Entry, key: u64) -> bool {
        entry.key == key
    }

    #[inline]
    fn depth(entry: &Entry) -> u8 {
        entry.depth
    }
}

//! The memory of patterns: by position, and the latest in a row.

use crate::arena::Key;
use crate::family::{LANES, Lanes};
use crate::huge;
use crate::pattern::Pattern;

/// Patterns of each kind that are tried on new positions.
pub(crate) const RECENT: usize = 128;

/// Fits no position.
pub(crate) const NOTHING: Pattern = Pattern {
    own: !0,
    other: !0,
    empty: !0,
    length: 0,
};

/// The three sets of eight patterns.
type Block = [Lanes; 3];

/// The latest patterns of one kind, each with its length and its winning move, if any.
pub(crate) struct Recent {
    blocks: [Block; RECENT / LANES],
    ends: [(u32, [u64; 2]); RECENT],
    /// Those that have been of use since they were last to be replaced.
    useful: [bool; RECENT],
    next: usize,
}

impl Recent {
    pub(crate) fn new() -> Recent {
        Recent {
            blocks: [NOTHING.sets().map(|set| [set; LANES]); RECENT / LANES],
            ends: [(NOTHING.length, [0; 2]); RECENT],
            useful: [false; RECENT],
            next: 0,
        }
    }

    /// Takes the place of the oldest that has not been of use.
    pub(crate) fn add(&mut self, pattern: Pattern, mv: [u64; 2]) {
        while std::mem::take(&mut self.useful[self.next]) {
            self.next = (self.next + 1) % RECENT;
        }
        let i = self.next;
        self.next = (i + 1) % RECENT;
        let block = &mut self.blocks[i / LANES];
        for (lanes, set) in block.iter_mut().zip(pattern.sets()) {
            lanes[i % LANES] = set;
        }
        self.ends[i] = (pattern.length, mv);
    }

    /// The patterns, eight to a block.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// One of the patterns.
    pub(crate) fn get(&self, i: usize) -> Pattern {
        let block = &self.blocks[i / LANES];
        Pattern {
            own: block[0][i % LANES],
            other: block[1][i % LANES],
            empty: block[2][i % LANES],
            length: self.ends[i].0,
        }
    }
}

/// Patterns of positions whose value is proved.
pub(crate) struct Reasons {
    /// By position: a tag (the key but for the lowest bits, which are the length), then
    /// the three sets.
    entries: Vec<[u64; 4]>,
    /// Mixed into the tags, so that those of another age are as good as none.
    age: u64,
    /// Patterns of wins, by the side to move.
    latest: Box<[Recent; 2]>,
}

/// Bits of the length.
const LENGTH: u64 = 63;

impl Reasons {
    /// A memory of at most so many bytes, and of one entry at least.
    pub(crate) fn new(bytes: usize) -> Reasons {
        let count = (bytes / size_of::<[u64; 4]>()).max(1);
        let mut entries = vec![[0; 4]; count];
        huge::advise(&mut entries);
        Reasons {
            entries,
            age: 0,
            latest: fresh(),
        }
    }

    /// The tag of a key but for the length.
    fn tag(&self, key: Key) -> u64 {
        (key.whole ^ self.age) & !LENGTH
    }

    fn index(&self, key: Key) -> usize {
        let part = key.whole.rotate_right(24) as u32;
        ((u64::from(part) * self.entries.len() as u64) >> 32) as usize
    }

    pub(crate) fn get(&self, key: Key) -> Option<Pattern> {
        let [tag, own, other, empty] = self.entries[self.index(key)];
        (tag & !LENGTH == self.tag(key)).then_some(Pattern {
            own,
            other,
            empty,
            length: (tag & LENGTH) as u32,
        })
    }

    pub(crate) fn put(&mut self, key: Key, pattern: Pattern) {
        if u64::from(pattern.length) > LENGTH {
            return;
        }
        let index = self.index(key);
        let tag = self.tag(key) | u64::from(pattern.length);
        self.entries[index] = [tag, pattern.own, pattern.other, pattern.empty];
    }

    /// Patterns to try on positions before half-move `number`.
    pub(crate) fn latest(&self, number: u32) -> &Recent {
        &self.latest[number as usize & 1]
    }

    /// Adds a pattern to try, and the move by which it wins.
    pub(crate) fn add(&mut self, pattern: Pattern, number: u32, mv: [u64; 2]) {
        self.latest[number as usize & 1].add(pattern, mv);
    }

    /// Uses one of the latest patterns; returns the winning move.
    pub(crate) fn use_latest(&mut self, number: u32, i: usize) -> [u64; 2] {
        let recent = &mut self.latest[number as usize & 1];
        recent.useful[i] = true;
        recent.ends[i].1
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.age = self.age.wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.latest = fresh();
    }
}

fn fresh() -> Box<[Recent; 2]> {
    Box::new([0, 1].map(|_| Recent::new()))
}

//! The memory of the deepening search: values and best moves of positions seen.

use crate::huge;

/// What a remembered value says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The value itself.
    Exact,
    /// The value is this or more.
    Least,
    /// The value is this or less.
    Most,
}

/// What is remembered of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Note {
    pub(crate) value: i32,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// The best move.
    pub(crate) from: u8,
    pub(crate) to: u8,
}

impl Note {
    fn pack(self) -> u64 {
        let [a, b, c, d] = self.value.to_le_bytes();
        u64::from_le_bytes([a, b, c, d, self.depth, self.bound as u8, self.from, self.to])
    }

    fn unpack(word: u64) -> Note {
        let [a, b, c, d, depth, bound, from, to] = word.to_le_bytes();
        Note {
            value: i32::from_le_bytes([a, b, c, d]),
            depth,
            bound: [Bound::Exact, Bound::Least, Bound::Most][usize::from(bound)],
            from,
            to,
        }
    }
}

/// A table of values; fresh memory is all zeros and costs nothing until it is used.
pub(crate) struct Memory {
    /// Pairs of a key and a packed note.
    pairs: Vec<[[u64; 2]; 2]>,
}

impl Memory {
    /// A memory of at most so many bytes, and of one pair at least.
    pub(crate) fn new(bytes: usize) -> Memory {
        let count = 1 << (bytes / 32).max(1).ilog2();
        let mut pairs = vec![[[0; 2]; 2]; count];
        huge::advise(&mut pairs);
        Memory { pairs }
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        (key >> 20) as usize & (self.pairs.len() - 1)
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Note> {
        let pair = &self.pairs[self.index(key)];
        let entry = pair.iter().find(|entry| entry[0] == key)?;
        Some(Note::unpack(entry[1]))
    }

    /// Of two notes in one place, the first keeps the deeper, the second the latest.
    #[inline]
    pub(crate) fn put(&mut self, key: u64, note: Note) {
        let index = self.index(key);
        let pair = &mut self.pairs[index];
        let keep = pair[0][0] != key && Note::unpack(pair[0][1]).depth > note.depth;
        pair[usize::from(keep)] = [key, note.pack()];
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.pairs.fill([[0; 2]; 2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_survives_and_the_deeper_one_stays() {
        let mut memory = Memory::new(1 << 10);
        let note = Note {
            value: -999_998,
            depth: 7,
            bound: Bound::Most,
            from: 63,
            to: 54,
        };
        memory.put(5, note);
        memory.put(6, Note { depth: 3, ..note });
        memory.put(7, Note { depth: 2, ..note });
        assert_eq!(memory.get(5), Some(note));
        assert_eq!(memory.get(6), None);
        assert_eq!(memory.get(7).map(|n| n.depth), Some(2));
        memory.clear();
        assert_eq!(memory.get(5), None);
    }
}

//! New inputs from old ones.

use std::ops::Range;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// The longest input.
const LONGEST: usize = 1 << 14;

/// What parsers stumble over: numbers at the ends of their ranges, marks that mean something
/// to one form or another, and text that is not ASCII.
const PIECES: &[&[u8]] = &[
    b"0",
    b"-1",
    b"1",
    b"255",
    b"256",
    b"65536",
    b"4294967296",
    b"18446744073709551616",
    b"1e309",
    b"-0.0",
    b"NaN",
    b"inf",
    b"true",
    b"null",
    b"\n",
    b"\r\n",
    b"\r",
    b"\t",
    b" ",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    "é".as_bytes(),
    "А".as_bytes(),
    "\u{2028}".as_bytes(),
    b"(;",
    b";)",
    b"[",
    b"]",
    b"{",
    b"}",
    b"\"",
    b"'",
    b"\\",
    b"=",
    b"&",
    b"%",
    b"%00",
    b"%zz",
    b"+",
    b"-",
    b"--",
    b"_",
    b"/",
    b"../",
    b":",
    b";",
    b",",
    b".",
    b"X",
    b"O",
    b"W",
    b"B",
    b"a1",
    b"h8",
    b"i9",
    b"pass",
];

/// Makes inputs, the same ones from the same seed.
pub(crate) struct Mutator {
    rng: ChaCha8Rng,
}

impl Mutator {
    pub(crate) fn new(seed: u64) -> Mutator {
        Mutator {
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// One of the corpus, changed in one to four places.
    pub(crate) fn input(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut input = self.one_of(corpus).clone();
        for _ in 0..self.rng.random_range(1..=4) {
            self.change(&mut input, corpus);
        }
        input.truncate(LONGEST);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, corpus: &[Vec<u8>]) {
        let place = self.range(input.len());
        match self.rng.random_range(0..8) {
            0 => input.iter_mut().skip(place.start).take(1).for_each(|byte| {
                *byte ^= 1 << self.rng.random_range(0..8);
            }),
            1 => drop(input.drain(place)),
            2 => {
                let copy = input[place.clone()].to_vec();
                input.splice(place.end..place.end, copy);
            }
            3 => {
                let piece = self.one_of(PIECES).to_vec();
                input.splice(place.start..place.start, piece);
            }
            4 => {
                let piece = self.one_of(PIECES).to_vec();
                input.splice(place, piece);
            }
            5 => input.truncate(place.end),
            6 => {
                let other = self.one_of(corpus);
                let part = self.range(other.len());
                input.splice(place, other[part].iter().copied());
            }
            _ => {
                // A number of the text becomes another one.
                let digits: Vec<usize> = (0..input.len())
                    .filter(|&at| input[at].is_ascii_digit())
                    .collect();
                if !digits.is_empty() {
                    let at = *self.one_of(&digits);
                    input[at] = b'0' + self.rng.random_range(0..10);
                }
            }
        }
    }

    fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.rng.random_range(0..list.len())]
    }

    /// A part of so many bytes, mostly a short one.
    fn range(&mut self, length: usize) -> Range<usize> {
        let start = self.rng.random_range(0..=length);
        let longest = if self.rng.random_range(0..4) == 0 {
            length
        } else {
            8
        };
        start..length.min(start + self.rng.random_range(0..=longest))
    }
}

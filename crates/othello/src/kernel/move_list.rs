//! The moves of an endgame position, taken in the order of their cost.

use arrayvec::ArrayVec;
use isa::Isa;

use super::bitboard::{flips, moves};

/// A position with its legal moves.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) legal: u64,
}

impl Turn {
    /// The position with these discs.
    #[inline(always)]
    pub(super) fn new<I: Isa>(isa: I, own: u64, other: u64) -> Turn {
        Turn {
            own,
            other,
            legal: moves(isa, own, other),
        }
    }

    /// The discs after a move, seen by the opponent.
    #[inline(always)]
    pub(super) fn play<I: Isa>(self, isa: I, square: u32) -> (u64, u64) {
        let flipped = flips(isa, self.own, self.other, square);
        (self.other ^ flipped, self.own | flipped | 1 << square)
    }

    /// The position after a pass; `None` if the opponent has no move either.
    #[inline(always)]
    pub(super) fn passed<I: Isa>(self, isa: I) -> Option<Turn> {
        let next = Turn::new(isa, self.other, self.own);
        (next.legal != 0).then_some(next)
    }
}

/// The moves of a position, to be taken one by one in the order of their cost.
pub(super) struct List {
    /// The positions after them, seen by the opponent.
    pub(super) turns: ArrayVec<Turn, 64>,
    /// For each its cost, its place in the list and its square, a byte for each of the
    /// last two; [`TAKEN`] if it has been taken.
    keys: ArrayVec<u32, 64>,
}

const TAKEN: u32 = u32::MAX;

impl List {
    #[inline(always)]
    pub(super) fn new() -> List {
        List {
            turns: ArrayVec::new(),
            keys: ArrayVec::new(),
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, turn: Turn, cost: u32, square: u32) {
        self.keys
            .push(cost << 16 | (self.turns.len() as u32) << 8 | square);
        self.turns.push(turn);
    }

    /// Takes the move of the least cost and the position after it.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<(Turn, u8)> {
        let key = self
            .keys
            .iter()
            .copied()
            .min()
            .filter(|&key| key != TAKEN)?;
        let place = (key >> 8 & 63) as usize;
        self.keys[place] = TAKEN;
        Some((self.turns[place], key as u8))
    }
}

/// The moves of a position with at most seven empty squares, to be taken one by one in the order
/// of their cost.
pub(super) struct ShortList {
    /// The positions after them, seen by the opponent.
    turns: [Turn; 8],
    /// For each its cost, and its place in the list in the lowest bits; [`TAKEN`] if it has been
    /// taken. Eight of them, so that the least is found in a few instructions.
    keys: [u32; 8],
    length: usize,
}

impl ShortList {
    /// An empty list for a position.
    #[inline(always)]
    pub(super) fn new(turn: Turn) -> ShortList {
        ShortList {
            turns: [turn; 8],
            keys: [TAKEN; 8],
            length: 0,
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, turn: Turn, cost: u32) {
        let place = self.length & 7;
        self.keys[place] = cost << 3 | place as u32;
        self.turns[place] = turn;
        self.length += 1;
    }

    /// Takes the move of the least cost: the position after it. There must be one.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Turn {
        let key = self.keys.iter().fold(TAKEN, |least, &key| least.min(key));
        let place = (key & 7) as usize;
        self.keys[place] = TAKEN;
        self.turns[place]
    }
}

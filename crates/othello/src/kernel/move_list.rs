//! The moves of an endgame position, taken in the order of their cost.

use std::mem::MaybeUninit;

use arrayvec::ArrayVec;
use isa::Isa;

pub(super) use super::bitboard::Turn;
use super::bitboard::{flips, least_byte, moves, play_two};

impl Turn {
    /// The position with these discs.
    #[inline(always)]
    pub(super) fn new<I: Isa>(isa: I, own: u64, other: u64) -> Turn {
        Turn {
            own,
            other,
            legal: moves(isa, own, other),
            returns: 0,
        }
    }

    /// The discs after a move, seen by the opponent.
    #[inline(always)]
    pub(super) fn play<I: Isa>(&self, isa: I, square: u32) -> (u64, u64) {
        let flipped = flips(isa, self.own, self.other, square);
        (self.other ^ flipped, self.own | flipped | 1 << square)
    }

    /// The position after a pass; `None` if the opponent has no move either.
    #[inline(always)]
    pub(super) fn passed<I: Isa>(&self, isa: I) -> Option<Turn> {
        let next = Turn::new(isa, self.other, self.own);
        (next.legal != 0).then_some(next)
    }
}

/// The moves of a position, to be taken one by one in the order of their cost.
pub(super) struct List {
    /// The positions after them, seen by the opponent.
    turns: [MaybeUninit<[Turn; 2]>; 32],
    /// For each its cost, its place in the list and its square, a byte for each of the
    /// last two; [`TAKEN`] if it has been taken.
    keys: ArrayVec<u32, 64>,
}

const TAKEN: u32 = u32::MAX;

impl List {
    #[inline(always)]
    pub(super) fn new() -> List {
        List {
            turns: [const { MaybeUninit::uninit() }; 32],
            keys: ArrayVec::new(),
        }
    }

    /// All moves of a position that has some; `cost` is given the position after the move, with
    /// the moves that the player would have if `RETURNS`, and its square.
    #[inline(always)]
    pub(super) fn fill<I: Isa, const RETURNS: bool>(
        &mut self,
        isa: I,
        turn: &Turn,
        cost: impl Fn(&Turn, u32) -> u32,
    ) {
        let mut left = turn.legal;
        for pair in &mut self.turns {
            let a = left.trailing_zeros();
            left &= left - 1;
            let b = left.trailing_zeros();
            let turns = play_two::<I, RETURNS>(isa, turn.own, turn.other, [a, b]);
            let turns = pair.write(turns);
            let key = |cost: u32, place: usize, square| cost << 16 | (place as u32) << 8 | square;
            self.keys.push(key(cost(&turns[0], a), self.keys.len(), a));
            if left == 0 {
                break;
            }
            self.keys.push(key(cost(&turns[1], b), self.keys.len(), b));
            left &= left - 1;
            if left == 0 {
                break;
            }
        }
    }

    /// The positions after the moves.
    #[inline(always)]
    pub(super) fn turns(&self) -> &[Turn] {
        // SAFETY: there is a key for each position that was written.
        unsafe { std::slice::from_raw_parts(self.turns.as_ptr().cast(), self.keys.len()) }
    }

    /// Takes the move of the least cost and the position after it.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<(&Turn, u8)> {
        let key = self
            .keys
            .iter()
            .copied()
            .min()
            .filter(|&key| key != TAKEN)?;
        let place = (key >> 8 & 63) as usize;
        self.keys[place] = TAKEN;
        Some((&self.turns()[place], key as u8))
    }
}

/// The moves of a position with at most seven empty squares, to be taken one by one in the order
/// of their cost.
pub(super) struct ShortList {
    /// The positions after them, seen by the opponent.
    turns: [MaybeUninit<[Turn; 2]>; 4],
    /// For each a byte: its cost, and its place in the list in the lowest three bits; all ones if it
    /// has been taken.
    keys: u64,
    /// How many moves there are.
    count: u32,
}

impl ShortList {
    /// All moves of a position that has some; `cost` is given the position after the move and its
    /// square, and is less than 31.
    #[inline(always)]
    pub(super) fn new<I: Isa>(isa: I, turn: &Turn, cost: impl Fn(&Turn, u32) -> u32) -> ShortList {
        let mut turns = [const { MaybeUninit::uninit() }; 4];
        let mut keys = u64::MAX;
        let mut left = turn.legal;
        for (place, pair) in (0..).step_by(2).zip(&mut turns) {
            let a = left.trailing_zeros();
            left &= left - 1;
            let b = left.trailing_zeros();
            let [x, y] = pair.write(play_two::<I, false>(isa, turn.own, turn.other, [a, b]));
            keys = keys << 8 | u64::from(cost(x, a) << 3 | place);
            if left == 0 {
                break;
            }
            keys = keys << 8 | u64::from(cost(y, b) << 3 | place | 1);
            left &= left - 1;
            if left == 0 {
                break;
            }
        }
        ShortList {
            turns,
            keys,
            count: turn.legal.count_ones(),
        }
    }

    /// The positions after the moves.
    #[inline(always)]
    pub(super) fn turns(&self) -> &[Turn] {
        // SAFETY: so many positions were written, two at a time.
        unsafe { std::slice::from_raw_parts(self.turns.as_ptr().cast(), self.count as usize) }
    }

    /// Takes the move of the least cost: the position after it. There must be one.
    #[inline(always)]
    pub(super) fn take<I: Isa>(&mut self, isa: I) -> &Turn {
        let (key, at) = least_byte(isa, self.keys);
        self.keys |= 0xff << (8 * at);
        let place = key as usize & 7;
        // SAFETY: the least key is that of a move, whose pair was written.
        let pair = unsafe { self.turns[place >> 1].assume_init_ref() };
        &pair[place & 1]
    }
}

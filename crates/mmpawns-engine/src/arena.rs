//! What all searches on one field share: whose view it is, keys, and ends of the game.

use mmpawns::{LAST_PLY, Position};
use rules::Side;

use crate::board::{Board, flip};
use crate::race;

/// The field as each side sees it, going up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Arena {
    fields: [u64; 2],
}

/// What static rules say of a position, without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Judgement {
    /// The player to move wins, in so many plies at most.
    Win(u32),
    /// The opponent wins, in so many plies at most.
    Loss(u32),
    /// The game is drawn.
    Draw,
    /// Anything can happen.
    Open,
}

/// Who plays ply `number`.
#[inline]
pub(crate) const fn side(number: u32) -> Side {
    if number % 2 == 1 {
        Side::First
    } else {
        Side::Second
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

impl Arena {
    pub(crate) fn of(position: &Position) -> Arena {
        let field = position.field().0;
        Arena {
            fields: [field, flip(field)],
        }
    }

    /// The field as the player of ply `number` sees it.
    #[inline]
    pub(crate) fn field(&self, number: u32) -> u64 {
        self.fields[side(number).index()]
    }

    /// The static judgement of a position that has just arisen: ends of the game and won races.
    #[inline(never)]
    pub(crate) fn judge(&self, board: Board, number: u32) -> Judgement {
        let field = self.field(number);
        if board.is_stuck(field) {
            return Judgement::Win(0);
        }
        if board.has_arrived() {
            return Judgement::Loss(0);
        }
        if number > LAST_PLY {
            return Judgement::Draw;
        }
        let left = LAST_PLY + 1 - number;
        if let Some(n) = race::wins(board, field).filter(|&n| n <= left) {
            return Judgement::Win(n);
        }
        if let Some(n) = race::loses(board, field).filter(|&n| n <= left) {
            return Judgement::Loss(n);
        }
        Judgement::Open
    }

    /// The key of a position. The number of the ply is part of it only
    /// while the game can last long enough for a draw; so is `question`.
    #[inline]
    pub(crate) fn key(&self, board: Board, number: u32, question: u64) -> Key {
        let [own, other] = board.moves_left();
        Keys::new(own, other, number, question).of(board)
    }

    /// The keys of positions after steps (no jumps) on `board`, before ply `number`.
    #[inline]
    pub(crate) fn keys_after_steps(&self, board: Board, number: u32, question: u64) -> Keys {
        let [own, other] = board.moves_left();
        Keys::new(other, own.wrapping_sub(1), number, question)
    }
}

/// What a position is known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Key {
    /// Two positions hardly ever have the same.
    pub(crate) whole: u64,
    /// The same for all steps from one position, so that what is known of them can be
    /// kept near together.
    pub(crate) parent: u64,
}

/// Keys of positions in which the players can make equally many moves yet.
pub(crate) struct Keys {
    extra: u64,
    left: u64,
}

impl Keys {
    #[inline]
    fn new(own: u32, other: u32, number: u32, question: u64) -> Keys {
        let left = (LAST_PLY + 1).saturating_sub(number);
        let mut extra = u64::from(number & 1);
        if own >= left.div_ceil(2) && other >= left / 2 {
            extra |= u64::from(number) << 1 | (question + 1) << 8;
        }
        Keys {
            extra: extra.wrapping_mul(0xd6e8_feb8_6659_fd93),
            left: u64::from(other).wrapping_mul(0x9e6c_63d0_876a_3f35),
        }
    }

    #[inline]
    pub(crate) fn of(&self, board: Board) -> Key {
        let pawns = mix(
            board.own ^ 0x9e37_79b9_7f4a_7c15,
            board.other ^ 0xc2b2_ae3d_27d4_eb4f,
        );
        let own = 0xa076_1d64_78bd_642f ^ board.own.rotate_left(17);
        Key {
            whole: mix(pawns ^ self.extra, own),
            parent: mix(self.extra ^ self.left, own),
        }
    }
}

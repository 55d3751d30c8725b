//! What all searches on one field share: whose view it is, keys, and ends of the game.

use mmpawns::{LAST_HALF_MOVE, Position};
use rules::Side;

use crate::board::{Board, flip};
use crate::race;

/// The field as each side sees it, going up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Arena {
    fields: [u64; 2],
}

/// What is known of a position without searching on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Glance {
    /// The player to move wins, in so many half-moves at most.
    Win(u32),
    /// The opponent wins, in so many half-moves at most.
    Loss(u32),
    /// The game is drawn.
    Draw,
    /// Anything can happen.
    Open,
}

/// Who makes half-move `number`.
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

    /// The field as the player of half-move `number` sees it.
    #[inline]
    pub(crate) fn field(&self, number: u32) -> u64 {
        self.fields[side(number).index()]
    }

    /// What can be said of a position that has just come about.
    #[inline]
    pub(crate) fn glance(&self, board: Board, number: u32) -> Glance {
        let field = self.field(number);
        if board.is_stuck(field) {
            return Glance::Win(0);
        }
        if board.has_arrived() {
            return Glance::Loss(0);
        }
        if number > LAST_HALF_MOVE {
            return Glance::Draw;
        }
        let left = LAST_HALF_MOVE + 1 - number;
        if let Some(n) = race::wins(board, field).filter(|&n| n <= left) {
            return Glance::Win(n);
        }
        if let Some(n) = race::loses(board, field).filter(|&n| n <= left) {
            return Glance::Loss(n);
        }
        Glance::Open
    }

    /// The key of a position. The half-move number is part of it only
    /// while the game can last long enough for a draw; so is `question`.
    #[inline]
    pub(crate) fn key(&self, board: Board, number: u32, question: u64) -> u64 {
        let left = (LAST_HALF_MOVE + 1).saturating_sub(number);
        let [own, other] = board.moves_left();
        let mut extra = u64::from(number & 1);
        if own >= left.div_ceil(2) && other >= left / 2 {
            extra |= u64::from(number) << 1 | (question + 1) << 8;
        }
        let pawns = mix(
            board.own ^ 0x9e37_79b9_7f4a_7c15,
            board.other ^ 0xc2b2_ae3d_27d4_eb4f,
        );
        mix(
            pawns ^ extra.wrapping_mul(0xd6e8_feb8_6659_fd93),
            0xa076_1d64_78bd_642f ^ board.own.rotate_left(17),
        )
    }
}

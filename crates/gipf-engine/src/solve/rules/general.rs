//! Boards of any size, as the crate of the rules has them.

use std::ops::ControlFlow;

use gipf::{Position, Variant};
use rules::{Game, Hashed};

use super::Rules;
use crate::canon::canonical;

/// The rules of a variant of any size.
pub(crate) struct General {
    points: i32,
}

impl General {
    pub(crate) fn new(variant: Variant) -> General {
        General {
            points: gipf::Geometry::of(variant.size()).points() as i32,
        }
    }
}

impl Rules for General {
    type Board = Position;

    fn visit_children(
        &self,
        board: &Position,
        mut visit: impl FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        board.visit_successors(|_, next| visit(next))
    }

    fn canonical(&self, board: &Position) -> Position {
        canonical(board)
    }

    fn key(&self, board: &Position, attacking: bool) -> u64 {
        (board.hash() ^ u64::from(attacking) << 63).max(1)
    }

    fn reserves(&self, board: &Position) -> [i32; 2] {
        let side = board.side_to_move();
        [side, !side].map(|side| i32::from(board.reserve(side)))
    }

    fn stones(&self, board: &Position) -> [i32; 2] {
        let side = board.side_to_move();
        [side, !side].map(|side| board.stones(side).count_ones() as i32)
    }

    fn points(&self) -> i32 {
        self.points
    }
}

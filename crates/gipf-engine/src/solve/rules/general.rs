//! Boards of any size, as the crate of the rules has them.

use std::ops::ControlFlow;

use gipf::{Position, Variant};
use rules::{Game, Hashed};

use super::Rules;
use crate::canon::canonical;

/// The rules of a variant of any size.
#[derive(Clone, Copy)]
pub(crate) struct General {
    points: i32,
}

impl General {
    const SMALLEST: u8 = *Variant::SIZES.start();
    const COUNT: usize = (*Variant::SIZES.end() - General::SMALLEST + 1) as usize;

    /// The rules of every size.
    const ALL: [General; General::COUNT] = {
        let mut all = [General { points: 0 }; General::COUNT];
        let mut at = 0;
        while at < General::COUNT {
            let size = General::SMALLEST as i32 + at as i32;
            all[at].points = 3 * size * (size - 1) + 1;
            at += 1;
        }
        all
    };

    pub(crate) fn new(variant: Variant) -> General {
        *General::of(variant)
    }

    /// The same as a constant.
    pub(crate) fn of(variant: Variant) -> &'static General {
        static ALL: [General; General::COUNT] = General::ALL;
        &ALL[usize::from(variant.size() - General::SMALLEST)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_has_its_points() {
        for size in Variant::SIZES {
            let variant = Variant::new(size, 2, 9, 9).unwrap();
            let points = gipf::Geometry::of(size).points();
            assert_eq!(General::of(variant).points(), points as i32, "{size}");
        }
    }
}

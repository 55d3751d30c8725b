//! The traits of a game.

use std::ops::ControlFlow;

use rules::{Evaluate, Game, Hashed, MoveError, Outcome, Side, Symmetric};

use crate::board::{self, SYMMETRIES};
use crate::{Move, Position, Push, Style};

impl Game for Position {
    type Move = Move;
    const NAME: &'static str = "gipf-standard";

    fn side_name(side: Side) -> &'static str {
        crate::position::name(side)
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side()
    }

    #[inline]
    fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_successors(|mv, _| visit(mv))
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        self.after(mv).is_some()
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        let next = self.after(mv);
        debug_assert!(next.is_some(), "{mv:?} in {self}");
        *self = next.unwrap_or(*self);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended()
            .map(|winner| winner.map_or(Outcome::Draw, Outcome::Win))
    }

    fn move_text(&self, mv: Move) -> String {
        self.notation(mv, Style::Complete)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.read_move(text)
    }
}

impl Hashed for Position {
    /// Rounds of multiply and fold, which spread every piece over the word.
    #[inline]
    fn hash(&self) -> u64 {
        const fn fold(a: u64, b: u64) -> u64 {
            let product = a as u128 * b as u128;
            product as u64 ^ (product >> 64) as u64
        }
        let setup = self.setup();
        let [white, black] = setup.pieces;
        // Fields of their own in one word: everything that is not on the board.
        let numbers = [
            setup.reserves[0],
            setup.reserves[1],
            setup.stages[0] as u8,
            setup.stages[1] as u8,
            setup.rules as u8,
            setup.side.index() as u8,
            setup.quiet,
            setup.limit.half_moves(),
        ];
        let rest = u64::from_le_bytes(numbers);
        let pieces = fold(
            white.bits() ^ 0x9e37_79b9_7f4a_7c15,
            black.bits() ^ 0xd6e8_feb8_6659_fd93,
        );
        let others = fold(
            setup.gipf.bits() ^ 0xc2b2_ae3d_27d4_eb4f,
            rest ^ 0xa076_1d64_78bd_642f,
        );
        fold(
            pieces ^ 0x5851_f42d_4c95_7f2d,
            others.rotate_left(29) ^ 0x2545_f491_4f6c_dd1d,
        )
    }
}

impl Evaluate for Position {
    /// Pieces that were captured, GIPF-pieces, and pieces that can still be brought in.
    fn evaluate(&self) -> i32 {
        let account = |side: Side| {
            let reserve = i32::from(self.reserve(side));
            let gipf = self.gipf(side).len() as i32;
            30 * gipf + 4 * reserve + 6 * reserve.min(4) - 20 * i32::from(self.captured(side))
        };
        account(self.side()) - account(!self.side())
    }
}

impl Symmetric for Position {
    fn symmetries(&self) -> usize {
        SYMMETRIES
    }

    fn transform(&self, index: usize) -> Position {
        self.mapped(|points| board::image(points, index))
    }

    fn transform_move(&self, mv: Move, index: usize) -> Move {
        let before = board::image(mv.before, index);
        let occupied = self.transform(index).board().occupied() & !before;
        Move {
            before,
            push: mv.push.map(|Push { entry, piece }| Push {
                entry: entry.image(index).canonical(occupied),
                piece,
            }),
            after: board::image(mv.after, index),
        }
    }
}

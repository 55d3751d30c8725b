//! A position: pawns, field and ply number; what can be played, and when it is over.

use std::fmt;
use std::ops::ControlFlow;

use rules::{Evaluate, Game, Hashed, MoveError, Outcome, Side, Symmetric};

use crate::{SetupError, Square, Squares, setup};

/// The game is drawn when this many plies have been made.
pub const LAST_PLY: u32 = 60;

/// No player has more pawns than this.
pub const MOST_PAWNS: u32 = 8;

/// A pawn goes from one square to another: a step to the next row, or a jump over an
/// enemy pawn to the row after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    /// Where the pawn stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// The square of the pawn that a jump takes; `None` for a step.
    #[inline]
    #[must_use]
    pub fn taken(self) -> Option<Square> {
        let jump = self.from.row().abs_diff(self.to.row()) == 2;
        // The square in the middle has the middle index.
        jump.then(|| Square::new(((self.from.index() + self.to.index()) / 2) as u8))
    }
}

impl fmt::Display for Move {
    /// `b8-b7` for a step, `b6xd4` for a jump.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.taken().is_some() { 'x' } else { '-' };
        write!(f, "{}{sign}{}", self.from, self.to)
    }
}

const NOT_LEFT: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_RIGHT: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The squares one row ahead of `set` for this side, in the column to the left
/// (`direction` −1), in the same one (0) or in the one to the right (1).
#[inline]
#[must_use]
pub const fn shift(set: Squares, side: Side, direction: i8) -> Squares {
    let set = match direction {
        -1 => (set.0 & NOT_LEFT) >> 1,
        0 => set.0,
        _ => (set.0 & NOT_RIGHT) << 1,
    };
    Squares(match side {
        Side::First => set >> 8,
        Side::Second => set << 8,
    })
}

/// The edge that this side's pawns want to reach.
#[inline]
#[must_use]
pub const fn goal(side: Side) -> Squares {
    Squares(match side {
        Side::First => 0xff,
        Side::Second => 0xff << 56,
    })
}

/// A position of MMPawns. A is [`Side::First`] and goes up, towards row 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pawns: [Squares; 2],
    field: Squares,
    number: u32,
}

impl Position {
    /// These pawns (of A, then of B) on this field, before ply `number`: A moves at
    /// odd numbers, B at even ones. A position in which the game is over is one, too.
    pub fn new(pawns: [Squares; 2], field: Squares, number: u32) -> Result<Position, SetupError> {
        setup::check(pawns, field, number)?;
        Ok(Position {
            pawns,
            field,
            number,
        })
    }

    /// The pawns of one side.
    #[inline]
    #[must_use]
    pub const fn pawns(&self, side: Side) -> Squares {
        self.pawns[side.index()]
    }

    /// The squares that pawns can stand on.
    #[inline]
    #[must_use]
    pub const fn field(&self) -> Squares {
        self.field
    }

    /// The squares of the field without a pawn.
    #[inline]
    #[must_use]
    pub const fn free(&self) -> Squares {
        Squares(self.field.0 & !(self.pawns[0].0 | self.pawns[1].0))
    }

    /// The number of the ply to be made; the first is 1.
    #[inline]
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Where the pawns of the player to move can go in one direction: by a step, and
    /// by a jump.
    #[inline]
    fn targets(&self, direction: i8) -> [Squares; 2] {
        let (side, free) = (self.side_to_move(), self.free().0);
        let ahead = shift(self.pawns(side), side, direction).0;
        let over = Squares(ahead & self.pawns(!side).0);
        [
            Squares(ahead & free),
            Squares(shift(over, side, direction).0 & free),
        ]
    }

    /// Whether a pawn of this player stands on the far edge.
    #[inline]
    #[must_use]
    pub fn has_arrived(&self, side: Side) -> bool {
        self.pawns(side).0 & goal(side).0 != 0
    }

    /// Whether the player to move has no move.
    #[inline]
    fn is_stuck(&self) -> bool {
        [-1, 0, 1]
            .into_iter()
            .all(|d| self.targets(d).iter().all(|set| set.is_empty()))
    }

    /// Why this move may not be played.
    fn why_illegal(&self, mv: Move) -> String {
        let side = self.side_to_move();
        let Move { from, to } = mv;
        if self.outcome().is_some() {
            return "the game is over".into();
        }
        if !self.pawns(side).contains(from) {
            return format!("no pawn of {} stands on {from}", Position::side_name(side));
        }
        if !self.field.contains(to) {
            return format!("{to} is not part of the field");
        }
        if !self.free().contains(to) {
            return format!("{to} is taken");
        }
        let rows = i32::from(to.row()) - i32::from(from.row());
        let columns = to.column().abs_diff(from.column());
        match (rows * [-1, 1][side.index()], columns) {
            (2, 0 | 2) => "there is no enemy pawn to jump over".into(),
            _ => "a pawn goes one square ahead, straight or diagonally, or jumps".into(),
        }
    }
}

impl Game for Position {
    type Move = Move;
    const NAME: &'static str = "mmpawns";

    fn side_name(side: Side) -> &'static str {
        ["A", "B"][side.index()]
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        if self.number % 2 == 1 {
            Side::First
        } else {
            Side::Second
        }
    }

    #[inline]
    fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let side = self.side_to_move();
        let arrived = self.pawns(!side).0 & goal(!side).0 != 0;
        if arrived || self.number > LAST_PLY {
            return ControlFlow::Continue(());
        }
        let back = [8i8, -8][side.index()];
        for direction in [-1, 0, 1] {
            for (rows, targets) in (1..).zip(self.targets(direction)) {
                for to in targets {
                    let from = to.index() as i8 + rows * (back - direction);
                    let from = Square::new(from as u8);
                    visit(Move { from, to })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv} in {self}");
        let side = self.side_to_move();
        self.pawns[side.index()].0 ^= 1 << mv.from.index() | 1 << mv.to.index();
        if let Some(taken) = mv.taken() {
            self.pawns[(!side).index()].0 &= !(1 << taken.index());
        }
        self.number += 1;
    }

    /// A player without a move wins, even if the opponent has just arrived.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let side = self.side_to_move();
        if self.is_stuck() {
            Some(Outcome::Win(side))
        } else if self.pawns(!side).0 & goal(!side).0 != 0 {
            Some(Outcome::Win(!side))
        } else {
            (self.number > LAST_PLY).then_some(Outcome::Draw)
        }
    }

    fn move_text(&self, mv: Move) -> String {
        mv.to_string()
    }

    /// Reads `b8-b7`, `b6xd4`, or either without the sign.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let unreadable = || MoveError::unreadable(text, "two squares like b8-b7 are wanted");
        let plain: String = text.chars().filter(|c| !"-x ".contains(*c)).collect();
        let (from, to) = plain.split_at_checked(2).ok_or_else(unreadable)?;
        let mv = Move {
            from: from.parse().map_err(|_| unreadable())?,
            to: to.parse().map_err(|_| unreadable())?,
        };
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(MoveError::illegal(text, self.why_illegal(mv)))
        }
    }
}

impl Hashed for Position {
    /// Rounds of multiply and fold, which spread every square over the word.
    #[inline]
    fn hash(&self) -> u64 {
        const fn fold(a: u64, b: u64) -> u64 {
            let product = a as u128 * b as u128;
            product as u64 ^ (product >> 64) as u64
        }
        let a = fold(
            self.pawns[0].0 ^ 0x8f1b_bcdc_ca62_c1d6,
            0xb492_b66f_be98_f273,
        );
        let b = fold(
            self.pawns[1].0 ^ 0x3c6e_f372_fe94_f82b,
            0x9ae1_6a3b_2f90_404f,
        );
        let field = fold(self.field.0 ^ 0xa54f_f53a_5f1d_36f1, 0xd1b5_4a32_d192_ed03);
        let rest = field ^ u64::from(self.number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        fold(a ^ b.rotate_left(32) ^ rest, 0xc2b2_ae3d_27d4_eb4f)
    }
}

impl Symmetric for Position {
    /// The mirror is one only where the field looks the same in it.
    fn symmetries(&self) -> usize {
        1 + usize::from(self.field.mirrored() == self.field)
    }

    fn transform(&self, index: usize) -> Position {
        if index == 0 {
            return *self;
        }
        Position {
            pawns: self.pawns.map(Squares::mirrored),
            field: self.field.mirrored(),
            number: self.number,
        }
    }

    fn transform_move(&self, mv: Move, index: usize) -> Move {
        if index == 0 {
            return mv;
        }
        Move {
            from: mv.from.mirrored(),
            to: mv.to.mirrored(),
        }
    }
}

impl Evaluate for Position {
    /// Material and advancement: a pawn counts 100, each row it has come 10.
    fn evaluate(&self) -> i32 {
        let score = |side: Side| -> i32 {
            self.pawns(side)
                .map(|square| match side {
                    Side::First => 100 + 10 * (7 - i32::from(square.row())),
                    Side::Second => 100 + 10 * i32::from(square.row()),
                })
                .sum()
        };
        let side = self.side_to_move();
        score(side) - score(!side)
    }
}

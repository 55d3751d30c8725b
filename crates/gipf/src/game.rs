//! The traits of a game, and the one-line text of a position.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use rules::{Evaluate, Game, Hashed, MoveError, Outcome, PositionError, Side};

use crate::variant::number;
use crate::{BadMove, Geometry, Move, Position, Setup, Variant};

impl Game for Position {
    type Move = Move;
    const NAME: &'static str = "gipf";

    fn side_name(side: Side) -> &'static str {
        ["White", "Black"][side.index()]
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
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
        (!self.can_move()).then_some(Outcome::Win(!self.side))
    }

    fn move_text(&self, mv: Move) -> String {
        self.text_of_move(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        if self.reserve(self.side) == 0 {
            return Err(MoveError::illegal(text, "no stone in reserve"));
        }
        self.read_move(text).map_err(|bad| match bad {
            BadMove::RowIndex => MoveError::illegal(text, self.rows_to_choose(text)),
            bad => bad.explain(text),
        })
    }
}

impl Position {
    /// Which rows can be chosen after the push that a text begins with, in words.
    fn rows_to_choose(&self, text: &str) -> String {
        let push = text.split_whitespace().next().unwrap_or_default();
        // The same push may be written from another dot.
        let entry = self.entry_of(push).ok();
        let moves = self.moves().into_iter();
        let of_push = moves.filter(|mv| Some(mv.entry) == entry);
        let mut ways: Vec<String> = of_push
            .filter_map(|mv| Some(self.move_text(mv).split_once(' ')?.1.to_string()))
            .collect();
        ways.dedup();
        match ways.is_empty() {
            true => "no rows cross after this push".into(),
            false => format!("rows cross: add what is taken, {}", ways.join(" or ")),
        }
    }
}

impl fmt::Display for Position {
    /// `S K GW GB RW RB P` and the rows from the top, joined by `/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup {
            reserves: [white, black],
            ..
        } = self.setup();
        write!(
            f,
            "{} {white} {black} {} ",
            self.variant(),
            letter(self.side)
        )?;
        for (number, row) in self.geometry().rows().enumerate() {
            if number > 0 {
                f.write_str("/")?;
            }
            for &point in row {
                write!(f, "{}", self.stone(point).map_or('_', letter))?;
            }
        }
        Ok(())
    }
}

/// `W` or `B`.
pub(crate) fn letter(side: Side) -> char {
    ['W', 'B'][side.index()]
}

impl FromStr for Position {
    type Err = PositionError;

    /// Reads what `Display` writes; a variant alone is its start position, and `start`
    /// that of the original game.
    fn from_str(text: &str) -> Result<Position, PositionError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[_, _, _, _, white, black, side, board] = words.as_slice() else {
            return match words.as_slice() {
                ["start"] => Ok(Position::start(Variant::ORIGINAL)),
                [_, _, _, _] => text.parse().map(Position::start),
                _ => Err(PositionError::new(format!(
                    "8 words are wanted (S K GW GB RW RB P ROWS) or 4 (S K GW GB), not {}",
                    words.len()
                ))),
            };
        };
        let variant: Variant = words[..4].join(" ").parse()?;
        let side = match side {
            "W" | "w" => Side::First,
            "B" | "b" => Side::Second,
            _ => {
                return Err(PositionError::new(format!(
                    "player to move {side:?} is not W or B"
                )));
            }
        };
        let setup = Setup {
            variant,
            reserves: [
                number(white, "white reserve")?,
                number(black, "black reserve")?,
            ],
            side,
            stones: read_rows(board, Geometry::of(variant.size()))?,
        };
        Position::try_from(setup).map_err(|fault| PositionError::new(fault.to_string()))
    }
}

/// Reads the rows of the one-line text.
fn read_rows(text: &str, geometry: &Geometry) -> Result<[u128; 2], PositionError> {
    let rows: Vec<&str> = text.split('/').collect();
    let wanted = geometry.rows().count();
    if rows.len() != wanted {
        return Err(PositionError::new(format!(
            "{} rows, not {wanted}",
            rows.len()
        )));
    }
    let mut stones = [0; 2];
    for (number, (row, points)) in rows.iter().zip(geometry.rows()).enumerate() {
        let at = |message| PositionError::new(format!("row {}: {message}", number + 1));
        let length = row.chars().count();
        if length != points.len() {
            return Err(at(format!("{length} points, not {}", points.len())));
        }
        for (c, &point) in row.chars().zip(points) {
            match c {
                'W' | 'w' => stones[0] |= 1 << point,
                'B' | 'b' => stones[1] |= 1 << point,
                '_' | '-' | '.' => {}
                _ => return Err(at(format!("{c:?} is not W, B or _"))),
            }
        }
    }
    Ok(stones)
}

impl Hashed for Position {
    /// Rounds of multiply and fold, which spread every stone over the word.
    #[inline]
    fn hash(&self) -> u64 {
        const fn fold(a: u64, b: u64) -> u64 {
            let product = a as u128 * b as u128;
            product as u64 ^ (product >> 64) as u64
        }
        let setup = self.setup();
        let [white, black] = setup.stones;
        let [in_white, in_black] = setup.reserves.map(u64::from);
        let variant = [
            u64::from(self.variant().size()),
            u64::from(self.variant().run()),
            u64::from(self.variant().stones(Side::First)),
            u64::from(self.variant().stones(Side::Second)),
        ];
        let variant = variant.iter().fold(0, |all, &n| (all << 14) | n);
        let rest = in_white | in_black << 16 | (self.side.index() as u64) << 32;
        // Each factor gets its own odd-looking constant so that no side is blind to zeros.
        let white = fold(
            white as u64 ^ 0x9e37_79b9_7f4a_7c15,
            (white >> 64) as u64 ^ 0xd6e8_feb8_6659_fd93,
        );
        let black = fold(
            black as u64 ^ 0xc2b2_ae3d_27d4_eb4f,
            (black >> 64) as u64 ^ 0xa076_1d64_78bd_642f,
        );
        let rest = fold(
            rest ^ 0x5851_f42d_4c95_7f2d,
            variant ^ 0xe703_7ed1_a0b4_28db,
        );
        fold(
            white ^ black.rotate_left(23) ^ 0x8ebc_6af0_9c88_c6e3,
            rest ^ black.rotate_left(47) ^ 0x5899_65cc_7537_4cc3,
        )
    }
}

impl Evaluate for Position {
    /// Stones in reserve count most, for who runs out has lost; stones on the board can
    /// come back.
    fn evaluate(&self) -> i32 {
        let count = |side| {
            let on_board = self.stones(side).count_ones() as i32;
            10 * i32::from(self.reserve(side)) + 4 * on_board
        };
        count(self.side) - count(!self.side)
    }
}

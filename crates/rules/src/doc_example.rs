//! A toy game for examples and for the kit's own tests: take one or two stones,
//! who takes the last one wins.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use crate::{Evaluate, Game, Hashed, MoveError, Outcome, PositionError, Side, Symmetric};

/// A heap of stones and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nim {
    /// Stones left.
    pub stones: u32,
    /// Who takes next.
    pub side: Side,
}

impl fmt::Display for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.stones, Nim::side_name(self.side))
    }
}

impl FromStr for Nim {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Nim, PositionError> {
        let bad = || PositionError::new(format!("{text:?} is not a heap and a side"));
        let (stones, side) = text.split_once(' ').ok_or_else(bad)?;
        Ok(Nim {
            stones: stones.parse().map_err(|_| bad())?,
            side: match side {
                "first" => Side::First,
                "second" => Side::Second,
                _ => return Err(bad()),
            },
        })
    }
}

impl Game for Nim {
    type Move = u32;
    const NAME: &'static str = "nim";

    fn side_name(side: Side) -> &'static str {
        ["first", "second"][side.index()]
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn visit_moves<B>(&self, mut visit: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        (1..=self.stones.min(2)).try_for_each(&mut visit)
    }

    fn play_unchecked(&mut self, take: u32) {
        debug_assert!((1..=2).contains(&take) && take <= self.stones);
        self.stones = self.stones.saturating_sub(take);
        self.side = !self.side;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.stones == 0).then_some(Outcome::Win(!self.side))
    }

    fn move_text(&self, take: u32) -> String {
        take.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u32, MoveError> {
        let take = text
            .parse()
            .map_err(|_| MoveError::unreadable(text, "not a number"))?;
        if self.is_legal(take) {
            Ok(take)
        } else {
            Err(MoveError::illegal(text, "take one or two of the stones"))
        }
    }
}

impl Hashed for Nim {
    fn hash(&self) -> u64 {
        u64::from(self.stones) * 2 + self.side.index() as u64
    }
}

impl Symmetric for Nim {
    fn symmetries(&self) -> usize {
        1
    }

    fn transform(&self, _: usize) -> Nim {
        *self
    }

    fn transform_move(&self, take: u32, _: usize) -> u32 {
        take
    }
}

impl Evaluate for Nim {
    fn evaluate(&self) -> i32 {
        if self.stones.is_multiple_of(3) { -1 } else { 1 }
    }
}

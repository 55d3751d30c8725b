//! A board of GIPF, as a list of points.

use std::fmt::Write;

use ::gipf::{Geometry, Position, Setup, Variant, text};
use rules::Side;

use super::fault::Part;

/// A board; unlike a [`Position`] it may hold rows that a fault has left.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) variant: Variant,
    pub(super) stones: [u128; 2],
    pub(super) reserves: [u16; 2],
    pub(super) side: Side,
    /// The stones after the push while rows are taken off, and none otherwise.
    pub(super) pushed: [u128; 2],
}

impl State {
    pub(super) fn geometry(&self) -> &'static Geometry {
        Geometry::of(self.variant.size())
    }

    pub(super) fn occupied(&self) -> u128 {
        self.stones[0] | self.stones[1]
    }

    pub(super) fn at(&self, point: u8) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.stones[side.index()] >> point & 1 != 0)
    }

    /// The board as it was after the push.
    pub(super) fn as_pushed(&self) -> State {
        State {
            stones: self.pushed,
            ..self.clone()
        }
    }

    /// The board with a part of it always the same.
    pub(super) fn without(&self, part: Part) -> State {
        let mut state = self.clone();
        match part {
            Part::Numbers => {
                state.variant =
                    Variant::new(state.variant.size(), 2, 99, 99).unwrap_or(state.variant);
            }
            Part::Reserves => state.reserves = [0; 2],
            Part::Side => state.side = Side::First,
        }
        state
    }

    pub(super) fn put(&mut self, point: u8, stone: Option<Side>) {
        for stones in &mut self.stones {
            *stones &= !(1 << point);
        }
        if let Some(side) = stone {
            self.stones[side.index()] |= 1 << point;
        }
    }

    pub(super) fn print(&self) -> String {
        let size = usize::from(self.variant.size());
        let [white, black] = self.reserves;
        let mut text = format!(
            "{}\n{white} {black} {}\n",
            self.variant,
            ['W', 'B'][self.side.index()]
        );
        for (row, points) in (1..).zip(self.geometry().rows()) {
            let stones = points.iter().map(|point| match self.at(*point) {
                None => "_",
                Some(Side::First) => "W",
                Some(Side::Second) => "B",
            });
            let stones: Vec<&str> = stones.collect();
            let (before, after) = (size.abs_diff(row), size.saturating_sub(row) + 1);
            let (before, after) = (" ".repeat(before), " ".repeat(after));
            let _ = writeln!(text, "{before}{}{after}", stones.join(" "));
        }
        text
    }

    /// What perfect play makes of it, by the right solver.
    pub(super) fn solved(&self) -> String {
        let setup = Setup {
            variant: self.variant,
            reserves: self.reserves,
            side: self.side,
            stones: self.stones,
        };
        let Ok(position) = Position::try_from(setup) else {
            return "NOT_SOLVED".into();
        };
        let input = format!(
            "LOAD_GAME_BOARD\n{}SOLVE_GAME_STATE\n",
            text::print(&position)
        );
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let options = programs::gipf::Options::default();
        let _ = programs::gipf::run(input.as_bytes(), &mut output, &mut errors, options);
        let output = String::from_utf8_lossy(&output).into_owned();
        output.lines().last().unwrap_or_default().into()
    }
}

//! Deciding positions.
//!
//! Play can repeat positions, so a depth-first search that scores a repetition as a draw and
//! keeps the result is wrong. Three kinds of provers that are not:
//!
//! - bounded search (`bounded`): whether a side can force a win *within n plies* depends on the
//!   position and n alone;
//! - proof-number search (`proof_number`): who wins follows from who wins after each move, where
//!   that is known; it finds long wins, since it need not show that there are no shorter ones;
//! - fixed-point provers (`fixed_point`): whether a side can force a win *at all* is a fixed
//!   point. A position is a tie if neither side can.
//!
//! They stand beside each other on the `rules`, and know nothing of each other. Above them the
//! `portfolio` alone picks provers and budgets; all constants are in `tuning`.

mod bounded;
pub(crate) mod defender;
mod fixed_point;
#[cfg(test)]
mod node_counts;
mod portfolio;
mod proof_number;
mod rules;
mod series;
pub mod training;
mod tuning;

use ::rules::Side;
use gipf::Position;
use search::Limits;

use portfolio::{Question, decide};

pub use series::Series;

/// How a position ends with best play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// This side can force a win.
    Win(Side),
    /// Neither side can: play goes on for ever.
    Tie,
}

/// What a solver may use up.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Time and positions. The solver works for 95 % of the time on the wall clock; the rest is
    /// for what cannot be interrupted: one position, a table that doubles (a few hundredths of the
    /// time that filled it), and giving memory back. So the limit holds unless the system keeps
    /// the processor from the solver for longer than that. Processor time is that of all its
    /// threads together.
    pub limits: Limits,
    /// Bytes of memory.
    pub memory: usize,
}

impl Default for Budget {
    /// All the time there is, and one gigabyte.
    fn default() -> Budget {
        Budget {
            limits: Limits::default(),
            memory: 1 << 30,
        }
    }
}

/// The budget was used up before the answer was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfBudget;

/// Who wins, or that neither side can force a win.
pub fn solve(position: &Position, budget: &Budget) -> Result<Verdict, OutOfBudget> {
    solve_counting(position, budget, &mut 0)
}

/// The same, and adds the positions expanded to `nodes`.
pub fn solve_counting(
    position: &Position,
    budget: &Budget,
    nodes: &mut u64,
) -> Result<Verdict, OutOfBudget> {
    Ok(match decide(position, Question::Winner, budget, nodes)? {
        Some((side, _)) => Verdict::Win(side),
        None => Verdict::Tie,
    })
}

/// The side that can force a win within `most` plies, and the least number of them.
pub fn shortest_win(
    position: &Position,
    most: u32,
    budget: &Budget,
) -> Result<Option<(Side, u32)>, OutOfBudget> {
    decide(position, Question::Length(most), budget, &mut 0)
}

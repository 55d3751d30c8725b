//! The rules of a game as small positions to solve.

use rules::Outcome;

use crate::AnyPosition;

/// A step of a tutorial: a position in which a move is to be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// What it is about, in a few words.
    pub title: &'static str,
    /// What there is to know, and what is to be done.
    pub text: &'static str,
    /// The position.
    pub position: &'static str,
    /// Which moves solve it.
    pub goal: Goal,
    /// What is said about a legal move that does not.
    pub wrong: &'static str,
    /// What is said when it is solved.
    pub right: &'static str,
}

/// Which moves solve a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Any legal move.
    Any,
    /// Those that win the game at once.
    Win,
    /// These.
    Moves(&'static [&'static str]),
    /// All but these.
    AllBut(&'static [&'static str]),
}

impl Lesson {
    /// Whether a legal move, in the form in which the game writes it, solves the lesson; `after` is
    /// the position that it leads to.
    #[must_use]
    pub fn is_solved_by(&self, mv: &str, after: &AnyPosition) -> bool {
        let wins = || after.outcome() == Some(Outcome::Win(!after.side_to_move()));
        match self.goal {
            Goal::Any => true,
            Goal::Win => wins(),
            Goal::Moves(moves) => moves.contains(&mv),
            Goal::AllBut(moves) => !moves.contains(&mv),
        }
    }
}

//! Deciding positions.
//!
//! Play can go round in circles, so a depth-first search that scores a repetition as a
//! draw and remembers the result is wrong. Two methods that are not:
//!
//! - `bounded`: whether a side can force a win *within n half-moves* depends on the
//!   position and n alone, so every answer can be remembered, whatever led there;
//! - `closure`: whether it can force one *at all* is a least fixed point. Every position
//!   is taken for safe until it is shown to be lost, and whatever relied on it is then
//!   looked at again; what is still safe when nothing is left to look at is safe for good.
//!
//! A position is a tie if the closure finds that neither side can force a win. On small
//! boards it is kept in arrays (`hold`).

mod boards;
mod bounded;
mod closure;
mod hold;
pub mod outlook;

use std::time::Duration;

use gipf::Position;
use rules::{Game, Side};
use search::{Clock, Limits};

use boards::{Boards, Plain, Small};
use bounded::Bounded;
use closure::{Defence, Progress};

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
    /// Time and positions.
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

/// Positions that each closure looks at before the others have their turn, at first.
const FIRST_SLICE: u64 = 100;

/// Turns of so many positions are worth a thread of their own.
const WORTH_A_THREAD: u64 = 1_000;

/// Positions between two looks whether another search has its answer.
const LOOK_EVERY: u64 = 10_000;

/// How much longer every turn is than the one before.
const GROWTH: u64 = 3;

/// The share of the time for work: the rest is for giving memory back.
const FOR_WORK: f64 = 0.95;

/// Who wins, or that nobody can force it.
///
/// The search for short wins and the closures take turns, each longer than the one before,
/// so that none costs much where another one is quick; long turns are taken at the same time.
pub fn solve(position: &Position, budget: &Budget) -> Result<Verdict, OutOfBudget> {
    solve_counting(position, budget, &mut 0)
}

/// The same, and adds the positions looked at to `nodes`.
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

/// The side that can force a win within `most` half-moves, and the least number of them.
pub fn shortest_win(
    position: &Position,
    most: u32,
    budget: &Budget,
) -> Result<Option<(Side, u32)>, OutOfBudget> {
    decide(position, Question::Length(most), budget, &mut 0)
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// Who can force a win; the length does not matter.
    Winner,
    /// The shortest win of at most so many half-moves.
    Length(u32),
}

fn decide(
    position: &Position,
    question: Question,
    budget: &Budget,
    nodes: &mut u64,
) -> Result<Option<(Side, u32)>, OutOfBudget> {
    if let Some(winner) = position.outcome().and_then(|outcome| outcome.winner()) {
        return Ok(Some((winner, 0)));
    }
    let budget = &Budget {
        limits: Limits {
            wall: budget.limits.wall.map(|wall| wall.mul_f64(FOR_WORK)),
            ..budget.limits.clone()
        },
        ..budget.clone()
    };
    let clock = Clock::start(&budget.limits);
    let found = match Small::new(position) {
        Some((boards, board)) => decide_on(&boards, &board, question, budget, clock, nodes),
        None => {
            let boards = Plain::new(position.variant());
            decide_on(&boards, position, question, budget, clock, nodes)
        }
    };
    let mover = position.side_to_move();
    let winner = |(mover_wins, length)| (if mover_wins { mover } else { !mover }, length);
    Ok(found?.map(winner))
}

/// Whether the mover or the opponent wins, and in how many half-moves (where asked).
fn decide_on<B: Boards>(
    boards: &B,
    root: &B::Board,
    question: Question,
    budget: &Budget,
    mut clock: Clock,
    nodes: &mut u64,
) -> Result<Option<(bool, u32)>, OutOfBudget> {
    let most = match question {
        Question::Winner => bounded::LONGEST,
        Question::Length(most) => most,
    };
    let mut short = Shortest::new(boards, root, budget.memory / 5);
    // Made when it is needed: many positions are decided before.
    let mut defence = None;
    let share = short_share(boards);
    let mut slice = FIRST_SLICE;
    // Once it is known who wins, only the length is still open.
    let mut winner = None;
    loop {
        let turns = match winner {
            None => slice.saturating_mul(share),
            Some(_) => u64::MAX,
        };
        let limits = remaining(&budget.limits, clock.elapsed());
        let before = short.search.nodes();
        // What goes on at the same time; at first it is not worth a thread.
        let mut aside = defence
            .as_mut()
            .filter(|_| slice >= WORTH_A_THREAD && winner.is_none());
        let (found, progress) = std::thread::scope(|scope| {
            let aside = aside
                .take()
                .map(|defence: &mut B::Defence<'_>| scope.spawn(|| defence.run(&limits, slice)));
            // It ends early when the other has its answer.
            let over = || aside.as_ref().is_some_and(|aside| aside.is_finished());
            let found = short.run(most, winner, &mut clock, turns, over);
            let failed = [Progress::Full; 2];
            (found, aside.map(|aside| aside.join().unwrap_or(failed)))
        });
        *nodes += short.search.nodes() - before;
        match found {
            Ok(Some(win)) => return Ok(Some(win)),
            // Nobody wins so soon; whether anybody does at all may still be asked.
            Ok(None) if question == Question::Length(most) && most <= bounded::LONGEST => {
                return Ok(None);
            }
            _ => {}
        }
        if winner.is_some() || (clock.check() && progress.is_none()) {
            return Err(OutOfBudget);
        }
        let defence = defence.get_or_insert_with(|| boards.defence(root, budget.memory * 4 / 5));
        let progress = progress.unwrap_or_else(|| defence.run(&limits, slice));
        *nodes += defence.take_count();
        winner = match progress {
            [Progress::Wins, _] => Some(true),
            [_, Progress::Wins] => Some(false),
            [Progress::Fails, Progress::Fails] => return Ok(None),
            [Progress::Full, _] | [_, Progress::Full] if question == Question::Winner => {
                return Err(OutOfBudget);
            }
            _ => None,
        };
        if let (Some(mover), Question::Winner) = (winner, question) {
            return Ok(Some((mover, 0)));
        }
        if clock.check() {
            return Err(OutOfBudget);
        }
        slice = slice.saturating_mul(GROWTH);
    }
}

/// How many positions the search for short wins looks at in the time of one position of
/// a closure, which looks at all replies to all moves there, and canonical views of them.
fn short_share(boards: &impl Boards) -> u64 {
    let points = boards.points() as u64;
    (points * points / 150).max(1)
}

/// The limits less the time that has passed.
fn remaining(limits: &Limits, passed: Duration) -> Limits {
    Limits {
        wall: limits.wall.map(|wall| wall.saturating_sub(passed)),
        ..limits.clone()
    }
}

/// The search for the shortest win, which can be interrupted.
struct Shortest<'a, B: Boards> {
    root: B::Board,
    search: Bounded<'a, B>,
    /// Nobody wins within fewer half-moves.
    length: u32,
}

impl<'a, B: Boards> Shortest<'a, B> {
    fn new(boards: &'a B, root: &B::Board, memory: usize) -> Shortest<'a, B> {
        Shortest {
            root: *root,
            search: Bounded::new(boards, memory),
            length: 1,
        }
    }

    /// Goes on for at most `slice` positions, or until it is `over`: whether the mover wins or
    /// the opponent, and in how many half-moves. If it is known who does, the other need not
    /// be asked.
    fn run(
        &mut self,
        most: u32,
        winner: Option<bool>,
        clock: &mut Clock,
        slice: u64,
        over: impl Fn() -> bool,
    ) -> Result<Option<(bool, u32)>, OutOfBudget> {
        let end = self.search.nodes().saturating_add(slice);
        // A search that is stopped begins again at the root, so it is not stopped too often.
        let step = LOOK_EVERY.max(slice / 8);
        loop {
            let left = end.saturating_sub(self.search.nodes());
            let found = self.look(most, winner, clock, left.min(step));
            if found.is_ok() || left <= step || clock.stopped() || over() {
                return found;
            }
        }
    }

    /// The same without looking whether it is over.
    fn look(
        &mut self,
        most: u32,
        winner: Option<bool>,
        clock: &mut Clock,
        slice: u64,
    ) -> Result<Option<(bool, u32)>, OutOfBudget> {
        let end = self.search.nodes().saturating_add(slice);
        while self.length <= most.min(bounded::LONGEST) {
            let length = self.length;
            // A win takes an odd number of half-moves of the mover, an even one of the other.
            let mover = length % 2 == 1;
            if winner.is_none_or(|winner| winner == mover) {
                let left = end.saturating_sub(self.search.nodes());
                if self.search.wins(&self.root, mover, length, clock, left)? {
                    return Ok(Some((mover, length)));
                }
            }
            self.length += 1;
        }
        Ok(None)
    }
}

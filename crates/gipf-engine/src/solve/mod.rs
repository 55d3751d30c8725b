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
//! A position is a tie if the closure finds that neither side can force a win.

mod boards;
mod bounded;
mod closure;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gipf::Position;
use rules::{Game, Side};
use search::{Clock, Limits};

use boards::{Boards, Plain, Small};
use bounded::Bounded;
use closure::{Closure, Progress};

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

/// How much longer every turn is than the one before.
const GROWTH: u64 = 3;

/// Who wins, or that nobody can force it.
///
/// The search for short wins and the two closures take turns, each longer than the one
/// before, so that none costs much where another one is quick.
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
    let closure = |attacking: bool| Closure::new(boards, root, attacking, budget.memory * 2 / 5);
    let mut closures = [closure(true), closure(false)];
    let share = short_share(boards);
    let mut slice = FIRST_SLICE;
    // Once it is known who wins, only the length is still open.
    let mut winner = None;
    loop {
        let turns = match winner {
            None => slice.saturating_mul(share),
            Some(_) => u64::MAX,
        };
        let before = short.search.nodes();
        let found = short.run(most, winner, &mut clock, turns);
        *nodes += short.search.nodes() - before;
        match found {
            Ok(Some(win)) => return Ok(Some(win)),
            // Nobody wins so soon; whether anybody does at all may still be asked.
            Ok(None) if question != Question::Winner => return Ok(None),
            _ => {}
        }
        if clock.check() {
            return Err(OutOfBudget);
        }
        let limits = remaining(&budget.limits, clock.elapsed());
        let progress = turn(&mut closures, &limits, slice);
        *nodes += closures.iter_mut().map(Closure::take_count).sum::<u64>();
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
    (points * points / 100).max(1)
}

/// The limits less the time that has passed.
fn remaining(limits: &Limits, passed: Duration) -> Limits {
    Limits {
        wall: limits.wall.map(|wall| wall.saturating_sub(passed)),
        ..limits.clone()
    }
}

/// A turn of both closures: at the same time if it is long enough to be worth a thread.
fn turn<B: Boards>(
    closures: &mut [Closure<'_, B>; 2],
    limits: &Limits,
    slice: u64,
) -> [Progress; 2] {
    let done = AtomicBool::new(false);
    let run = |closure: &mut Closure<'_, B>| closure.run(&mut Clock::start(limits), slice, &done);
    let [mover, opponent] = closures;
    if slice < 1_000 {
        return [run(mover), run(opponent)];
    }
    std::thread::scope(|scope| {
        let opponent = scope.spawn(|| run(opponent));
        let mover = run(mover);
        [mover, opponent.join().unwrap_or(Progress::Full)]
    })
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

    /// Goes on for at most `slice` positions: whether the mover wins or the opponent, and in
    /// how many half-moves. If it is known who does, the other need not be asked.
    fn run(
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

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

mod bounded;
mod closure;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gipf::Position;
use rules::{Game, Side};
use search::{Clock, Limits};

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

/// How many positions the search for short wins looks at in the time of one position of
/// a closure, which looks at all replies to all moves there, and canonical views of them.
fn short_share(position: &Position) -> u64 {
    let points = position.geometry().points() as u64;
    (points * points / 50).max(1)
}

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
    if let Some(winner) = position.outcome().and_then(|outcome| outcome.winner()) {
        return Ok(Verdict::Win(winner));
    }
    let mut clock = Clock::start(&budget.limits);
    let mut short = Shortest::new(position, budget.memory / 5);
    let mut closures = Side::BOTH.map(|side| Closure::new(position, side, budget.memory * 2 / 5));
    let share = short_share(position);
    let mut slice = FIRST_SLICE;
    loop {
        let before = short.search.nodes();
        let found = short.run(bounded::LONGEST, &mut clock, slice.saturating_mul(share));
        *nodes += short.search.nodes() - before;
        if let Ok(Some((side, _))) = found {
            return Ok(Verdict::Win(side));
        }
        let limits = remaining(&budget.limits, clock.elapsed());
        let progress = turn(&mut closures, &limits, slice);
        *nodes += closures.iter_mut().map(Closure::take_count).sum::<u64>();
        match progress {
            [Progress::Wins, _] => return Ok(Verdict::Win(Side::First)),
            [_, Progress::Wins] => return Ok(Verdict::Win(Side::Second)),
            [Progress::Fails, Progress::Fails] => return Ok(Verdict::Tie),
            [Progress::Full, _] | [_, Progress::Full] => return Err(OutOfBudget),
            _ => {}
        }
        if clock.check() {
            return Err(OutOfBudget);
        }
        slice = slice.saturating_mul(GROWTH);
    }
}

/// The limits less the time that has passed.
fn remaining(limits: &Limits, passed: Duration) -> Limits {
    Limits {
        wall: limits.wall.map(|wall| wall.saturating_sub(passed)),
        ..limits.clone()
    }
}

/// A turn of both closures: at the same time if it is long enough to be worth a thread.
fn turn(closures: &mut [Closure; 2], limits: &Limits, slice: u64) -> [Progress; 2] {
    let done = AtomicBool::new(false);
    let run = |closure: &mut Closure| closure.run(&mut Clock::start(limits), slice, &done);
    let [white, black] = closures;
    if slice < 1_000 {
        return [run(white), run(black)];
    }
    std::thread::scope(|scope| {
        let black = scope.spawn(|| run(black));
        let white = run(white);
        [white, black.join().unwrap_or(Progress::Full)]
    })
}

/// The side that can force a win within `most` half-moves, and the least number of them.
pub fn shortest_win(
    position: &Position,
    most: u32,
    budget: &Budget,
) -> Result<Option<(Side, u32)>, OutOfBudget> {
    if let Some(winner) = position.outcome().and_then(|outcome| outcome.winner()) {
        return Ok(Some((winner, 0)));
    }
    let mut clock = Clock::start(&budget.limits);
    Shortest::new(position, budget.memory).run(most, &mut clock, u64::MAX)
}

/// The search for the shortest win, which can be interrupted.
struct Shortest {
    position: Position,
    search: Bounded,
    /// Nobody wins within fewer half-moves.
    length: u32,
}

impl Shortest {
    fn new(position: &Position, memory: usize) -> Shortest {
        Shortest {
            position: *position,
            search: Bounded::new(memory),
            length: 1,
        }
    }

    /// Goes on for at most `slice` positions.
    fn run(
        &mut self,
        most: u32,
        clock: &mut Clock,
        slice: u64,
    ) -> Result<Option<(Side, u32)>, OutOfBudget> {
        let mover = self.position.side_to_move();
        let end = self.search.nodes().saturating_add(slice);
        while self.length <= most.min(bounded::LONGEST) {
            let length = self.length;
            let winner = if length % 2 == 1 { mover } else { !mover };
            let left = end.saturating_sub(self.search.nodes());
            if self
                .search
                .wins(&self.position, winner, length, clock, left)?
            {
                return Ok(Some((winner, length)));
            }
            self.length += 1;
        }
        Ok(None)
    }
}

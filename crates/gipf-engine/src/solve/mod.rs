//! Deciding positions.
//!
//! Play can go round in circles, so a depth-first search that scores a repetition as a
//! draw and remembers the result is wrong. Three methods that are not:
//!
//! - `bounded`: whether a side can force a win *within n half-moves* depends on the
//!   position and n alone, so every answer can be remembered, whatever led there;
//! - `proof`: who wins follows from who wins after each move, where that is known, whatever
//!   led there; it finds long wins, since it need not show that there are no shorter ones;
//! - `closure`: whether it can force one *at all* is a least fixed point. Every position
//!   is taken for safe until it is shown to be lost, and whatever relied on it is then
//!   looked at again; what is still safe when nothing is left to look at is safe for good.
//!
//! A position is a tie if the closure finds that neither side can force a win. On small
//! boards it is kept in arrays (`hold`).

mod boards;
mod bounded;
mod chances;
mod closure;
mod hold;
#[cfg(test)]
mod node_counts;
pub mod outlook;
mod proof;
mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gipf::Position;
use rules::{Game, Side};
use search::{Clock, Limits};

use boards::{Boards, Plain, Small};
use bounded::Bounded;
use closure::{Defence, Progress};
use proof::Proof;

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
    /// the processor from the solver for longer than that.
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

/// The search for a proof looks at so many positions for each of a closure where it is
/// likely to find one, and elsewhere at one for so many.
const LIKELY: u64 = 4;
const UNLIKELY: u64 = 4;

/// Time between two looks whether a turn is over.
const NAP: Duration = Duration::from_micros(200);

/// Positions between two looks whether another search has its answer.
const LOOK_EVERY: u64 = 10_000;

/// How much longer every turn is than the one before.
const GROWTH: u64 = 3;

/// The share of the time for work: the rest is for giving memory back.
const FOR_WORK: f64 = 0.95;

/// Who wins, or that nobody can force it.
///
/// The search for short wins, that for a proof and the closures take turns, each longer than
/// the one before, so that none costs much where another one is quick. Long turns of the
/// closures have a thread of their own.
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

impl Question {
    /// The longest win that is asked for.
    fn most(self) -> u32 {
        match self {
            Question::Winner => bounded::LONGEST,
            Question::Length(most) => most,
        }
    }
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
    let limits = Limits {
        wall: budget.limits.wall.map(|wall| wall.mul_f64(FOR_WORK)),
        ..budget.limits.clone()
    };
    // All clocks below, on all threads, run from here.
    let budget = &Budget {
        limits: limits.begin(),
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
type Answer = Option<(bool, u32)>;

fn decide_on<B: Boards>(
    boards: &B,
    root: &B::Board,
    question: Question,
    budget: &Budget,
    mut clock: Clock,
    nodes: &mut u64,
) -> Result<Answer, OutOfBudget> {
    let mut attack = Attack {
        short: Shortest::new(boards, root, budget.memory / 10),
        proof: Proof::new(boards, root, budget.memory / 10),
        share: short_share(boards),
        keen: boards.knows_chances(),
        question,
        winner: None,
    };
    // Made when it is needed: many positions are decided before.
    let mut defence = None;
    let mut slice = FIRST_SLICE;
    let answer = loop {
        let limits = &budget.limits;
        // At first it is not worth a thread.
        let aside = defence.as_mut().filter(|_| slice >= WORTH_A_THREAD);
        let (answer, progress) = match aside {
            Some(defence) => attack.beside(&mut clock, slice, defence, limits.clone()),
            None => (attack.turn(&mut clock, slice, || false), None),
        };
        if let Some(answer) = answer {
            break Ok(answer);
        }
        if attack.winner.is_none() {
            if clock.check() && progress.is_none() {
                break Err(OutOfBudget);
            }
            let defence =
                defence.get_or_insert_with(|| boards.defence(root, budget.memory * 4 / 5));
            let progress = progress.unwrap_or_else(|| defence.run(limits, slice));
            *nodes += defence.take_count();
            attack.winner = match progress {
                [Progress::Wins, _] => Some(true),
                [_, Progress::Wins] => Some(false),
                [Progress::Fails, Progress::Fails] => break Ok(None),
                [Progress::Full, _] | [_, Progress::Full] if question == Question::Winner => {
                    break Err(OutOfBudget);
                }
                _ => None,
            };
        }
        if let Some(mover) = attack.winner {
            break attack.length(mover, &mut clock);
        }
        if clock.check() {
            break Err(OutOfBudget);
        }
        slice = slice.saturating_mul(GROWTH);
    };
    *nodes += attack.short.search.nodes() + attack.proof.nodes();
    answer
}

/// The searches for wins.
struct Attack<'a, B: Boards> {
    short: Shortest<'a, B>,
    proof: Proof<'a, B>,
    /// Positions that the former looks at for each of a closure.
    share: u64,
    /// Whether the latter is likely to find something.
    keen: bool,
    question: Question,
    /// Once it is known who wins, only the length may still be open.
    winner: Option<bool>,
}

impl<B: Boards> Attack<'_, B> {
    /// One turn of each search, which ends early when it is `over`: the answer, or perhaps
    /// the winner.
    fn turn(&mut self, clock: &mut Clock, slice: u64, over: impl Fn() -> bool) -> Option<Answer> {
        let most = self.question.most();
        let positions = slice.saturating_mul(self.share);
        match self.short.run(most, None, clock, positions, &over) {
            Ok(Some(win)) => return Some(Some(win)),
            // Nobody wins so soon; whether anybody does at all may still be asked.
            Ok(None) if self.question == Question::Length(most) && most <= bounded::LONGEST => {
                return Some(None);
            }
            _ => {}
        }
        let positions = match self.keen {
            true => slice.saturating_mul(LIKELY),
            false => slice / UNLIKELY,
        };
        self.winner = self.proof.run(clock, positions, over);
        None
    }

    /// One turn of each search, and one of the defence at the same time.
    fn beside(
        &mut self,
        clock: &mut Clock,
        slice: u64,
        defence: &mut impl Defence,
        limits: Limits,
    ) -> (Option<Answer>, Option<[Progress; 2]>) {
        let (settled, done) = (AtomicBool::new(false), Arc::new(AtomicBool::new(false)));
        let limits = limits.with_stop(Arc::clone(&done));
        let run = || {
            let progress = defence.run(&limits, slice);
            let open = progress == [Progress::Paused; 2];
            settled.store(!open, Ordering::Relaxed);
            progress
        };
        std::thread::scope(|scope| {
            let aside = scope.spawn(run);
            let answer = self.turn(clock, slice, || settled.load(Ordering::Relaxed));
            // Whoever stops this search stops that one as well.
            if answer.is_none() && self.winner.is_none() {
                while !aside.is_finished() && !clock.check() {
                    std::thread::sleep(NAP);
                }
            }
            done.store(true, Ordering::Relaxed);
            let failed = [Progress::Full; 2];
            (answer, Some(aside.join().unwrap_or(failed)))
        })
    }

    /// The answer when it is known who wins.
    fn length(&mut self, mover: bool, clock: &mut Clock) -> Result<Answer, OutOfBudget> {
        if self.question == Question::Winner {
            return Ok(Some((mover, 0)));
        }
        let most = self.question.most();
        let found = self
            .short
            .run(most, Some(mover), clock, u64::MAX, || false)?;
        // It is longer than that, or than anything that is looked for.
        match found.is_some() || most <= bounded::LONGEST {
            true => Ok(found),
            false => Err(OutOfBudget),
        }
    }
}

/// How many positions the search for short wins looks at in the time of one position of
/// a closure, which looks at all replies to all moves there, and canonical views of them.
fn short_share(boards: &impl Boards) -> u64 {
    let points = boards.points() as u64;
    (points * points / 150).max(1)
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

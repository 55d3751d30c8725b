//! The portfolio: which provers work on a position, in which turns, and with what budgets.
//!
//! Proof-number search and bounded search look for wins, a fixed-point prover for a safe set of
//! the side that does not win. They take turns, each longer than the one before, so that none
//! costs much where another one is quick. Long turns of the fixed-point prover have a thread of
//! their own. Only this module picks provers and shares time and memory among them; the numbers
//! are in [`tuning`](super::tuning).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use gipf::{Position, Variant};
use rules::{Game, Side};
use search::{Clock, Limits};

use super::bounded::ShortestWin;
use super::defender::DefenderModel;
use super::fixed_point::hashed::HashedProver;
use super::fixed_point::indexed::{IndexedProver, Knowledge};
use super::fixed_point::{FixedPointProver, Progress};
use super::proof_number::ProofNumberSearch;
use super::proof_number::initial::{LogOdds, MaterialOdds, SmallOdds};
use super::rules::{General, Rules, Small, SmallBoard};
use super::tuning::{
    BOUNDED_LONG_SHARE, BOUNDED_POINTS_SQUARED, FIRST_TURN, FITTED_PROOF_SHARE, LONGEST_WIN,
    MEMORY_TENTHS, NAP, PLAIN_PROOF_SHARE, TURN_GROWTH, UNFITTED_TIES_SHARE, UNFITTED_WINS_SHARE,
    WORK_SHARE, WORTH_A_THREAD,
};
use super::{Budget, OutOfBudget};
use crate::tables::index::Index;

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// Who can force a win; the length does not matter.
    Winner,
    /// The shortest win of at most so many plies.
    Length(u32),
}

impl Question {
    /// Plies of the longest win that is asked for.
    fn most(self) -> u32 {
        match self {
            Question::Winner => LONGEST_WIN,
            Question::Length(most) => most,
        }
    }
}

/// Whether the mover or the opponent wins, and in how many plies (where asked); `None` if nobody
/// does.
pub(super) type Answer = Option<(bool, u32)>;

/// What the provers of small boards need, made once for each size and run length.
pub(crate) struct Prepared {
    pub(crate) rules: Small,
    pub(crate) odds: SmallOdds,
    /// Only hard positions need it.
    knowledge: OnceLock<Knowledge>,
}

impl Prepared {
    /// The largest run length of a small board.
    const LONGEST_RUN: u8 = 2 * SmallBoard::LARGEST - 1;

    fn new(variant: Variant) -> Prepared {
        let rules = Small::new(variant);
        Prepared {
            odds: SmallOdds::new(rules.shape()),
            rules,
            knowledge: OnceLock::new(),
        }
    }

    /// What belongs to a variant, if its board is small.
    pub(crate) fn of(variant: Variant) -> Option<&'static Prepared> {
        type Lazy = LazyLock<Prepared>;
        fn make<const SIZE: u8, const RUN: u8>() -> Prepared {
            Prepared::new(Variant::new(SIZE, RUN, 4, 4).expect("a variant"))
        }
        // Constant tables, as those of the geometry.
        static ALL: [((u8, u8), Lazy); 6] = [
            ((2, 2), Lazy::new(make::<2, 2>)),
            ((2, 3), Lazy::new(make::<2, 3>)),
            ((3, 2), Lazy::new(make::<3, 2>)),
            ((3, 3), Lazy::new(make::<3, 3>)),
            ((3, 4), Lazy::new(make::<3, 4>)),
            ((3, 5), Lazy::new(make::<3, 5>)),
        ];
        const { assert!(Prepared::LONGEST_RUN == 5 && SmallBoard::LARGEST == 3) };
        let wanted = (variant.size(), variant.run());
        let (_, prepared) = ALL.iter().find(|(of, _)| *of == wanted)?;
        Some(prepared)
    }

    /// What the indexed prover needs.
    pub(crate) fn knowledge(&self) -> Knowledge {
        let make = || Knowledge {
            model: Arc::new(DefenderModel::new(self.rules.shape())),
            index: Arc::new(Index::new(Arc::clone(&self.rules.views))),
        };
        self.knowledge.get_or_init(make).clone()
    }
}

/// The answer to a question about a position: the winner, and the plies of the win where they are
/// asked for. Adds the positions expanded to `nodes`.
pub(crate) fn decide(
    position: &Position,
    question: Question,
    budget: &Budget,
    nodes: &mut u64,
) -> Result<Option<(Side, u32)>, OutOfBudget> {
    if let Some(winner) = position.outcome().and_then(|outcome| outcome.winner()) {
        return Ok(Some((winner, 0)));
    }
    let budget = &begun(budget);
    let small = SmallBoard::new(position).zip(Prepared::of(position.variant()));
    let found = match small {
        Some((root, prepared)) => {
            let Prepared { rules, odds, .. } = prepared;
            let mut portfolio = Portfolio::new(rules, odds, &root, question, budget);
            portfolio.run(budget, nodes, |memory| {
                IndexedProver::new(prepared.knowledge(), root, memory)
            })
        }
        None => {
            let rules = General::new(position.variant());
            let mut portfolio = Portfolio::new(&rules, &MaterialOdds, position, question, budget);
            portfolio.run(budget, nodes, |memory| {
                HashedProver::new(&rules, position, memory)
            })
        }
    };
    Ok(found?.map(|answer| by_side(position, answer)))
}

/// The part of a budget that is for work. All clocks below, on all threads, run from here.
pub(super) fn begun(budget: &Budget) -> Budget {
    let limits = Limits {
        wall: budget.limits.wall.map(|wall| wall.mul_f64(WORK_SHARE)),
        ..budget.limits.clone()
    };
    Budget {
        limits: limits.begin(),
        ..budget.clone()
    }
}

/// An answer with the side that wins.
pub(super) fn by_side(position: &Position, (mover_wins, length): (bool, u32)) -> (Side, u32) {
    let mover = position.side_to_move();
    (if mover_wins { mover } else { !mover }, length)
}

/// A part of the memory.
pub(super) fn memory_part(budget: &Budget, part: usize) -> usize {
    budget.memory / 10 * MEMORY_TENTHS[part]
}

/// How many positions each prover expands in a turn.
#[derive(Clone, Copy)]
struct Turn {
    bounded: u64,
    proof: u64,
    /// The fixed-point prover.
    ties: u64,
}

/// The provers that look for wins.
pub(super) struct Portfolio<'a, R: Rules, O> {
    bounded: ShortestWin<'a, R>,
    proof: ProofNumberSearch<'a, R, O>,
    /// Positions that bounded search expands for each of a fixed-point prover.
    bounded_share: u64,
    /// Whether proof-number search is likely to find something.
    fitted: bool,
    question: Question,
    /// Once it is known whether the mover wins, only the length may still be open.
    winner: Option<bool>,
}

impl<'a, R: Rules, O: LogOdds<R>> Portfolio<'a, R, O> {
    pub(super) fn new(
        rules: &'a R,
        odds: &'a O,
        root: &R::Board,
        question: Question,
        budget: &Budget,
    ) -> Portfolio<'a, R, O> {
        let points = rules.points() as u64;
        Portfolio {
            bounded: ShortestWin::new(rules, root, memory_part(budget, 0)),
            proof: ProofNumberSearch::new(rules, odds, root, memory_part(budget, 1)),
            bounded_share: (points * points / BOUNDED_POINTS_SQUARED).max(1),
            fitted: odds.is_fitted(),
            question,
            winner: None,
        }
    }

    /// Turns to another question; what is known of other positions stays.
    pub(super) fn turn_to(&mut self, root: &R::Board, question: Question) {
        self.bounded.turn_to(root);
        self.proof.turn_to(root);
        self.question = question;
        self.winner = None;
    }

    /// Turns of all provers until one has the answer. The fixed-point prover is made when it is
    /// needed: many positions are decided before.
    pub(super) fn run<P: FixedPointProver>(
        &mut self,
        budget: &Budget,
        nodes: &mut u64,
        make: impl FnOnce(usize) -> P,
    ) -> Result<Answer, OutOfBudget> {
        let limits = &budget.limits;
        let mut clock = Clock::start(limits);
        let mut make = Some(make);
        let mut prover: Option<P> = None;
        let mut slice = FIRST_TURN;
        let before = self.bounded.nodes() + self.proof.nodes();
        let answer = loop {
            // At first it is not worth a thread.
            let aside = prover.as_mut().filter(|_| slice >= WORTH_A_THREAD);
            let (answer, progress) = match aside {
                Some(prover) => self.turn_beside(&mut clock, slice, prover, limits),
                None => (
                    self.turn(&mut clock, self.short_turn(slice), || false),
                    None,
                ),
            };
            if let Some(answer) = answer {
                break Ok(answer);
            }
            if self.winner.is_none() {
                if clock.check() && progress.is_none() {
                    break Err(OutOfBudget);
                }
                if let Some(make) = make.take() {
                    prover = Some(make(memory_part(budget, 2)));
                }
                let Some(prover) = prover.as_mut() else {
                    break Err(OutOfBudget);
                };
                let progress = progress.unwrap_or_else(|| prover.run(limits, slice));
                *nodes += prover.take_count();
                self.winner = match progress {
                    [Progress::Wins, _] => Some(true),
                    [_, Progress::Wins] => Some(false),
                    [Progress::Fails, Progress::Fails] => break Ok(None),
                    [Progress::Full, _] | [_, Progress::Full]
                        if self.question == Question::Winner =>
                    {
                        break Err(OutOfBudget);
                    }
                    _ => None,
                };
            }
            if let Some(mover) = self.winner {
                break self.length(mover, &mut clock);
            }
            if clock.check() {
                break Err(OutOfBudget);
            }
            slice = slice.saturating_mul(TURN_GROWTH);
        };
        *nodes += self.bounded.nodes() + self.proof.nodes() - before;
        answer
    }

    /// One turn of bounded search and of proof-number search, which ends early when it is `over`: a
    /// win, if one is found.
    pub(super) fn look_for_win(
        &mut self,
        clock: &mut Clock,
        slice: u64,
        over: impl Fn() -> bool,
    ) -> Answer {
        let answer = self.turn(clock, self.short_turn(slice), over).flatten();
        answer.or(self.winner.map(|mover_wins| (mover_wins, 0)))
    }

    /// One turn of bounded search and of proof-number search, which ends early when it is
    /// `over`: the answer, or perhaps the winner.
    fn turn(&mut self, clock: &mut Clock, turn: Turn, over: impl Fn() -> bool) -> Option<Answer> {
        let most = self.question.most();
        match self.bounded.run(most, None, clock, turn.bounded, &over) {
            Ok(Some(win)) => return Some(Some(win)),
            // Nobody wins so soon; whether anybody does at all may still be asked.
            Ok(None) if self.question == Question::Length(most) && most <= LONGEST_WIN => {
                return Some(None);
            }
            _ => {}
        }
        // A position of one search takes longer than one of the other.
        clock.check();
        self.winner = self.proof.run(clock, turn.proof, over);
        None
    }

    /// The same, and a turn of the fixed-point prover at the same time.
    fn turn_beside(
        &mut self,
        clock: &mut Clock,
        slice: u64,
        prover: &mut impl FixedPointProver,
        limits: &Limits,
    ) -> (Option<Answer>, Option<[Progress; 2]>) {
        let (settled, done) = (AtomicBool::new(false), Arc::new(AtomicBool::new(false)));
        let limits = limits.clone().with_stop(Arc::clone(&done));
        let turn = self.long_turn(slice, prover.is_fitted());
        let run = || {
            let progress = prover.run(&limits, turn.ties);
            let open = progress == [Progress::Paused; 2];
            settled.store(!open, Ordering::Relaxed);
            progress
        };
        std::thread::scope(|scope| {
            let aside = scope.spawn(run);
            let answer = self.turn(clock, turn, || settled.load(Ordering::Relaxed));
            // Whatever stops this thread stops that one as well.
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

    /// What each prover does in a turn.
    fn short_turn(&self, slice: u64) -> Turn {
        Turn {
            bounded: slice.saturating_mul(self.bounded_share),
            proof: match self.fitted {
                true => slice.saturating_mul(FITTED_PROOF_SHARE),
                false => slice / PLAIN_PROOF_SHARE,
            },
            ties: slice,
        }
    }

    /// The same in a long turn, in which those that are fitted to the board are likely to have the
    /// answer. Only bounded search finds lengths.
    fn long_turn(&self, slice: u64, ties_fitted: bool) -> Turn {
        let turn = self.short_turn(slice);
        let lengths = self.question != Question::Winner;
        match (self.fitted, ties_fitted) {
            (false, true) => Turn {
                bounded: turn.bounded / UNFITTED_WINS_SHARE,
                proof: turn.proof / UNFITTED_WINS_SHARE,
                ..turn
            },
            (true, false) => Turn {
                bounded: turn.bounded / if lengths { 1 } else { BOUNDED_LONG_SHARE },
                ties: turn.ties / UNFITTED_TIES_SHARE,
                ..turn
            },
            _ => turn,
        }
    }

    /// The answer when it is known who wins.
    fn length(&mut self, mover: bool, clock: &mut Clock) -> Result<Answer, OutOfBudget> {
        if self.question == Question::Winner {
            return Ok(Some((mover, 0)));
        }
        let most = self.question.most();
        let found = self
            .bounded
            .run(most, Some(mover), clock, u64::MAX, || false)
            .map_err(|_| OutOfBudget)?;
        // It is longer than that, or than anything that is looked for.
        match found.is_some() || most <= LONGEST_WIN {
            true => Ok(found),
            false => Err(OutOfBudget),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use search::{HeldTime, Time};

    use super::*;

    /// Rules on a machine on which every child takes so long, and nothing else takes any time.
    struct Metered<R> {
        rules: R,
        time: Arc<HeldTime>,
        each: Duration,
    }

    impl<R: Rules> Rules for Metered<R> {
        type Board = R::Board;

        fn visit_children(
            &self,
            board: &R::Board,
            mut visit: impl FnMut(R::Board) -> ControlFlow<()>,
        ) -> ControlFlow<()> {
            self.rules.visit_children(board, |next| {
                self.time.advance(self.each);
                visit(next)
            })
        }

        fn canonical(&self, board: &R::Board) -> R::Board {
            self.rules.canonical(board)
        }

        fn key(&self, board: &R::Board, attacking: bool) -> u64 {
            self.rules.key(board, attacking)
        }

        fn reserves(&self, board: &R::Board) -> [i32; 2] {
            self.rules.reserves(board)
        }

        fn stones(&self, board: &R::Board) -> [i32; 2] {
            self.rules.stones(board)
        }

        fn points(&self) -> i32 {
            self.rules.points()
        }
    }

    /// What may pass after the time is over: what three threads do between two looks at the
    /// clock, and the children of a few positions.
    const LATE: Duration = Duration::from_millis(5);
    const LATE_CHILDREN: u32 = 1_500;

    #[test]
    fn time_limits_hold_on_machines_of_any_speed() {
        let wall = Duration::from_millis(200);
        for (position, each) in [
            ("4 4 15 15", 1),
            ("4 4 15 15", 20),
            ("4 4 15 15", 400),
            (
                "4 4 15 15 1 1 W W__B/_____/______/B_____W/______/_____/W__B",
                2,
            ),
            ("3 3 8 8", 2),
            ("7 4 30 30", 3),
            ("7 4 30 30", 100),
        ] {
            let position: Position = position.parse().unwrap();
            for question in [Question::Winner, Question::Length(100)] {
                let time = HeldTime::new(Duration::ZERO);
                let each = Duration::from_micros(each);
                let limits = Limits {
                    time: Time::held(&time),
                    ..Limits::default().with_wall(wall)
                };
                let budget = Budget {
                    limits: limits.begin(),
                    ..Budget::default()
                };
                let rules = Metered {
                    rules: General::new(position.variant()),
                    time: Arc::clone(&time),
                    each,
                };
                let mut portfolio =
                    Portfolio::new(&rules, &MaterialOdds, &position, question, &budget);
                let found = portfolio.run(&budget, &mut 0, |memory| {
                    HashedProver::new(&rules, &position, memory)
                });
                let late = time.now().saturating_sub(wall);
                assert!(found.is_ok() || time.now() >= wall, "{position}");
                let most = LATE + LATE_CHILDREN * each;
                assert!(late <= most, "{position}, {each:?}: {late:?} late");
            }
        }
    }

    /// A prover that uses a third of the processor time in every long turn, and finds nothing.
    struct Idler {
        third: Duration,
        long_turns: u32,
    }

    impl FixedPointProver for &mut Idler {
        fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2] {
            if slice >= WORTH_A_THREAD {
                self.long_turns += 1;
                let own = Limits::default().with_cpu(self.third);
                let (mut whole, mut own) = (Clock::start(limits), Clock::start(&own));
                while !whole.check() && !own.check() {}
            }
            [Progress::Paused; 2]
        }

        fn is_fitted(&self) -> bool {
            true
        }

        fn take_count(&mut self) -> u64 {
            0
        }
    }

    /// Every long turn is a thread of its own.
    #[test]
    fn threads_that_are_over_have_used_their_processor_time() {
        let position: Position = "3 3 8 8".parse().unwrap();
        let rules = General::new(position.variant());
        let third = Duration::from_millis(100);
        let budget = Budget {
            limits: Limits::default().with_cpu(3 * third),
            ..Budget::default()
        };
        let budget = begun(&budget);
        let question = Question::Winner;
        let mut portfolio = Portfolio::new(&rules, &MaterialOdds, &position, question, &budget);
        let mut idler = Idler {
            third,
            long_turns: 0,
        };
        let found = portfolio.run(&budget, &mut 0, |_| &mut idler);
        assert!(found.is_err());
        assert!(idler.long_turns <= 3, "{}", idler.long_turns);
    }
}

//! Positions that have much in common, such as those of one game, decided one after the other.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gipf::{Position, Variant};
use rules::{Game, Side};
use search::{Clock, Limits};

use super::fixed_point::Progress;
use super::fixed_point::hashed::HashedProver;
use super::fixed_point::indexed::{IndexedProver, Together};
use super::portfolio::{
    Answer, Portfolio, Prepared, Question, begun, by_side, decide, memory_part,
};
use super::proof_number::initial::{MaterialOdds, SmallOdds};
use super::rules::{General, Small, SmallBoard};
use super::tuning::{FIRST_TURN, TOGETHER_SLICE, TURN_GROWTH};
use super::{Budget, OutOfBudget, Verdict};

/// Decides positions that have much in common. What is found out about one is kept for the
/// others: wins in the tables of bounded and of proof-number search, and ties, of positions that
/// are asked about together, in one safe set.
///
/// ```
/// use gipf_engine::solve::{Series, Verdict};
/// use search::Limits;
///
/// let mut series = Series::new(1 << 26);
/// let position = "2 2 5 5".parse()?;
/// assert_eq!(series.solve(&position, &Limits::default()), Ok(Verdict::Tie));
/// # Ok::<(), rules::PositionError>(())
/// ```
pub struct Series {
    memory: usize,
    small: Option<SmallSeries>,
    large: Option<LargeSeries>,
}

/// A series of one variant on a large board: wins are kept.
struct LargeSeries {
    variant: Variant,
    portfolio: Portfolio<'static, General, MaterialOdds>,
}

/// A series on one board size and run length.
struct SmallSeries {
    size_and_run: (u8, u8),
    portfolio: Portfolio<'static, Small, SmallOdds>,
    together: Together,
}

impl Series {
    /// A series that takes at most so many bytes.
    #[must_use]
    pub fn new(memory: usize) -> Series {
        Series {
            memory,
            small: None,
            large: None,
        }
    }

    /// Who wins, or that neither side can force a win.
    pub fn solve(&mut self, position: &Position, limits: &Limits) -> Result<Verdict, OutOfBudget> {
        let winner = self.winner(position, limits)?;
        Ok(winner.map_or(Verdict::Tie, |(side, _)| Verdict::Win(side)))
    }

    /// The side that can force a win, and the least number of plies where that comes out with it.
    pub fn winner(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Result<Option<(Side, Option<u32>)>, OutOfBudget> {
        let found = self.decide(position, Question::Winner, limits)?;
        Ok(found.map(with_length))
    }

    /// The side that can force a win within `most` plies, and the least number of them.
    pub fn shortest_win(
        &mut self,
        position: &Position,
        most: u32,
        limits: &Limits,
    ) -> Result<Option<(Side, u32)>, OutOfBudget> {
        self.decide(position, Question::Length(most), limits)
    }

    fn decide(
        &mut self,
        position: &Position,
        question: Question,
        limits: &Limits,
    ) -> Result<Option<(Side, u32)>, OutOfBudget> {
        let budget = Budget {
            limits: limits.clone(),
            memory: self.memory,
        };
        if position.outcome().is_some() {
            return decide(position, question, &budget, &mut 0);
        }
        let small = SmallBoard::new(position).zip(Prepared::of(position.variant()));
        let Some((root, prepared)) = small else {
            let found = self.decide_large(position, question, &begun(&budget));
            return Ok(found?.map(|answer| by_side(position, answer)));
        };
        let series = self.small_series(prepared, position.variant(), root, &budget);
        let found = series.decide(prepared, root, question, &begun(&budget));
        Ok(found?.map(|answer| by_side(position, answer)))
    }

    /// The series that positions of this kind belong to.
    fn small_series(
        &mut self,
        prepared: &'static Prepared,
        variant: Variant,
        root: SmallBoard,
        budget: &Budget,
    ) -> &mut SmallSeries {
        let size_and_run = (variant.size(), variant.run());
        let fits = |known: &SmallSeries| {
            known.size_and_run == size_and_run && known.together.has_room_for(root)
        };
        let make = || {
            let most = root.totals.into_iter();
            let stones = Side::BOTH.map(|side| u8::try_from(variant.stones(side)));
            let most = most.chain(stones.into_iter().flatten()).max().unwrap_or(0);
            let Prepared { rules, odds, .. } = prepared;
            let memory = memory_part(budget, 2);
            SmallSeries {
                size_and_run,
                portfolio: Portfolio::new(rules, odds, &root, Question::Winner, budget),
                together: Together::new(prepared.knowledge(), most, memory),
            }
        };
        self.large = None;
        let known = self.small.take().filter(fits);
        self.small.insert(known.unwrap_or_else(make))
    }

    /// Decides positions of one game together, which takes hardly longer than one of them alone:
    /// calls `found` with the number of each that is decided, and with what [`Series::winner`]
    /// says of it. Only positions of small boards are decided like that.
    pub fn decide_all(
        &mut self,
        positions: &[&Position],
        limits: &Limits,
        found: &mut (dyn FnMut(usize, Option<(Side, Option<u32>)>) + Send),
    ) {
        let board = |(number, position): (usize, &&Position)| {
            let board = SmallBoard::new(position).filter(|_| position.outcome().is_none());
            Some((number, board?))
        };
        let boards: Vec<(usize, SmallBoard)> =
            positions.iter().enumerate().filter_map(board).collect();
        let most = |(_, board): &&(usize, SmallBoard)| board.totals.into_iter().max();
        let Some(&(largest, root)) = boards.iter().max_by_key(most) else {
            return;
        };
        let variant = positions[largest].variant();
        let Some(prepared) = Prepared::of(variant) else {
            return;
        };
        let alike = |&(number, _): &(usize, SmallBoard)| {
            let other = positions[number].variant();
            (other.size(), other.run()) == (variant.size(), variant.run())
        };
        let boards: Vec<(usize, SmallBoard)> = boards.into_iter().filter(alike).collect();
        let budget = Budget {
            limits: limits.clone(),
            memory: self.memory,
        };
        let series = self.small_series(prepared, variant, root, &budget);
        series.decide_together(&boards, &begun(&budget), &mut |number, answer| {
            let winner = answer.map(|answer| by_side(positions[number], answer));
            found(number, winner.map(with_length));
        });
    }

    fn decide_large(
        &mut self,
        position: &Position,
        question: Question,
        budget: &Budget,
    ) -> Result<Answer, OutOfBudget> {
        let variant = position.variant();
        let rules = General::of(variant);
        let make = || LargeSeries {
            variant,
            portfolio: Portfolio::new(rules, &MaterialOdds, position, question, budget),
        };
        self.small = None;
        let known = self.large.take().filter(|known| known.variant == variant);
        let LargeSeries { portfolio, .. } = self.large.insert(known.unwrap_or_else(make));
        portfolio.turn_to(position, question);
        portfolio.run(budget, &mut 0, |memory| {
            HashedProver::new(rules, position, memory)
        })
    }
}

impl SmallSeries {
    fn decide(
        &mut self,
        prepared: &'static Prepared,
        root: SmallBoard,
        question: Question,
        budget: &Budget,
    ) -> Result<Answer, OutOfBudget> {
        // The set that all positions share and that of this one have the same memory.
        if self.together.bytes() > memory_part(budget, 2) / 2 {
            self.together.forget();
        }
        let shared = self.together.bytes();
        self.portfolio.turn_to(&root, question);
        self.portfolio.run(budget, &mut 0, |memory| {
            IndexedProver::new(prepared.knowledge(), root, memory.saturating_sub(shared))
        })
    }

    /// Positions are decided on two threads: ties by one safe set, wins one by one.
    fn decide_together(
        &mut self,
        boards: &[(usize, SmallBoard)],
        budget: &Budget,
        found: &mut (dyn FnMut(usize, Answer) + Send),
    ) {
        let limits = &budget.limits;
        let findings = Findings::new(boards.iter().map(|&(number, _)| number), found);
        let SmallSeries {
            portfolio,
            together,
            ..
        } = self;
        together.ask(boards.iter().copied());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut clock = Clock::start(limits);
                let mut progress = Progress::Paused;
                while progress == Progress::Paused && !findings.is_done() && !clock.check() {
                    for (number, mover_wins) in findings.take_wins() {
                        together.learn(number, mover_wins);
                    }
                    progress = together.run(limits, TOGETHER_SLICE, |number, mover_wins| {
                        findings.answer(number, mover_wins.map(|mover| (mover, 0)));
                    });
                }
            });
            let mut clock = Clock::start(limits);
            let mut slice = FIRST_TURN;
            while !findings.is_done() && !clock.check() {
                for (number, board) in boards
                    .iter()
                    .filter(|(number, _)| findings.is_open(*number))
                {
                    portfolio.turn_to(board, Question::Winner);
                    let answer =
                        portfolio.look_for_win(&mut clock, slice, || !findings.is_open(*number));
                    if let Some((mover_wins, _)) = answer {
                        findings.answer(*number, answer);
                        findings.pass_on(*number, mover_wins);
                    }
                }
                slice = slice.saturating_mul(TURN_GROWTH);
            }
        });
    }
}

/// A winner with the plies of the win, if they are known.
fn with_length((side, plies): (Side, u32)) -> (Side, Option<u32>) {
    (side, (plies > 0).then_some(plies))
}

/// Where threads leave what they have found.
struct Findings<'a>(Mutex<Found<'a>>);

struct Found<'a> {
    /// Positions that nobody has decided.
    open: BTreeSet<usize>,
    /// Wins that the safe set has not heard of.
    wins: Vec<(usize, bool)>,
    /// Hears of every answer.
    tell: &'a mut (dyn FnMut(usize, Answer) + Send),
}

impl<'a> Findings<'a> {
    fn new(
        open: impl Iterator<Item = usize>,
        tell: &'a mut (dyn FnMut(usize, Answer) + Send),
    ) -> Findings<'a> {
        Findings(Mutex::new(Found {
            open: open.collect(),
            wins: Vec::new(),
            tell,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Found<'a>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_open(&self, number: usize) -> bool {
        self.lock().open.contains(&number)
    }

    fn is_done(&self) -> bool {
        self.lock().open.is_empty()
    }

    /// The first answer counts; all are the same.
    fn answer(&self, number: usize, answer: Answer) {
        let found = &mut *self.lock();
        if found.open.remove(&number) {
            (found.tell)(number, answer);
        }
    }

    fn pass_on(&self, number: usize, mover_wins: bool) {
        self.lock().wins.push((number, mover_wins));
    }

    fn take_wins(&self) -> Vec<(usize, bool)> {
        std::mem::take(&mut self.lock().wins)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use search::{HeldTime, Time};

    use super::*;
    use crate::solve::solve;

    /// The positions of a game of at most so many moves in which it goes on.
    fn game(variant: &str, moves: usize) -> Vec<Position> {
        let mut position = Position::start(variant.parse().unwrap());
        let mut game = Vec::new();
        while position.outcome().is_none() && game.len() < moves {
            let turn = game.len();
            game.push(position);
            let moves = position.moves();
            position.play_unchecked(moves[(turn * 7 + 3) % moves.len()]);
        }
        game
    }

    /// Positions of a game, asked about in rounds, with a clock that goes on by a step at every
    /// reading: each gets the answer that it gets alone.
    #[test]
    fn a_series_says_what_is_said_of_each_alone() {
        let mut counts = [0; 2];
        for (variant, moves) in [
            ("3 3 5 5", 14),
            ("2 2 6 6", 12),
            ("3 4 5 5", 10),
            ("4 4 4 4", 8),
        ] {
            let mut game = game(variant, moves);
            let mut series = Series::new(1 << 26);
            let mut wall = Duration::from_millis(20);
            while !game.is_empty() {
                let limits = Limits {
                    time: Time::held(&HeldTime::new(Duration::from_micros(20))),
                    ..Limits::default().with_wall(wall)
                };
                game.retain(|position| {
                    let Ok(found) = series.solve(position, &limits) else {
                        return true;
                    };
                    assert_eq!(Ok(found), solve(position, &Budget::default()), "{position}");
                    counts[usize::from(found == Verdict::Tie)] += 1;
                    if let Verdict::Win(winner) = found {
                        let plies = series.shortest_win(position, 60, &Limits::default());
                        assert_eq!(plies.unwrap().unwrap().0, winner, "{position}");
                    }
                    false
                });
                wall *= 3;
            }
        }
        assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
    }

    /// Games on a clock of the machine, as long as it takes: everything is decided, and every
    /// answer is the one that is given alone.
    #[test]
    fn positions_of_a_game_are_decided_together() {
        let mut counts = [0; 2];
        for (variant, moves) in [("3 3 5 5", 14), ("2 2 6 6", 12), ("3 4 5 5", 10)] {
            let game = game(variant, moves);
            let asked: Vec<&Position> = game.iter().collect();
            let mut series = Series::new(1 << 26);
            let mut found = vec![None; game.len()];
            series.decide_all(&asked, &Limits::default(), &mut |number, winner| {
                assert!(found[number].is_none(), "twice");
                found[number] = Some(winner);
            });
            for (position, found) in game.iter().zip(found) {
                let found = found.expect("decided");
                let alone = solve(position, &Budget::default());
                let winner = found.map_or(Verdict::Tie, |(side, _)| Verdict::Win(side));
                assert_eq!(Ok(winner), alone, "{position}");
                counts[usize::from(found.is_none())] += 1;
                if let Some((side, Some(plies))) = found {
                    let shortest = series.shortest_win(position, plies, &Limits::default());
                    assert_eq!(shortest, Ok(Some((side, plies))), "{position}");
                }
            }
            // Once more: the set knows the ties.
            let mut again = 0;
            series.decide_all(&asked, &Limits::default(), &mut |_, _| again += 1);
            assert_eq!(again, game.len());
        }
        assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
        // Boards that are not small, and none at all, are left to others.
        let large = Position::start("4 4 4 4".parse().unwrap());
        let mut series = Series::new(1 << 26);
        for asked in [&[][..], &[&large][..]] {
            series.decide_all(asked, &Limits::default(), &mut |_, _| panic!("decided"));
        }
    }
}

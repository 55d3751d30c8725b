//! Positions that have much in common, such as those of one game, decided one after the other.

use std::time::Duration;

use gipf::Position;
use rules::{Game, Side};
use search::Limits;

use super::fixed_point::indexed::{IndexedProver, SharedProver, SharedSets};
use super::portfolio::{
    Answer, Portfolio, Prepared, Question, begun, by_side, decide, memory_part,
};
use super::proof_number::initial::SmallOdds;
use super::rules::{Small, SmallBoard};
use super::tuning::SHARED_FROM;
use super::{Budget, OutOfBudget, Verdict};

/// Decides positions that have much in common. What is found out about one is kept for the
/// others: wins in the tables of bounded and of proof-number search, ties in one safe set.
///
/// A position that is not decided within its limits stays part of that set, and time that is
/// given to another one is also spent on it: ask again when others have been asked about.
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
}

/// A series on one board size and run length.
struct SmallSeries {
    size_and_run: (u8, u8),
    portfolio: Portfolio<'static, Small, SmallOdds>,
    sets: SharedSets,
}

impl Series {
    /// A series that takes at most so many bytes.
    #[must_use]
    pub fn new(memory: usize) -> Series {
        Series {
            memory,
            small: None,
        }
    }

    /// Who wins, or that neither side can force a win.
    pub fn solve(&mut self, position: &Position, limits: &Limits) -> Result<Verdict, OutOfBudget> {
        let found = self.decide(position, Question::Winner, limits)?;
        Ok(found.map_or(Verdict::Tie, |(side, _)| Verdict::Win(side)))
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
        let small = SmallBoard::new(position).zip(Prepared::of(position.variant()));
        let Some((root, prepared)) = small.filter(|_| position.outcome().is_none()) else {
            return decide(position, question, &budget, &mut 0);
        };
        let variant = position.variant();
        let size_and_run = (variant.size(), variant.run());
        let fits = |known: &SmallSeries| {
            known.size_and_run == size_and_run && known.sets.has_room_for(root)
        };
        if !self.small.as_ref().is_some_and(fits) {
            let most = root.totals.into_iter();
            let stones = Side::BOTH.map(|side| u8::try_from(variant.stones(side)));
            let most = most.chain(stones.into_iter().flatten()).max().unwrap_or(0);
            let memory = memory_part(&budget, 2);
            self.small = Some(SmallSeries {
                size_and_run,
                portfolio: Portfolio::new(
                    &prepared.rules,
                    &prepared.odds,
                    &root,
                    question,
                    &budget,
                ),
                sets: SharedSets::new(prepared.knowledge(), most, memory),
            });
        }
        match &mut self.small {
            Some(series) => {
                let found = series.decide(prepared, root, question, &begun(&budget));
                Ok(found?.map(|answer| by_side(position, answer)))
            }
            None => Err(OutOfBudget),
        }
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
        self.portfolio.turn_to(&root, question);
        let short = |wall: Duration| wall < SHARED_FROM;
        // Short questions find what is near, and those for a length are about wins: neither
        // burdens the set.
        let alone = question != Question::Winner || budget.limits.wall.is_some_and(short);
        let found = if alone {
            self.portfolio.run(budget, &mut 0, |memory| {
                IndexedProver::new(prepared.knowledge(), root, memory)
            })
        } else {
            let sets = &mut self.sets;
            self.portfolio
                .run(budget, &mut 0, |_| SharedProver::new(sets, root))
        };
        if let Ok(Some((mover_wins, _))) = found {
            self.sets.learn(root, mover_wins);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use search::{HeldTime, Time};

    use super::*;
    use crate::solve::solve;

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
            let mut position = Position::start(variant.parse().unwrap());
            let mut game = Vec::new();
            for turn in 0..moves {
                game.push(position);
                let moves = position.moves();
                position.play_unchecked(moves[(turn * 7 + 3) % moves.len()]);
                if position.outcome().is_some() {
                    break;
                }
            }
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
}

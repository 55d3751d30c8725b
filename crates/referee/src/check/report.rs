//! The grade of one program: every case, points by rule, failures by cause.

use serde::{Deserialize, Serialize};

use super::case::GAMES;
use super::{CaseResult, Subject};
use crate::Isolation;

/// The grade of one program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckReport {
    /// What it was graded as.
    pub subject: Subject,
    /// Its command line.
    pub program: String,
    /// The seed of the generated cases.
    pub seed: u64,
    /// How it was kept apart.
    pub isolation: Isolation,
    /// Every case in order.
    pub cases: Vec<CaseResult>,
}

/// How points are counted, in words.
pub const WEIGHTS: &str =
    "every rule counts the same, but random dialogues as much as all others together";

/// How many cases of a rule passed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RuleScore {
    /// The rule of the document.
    pub rule: String,
    /// How many of its cases passed.
    pub passed: usize,
    /// How many there are.
    pub cases: usize,
}

impl RuleScore {
    /// From 0 to 1.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.passed as f64 / self.cases.max(1) as f64
    }
}

/// Failures with one cause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group<'a> {
    /// What they have in common.
    pub cause: &'a str,
    /// The failed cases, the one with the shortest input first.
    pub cases: Vec<&'a CaseResult>,
}

impl CheckReport {
    /// How many cases passed.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.passed()).count()
    }

    /// Whether all of them did.
    #[must_use]
    pub fn all_passed(&self) -> bool {
        self.passed() == self.cases.len()
    }

    /// The score of every rule, in the order of the cases.
    #[must_use]
    pub fn rules(&self) -> Vec<RuleScore> {
        let mut rules: Vec<RuleScore> = Vec::new();
        for case in &self.cases {
            let place = rules.iter().position(|score| score.rule == case.rule);
            let place = place.unwrap_or_else(|| {
                rules.push(RuleScore {
                    rule: case.rule.clone(),
                    passed: 0,
                    cases: 0,
                });
                rules.len() - 1
            });
            rules[place].cases += 1;
            rules[place].passed += usize::from(case.passed());
        }
        rules
    }

    /// The grade from 0 to 100, by [`WEIGHTS`].
    #[must_use]
    pub fn points(&self) -> f64 {
        let rules = self.rules();
        let (games, others): (Vec<_>, Vec<_>) = rules.iter().partition(|score| score.rule == GAMES);
        let halves = [games, others];
        let halves = halves.iter().filter(|half| !half.is_empty()).map(|half| {
            let sum: f64 = half.iter().map(|score| score.points()).sum();
            sum / half.len() as f64
        });
        let (sum, count) = halves.fold((0.0, 0), |(sum, count), half| (sum + half, count + 1));
        100.0 * sum / f64::from(count.max(1))
    }

    /// The failures by cause, those with most cases first.
    #[must_use]
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group> = Vec::new();
        for case in &self.cases {
            let Some(failure) = &case.failure else {
                continue;
            };
            let cause = failure.cause.as_str();
            match groups.iter_mut().find(|group| group.cause == cause) {
                Some(group) => group.cases.push(case),
                None => groups.push(Group {
                    cause,
                    cases: vec![case],
                }),
            }
        }
        for group in &mut groups {
            group.cases.sort_by_key(|case| case.input.len());
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.cases.len()));
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::CheckOptions;
    use crate::check::checker::left_out;
    use crate::{IsolationMode, Kind, PlayerSpec, process};

    /// The points of a program that passes the cases of these rules alone.
    fn points(passed: impl Fn(&str) -> bool) -> f64 {
        let spec = PlayerSpec::program(Kind::Argv, Vec::new());
        let cases = Subject::Reversi.cases(&CheckOptions::default());
        let results = cases.iter().map(|case| {
            let mut result = left_out(case, &spec, 1);
            result.failure.take_if(|_| passed(case.rule));
            result
        });
        let report = CheckReport {
            subject: Subject::Reversi,
            program: String::new(),
            seed: 1,
            isolation: process::resolve(IsolationMode::None).unwrap().clone(),
            cases: results.collect(),
        };
        report.points()
    }

    #[test]
    fn who_knows_all_that_is_the_same_with_every_seed_has_half_of_the_points() {
        assert_eq!(points(|_| true), 100.0);
        assert_eq!(points(|_| false), 0.0);
        assert_eq!(points(|rule| rule != GAMES), 50.0);
        assert_eq!(points(|rule| rule == GAMES), 50.0);
    }
}

//! Positions to train on, and how far one has come with them.

use games::AnyPosition;
use review::{Case, Suite};
use serde::{Deserialize, Serialize};

use crate::Site;
use crate::fault::Fault;
use crate::fresh_id;

/// Under which kind trainings are kept.
const TRAINING: &str = "training";

/// Own moves after which a value that still holds counts as kept: draws and long wins need not
/// be played to an end.
pub(super) const ENOUGH: usize = 10;

/// The most positions of one training.
const MOST_POSITIONS: usize = 500;

/// Positions to train on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Training {
    pub(crate) id: String,
    pub(super) title: String,
    /// Where the positions come from: an address of this site, or nothing.
    pub(super) back: String,
    /// The positions, as `ludex review --export` writes them.
    suite: String,
    pub(super) progress: Vec<Progress>,
}

/// How far one has come with a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Progress {
    /// How often it was solved.
    pub(super) solved: u32,
    /// How often it was not.
    pub(super) failed: u32,
    /// The moves of this try, of both sides.
    pub(super) line: Vec<String>,
    pub(super) state: State,
}

/// How a try stands.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// It goes on.
    #[default]
    Open,
    /// The value was kept.
    Solved,
    /// The last own move gave it away: what it is worth, in words.
    Failed(String),
}

impl Progress {
    /// Begins a new try.
    pub(super) fn again(&mut self) {
        self.line.clear();
        self.state = State::Open;
    }

    /// Ends a try.
    pub(super) fn end(&mut self, state: State) {
        match &state {
            State::Open => {}
            State::Solved => self.solved += 1,
            State::Failed(_) => self.failed += 1,
        }
        self.state = state;
    }
}

impl Training {
    /// Keeps positions to train on.
    pub(crate) async fn create(
        site: &Site,
        title: &str,
        back: &str,
        mut suite: Suite,
    ) -> Result<Training, Fault> {
        suite.cases.truncate(MOST_POSITIONS);
        if suite.cases.is_empty() {
            return Err(Fault::refused("there are no positions to train on"));
        }
        let training = Training {
            id: fresh_id(),
            title: title.chars().take(200).collect(),
            back: back.into(),
            progress: vec![Progress::default(); suite.cases.len()],
            suite: suite.to_string(),
        };
        training.save(site).await?;
        Ok(training)
    }

    /// The training with this id.
    pub(super) async fn find(site: &Site, id: &str) -> Result<Training, Fault> {
        let found: Option<Training> = site.documents.get(TRAINING, id).await?;
        found.ok_or_else(|| Fault::missing(format!("there is no training {id:?}")))
    }

    /// The latest trainings.
    pub(super) async fn latest(site: &Site, limit: u32) -> Result<Vec<Training>, Fault> {
        site.documents.latest(TRAINING, limit).await
    }

    /// Changes how far one has come with a position, and nothing else: other tabs may be at work on
    /// other positions.
    pub(super) async fn change(
        site: &Site,
        id: &str,
        at: usize,
        change: impl FnOnce(&mut Progress),
    ) -> Result<(), Fault> {
        let _alone = site.training.lock().await;
        let mut training = Training::find(site, id).await?;
        change(&mut training.progress[at]);
        training.save(site).await
    }

    async fn save(&self, site: &Site) -> Result<(), Fault> {
        site.documents.put(TRAINING, &self.id, self).await
    }

    /// The positions.
    pub(super) fn suite(&self) -> Result<Suite, Fault> {
        self.suite.parse().map_err(Fault::ours)
    }

    /// How many positions were solved at least once.
    pub(super) fn solved(&self) -> usize {
        let solved = self.progress.iter().filter(|one| one.solved > 0);
        solved.count()
    }

    /// The position to train on next, other than this one if there is another: the first of
    /// those that were solved least often compared with how often they were not.
    pub(super) fn next(&self, now: Option<usize>) -> usize {
        let numbers = 0..self.progress.len();
        let known = |number: &usize| {
            let Progress { solved, failed, .. } = self.progress[*number];
            (
                Some(*number) == now,
                i64::from(solved) * 2 - i64::from(failed.min(1)),
            )
        };
        numbers.min_by_key(known).unwrap_or(0)
    }
}

/// Every position of a try.
pub(super) fn positions(case: &Case, line: &[String]) -> Result<Vec<AnyPosition>, Fault> {
    let start = case.position.to_string();
    crate::play::game::replay(case.position.game(), &start, line).map_err(Fault::ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn training(progress: &[(u32, u32)]) -> Training {
        let progress = progress.iter().map(|&(solved, failed)| Progress {
            solved,
            failed,
            ..Progress::default()
        });
        Training {
            id: "x".into(),
            title: String::new(),
            back: String::new(),
            suite: String::new(),
            progress: progress.collect(),
        }
    }

    #[test]
    fn what_went_wrong_comes_first_and_what_is_solved_last() {
        assert_eq!(training(&[(0, 0), (0, 2), (1, 0)]).next(None), 1);
        assert_eq!(training(&[(0, 0), (0, 2), (1, 0)]).next(Some(1)), 0);
        assert_eq!(training(&[(1, 0), (1, 1), (2, 0)]).next(None), 1);
        assert_eq!(training(&[(1, 0)]).next(Some(0)), 0);
        assert_eq!(training(&[(1, 0), (0, 1), (0, 0)]).solved(), 1);
    }
}

//! Other machines that play the games of a course and grade its programs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use referee::check::CheckReport;
use referee::{GameRecord, GameSetup};
use tokio::runtime::Handle;
use tournament::RunError;
use tournament::runner::{Grading, NoResult, RemoteMachines, TaskRunner};

use crate::judge::Trouble;

/// So many versions are judged and pairs played at once: whoever waits for other machines costs
/// this one little.
pub(crate) const AT_ONCE: usize = 64;

/// Other machines, as the threads of an open course use them.
#[derive(Clone, Debug)]
pub(crate) struct Workers {
    /// For finals.
    pub(crate) remote: Arc<dyn RemoteMachines>,
    tasks: Arc<dyn TaskRunner>,
    /// Where everything that waits for them runs.
    runtime: Handle,
}

impl Workers {
    /// Opens the runner of tasks of this name there.
    pub(crate) async fn open(
        remote: Arc<dyn RemoteMachines>,
        name: &str,
    ) -> Result<Workers, RunError> {
        Ok(Workers {
            tasks: remote.task_runner(name).await?,
            remote,
            runtime: Handle::current(),
        })
    }

    pub(crate) fn play(
        &self,
        games: Vec<GameSetup>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Vec<GameRecord>, Trouble> {
        let played = self.runtime.block_on(self.tasks.play(games, stop.clone()));
        played.map_err(trouble)
    }

    pub(crate) fn grade(
        &self,
        grading: Grading,
        tried: &(dyn Fn(usize, usize) + Sync),
        stop: &Arc<AtomicBool>,
    ) -> Result<CheckReport, Trouble> {
        let graded = self.tasks.grade(grading, tried, stop.clone());
        self.runtime.block_on(graded).map_err(trouble)
    }
}

fn trouble(why: NoResult) -> Trouble {
    match why {
        NoResult::Stopped => Trouble::Stopped,
        NoResult::Machine(what) => Trouble::Machine(what),
    }
}

//! Other machines that play the games of a course and grade its programs.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use referee::check::CheckReport;
use referee::{GameRecord, GameSetup};
use tokio::runtime::Handle;
use tournament::RunError;
use tournament::runner::{Desk, Elsewhere, Grading, Spoilt};

use crate::judge::Trouble;

/// So many versions are judged and pairs played at once: whoever waits for other machines costs
/// this one little.
pub(crate) const AT_ONCE: usize = 64;

/// Other machines, as the threads of an office use them.
#[derive(Clone, Debug)]
pub(crate) struct Workers {
    /// For finals.
    pub(crate) elsewhere: Arc<dyn Elsewhere>,
    desk: Arc<dyn Desk>,
    /// Where everything that waits for them runs.
    runtime: Handle,
}

impl Workers {
    /// Opens the desk of this name there.
    pub(crate) async fn open(
        elsewhere: Arc<dyn Elsewhere>,
        name: &str,
    ) -> Result<Workers, RunError> {
        Ok(Workers {
            desk: elsewhere.desk(name).await?,
            elsewhere,
            runtime: Handle::current(),
        })
    }

    pub(crate) fn play(
        &self,
        games: Vec<GameSetup>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Vec<GameRecord>, Trouble> {
        let played = self.runtime.block_on(self.desk.play(games, stop.clone()));
        played.map_err(trouble)
    }

    pub(crate) fn grade(
        &self,
        grading: Grading,
        tried: &(dyn Fn(usize, usize) + Sync),
        stop: &Arc<AtomicBool>,
    ) -> Result<CheckReport, Trouble> {
        let graded = self.desk.grade(grading, tried, stop.clone());
        self.runtime.block_on(graded).map_err(trouble)
    }
}

fn trouble(spoilt: Spoilt) -> Trouble {
    match spoilt {
        Spoilt::Stopped => Trouble::Stopped,
        Spoilt::Machine(what) => Trouble::Machine(what),
    }
}

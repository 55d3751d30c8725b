//! Where games are played: by threads of this process, or elsewhere.
//!
//! The runner decides what is played and keeps what comes of it; a [`Venue`] plays. The one that
//! is always there is the pool of threads of this process.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use referee::check::{Candidate, CheckReport, Subject};
use referee::{GameRecord, GameSetup, Limits, RefereeError};

use super::{Observer, RunError};
use crate::config::Config;
use crate::schedule::Fixture;

/// Work that is under way.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its id.
    pub id: String,
    /// Who meets, and where it stands in the schedule.
    pub fixture: Fixture,
    /// All that decides how it is played.
    pub setup: GameSetup,
}

/// A game that has been played.
#[derive(Debug)]
pub struct Done {
    /// Its id.
    pub id: String,
    /// Its record.
    pub result: Result<GameRecord, Failure>,
}

/// Why a game has no record.
#[derive(Debug)]
pub enum Failure {
    /// It cannot be set up.
    Setup(RefereeError),
    /// The referee or a built-in bot is broken: what it said.
    Panic(String),
    /// It was tried several times and nothing came back: what is known. It is put aside until
    /// somebody wants it to be played again.
    Quarantined(String),
}

/// Plays games.
pub trait Venue: Send {
    /// Whether the two games of a pair are given together, where both can be played.
    fn takes_pairs(&self) -> bool {
        false
    }

    /// Whether there should be more games to choose from.
    fn wants_more(&self) -> bool;

    /// Takes games that belong together.
    fn send(&mut self, games: Vec<Job>) -> Pending<'_, Result<(), RunError>>;

    /// The next game that is over; `None` if none is being played or the caller of the runner
    /// wishes to stop.
    fn next(&mut self) -> Pending<'_, Result<Option<Done>, RunError>>;

    /// A game that [`Venue::next`] has returned is kept, or has been kept before.
    fn kept<'a>(&'a mut self, _id: &'a str) -> Pending<'a, ()> {
        Box::pin(async {})
    }

    /// Games that were quarantined and are to be played again.
    fn released(&mut self) -> Pending<'_, Result<Vec<String>, RunError>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    /// Gives up what is being played, and returns what was finished meanwhile. Nothing of this
    /// tournament will be needed any more if it is finished.
    fn stop(self: Box<Self>, finished: bool) -> Pending<'static, Vec<Done>>;
}

/// The tournament that a venue is opened for.
pub struct Opening<'a> {
    /// Its id.
    pub tournament: &'a str,
    /// All that decides how it goes.
    pub config: &'a Config,
    /// The wish to stop.
    pub stop: Arc<AtomicBool>,
    /// Who wants to know what happens.
    pub observer: Arc<dyn Observer>,
}

/// Other machines on which games can be played.
pub trait RemoteMachines: Send + Sync + fmt::Debug {
    /// Opens a venue for a tournament.
    fn open<'a>(&'a self, opening: Opening<'a>) -> Pending<'a, Result<Box<dyn Venue>, RunError>>;

    /// Opens a runner of tasks of this name: one at a time.
    fn task_runner<'a>(
        &'a self,
        name: &'a str,
    ) -> Pending<'a, Result<Arc<dyn TaskRunner>, RunError>>;
}

/// A program to be graded, and how.
#[derive(Clone, Debug)]
pub struct Grading {
    /// What it is graded as.
    pub subject: Subject,
    /// Decides the generated cases.
    pub seed: u64,
    /// How many cases are generated.
    pub generated: usize,
    /// Limits that differ from the usual ones.
    pub limits: Limits,
    /// The program.
    pub candidate: Candidate,
}

/// Why nothing came of something; no fault of the programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoResult {
    /// Somebody said stop.
    Stopped,
    /// Something is wrong with the machines: what.
    Machine(String),
}

/// Other machines on which games are played that belong to no tournament, and programs graded.
pub trait TaskRunner: Send + Sync + fmt::Debug {
    /// Plays games one after the other on one machine, until `stop` is set.
    fn play(
        &self,
        games: Vec<GameSetup>,
        stop: Arc<AtomicBool>,
    ) -> Pending<'_, Result<Vec<GameRecord>, NoResult>>;

    /// Grades a program, until `stop` is set. `tried` hears from time to time how many cases have
    /// been tried, and of how many; first of none, when it is begun.
    fn grade<'a>(
        &'a self,
        grading: Grading,
        tried: &'a (dyn Fn(usize, usize) + Sync),
        stop: Arc<AtomicBool>,
    ) -> Pending<'a, Result<CheckReport, NoResult>>;
}

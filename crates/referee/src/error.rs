//! What is wrong with a game that was asked for.

use thiserror::Error;

/// A game cannot be set up as asked. What goes wrong during a game is never an error:
/// it is a [`Verdict`](crate::Verdict).
#[derive(Debug, Error)]
pub enum RefereeError {
    /// A player that cannot be.
    #[error("player {name:?}: {reason}")]
    Player {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A game without turns that can be lost.
    #[error("a fault in {0} cannot cost just a turn")]
    NoTurns(games::GameName),
    /// The way of isolating programs that was asked for is not to be had.
    #[error("no isolation by {mode}: {reason}")]
    Isolation {
        /// What was asked for.
        mode: String,
        /// Why it does not work.
        reason: String,
    },
    /// Limits or penalties that leave nothing to play.
    #[error("{0}")]
    Nothing(String),
    /// The machine was too busy, over and over.
    #[error("the machine was too busy to judge the players' time, {times} times in a row")]
    Busy {
        /// How often.
        times: u32,
    },
    /// The machine could not start a program, whichever it was.
    #[error("the machine could not start a program: {reason}")]
    NotStarted {
        /// The system's reason.
        reason: String,
    },
    /// A record that cannot be replayed.
    #[error("bad record: {reason}")]
    Record {
        /// What is wrong with it.
        reason: String,
    },
    /// The referee's own folders cannot be made.
    #[error("{path}: {error}")]
    Folder {
        /// Which one.
        path: String,
        /// The system's reason.
        error: std::io::Error,
    },
}

//! Where games are kept: one SQLite file that only ever grows.
//!
//! A game is written with all its moves in one transaction when it is over, under an id
//! that its place in the tournament decides. So a runner may die at any moment: what it
//! had finished is there, what it had not is not, and nothing can be there twice.
//! Triggers in the database refuse to change or remove a row of a tournament.

mod again;
mod connections;
mod documents;
mod library;
mod migrations;
mod proofs;
mod read;
mod rows;
mod schema;
mod write;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::Connection;
use thiserror::Error;

use connections::Connections;

pub use connections::{check_database, open_database};

pub use library::{LibraryFound, LibraryGame, LibraryMove, LibraryQuery};
pub use read::{GameFilter, GameOrder};
pub use rows::{
    FaultRow, GameRow, Moment, Note, NoteKind, PlayerRow, SlowMove, TournamentRow, TurnRow,
    days_before,
};
pub use schema::{Kind, Schema};

/// The store of games. Cheap to clone; all clones share their connections.
#[derive(Clone, Debug)]
pub struct Store {
    connections: Arc<Connections>,
    /// Whether changes wait for the disk.
    lasting: bool,
}

/// Why the store could not do what it was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file cannot be opened or made.
    #[error("cannot open {}: {}", path.display(), reason(why))]
    Open {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: rusqlite::Error,
    },
    /// The file was written by a newer version.
    #[error(
        "{} is of a newer version of ludex: it has {steps} steps, this version knows {known}",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// How many steps brought the file to where it is.
        steps: usize,
        /// How many steps this version knows.
        known: usize,
    },
    /// The file is a database, but not of the kind that is wanted.
    #[error("{} {what}", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// What it is, and what to do with it.
        what: String,
    },
    /// A store that has to be there is not.
    #[error("{}: {what}", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// What is there instead.
        what: &'static str,
    },
    /// Reading or writing failed.
    #[error("the store fails: {0}")]
    Query(#[from] rusqlite::Error),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
    /// A text in the store is not what it should be.
    #[error("{what} in the store cannot be read: {source}")]
    Content {
        /// Which text.
        what: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// There is no such tournament.
    #[error("there is no tournament {0:?}")]
    NoTournament(String),
    /// There is no such game.
    #[error("there is no game {0:?}")]
    NoGame(String),
}

/// What SQLite says, without the path that is named already.
fn reason(error: &rusqlite::Error) -> String {
    match error.sqlite_error() {
        Some(error) => rusqlite::ffi::code_to_str(error.extended_code).to_lowercase(),
        None => error.to_string(),
    }
}

/// What readers and writers of the store return.
pub type StoreResult<T> = Result<T, StoreError>;

impl Store {
    /// Opens a file, and makes it if it is not there.
    pub async fn open(path: impl AsRef<Path>) -> StoreResult<Store> {
        Ok(Store {
            connections: Arc::new(Connections::open(path.as_ref()).await?),
            lasting: false,
        })
    }

    /// Opens a file that has to be there and to hold a store: what only reads makes none.
    pub async fn open_existing(path: impl AsRef<Path>) -> StoreResult<Store> {
        Store::check(path.as_ref())?;
        Store::open(path).await
    }

    /// Whether a store of games is there and can be opened. Nothing is made or written.
    pub fn check(path: &Path) -> StoreResult<()> {
        check_database(path, &migrations::GAMES)
    }

    /// A store that is forgotten when it is closed.
    pub async fn in_memory() -> StoreResult<Store> {
        Ok(Store {
            connections: Arc::new(Connections::in_memory()?),
            lasting: false,
        })
    }

    /// The same store, where a change is on the disk when it is done, with all before it: not even a
    /// power cut takes it back. For what is acknowledged to somebody who forgets it then.
    #[must_use]
    pub fn lasting(&self) -> Store {
        Store {
            connections: self.connections.clone(),
            lasting: true,
        }
    }

    /// Runs work on a connection of this store.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        self.connections.run(work).await
    }

    /// Writes everything to the file and closes it. Other clones cannot be used afterwards.
    pub async fn close(&self) {
        self.connections.close().await;
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_millis() as i64)
}

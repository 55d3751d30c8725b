//! Where games are kept: one SQLite file that only ever grows.
//!
//! A game is written with all its moves in one transaction when it is over, under an id
//! that its place in the tournament decides. So a runner may die at any moment: what it
//! had finished is there, what it had not is not, and nothing can be there twice.
//! Triggers in the database refuse to change or remove a row of a tournament.

mod documents;
mod read;
mod rows;
mod write;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{SqlSafeStr as _, SqlitePool};
use thiserror::Error;

pub use read::{GameFilter, GameOrder};
pub use rows::{
    FaultRow, GameRow, Moment, Note, NoteKind, PlayerRow, SlowMove, TournamentRow, TurnRow,
};

/// The store of games. Cheap to clone; all clones share their connections.
#[derive(Clone, Debug)]
pub struct Store {
    pool: SqlitePool,
}

/// Why the store could not do what it was asked.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file cannot be opened or made.
    #[error("cannot open {}: {}", path.display(), told(why))]
    Open {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: sqlx::Error,
    },
    /// The file is of a newer or broken version.
    #[error("cannot bring the store up to date: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// Reading or writing failed.
    #[error("the store fails: {0}")]
    Query(#[from] sqlx::Error),
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

/// What SQLite says, without the numbers around it.
fn told(error: &sqlx::Error) -> String {
    match error.as_database_error() {
        Some(error) => error.message().into(),
        None => error.to_string(),
    }
}

/// Whether another process held the file. The last byte of SQLite's codes is their kind.
fn is_busy(error: &sqlx::Error) -> bool {
    const SQLITE_BUSY: i32 = 5;
    let code = error.as_database_error().and_then(|error| error.code());
    let code = code.and_then(|code| code.parse::<i32>().ok());
    code.is_some_and(|code| code & 0xff == SQLITE_BUSY)
}

/// What readers and writers of the store return.
pub type StoreResult<T> = Result<T, StoreError>;

/// How long to wait for another process that is writing.
const BUSY: Duration = Duration::from_secs(30);

/// How often to try again, and how long to wait before, where others make the same file.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(30);

impl Store {
    /// Opens a file, and makes it if it is not there.
    pub async fn open(path: impl AsRef<Path>) -> StoreResult<Store> {
        let mut tries = 0;
        loop {
            match Store::open_once(path.as_ref()).await {
                // Somebody else is setting up the same new file; soon it will be there.
                // Changing its journal does not wait for others, whatever the time allowed.
                Err(StoreError::Open { why, .. }) if is_busy(&why) && tries < TRIES => {
                    tries += 1;
                    tokio::time::sleep(PAUSE).await;
                }
                result => return result,
            }
        }
    }

    async fn open_once(path: &Path) -> StoreResult<Store> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // With a write-ahead log this loses nothing when a process dies, and at worst
            // the last games, never the file, when the machine does.
            .synchronous(SqliteSynchronous::Normal)
            .busy_timeout(BUSY)
            .foreign_keys(true);
        let pool = SqlitePoolOptions::new()
            .max_connections(8)
            .connect_with(options)
            .await
            .map_err(|why| StoreError::Open {
                path: path.into(),
                why,
            })?;
        Store::migrated(pool).await
    }

    /// A store that is forgotten when it is closed.
    pub async fn in_memory() -> StoreResult<Store> {
        // Every connection to `:memory:` would be a database of its own.
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .connect_with(SqliteConnectOptions::new().in_memory(true))
            .await?;
        Store::migrated(pool).await
    }

    async fn migrated(pool: SqlitePool) -> StoreResult<Store> {
        // In one transaction that begins when it can write: whoever comes second waits for
        // the first, and finds the steps done.
        let mut transaction = pool.begin_with("BEGIN IMMEDIATE").await?;
        // (`run` would do the same, but what it returns could not be sent between threads.)
        let all = None;
        migrator().run_direct(all, &mut *transaction, false).await?;
        transaction.commit().await?;
        Ok(Store { pool })
    }

    /// Writes everything to the file and closes it. Other clones cannot be used afterwards.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// The steps that bring a file up to date, the oldest first. None is ever changed: what is
/// missing comes as another step.
fn migrator() -> Migrator {
    let step = |version, what: &'static str, sql: &'static str| {
        let sql = sql.into_sql_str();
        Migration::new(version, what.into(), MigrationType::Simple, sql, false)
    };
    Migrator::with_migrations(vec![
        step(1, "games", include_str!("../../migrations/0001_games.sql")),
        step(
            2,
            "documents",
            include_str!("../../migrations/0002_documents.sql"),
        ),
    ])
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_millis() as i64)
}

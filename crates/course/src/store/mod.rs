//! What a course keeps: people, hand-ins, verdicts, games, finals, in one SQLite file.
//!
//! Every call blocks for a moment, so whoever must not block calls it on a thread that may.
//! What a call has written when it returns is on the disk.

mod backup;
mod finals;
mod games;
mod people;
mod versions;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, TransactionBehavior, params};
use tournament::StoreError;
use tournament::store::open_database;

use crate::time::{Millis, now};

pub use backup::{BackupError, Checked, backup, restore};
pub use finals::{FinalRow, FrozenRow};
pub use games::{
    ChallengeRow, GameRow, LadderGame, NewGame, Purpose, QuarantineRow, Side, player_of_version,
};
pub use people::{Added, LOGIN_SECONDS, Person, Role, TokenRow};
pub use versions::{HandIn, NotTaken, State, Step, StepName, VersionRow};

/// What calls to the store return.
pub type StoreResult<T> = Result<T, StoreError>;

const STEPS: [&str; 2] = [
    include_str!("../../migrations/0001_course.sql"),
    include_str!("../../migrations/0002_secret.sql"),
];

/// The store of a course.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

/// A line of the log that staff read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditRow {
    /// When.
    pub at: Millis,
    /// Who; nobody for what the course did itself.
    pub person: Option<i64>,
    /// What.
    pub what: String,
}

impl Store {
    /// Opens the file, and makes it if it is not there.
    pub fn open(path: &Path) -> StoreResult<Store> {
        let first = connect(path)?;
        keep_private(path);
        Ok(Store {
            path: path.into(),
            idle: Mutex::new(vec![first]),
        })
    }

    /// Reads.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> StoreResult<T> {
        let connection = self.take()?;
        let result = work(&connection);
        self.idle().push(connection);
        Ok(result?)
    }

    /// Writes all or nothing.
    fn write<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> StoreResult<T> {
        let mut connection = self.take()?;
        let result = (|| {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&change)?;
            change.commit()?;
            Ok(value)
        })();
        self.idle().push(connection);
        result
    }

    fn take(&self) -> StoreResult<Connection> {
        let idle = self.idle().pop();
        match idle {
            Some(connection) => Ok(connection),
            None => connect(&self.path),
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What nobody outside is told: 256 random bits, made with the store.
    pub(crate) fn secret(&self) -> StoreResult<String> {
        self.read(|db| db.query_row("SELECT value FROM secret", (), |row| row.get(0)))
    }

    /// Writes into the log that staff read.
    pub fn note(&self, person: Option<i64>, what: &str) -> StoreResult<()> {
        self.write(|db| note(db, person, what))
    }

    /// The latest lines of the log, the newest first.
    pub fn audit(&self, most: u32) -> StoreResult<Vec<AuditRow>> {
        self.read(|db| {
            let sql = "SELECT at, person, what FROM audit ORDER BY id DESC LIMIT ?1";
            let mut statement = db.prepare(sql)?;
            let rows = statement.query_map([most], |row| {
                Ok(AuditRow {
                    at: row.get(0)?,
                    person: row.get(1)?,
                    what: row.get(2)?,
                })
            })?;
            rows.collect()
        })
    }
}

/// Keeps everybody else on this machine out of a database and the files that belong to it: people and
/// the hashes of their passwords are in it. One of another owner is that one's business.
pub(crate) fn keep_private(database: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let mut path = database.as_os_str().to_owned();
        path.push(ending);
        let _ = referee::keep_private(Path::new(&path));
    }
}

fn note(db: &Connection, person: Option<i64>, what: &str) -> rusqlite::Result<()> {
    let sql = "INSERT INTO audit (at, person, what) VALUES (?1, ?2, ?3)";
    db.execute(sql, params![now(), person, what])?;
    Ok(())
}

fn connect(path: &Path) -> StoreResult<Connection> {
    let connection = open_database(path, &STEPS)?;
    // A hand-in is acknowledged when it is on the disk, whatever happens to the machine then.
    connection.pragma_update(None, "synchronous", "full")?;
    Ok(connection)
}

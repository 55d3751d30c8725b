//! The connections of a store: SQLite blocks, so its work runs on threads that may.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

use super::migrations::{self, GAMES};
use super::{Schema, StoreError, StoreResult};

/// How many connections a file has at most. A database in memory has one, because each
/// connection to `:memory:` would be a database of its own.
const MOST: u32 = 8;

/// How long to wait for another process that is writing.
const BUSY: Duration = Duration::from_secs(30);

/// The pause before the next attempt, where SQLite does not wait by itself.
const PAUSE: Duration = Duration::from_millis(30);

/// Connections to one database.
#[derive(Debug)]
pub(super) struct Connections {
    /// The file; `None` for a database in memory.
    path: Option<PathBuf>,
    idle: Mutex<Vec<Connection>>,
    /// One permit for each connection that may be in use.
    permits: Arc<Semaphore>,
    most: u32,
}

impl Connections {
    /// Opens a file, makes it if it is missing, and brings it up to date.
    pub(super) async fn open(path: &Path) -> StoreResult<Connections> {
        let path = path.to_owned();
        blocking(move || {
            let first = open_database(&path, &GAMES)?;
            Ok(Connections::new(Some(path), first, MOST))
        })
        .await
    }

    /// A database in memory.
    pub(super) fn in_memory() -> StoreResult<Connections> {
        let mut only = Connection::open_in_memory()?;
        migrations::run(&mut only, Path::new(":memory:"), &GAMES)?;
        Ok(Connections::new(None, only, 1))
    }

    fn new(path: Option<PathBuf>, first: Connection, most: u32) -> Connections {
        Connections {
            path,
            idle: Mutex::new(vec![first]),
            permits: Arc::new(Semaphore::new(most as usize)),
            most,
        }
    }

    /// Runs work on a connection that nobody else uses meanwhile. The work is completed even
    /// if the caller stops waiting for it.
    pub(super) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Connection) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        let connections = Arc::clone(self);
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|_| StoreError::Closed)?;
        blocking(move || {
            let _permit = permit;
            let mut connection = connections.take()?;
            let result = work(&mut connection);
            connections.idle().push(connection);
            result
        })
        .await
    }

    /// Waits for work in progress and closes all connections; the last one of a file writes
    /// its log back. No work is accepted afterwards.
    pub(super) async fn close(self: &Arc<Self>) {
        if let Ok(all) = self.permits.acquire_many(self.most).await {
            self.permits.close();
            drop(all);
            let connections = Arc::clone(self);
            let _ = spawn_blocking(move || connections.idle().clear()).await;
        }
    }

    /// An idle connection, or a new one.
    fn take(&self) -> StoreResult<Connection> {
        let idle = self.idle().pop();
        match (idle, &self.path) {
            (Some(connection), _) => Ok(connection),
            (None, Some(path)) => connect(path, &GAMES),
            (None, None) => Err(StoreError::Closed),
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        // A list of connections is whole whatever panicked while it was locked.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens a database, makes it if it is missing, and takes those steps that it lacks. One of another
/// kind is refused and left as it is.
pub fn open_database(path: &Path, schema: &Schema) -> StoreResult<Connection> {
    let mut connection = connect(path, schema)?;
    migrations::run(&mut connection, path, schema)?;
    Ok(connection)
}

/// Whether a store of this kind is there and can be opened. Nothing is made or written.
pub fn check_database(path: &Path, schema: &Schema) -> StoreResult<()> {
    let missing = |what| StoreError::Missing {
        path: path.into(),
        what,
    };
    match path.metadata() {
        Err(why) if why.kind() == ErrorKind::NotFound => return Err(missing("no such file")),
        Ok(data) if data.is_file() && data.len() == 0 => return Err(missing("an empty file")),
        _ => {}
    }
    let flags = OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE;
    let done = retried(path, || schema.steps_done(&connected(path, flags)?, path))?;
    match done {
        0 => Err(missing("an empty database")),
        _ => Ok(()),
    }
}

/// Runs a function that blocks, away from the threads that must not.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> StoreResult<T> + Send + 'static,
) -> StoreResult<T> {
    match spawn_blocking(work)
        .await
        .map_err(JoinError::try_into_panic)
    {
        Ok(result) => result,
        Err(Ok(panic)) => std::panic::resume_unwind(panic),
        // The runtime is shutting down.
        Err(Err(_)) => Err(StoreError::Closed),
    }
}

/// Whether SQLite takes a path for something else.
fn is_no_file(path: &Path) -> bool {
    let path = path.as_os_str().as_encoded_bytes();
    path.is_empty() || path == b":memory:" || path.starts_with(b"file:")
}

/// Opens a file, makes it if it is missing, and sets it up for writing if it is of this kind.
fn connect(path: &Path, schema: &Schema) -> StoreResult<Connection> {
    // What it will hold is its owner's business: games of people and what their programs said.
    // One that is there is left alone. What else fails here fails below, in better words.
    if !is_no_file(path) {
        let _ = referee::private_file(path);
    }
    retried(path, || {
        let connection = connected(path, OpenFlags::default())?;
        schema.steps_done(&connection, path)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // With a write-ahead log, readers and a writer do not wait for each other; with
        // `synchronous = NORMAL` it loses nothing when a process dies, and at worst the last
        // games, never the file, when the machine does. What must not be lost is written
        // through `Store::lasting`.
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        Ok(connection)
    })
}

fn connected(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// Opens a file again while another process is making it: changing the kind of journal does not
/// wait for others, whatever the time allowed. An error of SQLite names the file.
fn retried<T>(path: &Path, open: impl Fn() -> StoreResult<T>) -> StoreResult<T> {
    let deadline = Instant::now() + BUSY;
    loop {
        match open() {
            Err(StoreError::Query(why))
                if why.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && Instant::now() < deadline =>
            {
                std::thread::sleep(PAUSE);
            }
            Err(StoreError::Query(why)) => {
                let path = path.to_owned();
                return Err(StoreError::Open { path, why });
            }
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;

    /// A process loses its locks of a file when it closes any handle of it: SQLite alone opens one
    /// that is there.
    #[test]
    fn another_connection_leaves_the_locks_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let first = open_database(&path, &GAMES).unwrap();
        let data = path.metadata().unwrap();
        assert_eq!(data.permissions().mode() & 0o077, 0);
        let held = || {
            let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
            let mark = format!(":{} ", data.ino());
            locks.lines().filter(|line| line.contains(&mark)).count()
        };
        let before = held();
        let second = connect(&path, &GAMES).unwrap();
        assert_eq!(held(), before, "of {}", path.display());
        drop((first, second));
    }
}

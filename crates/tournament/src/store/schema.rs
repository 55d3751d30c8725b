//! What a database holds, and how that is told before anything is written into it.

use std::path::Path;

use rusqlite::Connection;

use super::{StoreError, StoreResult};

/// What a store is for. A database carries the number of its kind as its application id; those
/// that are older than the numbers are told by their tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Tournaments, a library, proofs, what the site keeps.
    Games,
    /// People, hand-ins and verdicts of a course.
    Course,
}

/// The kind of a store and the steps that bring it up to date, the oldest first. No step is ever
/// changed: what is missing comes as another step.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// What it holds.
    pub kind: Kind,
    /// In SQL.
    pub steps: &'static [&'static str],
}

/// Where SQLite keeps the kind of a database.
const APPLICATION: &str = "application_id";

/// Where SQLite keeps a number for its users: here, how many steps were taken.
const VERSION: &str = "user_version";

/// The table of steps in files of version 0.1.
const OLD_STEPS: &str = "_sqlx_migrations";

impl Kind {
    const ALL: [Kind; 2] = [Kind::Games, Kind::Course];

    /// Its number in a database: four letters.
    fn number(self) -> i64 {
        i64::from(u32::from_be_bytes(match self {
            Kind::Games => *b"LdxG",
            Kind::Course => *b"LdxC",
        }))
    }

    /// Tables of its first step.
    fn tables(self) -> [&'static str; 3] {
        match self {
            Kind::Games => ["tournaments", "games", "moves"],
            Kind::Course => ["team", "person", "version"],
        }
    }

    /// What is to be done with a store of this kind where another was wanted.
    fn advice(self, path: &Path) -> String {
        let folder = path.parent().filter(|path| !path.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        match self {
            Kind::Games => "is a store of games, not of a course: use --db".into(),
            Kind::Course => {
                let folder = referee::quoted(&folder.display().to_string());
                format!("is the store of a course: use --course {folder}")
            }
        }
    }
}

impl Schema {
    /// How many of the steps a database has taken: none if it is new. Whatever is not of this
    /// kind, or newer, is refused; nothing is written.
    pub(super) fn steps_done(&self, connection: &Connection, path: &Path) -> StoreResult<usize> {
        let other = |what: String| StoreError::OtherKind {
            path: path.into(),
            what,
        };
        let foreign = || other("is a database of another program".into());
        let number = pragma(connection, APPLICATION)?;
        let tables = tables(connection)?;
        let told = |kind: &Kind| match number {
            0 => (kind.tables().iter()).all(|name| tables.iter().any(|table| table == name)),
            number => number == kind.number(),
        };
        let done = match Kind::ALL.into_iter().find(told) {
            Some(kind) if kind != self.kind => return Err(other(kind.advice(path))),
            // Before stores carried their kind, another one could be taken for the store of a
            // course and counted its own steps there. Those of a course were one.
            Some(Kind::Course) if number == 0 => 1,
            Some(_) => counted(connection)?,
            None if number != 0 => return Err(foreign()),
            None if tables.iter().all(|table| table == OLD_STEPS) => counted(connection)?,
            None => return Err(foreign()),
        };
        let known = self.steps.len();
        match done > known {
            true => Err(StoreError::Newer {
                path: path.into(),
                steps: done,
                known,
            }),
            false => Ok(done),
        }
    }

    /// Notes in a database that it is of this kind and has taken all steps.
    pub(super) fn mark(&self, connection: &Connection) -> rusqlite::Result<()> {
        connection.pragma_update(None, APPLICATION, self.kind.number())?;
        connection.pragma_update(None, VERSION, self.steps.len() as i64)
    }
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

fn tables(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' \
        ESCAPE '\\' ORDER BY name";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map((), |row| row.get(0))?;
    rows.collect()
}

/// How many steps a database says to have taken.
fn counted(connection: &Connection) -> rusqlite::Result<usize> {
    let mut done = pragma(connection, VERSION)?;
    // Files of version 0.1 keep their steps in a table.
    if done == 0 && tables(connection)?.iter().any(|table| table == OLD_STEPS) {
        let steps = format!("SELECT count(*) FROM {OLD_STEPS} WHERE success");
        done = connection.query_row(&steps, (), |row| row.get(0))?;
    }
    Ok(done.try_into().unwrap_or(usize::MAX))
}

//! The steps that bring a database up to date.

use rusqlite::{Connection, TransactionBehavior};

use super::{StoreError, StoreResult};

/// The steps, the oldest first. None is ever changed: what is missing comes as another step.
pub(super) const STEPS: [&str; 5] = [
    include_str!("../../migrations/0001_games.sql"),
    include_str!("../../migrations/0002_documents.sql"),
    include_str!("../../migrations/0003_proofs.sql"),
    include_str!("../../migrations/0004_library.sql"),
    include_str!("../../migrations/0005_library_facts.sql"),
];

/// Takes those of the steps that a database lacks.
pub(super) fn run(connection: &mut Connection, steps: &[&str]) -> StoreResult<()> {
    // In one transaction that begins when it can write: whoever comes second waits for the
    // first, and finds the steps done.
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = steps_done(&change)?;
    let missing = steps.get(done..).ok_or(StoreError::Newer {
        steps: done,
        known: steps.len(),
    })?;
    for step in missing {
        change.execute_batch(step)?;
    }
    change.pragma_update(None, VERSION, steps.len() as i64)?;
    change.commit()?;
    Ok(())
}

/// Where SQLite keeps a number for its users: here, how many steps were taken.
const VERSION: &str = "user_version";

fn steps_done(connection: &Connection) -> StoreResult<usize> {
    let mut done: i64 = connection.pragma_query_value(None, VERSION, |row| row.get(0))?;
    // Files of version 0.1 keep their steps in a table.
    let old = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')";
    if done == 0 && connection.query_row(old, (), |row| row.get(0))? {
        let steps = "SELECT count(*) FROM _sqlx_migrations WHERE success";
        done = connection.query_row(steps, (), |row| row.get(0))?;
    }
    Ok(done.try_into().unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(connection: &Connection) -> Vec<String> {
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map((), |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    }

    const ALL: [&str; 11] = [
        "documents",
        "games",
        "library_blocks",
        "library_games",
        "library_keys",
        "library_names",
        "moves",
        "notes",
        "players",
        "proofs",
        "tournaments",
    ];

    #[test]
    fn steps_are_taken_once() {
        let mut connection = Connection::open_in_memory().unwrap();
        run(&mut connection, &STEPS).unwrap();
        assert_eq!(tables(&connection), ALL);
        run(&mut connection, &STEPS).unwrap();
        assert_eq!(steps_done(&connection).unwrap(), STEPS.len());
    }

    /// A file of version 0.1, with the table of its steps.
    fn old_file(steps: usize) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        let table = "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY,
            description TEXT NOT NULL, installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
            success BOOLEAN NOT NULL, checksum BLOB NOT NULL, execution_time BIGINT NOT NULL)";
        connection.execute_batch(table).unwrap();
        for (number, step) in (1..).zip(&STEPS[..steps]) {
            connection.execute_batch(step).unwrap();
            let row = "INSERT INTO _sqlx_migrations VALUES (?, 'x', 0, true, x'00', 1)";
            connection.execute(row, [number]).unwrap();
        }
        connection
    }

    #[test]
    fn old_files_go_on_from_where_they_are() {
        for steps in 0..=STEPS.len() {
            let mut connection = old_file(steps);
            run(&mut connection, &STEPS).unwrap();
            let mut expected = vec!["_sqlx_migrations"];
            expected.extend(ALL);
            assert_eq!(tables(&connection), expected, "{steps} steps");
        }
    }

    #[test]
    fn newer_files_are_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        run(&mut connection, &STEPS).unwrap();
        connection.pragma_update(None, VERSION, 77).unwrap();
        let error = run(&mut connection, &STEPS).unwrap_err().to_string();
        assert_eq!(
            error,
            "the store is of a newer version of ludex: it has 77 steps, this version knows 5"
        );
        let version: i64 = connection
            .pragma_query_value(None, VERSION, |row| row.get(0))
            .unwrap();
        assert_eq!(version, 77);
    }
}

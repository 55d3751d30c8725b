//! The steps that bring a database up to date.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::{Kind, Schema, StoreResult};

/// The store of games.
pub(super) const GAMES: Schema = Schema {
    kind: Kind::Games,
    steps: &[
        include_str!("../../migrations/0001_games.sql"),
        include_str!("../../migrations/0002_documents.sql"),
        include_str!("../../migrations/0003_proofs.sql"),
        include_str!("../../migrations/0004_library.sql"),
        include_str!("../../migrations/0005_library_facts.sql"),
    ],
};

/// Takes those of the steps that a database lacks; one of another kind is left as it is.
pub(super) fn run(connection: &mut Connection, path: &Path, schema: &Schema) -> StoreResult<()> {
    // In one transaction that begins when it can write: whoever comes second waits for the
    // first, and finds the steps done.
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = schema.steps_done(&change, path)?;
    for step in &schema.steps[done..] {
        change.execute_batch(step)?;
    }
    schema.mark(&change)?;
    change.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn migrate(connection: &mut Connection) -> StoreResult<()> {
        run(connection, Path::new("x.db"), &GAMES)
    }

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
        migrate(&mut connection).unwrap();
        assert_eq!(tables(&connection), ALL);
        migrate(&mut connection).unwrap();
        let done = GAMES.steps_done(&connection, Path::new("x.db"));
        assert_eq!(done.unwrap(), GAMES.steps.len());
    }

    /// A file of version 0.1, with the table of its steps.
    fn old_file(steps: usize) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        let table = "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY,
            description TEXT NOT NULL, installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
            success BOOLEAN NOT NULL, checksum BLOB NOT NULL, execution_time BIGINT NOT NULL)";
        connection.execute_batch(table).unwrap();
        for (number, step) in (1..).zip(&GAMES.steps[..steps]) {
            connection.execute_batch(step).unwrap();
            let row = "INSERT INTO _sqlx_migrations VALUES (?, 'x', 0, true, x'00', 1)";
            connection.execute(row, [number]).unwrap();
        }
        connection
    }

    #[test]
    fn old_files_go_on_from_where_they_are() {
        for steps in 0..=GAMES.steps.len() {
            let mut connection = old_file(steps);
            migrate(&mut connection).unwrap();
            let mut expected = vec!["_sqlx_migrations"];
            expected.extend(ALL);
            assert_eq!(tables(&connection), expected, "{steps} steps");
        }
    }

    #[test]
    fn newer_files_are_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        connection.pragma_update(None, "user_version", 77).unwrap();
        let error = migrate(&mut connection).unwrap_err().to_string();
        assert_eq!(
            error,
            "x.db is of a newer version of ludex: it has 77 steps, this version knows 5"
        );
        let version: i64 = connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap();
        assert_eq!(version, 77);
    }
}

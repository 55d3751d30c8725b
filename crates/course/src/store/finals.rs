//! Finals: the list that was frozen, and the tournament that it plays.

use rusqlite::{OptionalExtension as _, params};

use super::{Store, StoreResult, note};
use crate::time::{Millis, now};

/// A final.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FinalRow {
    /// Its number among all.
    pub id: i64,
    /// Its number among those of the assignment, from 1.
    pub number: u32,
    /// When the list was frozen.
    pub at: Millis,
    /// The tournament; nothing if fewer than two players were there.
    pub tournament: Option<String>,
}

/// A line of a frozen list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrozenRow {
    /// The team.
    pub team: i64,
    /// What it is called now.
    pub pseudonym: String,
    /// The version.
    pub version: i64,
    /// Its number among the team's.
    pub number: u32,
    /// SHA-256 of its files.
    pub hash: String,
}

impl Store {
    /// Freezes a list of teams and versions, the strongest first: the final with this number,
    /// which must be the next one; whether it was.
    pub fn freeze(
        &self,
        assignment: &str,
        number: u32,
        versions: &[(i64, i64)],
        tournament: Option<&str>,
        by: Option<i64>,
    ) -> StoreResult<bool> {
        self.write(|db| {
            let sql = "SELECT coalesce(max(number), 0) + 1 FROM finale WHERE assignment = ?1";
            let next: u32 = db.query_row(sql, [assignment], |row| row.get(0))?;
            if next != number {
                return Ok(false);
            }
            let sql =
                "INSERT INTO finale (assignment, number, at, tournament) VALUES (?1, ?2, ?3, ?4)";
            db.execute(sql, params![assignment, number, now(), tournament])?;
            let id = db.last_insert_rowid();
            for (seed, (team, version)) in versions.iter().enumerate() {
                let sql =
                    "INSERT INTO frozen (finale, team, version, seed) VALUES (?1, ?2, ?3, ?4)";
                db.execute(sql, params![id, team, version, seed as i64])?;
            }
            let players = versions.len();
            note(
                db,
                by,
                &format!("final {number} of {assignment}: list of {players} frozen"),
            )?;
            Ok(true)
        })
    }

    /// The finals of an assignment, the newest first.
    pub fn finals(&self, assignment: &str) -> StoreResult<Vec<FinalRow>> {
        self.read(|db| {
            let sql = "SELECT id, number, at, tournament FROM finale WHERE assignment = ?1 ORDER BY number DESC";
            let mut statement = db.prepare(sql)?;
            let rows = statement.query_map([assignment], |row| {
                Ok(FinalRow {
                    id: row.get(0)?,
                    number: row.get(1)?,
                    at: row.get(2)?,
                    tournament: row.get(3)?,
                })
            })?;
            rows.collect()
        })
    }

    /// The list of a final, the strongest first.
    pub fn frozen(&self, finale: i64) -> StoreResult<Vec<FrozenRow>> {
        self.read(|db| {
            let sql = "SELECT f.team, t.pseudonym, f.version, v.number, v.hash FROM frozen f \
                JOIN team t ON t.id = f.team JOIN version v ON v.id = f.version \
                WHERE f.finale = ?1 ORDER BY f.seed";
            let mut statement = db.prepare(sql)?;
            let rows = statement.query_map([finale], |row| {
                Ok(FrozenRow {
                    team: row.get(0)?,
                    pseudonym: row.get(1)?,
                    version: row.get(2)?,
                    number: row.get(3)?,
                    hash: row.get(4)?,
                })
            })?;
            rows.collect()
        })
    }

    /// The tournaments of the finals that a version plays, the newest first.
    pub fn finals_with(&self, version: i64) -> StoreResult<Vec<String>> {
        self.read(|db| {
            let sql = "SELECT f.tournament FROM frozen z JOIN finale f ON f.id = z.finale \
                WHERE z.version = ?1 AND f.tournament IS NOT NULL ORDER BY f.id DESC";
            let mut statement = db.prepare(sql)?;
            let rows = statement.query_map([version], |row| row.get(0))?;
            rows.collect()
        })
    }

    /// Of which assignment and final a tournament is.
    pub fn final_of(&self, tournament: &str) -> StoreResult<Option<(String, u32)>> {
        self.read(|db| {
            let sql = "SELECT assignment, number FROM finale WHERE tournament = ?1";
            let found = db.query_row(sql, [tournament], |row| Ok((row.get(0)?, row.get(1)?)));
            found.optional()
        })
    }
}

//! Programs that are handed in again.
//!
//! The store only grows, so a tournament with a new program is a new tournament: a version
//! of the old one, which takes over all games of the other players. The old one stays.

use rusqlite::{Connection, params};

use super::write::TournamentColumns;
use super::{Store, StoreResult, TournamentRow};
use crate::config::Config;

impl Store {
    /// The latest version of a tournament, if there is one in the store.
    pub async fn latest_version(&self, config: &Config) -> StoreResult<Option<TournamentRow>> {
        let base = config.without_versions().id();
        let all = self.tournaments().await?;
        let versions = all
            .into_iter()
            .filter(|row| row.config.without_versions().id() == base);
        Ok(versions.max_by_key(|row| (row.config.versions(), row.created)))
    }

    /// Enters the next version of a tournament together with the games that it takes over: all of
    /// the version before it but for those of some players (by number) and those that nobody
    /// played. It is there with them or not at all. Returns its id.
    pub async fn create_version(
        &self,
        config: &Config,
        before: &str,
        but: &[usize],
    ) -> StoreResult<String> {
        let columns = TournamentColumns::of(config)?;
        let before = before.to_owned();
        let but: Vec<i64> = but.iter().map(|number| *number as i64).collect();
        self.change(move |db| {
            columns.insert(db)?;
            take_over(db, &before, &columns.id, &but)?;
            Ok(columns.id)
        })
        .await
    }
}

/// Copies the games of one tournament into another, but for those of some players and those that
/// nobody played.
fn take_over(db: &Connection, from: &str, to: &str, but: &[i64]) -> StoreResult<()> {
    let mut list = db.prepare(
        "SELECT number, first, second FROM games
         WHERE tournament = ? AND head IS NOT NULL ORDER BY number",
    )?;
    let games: Vec<(i64, i64, i64)> = list
        .query_map(params![from], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?
        .collect::<Result<_, _>>()?;
    for (number, first, second) in games {
        if but.contains(&first) || but.contains(&second) {
            continue;
        }
        let entered = db.execute(
            "INSERT INTO games (id, tournament, round, tbl, game, first, second, opening,
                score, ending, ending_text, turns, wall_0, wall_1, cpu_0, cpu_1,
                slowest_0, slowest_1, faults_0, faults_1, failed_0, failed_1, finished, head)
             SELECT ?1 || '.' || round || '.' || tbl || '.' || game, ?1, round, tbl, game,
                first, second, opening, score, ending, ending_text, turns, wall_0, wall_1,
                cpu_0, cpu_1, slowest_0, slowest_1, faults_0, faults_1, failed_0, failed_1,
                finished, head
             FROM games WHERE number = ?2 ON CONFLICT DO NOTHING",
            params![to, number],
        )?;
        if entered > 0 {
            let new = db.last_insert_rowid();
            db.execute(
                "INSERT INTO moves (game, turn, ply, attempt, side, position, move, wall,
                    cpu, memory, value, input, answer, stderr, verdict, fault)
                 SELECT ?1, turn, ply, attempt, side, position, move, wall, cpu, memory,
                    value, input, answer, stderr, verdict, fault
                 FROM moves WHERE game = ?2",
                params![new, number],
            )?;
        }
    }
    Ok(())
}

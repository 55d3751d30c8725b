//! Games between versions and references, challenges, and what was quarantined.

use referee::GameRecord;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{Store, StoreResult};
use crate::time::{HOUR, Millis, now};

/// What a game was played for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To see whether a version plays at all.
    Trial,
    /// For the ratings.
    Ladder,
    /// Since somebody asked for it; unrated.
    Challenge,
}

impl Purpose {
    /// The name in the store and on pages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Trial => "trial",
            Purpose::Ladder => "ladder",
            Purpose::Challenge => "challenge",
        }
    }
}

/// How a game names a version.
#[must_use]
pub fn player_of_version(version: i64) -> String {
    format!("v{version}")
}

/// Who sat where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Side {
    /// The version with this number.
    Version(i64),
    /// The reference with this name.
    Reference(String),
}

impl Side {
    /// The player that a game names so.
    #[must_use]
    pub fn read(text: &str) -> Side {
        match text.strip_prefix("r:") {
            Some(name) => Side::Reference(name.into()),
            None => Side::Version(text.trim_start_matches('v').parse().unwrap_or(0)),
        }
    }

    /// The player that a final calls so: a version as games do, a reference by its name alone.
    #[must_use]
    pub fn of_player(name: &str) -> Side {
        match name.strip_prefix('v').map(str::parse) {
            Some(Ok(id)) => Side::Version(id),
            _ => Side::Reference(name.into()),
        }
    }

    /// How a game names the player.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Side::Version(id) => player_of_version(*id),
            Side::Reference(name) => format!("r:{name}"),
        }
    }
}

/// A game to be kept.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// For which assignment.
    pub assignment: String,
    /// What for.
    pub purpose: Purpose,
    /// Who moved first, and who second.
    pub players: [Side; 2],
    /// Games from one start position with colours exchanged have the same number.
    pub pair: i64,
    /// 2, 1 or 0 as the first player won, drew or lost.
    pub half_points: u8,
    /// All of it.
    pub record: GameRecord,
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRow {
    /// Its number.
    pub id: i64,
    /// For which assignment.
    pub assignment: String,
    /// What for: `trial`, `ladder` or `challenge`.
    pub purpose: String,
    /// Who moved first, and who second.
    pub players: [Side; 2],
    /// 2, 1 or 0 as the first player won, drew or lost.
    pub half_points: u8,
    /// Why it ended, in words.
    pub ending: String,
    /// The start position.
    pub start: String,
    /// The moves, in order.
    pub moves: Vec<String>,
    /// When it was over.
    pub at: Millis,
    /// How many faults each player made.
    pub faults: [u32; 2],
}

/// What the ratings need of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LadderGame {
    /// Its number.
    pub id: i64,
    /// How it names who moved first, and who second.
    pub players: [String; 2],
    /// 2, 1 or 0 as the first player won, drew or lost.
    pub half_points: u8,
    /// Games from one start position with colours exchanged have the same number.
    pub pair: i64,
}

/// A game that was not scored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuarantineRow {
    /// For which assignment.
    pub assignment: String,
    /// Who was to play.
    pub players: [Side; 2],
    /// What went wrong.
    pub reason: String,
    /// When.
    pub at: Millis,
}

/// A challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChallengeRow {
    /// Its number.
    pub id: i64,
    /// For which assignment.
    pub assignment: String,
    /// Who asked for it.
    pub team: i64,
    /// Who plays.
    pub players: [Side; 2],
    /// When it was asked for.
    pub at: Millis,
    /// The game, when it has been played.
    pub game: Option<i64>,
    /// Why it could not be played.
    pub problem: Option<String>,
}

const GAME: &str = "SELECT id, assignment, purpose, first, second, half_points, ending, start, moves, at, \
    first_faults, second_faults FROM game";

fn game(row: &Row) -> rusqlite::Result<GameRow> {
    let side = |column: usize| -> rusqlite::Result<Side> {
        Ok(Side::read(&row.get::<_, String>(column)?))
    };
    let moves: String = row.get(8)?;
    Ok(GameRow {
        id: row.get(0)?,
        assignment: row.get(1)?,
        purpose: row.get(2)?,
        players: [side(3)?, side(4)?],
        half_points: row.get(5)?,
        ending: row.get(6)?,
        start: row.get(7)?,
        moves: moves
            .split('\n')
            .filter(|mv| !mv.is_empty())
            .map(String::from)
            .collect(),
        at: row.get(9)?,
        faults: [row.get(10)?, row.get(11)?],
    })
}

/// The moves on the board, and lost turns as the game writes them: what leads from the start to
/// the end.
fn moves(record: &GameRecord) -> String {
    let played = record.moves.iter().filter(|turn| turn.verdict.is_ok());
    let moves: Vec<&str> = played.filter_map(|turn| turn.mv.as_deref()).collect();
    moves.join("\n")
}

pub(super) fn add_game(db: &Connection, new: &NewGame) -> rusqlite::Result<i64> {
    let record = &new.record;
    let count = |side: rules::Side| record.faults(side).count() as u32;
    let faults = [count(rules::Side::First), count(rules::Side::Second)];
    let sql = "INSERT INTO game (assignment, purpose, first, second, pair, half_points, ending, start, moves, \
        seed, at, first_faults, second_faults) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
    db.prepare(sql)?.execute(params![
        new.assignment,
        new.purpose.name(),
        new.players[0].key(),
        new.players[1].key(),
        new.pair,
        new.half_points,
        record.ending.to_string(),
        record.start,
        moves(record),
        record.seed as i64,
        now(),
        faults[0],
        faults[1],
    ])?;
    let id = db.last_insert_rowid();
    if faults != [0, 0] {
        let json = serde_json::to_string(record).unwrap_or_default();
        let sql = "INSERT INTO record (game, json) VALUES (?1, ?2)";
        db.prepare(sql)?.execute(params![id, json])?;
    }
    Ok(id)
}

impl Store {
    /// Keeps games, all or none.
    pub fn add_games(&self, games: &[NewGame]) -> StoreResult<()> {
        self.write(|db| {
            for game in games {
                add_game(db, game)?;
            }
            Ok(())
        })
    }

    /// The game with this number.
    pub fn game(&self, id: i64) -> StoreResult<Option<GameRow>> {
        self.read(|db| {
            let mut statement = db.prepare(&format!("{GAME} WHERE id = ?1"))?;
            statement.query_row([id], game).optional()
        })
    }

    /// The whole record of a game in which somebody made a fault.
    pub fn record(&self, id: i64) -> StoreResult<Option<GameRecord>> {
        let json: Option<String> = self.read(|db| {
            let sql = "SELECT json FROM record WHERE game = ?1";
            db.query_row(sql, [id], |row| row.get(0)).optional()
        })?;
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()))
    }

    /// The latest games of a version, the newest first.
    pub fn games_of(&self, version: i64, most: u32) -> StoreResult<Vec<GameRow>> {
        self.read(|db| {
            let sql = format!(
                "SELECT * FROM (SELECT * FROM ({GAME} WHERE first = ?1 ORDER BY at DESC LIMIT ?2) \
                 UNION SELECT * FROM ({GAME} WHERE second = ?1 ORDER BY at DESC LIMIT ?2)) \
                 ORDER BY at DESC, id DESC LIMIT ?2"
            );
            let mut statement = db.prepare(&sql)?;
            let rows = statement.query_map(params![player_of_version(version), most], game)?;
            rows.collect()
        })
    }

    /// The games in which a version made a fault, the newest first.
    pub fn faults_of(&self, version: i64, most: u32) -> StoreResult<Vec<GameRow>> {
        self.read(|db| {
            let sql = format!(
                "SELECT * FROM (SELECT * FROM ({GAME} WHERE first = ?1 AND first_faults > 0 ORDER BY at DESC LIMIT ?2) \
                 UNION SELECT * FROM ({GAME} WHERE second = ?1 AND second_faults > 0 ORDER BY at DESC LIMIT ?2)) \
                 ORDER BY at DESC, id DESC LIMIT ?2"
            );
            let mut statement = db.prepare(&sql)?;
            let rows = statement.query_map(params![player_of_version(version), most], game)?;
            rows.collect()
        })
    }

    /// The games of the ladder between these players that came after the game with this number.
    pub fn ladder_games(
        &self,
        assignment: &str,
        players: &[Side],
        after: i64,
    ) -> StoreResult<Vec<LadderGame>> {
        let keys: Vec<String> = players.iter().map(Side::key).collect();
        let keys = serde_json::to_string(&keys).unwrap_or_default();
        // With `+` SQLite does not look a column up in an index: it goes through the games that
        // are new, or through those of the ladder, but not through each two players.
        let column = match after {
            0 => "assignment",
            _ => "+assignment",
        };
        self.read(|db| {
            let sql = format!(
                "SELECT id, first, second, half_points, pair FROM game \
                WHERE id > ?3 AND {column} = ?1 AND purpose = 'ladder' \
                AND +first IN (SELECT value FROM json_each(?2)) \
                AND +second IN (SELECT value FROM json_each(?2))"
            );
            let mut statement = db.prepare(&sql)?;
            let rows = statement.query_map(params![assignment, keys, after], |row| {
                Ok(LadderGame {
                    id: row.get(0)?,
                    players: [row.get(1)?, row.get(2)?],
                    half_points: row.get(3)?,
                    pair: row.get(4)?,
                })
            })?;
            rows.collect()
        })
    }

    /// Notes that a game was not scored, since no player was at fault.
    pub fn quarantine(
        &self,
        assignment: &str,
        purpose: Purpose,
        players: &[Side; 2],
        reason: &str,
    ) -> StoreResult<()> {
        self.write(|db| {
            let sql = "INSERT INTO quarantine (assignment, purpose, first, second, reason, at) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let [first, second] = [players[0].key(), players[1].key()];
            db.execute(
                sql,
                params![assignment, purpose.name(), first, second, reason, now()],
            )?;
            Ok(())
        })
    }

    /// What was quarantined lately, the newest first.
    pub fn quarantined(&self, most: u32) -> StoreResult<Vec<QuarantineRow>> {
        self.read(|db| {
            let sql = "SELECT assignment, first, second, reason, at FROM quarantine ORDER BY id DESC LIMIT ?1";
            let mut statement = db.prepare(sql)?;
            let rows = statement.query_map([most], |row| {
                let [first, second]: [String; 2] = [row.get(1)?, row.get(2)?];
                Ok(QuarantineRow {
                    assignment: row.get(0)?,
                    players: [Side::read(&first), Side::read(&second)],
                    reason: row.get(3)?,
                    at: row.get(4)?,
                })
            })?;
            rows.collect()
        })
    }

    /// Asks for a challenge; refused if the team has had so many in the last hour.
    pub fn challenge(
        &self,
        assignment: &str,
        team: i64,
        players: &[Side; 2],
        per_hour: u32,
    ) -> StoreResult<Option<i64>> {
        self.write(|db| {
            let sql = "SELECT count(*) FROM challenge WHERE team = ?1 AND assignment = ?2 AND at > ?3";
            let lately: u32 =
                db.query_row(sql, params![team, assignment, now() - HOUR], |row| row.get(0))?;
            if lately >= per_hour {
                return Ok(None);
            }
            let sql = "INSERT INTO challenge (assignment, team, mine, other, at) VALUES (?1, ?2, ?3, ?4, ?5)";
            let [mine, other] = [players[0].key(), players[1].key()];
            db.execute(sql, params![assignment, team, mine, other, now()])?;
            Ok(Some(db.last_insert_rowid()))
        })
    }

    /// Challenges that have not been played, in the order in which they came.
    pub fn open_challenges(&self) -> StoreResult<Vec<ChallengeRow>> {
        let rest = "WHERE game IS NULL AND problem IS NULL ORDER BY id";
        self.read(|db| challenges(db, rest, &[]))
    }

    /// The latest challenges of a team, the newest first.
    pub fn challenges_of(&self, team: i64, assignment: &str) -> StoreResult<Vec<ChallengeRow>> {
        let rest = "WHERE team = ?1 AND assignment = ?2 ORDER BY id DESC LIMIT 20";
        self.read(|db| challenges(db, rest, &[&team, &assignment]))
    }

    /// Writes what came of a challenge.
    pub fn finish_challenge(&self, id: i64, game: Result<&NewGame, &str>) -> StoreResult<()> {
        self.write(|db| {
            let (game, problem) = match game {
                Ok(game) => (Some(add_game(db, game)?), None),
                Err(problem) => (None, Some(problem)),
            };
            let sql = "UPDATE challenge SET game = ?2, problem = ?3 WHERE id = ?1 AND game IS NULL";
            db.execute(sql, params![id, game, problem])?;
            Ok(())
        })
    }
}

fn challenges(
    db: &Connection,
    rest: &str,
    values: &[&dyn rusqlite::ToSql],
) -> rusqlite::Result<Vec<ChallengeRow>> {
    let sql = format!(
        "SELECT id, assignment, team, mine, other, at, game, problem FROM challenge {rest}"
    );
    let mut statement = db.prepare(&sql)?;
    let rows = statement.query_map(values, |row| {
        let [mine, other]: [String; 2] = [row.get(3)?, row.get(4)?];
        Ok(ChallengeRow {
            id: row.get(0)?,
            assignment: row.get(1)?,
            team: row.get(2)?,
            players: [Side::read(&mine), Side::read(&other)],
            at: row.get(5)?,
            game: row.get(6)?,
            problem: row.get(7)?,
        })
    })?;
    rows.collect()
}

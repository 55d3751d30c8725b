//! Versions that were handed in, and how far each has come.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::games::{NewGame, add_game};
use super::{Store, StoreResult};
use crate::time::{DAY, Millis, now};

/// A version that was handed in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VersionRow {
    /// The number by which everything knows it.
    pub id: i64,
    /// Whose it is.
    pub team: i64,
    /// Who handed it in.
    pub person: i64,
    /// For which assignment.
    pub assignment: String,
    /// Its number among the team's for this assignment, from 1.
    pub number: u32,
    /// SHA-256 of the files as they were handed in.
    pub hash: String,
    /// What it is written in.
    pub language: String,
    /// When it came.
    pub received: Millis,
    /// How far it has come.
    pub state: State,
}

impl VersionRow {
    /// The beginning of the hash, as people read it.
    #[must_use]
    pub fn short_hash(&self) -> &str {
        self.hash.get(..12).unwrap_or(&self.hash)
    }

    /// Its folder within that of all versions.
    #[must_use]
    pub fn folder(&self) -> String {
        folder(self.id, &self.hash)
    }
}

pub(super) fn folder(id: i64, hash: &str) -> String {
    format!("{id}-{}", hash.get(..12).unwrap_or(hash))
}

/// A step that every version takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StepName {
    /// Made to run.
    Built,
    /// Compared with the document.
    Graded,
    /// Played against itself and the references.
    Played,
}

impl StepName {
    /// All of them in order.
    pub const ALL: [StepName; 3] = [StepName::Built, StepName::Graded, StepName::Played];

    /// The name in the store.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            StepName::Built => "built",
            StepName::Graded => "graded",
            StepName::Played => "played",
        }
    }

    fn read(name: &str) -> StepName {
        let known = StepName::ALL.into_iter().find(|step| step.name() == name);
        known.unwrap_or(StepName::Built)
    }
}

/// How far a version has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// This step comes next, or is being taken.
    Before(StepName),
    /// It has not got through this step.
    Failed(StepName),
    /// It has got through all of them.
    Passed,
}

impl State {
    /// Whether nothing more happens to it.
    #[must_use]
    pub fn is_final(self) -> bool {
        !matches!(self, State::Before(_))
    }
}

/// A step that was taken.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Which one.
    pub name: StepName,
    /// When it was over.
    pub at: Millis,
    /// How long it took.
    pub seconds: f64,
    /// Whether the version got through.
    pub ok: bool,
    /// What came of it, in one line.
    pub summary: String,
    /// More about it, as JSON; see [`crate::judge::Detail`].
    pub detail: String,
}

/// Why a version was not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotTaken {
    /// It is the same as this one of the team.
    Known(u32),
    /// The team has handed in so often today.
    TooMany(u32),
    /// The files could not be put where they belong.
    Files(String),
}

const VERSION: &str = "SELECT v.id, v.team, v.person, v.assignment, v.number, v.hash, v.language, v.received, \
    (SELECT group_concat(name || ':' || ok) FROM step s WHERE s.version = v.id), \
    EXISTS (SELECT 1 FROM passed p WHERE p.version = v.id) FROM version v";

fn version(row: &Row) -> rusqlite::Result<VersionRow> {
    let steps: Option<String> = row.get(8)?;
    let steps = steps.unwrap_or_default();
    let mut state = State::Before(StepName::Built);
    if row.get(9)? {
        state = State::Passed;
    } else {
        for name in StepName::ALL {
            let taken = steps.split(',').find_map(|step| {
                let (step, ok) = step.split_once(':')?;
                (step == name.name()).then_some(ok == "1")
            });
            match taken {
                Some(true) => {}
                Some(false) => {
                    state = State::Failed(name);
                    break;
                }
                None => {
                    state = State::Before(name);
                    break;
                }
            }
        }
    }
    Ok(VersionRow {
        id: row.get(0)?,
        team: row.get(1)?,
        person: row.get(2)?,
        assignment: row.get(3)?,
        number: row.get(4)?,
        hash: row.get(5)?,
        language: row.get(6)?,
        received: row.get(7)?,
        state,
    })
}

fn all(
    db: &Connection,
    rest: &str,
    values: &[&dyn rusqlite::ToSql],
) -> rusqlite::Result<Vec<VersionRow>> {
    let mut statement = db.prepare(&format!("{VERSION} {rest}"))?;
    let rows = statement.query_map(values, version)?;
    rows.collect()
}

/// A hand-in whose files are on the disk already.
#[derive(Clone, Copy, Debug)]
pub struct HandIn<'a> {
    /// Whose it is.
    pub team: i64,
    /// Who hands it in.
    pub person: i64,
    /// For which assignment.
    pub assignment: &'a str,
    /// SHA-256 of the files.
    pub hash: &'a str,
    /// What it is written in.
    pub language: &'a str,
    /// How many a team has in 24 hours.
    pub per_day: u32,
    /// When it came.
    pub received: Millis,
}

impl Store {
    /// Takes a version: `place` puts its files into the folder with the given name, durably; only
    /// then is the row written.
    pub fn take_version(
        &self,
        hand_in: &HandIn,
        place: impl FnOnce(&str) -> Result<(), String>,
    ) -> StoreResult<Result<VersionRow, NotTaken>> {
        self.write(|db| {
            let HandIn { team, assignment, received, .. } = *hand_in;
            let sql = "SELECT number FROM version WHERE team = ?1 AND assignment = ?2 AND hash = ?3";
            let known = db.query_row(sql, params![team, assignment, hand_in.hash], |row| row.get(0));
            if let Some(number) = known.optional()? {
                return Ok(Err(NotTaken::Known(number)));
            }
            let sql = "SELECT count(*) FROM version WHERE team = ?1 AND assignment = ?2 AND received > ?3";
            let today: u32 =
                db.query_row(sql, params![team, assignment, received - DAY], |row| row.get(0))?;
            if today >= hand_in.per_day {
                return Ok(Err(NotTaken::TooMany(today)));
            }
            let sql = "SELECT coalesce(max(id), 0) + 1 FROM version";
            let id: i64 = db.query_row(sql, (), |row| row.get(0))?;
            if let Err(problem) = place(&folder(id, hand_in.hash)) {
                return Ok(Err(NotTaken::Files(problem)));
            }
            let sql = "INSERT INTO version (id, team, person, assignment, number, hash, language, received) \
                VALUES (?1, ?2, ?3, ?4, \
                (SELECT coalesce(max(number), 0) + 1 FROM version WHERE team = ?2 AND assignment = ?4), ?5, ?6, ?7)";
            db.execute(
                sql,
                params![id, team, hand_in.person, assignment, hand_in.hash, hand_in.language, received],
            )?;
            let mut rows = all(db, "WHERE v.id = ?1", &[&id])?;
            rows.pop().map(Ok).ok_or(rusqlite::Error::QueryReturnedNoRows)
        })
    }

    /// The version with this number.
    pub fn version(&self, id: i64) -> StoreResult<Option<VersionRow>> {
        self.read(|db| Ok(all(db, "WHERE v.id = ?1", &[&id])?.pop()))
    }

    /// Whose a version is, and its number among theirs.
    pub fn author(&self, id: i64) -> StoreResult<Option<(i64, u32)>> {
        self.read(|db| {
            let sql = "SELECT team, number FROM version WHERE id = ?1";
            let found = db.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?)));
            found.optional()
        })
    }

    /// All versions of a team for an assignment, the newest first.
    pub fn versions(&self, team: i64, assignment: &str) -> StoreResult<Vec<VersionRow>> {
        self.read(|db| {
            let rest = "WHERE v.team = ?1 AND v.assignment = ?2 ORDER BY v.number DESC";
            all(db, rest, &[&team, &assignment])
        })
    }

    /// The latest version of every team for an assignment, whatever came of it.
    pub fn latest(&self, assignment: &str) -> StoreResult<Vec<VersionRow>> {
        self.read(|db| {
            let rest = "WHERE v.assignment = ?1 AND v.number = \
                (SELECT max(number) FROM version w WHERE w.team = v.team AND w.assignment = ?1) ORDER BY v.team";
            all(db, rest, &[&assignment])
        })
    }

    /// The versions with which something is still to happen, in the order in which they are judged:
    /// teams take turns, first the one with which nothing has happened for longest; those of one
    /// team keep the order in which they came.
    pub fn waiting(&self) -> StoreResult<Vec<VersionRow>> {
        self.read(|db| {
            let rest = "WHERE NOT EXISTS (SELECT 1 FROM passed p WHERE p.version = v.id) \
                AND NOT EXISTS (SELECT 1 FROM step s WHERE s.version = v.id AND s.ok = 0) \
                ORDER BY row_number() OVER (PARTITION BY v.team ORDER BY v.id), \
                (SELECT max(s.at) FROM version w JOIN step s ON s.version = w.id WHERE w.team = v.team), v.id";
            all(db, rest, &[])
        })
    }

    /// The version of every team that plays: the last one that passed.
    pub fn active(&self, assignment: &str) -> StoreResult<Vec<VersionRow>> {
        self.read(|db| active(db, assignment, Millis::MAX))
    }

    /// The version of a team that plays.
    pub fn active_of(&self, team: i64, assignment: &str) -> StoreResult<Option<VersionRow>> {
        self.read(|db| {
            let rest = "WHERE v.team = ?1 AND v.assignment = ?2 \
                AND EXISTS (SELECT 1 FROM passed p WHERE p.version = v.id) ORDER BY v.number DESC LIMIT 1";
            Ok(all(db, rest, &[&team, &assignment])?.pop())
        })
    }

    /// The same as it was for hand-ins that came before a moment, which each team has of its own.
    pub fn active_at(&self, assignment: &str, deadline: Millis) -> StoreResult<Vec<VersionRow>> {
        self.read(|db| active(db, assignment, deadline))
    }

    /// More about a step that a version has taken, as JSON.
    pub fn step_detail(&self, version: i64, step: StepName) -> StoreResult<Option<String>> {
        self.read(|db| {
            let sql = "SELECT detail FROM step WHERE version = ?1 AND name = ?2";
            let found = db.query_row(sql, params![version, step.name()], |row| row.get(0));
            found.optional()
        })
    }

    /// The steps that a version has taken.
    pub fn steps(&self, version: i64) -> StoreResult<Vec<Step>> {
        self.read(|db| {
            let sql = "SELECT name, at, seconds, ok, summary, detail FROM step WHERE version = ?1 ORDER BY at";
            let mut statement = db.prepare(sql)?;
            let rows = statement.query_map([version], |row| {
                Ok(Step {
                    name: StepName::read(&row.get::<_, String>(0)?),
                    at: row.get(1)?,
                    seconds: row.get(2)?,
                    ok: row.get(3)?,
                    summary: row.get(4)?,
                    detail: row.get(5)?,
                })
            })?;
            rows.collect()
        })
    }

    /// Writes a step with the games that were played in it; `passed` if it was the last one. A
    /// step that was written before is left as it is.
    pub fn add_step(
        &self,
        version: i64,
        step: &Step,
        games: &[NewGame],
        passed: bool,
    ) -> StoreResult<()> {
        self.write(|db| {
            let sql = "INSERT OR IGNORE INTO step (version, name, at, seconds, ok, summary, detail) \
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let (name, ok) = (step.name.name(), step.ok);
            let new = db.execute(
                sql,
                params![version, name, step.at, step.seconds, ok, step.summary, step.detail],
            )?;
            if new == 0 {
                return Ok(());
            }
            for game in games {
                add_game(db, game)?;
            }
            if passed {
                let sql = "INSERT OR IGNORE INTO passed (version, at) VALUES (?1, ?2)";
                db.execute(sql, params![version, now()])?;
            }
            Ok(())
        })
    }
}

fn active(db: &Connection, assignment: &str, before: Millis) -> rusqlite::Result<Vec<VersionRow>> {
    let rest = "JOIN (SELECT w.team AS team, max(w.number) AS number FROM version w \
        JOIN passed p ON p.version = w.id WHERE w.assignment = ?1 \
        AND w.received - (SELECT coalesce(max(extension), 0) FROM person q WHERE q.team = w.team) <= ?2 \
        GROUP BY w.team) best ON best.team = v.team AND best.number = v.number \
        WHERE v.assignment = ?1 ORDER BY v.team";
    all(db, rest, &[&assignment, &before])
}

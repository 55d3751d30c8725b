//! People: who they are, how they log in, what team they are in.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{Store, StoreResult, note};
use crate::names;
use crate::roster::Entry;
use crate::secret::{digest, fresh};
use crate::time::{DAY, Millis, now};

/// How long an invitation can be used.
const INVITATION: Millis = 60 * DAY;

/// How long a login lasts.
const LOGIN: Millis = 14 * DAY;

/// The same in seconds.
pub const LOGIN_SECONDS: i64 = LOGIN / 1000;

/// No person has more tokens.
pub const MOST_TOKENS: i64 = 20;

/// What somebody may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Sees everything and runs the course.
    Staff,
    /// Hands in.
    Student,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Role::Staff => "staff",
            Role::Student => "student",
        }
    }
}

/// Somebody of the course.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// The number by which everything knows them.
    pub id: i64,
    /// What they may do.
    pub role: Role,
    /// Their team.
    pub team: i64,
    /// What others see instead of the name: the team's.
    pub pseudonym: String,
    /// The id of the roster; empty for somebody who was forgotten.
    pub login: String,
    /// The name; empty for somebody who was forgotten.
    pub name: String,
    /// Where to write to, if it is known.
    pub email: String,
    /// How the roster calls the team; empty for a team of one.
    pub team_name: String,
    /// Whether a password has been set.
    pub active: bool,
    /// How much longer than others, in milliseconds.
    pub extension: Millis,
}

impl Person {
    /// Whether they may see and do everything.
    #[must_use]
    pub fn is_staff(&self) -> bool {
        self.role == Role::Staff
    }

    /// What staff see.
    #[must_use]
    pub fn shown(&self) -> String {
        match self.name.as_str() {
            "" => format!("forgotten person {}", self.id),
            name => format!("{name} ({})", self.login),
        }
    }
}

/// Somebody of a roster, with the link that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Added {
    /// Who.
    pub person: Person,
    /// The secret of the link; nothing if they have a password already.
    pub secret: Option<String>,
}

/// A personal token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenRow {
    /// Its number.
    pub id: i64,
    /// What its owner calls it.
    pub label: String,
    /// When it was made.
    pub made: Millis,
}

const PERSON: &str = "SELECT p.id, p.role, p.team, t.pseudonym, q.login, q.name, q.email, q.team_name, \
    q.password IS NOT NULL, p.extension \
    FROM person p JOIN team t ON t.id = p.team LEFT JOIN personal q ON q.person = p.id";

fn person(row: &Row) -> rusqlite::Result<Person> {
    let text = |column: usize| -> rusqlite::Result<String> {
        Ok(row.get::<_, Option<String>>(column)?.unwrap_or_default())
    };
    Ok(Person {
        id: row.get(0)?,
        role: match row.get::<_, String>(1)?.as_str() {
            "staff" => Role::Staff,
            _ => Role::Student,
        },
        team: row.get(2)?,
        pseudonym: row.get(3)?,
        login: text(4)?,
        name: text(5)?,
        email: text(6)?,
        team_name: text(7)?,
        active: row.get(8)?,
        extension: row.get(9)?,
    })
}

fn find(
    db: &Connection,
    clause: &str,
    value: &dyn rusqlite::ToSql,
) -> rusqlite::Result<Option<Person>> {
    let mut statement = db.prepare(&format!("{PERSON} WHERE {clause}"))?;
    statement.query_row([value], person).optional()
}

/// A new team with a pseudonym that nobody has.
fn new_team(db: &Connection) -> rusqlite::Result<i64> {
    loop {
        let sql = "INSERT OR IGNORE INTO team (pseudonym) VALUES (?1)";
        if db.execute(sql, [names::fresh()])? == 1 {
            return Ok(db.last_insert_rowid());
        }
    }
}

/// A new link, beside those that somebody has not used yet.
fn invite(db: &Connection, person: i64) -> rusqlite::Result<String> {
    db.execute("DELETE FROM invite WHERE expires <= ?1", [now()])?;
    let secret = fresh();
    let sql = "INSERT INTO invite (digest, person, expires) VALUES (?1, ?2, ?3)";
    db.execute(sql, params![digest(&secret), person, now() + INVITATION])?;
    Ok(secret)
}

impl Store {
    /// Takes a roster over: new people are added, known ones get what it says; who has no password
    /// yet gets a new link.
    pub fn add(&self, entries: &[Entry]) -> StoreResult<Vec<Added>> {
        self.write(|db| {
            let (mut ids, mut teams) = (Vec::new(), HashMap::new());
            for entry in entries {
                let id = match find(db, "q.login = ?1", &entry.id)? {
                    Some(known) => known.id,
                    None => add(db, entry)?,
                };
                change(db, id, entry)?;
                ids.push(id);
                if let Some(team) = &entry.team {
                    teams.insert(id, team.as_str());
                }
            }
            regroup(db, &teams)?;
            let mut added = Vec::new();
            for id in ids {
                let person = find(db, "p.id = ?1", &id)?;
                let Some(person) = person else { continue };
                let secret = match person.active {
                    true => None,
                    false => Some(invite(db, id)?),
                };
                added.push(Added { person, secret });
            }
            note(db, None, &format!("roster of {} taken over", entries.len()))?;
            Ok(added)
        })
    }

    /// A new link for somebody, which replaces the password when it is used. Earlier ones end: they
    /// may have been lost.
    pub fn invite_again(&self, person: i64, by: i64) -> StoreResult<String> {
        self.write(|db| {
            note(db, Some(by), &format!("new link for person {person}"))?;
            db.execute("DELETE FROM invite WHERE person = ?1", [person])?;
            invite(db, person)
        })
    }

    /// Whose invitation this is.
    pub fn invited(&self, secret: &str) -> StoreResult<Option<Person>> {
        self.read(|db| {
            let clause = "p.id = (SELECT person FROM invite WHERE digest = ?1 AND expires > ?2)";
            let sql = format!("{PERSON} WHERE {clause}");
            let mut statement = db.prepare(&sql)?;
            let found = statement.query_row(params![digest(secret), now()], person);
            found.optional()
        })
    }

    /// Uses an invitation: sets the password, ends all others and all logins; whose it was.
    pub fn accept(&self, secret: &str, password_hash: &str) -> StoreResult<Option<Person>> {
        self.write(|db| {
            let sql = "DELETE FROM invite WHERE digest = ?1 AND expires > ?2 RETURNING person";
            let used = db.query_row(sql, params![digest(secret), now()], |row| row.get(0));
            let Some(id) = used.optional()? else {
                return Ok(None);
            };
            let id: i64 = id;
            db.execute(
                "UPDATE personal SET password = ?2 WHERE person = ?1",
                params![id, password_hash],
            )?;
            for table in ["invite", "login"] {
                db.execute(&format!("DELETE FROM {table} WHERE person = ?1"), [id])?;
            }
            note(db, Some(id), "password set by invitation")?;
            find(db, "p.id = ?1", &id)
        })
    }

    /// The person with this id of the roster, and what is kept of the password.
    pub fn password_of(&self, login: &str) -> StoreResult<Option<(i64, Option<String>)>> {
        self.read(|db| {
            let sql = "SELECT person, password FROM personal WHERE login = ?1";
            let found = db.query_row(sql, [login], |row| Ok((row.get(0)?, row.get(1)?)));
            found.optional()
        })
    }

    /// Changes a password, which ends all logins.
    pub fn set_password(&self, id: i64, password_hash: &str) -> StoreResult<()> {
        self.write(|db| {
            let sql = "UPDATE personal SET password = ?2 WHERE person = ?1";
            db.execute(sql, params![id, password_hash])?;
            db.execute("DELETE FROM login WHERE person = ?1", [id])?;
            note(db, Some(id), "password changed")
        })
    }

    /// A new login: the secret of its cookie.
    pub fn log_in(&self, id: i64) -> StoreResult<String> {
        self.write(|db| {
            db.execute("DELETE FROM login WHERE expires <= ?1", [now()])?;
            let secret = fresh();
            let sql = "INSERT INTO login (digest, person, expires) VALUES (?1, ?2, ?3)";
            db.execute(sql, params![digest(&secret), id, now() + LOGIN])?;
            Ok(secret)
        })
    }

    /// Who is logged in with this cookie.
    pub fn logged_in(&self, secret: &str) -> StoreResult<Option<Person>> {
        self.read(|db| {
            let clause = "p.id = (SELECT person FROM login WHERE digest = ?1 AND expires > ?2)";
            let mut statement = db.prepare(&format!("{PERSON} WHERE {clause}"))?;
            let found = statement.query_row(params![digest(secret), now()], person);
            found.optional()
        })
    }

    /// Ends one login.
    pub fn log_out(&self, secret: &str) -> StoreResult<()> {
        self.write(|db| {
            db.execute("DELETE FROM login WHERE digest = ?1", [digest(secret)])?;
            Ok(())
        })
    }

    /// Ends all logins of a person.
    pub fn log_out_everywhere(&self, id: i64) -> StoreResult<()> {
        self.write(|db| {
            db.execute("DELETE FROM login WHERE person = ?1", [id])?;
            note(db, Some(id), "logged out everywhere")
        })
    }

    /// Lets a login expire at once: for tests of what an expired one may do.
    pub fn expire_logins(&self, id: i64) -> StoreResult<()> {
        self.write(|db| {
            db.execute("UPDATE login SET expires = 0 WHERE person = ?1", [id])?;
            Ok(())
        })
    }

    /// A new personal token, unless the person has as many as there may be.
    pub fn new_token(&self, id: i64, label: &str) -> StoreResult<Option<String>> {
        self.write(|db| {
            let sql = "SELECT count(*) FROM token WHERE person = ?1";
            let tokens: i64 = db.query_row(sql, [id], |row| row.get(0))?;
            if tokens >= MOST_TOKENS {
                return Ok(None);
            }
            let secret = fresh();
            let sql = "INSERT INTO token (digest, person, label, made) VALUES (?1, ?2, ?3, ?4)";
            db.execute(sql, params![digest(&secret), id, label, now()])?;
            note(db, Some(id), "token made")?;
            Ok(Some(secret))
        })
    }

    /// Whose token this is.
    pub fn token_of(&self, secret: &str) -> StoreResult<Option<Person>> {
        let digest = digest(secret);
        let clause = "p.id = (SELECT person FROM token WHERE digest = ?1)";
        self.read(|db| find(db, clause, &digest))
    }

    /// The tokens of a person.
    pub fn tokens(&self, id: i64) -> StoreResult<Vec<TokenRow>> {
        self.read(|db| {
            let sql = "SELECT id, label, made FROM token WHERE person = ?1 ORDER BY id";
            let mut statement = db.prepare(sql)?;
            let rows = statement.query_map([id], |row| {
                Ok(TokenRow {
                    id: row.get(0)?,
                    label: row.get(1)?,
                    made: row.get(2)?,
                })
            })?;
            rows.collect()
        })
    }

    /// Ends a token of a person; whether it was theirs.
    pub fn end_token(&self, id: i64, token: i64) -> StoreResult<bool> {
        self.write(|db| {
            let sql = "DELETE FROM token WHERE id = ?2 AND person = ?1";
            Ok(db.execute(sql, params![id, token])? == 1)
        })
    }

    /// Gives a team another pseudonym; whether nobody else has one that looks like it.
    pub fn rename(&self, team: i64, pseudonym: &str) -> StoreResult<bool> {
        self.write(|db| {
            let mut statement = db.prepare("SELECT pseudonym FROM team WHERE id <> ?1")?;
            let others = statement.query_map([team], |row| row.get::<_, String>(0))?;
            for other in others {
                if names::alike(&other?, pseudonym) {
                    return Ok(false);
                }
            }
            let sql = "UPDATE team SET pseudonym = ?2 WHERE id = ?1";
            Ok(db.execute(sql, params![team, pseudonym])? == 1)
        })
    }

    /// The person with this number.
    pub fn person(&self, id: i64) -> StoreResult<Option<Person>> {
        self.read(|db| find(db, "p.id = ?1", &id))
    }

    /// Everybody, staff first, then by name.
    pub fn people(&self) -> StoreResult<Vec<Person>> {
        self.read(|db| {
            let sql = format!("{PERSON} ORDER BY p.role, q.name, p.id");
            let mut statement = db.prepare(&sql)?;
            let rows = statement.query_map((), person)?;
            rows.collect()
        })
    }

    /// The teams with at least one student, forgotten ones included: they play finals and take places.
    pub fn teams_of_students(&self) -> StoreResult<BTreeSet<i64>> {
        self.read(|db| {
            let mut statement = db.prepare("SELECT team FROM person WHERE role = 'student'")?;
            let rows = statement.query_map((), |row| row.get(0))?;
            rows.collect()
        })
    }

    /// What others see of every team, by its number.
    pub fn pseudonyms(&self) -> StoreResult<HashMap<i64, String>> {
        self.read(|db| {
            let mut statement = db.prepare("SELECT id, pseudonym FROM team")?;
            let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
    }

    /// How much longer than others a team has: the longest extension of its members.
    pub fn extension(&self, team: i64) -> StoreResult<Millis> {
        self.read(|db| {
            let sql = "SELECT coalesce(max(extension), 0) FROM person WHERE team = ?1";
            db.query_row(sql, [team], |row| row.get(0))
        })
    }

    /// The longest extension of anybody.
    pub fn longest_extension(&self) -> StoreResult<Millis> {
        self.read(|db| {
            let sql = "SELECT coalesce(max(extension), 0) FROM person WHERE role = 'student'";
            db.query_row(sql, (), |row| row.get(0))
        })
    }

    /// Deletes everything that says who somebody is, and all their ways in. Hand-ins and games
    /// stay under numbers. The id of the roster; whether there was such a person.
    pub fn forget(&self, login: &str) -> StoreResult<bool> {
        let forgotten = self.write(|db| {
            let Some(person) = find(db, "q.login = ?1", &login)? else {
                return Ok(false);
            };
            for table in ["invite", "login", "token", "personal"] {
                let sql = format!("DELETE FROM {table} WHERE person = ?1");
                db.execute(&sql, [person.id])?;
            }
            let others = "SELECT count(*) FROM person p JOIN personal q ON q.person = p.id WHERE p.team = ?1";
            let others: i64 = db.query_row(others, [person.team], |row| row.get(0))?;
            if others == 0 {
                // A pseudonym that somebody chose may say who it was.
                loop {
                    let sql = "UPDATE OR IGNORE team SET pseudonym = ?2 WHERE id = ?1";
                    if db.execute(sql, params![person.team, names::fresh()])? == 1 {
                        break;
                    }
                }
            }
            note(db, None, &format!("person {} forgotten", person.id))?;
            Ok(true)
        })?;
        if forgotten {
            // Deleted rows are overwritten, and so is the log in which they stood.
            self.read(|db| db.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);"))?;
        }
        Ok(forgotten)
    }
}

fn add(db: &Connection, entry: &Entry) -> rusqlite::Result<i64> {
    let team = new_team(db)?;
    let role = entry.role.unwrap_or(Role::Student);
    let sql = "INSERT INTO person (role, team, made) VALUES (?1, ?2, ?3)";
    db.execute(sql, params![role.name(), team, now()])?;
    let id = db.last_insert_rowid();
    let sql =
        "INSERT INTO personal (person, login, name, email, team_name) VALUES (?1, ?2, ?3, '', '')";
    db.execute(sql, params![id, entry.id, entry.name])?;
    Ok(id)
}

/// What a roster says about somebody who is known, but for the team.
fn change(db: &Connection, id: i64, entry: &Entry) -> rusqlite::Result<()> {
    let sql = "UPDATE personal SET name = ?2, email = coalesce(?3, email) WHERE person = ?1";
    db.execute(sql, params![id, entry.name, entry.email])?;
    let sql = "UPDATE person SET extension = coalesce(?2, extension), role = coalesce(?3, role) \
               WHERE id = ?1";
    db.execute(
        sql,
        params![id, entry.extension, entry.role.map(Role::name)],
    )?;
    Ok(())
}

/// Somebody, and how the team is called before a roster and after it.
struct Member {
    person: i64,
    team: i64,
    before: String,
    after: String,
}

/// Gives people the teams that a roster names.
fn regroup(db: &Connection, names: &HashMap<i64, &str>) -> rusqlite::Result<()> {
    let sql = "SELECT p.id, p.team, q.team_name FROM person p JOIN personal q ON q.person = p.id ORDER BY p.id";
    let mut statement = db.prepare(sql)?;
    let members = statement.query_map((), |row| {
        let (person, before): (i64, String) = (row.get(0)?, row.get(2)?);
        let after = names
            .get(&person)
            .map_or(before.as_str(), |name| *name)
            .to_string();
        Ok(Member {
            person,
            team: row.get(1)?,
            before,
            after,
        })
    })?;
    let members: Vec<Member> = members.collect::<Result<_, _>>()?;
    let sizes = sizes(&members);
    // Those of one name belong together; who has none is alone.
    let mut groups: BTreeMap<(&str, i64), Vec<&Member>> = BTreeMap::new();
    for member in &members {
        let alone = if member.after.is_empty() {
            member.person
        } else {
            0
        };
        let group = groups.entry((&member.after, alone)).or_default();
        group.push(member);
    }
    for group in groups.values() {
        if group.iter().all(|member| member.before == member.after) {
            continue;
        }
        let team = match going_on(group, &sizes) {
            Some(team) => team,
            None => new_team(db)?,
        };
        for member in group.iter().filter(|member| member.before != member.after) {
            let sql = "UPDATE person SET team = ?2 WHERE id = ?1";
            db.execute(sql, params![member.person, team])?;
            let sql = "UPDATE personal SET team_name = ?2 WHERE person = ?1";
            db.execute(sql, params![member.person, member.after])?;
        }
    }
    Ok(())
}

/// How many are of each team.
fn sizes<'a>(members: impl IntoIterator<Item = &'a Member>) -> BTreeMap<i64, usize> {
    let mut sizes = BTreeMap::new();
    for member in members {
        *sizes.entry(member.team).or_default() += 1;
    }
    sizes
}

/// Which team, with all that it has handed in, people of one name go on with: the one that has the
/// name already, or else one that is there as a whole, since it is renamed; of several the largest,
/// and then the oldest. Nothing if they are a new team.
fn going_on(group: &[&Member], all: &BTreeMap<i64, usize>) -> Option<i64> {
    let stays = |member: &&&Member| member.before == member.after;
    if let Some(member) = group.iter().find(stays) {
        return Some(member.team);
    }
    let here = sizes(group.iter().copied());
    let whole = here
        .into_iter()
        .filter(|(team, size)| all.get(team) == Some(size));
    let best = whole.max_by_key(|(team, size)| (*size, Reverse(*team)));
    best.map(|(team, _)| team)
}

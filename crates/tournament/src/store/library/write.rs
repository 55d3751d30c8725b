//! Games come into the library, and leave it.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use games::{GameName, Recorded};
use rusqlite::{Connection, Statement, ToSql, params};

use super::columns::{Columns, Facts, mark_event, mark_removed};
use super::find;
use crate::store::StoreResult;

/// So many games share columns of keys.
const BLOCK: usize = 4096;

/// Blocks of fewer games take in those that come one by one, so that there are not as many blocks
/// as games. Whenever one comes, its block is written anew.
const OPEN: usize = 256;

/// Adds games; says how many are new.
pub(super) fn add(
    db: &Connection,
    game: GameName,
    source: &str,
    games: &[Recorded],
) -> StoreResult<usize> {
    let mut names = Names::default();
    let mut statement = db.prepare(INSERT)?;
    let mut new = Vec::new();
    for recorded in games {
        let inserted = insert(db, &mut statement, game, source, recorded, &mut names)?;
        new.extend(inserted.map(|(number, facts)| (number, recorded, facts)));
    }
    for part in new.chunks(BLOCK) {
        let (Some(&(first, ..)), Some(&(last, ..))) = (part.first(), part.last()) else {
            continue;
        };
        let open = match part.len() < OPEN {
            true => Columns::open(db, game, first, last, OPEN)?,
            false => None,
        };
        let mut columns = open.unwrap_or_else(|| Columns::new(first));
        for &(number, recorded, facts) in part {
            columns.put(number, recorded, facts);
        }
        columns.save(db, game)?;
    }
    Ok(new.len())
}

/// Numbers of names, as far as they have been asked for.
#[derive(Default)]
struct Names(HashMap<String, u32>);

impl Names {
    fn number(&mut self, db: &Connection, name: &str) -> StoreResult<u32> {
        if let Some(&number) = self.0.get(name) {
            return Ok(number);
        }
        let insert = "INSERT INTO library_names (name) VALUES (?) ON CONFLICT DO NOTHING";
        db.execute(insert, [name])?;
        let select = "SELECT number FROM library_names WHERE name = ?";
        let number = db.query_row(select, [name], |row| row.get(0))?;
        self.0.insert(name.into(), number);
        Ok(number)
    }
}

const INSERT: &str = "INSERT INTO library_games
     (game, digest, source, first, second, event, year, date, result, score, start, moves)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

/// Adds the row of a game and returns its number, or `None` if it is there already.
fn insert(
    db: &Connection,
    statement: &mut Statement<'_>,
    game: GameName,
    source: &str,
    recorded: &Recorded,
    names: &mut Names,
) -> StoreResult<Option<(i64, Facts)>> {
    let Recorded {
        players: [first, second],
        event,
        year,
        date,
        start,
        moves,
        ..
    } = recorded;
    let facts = Facts {
        players: [names.number(db, first)?, names.number(db, second)?],
        event: names.number(db, event)?,
        year: *year,
    };
    let inserted = statement.execute(params![
        game.name(),
        digest(recorded),
        source,
        facts.players[0],
        facts.players[1],
        facts.event,
        year,
        date,
        recorded.result,
        recorded.score,
        start,
        moves,
    ])?;
    Ok((inserted > 0).then(|| (db.last_insert_rowid(), facts)))
}

/// By what the same game is known to be the same.
fn digest(recorded: &Recorded) -> i64 {
    let mut digest = DefaultHasher::new();
    let [first, second] = &recorded.players;
    (first, second, &recorded.event, recorded.year).hash(&mut digest);
    (&recorded.start, &recorded.moves).hash(&mut digest);
    // Two people may play the same moves twice, but not at the same time.
    if !recorded.date.is_empty() {
        recorded.date.hash(&mut digest);
    }
    digest.finish() as i64
}

/// Gives a game another event; says whether that was possible.
pub(super) fn tag(db: &Connection, number: i64, event: &str) -> StoreResult<bool> {
    let Some(mut found) = find::one(db, number)? else {
        return Ok(false);
    };
    found.recorded.event = event.into();
    let event = Names::default().number(db, event)?;
    let sql = "UPDATE OR IGNORE library_games SET event = ?, digest = ? WHERE number = ?";
    let changed = db.execute(sql, params![event, digest(&found.recorded), number])?;
    if changed > 0 {
        mark_event(db, found.game, number, event)?;
    }
    Ok(changed > 0)
}

/// Removes the games in whose rows a column has this value; says how many.
pub(super) fn remove(
    db: &Connection,
    column: &'static str,
    value: &dyn ToSql,
) -> StoreResult<usize> {
    let sql = format!("SELECT number, game FROM library_games WHERE {column} = ?");
    let mut statement = db.prepare(&sql)?;
    let games = statement.query_map([value], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let games: Vec<(i64, String)> = games.collect::<Result<_, _>>()?;
    for (number, game) in &games {
        // A game that this program does not know is found by nobody.
        if let Ok(game) = game.parse() {
            mark_removed(db, game, *number)?;
        }
    }
    let sql = format!("DELETE FROM library_games WHERE {column} = ?");
    db.execute(&sql, [value])?;
    Ok(games.len())
}

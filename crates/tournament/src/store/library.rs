//! A library of games: found by players, year and event, and by positions up to symmetry.
//!
//! Positions are found by scanning columns of keys, one for each number of plies. That takes
//! eight bytes a position, a tenth of what an index of rows would, and is quick: a position says
//! after how many plies it can come up, and a column of a hundred thousand games is a megabyte.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use games::{AnyPosition, GameName, Recorded};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Statement, params, params_from_iter};

use super::{Store, StoreResult};

/// So many games share columns of keys.
const BLOCK: usize = 4096;

/// What the byte of a game's result is.
const UNKNOWN: u8 = 3;
const REMOVED: u8 = 255;

/// Which games are wanted.
#[derive(Clone, PartialEq, Debug)]
pub struct LibraryQuery {
    /// Of which game.
    pub game: GameName,
    /// Part of the name of one player.
    pub player: String,
    /// Part of the name of the other one.
    pub opponent: String,
    /// Part of the name of the event.
    pub event: String,
    /// From this year on.
    pub from: Option<u16>,
    /// Up to this year.
    pub to: Option<u16>,
    /// In which this position came up, or one that is symmetric to it.
    pub position: Option<AnyPosition>,
    /// Without the first so many.
    pub offset: usize,
    /// At most so many.
    pub limit: usize,
}

impl LibraryQuery {
    /// All games, from the latest on.
    #[must_use]
    pub fn new(game: GameName) -> LibraryQuery {
        LibraryQuery {
            game,
            player: String::new(),
            opponent: String::new(),
            event: String::new(),
            from: None,
            to: None,
            position: None,
            offset: 0,
            limit: 50,
        }
    }

    fn is_plain(&self) -> bool {
        let texts = [&self.player, &self.opponent, &self.event];
        texts.iter().all(|text| text.trim().is_empty()) && self.from.is_none() && self.to.is_none()
    }
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LibraryFound {
    /// How many games there are in all.
    pub count: usize,
    /// How often the first side won, drew and lost in them.
    pub wdl: [usize; 3],
    /// The games that were asked for, the latest first, with their numbers.
    pub games: Vec<(i64, Recorded)>,
    /// What was played in the position, the most frequent first.
    pub moves: Vec<LibraryMove>,
}

/// What came of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LibraryMove {
    /// The moves that lead to the same position up to symmetry.
    pub moves: Vec<String>,
    /// How many games went on so.
    pub count: usize,
    /// How often the first side won, drew and lost in them.
    pub wdl: [usize; 3],
}

impl Store {
    /// Adds games to the library; those that are there already are left out. Says how many are
    /// new.
    pub async fn add_to_library(
        &self,
        game: GameName,
        source: &str,
        games: Vec<Recorded>,
    ) -> StoreResult<usize> {
        let source = source.to_owned();
        self.change(move |db| {
            let mut names = Names::default();
            let mut statement = db.prepare(INSERT)?;
            let mut block: Vec<Recorded> = Vec::new();
            let (mut added, mut first) = (0, 0);
            for recorded in games {
                let Some(number) =
                    insert(db, &mut statement, game, &source, &recorded, &mut names)?
                else {
                    continue;
                };
                // The numbers of a block follow each other.
                if block.is_empty() {
                    first = number;
                }
                added += 1;
                block.push(recorded);
                if block.len() == BLOCK {
                    insert_block(db, game, first, &block)?;
                    block.clear();
                }
            }
            if !block.is_empty() {
                insert_block(db, game, first, &block)?;
            }
            Ok(added)
        })
        .await
    }

    /// Finds games.
    pub async fn library(&self, query: LibraryQuery) -> StoreResult<LibraryFound> {
        self.run(move |db| find(db, &query)).await
    }

    /// A game of the library.
    pub async fn library_game(&self, number: i64) -> StoreResult<Option<(GameName, Recorded)>> {
        self.run(move |db| {
            let sql = "SELECT game FROM library_games WHERE number = ?";
            let name: Option<String> = db.query_row(sql, [number], |row| row.get(0)).optional()?;
            let Some(game) = name.and_then(|name| name.parse().ok()) else {
                return Ok(None);
            };
            let found = fetch(db, &[number])?.pop();
            Ok(found.map(|(_, recorded)| (game, recorded)))
        })
        .await
    }

    /// Removes the games that came from somewhere; says how many.
    pub async fn remove_from_library(&self, source: &str) -> StoreResult<usize> {
        let source = source.to_owned();
        self.change(move |db| {
            let sql = "SELECT number FROM library_games WHERE source = ?";
            let mut statement = db.prepare(sql)?;
            let numbers = statement.query_map([&source], |row| row.get(0))?;
            let numbers: Vec<i64> = numbers.collect::<Result<_, _>>()?;
            for number in &numbers {
                let sql = "SELECT number, first FROM library_blocks
                     WHERE first <= ?1 ORDER BY first DESC, number DESC LIMIT 1";
                let (block, first): (i64, i64) =
                    db.query_row(sql, [number], |row| Ok((row.get(0)?, row.get(1)?)))?;
                let sql = "SELECT results FROM library_blocks WHERE number = ?";
                let mut results: Vec<u8> = db.query_row(sql, [block], |row| row.get(0))?;
                results[(number - first) as usize] = REMOVED;
                let sql = "UPDATE library_blocks SET results = ? WHERE number = ?";
                db.execute(sql, params![results, block])?;
            }
            db.execute("DELETE FROM library_games WHERE source = ?", [&source])?;
            Ok(numbers.len())
        })
        .await
    }
}

/// Numbers of names, as far as they have been asked for.
#[derive(Default)]
struct Names(HashMap<String, i64>);

impl Names {
    fn number(&mut self, db: &Connection, name: &str) -> StoreResult<i64> {
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
     (game, digest, source, first, second, event, year, result, score, start, moves)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING";

/// Adds the row of a game and returns its number, or `None` if it is there already.
fn insert(
    db: &Connection,
    statement: &mut Statement<'_>,
    game: GameName,
    source: &str,
    recorded: &Recorded,
    names: &mut Names,
) -> StoreResult<Option<i64>> {
    let [first, second] = &recorded.players;
    let mut digest = DefaultHasher::new();
    let Recorded {
        event,
        year,
        start,
        moves,
        ..
    } = recorded;
    (first, second, event, year, start, moves).hash(&mut digest);
    let first = names.number(db, first)?;
    let second = names.number(db, second)?;
    let event = names.number(db, event)?;
    let inserted = statement.execute(params![
        game.name(),
        digest.finish() as i64,
        source,
        first,
        second,
        event,
        year,
        recorded.result,
        recorded.score,
        start,
        moves,
    ])?;
    Ok((inserted > 0).then(|| db.last_insert_rowid()))
}

/// Adds the keys of games whose numbers follow each other.
fn insert_block(
    db: &Connection,
    game: GameName,
    first: i64,
    games: &[Recorded],
) -> StoreResult<()> {
    let results: Vec<u8> = games
        .iter()
        .map(|game| game.result.map_or(UNKNOWN, |result| (result + 1) as u8))
        .collect();
    let sql = "INSERT INTO library_blocks (game, first, count, results) VALUES (?, ?, ?, ?)";
    db.execute(
        sql,
        params![game.name(), first, games.len() as i64, results],
    )?;
    let block = db.last_insert_rowid();
    let longest = games.iter().map(|game| game.keys.len()).max().unwrap_or(0);
    let sql = "INSERT INTO library_keys (block, ply, delay, keys) VALUES (?, ?, ?, ?)";
    let mut statement = db.prepare(sql)?;
    for ply in 0..longest {
        let key = |game: &Recorded| game.keys.get(ply).copied().unwrap_or(0).to_le_bytes();
        let keys: Vec<u8> = games.iter().flat_map(key).collect();
        let delays = games.iter().filter_map(|game| game.delays.get(ply));
        let delay = delays.max().copied().unwrap_or(0);
        statement.execute(params![block, ply as i64, delay, keys])?;
    }
    Ok(())
}

fn find(db: &Connection, query: &LibraryQuery) -> StoreResult<LibraryFound> {
    let mut found = LibraryFound::default();
    let (conditions, values) = conditions(db, query)?;
    let Some(position) = &query.position else {
        if query.is_plain() {
            (found.count, found.wdl) = count_all(db, query.game)?;
            found.games = page(db, query, &conditions, &values)?;
            return Ok(found);
        }
        let sql = format!(
            "SELECT count(*), total(result = 1), total(result = 0), total(result = -1)
             FROM library_games g WHERE {conditions}"
        );
        let (count, wdl) = db.query_row(&sql, params_from_iter(&values), |row| {
            let part = |index| row.get::<_, f64>(index).map(|number| number as usize);
            Ok((row.get::<_, i64>(0)?, [part(1)?, part(2)?, part(3)?]))
        })?;
        (found.count, found.wdl) = (count as usize, wdl);
        found.games = page(db, query, &conditions, &values)?;
        return Ok(found);
    };
    let mut reached = scan(db, query.game, position)?;
    if !query.is_plain() {
        let sql = format!("SELECT number FROM library_games g WHERE {conditions}");
        let mut statement = db.prepare(&sql)?;
        let numbers = statement.query_map(params_from_iter(&values), |row| row.get(0))?;
        let mut numbers: Vec<i64> = numbers.collect::<Result<_, _>>()?;
        numbers.sort_unstable();
        reached.retain(|game| numbers.binary_search(&game.number).is_ok());
    }
    found.count = reached.len();
    for game in &reached {
        count_result(&mut found.wdl, game.result);
    }
    found.moves = continuations(position, &reached);
    // The latest games come last in the files that libraries are made of.
    reached.sort_unstable_by_key(|game| std::cmp::Reverse(game.number));
    let page = reached.iter().skip(query.offset).take(query.limit);
    let numbers: Vec<i64> = page.map(|game| game.number).collect();
    found.games = fetch(db, &numbers)?;
    Ok(found)
}

/// How many games of a kind there are, and how they ended.
fn count_all(db: &Connection, game: GameName) -> StoreResult<(usize, [usize; 3])> {
    let mut statement = db.prepare("SELECT results FROM library_blocks WHERE game = ?")?;
    let (mut count, mut wdl) = (0, [0; 3]);
    let mut rows = statement.query([game.name()])?;
    while let Some(row) = rows.next()? {
        let results = row.get_ref(0)?.as_blob().unwrap_or_default();
        for &result in results.iter().filter(|&&result| result != REMOVED) {
            count += 1;
            count_result(&mut wdl, result);
        }
    }
    Ok((count, wdl))
}

/// The games of a page, the latest first.
fn page(
    db: &Connection,
    query: &LibraryQuery,
    conditions: &str,
    values: &[Value],
) -> StoreResult<Vec<(i64, Recorded)>> {
    let sql = format!(
        "SELECT number FROM library_games g WHERE {conditions}
         ORDER BY year DESC, number LIMIT {} OFFSET {}",
        query.limit, query.offset
    );
    let mut statement = db.prepare(&sql)?;
    let numbers = statement.query_map(params_from_iter(values), |row| row.get(0))?;
    let numbers: Vec<i64> = numbers.collect::<Result<_, _>>()?;
    fetch(db, &numbers)
}

/// Adds the byte of a result.
fn count_result(wdl: &mut [usize; 3], result: u8) {
    if let Some(place) = wdl.get_mut(2usize.wrapping_sub(usize::from(result))) {
        *place += 1;
    }
}

/// What is asked beside the position, as a condition with its values.
fn conditions(db: &Connection, query: &LibraryQuery) -> StoreResult<(String, Vec<Value>)> {
    let mut all = vec!["g.game = ?".to_string()];
    let mut values = vec![Value::from(query.game.name().to_string())];
    let named = |text: &str| -> StoreResult<Option<String>> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let sql = "SELECT number FROM library_names WHERE instr(lower(name), lower(?)) > 0";
        let mut statement = db.prepare(sql)?;
        let numbers = statement.query_map([text], |row| row.get::<_, i64>(0))?;
        let numbers: Vec<String> = numbers
            .map(|number| number.map(|number| number.to_string()))
            .collect::<Result<_, _>>()?;
        Ok(Some(numbers.join(", ")))
    };
    match (named(&query.player)?, named(&query.opponent)?) {
        (Some(one), Some(other)) => all.push(format!(
            "(g.first IN ({one}) AND g.second IN ({other}) OR g.first IN ({other}) AND g.second IN ({one}))"
        )),
        (Some(one), None) | (None, Some(one)) => {
            all.push(format!("(g.first IN ({one}) OR g.second IN ({one}))"));
        }
        (None, None) => {}
    }
    if let Some(events) = named(&query.event)? {
        all.push(format!("g.event IN ({events})"));
    }
    if let Some(year) = query.from {
        all.push("g.year >= ?".into());
        values.push(i64::from(year).into());
    }
    if let Some(year) = query.to {
        all.push("g.year BETWEEN 1 AND ?".into());
        values.push(i64::from(year).into());
    }
    Ok((all.join(" AND "), values))
}

/// A game in which the position came up.
struct Reached {
    number: i64,
    result: u8,
    /// The key of the position after it; 0 if the game was over.
    next: u64,
}

/// The games in which a position came up.
fn scan(db: &Connection, game: GameName, position: &AnyPosition) -> StoreResult<Vec<Reached>> {
    let wanted = position.symmetric_key().to_le_bytes();
    let plies = position.plies_to();
    let mut blocks = db.prepare(
        "SELECT number, first, results FROM library_blocks WHERE game = ? ORDER BY first",
    )?;
    let mut columns = db.prepare(
        "SELECT ply, delay, keys FROM library_keys
         WHERE block = ? AND ply BETWEEN ? AND ? ORDER BY ply",
    )?;
    let (least, most) = (*plies.start() as i64, (*plies.end()).min(10_000) as i64);
    let mut all = Vec::new();
    let mut rows = blocks.query([game.name()])?;
    while let Some(row) = rows.next()? {
        let (block, first): (i64, i64) = (row.get(0)?, row.get(1)?);
        let results: Vec<u8> = row.get(2)?;
        let mut reached: Vec<(usize, i64)> = Vec::new();
        // Where the position came up, what followed stands in the next column.
        let mut next = vec![0u64; results.len()];
        let mut columns = columns.query(params![block, least, most + 1])?;
        while let Some(row) = columns.next()? {
            let (ply, delay): (i64, i64) = (row.get(0)?, row.get(1)?);
            // Keys are read only where they can matter: most games come here without a delay.
            let late = delay < i64::from(u8::MAX) && ply - least > delay;
            let follows = reached.last().is_some_and(|(_, at)| at + 1 == ply);
            if late && !follows {
                continue;
            }
            let keys = row.get_ref(2)?.as_blob().unwrap_or_default();
            let (keys, _) = keys.as_chunks::<8>();
            for &(index, at) in &reached {
                if at + 1 == ply {
                    next[index] = u64::from_le_bytes(keys[index]);
                }
            }
            if ply <= most && !late {
                let found = keys.iter().enumerate().filter(|(_, key)| **key == wanted);
                reached.extend(found.map(|(index, _)| (index, ply)));
            }
        }
        all.extend(
            reached
                .into_iter()
                .filter(|(index, _)| results[*index] != REMOVED)
                .map(|(index, _)| Reached {
                    number: first + index as i64,
                    result: results[index],
                    next: next[index],
                }),
        );
    }
    Ok(all)
}

/// What was played from a position on.
fn continuations(position: &AnyPosition, reached: &[Reached]) -> Vec<LibraryMove> {
    let mut moves: Vec<(u64, LibraryMove)> = Vec::new();
    for mv in position.moves() {
        let mut next = position.clone();
        if next.play(&mv).is_err() {
            continue;
        }
        let key = next.symmetric_key();
        match moves.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => known.moves.push(mv),
            None => moves.push((
                key,
                LibraryMove {
                    moves: vec![mv],
                    count: 0,
                    wdl: [0; 3],
                },
            )),
        }
    }
    for game in reached {
        if let Some((_, known)) = moves.iter_mut().find(|(key, _)| *key == game.next) {
            known.count += 1;
            count_result(&mut known.wdl, game.result);
        }
    }
    let mut moves: Vec<LibraryMove> = moves.into_iter().map(|(_, known)| known).collect();
    moves.retain(|known| known.count > 0);
    moves.sort_by_key(|known| std::cmp::Reverse(known.count));
    moves
}

/// These games, in this order.
fn fetch(db: &Connection, numbers: &[i64]) -> StoreResult<Vec<(i64, Recorded)>> {
    let sql = "SELECT a.name, b.name, e.name, g.year, g.result, g.score, g.start, g.moves
         FROM library_games g
         JOIN library_names a ON a.number = g.first
         JOIN library_names b ON b.number = g.second
         JOIN library_names e ON e.number = g.event
         WHERE g.number = ?";
    let mut statement = db.prepare(sql)?;
    let mut games = Vec::new();
    for &number in numbers {
        let recorded = statement
            .query_row([number], |row| {
                Ok(Recorded {
                    players: [row.get(0)?, row.get(1)?],
                    event: row.get(2)?,
                    year: row.get(3)?,
                    result: row.get(4)?,
                    score: row.get(5)?,
                    start: row.get(6)?,
                    moves: row.get(7)?,
                    ..Recorded::default()
                })
            })
            .optional()?;
        games.extend(recorded.map(|recorded| (number, recorded)));
    }
    Ok(games)
}

//! Games of the library are found.

use std::cmp::Reverse;

use games::{AnyPosition, Recorded};
use rusqlite::{Connection, OptionalExtension as _, Statement, params};

use super::columns::{Facts, REMOVED};
use super::{LibraryFound, LibraryGame, LibraryMove, LibraryQuery};
use crate::store::StoreResult;

/// A game that was found.
struct Hit {
    number: i64,
    year: u16,
    result: u8,
    /// The key of the position after the one that is wanted; 0 if the game was over.
    next: u64,
}

const BLOCKS: &str = "SELECT number, first, results, facts FROM library_blocks
     WHERE game = ? ORDER BY first, number";

const COLUMNS: &str = "SELECT ply, delay, keys FROM library_keys
     WHERE block = ? AND ply BETWEEN ? AND ? ORDER BY ply";

pub(super) fn find(db: &Connection, query: &LibraryQuery) -> StoreResult<LibraryFound> {
    let wanted = Wanted::new(db, query)?;
    let mut hits: Vec<Hit> = Vec::new();
    let mut blocks = db.prepare(BLOCKS)?;
    let mut columns = db.prepare(COLUMNS)?;
    let mut rows = blocks.query([query.game.name()])?;
    while let Some(row) = rows.next()? {
        let (block, first): (i64, i64) = (row.get(0)?, row.get(1)?);
        let results = row.get_ref(2)?.as_blob().unwrap_or_default();
        let facts = row.get_ref(3)?.as_blob().unwrap_or_default();
        let mut take = |slot: usize, next: u64| {
            let (Some(&result), Some(facts)) = (results.get(slot), Facts::at(facts, slot)) else {
                return;
            };
            if result != REMOVED && wanted.fits(&facts) {
                hits.push(Hit {
                    number: first + slot as i64,
                    year: facts.year,
                    result,
                    next,
                });
            }
        };
        match &query.position {
            Some(position) => scan(&mut columns, block, results.len(), position, take)?,
            None => (0..results.len()).for_each(|slot| take(slot, 0)),
        }
    }
    let mut found = LibraryFound {
        count: hits.len(),
        ..LibraryFound::default()
    };
    for hit in &hits {
        count_result(&mut found.wdl, hit.result);
    }
    if let Some(position) = &query.position {
        found.moves = continuations(position, &hits);
    }
    found.games = fetch(db, &page(hits, query.offset, query.limit))?;
    Ok(found)
}

/// The numbers of the games of a page, the latest first: of a year, those come last in files and
/// are added last.
fn page(mut hits: Vec<Hit>, offset: usize, limit: usize) -> Vec<i64> {
    let key = |hit: &Hit| Reverse((hit.year, hit.number));
    let end = offset.saturating_add(limit);
    // Only what is shown need be in order.
    if end < hits.len() {
        hits.select_nth_unstable_by_key(end, key);
        hits.truncate(end);
    }
    hits.sort_unstable_by_key(key);
    hits.iter().skip(offset).map(|hit| hit.number).collect()
}

/// What is asked beside the position.
struct Wanted {
    player: Names,
    opponent: Names,
    event: Names,
    years: std::ops::RangeInclusive<u16>,
}

/// Which names are meant, by their numbers; `None` if any is.
type Names = Option<Vec<bool>>;

fn among(names: &Names, number: u32) -> bool {
    let Some(names) = names else {
        return true;
    };
    names.get(number as usize).copied().unwrap_or(false)
}

impl Wanted {
    fn new(db: &Connection, query: &LibraryQuery) -> StoreResult<Wanted> {
        let mut asked =
            [&query.player, &query.opponent, &query.event].map(|text| match text.trim() {
                "" => None,
                text => Some((text.to_lowercase(), Vec::new())),
            });
        if asked.iter().any(Option::is_some) {
            let mut statement = db.prepare("SELECT number, name FROM library_names")?;
            let mut rows = statement.query(())?;
            while let Some(row) = rows.next()? {
                let number: u32 = row.get(0)?;
                let name = row.get_ref(1)?.as_str().unwrap_or_default().to_lowercase();
                for (text, meant) in asked.iter_mut().flatten() {
                    let count = meant.len().max(number as usize + 1);
                    meant.resize(count, false);
                    meant[number as usize] = name.contains(text.as_str());
                }
            }
        }
        let [player, opponent, event] = asked.map(|asked| asked.map(|(_, meant)| meant));
        // Who asks for years up to one does not mean games of which the year is not known.
        let least = if query.to.is_some() { 1 } else { 0 };
        Ok(Wanted {
            player,
            opponent,
            event,
            years: query.from.unwrap_or(0).max(least)..=query.to.unwrap_or(u16::MAX),
        })
    }

    fn fits(&self, facts: &Facts) -> bool {
        let [first, second] = facts.players;
        let played = |one, other| among(&self.player, one) && among(&self.opponent, other);
        self.years.contains(&facts.year)
            && among(&self.event, facts.event)
            && (played(first, second) || played(second, first))
    }
}

/// Adds the byte of a result.
fn count_result(wdl: &mut [usize; 3], result: u8) {
    if let Some(place) = wdl.get_mut(2usize.wrapping_sub(usize::from(result))) {
        *place += 1;
    }
}

/// Calls `take` for the places of a block whose games reached a position, with the key of what
/// came after it.
fn scan(
    columns: &mut Statement<'_>,
    block: i64,
    count: usize,
    position: &AnyPosition,
    mut take: impl FnMut(usize, u64),
) -> StoreResult<()> {
    let wanted = position.symmetric_key().to_le_bytes();
    let plies = position.plies_to();
    let (least, most) = (*plies.start() as i64, (*plies.end()).min(10_000) as i64);
    let mut reached: Vec<(usize, i64)> = Vec::new();
    // Where the position came up, what followed stands in the next column.
    let mut next = vec![0u64; count];
    let mut rows = columns.query(params![block, least, most + 1])?;
    while let Some(row) = rows.next()? {
        let (ply, delay): (i64, i64) = (row.get(0)?, row.get(1)?);
        // Keys are read only where they can matter: most games come here without a delay.
        let late = delay < i64::from(u8::MAX) && ply - least > delay;
        let follows = reached.last().is_some_and(|(_, at)| at + 1 == ply);
        if late && !follows {
            continue;
        }
        let keys = row.get_ref(2)?.as_blob().unwrap_or_default();
        let (keys, _) = keys.as_chunks::<8>();
        for &(slot, at) in &reached {
            if at + 1 == ply {
                next[slot] = u64::from_le_bytes(keys[slot]);
            }
        }
        if ply <= most && !late {
            let found = keys.iter().enumerate().filter(|(_, key)| **key == wanted);
            reached.extend(found.map(|(slot, _)| (slot, ply)));
        }
    }
    for (slot, _) in reached {
        take(slot, next[slot]);
    }
    Ok(())
}

/// What was played from a position on.
fn continuations(position: &AnyPosition, hits: &[Hit]) -> Vec<LibraryMove> {
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
    for hit in hits {
        if let Some((_, known)) = moves.iter_mut().find(|(key, _)| *key == hit.next) {
            known.count += 1;
            count_result(&mut known.wdl, hit.result);
        }
    }
    let mut moves: Vec<LibraryMove> = moves.into_iter().map(|(_, known)| known).collect();
    moves.retain(|known| known.count > 0);
    moves.sort_by_key(|known| Reverse(known.count));
    moves
}

/// The game with this number, if it is one that this program knows.
pub(super) fn one(db: &Connection, number: i64) -> StoreResult<Option<LibraryGame>> {
    let sql = "SELECT game, source FROM library_games WHERE number = ?";
    let row = db.query_row(sql, [number], |row| {
        Ok((row.get::<_, String>(0)?, row.get(1)?))
    });
    let Some((name, source)) = row.optional()? else {
        return Ok(None);
    };
    let (Ok(game), Some((_, recorded))) = (name.parse(), fetch(db, &[number])?.pop()) else {
        return Ok(None);
    };
    Ok(Some(LibraryGame {
        game,
        recorded,
        source,
    }))
}

/// These games, in this order.
pub(super) fn fetch(db: &Connection, numbers: &[i64]) -> StoreResult<Vec<(i64, Recorded)>> {
    let sql = "SELECT a.name, b.name, e.name, g.year, g.date, g.result, g.score, g.start, g.moves
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
                    date: row.get(4)?,
                    result: row.get(5)?,
                    score: row.get(6)?,
                    start: row.get(7)?,
                    moves: row.get(8)?,
                    ..Recorded::default()
                })
            })
            .optional()?;
        games.extend(recorded.map(|recorded| (number, recorded)));
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::store::Schema;
    use crate::store::migrations::{GAMES, run};

    /// Brings a database to where it has taken so many steps.
    fn migrate(db: &mut Connection, steps: usize) {
        let schema = Schema {
            steps: &GAMES.steps[..steps],
            ..GAMES
        };
        run(db, Path::new("x.db"), &schema).unwrap();
    }

    /// Blocks are walked in the order of an index: a sort would copy all columns.
    #[test]
    fn columns_are_read_in_order_without_being_sorted() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db, GAMES.steps.len());
        let plan = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
            let mut plan = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let steps = plan.query_map(values, |row| row.get::<_, String>(3));
            steps.unwrap().collect::<Result<Vec<_>, _>>().unwrap()
        };
        assert_eq!(
            plan(BLOCKS, &[&"reversi"]),
            ["SEARCH library_blocks USING INDEX library_blocks_in_order (game=?)"]
        );
        let index = "sqlite_autoindex_library_keys_1";
        assert_eq!(
            plan(COLUMNS, &[&1, &1, &1]),
            [format!(
                "SEARCH library_keys USING INDEX {index} (block=? AND ply>? AND ply<?)"
            )]
        );
    }

    /// A library of before there was a column with who played: the step makes it.
    #[test]
    fn older_libraries_are_searched_too() {
        let mut db = Connection::open_in_memory().unwrap();
        migrate(&mut db, 4);
        db.execute_batch(
            "INSERT INTO library_names VALUES (1, 'Anna'), (2, 'Ben'), (300, 'Cup'), (70000, 'Zoe');
             INSERT INTO library_games VALUES
                 (5, 'reversi', 1, 'x', 1, 2, 300, 1998, -1, '', '', 'f5'),
                 (7, 'reversi', 2, 'x', 70000, 1, 300, 2009, 1, '', '', 'd3'),
                 (8, 'reversi', 3, 'x', 2, 70000, 300, 2031, NULL, '', '', 'c4');
             INSERT INTO library_blocks VALUES
                 (1, 'reversi', 5, 3, x'00ff02'), (2, 'reversi', 8, 1, x'03');",
        )
        .unwrap();
        migrate(&mut db, GAMES.steps.len());
        let found = |player: &str, from: u16| {
            let query = LibraryQuery {
                player: player.into(),
                from: Some(from),
                ..LibraryQuery::new(games::REVERSI)
            };
            let found = find(&db, &query).unwrap();
            let numbers: Vec<i64> = found.games.iter().map(|(number, _)| *number).collect();
            (numbers, found.wdl)
        };
        assert_eq!(found("", 0), (vec![8, 7, 5], [1, 0, 1]));
        assert_eq!(found("anna", 0), (vec![7, 5], [1, 0, 1]));
        assert_eq!(found("zoe", 2009), (vec![8, 7], [1, 0, 0]));
        assert_eq!(found("ben", 2000), (vec![8], [0, 0, 0]));
    }
}

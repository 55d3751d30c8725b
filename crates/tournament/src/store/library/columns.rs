//! The columns of a block of games: what is known of them, and the keys of their positions.

use games::{GameName, Recorded};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::store::StoreResult;

/// What the byte of a game's result is.
pub(super) const UNKNOWN: u8 = 3;
pub(super) const REMOVED: u8 = 255;

/// The bytes of a game in the column of facts.
const FACTS: usize = 14;

/// Who played, where and when: numbers of names, and a year.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Facts {
    pub(super) players: [u32; 2],
    pub(super) event: u32,
    pub(super) year: u16,
}

impl Facts {
    fn to_bytes(self) -> [u8; FACTS] {
        let mut bytes = [0; FACTS];
        let [first, second] = self.players;
        for (place, number) in bytes.chunks_exact_mut(4).zip([first, second, self.event]) {
            place.copy_from_slice(&number.to_be_bytes());
        }
        bytes[FACTS - 2..].copy_from_slice(&self.year.to_be_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; FACTS]) -> Facts {
        let (numbers, year) = bytes.as_chunks::<4>();
        Facts {
            players: [numbers[0], numbers[1]].map(u32::from_be_bytes),
            event: u32::from_be_bytes(numbers[2]),
            year: u16::from_be_bytes([year[0], year[1]]),
        }
    }

    /// Those of one game of a block.
    pub(super) fn at(column: &[u8], slot: usize) -> Option<Facts> {
        let (games, _) = column.as_chunks::<FACTS>();
        games.get(slot).map(Facts::from_bytes)
    }
}

/// The keys after so many plies.
#[derive(Default)]
struct Keys {
    /// The most plies that a game needed more than at least.
    delay: u8,
    keys: Vec<[u8; 8]>,
}

/// A block in memory: games whose numbers lie close together.
pub(super) struct Columns {
    /// Its number; `None` if it is new.
    block: Option<i64>,
    /// The number of its first game.
    first: i64,
    results: Vec<u8>,
    facts: Vec<u8>,
    plies: Vec<Keys>,
}

impl Columns {
    /// A new block that begins with this game.
    pub(super) fn new(first: i64) -> Columns {
        Columns {
            block: None,
            first,
            results: Vec::new(),
            facts: Vec::new(),
            plies: Vec::new(),
        }
    }

    /// The block in which the game with this number stands or would stand, if all those up to
    /// `last` fit into it.
    pub(super) fn open(
        db: &Connection,
        game: GameName,
        number: i64,
        last: i64,
        most: usize,
    ) -> StoreResult<Option<Columns>> {
        let Some((block, first, count)) = block_of(db, game, number)? else {
            return Ok(None);
        };
        if last >= first + count.max(most as i64) {
            return Ok(None);
        }
        let sql = "SELECT results, facts FROM library_blocks WHERE number = ?";
        let (results, facts) = db.query_row(sql, [block], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let sql = "SELECT delay, keys FROM library_keys WHERE block = ? ORDER BY ply";
        let mut statement = db.prepare(sql)?;
        let plies = statement.query_map([block], |row| {
            let keys = row.get_ref(1)?.as_blob().unwrap_or_default();
            Ok(Keys {
                delay: row.get(0)?,
                keys: keys.as_chunks::<8>().0.to_vec(),
            })
        })?;
        Ok(Some(Columns {
            block: Some(block),
            first,
            results,
            facts,
            plies: plies.collect::<Result<_, _>>()?,
        }))
    }

    /// Puts a game into its place.
    pub(super) fn put(&mut self, number: i64, recorded: &Recorded, facts: Facts) {
        let slot = (number - self.first) as usize;
        let count = self.results.len().max(slot + 1);
        // Numbers between the games of a block belong to others, or to nobody.
        self.results.resize(count, REMOVED);
        self.facts.resize(count * FACTS, 0);
        if self.plies.len() < recorded.keys.len() {
            self.plies.resize_with(recorded.keys.len(), Keys::default);
        }
        self.results[slot] = recorded.result.map_or(UNKNOWN, |result| (result + 1) as u8);
        self.facts[slot * FACTS..][..FACTS].copy_from_slice(&facts.to_bytes());
        for (ply, column) in self.plies.iter_mut().enumerate() {
            column.keys.resize(count, [0; 8]);
            let key = recorded.keys.get(ply).copied().unwrap_or(0);
            column.keys[slot] = key.to_le_bytes();
            let delay = recorded.delays.get(ply).copied().unwrap_or(0);
            column.delay = column.delay.max(delay);
        }
    }

    /// Writes the block.
    pub(super) fn save(&self, db: &Connection, game: GameName) -> StoreResult<()> {
        let count = self.results.len() as i64;
        let block = match self.block {
            Some(block) => {
                let sql = "UPDATE library_blocks SET count = ?, results = ?, facts = ?
                     WHERE number = ?";
                db.execute(sql, params![count, self.results, self.facts, block])?;
                block
            }
            None => {
                let sql = "INSERT INTO library_blocks (game, first, count, results, facts)
                     VALUES (?, ?, ?, ?, ?)";
                let (first, results, facts) = (self.first, &self.results, &self.facts);
                db.execute(sql, params![game.name(), first, count, results, facts])?;
                db.last_insert_rowid()
            }
        };
        let sql = "INSERT INTO library_keys (block, ply, delay, keys) VALUES (?, ?, ?, ?)
             ON CONFLICT (block, ply) DO UPDATE SET delay = excluded.delay, keys = excluded.keys";
        let mut statement = db.prepare(sql)?;
        for (ply, column) in self.plies.iter().enumerate() {
            let keys = column.keys.as_flattened();
            statement.execute(params![block, ply as i64, column.delay, keys])?;
        }
        Ok(())
    }
}

/// The number, first game and size of the block in which a game stands or would stand.
fn block_of(db: &Connection, game: GameName, number: i64) -> StoreResult<Option<(i64, i64, i64)>> {
    let sql = "SELECT number, first, count FROM library_blocks
         WHERE game = ? AND first <= ? ORDER BY first DESC, number DESC LIMIT 1";
    let found = db.query_row(sql, params![game.name(), number], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    });
    Ok(found.optional()?)
}

/// Notes that a game is no longer there.
pub(super) fn mark_removed(db: &Connection, game: GameName, number: i64) -> StoreResult<()> {
    change(db, game, number, "results", |results, slot| {
        if let Some(result) = results.get_mut(slot) {
            *result = REMOVED;
        }
    })
}

/// Notes that a game has another event.
pub(super) fn mark_event(
    db: &Connection,
    game: GameName,
    number: i64,
    event: u32,
) -> StoreResult<()> {
    change(db, game, number, "facts", |column, slot| {
        let (games, _) = column.as_chunks_mut::<FACTS>();
        if let Some(bytes) = games.get_mut(slot) {
            let facts = Facts {
                event,
                ..Facts::from_bytes(bytes)
            };
            *bytes = facts.to_bytes();
        }
    })
}

/// Changes what a column of the block of a game says of it, in its place.
fn change(
    db: &Connection,
    game: GameName,
    number: i64,
    column: &'static str,
    change: impl FnOnce(&mut [u8], usize),
) -> StoreResult<()> {
    let Some((block, first, _)) = block_of(db, game, number)? else {
        return Ok(());
    };
    let sql = format!("SELECT {column} FROM library_blocks WHERE number = ?");
    let mut bytes: Vec<u8> = db.query_row(&sql, [block], |row| row.get(0))?;
    change(&mut bytes, (number - first) as usize);
    let sql = format!("UPDATE library_blocks SET {column} = ? WHERE number = ?");
    db.execute(&sql, params![bytes, block])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_as_they_were_written() {
        let facts = Facts {
            players: [1, 0x0102_0304],
            event: u32::MAX,
            year: 2031,
        };
        let mut column = Facts::default().to_bytes().to_vec();
        column.extend(facts.to_bytes());
        assert_eq!(Facts::at(&column, 0), Some(Facts::default()));
        assert_eq!(Facts::at(&column, 1), Some(facts));
        assert_eq!(Facts::at(&column, 2), None);
    }
}

//! Adding to the store.

use referee::{Ending, GameRecord, Input, MoveRecord, PlayerSpec, Score, Verdict};
use rules::Side;
use rusqlite::{Connection, TransactionBehavior, params};
use serde::Serialize;

use super::{NoteKind, Store, StoreError, StoreResult, now};
use crate::config::{Config, game_id};
use crate::schedule::Fixture;

impl Store {
    /// Enters a tournament, unless it is there already; returns its id.
    pub async fn create(&self, config: &Config) -> StoreResult<String> {
        let columns = TournamentColumns::of(config)?;
        self.change(move |db| {
            columns.insert(db)?;
            Ok(columns.id)
        })
        .await
    }

    /// Writes a finished game with all its moves; `false` if it was there already. A game
    /// that was stopped has no result and is not written.
    pub async fn add_game(
        &self,
        tournament: &str,
        fixture: &Fixture,
        record: &GameRecord,
    ) -> StoreResult<bool> {
        if record.score == Score::None {
            return Ok(false);
        }
        let (tournament, fixture, record) = (tournament.to_owned(), *fixture, record.clone());
        self.change(move |db| {
            let columns = GameColumns::of(&record)?;
            let Some(number) = columns.insert(db, &tournament, &fixture)? else {
                return Ok(false);
            };
            insert_moves(db, number, &record.moves)?;
            Ok(true)
        })
        .await
    }

    /// Writes a game that nobody played because a player had been benched.
    pub async fn add_forfeit(
        &self,
        tournament: &str,
        fixture: &Fixture,
        score: Score,
        reason: &str,
    ) -> StoreResult<bool> {
        let columns = GameColumns {
            score,
            ending: "forfeit".into(),
            ending_text: reason.into(),
            sides: Default::default(),
            turns: 0,
            head: None,
        };
        let (tournament, fixture) = (tournament.to_owned(), *fixture);
        self.change(move |db| Ok(columns.insert(db, &tournament, &fixture)?.is_some()))
            .await
    }

    /// Writes a note about a tournament.
    pub async fn add_note(
        &self,
        tournament: &str,
        kind: NoteKind,
        player: Option<usize>,
        text: &str,
    ) -> StoreResult<()> {
        let (tournament, text) = (tournament.to_owned(), text.to_owned());
        let player = player.map(|number| number as i64);
        let sql = "INSERT INTO notes (tournament, kind, player, text, at) VALUES (?, ?, ?, ?, ?)";
        self.change(move |db| {
            db.execute(sql, params![tournament, kind.name(), player, text, now()])?;
            Ok(())
        })
        .await
    }

    /// Runs work in a transaction that is able to write from its start; an error undoes it.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> StoreResult<T> + Send + 'static,
    ) -> StoreResult<T> {
        let lasting = self.lasting;
        self.run(move |db| {
            // A connection is somebody else's next, so it is said each time.
            let synchronous = if lasting { "full" } else { "normal" };
            db.pragma_update(None, "synchronous", synchronous)?;
            let transaction = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })
        .await
    }
}

/// The columns of a tournament, and those of its players.
pub(super) struct TournamentColumns {
    pub(super) id: String,
    name: String,
    game: &'static str,
    format: &'static str,
    planned: i64,
    config: String,
    players: Vec<(String, String)>,
}

impl TournamentColumns {
    pub(super) fn of(config: &Config) -> StoreResult<TournamentColumns> {
        let player = |player: &PlayerSpec| {
            let spec = match &player.bot {
                Some(bot) => bot.clone(),
                None => format!("{}:{}", player.kind, player.command),
            };
            (player.name.clone(), spec)
        };
        Ok(TournamentColumns {
            id: config.id(),
            name: config.name.clone(),
            game: config.game.name(),
            format: config.format.name(),
            planned: config.plan().games() as i64,
            config: json("a configuration", config)?,
            players: config.players.iter().map(player).collect(),
        })
    }

    /// Adds the rows, unless they are there already.
    pub(super) fn insert(&self, db: &Connection) -> StoreResult<()> {
        let entered = db.execute(
            "INSERT INTO tournaments (id, name, game, format, planned, config, created)
             VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            params![
                self.id,
                self.name,
                self.game,
                self.format,
                self.planned,
                self.config,
                now(),
            ],
        )?;
        if entered == 0 {
            return Ok(());
        }
        let mut insert =
            db.prepare("INSERT INTO players (tournament, number, name, spec) VALUES (?, ?, ?, ?)")?;
        for (number, (name, spec)) in (0i64..).zip(&self.players) {
            insert.execute(params![self.id, number, name, spec])?;
        }
        Ok(())
    }
}

/// The columns of a game that do not follow from its place in the tournament.
struct GameColumns {
    score: Score,
    ending: String,
    ending_text: String,
    sides: [SideColumns; 2],
    turns: i64,
    head: Option<String>,
}

#[derive(Default)]
struct SideColumns {
    wall: i64,
    cpu: i64,
    slowest: i64,
    faults: i64,
    failed: bool,
}

impl SideColumns {
    fn of(record: &GameRecord, side: Side) -> SideColumns {
        let (wall, cpu) = record.time(side);
        let own = record.moves.iter().filter(|mv| mv.side == side.into());
        SideColumns {
            wall: micros(wall),
            cpu: micros(cpu),
            slowest: own.map(|mv| micros(mv.wall)).max().unwrap_or(0),
            faults: record.faults(side).count() as i64,
            failed: failed(record, side),
        }
    }
}

/// Whether a player lost by its own fault or never gave a good answer.
fn failed(record: &GameRecord, side: Side) -> bool {
    if let Ending::Fault { side: guilty, .. } = &record.ending {
        return *guilty == side.into();
    }
    let mut asked = record
        .moves
        .iter()
        .filter(|mv| mv.side == side.into() && mv.verdict != Verdict::Passed)
        .peekable();
    asked.peek().is_some() && asked.all(|mv| mv.verdict.is_fault())
}

impl GameColumns {
    fn of(record: &GameRecord) -> StoreResult<GameColumns> {
        let ending = serde_json::to_value(&record.ending).unwrap_or_default();
        Ok(GameColumns {
            score: record.score,
            ending: ending["kind"].as_str().unwrap_or("unknown").to_owned(),
            ending_text: record.ending.to_string(),
            sides: Side::BOTH.map(|side| SideColumns::of(record, side)),
            turns: record.moves.len() as i64,
            head: Some(json("a game", &head_of(record))?),
        })
    }

    /// Adds the row and returns its number, or `None` if the game is there already.
    fn insert(
        &self,
        db: &Connection,
        tournament: &str,
        fixture: &Fixture,
    ) -> StoreResult<Option<i64>> {
        let [first, second] = &self.sides;
        let score = match self.score {
            Score::First => "first",
            Score::Second => "second",
            Score::Draw | Score::None => "draw",
        };
        let inserted = db.execute(
            "INSERT INTO games (id, tournament, round, tbl, game, first, second, opening, score,
                ending, ending_text, turns, wall_0, wall_1, cpu_0, cpu_1, slowest_0, slowest_1,
                faults_0, faults_1, failed_0, failed_1, finished, head)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT DO NOTHING",
            params![
                game_id(tournament, fixture.key),
                tournament,
                fixture.key.round,
                fixture.key.table,
                fixture.key.game,
                fixture.first as i64,
                fixture.second as i64,
                fixture.opening,
                score,
                self.ending,
                self.ending_text,
                self.turns,
                first.wall,
                second.wall,
                first.cpu,
                second.cpu,
                first.slowest,
                second.slowest,
                first.faults,
                second.faults,
                first.failed,
                second.failed,
                now(),
                self.head,
            ],
        )?;
        Ok((inserted > 0).then(|| db.last_insert_rowid()))
    }
}

fn insert_moves(db: &Connection, game: i64, moves: &[MoveRecord]) -> StoreResult<()> {
    let mut insert = db.prepare(
        "INSERT INTO moves (game, turn, ply, attempt, side, position, move, wall, cpu,
            memory, value, input, answer, stderr, verdict, fault)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (turn, mv) in (1i64..).zip(moves) {
        insert.execute(params![
            game,
            turn,
            mv.ply,
            mv.attempt,
            mv.side.index() as i64,
            mv.position,
            mv.mv,
            micros(mv.wall),
            micros(mv.cpu),
            mv.memory.0 as i64,
            mv.value,
            json_unless("an input", &mv.input, mv.input == Input::default())?,
            json_unless("an answer", &mv.answer, mv.answer.is_empty())?,
            json_unless("an answer", &mv.stderr, mv.stderr.is_empty())?,
            json_unless("a verdict", &mv.verdict, mv.verdict == Verdict::Legal)?,
            mv.verdict.is_fault(),
        ])?;
    }
    Ok(())
}

/// A part as JSON; nothing where it is what is assumed when it is missing.
fn json_unless(what: &str, value: &impl Serialize, usual: bool) -> StoreResult<Option<String>> {
    (!usual).then(|| json(what, value)).transpose()
}

/// A record without its moves, which have a table of their own.
fn head_of(record: &GameRecord) -> GameRecord {
    GameRecord {
        moves: Vec::new(),
        start: record.start.clone(),
        players: record.players.clone(),
        isolation: record.isolation.clone(),
        programs: record.programs.clone(),
        machine: record.machine.clone(),
        end: record.end.clone(),
        ending: record.ending.clone(),
        ..*record
    }
}

fn micros(time: referee::Seconds) -> i64 {
    time.0.as_micros().try_into().unwrap_or(i64::MAX)
}

pub(super) fn json(what: &str, value: &impl Serialize) -> StoreResult<String> {
    serde_json::to_string(value).map_err(|source| StoreError::Content {
        what: what.into(),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is acknowledged waits for the disk, and nothing else does.
    #[tokio::test]
    async fn changes_wait_for_the_disk_where_they_have_to_last() {
        let store = Store::in_memory().await.unwrap();
        let synchronous = async |store: &Store| {
            let ask = |db: &Connection| {
                Ok(db.query_row("PRAGMA synchronous", (), |row| row.get::<_, i64>(0))?)
            };
            store.change(ask).await.unwrap()
        };
        for _ in 0..2 {
            assert_eq!(synchronous(&store).await, 1);
            assert_eq!(synchronous(&store.lasting()).await, 2);
        }
    }
}

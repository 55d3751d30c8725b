//! Adding to the store.

use referee::{Ending, GameRecord, MoveRecord, Score, Verdict};
use rules::Side;
use serde::Serialize;
use sqlx::{QueryBuilder, Sqlite};

use super::{NoteKind, Store, StoreError, StoreResult, now};
use crate::config::{Config, game_id};
use crate::schedule::Fixture;

/// SQLite takes so many values in one statement.
const MOST_VALUES: usize = 32_766;

/// Columns of a move.
const MOVE_COLUMNS: usize = 16;

impl Store {
    /// Enters a tournament, unless it is there already; returns its id.
    pub async fn create(&self, config: &Config) -> StoreResult<String> {
        let id = config.id();
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        let entered = sqlx::query(
            "INSERT INTO tournaments (id, name, game, format, planned, config, created)
             VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        )
        .bind(&id)
        .bind(&config.name)
        .bind(&config.game)
        .bind(config.format.name())
        .bind(config.plan().games() as i64)
        .bind(json("a configuration", config)?)
        .bind(now())
        .execute(&mut *transaction)
        .await?;
        if entered.rows_affected() > 0 {
            for (number, player) in (0i64..).zip(&config.players) {
                let spec = match &player.bot {
                    Some(bot) => bot.clone(),
                    None => format!("{}:{}", player.kind, player.command),
                };
                sqlx::query(
                    "INSERT INTO players (tournament, number, name, spec) VALUES (?, ?, ?, ?)",
                )
                .bind(&id)
                .bind(number)
                .bind(&player.name)
                .bind(spec)
                .execute(&mut *transaction)
                .await?;
            }
        }
        transaction.commit().await?;
        Ok(id)
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
        let head = json("a game", &head_of(record))?;
        let moves: Vec<MoveColumns> = record
            .moves
            .iter()
            .map(MoveColumns::of)
            .collect::<StoreResult<_>>()?;
        let ending = serde_json::to_value(&record.ending).unwrap_or_default();
        let columns = GameColumns {
            score: record.score,
            ending: ending["kind"].as_str().unwrap_or("unknown").to_owned(),
            ending_text: record.ending.to_string(),
            sides: Side::BOTH.map(|side| SideColumns::of(record, side)),
            turns: record.moves.len(),
            head: Some(head),
        };
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        let Some(number) = columns
            .insert(&mut transaction, tournament, fixture)
            .await?
        else {
            return Ok(false);
        };
        insert_moves(&mut transaction, number, &moves).await?;
        transaction.commit().await?;
        Ok(true)
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
        let mut transaction = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        let number = columns
            .insert(&mut transaction, tournament, fixture)
            .await?;
        transaction.commit().await?;
        Ok(number.is_some())
    }

    /// Writes a note about a tournament.
    pub async fn add_note(
        &self,
        tournament: &str,
        kind: NoteKind,
        player: Option<usize>,
        text: &str,
    ) -> StoreResult<()> {
        sqlx::query(
            "INSERT INTO notes (tournament, kind, player, text, at) VALUES (?, ?, ?, ?, ?)",
        )
        .bind(tournament)
        .bind(kind.name())
        .bind(player.map(|number| number as i64))
        .bind(text)
        .bind(now())
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}

/// The columns of a game that do not follow from its place in the tournament.
struct GameColumns {
    score: Score,
    ending: String,
    ending_text: String,
    sides: [SideColumns; 2],
    turns: usize,
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
    asked.peek().is_some() && asked.all(|mv| !mv.verdict.is_ok())
}

impl GameColumns {
    /// Adds the row and returns its number, or `None` if the game is there already.
    async fn insert(
        &self,
        transaction: &mut sqlx::Transaction<'_, Sqlite>,
        tournament: &str,
        fixture: &Fixture,
    ) -> StoreResult<Option<i64>> {
        let [first, second] = &self.sides;
        let score = match self.score {
            Score::First => "first",
            Score::Second => "second",
            Score::Draw | Score::None => "draw",
        };
        let inserted = sqlx::query(
            "INSERT INTO games (id, tournament, round, tbl, game, first, second, opening, score,
                ending, ending_text, turns, wall_0, wall_1, cpu_0, cpu_1, slowest_0, slowest_1,
                faults_0, faults_1, failed_0, failed_1, finished, head)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT DO NOTHING",
        )
        .bind(game_id(tournament, fixture.key))
        .bind(tournament)
        .bind(fixture.key.round)
        .bind(fixture.key.table)
        .bind(fixture.key.game)
        .bind(fixture.first as i64)
        .bind(fixture.second as i64)
        .bind(fixture.opening)
        .bind(score)
        .bind(&self.ending)
        .bind(&self.ending_text)
        .bind(self.turns as i64)
        .bind(first.wall)
        .bind(second.wall)
        .bind(first.cpu)
        .bind(second.cpu)
        .bind(first.slowest)
        .bind(second.slowest)
        .bind(first.faults)
        .bind(second.faults)
        .bind(first.failed)
        .bind(second.failed)
        .bind(now())
        .bind(&self.head)
        .execute(&mut **transaction)
        .await?;
        Ok((inserted.rows_affected() > 0).then(|| inserted.last_insert_rowid()))
    }
}

/// A move with its parts as text.
struct MoveColumns<'a> {
    record: &'a MoveRecord,
    input: Option<String>,
    answer: Option<String>,
    stderr: Option<String>,
    verdict: Option<String>,
}

impl MoveColumns<'_> {
    fn of(record: &MoveRecord) -> StoreResult<MoveColumns<'_>> {
        let blob = |blob: &referee::Blob| match blob.is_empty() {
            true => Ok(None),
            false => json("an answer", blob).map(Some),
        };
        Ok(MoveColumns {
            record,
            input: (record.input != Default::default())
                .then(|| json("an input", &record.input))
                .transpose()?,
            answer: blob(&record.answer)?,
            stderr: blob(&record.stderr)?,
            verdict: (record.verdict != Verdict::Legal)
                .then(|| json("a verdict", &record.verdict))
                .transpose()?,
        })
    }
}

async fn insert_moves(
    transaction: &mut sqlx::Transaction<'_, Sqlite>,
    game: i64,
    moves: &[MoveColumns<'_>],
) -> StoreResult<()> {
    let mut turn = 0;
    for chunk in moves.chunks(MOST_VALUES / MOVE_COLUMNS) {
        let mut query = QueryBuilder::new(
            "INSERT INTO moves (game, turn, ply, attempt, side, position, move, wall, cpu,
                memory, value, input, answer, stderr, verdict, fault) ",
        );
        query.push_values(chunk, |mut row, mv| {
            turn += 1;
            row.push_bind(game)
                .push_bind(turn)
                .push_bind(mv.record.ply)
                .push_bind(mv.record.attempt)
                .push_bind(mv.record.side.index() as i64)
                .push_bind(&mv.record.position)
                .push_bind(&mv.record.mv)
                .push_bind(micros(mv.record.wall))
                .push_bind(micros(mv.record.cpu))
                .push_bind(mv.record.memory.0 as i64)
                .push_bind(mv.record.value)
                .push_bind(&mv.input)
                .push_bind(&mv.answer)
                .push_bind(&mv.stderr)
                .push_bind(&mv.verdict)
                .push_bind(!mv.record.verdict.is_ok());
        });
        query.build().execute(&mut **transaction).await?;
    }
    Ok(())
}

/// A record without its moves, which have a table of their own.
fn head_of(record: &GameRecord) -> GameRecord {
    GameRecord {
        moves: Vec::new(),
        game: record.game.clone(),
        start: record.start.clone(),
        players: record.players.clone(),
        isolation: record.isolation.clone(),
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

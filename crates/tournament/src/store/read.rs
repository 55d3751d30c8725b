//! Reading from the store.

use std::time::Duration;

use referee::{Blob, GameRecord, Input, MoveRecord, Score, Seat, Seconds, Size, Verdict};
use rusqlite::{Connection, Params, Row, params};
use serde::de::DeserializeOwned;

use super::{
    FaultRow, GameRow, Moment, Note, NoteKind, PlayerRow, SlowMove, Store, StoreError, StoreResult,
    TournamentRow, TurnRow,
};
use crate::config::Config;
use crate::schedule::{Format, GameKey, Results};
use crate::standings::Standings;

/// Which games of a tournament are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameFilter {
    /// Games of this player.
    pub player: Option<usize>,
    /// Games against this player.
    pub opponent: Option<usize>,
    /// Games of this round.
    pub round: Option<u32>,
    /// Games in which somebody made a fault.
    pub faults_only: bool,
    /// In which order.
    pub order: GameOrder,
    /// At most so many.
    pub limit: Option<u32>,
    /// Without the first so many.
    pub offset: u32,
}

/// The order of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GameOrder {
    /// By round, match and game.
    #[default]
    Schedule,
    /// As they ended, the last first.
    Latest,
}

impl Store {
    /// All tournaments, the latest first.
    pub async fn tournaments(&self) -> StoreResult<Vec<TournamentRow>> {
        self.run(|db| {
            let sql = "SELECT id FROM tournaments ORDER BY created DESC, id";
            let ids = rows(db, sql, (), |row| Ok(row.get::<_, String>("id")?))?;
            ids.iter().map(|id| tournament(db, id)).collect()
        })
        .await
    }

    /// One tournament.
    pub async fn tournament(&self, id: &str) -> StoreResult<TournamentRow> {
        let id = id.to_owned();
        self.run(move |db| tournament(db, &id)).await
    }

    /// The games of a tournament, without their moves.
    pub async fn games(&self, tournament: &str, filter: &GameFilter) -> StoreResult<Vec<GameRow>> {
        let (tournament, filter) = (tournament.to_owned(), *filter);
        self.run(move |db| games(db, &tournament, &filter)).await
    }

    /// One game, without its moves.
    pub async fn game(&self, id: &str) -> StoreResult<GameRow> {
        let id = id.to_owned();
        self.run(move |db| row_of_game(db, "*", id, game_row)).await
    }

    /// The tournament that a game belongs to.
    pub async fn tournament_of(&self, game: &str) -> StoreResult<String> {
        let id = game.to_owned();
        self.run(move |db| row_of_game(db, "tournament", id, |row| Ok(row.get("tournament")?)))
            .await
    }

    /// The whole record of a game; `None` if it was forfeited.
    pub async fn record(&self, id: &str) -> StoreResult<Option<GameRecord>> {
        let id = id.to_owned();
        self.run(move |db| {
            let (number, head) = row_of_game(db, "number, head", id, |row| {
                Ok((row.get::<_, i64>("number")?, part(row, "head")?))
            })?;
            let Some(mut record): Option<GameRecord> = head else {
                return Ok(None);
            };
            let sql = "SELECT * FROM moves WHERE game = ? ORDER BY turn";
            record.moves = rows(db, sql, [number], move_record)?;
            Ok(Some(record))
        })
        .await
    }

    /// The results of a tournament so far.
    pub async fn results(&self, tournament: &str) -> StoreResult<Results> {
        let games = self.games(tournament, &GameFilter::default()).await?;
        Ok(games.iter().map(|game| (game.key, game.played())).collect())
    }

    /// The standings of a tournament so far.
    pub async fn standings(&self, tournament: &str) -> StoreResult<Standings> {
        let row = self.tournament(tournament).await?;
        let games = self.games(tournament, &GameFilter::default()).await?;
        let notes = self.notes(tournament).await?;
        Ok(Standings::new(&row.config, &games, &notes))
    }

    /// The notes about a tournament, the oldest first.
    pub async fn notes(&self, tournament: &str) -> StoreResult<Vec<Note>> {
        let tournament = tournament.to_owned();
        let sql = "SELECT * FROM notes WHERE tournament = ? ORDER BY number";
        self.run(move |db| rows(db, sql, [tournament], note)).await
    }

    /// The latest faults of a player, or of all players.
    pub async fn faults(
        &self,
        tournament: &str,
        player: Option<usize>,
        limit: u32,
    ) -> StoreResult<Vec<FaultRow>> {
        let sql = "SELECT m.*, g.id AS game_id, g.first, g.second
             FROM games g JOIN moves m ON m.game = g.number
             WHERE g.tournament = ?1 AND g.faults_0 + g.faults_1 > 0 AND m.fault
                AND (?2 IS NULL OR ?2 = CASE m.side WHEN 0 THEN g.first ELSE g.second END)
             ORDER BY g.number DESC, m.turn LIMIT ?3";
        let tournament = tournament.to_owned();
        self.run(move |db| {
            rows(db, sql, params![tournament, id_of(player), limit], |row| {
                let turn = turn_row(row)?;
                let text = turn.record.verdict.to_string();
                Ok(FaultRow { turn, text })
            })
        })
        .await
    }

    /// The slowest moves of a player, or of all players, by wall time.
    pub async fn slowest_moves(
        &self,
        tournament: &str,
        player: Option<usize>,
        limit: u32,
    ) -> StoreResult<Vec<SlowMove>> {
        // The slowest moves are in the games with the slowest moves: so few games do.
        let sql = "WITH seats AS (
                SELECT number, 0 AS side, first AS player, slowest_0 AS slowest
                    FROM games WHERE tournament = ?1
                UNION ALL
                SELECT number, 1, second, slowest_1 FROM games WHERE tournament = ?1
             ), slow AS (
                SELECT number, side FROM seats WHERE ?2 IS NULL OR player = ?2
                ORDER BY slowest DESC, number LIMIT ?3
             )
             SELECT m.*, g.id AS game_id, g.first, g.second
             FROM slow JOIN moves m ON m.game = slow.number AND m.side = slow.side
                JOIN games g ON g.number = m.game
             ORDER BY m.wall DESC, m.game, m.turn LIMIT ?3";
        let tournament = tournament.to_owned();
        self.run(move |db| {
            let values = params![tournament, id_of(player), limit];
            rows(db, sql, values, turn_row)
        })
        .await
    }

    /// The latest turns of a player in which it wrote to standard error.
    pub async fn standard_error(
        &self,
        tournament: &str,
        player: usize,
        limit: u32,
    ) -> StoreResult<Vec<TurnRow>> {
        let sql = "SELECT m.*, g.id AS game_id, g.first, g.second
             FROM games g JOIN moves m ON m.game = g.number
             WHERE g.tournament = ?1 AND m.stderr IS NOT NULL
                AND ?2 = CASE m.side WHEN 0 THEN g.first ELSE g.second END
             ORDER BY g.number DESC, m.turn LIMIT ?3";
        let tournament = tournament.to_owned();
        self.run(move |db| {
            let values = params![tournament, id_of(Some(player)), limit];
            rows(db, sql, values, turn_row)
        })
        .await
    }
}

fn tournament(db: &Connection, id: &str) -> StoreResult<TournamentRow> {
    let sql = "SELECT number, name, spec FROM players WHERE tournament = ? ORDER BY number";
    let players = rows(db, sql, [id], |row| {
        Ok(PlayerRow {
            number: number(row, "number")?,
            name: row.get("name")?,
            spec: row.get("spec")?,
        })
    })?;
    let sql = "SELECT t.*,
            (SELECT count(*) FROM games g WHERE g.tournament = t.id) AS played,
            EXISTS (SELECT 1 FROM notes n WHERE n.tournament = t.id AND n.kind = 'finished')
                AS finished
         FROM tournaments t WHERE t.id = ?";
    let row = row(db, sql, [id], |row| {
        let config: Config = parse("a configuration", text(row, "config")?)?;
        Ok(TournamentRow {
            id: row.get("id")?,
            name: row.get("name")?,
            game: config.game,
            format: row.get("format")?,
            players,
            planned: number(row, "planned")?,
            played: number(row, "played")?,
            finished: row.get("finished")?,
            created: Moment(row.get("created")?),
            config,
        })
    })?;
    let mut row = row.ok_or_else(|| StoreError::NoTournament(id.into()))?;
    if matches!(row.config.format, Format::Knockout { .. }) {
        let games = games(db, id, &GameFilter::default())?;
        let results = games.iter().map(|game| (game.key, game.played())).collect();
        row.planned = row.config.plan().games_after(&results) as u64;
    }
    Ok(row)
}

fn games(db: &Connection, tournament: &str, filter: &GameFilter) -> StoreResult<Vec<GameRow>> {
    let order = match filter.order {
        GameOrder::Schedule => "round, tbl, game",
        GameOrder::Latest => "number DESC",
    };
    let sql = format!(
        "SELECT * FROM games WHERE tournament = ?1
            AND (?2 IS NULL OR ?2 IN (first, second))
            AND (?3 IS NULL OR ?3 IN (first, second))
            AND (?4 IS NULL OR round = ?4)
            AND (NOT ?5 OR faults_0 + faults_1 > 0)
         ORDER BY {order} LIMIT ?6 OFFSET ?7"
    );
    let values = params![
        tournament,
        id_of(filter.player),
        id_of(filter.opponent),
        filter.round,
        filter.faults_only,
        filter.limit.map_or(-1, i64::from),
        filter.offset,
    ];
    rows(db, &sql, values, game_row)
}

/// These columns of a game.
fn row_of_game<T>(
    db: &Connection,
    columns: &str,
    id: String,
    read: impl FnOnce(&Row<'_>) -> StoreResult<T>,
) -> StoreResult<T> {
    let sql = format!("SELECT {columns} FROM games WHERE id = ?");
    row(db, &sql, [&id], read)?.ok_or(StoreError::NoGame(id))
}

/// All rows that a statement selects.
fn rows<T>(
    db: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnMut(&Row<'_>) -> StoreResult<T>,
) -> StoreResult<Vec<T>> {
    db.prepare(sql)?.query_and_then(values, read)?.collect()
}

/// The first row that a statement selects, if there is any.
fn row<T>(
    db: &Connection,
    sql: &str,
    values: impl Params,
    read: impl FnOnce(&Row<'_>) -> StoreResult<T>,
) -> StoreResult<Option<T>> {
    db.prepare(sql)?
        .query(values)?
        .next()?
        .map(read)
        .transpose()
}

/// A player's number as the store keeps it.
fn id_of(player: Option<usize>) -> Option<i64> {
    player.map(|number| number as i64)
}

fn number<T: TryFrom<i64> + Default>(row: &Row<'_>, column: &str) -> StoreResult<T> {
    Ok(row.get::<_, i64>(column)?.try_into().unwrap_or_default())
}

fn seconds(row: &Row<'_>, column: &str) -> StoreResult<Seconds> {
    Ok(Seconds(Duration::from_micros(number(row, column)?)))
}

fn parse<T: DeserializeOwned>(what: &str, text: &str) -> StoreResult<T> {
    serde_json::from_str(text).map_err(|source| StoreError::Content {
        what: what.into(),
        source,
    })
}

/// A text, read in place.
fn text<'a>(row: &'a Row<'_>, column: &str) -> StoreResult<&'a str> {
    Ok(row
        .get_ref(column)?
        .as_str()
        .map_err(rusqlite::Error::from)?)
}

/// A part that is kept as JSON; the default where there is none.
fn part<T: DeserializeOwned + Default>(row: &Row<'_>, column: &str) -> StoreResult<T> {
    match row.get_ref(column)?.as_str_or_null() {
        Ok(Some(text)) => parse(column, text),
        Ok(None) => Ok(T::default()),
        Err(error) => Err(rusqlite::Error::from(error).into()),
    }
}

fn game_row(row: &Row<'_>) -> StoreResult<GameRow> {
    Ok(GameRow {
        id: row.get("id")?,
        key: GameKey {
            round: number(row, "round")?,
            table: number(row, "tbl")?,
            game: number(row, "game")?,
        },
        first: number(row, "first")?,
        second: number(row, "second")?,
        opening: number(row, "opening")?,
        score: match text(row, "score")? {
            "first" => Score::First,
            "second" => Score::Second,
            _ => Score::Draw,
        },
        ending: row.get("ending")?,
        ending_text: row.get("ending_text")?,
        turns: number(row, "turns")?,
        wall: [seconds(row, "wall_0")?, seconds(row, "wall_1")?],
        cpu: [seconds(row, "cpu_0")?, seconds(row, "cpu_1")?],
        slowest: [seconds(row, "slowest_0")?, seconds(row, "slowest_1")?],
        faults: [number(row, "faults_0")?, number(row, "faults_1")?],
        failed: [row.get("failed_0")?, row.get("failed_1")?],
        finished: Moment(row.get("finished")?),
    })
}

fn note(row: &Row<'_>) -> StoreResult<Note> {
    let kind = text(row, "kind")?;
    let kind = NoteKind::ALL.iter().find(|(_, name)| *name == kind);
    let player: Option<i64> = row.get("player")?;
    Ok(Note {
        kind: kind.map_or(NoteKind::Remark, |(kind, _)| *kind),
        player: player.map(|number| number as usize),
        text: row.get("text")?,
        at: Moment(row.get("at")?),
    })
}

fn move_record(row: &Row<'_>) -> StoreResult<MoveRecord> {
    let verdict: Option<Verdict> = part(row, "verdict")?;
    Ok(MoveRecord {
        ply: number(row, "ply")?,
        side: match row.get::<_, i64>("side")? {
            0 => Seat::First,
            _ => Seat::Second,
        },
        attempt: number(row, "attempt")?,
        position: row.get("position")?,
        input: part::<Input>(row, "input")?,
        answer: part::<Blob>(row, "answer")?,
        mv: row.get("move")?,
        wall: seconds(row, "wall")?,
        cpu: seconds(row, "cpu")?,
        memory: Size(number(row, "memory")?),
        stderr: part::<Blob>(row, "stderr")?,
        verdict: verdict.unwrap_or(Verdict::Legal),
        value: row.get("value")?,
    })
}

fn turn_row(row: &Row<'_>) -> StoreResult<TurnRow> {
    let record = move_record(row)?;
    let players = [number(row, "first")?, number(row, "second")?];
    Ok(TurnRow {
        game: row.get("game_id")?,
        turn: number(row, "turn")?,
        player: players[record.side.index()],
        opponent: players[1 - record.side.index()],
        record,
    })
}

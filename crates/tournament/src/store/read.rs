//! Reading from the store.

use std::time::Duration;

use referee::{Blob, GameRecord, Input, MoveRecord, Score, Seat, Seconds, Size, Verdict};
use serde::de::DeserializeOwned;
use sqlx::sqlite::SqliteRow;
use sqlx::{QueryBuilder, Row as _, Sqlite};

use super::{
    FaultRow, GameRow, Moment, Note, NoteKind, PlayerRow, SlowMove, Store, StoreError, StoreResult,
    TournamentRow, TurnRow,
};
use crate::schedule::{GameKey, Results};
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
        let ids = sqlx::query("SELECT id FROM tournaments ORDER BY created DESC, id")
            .fetch_all(&self.pool)
            .await?;
        let mut tournaments = Vec::with_capacity(ids.len());
        for id in ids {
            tournaments.push(self.tournament(id.try_get("id")?).await?);
        }
        Ok(tournaments)
    }

    /// One tournament.
    pub async fn tournament(&self, id: &str) -> StoreResult<TournamentRow> {
        let row = sqlx::query(
            "SELECT t.*,
                (SELECT count(*) FROM games g WHERE g.tournament = t.id) AS played,
                EXISTS (SELECT 1 FROM notes n WHERE n.tournament = t.id AND n.kind = 'finished')
                    AS finished
             FROM tournaments t WHERE t.id = ?",
        )
        .bind(id)
        .fetch_optional(&self.pool)
        .await?
        .ok_or_else(|| StoreError::NoTournament(id.into()))?;
        let players = sqlx::query(
            "SELECT number, name, spec FROM players WHERE tournament = ? ORDER BY number",
        )
        .bind(id)
        .fetch_all(&self.pool)
        .await?;
        Ok(TournamentRow {
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            game: row.try_get("game")?,
            format: row.try_get("format")?,
            players: players
                .iter()
                .map(|player| {
                    Ok(PlayerRow {
                        number: number(player, "number")?,
                        name: player.try_get("name")?,
                        spec: player.try_get("spec")?,
                    })
                })
                .collect::<StoreResult<_>>()?,
            planned: number(&row, "planned")?,
            played: number(&row, "played")?,
            finished: row.try_get("finished")?,
            created: Moment(row.try_get("created")?),
            config: parse("a configuration", row.try_get("config")?)?,
        })
    }

    /// The games of a tournament, without their moves.
    pub async fn games(&self, tournament: &str, filter: &GameFilter) -> StoreResult<Vec<GameRow>> {
        let mut query = QueryBuilder::<Sqlite>::new("SELECT * FROM games WHERE tournament = ");
        query.push_bind(tournament);
        for player in [filter.player, filter.opponent].into_iter().flatten() {
            let player = player as i64;
            query.push(" AND (first = ").push_bind(player);
            query.push(" OR second = ").push_bind(player).push(")");
        }
        if let Some(round) = filter.round {
            query.push(" AND round = ").push_bind(round);
        }
        if filter.faults_only {
            query.push(" AND faults_0 + faults_1 > 0");
        }
        query.push(match filter.order {
            GameOrder::Schedule => " ORDER BY round, tbl, game",
            GameOrder::Latest => " ORDER BY number DESC",
        });
        let limit = filter.limit.map_or(-1, i64::from);
        query.push(" LIMIT ").push_bind(limit);
        query.push(" OFFSET ").push_bind(i64::from(filter.offset));
        let rows = query.build().fetch_all(&self.pool).await?;
        rows.iter().map(game_row).collect()
    }

    /// One game, without its moves.
    pub async fn game(&self, id: &str) -> StoreResult<GameRow> {
        let row = sqlx::query("SELECT * FROM games WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?
            .ok_or_else(|| StoreError::NoGame(id.into()))?;
        game_row(&row)
    }

    /// The tournament that a game belongs to.
    pub async fn tournament_of(&self, game: &str) -> StoreResult<String> {
        let row = sqlx::query("SELECT tournament FROM games WHERE id = ?")
            .bind(game)
            .fetch_optional(&self.pool)
            .await?
            .ok_or_else(|| StoreError::NoGame(game.into()))?;
        Ok(row.try_get("tournament")?)
    }

    /// The whole record of a game; `None` if it was forfeited.
    pub async fn record(&self, id: &str) -> StoreResult<Option<GameRecord>> {
        let row = sqlx::query("SELECT number, head FROM games WHERE id = ?")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?
            .ok_or_else(|| StoreError::NoGame(id.into()))?;
        let Some(head) = row.try_get::<Option<&str>, _>("head")? else {
            return Ok(None);
        };
        let mut record: GameRecord = parse("a game", head)?;
        let moves = sqlx::query("SELECT * FROM moves WHERE game = ? ORDER BY turn")
            .bind(row.try_get::<i64, _>("number")?)
            .fetch_all(&self.pool)
            .await?;
        record.moves = moves.iter().map(move_record).collect::<StoreResult<_>>()?;
        Ok(Some(record))
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
        let rows = sqlx::query("SELECT * FROM notes WHERE tournament = ? ORDER BY number")
            .bind(tournament)
            .fetch_all(&self.pool)
            .await?;
        rows.iter()
            .map(|row| {
                let kind: &str = row.try_get("kind")?;
                let kind = NoteKind::ALL.iter().find(|(_, name)| *name == kind);
                let player: Option<i64> = row.try_get("player")?;
                Ok(Note {
                    kind: kind.map_or(NoteKind::Remark, |(kind, _)| *kind),
                    player: player.map(|number| number as usize),
                    text: row.try_get("text")?,
                    at: Moment(row.try_get("at")?),
                })
            })
            .collect()
    }

    /// The latest faults of a player, or of all players.
    pub async fn faults(
        &self,
        tournament: &str,
        player: Option<usize>,
        limit: u32,
    ) -> StoreResult<Vec<FaultRow>> {
        let player = player.map_or(-1, |number| number as i64);
        let rows = sqlx::query(
            "SELECT m.*, g.id AS game_id, g.first, g.second
             FROM games g JOIN moves m ON m.game = g.number
             WHERE g.tournament = ?1 AND g.faults_0 + g.faults_1 > 0 AND m.fault
                AND (?2 < 0 OR ?2 = CASE m.side WHEN 0 THEN g.first ELSE g.second END)
             ORDER BY g.number DESC, m.turn LIMIT ?3",
        )
        .bind(tournament)
        .bind(player)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let turn = turn_row(row)?;
                let text = turn.record.verdict.to_string();
                Ok(FaultRow { turn, text })
            })
            .collect()
    }

    /// The slowest moves of a player, or of all players, by wall time.
    pub async fn slowest_moves(
        &self,
        tournament: &str,
        player: Option<usize>,
        limit: u32,
    ) -> StoreResult<Vec<SlowMove>> {
        let player = player.map_or(-1, |number| number as i64);
        // The slowest moves are in the games with the slowest moves: so few games do.
        let rows = sqlx::query(
            "WITH seats AS (
                SELECT number, 0 AS side, first AS player, slowest_0 AS slowest
                    FROM games WHERE tournament = ?1
                UNION ALL
                SELECT number, 1, second, slowest_1 FROM games WHERE tournament = ?1
             ), slow AS (
                SELECT number, side FROM seats WHERE ?2 < 0 OR player = ?2
                ORDER BY slowest DESC, number LIMIT ?3
             )
             SELECT m.*, g.id AS game_id, g.first, g.second
             FROM slow JOIN moves m ON m.game = slow.number AND m.side = slow.side
                JOIN games g ON g.number = m.game
             ORDER BY m.wall DESC, m.game, m.turn LIMIT ?3",
        )
        .bind(tournament)
        .bind(player)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(turn_row).collect()
    }

    /// The latest turns of a player in which it wrote to standard error.
    pub async fn standard_error(
        &self,
        tournament: &str,
        player: usize,
        limit: u32,
    ) -> StoreResult<Vec<TurnRow>> {
        let rows = sqlx::query(
            "SELECT m.*, g.id AS game_id, g.first, g.second
             FROM games g JOIN moves m ON m.game = g.number
             WHERE g.tournament = ?1 AND m.stderr IS NOT NULL
                AND ?2 = CASE m.side WHEN 0 THEN g.first ELSE g.second END
             ORDER BY g.number DESC, m.turn LIMIT ?3",
        )
        .bind(tournament)
        .bind(player as i64)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(turn_row).collect()
    }
}

fn number<T: TryFrom<i64> + Default>(row: &SqliteRow, column: &str) -> StoreResult<T> {
    Ok(row
        .try_get::<i64, _>(column)?
        .try_into()
        .unwrap_or_default())
}

fn seconds(row: &SqliteRow, column: &str) -> StoreResult<Seconds> {
    Ok(Seconds(Duration::from_micros(number(row, column)?)))
}

fn parse<T: DeserializeOwned>(what: &str, text: &str) -> StoreResult<T> {
    serde_json::from_str(text).map_err(|source| StoreError::Content {
        what: what.into(),
        source,
    })
}

fn game_row(row: &SqliteRow) -> StoreResult<GameRow> {
    Ok(GameRow {
        id: row.try_get("id")?,
        key: GameKey {
            round: number(row, "round")?,
            table: number(row, "tbl")?,
            game: number(row, "game")?,
        },
        first: number(row, "first")?,
        second: number(row, "second")?,
        opening: number(row, "opening")?,
        score: match row.try_get("score")? {
            "first" => Score::First,
            "second" => Score::Second,
            _ => Score::Draw,
        },
        ending: row.try_get("ending")?,
        ending_text: row.try_get("ending_text")?,
        turns: number(row, "turns")?,
        wall: [seconds(row, "wall_0")?, seconds(row, "wall_1")?],
        cpu: [seconds(row, "cpu_0")?, seconds(row, "cpu_1")?],
        slowest: [seconds(row, "slowest_0")?, seconds(row, "slowest_1")?],
        faults: [number(row, "faults_0")?, number(row, "faults_1")?],
        failed: [row.try_get("failed_0")?, row.try_get("failed_1")?],
        finished: Moment(row.try_get("finished")?),
    })
}

fn move_record(row: &SqliteRow) -> StoreResult<MoveRecord> {
    fn part<T: DeserializeOwned + Default>(row: &SqliteRow, column: &str) -> StoreResult<T> {
        match row.try_get::<Option<&str>, _>(column)? {
            Some(text) => parse(column, text),
            None => Ok(T::default()),
        }
    }
    let verdict: Option<Verdict> = part(row, "verdict")?;
    Ok(MoveRecord {
        ply: number(row, "ply")?,
        side: match row.try_get::<i64, _>("side")? {
            0 => Seat::First,
            _ => Seat::Second,
        },
        attempt: number(row, "attempt")?,
        position: row.try_get("position")?,
        input: part::<Input>(row, "input")?,
        answer: part::<Blob>(row, "answer")?,
        mv: row.try_get("move")?,
        wall: seconds(row, "wall")?,
        cpu: seconds(row, "cpu")?,
        memory: Size(number(row, "memory")?),
        stderr: part::<Blob>(row, "stderr")?,
        verdict: verdict.unwrap_or(Verdict::Legal),
        value: row.try_get("value")?,
    })
}

fn turn_row(row: &SqliteRow) -> StoreResult<TurnRow> {
    let record = move_record(row)?;
    let players = [number(row, "first")?, number(row, "second")?];
    Ok(TurnRow {
        game: row.try_get("game_id")?,
        turn: number(row, "turn")?,
        player: players[record.side.index()],
        opponent: players[1 - record.side.index()],
        record,
    })
}

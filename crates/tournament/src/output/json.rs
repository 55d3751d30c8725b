//! One JSON object about a whole tournament.

use serde::Serialize;

use crate::conversion::Conversions;
use crate::standings::Standings;
use crate::store::{GameFilter, GameRow, Note, Store, StoreResult, TournamentRow};

/// All about a tournament but the moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// Version of this form: 1.
    pub version: u32,
    /// What was played.
    pub tournament: TournamentRow,
    /// Where things stand.
    pub standings: Standings,
    /// What is worth telling.
    pub notes: Vec<Note>,
    /// Every game without its moves.
    pub games: Vec<GameRow>,
    /// What the reviews of games show, where there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversions: Option<Conversions>,
}

/// All about a tournament but the moves.
pub async fn json(store: &Store, tournament: &str) -> StoreResult<Summary> {
    let row = store.tournament(tournament).await?;
    let games = store.games(tournament, &GameFilter::default()).await?;
    let notes = store.notes(tournament).await?;
    let conversions = store.conversions(tournament).await?;
    Ok(Summary {
        version: 1,
        standings: Standings::new(&row.config, &games, &notes),
        tournament: row,
        notes,
        games,
        conversions: Some(conversions).filter(|all| all.reviewed > 0),
    })
}

//! Analyses as JSON.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use games::GameName;
use search::Report;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, ApiFault, Asked, Json, Path, Query};
use crate::Site;
use crate::analyse::values::{Listening, Persistence, Point};
use crate::analyse::{Found, keep_subject, subject};
use crate::fault::Fault;

/// What is asked, and how long to think about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    game: String,
    #[serde(default)]
    position: String,
    #[serde(default)]
    ms: Option<u64>,
}

/// How long to think.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Patience {
    #[serde(default)]
    ms: Option<u64>,
}

impl Patience {
    /// Waits for the end of a search, but not too long; returns what is known then.
    async fn wait<T: Clone>(&self, listening: &mut Listening<T>, done: impl Fn(&T) -> bool) -> T {
        let ms = self.ms.unwrap_or(1000).clamp(10, 20_000);
        let end = listening.latest.wait_for(done);
        let _ = tokio::time::timeout(Duration::from_millis(ms), end).await;
        listening.latest.borrow().clone()
    }
}

fn report(game: GameName, report: &Report<String>) -> Value {
    json!({
        "move": report.best.as_deref().unwrap_or_default(), "score": report.score,
        "value": report.score.value(), "text": game.about().scale.words(report.score),
        "exact": report.score.is_proven(), "depth": report.depth, "line": report.line,
    })
}

/// `GET /api/analyse`: what every move is worth, after at most `ms` milliseconds.
pub(super) async fn moves(
    State(site): State<Arc<Site>>,
    Query(Question { game, position, ms }): Query<Question>,
) -> Answer {
    let position = Asked { game, position }.position()?;
    let patience = Patience { ms };
    let mut listening = site.analyst.position(&site, &position, Persistence::Usual);
    let values = patience.wait(&mut listening, |values| values.done).await;
    let game = position.game();
    let moves: Vec<Value> = values
        .moves
        .iter()
        .map(|known| report(game, known))
        .collect();
    Ok(Json(json!({
        "game": game,
        "position": position.to_string(),
        "values": moves,
        "done": values.done,
    })))
}

/// A text to read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pasted {
    #[serde(default)]
    game: String,
    text: String,
}

/// `POST /api/analyse`: reads a game in any form, and keeps it.
pub(super) async fn keep(
    State(site): State<Arc<Site>>,
    Json(pasted): Json<Pasted>,
) -> Result<(StatusCode, Json<Value>), ApiFault> {
    let mut subjects = subject::read(&pasted.game, &pasted.text).map_err(Fault::refused)?;
    if subjects.len() != 1 {
        let count = subjects.len();
        return Err(Fault::refused(format!("the text holds {count} games, not one")).into());
    }
    let kept = keep_subject(&site, subjects.remove(0)).await?;
    let body = json!({
        "id": kept.id, "game": kept.subject.game,
        "start": kept.subject.start, "moves": kept.subject.moves,
    });
    Ok((StatusCode::CREATED, Json(body)))
}

/// `GET /api/analyse/{id}`: the value of every position of a game, after at most `ms`
/// milliseconds.
pub(super) async fn game(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Query(patience): Query<Patience>,
) -> Answer {
    let found = Found::kept(&site, &id).await?;
    let mut listening = found.listen_to_game(&site).await?;
    let graph = patience.wait(&mut listening, |graph| graph.done).await;
    let name = found.subject.game;
    let graph = graph.with_proofs(&site.analyst, &found.positions, &found.subject.moves);
    let point = |point: &Option<Point>| point.as_ref().map(|known| report(name, &known.report));
    let positions: Vec<String> = found.positions.iter().map(ToString::to_string).collect();
    Ok(Json(json!({
        "id": id,
        "game": name,
        "start": found.subject.start,
        "moves": found.subject.moves,
        "positions": positions,
        "values": graph.points.iter().map(point).collect::<Vec<_>>(),
        "done": graph.done,
    })))
}

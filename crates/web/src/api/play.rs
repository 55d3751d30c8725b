//! Games as JSON.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, ApiFault, Json, Path, describe, result};
use crate::Site;
use crate::fault::Fault;
use crate::play::game::{Match, Seat};
use crate::play::open_games::{look_at_clock, play, think};
use crate::play::{Filled, Fit, new_game};
use crate::visitors::Visitor;

fn describe_match(game: &Match) -> Result<Value, Fault> {
    let position = game.position().map_err(Fault::ours)?;
    let ending = game.ending(&position);
    let seats = game.seats.clone().map(|seat| match seat {
        Seat::Human => "human".to_string(),
        Seat::Bot(spec) => spec,
    });
    let moves: Vec<&str> = game.moves.iter().map(|played| played.mv.as_str()).collect();
    let mut value = describe(&position);
    if let Value::Object(fields) = &mut value {
        fields.insert("id".into(), json!(game.id));
        fields.insert("players".into(), json!(seats));
        fields.insert("start".into(), json!(game.start));
        fields.insert("played".into(), json!(moves));
        fields.insert(
            "result".into(),
            json!(ending.as_ref().map(|e| result(&position, e.outcome))),
        );
        fields.insert("ending".into(), json!(ending.map(|e| e.text)));
    }
    Ok(value)
}

/// The game after the bot's answer, if that comes soon.
async fn answered(site: &Arc<Site>, id: &str) -> Answer {
    let table = site.open_games.find(site, id).await?;
    look_at_clock(site, &table).await?;
    if let Some(thinking) = think(site, &table).await {
        crate::play::settle(thinking).await;
    }
    let game = table.lock().await?;
    Ok(Json(describe_match(&game)?))
}

/// `GET /api/play`: the latest games.
pub(super) async fn list(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
) -> Answer {
    let games = crate::play::list::latest(&site, &visitor, 0, 50).await?;
    let games: Result<Vec<Value>, Fault> = games.iter().map(describe_match).collect();
    Ok(Json(json!({ "games": games? })))
}

/// `POST /api/play`
pub(super) async fn create(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Json(fields): Json<Value>,
) -> Result<(StatusCode, Json<Value>), ApiFault> {
    if let Value::Object(fields) = &fields
        && let Some(unknown) = fields
            .keys()
            .find(|key| !Filled::FIELDS.contains(&key.as_str()))
    {
        let known = Filled::FIELDS.join(", ");
        return Err(Fault::refused(format!("unknown field {unknown:?}; there are {known}")).into());
    }
    let filled: Filled = serde_json::from_value(fields).map_err(Fault::refused)?;
    let game = new_game(&filled, Fit::Refuse, &visitor)?;
    let id = game.id.clone();
    site.open_games.add(&site, game).await?;
    Ok((StatusCode::CREATED, answered(&site, &id).await?))
}

/// `GET /api/play/{id}`
pub(super) async fn show(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    answered(&site, &id).await
}

/// A move to make.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Move {
    #[serde(rename = "move")]
    mv: String,
}

/// `POST /api/play/{id}/move`
pub(super) async fn enter(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Json(entered): Json<Move>,
) -> Answer {
    let table = site.open_games.find(&site, &id).await?;
    let mut game = table.lock().await?;
    let position = game.position().map_err(Fault::ours)?;
    let mine = game.sides_of(visitor.key.as_deref());
    let over = game.ending(&position).is_some();
    if !over && !mine[position.side_to_move().index()] {
        return Err(Fault::refused("it is the opponent's turn").into());
    }
    let played = play(&site, &table, &mut game, &entered.mv).await?;
    played.map_err(Fault::refused)?;
    drop(game);
    answered(&site, &id).await
}

/// `POST /api/play/{id}/undo`
pub(super) async fn undo(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    crate::play::take_back(&site, &id, None).await?;
    answered(&site, &id).await
}

/// `POST /api/play/{id}/resign`
pub(super) async fn resign(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Answer {
    crate::play::give_up(&site, &id, visitor.key.as_deref()).await?;
    answered(&site, &id).await
}

/// `GET /api/play/{id}/hint`: a good move for the player to move, if a person is.
pub(super) async fn hint(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    let table = site.open_games.find(&site, &id).await?;
    let game = table.lock().await?.clone();
    let mv = crate::play::hint(&site, &game).await?;
    Ok(Json(json!({ "move": mv })))
}

//! The same things as JSON, for programs. `openapi.json` describes it.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use bots::{AnyPosition, GameName};
use rules::{Outcome, Side};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Site;
use crate::analyse::values::{Worth, words};
use crate::assets;
use crate::fault::Fault;
use crate::play::desk::think;
use crate::play::game::{Cut, Match, Seat};
use crate::play::{Filled, new_game};
use crate::tournaments::fault;

/// A fault that is told as JSON.
pub(crate) struct ApiFault(Fault);

impl From<Fault> for ApiFault {
    fn from(fault: Fault) -> ApiFault {
        ApiFault(fault)
    }
}

impl IntoResponse for ApiFault {
    fn into_response(self) -> Response {
        self.0.json()
    }
}

macro_rules! rejected {
    ($($rejection:ty),+) => {$(
        impl From<$rejection> for ApiFault {
            fn from(rejection: $rejection) -> ApiFault {
                ApiFault(Fault::new(rejection.status(), rejection.body_text()))
            }
        }
    )+};
}
rejected!(JsonRejection, PathRejection, QueryRejection);

/// JSON in and out, with faults as JSON too.
#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(ApiFault))]
struct Json<T>(T);

impl IntoResponse for Json<Value> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(ApiFault))]
struct Query<T>(T);

#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(ApiFault))]
struct Path<T>(T);

type Answer = Result<Json<Value>, ApiFault>;

/// Every address: method, path, and who answers.
pub(crate) fn table() -> Vec<(&'static str, &'static str, MethodRouter<Arc<Site>>)> {
    vec![
        ("get", "/api/openapi.json", get(assets::openapi)),
        ("get", "/api/games", get(games)),
        ("get", "/api/position", get(position)),
        ("get", "/api/analyse", get(analyse)),
        ("post", "/api/play", post(create)),
        ("get", "/api/play/{id}", get(show)),
        ("post", "/api/play/{id}/move", post(play)),
        ("post", "/api/play/{id}/undo", post(undo)),
        ("post", "/api/play/{id}/resign", post(resign)),
        ("get", "/api/tournaments", get(tournaments)),
        ("get", "/api/tournaments/{id}", get(tournament)),
        ("get", "/api/tournaments/{id}/games/{game}", get(record)),
    ]
}

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    let mut router = Router::new();
    for (_, path, method) in table() {
        router = router.route(path, method);
    }
    router.route("/api/{*rest}", axum::routing::any(nowhere))
}

async fn nowhere() -> ApiFault {
    ApiFault(Fault::missing(
        "there is nothing here; see /api/openapi.json",
    ))
}

/// `GET /api/games`
async fn games() -> Json<Value> {
    let games: Vec<Value> = GameName::ALL
        .iter()
        .map(|&game| {
            json!({
                "name": game.name(),
                "sides": Side::BOTH.map(|side| game.side_name(side)),
                "start": AnyPosition::start(game).to_string(),
            })
        })
        .collect();
    Json(json!({ "games": games }))
}

/// A position in an address.
#[derive(Deserialize)]
struct Asked {
    game: String,
    #[serde(default)]
    position: String,
    #[serde(default)]
    ms: Option<u64>,
}

impl Asked {
    fn position(&self) -> Result<AnyPosition, Fault> {
        let game: GameName = self.game.parse().map_err(Fault::bad)?;
        match self.position.as_str() {
            "" => Ok(AnyPosition::start(game)),
            text => AnyPosition::parse(game, text).map_err(Fault::bad),
        }
    }
}

fn describe(position: &AnyPosition) -> Value {
    json!({
        "game": position.game().name(),
        "position": position.to_string(),
        "side": position.game().side_name(position.side_to_move()),
        "moves": position.moves(),
        "result": position.outcome().map(|outcome| result(position, outcome)),
    })
}

fn result(position: &AnyPosition, outcome: Outcome) -> &'static str {
    outcome
        .winner()
        .map_or("draw", |side| position.game().side_name(side))
}

/// `GET /api/position`
async fn position(Query(asked): Query<Asked>) -> Answer {
    Ok(Json(describe(&asked.position()?)))
}

/// `GET /api/analyse`: what every move is worth, after at most `ms` milliseconds.
async fn analyse(State(site): State<Arc<Site>>, Query(asked): Query<Asked>) -> Answer {
    let position = asked.position()?;
    let ms = asked.ms.unwrap_or(1000).clamp(10, 20_000);
    let mut listening = site.analyst.position(&site, &position);
    let wait = listening.latest.wait_for(|values| values.done);
    let _ = tokio::time::timeout(Duration::from_millis(ms), wait).await;
    let values = listening.latest.borrow().clone();
    let game = position.game().name();
    let worth = |worth: &Worth| {
        json!({
            "move": worth.mv, "value": worth.value, "text": words(game, worth.value),
            "exact": worth.exact, "depth": worth.depth, "line": worth.line,
        })
    };
    Ok(Json(json!({
        "game": game,
        "position": position.to_string(),
        "values": values.moves.iter().map(worth).collect::<Vec<_>>(),
        "done": values.done,
    })))
}

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
    let table = site.desk.find(site, id).await?;
    if let Some(thinking) = think(site, &table).await {
        crate::play::settle(thinking).await;
    }
    let game = table.game.lock().await;
    Ok(Json(describe_match(&game)?))
}

/// `POST /api/play`
async fn create(
    State(site): State<Arc<Site>>,
    Json(filled): Json<Filled>,
) -> Result<(StatusCode, Json<Value>), ApiFault> {
    let game = new_game(&filled)?;
    let id = game.id.clone();
    site.desk.add(&site, game).await?;
    Ok((StatusCode::CREATED, answered(&site, &id).await?))
}

/// `GET /api/play/{id}`
async fn show(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    answered(&site, &id).await
}

#[derive(Deserialize)]
struct Move {
    #[serde(rename = "move")]
    mv: String,
}

/// `POST /api/play/{id}/move`
async fn play(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Json(entered): Json<Move>,
) -> Answer {
    let table = site.desk.find(&site, &id).await?;
    let mut game = table.game.lock().await;
    let position = game.position().map_err(Fault::ours)?;
    if game.bot_to_move(&position).is_some() {
        return Err(Fault::refused("it is the opponent's turn").into());
    }
    game.play(&entered.mv).map_err(Fault::refused)?;
    site.shelf.put("play", &id, &*game).await?;
    drop(game);
    table.changed();
    answered(&site, &id).await
}

/// `POST /api/play/{id}/undo`
async fn undo(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    crate::play::take_back(&site, &id, true).await?;
    answered(&site, &id).await
}

/// `POST /api/play/{id}/resign`
async fn resign(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    crate::play::give_up(&site, &id, Cut::Resigned).await?;
    answered(&site, &id).await
}

/// `GET /api/tournaments`
async fn tournaments(State(site): State<Arc<Site>>) -> Answer {
    let rows = site.store.tournaments().await.map_err(fault)?;
    Ok(Json(json!({ "tournaments": rows })))
}

/// `GET /api/tournaments/{id}`
async fn tournament(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    let summary = tournament::output::json(&site.store, &id)
        .await
        .map_err(fault)?;
    Ok(Json(serde_json::to_value(summary).map_err(Fault::ours)?))
}

/// `GET /api/tournaments/{id}/games/{game}`
async fn record(State(site): State<Arc<Site>>, Path((_, game)): Path<(String, String)>) -> Answer {
    let record = site.store.record(&game).await.map_err(fault)?;
    let record = record.ok_or_else(|| Fault::missing(format!("game {game} was not played")))?;
    Ok(Json(serde_json::to_value(record).map_err(Fault::ours)?))
}

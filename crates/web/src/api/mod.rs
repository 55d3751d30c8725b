//! The same things as JSON, for programs. `openapi.json` describes it.

mod analyse;
mod play;
mod tournaments;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use games::{AnyPosition, GameName};
use rules::{Outcome, Side};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Site;
use crate::fault::Fault;
use crate::guard::plainly;
use crate::{assets, solved};

/// A fault that is reported as JSON.
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
                let (status, text) = (rejection.status(), rejection.body_text());
                ApiFault(plainly(status, &text))
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
        ("get", "/api/analyse", get(analyse::moves)),
        ("post", "/api/analyse", post(analyse::keep)),
        ("get", "/api/analyse/{id}", get(analyse::game)),
        ("get", "/api/play", get(play::list)),
        ("post", "/api/play", post(play::create)),
        ("get", "/api/play/{id}", get(play::show)),
        ("get", "/api/play/{id}/hint", get(play::hint)),
        ("post", "/api/play/{id}/move", post(play::enter)),
        ("post", "/api/play/{id}/undo", post(play::undo)),
        ("post", "/api/play/{id}/resign", post(play::resign)),
        ("get", "/api/programs", get(tournaments::programs)),
        ("post", "/api/tester", post(tournaments::test)),
        ("get", "/api/tester/{id}", get(tournaments::verdict)),
        ("get", "/api/tournaments", get(tournaments::list)),
        ("post", "/api/tournaments", post(tournaments::create)),
        ("get", "/api/tournaments/{id}", get(tournaments::show)),
        (
            "post",
            "/api/tournaments/{id}/stop",
            post(tournaments::stop),
        ),
        (
            "post",
            "/api/tournaments/{id}/resume",
            post(tournaments::resume),
        ),
        (
            "get",
            "/api/tournaments/{id}/games",
            get(tournaments::games),
        ),
        (
            "get",
            "/api/tournaments/{id}/games/{game}",
            get(tournaments::record),
        ),
        ("get", "/api/solved", get(solved_all)),
        ("get", "/api/solved/{variant}", get(solved_one)),
    ]
}

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    // Methods of one path are merged by the router.
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
    let games: Vec<Value> = GameName::all()
        .map(|game| {
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
#[serde(deny_unknown_fields)]
struct Asked {
    game: String,
    #[serde(default)]
    position: String,
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

/// `GET /api/solved`
async fn solved_all(State(site): State<Arc<Site>>) -> Answer {
    let tables = solved::describe_all(&site).await?;
    Ok(Json(json!({ "tables": tables })))
}

/// A position of a solved variant in an address.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    #[serde(default)]
    position: String,
}

/// `GET /api/solved/{variant}`
async fn solved_one(
    State(site): State<Arc<Site>>,
    Path(variant): Path<String>,
    Query(place): Query<Place>,
) -> Answer {
    Ok(Json(
        solved::describe(&site, variant, place.position).await?,
    ))
}

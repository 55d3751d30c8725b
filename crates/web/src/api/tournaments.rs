//! Tournaments and tests as JSON.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};
use tournament::GameFilter;

use super::{Answer, ApiFault, Json, Path};
use crate::Site;
use crate::fault::Fault;
use crate::tester::{Chosen, begin_test, game_of};
use crate::tournaments::create::{Plan, begin};
use crate::tournaments::fault;
use crate::tournaments::runs::launch;

/// `GET /api/programs`: the registered programs; requests name them by their numbers.
pub(super) async fn programs(State(site): State<Arc<Site>>) -> Json<Value> {
    let programs = site.config.programs.iter().enumerate();
    let programs: Vec<Value> = programs
        .map(|(number, program)| {
            let game = game_of(program).map(|game| game.name());
            json!({ "number": number, "name": program.name, "game": game })
        })
        .collect();
    Json(json!({ "programs": programs }))
}

/// `POST /api/tester`
pub(super) async fn test(
    State(site): State<Arc<Site>>,
    Json(chosen): Json<Chosen>,
) -> Result<(StatusCode, Json<Value>), ApiFault> {
    let id = begin_test(&site, &chosen).await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))))
}

/// `GET /api/tester/{id}`: what the program did wrong so far.
pub(super) async fn verdict(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    let running = site.runs.is_running(&id);
    let row = site.store.tournament(&id).await.map_err(fault)?;
    let faults = site.store.faults(&id, Some(0), 20).await.map_err(fault)?;
    let standings = site.store.standings(&id).await.map_err(fault)?;
    let faults: Vec<Value> = faults
        .iter()
        .map(|fault| {
            let turn = &fault.turn;
            json!({ "game": turn.game, "turn": turn.turn, "verdict": fault.text, "input": turn.record.input })
        })
        .collect();
    Ok(Json(json!({
        "running": running,
        "finished": row.finished,
        "planned": row.planned,
        "played": standings.played,
        "points": standings.of(0).map(|line| line.points()),
        "faults": faults,
    })))
}

/// `GET /api/tournaments`
pub(super) async fn list(State(site): State<Arc<Site>>) -> Answer {
    let rows = site.store.tournaments().await.map_err(fault)?;
    Ok(Json(json!({ "tournaments": rows })))
}

/// `POST /api/tournaments`
pub(super) async fn create(
    State(site): State<Arc<Site>>,
    Json(plan): Json<Plan>,
) -> Result<(StatusCode, Json<Value>), ApiFault> {
    let config = plan.config(&site).map_err(Fault::refused)?;
    let id = begin(&site, config).await?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))))
}

/// `GET /api/tournaments/{id}`
pub(super) async fn show(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    let summary = tournament::output::json(&site.store, &id).await;
    let summary = summary.map_err(fault)?;
    Ok(Json(serde_json::to_value(summary).map_err(Fault::ours)?))
}

/// `POST /api/tournaments/{id}/stop`
pub(super) async fn stop(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    site.runs.stop(&row.id);
    Ok(Json(json!({ "id": row.id })))
}

/// `POST /api/tournaments/{id}/resume`
pub(super) async fn resume(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    launch(&site, row.config).await?;
    Ok(Json(json!({ "id": row.id })))
}

/// `GET /api/tournaments/{id}/games`
pub(super) async fn games(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Answer {
    site.store.tournament(&id).await.map_err(fault)?;
    let games = site.store.games(&id, &GameFilter::default()).await;
    Ok(Json(json!({ "games": games.map_err(fault)? })))
}

/// `GET /api/tournaments/{id}/games/{game}`
pub(super) async fn record(
    State(site): State<Arc<Site>>,
    Path((_, game)): Path<(String, String)>,
) -> Answer {
    let record = site.store.record(&game).await.map_err(fault)?;
    let record = record.ok_or_else(|| Fault::missing(format!("game {game} was not played")))?;
    Ok(Json(serde_json::to_value(record).map_err(Fault::ours)?))
}

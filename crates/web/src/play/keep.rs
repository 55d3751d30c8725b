//! Games that were played here, kept in the library: with names, year and a tag.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::Redirect;
use games::{AnyPosition, Recorded, Transcript};
use rules::Side;
use serde::Deserialize;
use tournament::store::Moment;

use super::changed;
use super::create::name;
use super::game::Match;
use crate::Site;
use crate::fault::Fault;
use crate::tournaments::fault;
use crate::visitors::Visitor;

/// The tag of a game that was given none.
const USUAL: &str = "Played here";

/// Where the library has a game from.
fn source(id: &str) -> String {
    format!("play {id}")
}

/// Takes a game out of the library.
pub(super) async fn forget(site: &Site, id: &str) -> Result<(), Fault> {
    let removed = site.store.remove_from_library(&source(id)).await;
    removed.map(drop).map_err(fault)
}

/// The game as the library has it.
fn recorded(game: &Match, tag: &str) -> Result<Recorded, String> {
    let start = AnyPosition::parse(game.game, &game.start).map_err(|e| e.to_string())?;
    let position = game.position()?;
    let ending = game.ending(&position).ok_or("the game is not over")?;
    let transcript = Transcript {
        start,
        moves: game.moves.iter().map(|played| played.mv.clone()).collect(),
        title: tag.into(),
    };
    let year = Moment(game.created as i64).to_string();
    let year = year.split('-').next().and_then(|year| year.parse().ok());
    Ok(Recorded {
        players: Side::BOTH.map(|side| game.name(side).to_string()),
        year: year.unwrap_or(0),
        result: Some(ending.outcome.sign_for(Side::First) as i8),
        ..Recorded::of(&transcript)?
    })
}

/// The form as it was filled in.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Filled {
    tag: String,
}

/// `POST /play/{id}/library`
pub(super) async fn put(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(filled): Form<Filled>,
) -> Result<Redirect, Fault> {
    let tag = match name(&filled.tag) {
        tag if tag.is_empty() => USUAL.to_string(),
        tag => tag,
    };
    change(&site, &visitor, &id, Some(tag)).await
}

/// `POST /play/{id}/library/remove`
pub(super) async fn remove(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Redirect, Fault> {
    change(&site, &visitor, &id, None).await
}

/// Keeps a game under a tag, or no longer.
async fn change(
    site: &Arc<Site>,
    visitor: &Visitor,
    id: &str,
    tag: Option<String>,
) -> Result<Redirect, Fault> {
    // What is in the library is found by everybody.
    if !visitor.trusted {
        return Err(Fault::new(
            StatusCode::FORBIDDEN,
            "only whoever runs this site keeps games in the library",
        ));
    }
    let table = site.open_games.find(site, id).await?;
    let mut game = table.game.lock().await;
    if game.tag.is_some() {
        forget(site, id).await?;
    }
    if let Some(tag) = &tag {
        let kept = recorded(&game, tag).map_err(Fault::refused)?;
        let from = source(id);
        let added = site.store.add_to_library(game.game, &from, vec![kept]);
        added.await.map_err(fault)?;
    }
    game.tag = tag;
    changed(site, &table, game).await?;
    Ok(Redirect::to(&format!("/play/{id}")))
}

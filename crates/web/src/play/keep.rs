//! Games that were played here, in the library: with names, date and a tag.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::Redirect;
use games::{AnyPosition, Recorded, Transcript};
use rules::Side;
use serde::Deserialize;

use super::changed;
use super::create::name;
use super::game::{Match, Seat};
use super::list::{date, may_delete};
use crate::Site;
use crate::fault::Fault;
use crate::tournaments::fault;
use crate::visitors::Visitor;

/// The tag of a game that was given none.
pub(super) const USUAL: &str = "Played here";

/// Somebody whose name is not known, or nobody's business.
const UNNAMED: &str = "a guest";

/// Where the library has a game from.
fn source(id: &str) -> String {
    format!("play {id}")
}

/// The game that the library has from this source, if it was played here.
pub(crate) fn played(source: &str) -> Option<&str> {
    source.strip_prefix("play ")
}

/// Notes what the library has made of a game: it has this tag there now, or was taken out.
pub(crate) async fn note(site: &Site, id: &str, tag: Option<String>) -> Result<(), Fault> {
    // It may have been deleted itself.
    let unless_gone = |fault: Fault| match fault.status {
        StatusCode::NOT_FOUND => Ok(()),
        _ => Err(fault),
    };
    let table = match site.open_games.find(site, id).await {
        Ok(table) => table,
        Err(fault) => return unless_gone(fault),
    };
    let mut game = match table.lock().await {
        Ok(game) => game,
        Err(fault) => return unless_gone(fault),
    };
    game.left_out = tag.is_none();
    game.tag = tag;
    changed(site, &table, game).await
}

/// Takes a game out of the library.
pub(super) async fn forget(site: &Site, id: &str) -> Result<(), Fault> {
    let removed = site.store.remove_from_library(&source(id)).await;
    removed.map(drop).map_err(fault)
}

/// Lets the library follow a game: what a person has played to its end comes in, and what goes on
/// again, because a move was taken back, is taken out.
pub(super) async fn follow(site: &Site, game: &mut Match) -> Result<(), Fault> {
    let position = game.position().map_err(Fault::ours)?;
    let over = game.ending(&position).is_some();
    if over && game.tag.is_none() {
        let played = !game.moves.is_empty() && game.seats.contains(&Seat::Human);
        if played && !game.left_out {
            let named = !game.guests;
            put_in(site, game, USUAL, named).await?;
        }
    } else if !over && game.tag.take().is_some() {
        forget(site, &game.id).await?;
    }
    Ok(())
}

/// Puts a game into the library under a tag, with the names of people or without.
async fn put_in(site: &Site, game: &mut Match, tag: &str, named: bool) -> Result<(), Fault> {
    let kept = recorded(game, tag, named).map_err(Fault::refused)?;
    let from = source(&game.id);
    let added = site.store.add_to_library(game.game, &from, vec![kept]);
    added.await.map_err(fault)?;
    game.tag = Some(tag.into());
    Ok(())
}

/// The game as the library has it.
fn recorded(game: &Match, tag: &str, named: bool) -> Result<Recorded, String> {
    let start = AnyPosition::parse(game.game, &game.start).map_err(|e| e.to_string())?;
    let position = game.position()?;
    let ending = game.ending(&position).ok_or("the game is not over")?;
    let transcript = Transcript {
        start,
        moves: game.moves.iter().map(|played| played.mv.clone()).collect(),
        title: tag.into(),
    };
    let player = |side: Side| match &game.seats[side.index()] {
        Seat::Human if !named || game.names[side.index()].is_empty() => UNNAMED.to_string(),
        _ => game.name(side).to_string(),
    };
    let date = date(game);
    let year = date.split('-').next().and_then(|year| year.parse().ok());
    Ok(Recorded {
        players: Side::BOTH.map(player),
        year: year.unwrap_or(0),
        date,
        result: Some(ending.outcome.sign_for(Side::First) as i8),
        ..Recorded::of(&transcript)?
    })
}

/// Whether the visitor may take this game out of the library: its players may.
pub(super) fn may_take_out(game: &Match, visitor: &Visitor) -> bool {
    let own = |key: &String| game.keys().any(|known| known == key);
    may_delete(game, visitor) || visitor.key.as_ref().is_some_and(own)
}

/// The form as it was filled in.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Filled {
    tag: String,
}

/// `POST /play/{id}/library`: under this tag, with names.
pub(super) async fn put(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(filled): Form<Filled>,
) -> Result<Redirect, Fault> {
    // Names and tags are read by everybody.
    if !visitor.trusted {
        return Err(Fault::new(
            StatusCode::FORBIDDEN,
            "only whoever runs this site gives tags to games in the library",
        ));
    }
    let tag = match name(&filled.tag) {
        tag if tag.is_empty() => USUAL.to_string(),
        tag => tag,
    };
    let table = site.open_games.find(&site, &id).await?;
    let mut game = table.lock().await?;
    if game.tag.is_some() {
        forget(&site, &id).await?;
    }
    put_in(&site, &mut game, &tag, true).await?;
    (game.left_out, game.guests) = (false, false);
    changed(&site, &table, game).await?;
    Ok(Redirect::to(&format!("/play/{id}")))
}

/// `POST /play/{id}/library/remove`
pub(super) async fn remove(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Redirect, Fault> {
    let table = site.open_games.find(&site, &id).await?;
    let mut game = table.lock().await?;
    if !may_take_out(&game, &visitor) {
        return Err(Fault::refused(
            "only its players take a game out of the library",
        ));
    }
    forget(&site, &id).await?;
    game.tag = None;
    game.left_out = true;
    changed(&site, &table, game).await?;
    Ok(Redirect::to(&format!("/play/{id}")))
}

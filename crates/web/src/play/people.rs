//! Two people at two devices: an invitation by link, offers of a draw, and playing again.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::Redirect;
use rules::Side;
use serde::Deserialize;

use super::game::{Cut, Match, now};
use super::open_games::Asked;
use super::{changed, create, list};
use crate::fault::Fault;
use crate::visitors::Visitor;
use crate::{Site, fresh_id};

/// Where the visitor found the site, to make a link of it that can be sent to somebody.
pub(super) fn host(headers: &HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST.as_str()).unwrap_or_default();
    // A server in front of this one says how it was reached.
    let scheme = match text("x-forwarded-proto") {
        Some("https") => "https",
        _ => "http",
    };
    format!("{scheme}://{host}")
}

/// Who wants to join.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Guest {
    name: String,
}

/// `POST /play/{id}/join`: takes the free seat.
pub(super) async fn join(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(guest): Form<Guest>,
) -> Result<Redirect, Fault> {
    let table = site.open_games.find(&site, &id).await?;
    let mut game = table.lock().await?;
    let key = visitor
        .key
        .clone()
        .ok_or_else(|| Fault::bad("no cookie was sent"))?;
    let link = game.link.as_mut();
    let link = link.ok_or_else(|| Fault::refused("this game is played at one device"))?;
    if link.holders.iter().flatten().any(|holder| *holder == key) {
        return Ok(Redirect::to(&format!("/play/{id}")));
    }
    let Some(free) = link.holders.iter().position(Option::is_none) else {
        return Err(Fault::refused(
            "somebody else has come first: you can watch this game",
        ));
    };
    link.holders[free] = Some(key.clone());
    game.guests |= !visitor.trusted;
    game.names[free] = create::name(&guest.name);
    // The clock starts now.
    game.since = now();
    list::note_player(&site, &key, &id).await?;
    changed(&site, &table, game).await?;
    Ok(Redirect::to(&format!("/play/{id}")))
}

/// The side of a visitor in a game by link that goes on.
fn player(game: &Match, visitor: &Visitor) -> Result<Side, Fault> {
    let side = game.side_of(visitor.key.as_deref());
    match side {
        Some(side) if game.link.is_some() => Ok(side),
        _ => Err(Fault::refused("only the two players can do this")),
    }
}

/// Lets one of the two players change a game by link.
async fn act(
    site: &Arc<Site>,
    visitor: &Visitor,
    id: &str,
    act: impl FnOnce(&mut Match, Side) -> Result<(), Fault>,
) -> Result<Redirect, Fault> {
    let table = site.open_games.find(site, id).await?;
    let mut game = table.lock().await?;
    let side = player(&game, visitor)?;
    act(&mut game, side)?;
    changed(site, &table, game).await?;
    Ok(Redirect::to(&format!("/play/{id}")))
}

/// `POST /play/{id}/draw`: offers a draw, or accepts one.
pub(super) async fn draw(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Redirect, Fault> {
    act(&site, &visitor, &id, |game, side| {
        let position = game.position().map_err(Fault::ours)?;
        if game.ending(&position).is_some() || game.is_waiting() {
            return Err(Fault::refused("there is no game going on"));
        }
        let offer = game.link.as_ref().and_then(|link| link.offer);
        if offer == Some((!side).index()) {
            game.cut_short(!side, Cut::Agreed);
        } else if let Some(link) = &mut game.link {
            link.offer = Some(side.index());
        }
        Ok(())
    })
    .await
}

/// `POST /play/{id}/decline`: a draw that was offered.
pub(super) async fn decline(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Redirect, Fault> {
    act(&site, &visitor, &id, |game, _| {
        if let Some(link) = &mut game.link {
            link.offer = None;
        }
        Ok(())
    })
    .await
}

/// `POST /play/{id}/rematch`: the same game again with sides exchanged. Between people it begins
/// when both want it.
pub(super) async fn rematch(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Redirect, Fault> {
    let table = site.open_games.find(&site, &id).await?;
    let mut game = table.lock().await?;
    if game.link.is_none() {
        let mut next = game.again(fresh_id()).map_err(Fault::ours)?;
        next.owner = visitor.key.clone();
        drop(game);
        let games = &site.open_games;
        let next = games
            .add_once(&site, &visitor, Asked::Again(id), next)
            .await?;
        return Ok(Redirect::to(&format!("/play/{next}")));
    }
    let side = player(&game, &visitor)?;
    let position = game.position().map_err(Fault::ours)?;
    if game.ending(&position).is_none() {
        return Err(Fault::refused("this game is not over"));
    }
    let known = game.link.as_ref().and_then(|link| link.next.clone());
    if let Some(next) = known {
        return Ok(Redirect::to(&format!("/play/{next}")));
    }
    let mut both = false;
    if let Some(link) = &mut game.link {
        link.again[side.index()] = true;
        both = link.again == [true; 2];
    }
    let mut address = format!("/play/{id}");
    if both {
        let next = game.again(fresh_id()).map_err(Fault::ours)?;
        address = format!("/play/{}", next.id);
        if let Some(link) = &mut game.link {
            link.next = Some(next.id.clone());
        }
        site.open_games.add(&site, next).await?;
    }
    changed(&site, &table, game).await?;
    Ok(Redirect::to(&address))
}

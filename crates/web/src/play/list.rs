//! The games that were played here: found again by who played, when and how it ended, and
//! deleted by whoever they belong to.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Form, Path, Query, State};
use axum::response::{Html, Redirect};
use maud::{Markup, html};
use rules::Side;
use serde::Deserialize;
use tournament::store::Moment;

use super::Sure;
use super::game::Match;
use crate::Site;
use crate::fault::Fault;
use crate::page::{count, shell};
use crate::visitors::Visitor;

/// Games on one page.
const SHOWN: u32 = 50;

/// The kind of documents that say which games a visitor has to do with.
fn kind_of(key: &str) -> String {
    format!("play of {key}")
}

/// Notes that a game is one of this visitor's.
pub(super) async fn note_player(site: &Site, key: &str, id: &str) -> Result<(), Fault> {
    site.documents.put(&kind_of(key), id, &id).await
}

/// Forgets that a game was one of this visitor's.
pub(super) async fn forget_player(site: &Site, key: &str, id: &str) -> Result<(), Fault> {
    site.documents.delete(&kind_of(key), id).await
}

/// The latest games that the visitor may see in a list: all where only one's own machine gets
/// here, their own where strangers come too.
pub(crate) async fn latest(
    site: &Site,
    visitor: &Visitor,
    skip: u32,
    limit: u32,
) -> Result<Vec<Match>, Fault> {
    if visitor.trusted {
        return site.documents.page("play", skip, limit).await;
    }
    let Some(key) = &visitor.key else {
        return Ok(Vec::new());
    };
    let ids: Vec<String> = site.documents.page(&kind_of(key), skip, limit).await?;
    let mut games = Vec::new();
    for id in ids {
        games.extend(site.documents.get::<Match>("play", &id).await?);
    }
    Ok(games)
}

/// Which games are wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Wanted {
    page: u32,
}

/// `GET /play/games`
pub(super) async fn all(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Query(wanted): Query<Wanted>,
) -> Result<Html<String>, Fault> {
    let skip = wanted.page.saturating_mul(SHOWN);
    let games = latest(&site, &visitor, skip, SHOWN).await?;
    let body = html! {
        h1 { "Games played here" }
        @if !visitor.trusted { p.quiet { "Your own games: they are known by a cookie of this browser." } }
        @if games.is_empty() { p { "None yet." } } @else { (table(&games)) }
        nav.actions aria-label="Pages" {
            @if wanted.page > 0 { a.button href={ "/play/games?page=" (wanted.page - 1) } { "Later games" } }
            @if games.len() == SHOWN as usize { a.button href={ "/play/games?page=" (wanted.page + 1) } { "Earlier games" } }
            a.button.primary href="/play" { "New game" }
        }
    };
    Ok(shell("Games played here", "/play", body))
}

/// `Reversi: Anna – greedy`
fn title(game: &Match) -> String {
    let [first, second] = Side::BOTH.map(|side| game.name(side));
    format!("{}: {first} – {second}", game.game.about().title)
}

/// How far a game has come, or how it ended.
fn state(game: &Match) -> String {
    let ending = game
        .position()
        .ok()
        .and_then(|position| game.ending(&position));
    match ending {
        Some(ending) => ending.text,
        None if game.is_waiting() => "waits for an opponent".into(),
        None => "goes on".into(),
    }
}

/// `2031-05-09 14:03`
pub(super) fn date(game: &Match) -> String {
    let text = Moment(game.created as i64).to_string();
    text.rsplit_once(':')
        .map_or(text.clone(), |(minutes, _)| minutes.into())
}

/// A few games, in short.
pub(super) fn list(games: &[Match]) -> Markup {
    html! {
        ul.games {
            @for game in games {
                li {
                    a href={ "/play/" (game.id) } { (title(game)) }
                    " " span.quiet { (date(game)) ", " (count(game.moves.len() as u64, "move")) ", " (state(game)) }
                }
            }
        }
    }
}

/// Games with everything that is known of them.
fn table(games: &[Match]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Games" {
            table {
                thead { tr { th { "Begun (UTC)" } th { "Players" } th.num { "Moves" } th { "Result" } th { "Delete" } } }
                tbody {
                    @for game in games {
                        tr {
                            td { (date(game)) }
                            th scope="row" { a href={ "/play/" (game.id) } { (title(game)) } }
                            td.num { (game.moves.len()) }
                            td.wrap { (state(game)) }
                            td { a href={ "/play/" (game.id) "?ask=delete" } aria-label={ "Delete " (title(game)) ", " (date(game)) } { "Delete" } }
                        }
                    }
                }
            }
        }
    }
}

/// Whether the visitor may delete this game.
pub(super) fn may_delete(game: &Match, visitor: &Visitor) -> bool {
    visitor.trusted || (game.owner.is_some() && game.owner == visitor.key)
}

/// `POST /play/{id}/delete`
pub(super) async fn delete(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Form(sure): Form<Sure>,
) -> Result<Redirect, Fault> {
    if let Some(question) = sure.question(&id, "delete") {
        return Ok(question);
    }
    let table = site.open_games.find(&site, &id).await?;
    let game = table.lock().await?;
    if !may_delete(&game, &visitor) {
        return Err(Fault::refused("only whoever began a game may delete it"));
    }
    site.open_games.remove(&site, &table, game).await?;
    Ok(Redirect::to("/play/games"))
}

//! One game of the library: its tag is changed, or it is deleted, by whoever holds the token.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Form, Path, Query, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::html;
use rules::Side;
use serde::Deserialize;
use tournament::store::LibraryGame;

use super::start_of;
use crate::Site;
use crate::fault::Fault;
use crate::login::Onward;
use crate::page::shell;
use crate::play::keep;
use crate::query::query;
use crate::tournaments::fault;
use crate::visitors::Visitor;

/// The longest tag.
const LONGEST_TAG: usize = 60;

/// The address of the page on which a game is changed; `back` is where it was found.
pub(super) fn address(number: i64, back: &str) -> String {
    format!("/library/{number}/change{}", query(&[("to", back)]))
}

/// A tag as it is kept.
pub(super) fn tag_of(text: &str) -> String {
    referee::shortened(text, LONGEST_TAG)
}

/// A field for a tag.
pub(super) fn tag_field(label: &str, value: &str) -> maud::Markup {
    html! { label { span { (label) } input name="tag" value=(value) maxlength=(LONGEST_TAG) autocomplete="off"; } }
}

/// Where to go afterwards.
fn back(onward: &Onward) -> &str {
    match onward.to.is_empty() {
        true => "/library",
        false => onward.address(),
    }
}

/// The game with this number.
pub(super) async fn find(site: &Site, number: i64) -> Result<LibraryGame, Fault> {
    let found = site.store.library_game(number).await.map_err(fault)?;
    found.ok_or_else(|| Fault::missing(format!("there is no game {number} in the library")))
}

/// `GET /library/{number}/change`
pub(super) async fn show(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Path(number): Path<i64>,
    Query(onward): Query<Onward>,
) -> Result<Response, Fault> {
    let found = find(&site, number).await?;
    if !visitor.trusted {
        let here = address(number, back(&onward));
        return Ok(Redirect::to(&format!("/login{}", query(&[("to", &here)]))).into_response());
    }
    let (game, recorded) = (found.game, &found.recorded);
    let played = keep::played(&found.source);
    let names = Side::BOTH.map(|side| game.side_name(side));
    let to = back(&onward);
    let known = [
        (names[0], recorded.players[0].clone()),
        (names[1], recorded.players[1].clone()),
        ("Played", recorded.when()),
        ("Score", recorded.score.clone()),
        ("Came from", found.source.clone()),
        ("Moves", start_of(&recorded.moves)),
    ];
    let body = html! {
        h1 { "A game of the library" }
        table.narrow {
            tbody {
                @for (what, value) in known.iter().filter(|(what, value)| !value.is_empty() && (*what != "Came from" || played.is_none())) {
                    tr { th scope="row" { (what) } td.wrap { (value) } }
                }
            }
        }
        p.links { a href={ "/library/" (number) } { "Analyse it" }
            @if let Some(id) = played { " · " a href={ "/play/" (id) } { "Played here" } } }
        form.card.narrow method="post" action={ "/library/" (number) "/tag" } {
            input type="hidden" name="to" value=(to);
            (tag_field("Event or tag", &recorded.event))
            div.actions { button.primary { "Change it" } a.button href=(to) { "Leave it as it is" } }
        }
        form.card.narrow method="post" action={ "/library/" (number) "/delete" } {
            input type="hidden" name="to" value=(to);
            p { "Deleted for good: nobody finds it any more." }
            div.actions { button { "Delete the game" } }
        }
    };
    let page: Html<String> = shell("A game of the library", "/library", body);
    Ok(page.into_response())
}

/// Another tag, and where to go then.
#[derive(Deserialize)]
pub(super) struct Tag {
    tag: String,
    #[serde(default)]
    to: String,
}

/// `POST /library/{number}/tag`
pub(super) async fn tag(
    State(site): State<Arc<Site>>,
    Path(number): Path<i64>,
    Form(form): Form<Tag>,
) -> Result<Redirect, Fault> {
    let found = find(&site, number).await?;
    let tag = tag_of(&form.tag);
    let changed = site.store.tag_library_game(number, &tag).await;
    if !changed.map_err(fault)? {
        return Err(Fault::refused(format!(
            "the same game is there already under {tag:?}"
        )));
    }
    if let Some(id) = keep::played(&found.source) {
        keep::note(&site, id, Some(tag)).await?;
    }
    let onward = Onward {
        to: form.to,
        form: String::new(),
    };
    Ok(Redirect::to(back(&onward)))
}

/// `POST /library/{number}/delete`
pub(super) async fn delete(
    State(site): State<Arc<Site>>,
    Path(number): Path<i64>,
    Form(onward): Form<Onward>,
) -> Result<Redirect, Fault> {
    let found = find(&site, number).await?;
    if let Some(id) = keep::played(&found.source) {
        keep::note(&site, id, None).await?;
    }
    let removed = site.store.remove_library_game(number).await;
    removed.map_err(fault)?;
    Ok(Redirect::to(back(&onward)))
}

//! Files and texts with many games, to choose from: on pages, and searched.

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Multipart, Path, Query, State};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::subject::{self, Subject};
use super::{keep_subject, name};
use crate::fault::Fault;
use crate::page::{count, shell};
use crate::query::query;
use crate::visitors::Visitor;
use crate::{Site, fresh_id};

/// The largest files that are taken together, in megabytes.
pub(super) const LARGEST_MB: usize = 8;

/// Games on one page.
const SHOWN: usize = 200;

/// So many files with more games than fit on a page are kept, the latest ones.
const KEPT: u32 = 20;

/// The kind of documents that hold the games of a file.
const KIND: &str = "games of a file";

/// The addresses of this part.
pub(super) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route(
            "/analyse/file",
            post(file).layer(DefaultBodyLimit::max(LARGEST_MB << 20)),
        )
        .route("/analyse/games/{id}", get(games))
}

/// The games of a file.
#[derive(Serialize, Deserialize)]
struct Games {
    id: String,
    title: String,
    subjects: Vec<Subject>,
}

/// Of games that are kept no longer only the id is read.
#[derive(Deserialize)]
struct Old {
    id: String,
}

/// `POST /analyse/file`
async fn file(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    mut upload: Multipart,
) -> Result<Response, Fault> {
    let seat = site.receive(&visitor)?;
    let mut files = Vec::new();
    while let Some(field) = upload.next_field().await.map_err(Fault::upload)? {
        if field.name() == Some("file") {
            files.push(field.bytes().await.map_err(Fault::upload)?.to_vec());
        }
    }
    files.retain(|file| !file.is_empty());
    if files.is_empty() {
        return Err(Fault::bad("no file was chosen"));
    }
    let title = match files.len() {
        1 => "Games in this file",
        _ => "Games in these files",
    };
    let reading = Arc::clone(&site.reading).acquire_owned().await;
    let held = (seat, reading.map_err(Fault::ours)?);
    let subjects = tokio::task::spawn_blocking(move || {
        let _held = held;
        subject::read_files(&files)
    });
    let subjects = subjects.await.map_err(Fault::ours)?;
    let subjects = subjects.map_err(Fault::refused)?;
    open(&site, title, subjects).await
}

/// The analysis of a game, or a list to choose from.
pub(super) async fn open(
    site: &Site,
    title: &str,
    mut subjects: Vec<Subject>,
) -> Result<Response, Fault> {
    if subjects.len() == 1 {
        let kept = keep_subject(site, subjects.remove(0)).await?;
        return Ok(Redirect::to(&format!("/analyse/{}", kept.id)).into_response());
    }
    let games = Games {
        id: fresh_id(),
        title: title.into(),
        subjects,
    };
    if games.subjects.len() <= SHOWN {
        return Ok(page(&games, &Wanted::default()).into_response());
    }
    site.documents.put(KIND, &games.id, &games).await?;
    let older: Vec<Old> = site.documents.page(KIND, KEPT, KEPT).await?;
    for Old { id } in older {
        site.documents.delete(KIND, &id).await?;
    }
    Ok(Redirect::to(&format!("/analyse/games/{}", games.id)).into_response())
}

/// Which of the games are wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Wanted {
    /// Words that stand in the title.
    find: String,
    page: usize,
}

/// `GET /analyse/games/{id}`
async fn games(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Html<String>, Fault> {
    let _reading = site.reading.acquire().await.map_err(Fault::ours)?;
    let games: Option<Games> = site.documents.get(KIND, &id).await?;
    let gone = || Fault::missing("these games are not kept any more: send the file again");
    Ok(page(&games.ok_or_else(gone)?, &wanted))
}

/// A page of games.
fn page(games: &Games, wanted: &Wanted) -> Html<String> {
    let find = wanted.find.to_lowercase();
    let fits = |subject: &Subject| {
        let title = name(subject).to_lowercase();
        find.split_whitespace().all(|word| title.contains(word))
    };
    let found: Vec<(usize, &Subject)> = (1..)
        .zip(&games.subjects)
        .filter(|(_, subject)| fits(subject))
        .collect();
    let base = format!("/analyse/games/{}", games.id);
    let address = |page: usize| {
        let number = match page {
            0 => String::new(),
            page => page.to_string(),
        };
        let pairs = [("find", wanted.find.as_str()), ("page", &number)];
        format!("{base}{}", query(&pairs))
    };
    let first = wanted.page.saturating_mul(SHOWN);
    let shown: Vec<&(usize, &Subject)> = found.iter().skip(first).take(SHOWN).collect();
    let many = games.subjects.len() > SHOWN;
    let body = html! {
        h1 { (games.title) }
        @if many { (search(&base, &wanted.find)) }
        p.status #status role="status" {
            strong { (count(found.len() as u64, "game")) }
            @if found.len() > SHOWN && !shown.is_empty() { ", " (first + 1) " to " (first + shown.len()) }
        }
        ul.games {
            @for (number, subject) in &shown {
                li { a href=(subject.address()) { (number) ". " (name(subject)) } " " span.quiet { (count(subject.moves.len() as u64, "move")) } }
            }
        }
        @if many {
            nav.actions aria-label="Pages" {
                @if wanted.page > 0 { a.button href=(address(wanted.page - 1)) { "Previous games" } }
                @if first + shown.len() < found.len() { a.button href=(address(wanted.page + 1)) { "More games" } }
            }
            p.quiet { "By year, opening and position they are searched in the " a href="/library" { "library" } ", once the file is in it." }
        }
    };
    shell(&games.title, "/analyse", body)
}

fn search(base: &str, find: &str) -> Markup {
    html! {
        form.card.narrow method="get" action=(base) {
            label { span { "Player, event, year or score" } input name="find" value=(find) autocomplete="off" spellcheck="false"; }
            div.actions { button.primary { "Search" } @if !find.is_empty() { a.button href=(base) { "All games" } } }
        }
    }
}

//! The library of games: searched by players, event, year, opening and position.

mod change;

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Multipart, Path, Query, State};
use axum::http::header;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use games::{AnyPosition, GameName, Recorded};
use maud::{Markup, html};
use rules::Side;
use serde::Deserialize;
use tournament::output;
use tournament::store::{LibraryFound, LibraryMove, LibraryQuery};

use crate::analyse::subject::Subject;
use crate::fault::Fault;
use crate::page::{count, shell};
use crate::query::query;
use crate::tournaments::fault;
use crate::visitors::Visitor;
use crate::{Site, board};

/// Games on one page.
const SHOWN: usize = 50;

/// So many games are exported at most for strangers.
const EXPORTED: usize = 20_000;

/// The largest files that are taken together.
const LARGEST_IMPORT: usize = 32 * 1024 * 1024;

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/library", get(search))
        .route("/library/games.csv", get(export))
        .route(
            "/library/import",
            post(import).layer(DefaultBodyLimit::max(LARGEST_IMPORT)),
        )
        .route("/library/{number}", get(one))
        .route("/library/{number}/change", get(change::show))
        .route("/library/{number}/tag", post(change::tag))
        .route("/library/{number}/delete", post(change::delete))
}

/// What the address asks for.
#[derive(Clone, Deserialize, Default)]
#[serde(default)]
struct Wanted {
    game: String,
    player: String,
    opponent: String,
    event: String,
    from: String,
    to: String,
    /// The name of an opening.
    opening: String,
    /// The text of a position.
    position: String,
    page: usize,
}

impl Wanted {
    fn game(&self) -> Result<GameName, Fault> {
        match self.game.as_str() {
            "" => Ok(GameName::default()),
            name => name.parse().map_err(Fault::bad),
        }
    }

    /// The position that is asked for, by itself or as the end of an opening.
    fn position(&self, game: GameName) -> Result<Option<AnyPosition>, Fault> {
        let text = self.position.trim();
        if !text.is_empty() {
            let position = AnyPosition::parse(game, text).map_err(Fault::bad)?;
            return Ok(Some(position));
        }
        if self.opening.is_empty() {
            return Ok(None);
        }
        let position = AnyPosition::after_opening(game, &self.opening);
        position.map(Some).map_err(Fault::bad)
    }

    fn query(&self, limit: usize) -> Result<LibraryQuery, Fault> {
        let game = self.game()?;
        let year = |text: &str| match text.trim() {
            "" => Ok(None),
            text => text
                .parse()
                .map(Some)
                .map_err(|_| Fault::bad(format!("{text:?} is not a year"))),
        };
        Ok(LibraryQuery {
            player: self.player.clone(),
            opponent: self.opponent.clone(),
            event: self.event.clone(),
            from: year(&self.from)?,
            to: year(&self.to)?,
            position: self.position(game)?,
            offset: self.page.saturating_mul(SHOWN),
            limit,
            ..LibraryQuery::new(game)
        })
    }

    /// The address of the same search with this position and page.
    fn address(&self, base: &str, position: &str, page: usize) -> String {
        let page = match page {
            0 => String::new(),
            page => page.to_string(),
        };
        let opening = if position == self.position {
            self.opening.as_str()
        } else {
            ""
        };
        let pairs = [
            ("game", self.game.as_str()),
            ("player", &self.player),
            ("opponent", &self.opponent),
            ("event", &self.event),
            ("from", &self.from),
            ("to", &self.to),
            ("opening", opening),
            ("position", position),
            ("page", &page),
        ];
        format!("{base}{}", query(&pairs))
    }
}

/// `GET /library`
async fn search(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Query(wanted): Query<Wanted>,
) -> Result<Html<String>, Fault> {
    let question = wanted.query(SHOWN)?;
    let (game, position) = (question.game, question.position.clone());
    let found = site.store.library(question).await.map_err(fault)?;
    let body = html! {
        h1 { "Library" }
        div.columns.setup {
            div.stage {
                @if let Some(position) = &position {
                    (walk(&wanted, position, &found))
                    p.links {
                        a href={ "/analyse/position" (query(&[("game", game.name()), ("position", &position.to_string())])) } { "Analyse this position" } " · "
                        a href=(wanted.address("/library", "", 0)) { "Without a position" }
                    }
                } @else {
                    (walk(&wanted, &game.start(), &found))
                }
            }
            div.panel {
                (form(&wanted, game))
                p.status #status role="status" { strong { (count(found.count as u64, "game")) } " " (results(game, found.wdl)) }
                (moves(&wanted, game, position.as_ref(), &found))
            }
        }
        @if !found.games.is_empty() {
            @let here = wanted.address("/library", &wanted.position, wanted.page);
            (table(game, &found.games, visitor.trusted.then_some(here.as_str())))
        }
        nav.actions aria-label="Pages" {
            @if wanted.page > 0 { a.button href=(wanted.address("/library", &wanted.position, wanted.page - 1)) { "Previous games" } }
            @if wanted.page.saturating_add(1).saturating_mul(SHOWN) < found.count { a.button href=(wanted.address("/library", &wanted.position, wanted.page + 1)) { "More games" } }
            @if found.count > 0 { a.button href=(wanted.address("/library/games.csv", &wanted.position, 0)) data-plain {
                @if found.count > EXPORTED && !visitor.trusted { "The latest " (EXPORTED) " games as CSV" } @else { "Games as CSV" }
            } }
        }
        (add(game, found.count == 0))
    };
    Ok(shell("Library", "/library", body))
}

/// So many moves are named where only a few words are wanted.
const NAMED: usize = 4;

/// What the library knows of a position, in a few words; nothing if it never came up.
pub(crate) async fn reached(site: &Site, position: &AnyPosition) -> Result<Markup, Fault> {
    let game = position.game();
    let question = LibraryQuery {
        position: Some(position.clone()),
        limit: 0,
        ..LibraryQuery::new(game)
    };
    let found = site.store.library(question).await.map_err(fault)?;
    let text = position.to_string();
    let address = query(&[("game", game.name()), ("position", &text)]);
    let said = |known: &LibraryMove| {
        let [wins, draws, losses] = known.wdl;
        let mv = known.moves.first().map_or("", String::as_str);
        format!("{mv} {} (+{wins} ={draws} −{losses})", known.count)
    };
    let moves: Vec<String> = found.moves.iter().take(NAMED).map(said).collect();
    let first = game.side_name(Side::First);
    Ok(html! {
        @if found.count > 0 {
            p.reached {
                a href={ "/library" (address) } { (count(found.count as u64, "game")) " of the library reached this" }
                ", up to symmetry: " (results(game, found.wdl)) "."
                @if !moves.is_empty() { " Then " (moves.join(", ")) " for " (first) "." }
            }
        }
    })
}

/// The board, on which every move leads to the games that went on so.
fn walk(wanted: &Wanted, position: &AnyPosition, found: &LibraryFound) -> Markup {
    let values = found.moves.iter().filter_map(|known| {
        let value = draw::Value {
            text: known.count.to_string(),
            ..draw::Value::default()
        };
        Some((known.moves.first()?.clone(), value))
    });
    board::walk(
        position.scene(),
        "the position that is searched",
        position,
        values.collect(),
        |mv| after(wanted, position, mv),
    )
}

/// The address of the games that went on with a move.
fn after(wanted: &Wanted, position: &AnyPosition, mv: &str) -> String {
    let mut next = position.clone();
    match next.play(mv) {
        Ok(_) => wanted.address("/library", &next.to_string(), 0),
        Err(_) => "/library".into(),
    }
}

fn form(wanted: &Wanted, game: GameName) -> Markup {
    let line = |name: &str, label: &str, value: &str| {
        html! { label { span { (label) } input name=(name) value=(value) autocomplete="off" spellcheck="false"; } }
    };
    let openings = game.about().openings;
    let chosen = game.about().opening(&wanted.opening).ok();
    html! {
        form.card method="get" action="/library" {
            label { span { "Game" }
                select name="game" { @for g in GameName::all() { option value=(g) selected[g == game] { (g.about().title) } } }
            }
            (line("player", "Player", &wanted.player))
            (line("opponent", "Opponent", &wanted.opponent))
            (line("event", "Event", &wanted.event))
            (line("from", "From year", &wanted.from))
            (line("to", "To year", &wanted.to))
            @if !openings.is_empty() {
                label { span { "Opening" }
                    select name="opening" {
                        option value="" { "any" }
                        @for opening in openings { option value=(opening.name) selected[chosen == Some(opening)] { (opening.name) } }
                    }
                }
            }
            @if !wanted.position.is_empty() { input type="hidden" name="position" value=(wanted.position); }
            div.actions { button.primary { "Search" } a.button href="/library" { "Clear" } }
        }
    }
}

/// Who won how often.
fn results(game: GameName, [wins, draws, losses]: [usize; 3]) -> String {
    let [first, second] = Side::BOTH.map(|side| game.side_name(side));
    match wins + draws + losses {
        0 => String::new(),
        _ => format!("{first} won {wins}, drawn {draws}, {second} won {losses}"),
    }
}

/// What was played in the position.
fn moves(
    wanted: &Wanted,
    game: GameName,
    position: Option<&AnyPosition>,
    found: &LibraryFound,
) -> Markup {
    let [first, second] = Side::BOTH.map(|side| game.side_name(side));
    html! {
        @if let (Some(position), false) = (position, found.moves.is_empty()) {
            div.scroll tabindex="0" role="region" aria-label="What was played" {
                table {
                    thead { tr { th { "Move" } th.num { "Games" } th.num { (first) " won" } th.num { "Drawn" } th.num { (second) " won" } } }
                    tbody {
                        @for known in &found.moves {
                            tr {
                                th scope="row" {
                                    @for (i, mv) in known.moves.iter().enumerate() {
                                        @if i > 0 { ", " }
                                        a href=(after(wanted, position, mv)) { (mv) }
                                    }
                                }
                                td.num { (known.count) }
                                @for number in known.wdl { td.num { (number) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Games in a table; whoever may change them comes back to this address.
fn table(game: GameName, games: &[(i64, Recorded)], back: Option<&str>) -> Markup {
    let [first, second] = Side::BOTH.map(|side| game.side_name(side));
    html! {
        div.scroll tabindex="0" role="region" aria-label="Games" {
            table {
                thead { tr { th { "Year" } th { (first) } th { (second) } th { "Score" } th { "Event" } th { "Moves" } @if back.is_some() { th { "Change" } } } }
                tbody {
                    @for (number, recorded) in games {
                        tr {
                            td { (recorded.when()) }
                            td { (recorded.players[0]) }
                            td { (recorded.players[1]) }
                            td { @if recorded.score.is_empty() { (result(recorded)) } @else { (recorded.score) } }
                            td.wrap { (recorded.event) }
                            td { a href={ "/library/" (number) } { (start_of(&recorded.moves)) } }
                            @if let Some(back) = back {
                                td { a href=(change::address(*number, back)) aria-label={ "Tag or delete game " (number) ": " (recorded.title()) } { "Tag or delete" } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn result(recorded: &Recorded) -> &'static str {
    match recorded.result {
        Some(1) => "1–0",
        Some(0) => "½–½",
        Some(_) => "0–1",
        None => "–",
    }
}

/// The first moves of a game.
fn start_of(moves: &str) -> String {
    let words: Vec<&str> = moves.split_whitespace().collect();
    match words.len() {
        0..=8 => words.join(" "),
        _ => format!("{} …", words[..8].join(" ")),
    }
}

/// How games come in.
fn add(game: GameName, open: bool) -> Markup {
    html! {
        details.more open[open] {
            summary { "Add games" }
            form.card.narrow method="post" action="/library/import" enctype="multipart/form-data" {
                input type="hidden" name="game" value=(game);
                label { span { "Files" } input type="file" name="file" multiple required; }
                (change::tag_field("Tag, for games whose file names no event", ""))
                p.quiet { "WTHOR games (.wtb) together with the names of players and tournaments (.jou, .trn), or texts with a game on each line. Up to 32 MB; what is there already is not added again." }
                div.actions { button { "Add to the library" } }
            }
            p.quiet { "A whole folder: " code { "ludex library import FOLDER" } }
        }
    }
}

/// `POST /library/import`
async fn import(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    mut upload: Multipart,
) -> Result<Redirect, Fault> {
    let seat = site.receive(&visitor)?;
    let (mut files, mut names) = (Vec::new(), Vec::new());
    let (mut game, mut tag) = (GameName::default(), String::new());
    while let Some(field) = upload.next_field().await.map_err(Fault::upload)? {
        match field.name() {
            Some("game") => {
                let text = field.text().await.map_err(Fault::upload)?;
                game = text.parse().map_err(Fault::bad)?;
            }
            Some("tag") => {
                let text = field.text().await.map_err(Fault::upload)?;
                tag = change::tag_of(&text);
            }
            Some("file") => {
                names.push(field.file_name().unwrap_or("a file").to_string());
                files.push(field.bytes().await.map_err(Fault::upload)?.to_vec());
            }
            _ => {}
        }
    }
    if files.iter().all(Vec::is_empty) {
        return Err(Fault::bad("no file was chosen"));
    }
    let games = tokio::task::spawn_blocking(move || {
        let _seat = seat;
        game.read_library(&files)
    });
    let games = games.await.map_err(Fault::ours)?;
    let mut games = games.map_err(Fault::refused)?;
    for recorded in &mut games {
        recorded.name_event(&tag);
    }
    let source = names.join(", ");
    let added = site.store.add_to_library(game, &source, games).await;
    added.map_err(fault)?;
    Ok(Redirect::to(&format!("/library?game={game}")))
}

/// `GET /library/{number}`: opens a game in the analysis.
async fn one(State(site): State<Arc<Site>>, Path(number): Path<i64>) -> Result<Redirect, Fault> {
    let found = change::find(&site, number).await?;
    let transcript = found.recorded.transcript(found.game);
    let transcript = transcript.map_err(Fault::ours)?;
    Ok(Redirect::to(&Subject::from(transcript).address()))
}

/// `GET /library/games.csv`
async fn export(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Fault> {
    let most = match visitor.trusted {
        true => usize::MAX,
        false => EXPORTED,
    };
    let found = site.store.library(wanted.query(most)?).await;
    let text = output::csv::library(&found.map_err(fault)?);
    Ok(([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], text).into_response())
}

//! Solved games: variants of GIPF in which every position is known.

pub(crate) mod library;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, Redirect};
use axum::routing::get;
use draw::Tone;
use futures_util::{Stream, stream};
use games::AnyPosition;
use gipf::Position;
use gipf_engine::tables::{Table, Value};
use maud::{Markup, html};
use rules::Game;
use serde::Deserialize;

use crate::Site;
use crate::board;
use crate::fault::Fault;
use crate::page::shell;
use crate::query::query;

/// How often the progress of solving is reported.
const PACE: Duration = Duration::from_millis(500);

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/solved", get(list).post(solve))
        .route("/solved/events", get(events))
        .route("/solved/{variant}", get(show))
        .route("/solved/{variant}/random", get(random))
}

/// Does something with all tables. They are opened and searched off the request threads.
async fn tables<T: Send + 'static>(
    site: &Arc<Site>,
    work: impl FnOnce(&[Arc<Table>]) -> T + Send + 'static,
) -> Result<T, Fault> {
    let site = site.clone();
    tokio::task::spawn_blocking(move || work(&site.library.all(&site.config)))
        .await
        .map_err(Fault::ours)
}

/// Does something with the table of a variant, which is named as in an address: `2-3-5-5`.
async fn table<T: Send + 'static>(
    site: &Arc<Site>,
    variant: String,
    work: impl FnOnce(&Table) -> Result<T, Fault> + Send + 'static,
) -> Result<T, Fault> {
    tables(site, move |all| {
        let table = all.iter().find(|table| name(table) == variant);
        let table = table.ok_or_else(|| Fault::missing(format!("no table of {variant:?}")))?;
        work(table)
    })
    .await?
}

/// A table's variant as it stands in addresses.
fn name(table: &Table) -> String {
    library::name(&table.variant())
}

/// `W5`, `L4`, `D`.
fn short(value: Value) -> String {
    match value {
        Value::Win(distance) => format!("W{distance}"),
        Value::Loss(distance) => format!("L{distance}"),
        Value::Draw => "D".into(),
    }
}

/// The value in words, for a side.
fn words(value: Value) -> String {
    match value {
        Value::Win(1) => "wins in 1 ply".into(),
        Value::Loss(1) => "loses in 1 ply".into(),
        Value::Loss(0) => "has lost".into(),
        Value::Win(distance) => format!("wins in {distance} plies"),
        Value::Loss(distance) => format!("loses in {distance} plies"),
        Value::Draw => "neither side can force a win".into(),
    }
}

fn tag(value: Value) -> Markup {
    match value {
        Value::Win(_) => html! { span.tag.good { "win" } },
        Value::Loss(_) => html! { span.tag.bad { "loss" } },
        Value::Draw => html! { span.tag.mid { "draw" } },
    }
}

/// `GET /solved`
async fn list(State(site): State<Arc<Site>>) -> Result<Html<String>, Fault> {
    let rows = tables(&site, |all| html! { @for table in all { (row(table)) } }).await?;
    let body = html! {
        h1 { "Solved games" }
        p { "Variants of GIPF in which the value of every position that can arise is known, with the distance to the end." }
        div.scroll tabindex="0" role="region" aria-label="Solved variants" {
            table {
                thead { tr { th { "Variant (S K GW GB)" } th.num { "Positions" } th.num { "Longest, plies" } th { "From the start White" } } }
                tbody { (rows) }
            }
        }
        (more(&site))
        p.quiet { "Larger tables: " code { "ludex solve gipf 3 3 6 6" } " writes one, " code { "ludex serve --tables FOLDER" } " shows it." }
    };
    Ok(shell("Solved games", "/solved", body))
}

/// What could be solved, or is being solved.
fn more(site: &Site) -> Markup {
    let work = site.library.work();
    let busy = !work.variant.is_empty();
    html! {
        section data-events=[busy.then_some("/solved/events")] {
            div #part-work { (under_way(site)) }
            @if !busy {
                @for variant in site.library.offered(&site.config) {
                    form.actions method="post" action="/solved" {
                        button name="variant" value=(variant) { "Solve " (variant) " now" }
                    }
                }
            }
        }
    }
}

/// How far solving has come.
fn under_way(site: &Site) -> Markup {
    let work = site.library.work();
    let (done, total) = (work.progress.done(), work.progress.total());
    html! {
        @if let Some(problem) = &work.problem { p.problem role="alert" { (problem) } }
        @if !work.variant.is_empty() {
            p.status #status role="status" {
                strong { "Solving " (work.variant) "…" } " " (work.progress.stage())
                @if let Some(percent) = (100 * done).checked_div(total) { ", " (percent) " %" }
            }
        }
    }
}

/// What to solve.
#[derive(Deserialize)]
struct Chosen {
    variant: String,
}

/// `POST /solved`: solves a variant while the reader watches, or leaves.
async fn solve(
    State(site): State<Arc<Site>>,
    Form(chosen): Form<Chosen>,
) -> Result<Redirect, Fault> {
    let mut solving =
        tokio::task::spawn_blocking(move || site.library.solve(&site.config, &chosen.variant));
    // What is refused is refused at once; small ones are done at once too.
    match tokio::time::timeout(PACE, &mut solving).await {
        Ok(done) => done.map_err(Fault::ours)??,
        Err(_) => drop(solving),
    }
    Ok(Redirect::to("/solved"))
}

/// `GET /solved/events`
async fn events(
    State(site): State<Arc<Site>>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let stream = stream::unfold((site, false), |(site, over)| async move {
        if over {
            return None;
        }
        tokio::time::sleep(PACE).await;
        let over = site.library.work().variant.is_empty();
        let event = if over {
            Event::default().event("reload").data("solved")
        } else {
            let parts = serde_json::json!({ "part-work": under_way(&site).into_string() });
            Event::default().event("parts").data(parts.to_string())
        };
        Some((Ok(event), (site, over)))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

fn row(table: &Table) -> Markup {
    let value = table.value(&Position::start(table.variant()));
    html! {
        tr {
            th scope="row" { a href={ "/solved/" (name(table)) } { (table.variant()) } }
            td.num { (table.manifest().positions()) }
            td.num { (table.manifest().longest()) }
            td { @if let Some(value) = value { (tag(value)) " " (words(value)) } }
        }
    }
}

/// Which position is wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Look {
    position: String,
}

impl Look {
    /// The position, which must be one of the table, with its value.
    fn find(&self, table: &Table) -> Result<(Position, Value), Fault> {
        let position: Position = match self.position.as_str() {
            "" => Position::start(table.variant()),
            text => text.parse().map_err(Fault::bad)?,
        };
        let value = table.value(&position).or_else(|| over(&position));
        let value = value.filter(|_| position.variant() == table.variant());
        let value = value.ok_or_else(|| {
            Fault::refused("this position is not in the table: it cannot arise from the start")
        })?;
        Ok((position, value))
    }
}

/// `GET /solved/{variant}`
async fn show(
    State(site): State<Arc<Site>>,
    Path(variant): Path<String>,
    Query(look): Query<Look>,
) -> Result<Html<String>, Fault> {
    table(&site, variant, move |table| {
        let (position, value) = look.find(table)?;
        let body = view(table, &position, value);
        Ok(shell(&format!("GIPF {}", table.variant()), "/solved", body))
    })
    .await
}

/// The value of a game that is over.
fn over(position: &Position) -> Option<Value> {
    position.outcome().map(|_| Value::Loss(0))
}

fn view(table: &Table, position: &Position, value: Value) -> Markup {
    let base = format!("/solved/{}", name(table));
    let moves = table.moves(position);
    let best = moves.first().map(|&(_, value)| value.order());
    let mark = |value: Value| draw::Value {
        text: short(value),
        tone: match value {
            Value::Win(_) => Tone::Win,
            Value::Draw => Tone::Draw,
            Value::Loss(_) => Tone::Loss,
        },
        best: Some(value.order()) == best,
        exact: true,
    };
    let values = moves.iter();
    let values = values.map(|&(mv, value)| (position.move_text(mv), mark(value)));
    let after = |text: &str| {
        let mut next = *position;
        // The texts come from the position itself, so they are legal moves.
        if let Ok(mv) = next.parse_move(text) {
            next.play_unchecked(mv);
        }
        format!("{base}{}", query(&[("position", &next.to_string())]))
    };
    let any = AnyPosition::from(*position);
    let scene = any.scene();
    let notes = scene.notes.clone();
    let text = position.to_string();
    let pair = [("game", "gipf"), ("position", text.as_str())];
    let side = Position::side_name(position.side_to_move());
    let title = match value {
        Value::Draw => format!("{side} to move: {}", words(value)),
        Value::Win(_) | Value::Loss(_) => format!("{side} to move {}", words(value)),
    };
    html! {
        p { a href="/solved" { "← Solved games" } }
        div.columns {
            div.stage { (board::walk(scene, &title, &any, values.collect(), after)) }
            div.panel {
                h1 { "GIPF " (table.variant()) }
                p.status #status role="status" { (tag(value)) " " strong { (title) } }
                @for note in &notes { p.quiet { (note) } }
                nav.actions aria-label="Positions" {
                    a.button href=(base) { "Start" }
                    @for (kind, words) in KINDS { a.button href={ (base) "/random?kind=" (kind) } data-plain { (words) } }
                }
                div.scroll.values tabindex="0" role="region" aria-label="Moves with their values" {
                    table {
                        thead { tr { th { "Move" } th { "Value" } th { "For " (side) } } }
                        tbody {
                            @for &(mv, value) in &moves {
                                @let mv = position.move_text(mv);
                                tr {
                                    td { a href=(after(&mv)) { (mv) } }
                                    td { strong { (short(value)) } }
                                    td { (tag(value)) @if value != Value::Draw { " " (words(value)) } }
                                }
                            }
                            @if moves.is_empty() { tr { td colspan="3" { "The game is over." } } }
                        }
                    }
                }
                p.links {
                    a href={ "/play" (query(&pair)) } { "Play from here" } " · "
                    a href={ "/analyse/position" (query(&pair)) } { "Analyse" } " · "
                    a href={ "/edit" (query(&pair)) } { "Edit" } " · "
                    a href={ "/board.svg" (query(&pair)) } { "SVG" } " · "
                    a href={ "/board.png" (query(&pair)) } { "PNG" }
                }
                p { code.text { (text) } }
            }
        }
    }
}

/// Kinds of interesting positions: name, words.
const KINDS: [(&str, &str); 4] = [
    ("long", "A long win"),
    ("only", "One winning move"),
    ("draw", "A draw"),
    ("loss", "A lost position"),
];

/// What kind of position is wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Wanted {
    kind: String,
    seed: Option<u64>,
}

/// `GET /solved/{variant}/random`
async fn random(
    State(site): State<Arc<Site>>,
    Path(variant): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Redirect, Fault> {
    table(&site, variant, move |table| {
        let seed = wanted.seed.unwrap_or_else(rand::random);
        let found = find(table, &wanted.kind, seed)?;
        let found =
            found.ok_or_else(|| Fault::missing("there is no such position in this variant"))?;
        let address = query(&[("position", &found.to_string())]);
        Ok(Redirect::to(&format!("/solved/{}{address}", name(table))))
    })
    .await
}

/// A position of this kind.
fn find(table: &Table, kind: &str, seed: u64) -> Result<Option<Position>, Fault> {
    let longest = table.manifest().longest();
    Ok(match kind {
        "long" => table.sample(seed, |v| matches!(v, Value::Win(d) if d * 3 >= longest * 2)),
        "draw" => table.sample(seed, |v| v == Value::Draw),
        "loss" => table.sample(seed, |v| matches!(v, Value::Loss(d) if d > 0)),
        "only" => (0..200).find_map(|i| {
            let seed = seed.wrapping_add(i * 7919);
            let found = table.sample(seed, |v| matches!(v, Value::Win(d) if d > 1))?;
            let moves = table.moves(&found);
            let wins = moves.iter().filter(|(_, v)| matches!(v, Value::Win(_)));
            (wins.count() == 1).then_some(found)
        }),
        other => {
            let kinds: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
            let kinds = kinds.join(", ");
            return Err(Fault::bad(format!("kind {other:?} is none of {kinds}")));
        }
    })
}

/// What is known of every variant, for programs.
pub(crate) async fn describe_all(site: &Arc<Site>) -> Result<serde_json::Value, Fault> {
    tables(site, |all| {
        let table = |table: &Arc<Table>| {
            let value = table.value(&Position::start(table.variant()));
            serde_json::json!({
                "name": name(table),
                "variant": table.variant().to_string(),
                "positions": table.manifest().positions(),
                "longest": table.manifest().longest(),
                "value": value.map(short),
            })
        };
        all.iter().map(table).collect()
    })
    .await
}

/// What is known of a position, for programs.
pub(crate) async fn describe(
    site: &Arc<Site>,
    variant: String,
    position: String,
) -> Result<serde_json::Value, Fault> {
    table(site, variant, move |table| {
        let (position, value) = Look { position }.find(table)?;
        let moves: Vec<serde_json::Value> = table
            .moves(&position)
            .iter()
            .map(|&(mv, value)| {
                serde_json::json!({ "move": position.move_text(mv), "value": short(value) })
            })
            .collect();
        Ok(serde_json::json!({
            "position": position.to_string(),
            "side": Position::side_name(position.side_to_move()),
            "value": short(value),
            "moves": moves,
        }))
    })
    .await
}

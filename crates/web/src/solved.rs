//! Solved games: variants of GIPF in which every position is known.

use std::path::Path as FilePath;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::{Html, Redirect};
use axum::routing::get;
use draw::{Drawable, Tone};
use gipf::{Position, Variant};
use gipf_engine::tables::{Progress, Settings, Table, Value, solve};
use maud::{Markup, html};
use rules::Game;
use serde::Deserialize;

use crate::Site;
use crate::board;
use crate::fault::Fault;
use crate::page::shell;
use crate::query::query;

/// What is solved on the spot when the owner has no tables: a moment's work each.
const SMALL: [&str; 3] = ["2 3 5 5", "2 2 5 5", "2 3 7 7"];

/// The tables, opened when somebody first asks.
#[derive(Default)]
pub(crate) struct Library(OnceLock<Vec<Table>>);

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Library")
    }
}

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/solved", get(list))
        .route("/solved/{number}", get(show))
        .route("/solved/{number}/random", get(random))
}

/// All tables; opening or solving them is kept off the request threads.
async fn tables(site: &Arc<Site>) -> Result<(), Fault> {
    let site = site.clone();
    tokio::task::spawn_blocking(move || {
        site.library.0.get_or_init(|| open(&site.config.tables));
    })
    .await
    .map_err(Fault::ours)
}

/// Opens every table in the owner's folders, and makes the small ones.
fn open(folders: &[std::path::PathBuf]) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for folder in folders {
        tables.extend(Table::open(folder).ok());
        let inner = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut inner: Vec<_> = inner.map(|entry| entry.path()).collect();
        inner.sort();
        tables.extend(inner.iter().filter_map(|path| Table::open(path).ok()));
    }
    let own = std::env::temp_dir().join(format!("ludex-tables-{}", std::process::id()));
    for text in SMALL {
        let known = tables
            .iter()
            .any(|table| table.variant().to_string() == text);
        if let (Ok(variant), false) = (text.parse(), known) {
            tables.extend(make(variant, &own.join(text.replace(' ', "-"))));
        }
    }
    // The files stay readable while they are open.
    let _ = std::fs::remove_dir_all(&own);
    tables
}

fn make(variant: Variant, folder: &FilePath) -> Option<Table> {
    let settings = Settings {
        threads: 1,
        memory: 256 << 20,
        resume: false,
    };
    solve(
        variant,
        folder,
        settings,
        &AtomicBool::new(false),
        &Progress::default(),
    )
    .ok()?;
    Table::open(folder).ok()
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
        Value::Win(distance) => format!("wins in {distance} half-moves"),
        Value::Loss(distance) => format!("loses in {distance} half-moves"),
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
    tables(&site).await?;
    let all = site.library.0.get().map(Vec::as_slice).unwrap_or_default();
    let body = html! {
        h1 { "Solved games" }
        p { "Variants of GIPF in which the value of every position that can arise is known, with the distance to the end." }
        div.scroll tabindex="0" role="region" aria-label="Solved variants" {
            table {
                thead { tr { th { "Variant (S K GW GB)" } th.num { "Positions" } th.num { "Longest, half-moves" } th { "From the start White" } } }
                tbody {
                    @for (number, table) in all.iter().enumerate() {
                        @let start = Position::start(table.variant());
                        tr {
                            th scope="row" { a href={ "/solved/" (number) } { (table.variant()) } }
                            td.num { (table.manifest().positions()) }
                            td.num { (table.manifest().longest()) }
                            td { @if let Some(value) = table.value(&start) { (tag(value)) " " (words(value)) } }
                        }
                    }
                }
            }
        }
        p.quiet { "Larger tables: solve a variant with ludex table, then start the server with --tables FOLDER." }
    };
    Ok(shell("Solved games", "/solved", body))
}

/// Which position is wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Look {
    position: String,
}

/// `GET /solved/{number}`
async fn show(
    State(site): State<Arc<Site>>,
    Path(number): Path<usize>,
    Query(look): Query<Look>,
) -> Result<Html<String>, Fault> {
    tables(&site).await?;
    let table = find(&site, number)?;
    let position: Position = match look.position.as_str() {
        "" => Position::start(table.variant()),
        text => text.parse().map_err(Fault::bad)?,
    };
    let Some(value) = table.value(&position).or_else(|| over(&position)) else {
        return Err(Fault::refused(
            "this position is not in the table: it cannot arise from the start",
        ));
    };
    let body = view(table, number, &position, value);
    Ok(shell(&format!("GIPF {}", table.variant()), "/solved", body))
}

fn find(site: &Site, number: usize) -> Result<&Table, Fault> {
    let all = site.library.0.get().map(Vec::as_slice).unwrap_or_default();
    all.get(number)
        .ok_or_else(|| Fault::missing(format!("there is no table {number}")))
}

/// The value of a game that is over.
fn over(position: &Position) -> Option<Value> {
    position.outcome().map(|_| Value::Loss(0))
}

fn view(table: &Table, number: usize, position: &Position, value: Value) -> Markup {
    let moves = table.moves(position);
    let best = moves.first().map(|&(_, value)| value.order());
    let mut scene = position.scene();
    for &(mv, value) in &moves {
        let mut stroke = position.trace(mv).stroke;
        stroke.value = Some(draw::Value {
            text: short(value),
            tone: match value {
                _ if Some(value.order()) == best => Tone::Best,
                Value::Loss(_) => Tone::Bad,
                Value::Draw => Tone::Plain,
                Value::Win(_) => Tone::Worse,
            },
            exact: true,
        });
        scene.marks.strokes.push(stroke);
    }
    let after = |mv: gipf::Move| {
        let mut next = *position;
        next.play_unchecked(mv);
        format!(
            "/solved/{number}{}",
            query(&[("position", &next.to_string())])
        )
    };
    let text = position.to_string();
    let pair = [("game", "gipf"), ("position", text.as_str())];
    let side = Position::side_name(position.side_to_move());
    html! {
        p { a href="/solved" { "← Solved games" } }
        div.columns {
            div.stage { (board::picture(&scene, &format!("{side} to move, {}", words(value)))) }
            div.panel {
                h1 { "GIPF " (table.variant()) }
                p.status #status role="status" { (tag(value)) " " strong { (side) " to move " (words(value)) } }
                @for note in &scene.notes { p.quiet { (note) } }
                div.actions {
                    a.button href={ "/solved/" (number) } { "Start" }
                    a.button href={ "/solved/" (number) "/random?kind=long" } data-plain { "A long win" }
                    a.button href={ "/solved/" (number) "/random?kind=only" } data-plain { "One winning move" }
                    a.button href={ "/solved/" (number) "/random?kind=draw" } data-plain { "A draw" }
                    a.button href={ "/solved/" (number) "/random?kind=loss" } data-plain { "A lost position" }
                }
                div.scroll tabindex="0" role="region" aria-label="Moves with their values" {
                    table {
                        thead { tr { th { "Move" } th { "Value" } th { "For " (side) } } }
                        tbody {
                            @for &(mv, value) in &moves {
                                tr {
                                    td { a href=(after(mv)) { (position.move_text(mv)) } }
                                    td { strong { (short(value)) } }
                                    td { (tag(value)) " " (words(value)) }
                                }
                            }
                            @if moves.is_empty() { tr { td colspan="3" { "The game is over." } } }
                        }
                    }
                }
                p.links {
                    a href={ "/play" (query(&pair)) } { "Play from here" } " · "
                    a href={ "/edit" (query(&pair)) } { "Edit" } " · "
                    a href={ "/board.svg" (query(&pair)) } { "SVG" }
                }
                p { code.text { (text) } }
            }
        }
    }
}

/// What kind of position is wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Kind {
    kind: String,
    seed: Option<u64>,
}

/// `GET /solved/{number}/random`
async fn random(
    State(site): State<Arc<Site>>,
    Path(number): Path<usize>,
    Query(kind): Query<Kind>,
) -> Result<Redirect, Fault> {
    tables(&site).await?;
    let table = find(&site, number)?;
    let seed = kind.seed.unwrap_or_else(rand::random);
    let longest = table.manifest().longest();
    let found = match kind.kind.as_str() {
        "long" => table.sample(seed, |v| matches!(v, Value::Win(d) if d * 3 >= longest * 2)),
        "draw" => table.sample(seed, |v| v == Value::Draw),
        "loss" => table.sample(seed, |v| matches!(v, Value::Loss(d) if d > 0)),
        "only" => (0..200).find_map(|i| {
            let found = table.sample(
                seed.wrapping_add(i * 7919),
                |v| matches!(v, Value::Win(d) if d > 1),
            )?;
            let wins = table
                .moves(&found)
                .iter()
                .filter(|(_, v)| matches!(v, Value::Win(_)))
                .count();
            (wins == 1).then_some(found)
        }),
        other => {
            return Err(Fault::bad(format!(
                "kind {other:?} is not long, only, draw or loss"
            )));
        }
    };
    let found = found.ok_or_else(|| Fault::missing("there is no such position in this variant"))?;
    let address = query(&[("position", &found.to_string())]);
    Ok(Redirect::to(&format!("/solved/{number}{address}")))
}

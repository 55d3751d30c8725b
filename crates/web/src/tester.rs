//! The tester: a registered program against one of four algorithms.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, State};
use axum::response::sse::{Event, Sse};
use axum::response::{Html, Redirect};
use axum::routing::get;
use futures_util::Stream;
use games::{GameName, Kind};
use maud::{Markup, html};
use referee::PlayerSpec;
use serde::Deserialize;
use tournament::{GameFilter, RawConfig};

use crate::Site;
use crate::board;
use crate::fault::Fault;
use crate::page::shell;
use crate::tournaments::create::begin;
use crate::tournaments::news::news;
use crate::tournaments::{fault, view};

/// The algorithms, weakest first.
const ALGORITHMS: [(&str, &str); 4] = [
    ("random", "Random: any legal move"),
    ("greedy", "Greedy: the best after one move"),
    ("minimax:3", "Minimax: three plies ahead"),
    ("alphabeta:300ms", "Alpha-beta: as deep as it gets in 0.3 s"),
];

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/tester", get(form).post(start))
        .route("/tester/{id}", get(show))
        .route("/tester/{id}/events", get(events))
}

/// The game that a program plays.
pub(crate) fn game_of(program: &PlayerSpec) -> Option<GameName> {
    GameName::all().find(|&game| program.kind.plays(game))
}

/// `GET /tester`
async fn form(State(site): State<Arc<Site>>) -> Html<String> {
    let body = html! {
        div.narrow {
            h1 { "The tester" }
            p { "Lets a program play two games against an algorithm, once moving first and once second, and says exactly what it did wrong." }
            @if site.config.programs.is_empty() {
                p.problem { "No program is registered. Write a file and start the server with it:" }
                pre tabindex="0" { "[[program]]\nname = \"mine\"\nkind = \"argv\"          # or " (Kind::programs().skip(1).collect::<Vec<_>>().join(", ")) "\ncommand = \"./mine\"\n\nludex serve --programs programs.toml" }
            } @else {
                form.card method="post" action="/tester" data-plain {
                    label { span { "Program" }
                        select name="program" {
                            @for (number, program) in site.config.programs.iter().enumerate() {
                                option value=(number) { (program.name) @if let Some(game) = game_of(program) { " (" (game.about().title) ")" } }
                            }
                        }
                    }
                    fieldset.checks {
                        legend { "Against" }
                        @for (i, (name, words)) in ALGORITHMS.iter().enumerate() {
                            label { input type="radio" name="algorithm" value=(name) checked[i == 0]; " " (words) }
                        }
                    }
                    div.actions { button.primary { "Start" } }
                }
            }
        }
    };
    shell("Tester", "/tester", body)
}

/// What was chosen.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chosen {
    program: usize,
    algorithm: String,
}

/// `POST /tester`
async fn start(
    State(site): State<Arc<Site>>,
    Form(chosen): Form<Chosen>,
) -> Result<Redirect, Fault> {
    let id = begin_test(&site, &chosen).await?;
    Ok(Redirect::to(&format!("/tester/{id}")))
}

/// Starts a test; returns the id of its tournament.
pub(crate) async fn begin_test(site: &Site, chosen: &Chosen) -> Result<String, Fault> {
    let program = site.config.programs.get(chosen.program);
    let program =
        program.ok_or_else(|| Fault::bad(format!("there is no program {}", chosen.program)))?;
    let game = game_of(program).ok_or_else(|| Fault::bad("the program plays no game"))?;
    let algorithm = &chosen.algorithm;
    if !ALGORITHMS.iter().any(|(name, _)| name == algorithm) {
        return Err(Fault::bad(format!("there is no algorithm {algorithm:?}")));
    }
    let bot = PlayerSpec::bot(algorithm.parse().map_err(Fault::bad)?);
    let name = format!("Test of {} against {algorithm}", program.name);
    let mut config = RawConfig::new(name, game, vec![program.clone(), bot]);
    config.seed = rand::random::<u32>().into();
    begin(site, config.try_into().map_err(Fault::refused)?).await
}

/// `GET /tester/{id}`
async fn show(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Html<String>, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    let events = site
        .runs
        .is_running(&id)
        .then(|| format!("/tester/{id}/events"));
    let body = html! {
        div data-events=[events] {
            h1 { (row.name) }
            div #part-test { (progress(&site, &id).await?) }
            p.links { a href="/tester" { "Another test" } " · " a href={ "/tournaments/" (id) } { "All about it" } }
        }
    };
    Ok(shell(&row.name, "/tester", body))
}

/// The running game, and the verdict on those that are over.
async fn progress(site: &Site, id: &str) -> Result<Markup, Fault> {
    // Asked for first: what ends meanwhile is not taken for one that was stopped.
    let going = site.runs.is_running(id);
    let row = &site.store.tournament(id).await.map_err(fault)?;
    let run = site.runs.find(&row.id);
    let running = run
        .as_ref()
        .map(|run| run.live.running())
        .unwrap_or_default();
    let games = site
        .store
        .games(&row.id, &GameFilter::default())
        .await
        .map_err(fault)?;
    let faults = site
        .store
        .faults(&row.id, Some(0), 20)
        .await
        .map_err(fault)?;
    let standings = site.store.standings(&row.id).await.map_err(fault)?;
    Ok(html! {
        p.status #status role="status" {
            @if going { strong { "Playing…" } }
            @else if !row.finished { span.tag { "stopped" } " " strong { "Stopped after " (row.played) " of " (row.planned) " games: there is no verdict yet." } }
            @else if faults.is_empty() { span.tag.good { "no fault" } " " strong { "The program kept to the rules." } }
            @else { span.tag.bad { "faults" } " " strong { "The program did something wrong: see below." } }
            @if let Some(line) = standings.of(0) { " Points: " (line.points()) " of " (standings.played) }
        }
        @if let Some(problem) = run.and_then(|run| run.problem()) { p.problem role="alert" { (problem) } }
        @for game in &running {
            div.stage {
                @if let Some(scene) = view::last_scene(row.game, game) { (board::picture(&scene, "the running game")) }
                p { (row.players[game.first].name) " – " (row.players[game.second].name) ", move " (game.moves.len()) }
            }
        }
        @if let Some(first) = faults.first() {
            h2 { @if row.finished { "Verdict" } @else { "So far" } }
            p.problem { "Turn " (first.turn.turn) ": " strong { (first.text) } }
            (view::faults(row, &faults))
        }
        @if !games.is_empty() { h2 { "Games" } (view::games(row, &games)) }
    })
}

/// `GET /tester/{id}/events`
async fn events(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    news(site, id, |site, row| async move {
        let part = progress(&site, &row.id).await?.into_string();
        Ok(serde_json::json!({ "part-test": part }))
    })
    .await
}

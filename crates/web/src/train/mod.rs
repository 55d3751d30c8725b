//! Training: positions of mistakes as puzzles against the strongest player.

mod course;
mod judge;
mod view;

use std::sync::Arc;

use ::review::Suite;
use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use maud::html;
use serde::Deserialize;

use crate::Site;
use crate::board::{self, Arrived, Entered, Sent, Steps};
use crate::fault::Fault;
use crate::page::shell;
use crate::review::Shown;
use crate::review::source::Source;
pub(crate) use course::Training;
use course::{Progress, State as Stand};

/// So many trainings are listed.
const LISTED: u32 = 50;

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/train", get(list).post(paste))
        .route("/train/{id}", get(overview))
        .route("/train/{id}/{number}", get(puzzle))
        .route("/train/{id}/{number}/move", post(enter))
        .route("/train/{id}/{number}/again", post(again))
        .route("/review/{kind}/{id}/train", post(of_review))
}

/// `GET /train`
async fn list(State(site): State<Arc<Site>>) -> Result<Html<String>, Fault> {
    page(&site, "", None).await
}

async fn page(site: &Site, text: &str, problem: Option<&str>) -> Result<Html<String>, Fault> {
    let trainings = Training::latest(site, LISTED).await?;
    let body = html! {
        div.narrow {
            h1 { "Train on mistakes" }
            p { "Each position of a proven mistake is a puzzle: find a move that keeps the value, then hold it against the strongest player. Begin from the review of a game, from the page of a player of a tournament, or with positions from a file." }
            @if !trainings.is_empty() {
                h2 { "Trainings" }
                ul.games {
                    @for training in &trainings {
                        li { a href={ "/train/" (training.id) } { (training.title) } " " span.quiet { (training.solved()) " of " (training.progress.len()) " solved" } }
                    }
                }
            }
            h2 { "Positions from a file" }
            form.card method="post" action="/train" data-plain {
                @if let Some(problem) = problem { p.problem role="alert" { (problem) } }
                label { span { "Positions" }
                    textarea name="suite" rows="7" required spellcheck="false" placeholder="what ludex review --export has written" { (text) }
                }
                div.actions { button.primary { "Train" } }
            }
        }
    };
    Ok(shell("Train on mistakes", "/analyse", body))
}

/// Positions in a form.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Pasted {
    suite: String,
}

/// `POST /train`
async fn paste(
    State(site): State<Arc<Site>>,
    Form(pasted): Form<Pasted>,
) -> Result<Response, Fault> {
    let suite = match pasted.suite.parse::<Suite>() {
        Ok(suite) if !suite.cases.is_empty() => suite,
        found => {
            let problem = match found {
                Ok(_) => "there are no positions".into(),
                Err(error) => format!("line {error}"),
            };
            let page = page(&site, &pasted.suite, Some(&problem)).await?;
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
        }
    };
    let title = format!("{}, positions from a file", suite.game.about().title);
    let training = Training::create(&site, &title, "", suite).await?;
    Ok(Redirect::to(&format!("/train/{}", training.id)).into_response())
}

/// `POST /review/{kind}/{id}/train`
async fn of_review(
    State(site): State<Arc<Site>>,
    Path((kind, id)): Path<(String, String)>,
) -> Result<Redirect, Fault> {
    let source = Source::parse(&kind, &id)?;
    let shown = Shown::of(&site, &source).await?;
    let suite = shown.suite()?;
    let training = Training::create(&site, shown.title(), &source.address(), suite).await?;
    Ok(Redirect::to(&format!("/train/{}", training.id)))
}

/// `GET /train/{id}`
async fn overview(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Html<String>, Fault> {
    let training = Training::find(&site, &id).await?;
    let body = view::overview(&training, &training.suite()?.cases);
    Ok(shell(&training.title, "/analyse", body))
}

/// `GET /train/{id}/{number}`
async fn puzzle(
    State(site): State<Arc<Site>>,
    Path((id, number)): Path<(String, usize)>,
    Query(steps): Query<Steps>,
) -> Result<Html<String>, Fault> {
    let training = Training::find(&site, &id).await?;
    draw(&training, number, &steps, None)
}

/// The page of a position.
fn draw(
    training: &Training,
    number: usize,
    steps: &Steps,
    notice: Option<&str>,
) -> Result<Html<String>, Fault> {
    let suite = training.suite()?;
    let number = place(training, number)?;
    let case = &suite.cases[number];
    let positions = course::positions(case, &training.progress[number].line)?;
    let puzzle = view::Puzzle {
        training,
        case,
        number,
        positions: &positions,
        picks: &steps.in_position(&positions[positions.len() - 1]),
        notice,
    };
    let body = puzzle.body().map_err(Fault::refused)?;
    Ok(shell(&training.title, "/analyse", body))
}

/// The place of a position from its number, which counts from 1.
fn place(training: &Training, number: usize) -> Result<usize, Fault> {
    let count = training.progress.len();
    let place = number.checked_sub(1).filter(|&place| place < count);
    place.ok_or_else(|| Fault::missing(format!("there are {count} positions, not {number}")))
}

/// `POST /train/{id}/{number}/move`
async fn enter(
    State(site): State<Arc<Site>>,
    Path((id, number)): Path<(String, usize)>,
    Form(sent): Form<Sent>,
) -> Result<Response, Fault> {
    let training = Training::find(&site, &id).await?;
    let suite = training.suite()?;
    let at = place(&training, number)?;
    let case = &suite.cases[at];
    let address = format!("/train/{id}/{number}");
    if training.progress[at].state != Stand::Open {
        return Ok(Redirect::to(&address).into_response());
    }
    let line = &training.progress[at].line;
    let positions = course::positions(case, line)?;
    let position = &positions[positions.len() - 1];
    let refusal = |steps: &Steps, reason: &str| {
        let page = draw(&training, number, steps, Some(reason))?;
        Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
    };
    let mv = match sent.read(&positions, line) {
        Arrived::Now(Ok(Entered::Move(mv))) => mv,
        Arrived::Now(Ok(Entered::More(picks))) => {
            let address = format!("{address}{}", Steps::query(position, &picks));
            return Ok(Redirect::to(&address).into_response());
        }
        Arrived::Now(Err(reason)) => return refusal(&sent.steps(), &reason),
        Arrived::Before => return Ok(Redirect::to(&address).into_response()),
        Arrived::Late => return refusal(&Steps::default(), board::LATE),
    };
    if let Err(error) = position.clone().play(&mv) {
        return refusal(&sent.steps(), &error.to_string());
    }
    let before = &training.progress[at];
    let mut progress = before.clone();
    judge::play(&site, case, &mut progress, &mv).await?;
    // A try that has gone on or begun anew meanwhile stays as it is.
    let change = |now: &mut Progress| {
        if now == before {
            *now = progress;
        }
    };
    Training::change(&site, &id, at, change).await?;
    Ok(Redirect::to(&address).into_response())
}

/// `POST /train/{id}/{number}/again`
async fn again(
    State(site): State<Arc<Site>>,
    Path((id, number)): Path<(String, usize)>,
) -> Result<Redirect, Fault> {
    let at = place(&Training::find(&site, &id).await?, number)?;
    Training::change(&site, &id, at, Progress::again).await?;
    Ok(Redirect::to(&format!("/train/{id}/{number}")))
}

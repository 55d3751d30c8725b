//! The board editor. Its whole state is the address, so it works by links alone.

use std::collections::BTreeMap;

use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use games::{AnyPosition, GameName, Sketch, Values};
use maud::{Markup, html};
use serde::Deserialize;

use crate::board;
use crate::fault::Fault;
use crate::page::{capital, shell};
use crate::query::query;

/// What the address says.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Wanted {
    game: String,
    position: String,
    brush: String,
    /// What is to be set beside the board, by the names of its fields.
    #[serde(flatten)]
    fields: BTreeMap<String, String>,
}

/// `GET /edit`
pub(crate) async fn edit(Query(wanted): Query<Wanted>) -> Result<Response, Fault> {
    let game: GameName = if wanted.game.is_empty() {
        GameName::default()
    } else {
        wanted.game.parse().map_err(Fault::bad)?
    };
    // Short forms, such as `start` or a variant alone, are spelt out.
    let text = match AnyPosition::parse(game, &wanted.position) {
        Ok(position) => position.to_string(),
        Err(_) if wanted.position.trim().is_empty() => AnyPosition::start(game).to_string(),
        Err(_) => wanted.position.clone(),
    };
    // What cannot even be drawn stays in the box, beside the usual board.
    let (mut sketch, status) = match game.sketch(&text) {
        Ok(sketch) => (sketch, StatusCode::OK),
        Err(error) => {
            let usual = game.sketch(&game.start().to_string());
            (usual.map_err(Fault::ours)?, Fault::bad(error).status)
        }
    };
    let brush = wanted.brush.chars().next();
    let brush = brush
        .filter(|c| sketch.brushes().contains(c))
        .or(sketch.brushes().first().copied())
        .unwrap_or('-');
    if status == StatusCode::OK && !wanted.fields.is_empty() {
        for (label, value) in &wanted.fields {
            sketch.set(label, value.trim()).map_err(Fault::bad)?;
        }
        let address = address(game, &sketch.text(), brush);
        return Ok(Redirect::to(&address).into_response());
    }
    let problem = match AnyPosition::parse(game, &text) {
        Err(error) => Some(format!("Not a position yet: {error}")),
        Ok(position) => position.outcome().map(|outcome| {
            let end = position.announce(outcome);
            format!("There is nothing to play here, the game is over: {end}")
        }),
    };
    let body = view(&sketch, &text, brush, problem)?;
    Ok((status, shell("Board editor", "/play", body)).into_response())
}

/// The address of the editor with this text and this in the hand.
fn address(game: GameName, text: &str, brush: char) -> String {
    let brush = brush.to_string();
    let pairs = [("game", game.name()), ("position", text), ("brush", &brush)];
    format!("/edit{}", query(&pairs))
}

fn view(
    sketch: &Sketch,
    text: &str,
    brush: char,
    problem: Option<String>,
) -> Result<Markup, Fault> {
    let game = sketch.game();
    let scene = sketch.scene().map_err(Fault::bad)?;
    let address = |text: &str, brush: char| address(game, text, brush);
    let link = |spot: usize| {
        let changed = sketch.with(spot, brush)?;
        let label = format!("{}: put {}", scene.describe(spot), sketch.meaning(brush));
        Some((address(&changed, brush), label))
    };
    let pair = [("game", game.name()), ("position", text)];
    Ok(html! {
        h1 { "Board editor" }
        nav.tabs aria-label="Games" {
            @for g in GameName::all() {
                a href=(format!("/edit?game={g}")) aria-current=[(g == game).then_some("page")] { (g.about().title) }
            }
        }
        div.columns {
            div.stage { (board::links(&scene, "board editor", link)) }
            div.panel {
                p.status #status role="status" { strong { (sketch.to_move()) " to move" } }
                @if !sketch.brushes().is_empty() {
                    h2 { "Put on the board" }
                    nav.tabs aria-label="What to put" {
                        @for letter in sketch.brushes() {
                            a href=(address(&sketch.text(), letter)) aria-current=[(letter == brush).then_some("true")] { (capital(&sketch.meaning(letter))) }
                        }
                    }
                    p.quiet { "Choose a place to put it there; choose it again to clear it." }
                }
                form.card method="get" action="/edit" {
                    input type="hidden" name="game" value=(game);
                    input type="hidden" name="brush" value=(brush);
                    label { span { "Position" } textarea name="position" rows="3" spellcheck="false" { (text) } }
                    div.actions {
                        button { "Set up" }
                        @if let Some(turned) = sketch.turned() { a.button href=(address(&turned, brush)) { "Other side to move" } }
                        @if let Some(cleared) = sketch.cleared() { a.button href=(address(&cleared, brush)) { "Clear" } }
                        a.button href={ "/edit?game=" (game) } { "Usual start" }
                    }
                }
                (fields(sketch, brush))
                @if let Some(problem) = &problem {
                    p.problem role="alert" { (problem) }
                } @else {
                    div.actions {
                        a.button.primary href={ "/play" (query(&pair)) } { "Play from here" }
                        a.button href={ "/analyse/position" (query(&pair)) } { "Analyse" }
                        a.button href={ "/board.svg" (query(&pair)) } { "SVG" }
                        a.button href={ "/board.png" (query(&pair)) } { "PNG" }
                    }
                }
            }
        }
    })
}

/// What can be set beside the board.
fn fields(sketch: &Sketch, brush: char) -> Markup {
    let mut fields = sketch.fields().peekable();
    html! {
        @if fields.peek().is_some() {
            form.card.long-labels method="get" action="/edit" {
                input type="hidden" name="game" value=(sketch.game());
                input type="hidden" name="position" value=(sketch.text());
                input type="hidden" name="brush" value=(brush);
                @for (field, value) in fields {
                    label { span { (field.label) }
                        @match field.values {
                            Values::Number => { input type="number" name=(field.label) value=(value) min="0" required; }
                            Values::Of(all) => {
                                select name=(field.label) {
                                    @for (known, words) in all { option value=(known) selected[*known == value] { (words) } }
                                }
                            }
                        }
                    }
                }
                div.actions { button { "Set beside the board" } }
            }
        }
    }
}

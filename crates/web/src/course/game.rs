//! One game: moves and result for everybody, evidence of faults for whoever made them and staff.

use axum::extract::{Path, Query};
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use course::{OpenCourse, Person};
use draw::Scene;
use games::AnyPosition;
use maud::{Markup, html};
use referee::MoveRecord;
use serde::Deserialize;

use super::guard::Member;
use super::seen::{Seen, Turn};
use super::view;
use super::view::Names;
use crate::board;
use crate::fault::Fault;

/// Where in the game.
#[derive(Deserialize)]
pub(super) struct At {
    at: Option<usize>,
}

/// The board after so many turns.
fn scene(seen: &Seen, turns: &[Turn], at: usize) -> Option<Scene> {
    let Some(turn) = at.checked_sub(1).and_then(|index| turns.get(index)) else {
        return Some(AnyPosition::parse(seen.game, &seen.start).ok()?.scene());
    };
    match &turn.mv {
        Some(mv) => turn.before.scene_after(mv).ok(),
        None => Some(turn.position.scene()),
    }
}

/// `GET /g/{id}`
pub(super) async fn show(
    member: Member,
    Path(id): Path<i64>,
    Query(query): Query<At>,
) -> Result<Html<String>, Fault> {
    member
        .aside(move |open_course, person| {
            let seen = Seen::usual(open_course, person, id)?;
            page(open_course, person, &format!("Game {id}"), &seen, query.at)
        })
        .await
}

/// `GET /f/{id}`: a game of a final.
pub(super) async fn show_final(
    member: Member,
    Path(id): Path<String>,
    Query(query): Query<At>,
) -> Result<Html<String>, Fault> {
    let handle = tokio::runtime::Handle::current();
    member
        .aside(move |open_course, person| {
            let seen = final_game(&handle, open_course, person, &id)?;
            let title = format!("Game of {}", seen.purpose);
            page(open_course, person, &title, &seen, query.at)
        })
        .await
}

fn final_game(
    handle: &tokio::runtime::Handle,
    open_course: &OpenCourse,
    person: &Person,
    id: &str,
) -> Result<Seen, Fault> {
    let found = handle.block_on(open_course.final_game(id))?;
    let (game, record) = found.ok_or_else(|| Fault::missing("there is no such game"))?;
    Seen::of_final(open_course, person, game, record)
}

fn page(
    open_course: &OpenCourse,
    person: &Person,
    title: &str,
    seen: &Seen,
    at: Option<usize>,
) -> Result<Html<String>, Fault> {
    let names = Names::for_reader(open_course, person)?;
    let sides = [
        names.side(open_course, &seen.players[0])?,
        names.side(open_course, &seen.players[1])?,
    ];
    let turns = seen.turns();
    let last = turns.len();
    let at = at.unwrap_or(last).min(last);
    let base = &seen.address;
    let body = html! {
        p { a href=(seen.back) { "← Back" } }
        div.columns {
            div.stage {
                @if let Some(scene) = scene(seen, &turns, at) { (board::picture(&scene, title)) }
                (board::turns_nav(base, at, last))
            }
            div.panel {
                h1 { (sides[0]) " – " (sides[1]) }
                p.status #status role="status" { strong { (view::result(seen.half_points)) } " " (seen.ending()) }
                p.quiet { "Played for: " (seen.purpose) ". Over at " (view::time(seen.at)) "." }
                div.scroll.turns tabindex="0" role="region" aria-label="Turns" {
                    ol { @for (index, turn) in turns.iter().enumerate() {
                        li aria-current=[(index + 1 == at).then_some("true")] {
                            a href={ (base) "?at=" (index + 1) } { @match &turn.mv { Some(mv) => (mv), None if turn.lost => "fault", None => "—" } }
                        }
                    } }
                }
            }
        }
        @for turn in seen.faults() { (evidence(seen, turn, &sides)) }
    };
    Ok(view::page(open_course, Some(person), title, "/", body))
}

/// All about one fault.
fn evidence(seen: &Seen, turn: &MoveRecord, sides: &[String; 2]) -> Markup {
    html! {
        section.card {
            h2 { "Fault in turn " (turn.ply) }
            p { "Of " (sides[turn.side.index()]) ": " strong { (turn.verdict) } }
            @if !turn.input.args.is_empty() { h3 { "Arguments" } pre tabindex="0" { (turn.input.args.join(" ")) } }
            @if let Some(stdin) = &turn.input.stdin { h3 { "Standard input" } pre tabindex="0" { (stdin) } }
            @if let Some(file) = &turn.input.file { h3 { "matrix.txt" } pre tabindex="0" { (file) } }
            h3 { "Answer" }
            @if turn.answer.is_empty() { p { "Nothing." } } @else { pre tabindex="0" { (turn.answer) } }
            @if !turn.stderr.is_empty() { h3 { "Standard error" } pre tabindex="0" { (turn.stderr) } }
            p { "To ask your program again at home, save " a href={ (seen.address) "/record.json" } { "the record" } " beside it, then: " code { "ludex replay " (seen.file) " --move " (turn.ply) } }
        }
    }
}

/// `GET /g/{id}/record.json`
pub(super) async fn record(member: Member, Path(id): Path<i64>) -> Result<Response, Fault> {
    member
        .aside(move |open_course, person| saved(Seen::usual(open_course, person, id)?))
        .await
}

/// `GET /f/{id}/record.json`
pub(super) async fn final_record(
    member: Member,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    let handle = tokio::runtime::Handle::current();
    member
        .aside(move |open_course, person| saved(final_game(&handle, open_course, person, &id)?))
        .await
}

/// A record to save.
fn saved(seen: Seen) -> Result<Response, Fault> {
    let name = format!("attachment; filename=\"{}\"", seen.file);
    let text = serde_json::to_string_pretty(&seen.record()?).map_err(Fault::ours)?;
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_string()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

//! One game: moves and result for everybody, evidence of faults for whoever made them and staff.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use course::store::GameRow;
use course::{Office, Person};
use draw::Scene;
use games::{AnyPosition, GameName};
use maud::{Markup, html};
use referee::{GameRecord, MoveRecord};
use serde::Deserialize;

use super::guard::Who;
use super::view::{Names, team_of};
use super::{CourseSite, aside, assignment, view};
use crate::board;
use crate::fault::Fault;

/// Where in the game.
#[derive(Deserialize)]
pub(super) struct At {
    at: Option<usize>,
}

/// A game with what this reader may see of it.
struct Seen {
    row: GameRow,
    game: GameName,
    /// Whether the reader may see what each player was asked and answered.
    own: [bool; 2],
    /// The record, if somebody made a fault.
    record: Option<GameRecord>,
}

fn find(office: &Office, reader: &Person, id: i64) -> Result<Seen, Fault> {
    let missing = || Fault::missing("there is no such game");
    let row = office.store.game(id)?.ok_or_else(missing)?;
    let assignment = assignment::find(office, &row.assignment)?;
    let game = assignment.play.ok_or_else(missing)?.game;
    let mut own = [false; 2];
    for (seat, side) in row.players.iter().enumerate() {
        let team = team_of(office, side)?;
        own[seat] = reader.is_staff() || team == Some(reader.team);
    }
    let record = match row.faults {
        [0, 0] => None,
        _ => office.store.record(id)?,
    };
    Ok(Seen {
        row,
        game,
        own,
        record,
    })
}

/// A position of a game, and the move that led to it.
struct Turn {
    mv: Option<String>,
    lost: bool,
    position: AnyPosition,
    before: AnyPosition,
}

impl Seen {
    /// Every turn: from the record where turns were lost, from the moves elsewhere.
    fn turns(&self) -> Vec<Turn> {
        let parse = |text: &str| AnyPosition::parse(self.game, text).ok();
        let Some(mut position) = parse(&self.row.start) else {
            return Vec::new();
        };
        let mut turns = Vec::new();
        match &self.record {
            Some(record) => {
                for (index, turn) in record.moves.iter().enumerate() {
                    let after = record.moves.get(index + 1);
                    let after = after.map_or(record.end.as_str(), |next| &next.position);
                    let (Some(before), Some(after)) = (parse(&turn.position), parse(after)) else {
                        return turns;
                    };
                    let lost = !turn.verdict.is_ok();
                    turns.push(Turn {
                        mv: turn.mv.clone().filter(|_| !lost),
                        lost,
                        position: after,
                        before,
                    });
                }
            }
            None => {
                for mv in &self.row.moves {
                    let before = position.clone();
                    if position.play(mv).is_err() {
                        return turns;
                    }
                    turns.push(Turn {
                        mv: Some(mv.clone()),
                        lost: false,
                        position: position.clone(),
                        before,
                    });
                }
            }
        }
        turns
    }

    /// Why the game ended. What somebody else's program answered is not told.
    fn ending(&self) -> String {
        let foreign = (0..2).any(|seat| self.row.faults[seat] > 0 && !self.own[seat]);
        match foreign {
            true => "with a fault".into(),
            false => self.row.ending.clone(),
        }
    }

    /// The faults that the reader may see, by seat.
    fn faults(&self) -> Vec<&MoveRecord> {
        let turns = self.record.iter().flat_map(|record| &record.moves);
        let visible = |turn: &&MoveRecord| turn.verdict.is_fault() && self.own[turn.side.index()];
        turns.filter(visible).collect()
    }
}

/// The board after so many turns.
fn scene(seen: &Seen, turns: &[Turn], at: usize) -> Option<Scene> {
    let Some(turn) = at.checked_sub(1).and_then(|index| turns.get(index)) else {
        return Some(AnyPosition::parse(seen.game, &seen.row.start).ok()?.scene());
    };
    match &turn.mv {
        Some(mv) => turn.before.scene_after(mv).ok(),
        None => Some(turn.position.scene()),
    }
}

/// `GET /g/{id}`
pub(super) async fn show(
    State(site): State<Arc<CourseSite>>,
    Extension(who): Extension<Who>,
    Path(id): Path<i64>,
    Query(query): Query<At>,
) -> Result<Html<String>, Fault> {
    let person = who.person()?;
    let office = Arc::clone(&site.office);
    aside(move || {
        let seen = find(&office, &person, id)?;
        let names = Names::for_reader(&office, &person)?;
        let sides = [
            names.side(&office, &seen.row.players[0])?,
            names.side(&office, &seen.row.players[1])?,
        ];
        let turns = seen.turns();
        let last = turns.len();
        let at = query.at.unwrap_or(last).min(last);
        let base = format!("/g/{id}");
        let title = format!("Game {id}");
        let body = html! {
            p { a href={ "/a/" (seen.row.assignment) "/ladder" } { "← Ladder" } }
            div.columns {
                div.stage {
                    @if let Some(scene) = scene(&seen, &turns, at) { (board::picture(&scene, &title)) }
                    nav.steps aria-label="Through the game" {
                        a.button href={ (base) "?at=0" } aria-label="first position" { "«" }
                        a.button href={ (base) "?at=" (at.saturating_sub(1)) } aria-label="one turn back" data-key="ArrowLeft" { "‹" }
                        span.quiet { (at) " / " (last) }
                        a.button href={ (base) "?at=" ((at + 1).min(last)) } aria-label="one turn on" data-key="ArrowRight" { "›" }
                        a.button href={ (base) "?at=" (last) } aria-label="last position" { "»" }
                    }
                }
                div.panel {
                    h1 { (sides[0]) " – " (sides[1]) }
                    p.status #status role="status" { strong { (view::result(&seen.row)) } " " (seen.ending()) }
                    p.quiet { "A game for the " (seen.row.purpose) ", over at " (view::time(seen.row.at)) "." }
                    div.scroll.turns tabindex="0" role="region" aria-label="Turns" {
                        ol { @for (index, turn) in turns.iter().enumerate() {
                            li aria-current=[(index + 1 == at).then_some("true")] {
                                a href={ (base) "?at=" (index + 1) } { @match &turn.mv { Some(mv) => (mv), None if turn.lost => "fault", None => "—" } }
                            }
                        } }
                    }
                }
            }
            @for turn in seen.faults() { (evidence(&seen, turn, &sides)) }
        };
        Ok(view::page(&office, Some(&person), &title, "/", body))
    })
    .await
}

/// All about one fault.
fn evidence(seen: &Seen, turn: &MoveRecord, sides: &[String; 2]) -> Markup {
    let id = seen.row.id;
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
            p { "To ask your program again at home, save " a href={ "/g/" (id) "/record.json" } { "the record" } " beside it, then: " code { "ludex replay game-" (id) ".json --move " (turn.ply) } }
        }
    }
}

/// `GET /g/{id}/record.json`: the record, without what belongs to somebody else.
pub(super) async fn record(
    State(site): State<Arc<CourseSite>>,
    Extension(who): Extension<Who>,
    Path(id): Path<i64>,
) -> Result<Response, Fault> {
    let person = who.person()?;
    let office = Arc::clone(&site.office);
    aside(move || {
        let mut seen = find(&office, &person, id)?;
        if seen.own == [false; 2] {
            let status = axum::http::StatusCode::FORBIDDEN;
            return Err(Fault::new(status, "this is not yours"));
        }
        let record = seen.record.take();
        let mut record = record.ok_or_else(|| {
            Fault::missing("records are kept of games in which somebody made a fault")
        })?;
        for (seat, player) in record.players.iter_mut().enumerate() {
            // Where it stands on the server is nobody's business.
            player.folder = None;
            player.read = Vec::new();
            if !seen.own[seat] && player.kind.is_program() {
                player.command = referee::CommandLine(vec!["./other".into()]);
            }
        }
        for turn in &mut record.moves {
            if !seen.own[turn.side.index()] {
                turn.input = referee::Input::default();
                turn.answer = referee::Blob::default();
                turn.stderr = referee::Blob::default();
            }
        }
        if (0..2).any(|seat| seen.row.faults[seat] > 0 && !seen.own[seat]) {
            // Verdicts quote answers.
            record
                .moves
                .retain(|turn| seen.own[turn.side.index()] || !turn.verdict.is_fault());
            record.ending = referee::Ending::Rules;
        }
        let name = format!("attachment; filename=\"game-{id}.json\"");
        let text = serde_json::to_string_pretty(&record).map_err(Fault::ours)?;
        let headers = [
            (header::CONTENT_TYPE, "application/json".to_string()),
            (header::CONTENT_DISPOSITION, name),
        ];
        Ok((headers, text).into_response())
    })
    .await
}

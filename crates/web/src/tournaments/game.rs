//! One game of a tournament, to replay.

use axum::response::Html;
use draw::Scene;
use games::AnyPosition;
use maud::{Markup, html};
use referee::{GameRecord, MoveRecord};
use tournament::{GameRow, TournamentRow};

use super::view;
use crate::analyse::values::words;
use crate::board;
use crate::page::shell;
use crate::query::query;

/// The page of a game; `at` is the number of turns that have been made.
pub(super) fn page(
    tournament: &TournamentRow,
    game: &GameRow,
    record: &GameRecord,
    at: usize,
) -> Html<String> {
    let base = format!("/tournaments/{}/games/{}", tournament.id, game.id);
    let shown = at.checked_sub(1).and_then(|i| record.moves.get(i));
    let last = record.moves.len();
    let title = format!("{} – {}", record.players[0].name, record.players[1].name);
    let position = record
        .moves
        .get(at)
        .map_or(record.end.as_str(), |turn| &turn.position);
    let pair = [("game", record.game.name()), ("position", position)];
    let body = html! {
        p { a href={ "/tournaments/" (tournament.id) } { "← " (tournament.name) } }
        div.columns {
            div.stage {
                @if let Some(scene) = scene(record, at) { (board::picture(&scene, &title)) }
                nav.steps aria-label="Through the game" {
                    a.button href={ (base) "?at=0" } aria-label="first position" { "«" }
                    a.button href={ (base) "?at=" (at.saturating_sub(1)) } aria-label="one turn back" data-key="ArrowLeft" { "‹" }
                    span.quiet { (at) " / " (last) }
                    a.button href={ (base) "?at=" ((at + 1).min(last)) } aria-label="one turn on" data-key="ArrowRight" { "›" }
                    a.button href={ (base) "?at=" (last) } aria-label="last position" { "»" }
                }
                @if let Some(turn) = shown { (turn_details(record, turn)) }
            }
            div.panel {
                h1 { (view::player(tournament, game.first)) " – " (view::player(tournament, game.second)) }
                p.status #status role="status" { strong { (view::result(game)) } " " (record.ending) }
                (turns(record, &base, at))
                p.links {
                    a href={ "/analyse/position" (query(&pair)) } { "Analyse this position" } " · "
                    a href={ "/tournaments/" (tournament.id) "/games/" (game.id) "/record.json" } { "Record (JSON)" }
                }
            }
        }
    };
    shell(&title, "/tournaments", body)
}

/// The board after so many turns.
fn scene(record: &GameRecord, at: usize) -> Option<Scene> {
    let game = record.game;
    if let Some(turn) = at.checked_sub(1).and_then(|i| record.moves.get(i))
        && let (Some(mv), true) = (&turn.mv, turn.verdict.is_ok())
    {
        let before = AnyPosition::parse(game, &turn.position).ok()?;
        return before.scene_after(mv).ok();
    }
    let text = record
        .moves
        .get(at)
        .map_or(&record.end, |turn| &turn.position);
    Some(AnyPosition::parse(game, text).ok()?.scene())
}

/// The turns with their times.
fn turns(record: &GameRecord, base: &str, at: usize) -> Markup {
    html! {
        div.scroll.turns tabindex="0" role="region" aria-label="Turns" {
            table {
                thead { tr { th.num { "Turn" } th { "Move" } th.num { "Wall" } th.num { "Processor" } th.num { "Memory" } th { "Verdict" } } }
                tbody {
                    @for (i, turn) in record.moves.iter().enumerate() {
                        tr aria-current=[(i + 1 == at).then_some("true")] {
                            td.num { (turn.ply) }
                            td { a href={ (base) "?at=" (i + 1) } { span class={ "chip small " (record.game) " s" (turn.side.index()) } aria-hidden="true" {} " " (turn.mv.as_deref().unwrap_or("—")) } }
                            td.num { (turn.wall) }
                            td.num { (turn.cpu) }
                            td.num { @if turn.memory.0 == 0 { "–" } @else { (turn.memory) } }
                            td.brief title=(turn.verdict) { @if turn.verdict.is_ok() { (turn.verdict) } @else { span.tag.bad { "fault" } " " (turn.verdict) } }
                        }
                    }
                }
            }
        }
    }
}

/// What the program was given and what it said.
fn turn_details(record: &GameRecord, turn: &MoveRecord) -> Markup {
    let player = &record.players[turn.side.index()];
    html! {
        section.card {
            h2 { "Turn " (turn.ply) ": " (player.name) }
            p { "Verdict: " strong { (turn.verdict) } }
            @if !turn.input.args.is_empty() { h3 { "Arguments" } pre tabindex="0" { (turn.input.args.join(" ")) } }
            @if let Some(stdin) = &turn.input.stdin { h3 { "Standard input" } pre tabindex="0" { (stdin) } }
            @if let Some(file) = &turn.input.file { h3 { "matrix.txt" } pre tabindex="0" { (file) } }
            @if !turn.answer.is_empty() { h3 { "Answer" } pre tabindex="0" { (turn.answer) } }
            @if !turn.stderr.is_empty() { h3 { "Standard error" } pre tabindex="0" { (turn.stderr) } }
            @if let Some(value) = turn.value { p.quiet { "Its own estimate: " (words(&record.game.about().scale, value)) } }
        }
    }
}

//! One game of a tournament, to replay.

use axum::response::Html;
use draw::Scene;
use games::AnyPosition;
use maud::{Markup, html};
use referee::{GameRecord, Kind, MoveRecord};
use rules::Side;
use search::Score;
use tournament::{GameRow, TournamentRow};

use super::view;
use crate::analyse::subject::Subject;
use crate::board;
use crate::page::shell;
use crate::query::query;
use crate::review::Shown;

/// The page of a game; `at` is the number of turns that have been made, `replay` the command that
/// asks a program again, without the number of the turn.
pub(super) fn page(
    tournament: &TournamentRow,
    game: &GameRow,
    record: &GameRecord,
    review: &Shown,
    at: usize,
    replay: &str,
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
                (board::turns_nav(&base, at, last))
                @if let Some(turn) = shown { (turn_details(record, turn, &again(replay, turn))) }
            }
            div.panel {
                h1 { (view::player(tournament, game.first)) " – " (view::player(tournament, game.second)) }
                p.status #status role="status" { strong { (view::result(game)) } " " (record.ending) }
                @for turn in faults(record) {
                    p { "Turn " (turn.ply) " of " (record.players[turn.side.index()].name) " was a fault. To ask the program again: " code { (again(replay, turn)) } }
                }
                (turns(record, &base, at))
                p.links {
                    a.button href={ (subject(record).address()) "&at=" (moves_made(record, at)) } { "Analyse the whole game" } " "
                    a href={ "/analyse/position" (query(&pair)) } { "Analyse this position" } " · "
                    a href={ "/tournaments/" (tournament.id) "/games/" (game.id) "/record.json" } { "Record (JSON)" }
                }
                section.card {
                    h2 { a href={ "/review/tournament/" (game.id) } { "Review" } }
                    (review.section())
                }
            }
        }
    };
    shell(&title, "/tournaments", body)
}

/// The last fault of each program that made one.
fn faults(record: &GameRecord) -> Vec<&MoveRecord> {
    let of = |side: Side| {
        let mut turns = record.moves.iter().rev();
        turns.find(|turn| turn.side == side.into() && turn.verdict.is_fault())
    };
    let mut faults: Vec<&MoveRecord> = Side::BOTH.into_iter().filter_map(of).collect();
    faults.retain(|turn| record.players[turn.side.index()].kind != Kind::Bot);
    faults
}

/// The command that asks a program again for one of its moves.
fn again(replay: &str, turn: &MoveRecord) -> String {
    format!("{replay} --move {}", turn.ply)
}

/// The game as it can be analysed. A lost turn may be no legal move: then the game begins after
/// the last one.
pub(crate) fn subject(record: &GameRecord) -> Subject {
    transcript(record, record.moves.len())
}

/// How many moves of [`subject`] have been made after so many turns.
fn moves_made(record: &GameRecord, turns: usize) -> usize {
    let (made, whole) = (transcript(record, turns), subject(record));
    match made.start == whole.start {
        true => made.moves.len(),
        false => 0,
    }
}

/// The first turns of a record as a game.
fn transcript(record: &GameRecord, turns: usize) -> Subject {
    let [first, second] = [0, 1].map(|side: usize| record.players[side].name.as_str());
    let mut subject = Subject {
        game: record.game,
        start: record.start.clone(),
        moves: Vec::new(),
        title: format!("{first} – {second}"),
    };
    let Ok(mut position) = AnyPosition::parse(record.game, &record.start) else {
        return subject;
    };
    for turn in &record.moves[..turns] {
        // Nobody is asked for a pass.
        while position.text() != turn.position
            && let Some(pass) = position.only_pass()
            && position.play(&pass).is_ok()
        {
            subject.moves.push(pass);
        }
        if position.text() != turn.position {
            let Ok(next) = AnyPosition::parse(record.game, &turn.position) else {
                return subject;
            };
            position = next;
            subject.start = turn.position.clone();
            subject.moves.clear();
        }
        if let (true, Some(mv)) = (turn.verdict.is_ok(), &turn.mv)
            && let Ok(mv) = position.play(mv)
        {
            subject.moves.push(mv);
        }
    }
    subject
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
fn turn_details(record: &GameRecord, turn: &MoveRecord, replay: &str) -> Markup {
    let player = &record.players[turn.side.index()];
    html! {
        section.card {
            h2 { "Turn " (turn.ply) ": " (player.name) }
            p { "Verdict: " strong { (turn.verdict) } }
            @if player.kind != Kind::Bot { p { "To ask the program again: " code { (replay) } } }
            @if !turn.input.args.is_empty() { h3 { "Arguments" } pre tabindex="0" { (turn.input.args.join(" ")) } }
            @if let Some(stdin) = &turn.input.stdin { h3 { "Standard input" } pre tabindex="0" { (stdin) } }
            @if let Some(file) = &turn.input.file { h3 { "matrix.txt" } pre tabindex="0" { (file) } }
            @if !turn.answer.is_empty() { h3 { "Answer" } pre tabindex="0" { (turn.answer) } }
            @if !turn.stderr.is_empty() { h3 { "Standard error" } pre tabindex="0" { (turn.stderr) } }
            @if let Some(value) = turn.value { p.quiet { "Its own estimate: " (record.game.about().scale.words(Score::claimed(value))) } }
        }
    }
}

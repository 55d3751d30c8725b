//! What solvers have proven about the games of a tournament.

use maud::{Markup, html};
use review::{Conversion, Mistake, MoveWorth, Review};
use tournament::output::table::{conversion_columns, conversion_row};
use tournament::{Conversions, TournamentRow};

use super::view;

/// The review of a game beside its board: the turning point, then every mistake.
pub(super) fn section(game: &str, base: &str, review: Option<&Review>) -> Markup {
    let Some(review) = review else {
        return html! {
            section.card #review {
                h2 { "Review" }
                p.quiet { "Not reviewed yet. Solvers find its proven mistakes with " code { "ludex review " (game) } "." }
            }
        };
    };
    html! {
        section.card #review {
            h2 { "Review" }
            p { strong { (review.summary) } }
            p.quiet { (review.coverage) }
            @for mistake in review.real_mistakes() { (one_mistake(game, base, mistake)) }
        }
    }
}

fn one_mistake(game: &str, base: &str, mistake: &Mistake) -> Markup {
    html! {
        h3 { a href={ (base) "?at=" (mistake.index + 1) } { "Turn " (mistake.turn) ": " (mistake.played) } }
        p { (mistake.player) ": " (mistake.cost()) }
        dl {
            @if !mistake.kept.is_empty() { dt { "Kept the value" } dd { (moves(&mistake.kept)) } }
            @if !mistake.open.is_empty() { dt { "Not proven" } dd { (mistake.open.join(", ")) } }
            @if !mistake.refutation.is_empty() { dt { "Then" } dd { (mistake.refutation.join(" ")) } }
            @if let Some(left) = mistake.left { dt { "Time left" } dd { (left) } }
        }
        @if mistake.is_program { p { code { "ludex replay " (game) " --move " (mistake.turn) } } }
    }
}

/// `g8 (win by 6), h2 (win by 2)`.
fn moves(list: &[MoveWorth]) -> String {
    let words = list
        .iter()
        .map(|MoveWorth { mv, proof }| format!("{mv} ({proof})"));
    words.collect::<Vec<_>>().join(", ")
}

/// What the players made of won positions; nothing as long as no game is reviewed.
pub(super) fn conversion(row: &TournamentRow, all: &Conversions) -> Markup {
    if all.reviewed == 0 {
        return html! {};
    }
    html! {
        h2 { "Conversion" }
        p { (all.headline()) }
        div.scroll tabindex="0" role="region" aria-label="Conversion" { table {
            thead { tr { @for (i, name) in conversion_columns().iter().enumerate() { th.num[i > 0] { (name) } } } }
            tbody { @for (number, player) in all.players.iter().enumerate() { tr {
                @for (i, cell) in conversion_row(player).iter().enumerate() {
                    @if i == 0 { td { (view::player(row, number)) } } @else { td.num { (cell) } }
                }
            } } }
        } }
    }
}

/// The most expensive mistakes of a player.
pub(super) fn of_player(row: &TournamentRow, sum: &Conversion) -> Markup {
    if sum.games == 0 {
        return html! {};
    }
    let link =
        |game: &str, index: usize| format!("/tournaments/{}/games/{game}?at={}", row.id, index + 1);
    html! {
        h2 { "Proven mistakes" }
        p { (sum.headline()) ", " (sum.coverage) }
        p.quiet { "Won positions given by opponents: " (sum.given) ", given back: " (sum.given_back) "." }
        @if !sum.costliest.is_empty() {
            div.scroll tabindex="0" role="region" aria-label="Proven mistakes" { table {
                thead { tr { th { "Game" } th.num { "Turn" } th { "Move" } th { "Cost" } th { "Kept the value" } th { "Against" } } }
                tbody { @for costly in &sum.costliest { tr {
                    td { a href=(link(&costly.game, costly.mistake.index)) { (view::short(row, &costly.game)) } }
                    td.num { (costly.mistake.turn) }
                    td { (costly.mistake.played) }
                    td { (costly.mistake.cost()) }
                    td { (moves(&costly.mistake.kept)) }
                    td { (costly.opponent) }
                } } }
            } }
        }
    }
}

//! The first page.

use axum::response::Html;
use bots::{AnyPosition, GameName};
use maud::html;

use crate::board;
use crate::page::{capital, shell};

/// What a game is, in a sentence.
fn about(game: GameName) -> &'static str {
    match game.name() {
        "reversi" => "Enclose the other side's discs and turn them over. Also called Othello.",
        "gipf" => "Push stones in from the rim, make rows, take them back before they run out.",
        "mmpawns" => "Pawns that only go forward, on a field with holes. First across wins.",
        _ => "",
    }
}

/// `GET /`
pub(crate) async fn home() -> Html<String> {
    let body = html! {
        section.hero {
            h1 { "Board games to play, analyse and solve" }
            p { "Play a bot of any strength, see what every move is worth, let programs meet in a tournament." }
        }
        ul.tiles {
            @for &game in GameName::ALL {
                @let name = capital(game.name());
                li.tile {
                    a href={ "/play?game=" (game) } {
                        (board::picture(&board::scene(&AnyPosition::random_start(game, 7)), &format!("a board of {name}")))
                        h2 { (name) }
                    }
                    p { (about(game)) }
                }
            }
        }
        ul.parts {
            li { a href="/analyse" { "Analyse" } " a game or a position: values on every move, mistakes and their price." }
            li { a href="/tournaments" { "Tournaments" } " between bots and programs, with ratings and every game to replay." }
            li { a href="/solved" { "Solved games" } ": walk through GIPF variants in which every position is known." }
            li { a href="/tester" { "The tester" } " lets a program play against one of four algorithms and says what it did wrong." }
        }
    };
    shell("Home", "/", body)
}

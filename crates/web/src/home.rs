//! The first page.

use axum::response::Html;
use games::GameName;
use maud::html;

use crate::board;
use crate::page::shell;

/// `GET /`
pub(crate) async fn home() -> Html<String> {
    let body = html! {
        section.hero {
            h1 { "Board games to play, analyse and solve" }
            p { "Play a bot of any strength, see what every move is worth, let programs meet in a tournament." }
        }
        ul.tiles {
            @for game in GameName::all() {
                @let about = game.about();
                li.tile {
                    a href={ "/play?game=" (game) } {
                        (board::picture(&game.random_start(7).scene(), &format!("a board of {}", about.title)))
                        h2 { (about.title) }
                    }
                    p { (about.summary) }
                }
            }
        }
        ul.parts {
            li { a href="/analyse" { "Analyse" } " a game or a position: values on every move, mistakes and their price." }
            li { a href="/tournaments" { "Tournaments" } " between bots and programs, with ratings and every game to replay." }
            @for solved in GameName::all().filter_map(|game| game.about().solved) {
                li { a href="/solved" { "Solved games" } ": walk through " (solved) "." }
            }
            li { a href="/tester" { "The tester" } " lets a program play against one of four algorithms and says what it did wrong." }
        }
    };
    shell("Home", "/", body)
}

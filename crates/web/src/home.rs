//! The first page.

use axum::response::Html;
use games::GameName;
use maud::html;

use crate::board;
use crate::page::shell;

/// Where somebody who comes for the first time goes on.
struct Door {
    who: &'static str,
    what: &'static str,
    address: &'static str,
}

const DOORS: [Door; 4] = [
    Door {
        who: "I play",
        what: "Eight levels, from first steps to the strongest player there is, or a friend by link.",
        address: "/play",
    },
    Door {
        who: "I write a program",
        what: "Students: let it play against four algorithms, and read what it did wrong.",
        address: "/tester",
    },
    Door {
        who: "I teach",
        what: "Let the programs of a class meet, within limits, with ratings and every game to replay.",
        address: "/tournaments",
    },
    Door {
        who: "I do research",
        what: "What every move of a game or a position is worth, with proofs where there are any.",
        address: "/analyse",
    },
];

/// The titles of all games: `Reversi, GIPF and MMPawns`.
fn games() -> String {
    let mut titles: Vec<&str> = GameName::all().map(|game| game.about().title).collect();
    match titles.pop() {
        Some(last) if !titles.is_empty() => format!("{} and {last}", titles.join(", ")),
        last => last.unwrap_or_default().into(),
    }
}

/// `GET /`
pub(crate) async fn home() -> Html<String> {
    let body = html! {
        section.hero {
            h1 { "Board games to play, analyse and solve" }
            p { (games()) ": for people who play, learn, teach or study them." }
        }
        ul.doors aria-label="For whom" {
            @for door in DOORS {
                li { a href=(door.address) { strong { (door.who) } span { (door.what) } } }
            }
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
            li { a href="/learn" { "Learn" } " the rules of a game in ten small steps, each a position to solve." }
            li { a href="/library" { "The library" } " of games, searched by player, event, year, opening and position." }
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

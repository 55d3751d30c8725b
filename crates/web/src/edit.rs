//! The board editor. Its whole state is the address, so it works by links alone.

use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::Html;
use bots::{AnyPosition, GameName};
use draw::{Ground, Kind, Layout, Scene};
use maud::{Markup, html};
use rules::Side;
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
}

/// The text of a position while it is being changed: it need not be a position yet.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Sketch {
    game: GameName,
    /// The words beside the board, in order.
    words: Vec<String>,
    /// The board: one character a place.
    cells: Vec<char>,
    /// How long its rows are; empty if they are not parted.
    rows: Vec<usize>,
}

impl Sketch {
    /// Takes the one-line text of a position apart.
    fn read(game: GameName, text: &str) -> Result<Sketch, Fault> {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        let place = if game == GameName::Reversi {
            0
        } else {
            words.len().saturating_sub(1)
        };
        if words.is_empty() {
            return Err(Fault::bad("the position is empty"));
        }
        let text = words.remove(place);
        let rows = text.split('/').map(|row| row.chars().count()).collect();
        let cells = text.chars().filter(|&c| c != '/').collect();
        let sketch = Sketch {
            game,
            words,
            cells,
            rows,
        };
        let wanted = sketch
            .layout()?
            .spots
            .iter()
            .filter(|s| s.kind != Kind::Dot)
            .count();
        if sketch.cells.len() != wanted {
            let found = sketch.cells.len();
            return Err(Fault::bad(format!(
                "{found} places on the board, not {wanted}"
            )));
        }
        Ok(sketch)
    }

    fn layout(&self) -> Result<Layout, Fault> {
        Ok(match self.game {
            GameName::Reversi => Layout::squares(Ground::Cloth),
            GameName::Mmpawns => Layout::squares(Ground::Field),
            GameName::Gipf => {
                let size = self.words.first().and_then(|word| word.parse().ok());
                let size = size
                    .filter(|size| (2..=7).contains(size))
                    .ok_or_else(|| Fault::bad("the board size is not between 2 and 7"))?;
                Layout::hexagon(size)
            }
        })
    }

    /// The characters of a board: first side, second side, empty, and no field.
    fn letters(&self) -> &'static str {
        match self.game {
            GameName::Reversi => "XO-",
            GameName::Gipf => "WB_",
            GameName::Mmpawns => "AB-*",
        }
    }

    fn scene(&self) -> Result<Scene, Fault> {
        let mut layout = self.layout()?;
        let letters: Vec<char> = self.letters().chars().collect();
        let mut cells = self.cells.iter();
        let mut pieces = Vec::new();
        for spot in &mut layout.spots {
            if spot.kind == Kind::Dot {
                pieces.push(None);
                continue;
            }
            let cell = cells.next().copied();
            if cell == Some('*') {
                spot.kind = Kind::Hole;
            }
            let side = |side: &Side| cell == Some(letters[side.index()]);
            pieces.push(Side::BOTH.into_iter().find(side));
        }
        let names = Side::BOTH.map(|side| self.game.side_name(side));
        Ok(Scene::new(layout, pieces, names))
    }

    /// The text with this character on a place; the same one again clears it.
    fn with(&self, cell: usize, brush: char) -> String {
        let mut changed = self.clone();
        let empty = self.letters().chars().nth(2).unwrap_or('-');
        let old = changed.cells[cell];
        changed.cells[cell] = if old == brush { empty } else { brush };
        changed.text()
    }

    /// Whose turn it is.
    fn to_move(&self) -> &'static str {
        let place = if self.game == GameName::Gipf { 6 } else { 0 };
        let first = self.letters().get(..1);
        let side = match self.words.get(place) {
            Some(word) if Some(word.as_str()) == first => Side::First,
            _ => Side::Second,
        };
        self.game.side_name(side)
    }

    /// The same with the other side to move.
    fn turned(&self) -> String {
        let mut changed = self.clone();
        let letters: Vec<String> = self.letters().chars().map(String::from).collect();
        let place = if self.game == GameName::Gipf { 6 } else { 0 };
        if let Some(word) = changed.words.get_mut(place) {
            *word = letters[usize::from(*word == letters[0])].clone();
        }
        // The number of the half-move tells the side too.
        if self.game == GameName::Mmpawns && changed.words.len() == 2 {
            changed.words[1] = if changed.words[0] == "A" { "1" } else { "2" }.into();
        }
        changed.text()
    }

    fn cleared(&self) -> String {
        let mut changed = self.clone();
        let empty = self.letters().chars().nth(2).unwrap_or('-');
        changed.cells.fill(empty);
        changed.text()
    }

    /// The one-line text; stones not on a GIPF board are in reserve.
    fn text(&self) -> String {
        let mut board = String::new();
        let mut cells = self.cells.iter();
        for (number, &length) in self.rows.iter().enumerate() {
            if number > 0 {
                board.push('/');
            }
            board.extend(cells.by_ref().take(length));
        }
        let mut words = self.words.clone();
        if self.game == GameName::Gipf && words.len() == 7 {
            for (side, letter) in ['W', 'B'].into_iter().enumerate() {
                let all: usize = words[2 + side].parse().unwrap_or(0);
                let placed = self.cells.iter().filter(|&&c| c == letter).count();
                words[4 + side] = all.saturating_sub(placed).to_string();
            }
        }
        if self.game == GameName::Reversi {
            words.insert(0, board);
        } else {
            words.push(board);
        }
        words.join(" ")
    }
}

/// `GET /edit`
pub(crate) async fn edit(
    Query(wanted): Query<Wanted>,
) -> Result<(StatusCode, Html<String>), Fault> {
    let game: GameName = if wanted.game.is_empty() {
        GameName::Reversi
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
    let (sketch, status) = match Sketch::read(game, &text) {
        Ok(sketch) => (sketch, StatusCode::OK),
        Err(fault) => {
            let usual = AnyPosition::start(game).to_string();
            (Sketch::read(game, &usual)?, fault.status)
        }
    };
    let brush = wanted.brush.chars().next();
    let brush = brush
        .filter(|&c| sketch.letters().contains(c))
        .or(sketch.letters().chars().next())
        .unwrap_or('-');
    let problem = AnyPosition::parse(game, &text).err();
    let body = view(&sketch, &text, brush, problem.map(|e| e.to_string()))?;
    Ok((status, shell("Board editor", "/play", body)))
}

fn view(
    sketch: &Sketch,
    text: &str,
    brush: char,
    problem: Option<String>,
) -> Result<Markup, Fault> {
    let game = sketch.game;
    let scene = sketch.scene()?;
    let address = |text: &str, brush: char| {
        let brush = brush.to_string();
        format!(
            "/edit{}",
            query(&[("game", game.name()), ("position", text), ("brush", &brush)])
        )
    };
    let words = |letter: char| match sketch.letters().chars().position(|c| c == letter) {
        Some(0) => game.side_name(Side::First),
        Some(1) => game.side_name(Side::Second),
        Some(3) => "no field",
        _ => "empty",
    };
    let cell_of = |spot: usize| {
        let places = &scene.layout.spots[..spot];
        places.iter().filter(|s| s.kind != Kind::Dot).count()
    };
    let link = |spot: usize| {
        (scene.layout.spots[spot].kind != Kind::Dot).then(|| {
            let href = address(&sketch.with(cell_of(spot), brush), brush);
            (
                href,
                format!("{}: put {}", scene.describe(spot), words(brush)),
            )
        })
    };
    let pair = [("game", game.name()), ("position", text)];
    Ok(html! {
        h1 { "Board editor" }
        nav.tabs aria-label="Games" {
            @for &g in GameName::ALL {
                a href=(format!("/edit?game={g}")) aria-current=[(g == game).then_some("page")] { (capital(g.name())) }
            }
        }
        div.columns {
            div.stage { (board::links(&scene, "board editor", link)) }
            div.panel {
                p.status #status role="status" { strong { (sketch.to_move()) " to move" } }
                h2 { "Put on the board" }
                nav.tabs aria-label="What to put" {
                    @for letter in sketch.letters().chars() {
                        a href=(address(&sketch.text(), letter)) aria-current=[(letter == brush).then_some("true")] { (capital(words(letter))) }
                    }
                }
                p.quiet { "Choose a place to put it there; choose it again to clear it." }
                form.card method="get" action="/edit" {
                    input type="hidden" name="game" value=(game);
                    input type="hidden" name="brush" value=(brush);
                    label { span { "Position" } textarea name="position" rows="3" spellcheck="false" { (text) } }
                    div.actions {
                        button { "Set up" }
                        a.button href=(address(&sketch.turned(), brush)) { "Other side to move" }
                        a.button href=(address(&sketch.cleared(), brush)) { "Clear" }
                        a.button href={ "/edit?game=" (game) } { "Usual start" }
                    }
                }
                @if let Some(problem) = &problem {
                    p.problem role="alert" { "Not a position yet: " (problem) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(game: GameName, text: &str) -> Sketch {
        let sketch = Sketch::read(game, text).unwrap_or_else(|fault| panic!("{}", fault.message));
        assert_eq!(sketch.text(), text);
        sketch
    }

    #[test]
    fn sketches_keep_their_text() {
        for &game in GameName::ALL {
            check(game, &AnyPosition::start(game).to_string());
            let sketch = check(game, &AnyPosition::random_start(game, 3).to_string());
            let turned = sketch.turned();
            let position = AnyPosition::parse(game, &turned).unwrap();
            assert_ne!(
                position.side_to_move(),
                AnyPosition::random_start(game, 3).side_to_move()
            );
        }
    }

    #[test]
    fn stones_come_from_the_reserve() {
        let sketch = check(GameName::Gipf, "2 3 5 5 2 2 W WB/B_W/WB");
        assert_eq!(sketch.with(3, 'W'), "2 3 5 5 1 2 W WB/BWW/WB");
        assert_eq!(sketch.with(0, 'W'), "2 3 5 5 3 2 W _B/B_W/WB");
    }
}

//! Boards of Reversi.

use ::reversi::{Move, Position, Square};
use draw::{Emblem, Frame, Layout, Look, PieceLook, Scene, Step, Stroke, Surface, Trace, Way};
use rules::{Game, Side};

use super::Reversi;
use crate::definition::side_names;
use crate::drawn::Drawn;

/// Black and white discs on green cloth.
pub(super) static LOOK: Look = Look {
    name: "cloth",
    id: "r",
    letters: ['X', 'O'],
    ansi: ["1;32", "1;37"],
    pieces: [
        PieceLook {
            light: "#5a6166",
            shade: "#0c0e10",
            rim: "#000000",
        },
        PieceLook {
            light: "#ffffff",
            shade: "#cdd3cf",
            rim: "#8f938f",
        },
    ],
    radius: 27.0,
    emblem: Emblem::None,
    ground: ["#23915a", "#14693f"],
    surface: Surface::Lines("#0b4428"),
    frame: Frame {
        fill: "#22302a",
        ink: "#dfe9e2",
    },
    dark_frame: Frame {
        fill: "#101713",
        ink: "#c3d3c9",
    },
};

pub(super) fn layout() -> Layout {
    Layout::squares(&LOOK, 8, 8)
}

pub(super) fn scene(position: &Position) -> Scene {
    let owner = |square| {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|&side| position.discs(side).contains(square))
    };
    let pieces = Square::all().map(owner).collect();
    let mut scene = Scene::new(layout(), pieces, side_names::<Reversi>());
    let [black, white] = Side::BOTH.map(|side| position.discs(side).len());
    scene.notes.push(format!("Black {black}, White {white}"));
    scene
}

pub(super) fn pieces(position: &Position) -> Vec<u8> {
    let [black, white] = Side::BOTH.map(|side| position.discs(side));
    let mark = |square| match (black.contains(square), white.contains(square)) {
        (true, _) => b'0',
        (_, true) => b'1',
        _ => b'-',
    };
    Square::all().map(mark).collect()
}

pub(super) fn trace(position: &Position, mv: Move) -> Trace {
    let Some(square) = mv.square() else {
        return Trace::default();
    };
    Trace {
        stroke: Stroke {
            to: Some(square.index()),
            ..Stroke::default()
        },
        turned: position.board().flips(square).map(|s| s.index()).collect(),
        ..Trace::default()
    }
}

pub(super) fn ways(position: &Position) -> Vec<Way<Move>> {
    let layout = layout();
    let way = |mv: Move| Way {
        steps: mv
            .square()
            .map(|square| Step::place(&layout, square.index()))
            .into_iter()
            .collect(),
        mv,
    };
    position.moves().into_iter().map(way).collect()
}

/// A drawn board. Unless a note says who is to move, it is whoever can, and Black after an even
/// number of discs.
pub(super) fn read(drawn: &Drawn) -> Result<Position, String> {
    let mut squares = String::new();
    for &cell in drawn.rows.iter().flatten() {
        squares.push(match cell {
            'X' | 'x' | '*' | 'B' | 'b' | '●' => 'X',
            'O' | 'o' | 'W' | 'w' | '○' => 'O',
            '-' | '.' | '_' | '+' | '·' => '-',
            other => return Err(format!("{other:?} is no disc and no empty square")),
        });
    }
    let read = |side: char| format!("{squares} {side}").parse::<Position>();
    let discs = squares.matches(['X', 'O']).count();
    let [black, white] = [read('X'), read('O')].map(|position| position.map_err(|e| e.to_string()));
    let (black, white) = (black?, white?);
    let can_move = |position: &Position| !position.board().moves().is_empty();
    Ok(match drawn.side([&["Black", "X", "*"], &["White", "O"]]) {
        Some(Side::First) => black,
        Some(Side::Second) => white,
        None if !can_move(&black) => white,
        None if !can_move(&white) || discs.is_multiple_of(2) => black,
        None => white,
    })
}

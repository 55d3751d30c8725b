//! Boards of MMPawns.

use ::mmpawns::{Move, Position, Square};
use draw::{
    Emblem, Frame, Kind, Layout, Look, PieceLook, Scene, Step, Stroke, Surface, Trace, Way,
};
use rules::{Game, Side};

use super::Mmpawns;
use crate::definition::side_names;
use crate::drawn::Drawn;

/// Red and blue pawns on a chequered field, with an arrow the way they go.
pub(super) static LOOK: Look = Look {
    name: "field",
    id: "m",
    letters: ['A', 'B'],
    ansi: ["1;31", "1;34"],
    pieces: [
        PieceLook {
            light: "#f0655a",
            shade: "#a81f1b",
            rim: "#6d110e",
        },
        PieceLook {
            light: "#5b8ff0",
            shade: "#1b459f",
            rim: "#0e2a66",
        },
    ],
    radius: 24.0,
    emblem: Emblem::Arrow,
    ground: ["#efe6d2", "#efe6d2"],
    surface: Surface::Chequers {
        dark: "#d6c6a4",
        goals: ["#e2463c", "#3d74e0"],
    },
    frame: Frame {
        fill: "#3a3440",
        ink: "#ece6f2",
    },
    dark_frame: Frame {
        fill: "#1b181f",
        ink: "#cfc6d8",
    },
};

pub(super) fn layout() -> Layout {
    Layout::squares(&LOOK, 8, 8)
}

pub(super) fn scene(position: &Position) -> Scene {
    let mut layout = layout();
    for square in Square::all() {
        if !position.field().contains(square) {
            layout.spots[square.index()].kind = Kind::Hole;
        }
    }
    let owner = |square| {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|&side| position.pawns(side).contains(square))
    };
    let pieces = Square::all().map(owner).collect();
    let mut scene = Scene::new(layout, pieces, side_names::<Mmpawns>());
    let [a, b] = Side::BOTH.map(|side| position.pawns(side).len());
    scene
        .notes
        .push(format!("A {a}, B {b}; ply {}", position.number()));
    scene
}

pub(super) fn pieces(position: &Position) -> Vec<u8> {
    let mark = |square| match position.symbol(square) {
        'A' => b'0',
        'B' => b'1',
        '*' => b'*',
        _ => b'-',
    };
    Square::all().map(mark).collect()
}

pub(super) fn trace(position: &Position, mv: Move) -> Trace {
    Trace {
        stroke: Stroke {
            from: Some(mv.from.index()),
            to: Some(mv.to.index()),
            value: None,
        },
        taken: mv
            .taken()
            .map(|square| (square.index(), (!position.side_to_move()).into()))
            .into_iter()
            .collect(),
        ..Trace::default()
    }
}

pub(super) fn ways(position: &Position) -> Vec<Way<Move>> {
    let layout = layout();
    let way = |mv: Move| Way {
        steps: [mv.from, mv.to]
            .map(|square| Step::place(&layout, square.index()))
            .into(),
        mv,
    };
    position.moves().into_iter().map(way).collect()
}

/// A drawn board; the note says which ply is next, or who is to move.
pub(super) fn read(drawn: &Drawn) -> Result<Position, String> {
    let symbol = |cell: &char| match cell {
        '.' | '+' | '_' => '-',
        '#' => '*',
        other => *other,
    };
    let rows: Vec<String> = drawn
        .rows
        .iter()
        .map(|row| row.iter().map(symbol).collect())
        .collect();
    let side = drawn.side([&["A"], &["B"]]);
    let second = u32::from(side == Some(Side::Second));
    let number = drawn.number_after("; ply").unwrap_or(1 + second);
    let mover = if number % 2 == 1 { "A" } else { "B" };
    let text = format!("{mover} {number} {}", rows.join("/"));
    text.parse()
        .map_err(|error: rules::PositionError| error.to_string())
}

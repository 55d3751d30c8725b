//! Boards of GIPF: pushed lines, and rows that cross.

use ::gipf::{Move, Position};
use draw::{Emblem, Frame, Kind, Layout, Look, Piece, PieceLook, Scene, Step, Surface, Trace, Way};
use rules::{Game, Side};

use super::Gipf;
use crate::definition::side_names;
use crate::drawn::Drawn;
use crate::hexagon;

/// White and black stones with a ring on them, on wood.
pub(crate) const LOOK: Look = Look {
    name: "hexagon",
    id: "g",
    letters: ['W', 'B'],
    ansi: ["1;37", "1;32"],
    pieces: [
        PieceLook {
            light: "#ffffff",
            shade: "#d8d2c4",
            rim: "#8f938f",
        },
        PieceLook {
            light: "#5b5f69",
            shade: "#14161b",
            rim: "#000000",
        },
    ],
    radius: 25.0,
    emblem: Emblem::Ring(["#b3ab99", "#70757f"]),
    ground: ["#efe3c6", "#d9c598"],
    surface: Surface::Plain,
    frame: Frame {
        fill: "#3b3226",
        ink: "#f3e9d3",
    },
    dark_frame: Frame {
        fill: "#1d1811",
        ink: "#dccfae",
    },
};

pub(super) fn layout(size: usize) -> Layout {
    Layout::hexagon(&LOOK, size)
}

/// The dot and the point of a move's text, and the rest of it.
fn entry<'a>(layout: &Layout, text: &'a str) -> Option<((usize, usize), &'a str)> {
    let (push, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (from, to) = push.split_once('-')?;
    Some(((layout.find(from)?, layout.find(to)?), rest))
}

/// The rows in ` w: b2 d4 b: c3 f3`.
fn rows(layout: &Layout, text: &str) -> Vec<Step> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let row = |words: &[&str]| {
        let (a, b) = (layout.find(words[1])?, layout.find(words[2])?);
        Some(Step {
            spots: line(layout, a, b),
            label: words.join(" "),
            row: Some((a, b)),
        })
    };
    words.chunks_exact(3).filter_map(row).collect()
}

/// The points from one to another along a line.
fn line(layout: &Layout, from: usize, to: usize) -> Vec<usize> {
    let (dx, dy) = layout.between(from, to);
    let count = if dy == 0.0 { dx.abs() } else { dy.abs() };
    let way = (dx / count.max(1.0), dy / count.max(1.0));
    let mut spots = vec![from];
    while spots.len() as f64 <= count {
        match layout.step(spots[spots.len() - 1], way) {
            Some(next) => spots.push(next),
            None => break,
        }
    }
    spots
}

/// The pieces after the push, before anything is taken.
fn push(scene: &Scene, (from, to): (usize, usize), side: Side) -> Vec<Option<Piece>> {
    let mut pieces = scene.pieces.clone();
    let way = scene.layout.between(from, to);
    let (mut at, mut hand) = (Some(to), Some(Piece::from(side)));
    while let (Some(spot), Some(stone)) = (at, hand) {
        hand = pieces[spot].replace(stone);
        at = scene.layout.step(spot, way);
    }
    pieces
}

pub(super) fn scene(position: &Position) -> Scene {
    let layout = layout(usize::from(position.variant().size()));
    let pieces = stones(position, &layout, position.setup().stones).collect();
    let mut scene = Scene::new(layout, pieces, side_names::<Gipf>());
    let reserves = position.setup().reserves;
    scene.notes.push(note(reserves, position));
    scene.reserves = Some(reserves.map(u32::from));
    scene
}

/// What stands beside the board.
fn note([white, black]: [u16; 2], position: &Position) -> String {
    let run = position.variant().run();
    format!("In reserve: White {white}, Black {black}; rows of {run} are taken")
}

/// The board after the push and some choices of rows, and what is asked then: a dot and a point
/// are pointed at first.
pub(super) fn underway(position: &Position, picks: &[String]) -> Option<(Scene, String)> {
    let chosen = picks.len().checked_sub(PUSH_STEPS)?;
    let layout = layout(usize::from(position.variant().size()));
    let named = |(step, pick): (&Step, &String)| step.is_named(&layout, pick);
    let begun =
        |way: &Way<Move>| way.steps.len() > picks.len() && way.steps.iter().zip(picks).all(named);
    let mv = ways(position).into_iter().find(begun)?.mv;
    let state = position.midway(mv, chosen)?;
    let owner = state.owner?;
    let mut board = scene(position);
    let ends = entry(&board.layout, &position.move_text(mv))?.0;
    let pushed = push(&board, ends, position.side_to_move());
    let pieces = stones(position, &board.layout, state.stones).collect();
    let before = std::mem::replace(&mut board.pieces, pieces);
    board.notes = vec![note(state.reserves, position)];
    board.reserves = Some(state.reserves.map(u32::from));
    let taken = pushed.iter().enumerate().filter_map(|(spot, stone)| {
        let stone = (*stone)?;
        board.pieces[spot].is_none().then_some((spot, stone))
    });
    let ends = (Some(ends.0), Some(ends.1));
    board.marks.last = Some(hexagon::pushed(&board.layout, &before, ends, taken));
    let [owner, mover] = [owner, position.side_to_move()].map(Position::side_name);
    let whose = match owner == mover {
        true => format!("Rows of {owner} cross."),
        false => format!("Rows of {owner} cross; {mover} made the push, and chooses."),
    };
    Some((board, format!("{whose} Which comes off first?")))
}

/// How many places are pointed at before a row can be chosen.
const PUSH_STEPS: usize = 2;

pub(super) fn trace(position: &Position, mv: Move) -> Trace {
    let board = scene(position);
    let text = position.move_text(mv);
    let Some((ends, _)) = entry(&board.layout, &text) else {
        return Trace::default();
    };
    let pushed = push(&board, ends, position.side_to_move());
    let mut next = *position;
    next.play_unchecked(mv);
    let after = scene(&next).pieces;
    let gone = |(spot, stone): (usize, &Option<Piece>)| {
        let stone = (*stone)?;
        after[spot].is_none().then_some((spot, stone))
    };
    let taken = pushed.iter().enumerate().filter_map(gone);
    let ends = (Some(ends.0), Some(ends.1));
    hexagon::pushed(&board.layout, &board.pieces, ends, taken)
}

pub(super) fn ways(position: &Position) -> Vec<Way<Move>> {
    let board = scene(position);
    let layout = &board.layout;
    let mut ways = Vec::new();
    for mv in position.moves() {
        let text = position.move_text(mv);
        let Some(((from, to), rest)) = entry(layout, &text) else {
            continue;
        };
        // A stone put on an empty point pushes nothing: all dots beside it will do,
        // though the rules list the move once.
        let dots = (0..layout.spots.len()).filter(|&dot| {
            let (dx, dy) = layout.between(dot, to);
            let beside = dx.abs() + dy.abs() / 2.0 == 1.0;
            dot == from
                || (board.pieces[to].is_none() && layout.spots[dot].kind == Kind::Dot && beside)
        });
        for dot in dots {
            let mut steps = vec![Step::place(layout, dot), Step::place(layout, to)];
            steps.extend(rows(layout, rest));
            ways.push(Way { steps, mv });
        }
    }
    ways
}

/// The stones on every place of the layout, where dots hold none.
fn stones(
    position: &Position,
    layout: &Layout,
    stones: [u128; 2],
) -> impl Iterator<Item = Option<Piece>> {
    let owner = move |point: &u8| {
        let mut sides = Side::BOTH.into_iter();
        let side = sides.find(|side| stones[side.index()] >> point & 1 != 0);
        side.map(Piece::from)
    };
    hexagon::places(layout, position.geometry().rows().flatten().map(owner))
}

/// A drawn board with its note about reserves; White is to move unless a note says otherwise.
pub(super) fn read(drawn: &Drawn) -> Result<Position, String> {
    let missing = |what: &str| format!("the drawn board does not say {what}");
    let reserve = |name: &str| {
        let note = drawn.notes.iter().find(|note| note.contains("reserve"))?;
        let rest = note.split_once(name)?.1.trim_start();
        rest.split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse::<usize>()
            .ok()
    };
    let white = reserve("White").ok_or_else(|| missing("how many stones are in reserve"))?;
    let black = reserve("Black").ok_or_else(|| missing("how many stones are in reserve"))?;
    let run = drawn
        .number_after("rows of")
        .ok_or_else(|| missing("how many stones make a row"))?;
    let on_board = |letter: char| {
        let stones = drawn.rows.iter().flatten();
        stones.filter(|&&stone| stone == letter).count()
    };
    let (rows, side) = (hexagon::rows(drawn, "WB"), hexagon::side(drawn));
    let (size, stones) = (drawn.rows.len().div_ceil(2), ['W', 'B'].map(on_board));
    let text = format!(
        "{size} {run} {} {} {white} {black} {side} {rows}",
        white + stones[0],
        black + stones[1],
    );
    text.parse()
        .map_err(|error: rules::PositionError| error.to_string())
}

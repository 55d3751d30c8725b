//! Boards of GIPF with stacked pieces.

use draw::{Layout, Look, Scene, Trace};
use gipf_standard::{DrawLimit, Move, Piece, Point, Points, Position, Rules, SIZE, Stage};
use rules::{Game, Side};

use super::GipfStandard;
use crate::definition::side_names;
use crate::drawn::Drawn;
use crate::{gipf, hexagon};

/// As in the generalised game; in letters single pieces are small ones.
pub(super) static LOOK: Look = Look {
    id: "gs",
    letters: ['w', 'b'],
    ..gipf::LOOK
};

/// As in print: the dot e1 lies before White, and columns stand upright.
pub(super) fn layout() -> Layout {
    Layout::hexagon(&LOOK, usize::from(SIZE)).upright()
}

/// The place of a point in the layout.
pub(super) fn spot(layout: &Layout, point: Point) -> Option<usize> {
    layout.find(&point.label())
}

/// What is drawn for what lies on a point.
fn piece((side, piece): (Side, Piece)) -> draw::Piece {
    let stacked = piece == Piece::Gipf;
    draw::Piece { side, stacked }
}

/// The pieces on every place of the layout, where dots hold none.
fn stones(position: &Position, layout: &Layout) -> impl Iterator<Item = Option<draw::Piece>> {
    let points = Points::ALL.map(|point| position.at(point).map(piece));
    hexagon::places(layout, points)
}

/// What stands behind a reserve: what may be brought in.
fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::First => " (a GIPF-piece first)",
        Stage::Gipf => " (GIPF-pieces may follow)",
        Stage::Single => "",
    }
}

pub(super) fn scene(position: &Position) -> Scene {
    let layout = layout();
    let pieces = stones(position, &layout).collect();
    let mut scene = Scene::new(layout, pieces, side_names::<GipfStandard>());
    let [white, black] = Side::BOTH.map(|side| {
        let (reserve, may) = (position.reserve(side), stage(position.stage(side)));
        let name = Position::side_name(side);
        format!("{name} {reserve}{may}")
    });
    scene.reserves = Some(Side::BOTH.map(|side| position.reserve(side).into()));
    let rules = match position.rules() {
        Rules::Basic => "Basic",
        Rules::Standard => "Standard",
        Rules::Tournament => "Tournament",
    };
    scene
        .notes
        .push(format!("{rules} game. In reserve: {white}, {black}"));
    let [white, black] = Side::BOTH.map(|side| position.captured(side));
    if white + black > 0 {
        scene
            .notes
            .push(format!("Captured: White's {white}, Black's {black}"));
    }
    let (quiet, limit) = (position.quiet(), position.limit());
    match limit {
        DrawLimit::NEVER => scene.notes.push("Never drawn".into()),
        _ if quiet > 0 || limit != DrawLimit::DEFAULT => scene.notes.push(format!(
            "Plies without a capture: {quiet}; drawn after {}",
            limit.half_moves()
        )),
        _ => {}
    }
    scene
}

pub(super) fn trace(position: &Position, mv: Move) -> Trace {
    let layout = layout();
    let gone = |board: &Position, taken: Points| -> Vec<(usize, draw::Piece)> {
        let place = |point| Some((spot(&layout, point)?, piece(board.at(point)?)));
        taken.filter_map(place).collect()
    };
    let mut taken = gone(position, mv.before);
    if let Some(pushed) = position.pushed(mv) {
        taken.extend(gone(&pushed, mv.after));
    }
    let ends = mv.push.map(|push| {
        let dot = push.entry.dot().label(SIZE);
        (layout.find(&dot), spot(&layout, push.entry.target()))
    });
    let ends = ends.unwrap_or_default();
    let mut pieces: Vec<_> = stones(position, &layout).collect();
    for place in mv.before.filter_map(|point| spot(&layout, point)) {
        pieces[place] = None;
    }
    hexagon::pushed(&layout, &pieces, ends, taken)
}

/// A drawn board with its notes; White is to move unless a note says otherwise.
pub(super) fn read(drawn: &Drawn) -> Result<Position, String> {
    let missing = |what: &str| format!("the drawn board does not say {what}");
    let note = drawn.notes.iter().find(|note| note.contains("In reserve:"));
    let note = note.ok_or_else(|| missing("how many pieces are in reserve"))?;
    let rules = note.split_whitespace().next().unwrap_or_default();
    let reserve = |name: &str| -> Option<String> {
        let rest = note.split_once(name)?.1.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let (number, rest) = rest.split_at(end.unwrap_or(rest.len()));
        let after = rest.split(',').next().unwrap_or_default();
        let mark = match after {
            _ if after == stage(Stage::First) => "!",
            _ if after == stage(Stage::Gipf) => "+",
            _ => "",
        };
        Some(format!("{number}{mark}"))
    };
    let white = reserve("White").ok_or_else(|| missing("how many pieces White has in reserve"))?;
    let black = reserve("Black").ok_or_else(|| missing("how many pieces Black has in reserve"))?;
    let (rows, side) = (hexagon::rows(drawn, "wWbB"), hexagon::side(drawn));
    let never = drawn.notes.iter().any(|note| note == "Never drawn");
    let counts = match drawn.number_after("drawn after") {
        _ if never => "0/0".to_string(),
        Some(limit) => {
            let quiet = drawn.number_after("without a capture:").unwrap_or(0);
            format!("{quiet}/{limit}")
        }
        None => "0/100".into(),
    };
    let text = format!(
        "{} {white} {black} {side} {counts} {rows}",
        rules.to_ascii_lowercase(),
    );
    text.parse()
        .map_err(|error: rules::PositionError| error.to_string())
}

//! What both games of GIPF share: pieces on a hexagon, pushes, drawn boards, levels.

use draw::{Kind, Layout, Piece, Stroke, Trace};
use rules::Side;

use crate::drawn::Drawn;
use crate::{Handicap, Judgement, Levels};

/// The levels of both games.
pub(crate) const LEVELS: Levels = Levels {
    plays: [
        Handicap::new(Judgement::Gains, 1, 50),
        Handicap::new(Judgement::Features, 2, 50),
        Handicap::new(Judgement::Features, 2, 20),
        Handicap::new(Judgement::Features, 3, 25),
        Handicap::new(Judgement::Features, 3, 5),
        Handicap::new(Judgement::Engine, 2, 5),
        Handicap::new(Judgement::Engine, 4, 0),
    ],
};

/// What stands on every place of the layout: dots hold nothing, and the points come row by row
/// from the top left.
pub(crate) fn places(
    layout: &Layout,
    points: impl IntoIterator<Item = Option<Piece>>,
) -> impl Iterator<Item = Option<Piece>> {
    let mut points = points.into_iter();
    layout.spots.iter().map(move |spot| match spot.kind {
        Kind::Dot => None,
        _ => points.next().flatten(),
    })
}

/// A push from a dot onto a point among these pieces, and the pieces that come off then.
pub(crate) fn pushed(
    layout: &Layout,
    pieces: &[Option<Piece>],
    (from, to): (Option<usize>, Option<usize>),
    taken: impl IntoIterator<Item = (usize, Piece)>,
) -> Trace {
    let value = None;
    let ends = from.zip(to).into_iter();
    let pushed = ends.flat_map(|(from, to)| layout.pushed(pieces, from, to));
    Trace {
        stroke: Stroke { from, to, value },
        turned: Vec::new(),
        taken: taken.into_iter().collect(),
        pushed: pushed.collect(),
    }
}

/// The rows of a drawn board as the text of a position has them; what is none of these letters
/// is empty.
pub(crate) fn rows(drawn: &Drawn, letters: &str) -> String {
    let symbol = |&cell: &char| if letters.contains(cell) { cell } else { '_' };
    let rows = drawn.rows.iter();
    let rows: Vec<String> = rows.map(|row| row.iter().map(symbol).collect()).collect();
    rows.join("/")
}

/// The letter of the player to move: White unless a note says otherwise.
pub(crate) fn side(drawn: &Drawn) -> char {
    match drawn.side([&["White", "W"], &["Black", "B"]]) {
        Some(Side::Second) => 'B',
        _ => 'W',
    }
}

//! Faults of looking for moves of Reversi, as mutants have them.

use ::reversi::Square;
use rules::Squares;

use super::Family;
use crate::check::lines::borders;
use crate::check::rays::{Direction, Segment, Sight, line, one};

/// A fault with its name; `equivalent` says why nothing shows of it, if so.
pub(super) struct Fault {
    pub(super) family: Family,
    pub(super) name: String,
    pub(super) sight: Sight,
    pub(super) equivalent: Option<&'static str>,
}

/// Every fault of looking: misses by direction, length and square, and inventions.
pub(super) fn faults() -> Vec<Fault> {
    let mut all = Vec::new();
    let mut add = |family: Family, name: String, sight: Sight, equivalent| {
        all.push(Fault {
            family,
            name,
            sight,
            equivalent,
        });
    };
    let mut misses = |name: String, sight: Sight, equivalent| {
        add(Family::MissesMoves, name, sight, equivalent);
    };
    for direction in Direction::ALL {
        let (name, bit) = (direction.name(), 1 << direction.0);
        misses(format!("not {name}"), Sight::Only(!bit), None);
        misses(format!("only {name}"), Sight::Only(bit), None);
        for most in 1..6 {
            let sight = Sight::AtMost(bit, most);
            misses(format!("{name} at most {most}"), sight, None);
        }
        for length in 1..=6 {
            let sight = Sight::Except(direction, length);
            misses(format!("{name} but for {length}"), sight, None);
        }
    }
    for (name, known) in [
        ("no diagonals", 0b0101_0101),
        ("only diagonals", 0b1010_1010),
        ("no rows", 0b1110_1110),
        ("no columns", 0b1011_1011),
        ("no falling diagonal", 0b1101_1101),
        ("no rising diagonal", 0b0111_0111),
        ("only to the right", 0b1000_0011),
        ("only downwards", 0b0000_1110),
    ] {
        misses(name.into(), Sight::Only(known), None);
    }
    for most in 1..6 {
        misses(format!("at most {most}"), Sight::AtMost(0xff, most), None);
    }
    let lines = (0..8).flat_map(|number| {
        let column = char::from(b'a' + number);
        [
            (format!("column {column}"), line(true, number)),
            (format!("row {}", number + 1), line(false, number)),
        ]
    });
    let squares = Square::all().map(|square| (square.to_string(), one(square)));
    let edges = [line(true, 0), line(true, 7), line(false, 0), line(false, 7)];
    let edge = edges.into_iter().fold(Squares::NONE, |a, b| a | b);
    let more = [
        ("any corner".to_string(), Squares::CORNERS),
        ("any edge".to_string(), edge),
        ("the middle".to_string(), !edge),
    ];
    for (name, squares) in lines.chain(squares).chain(more) {
        misses(format!("never on {name}"), Sight::NeverOn(squares), None);
        let sight = Sight::NoBracketOn(squares);
        misses(format!("no bracket on {name}"), sight, None);
        let corner = (squares & !Squares::CORNERS).is_empty();
        let reason = "no run goes over a corner";
        let sight = Sight::NoRunOver(squares);
        misses(
            format!("no run over {name}"),
            sight,
            corner.then_some(reason),
        );
    }
    let segments = Segment::all();
    for direction in Direction::ALL {
        let name = direction.name();
        let along = || segments.iter().filter(|s| s.direction == direction);
        for squares in borders() {
            let place = border_name(squares);
            if along().any(|segment| squares.contains(segment.target)) {
                let sight = Sight::NeverFrom(direction, squares);
                misses(format!("{name} never from {place}"), sight, None);
            }
            if along().any(|segment| squares.contains(segment.bracket)) {
                let sight = Sight::NoBracketTo(direction, squares);
                misses(format!("{name} no bracket on {place}"), sight, None);
            }
        }
    }
    misses("two runs cancel".into(), Sight::Toggles, None);
    for sight in Sight::inventions() {
        add(Family::InventsMoves, invention_name(sight), sight, None);
    }
    for direction in Direction::ALL.into_iter().filter(|d| !d.is_sideways()) {
        let reason = "a line up or down never meets the end of a row";
        let name = format!("{} goes around", direction.name());
        let sight = Sight::Wraps(direction);
        add(Family::InventsMoves, name, sight, Some(reason));
    }
    all
}

fn border_name(squares: Squares) -> String {
    let (mut from, to) = (squares, squares);
    match (from.next(), to.last()) {
        (Some(first), Some(last)) if first != last => format!("{first}-{last}"),
        (Some(corner), _) => corner.to_string(),
        _ => String::new(),
    }
}

fn invention_name(sight: Sight) -> String {
    match sight {
        Sight::Wraps(d) => format!("{} goes around", d.name()),
        Sight::OpenAtEdge(d) => format!("{} open at the edge", d.name()),
        Sight::OpenAtGap(d) => format!("{} open at a gap", d.name()),
        Sight::OverGap(d) => format!("{} over a gap", d.name()),
        Sight::NoRunNeeded(d) => format!("{} without a run", d.name()),
        Sight::EitherColour(d) => format!("{} run of either colour", d.name()),
        Sight::OnOther => "on the other's discs".into(),
        Sight::OnOwn => "on own discs".into(),
        other => format!("{other:?}"),
    }
}

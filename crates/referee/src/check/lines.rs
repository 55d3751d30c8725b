//! Forced positions of Othello: one move is legal, by one run, or none is.
//!
//! Only such positions separate a program that misses moves from a right one, and only those
//! without a move catch every program that invents some, whichever it prefers.

use ::reversi::{Board, Position, Square};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rules::{Side, Squares};

use super::cover::{Candidate, cover};
use super::rays::{Direction, Segment, Sight, line, one};

/// A position, and a name for what it shows.
pub(super) struct Forced {
    pub(super) name: String,
    pub(super) position: Position,
}

/// What a forced move shows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    /// A run of this length in this direction, for both colours.
    Run(usize, Direction, u8),
    /// A disc put on this square, an own disc there that ends a run, a run over it.
    Target(Square),
    Bracket(Square),
    Inside(Square),
    /// A run in this direction that begins, or ends, on this edge or corner.
    From(Direction, usize),
    To(Direction, usize),
}

/// The edges and corners: both outer columns, both outer rows, and where they meet.
pub(super) fn borders() -> Vec<Squares> {
    let edges = [line(true, 0), line(true, 7), line(false, 0), line(false, 7)];
    let corners = Squares::CORNERS.map(one);
    edges.into_iter().chain(corners).collect()
}

fn shown(segment: &Segment, side: Side) -> Vec<Shown> {
    let Segment {
        target,
        direction,
        length,
        run,
        bracket,
    } = *segment;
    let mut shown = vec![
        Shown::Run(side.index(), direction, length),
        Shown::Target(target),
        Shown::Bracket(bracket),
    ];
    shown.extend(run.map(Shown::Inside));
    for (number, border) in borders().into_iter().enumerate() {
        let from = border.contains(target);
        shown.extend(from.then_some(Shown::From(direction, number)));
        let to = border.contains(bracket);
        shown.extend(to.then_some(Shown::To(direction, number)));
    }
    shown
}

/// Positions with one legal move, which turns over one run, and a few with several:
/// every direction with every length for both colours, every square, edge and corner as
/// the beginning, the inside and the end of a run.
pub(super) fn forced(rng: &mut ChaCha8Rng) -> Vec<Forced> {
    let mut candidates: Vec<_> = Segment::all()
        .into_iter()
        .flat_map(|segment| Side::BOTH.map(|side| (segment, side)))
        .map(|case| Candidate {
            shows: shown(&case.0, case.1),
            case,
        })
        .collect();
    candidates.shuffle(rng);
    let single = cover(candidates).into_iter().map(|(segment, side)| {
        let name = format!(
            "line-{}{}-{}",
            segment.direction.name(),
            segment.length,
            segment.target
        );
        (name, vec![segment], side)
    });
    let several = [
        ("opposite", 0b0001_0001, Side::First),
        ("corner", 0b0000_0101, Side::Second),
        ("three", 0b0010_1010, Side::First),
        ("all", 0b1111_1111, Side::Second),
    ];
    let several = several.map(|(name, directions, side)| {
        let segments = Segment::all().into_iter().filter(|segment| {
            let known = directions >> segment.direction.0 & 1 == 1;
            known && segment.length == 1 && segment.target == Square::new(27)
        });
        (format!("lines-{name}"), segments.collect(), side)
    });
    single
        .chain(several)
        .map(|(name, segments, side)| Forced {
            name: format!("{name}-{}", ["black", "white"][side.index()]),
            position: Position::new(surrounded(&segments, rng), side),
        })
        .collect()
}

/// A board on which these segments make the only legal move, among other discs.
fn surrounded(segments: &[Segment], rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board {
        own: segments.iter().map(|segment| segment.bracket).collect(),
        other: Squares::NONE,
    };
    for segment in segments {
        board.other |= segment.run;
    }
    let target = segments[0].target;
    let flips = board.other;
    crowd(&mut board, one(target), 24, rng, |board| {
        board.moves() == one(target) && board.flips(target) == flips
    });
    board
}

/// Puts discs of both colours on squares at random, as long as the board stays right.
fn crowd(
    board: &mut Board,
    keep_free: Squares,
    discs: usize,
    rng: &mut ChaCha8Rng,
    right: impl Fn(&Board) -> bool,
) {
    let mut free: Vec<Square> = (board.empty() & !keep_free).collect();
    free.shuffle(rng);
    let mut put = 0;
    for square in free {
        if put == discs {
            break;
        }
        let mut next = *board;
        let colour = if rng.random_range(0..2) == 0 {
            &mut next.own
        } else {
            &mut next.other
        };
        *colour |= one(square);
        if right(&next) {
            *board = next;
            put += 1;
        }
    }
}

/// Boards to choose from: enough that every invention shows on some.
const BOARDS: usize = 60;

/// Positions without a legal move, in which every fault that invents moves sees one.
pub(super) fn without_move(rng: &mut ChaCha8Rng) -> Vec<Forced> {
    let inventions = Sight::inventions();
    let candidates = (0..BOARDS).map(|number| {
        let mut board = Board {
            own: Squares::NONE,
            other: Squares::NONE,
        };
        let discs = rng.random_range(12..50);
        crowd(&mut board, Squares::NONE, discs, rng, |board| {
            board.moves().is_empty()
        });
        let sees = |index: &usize| !inventions[*index].moves(&board).is_empty();
        Candidate {
            case: (board, Side::BOTH[number % 2]),
            shows: (0..inventions.len()).filter(sees).collect(),
        }
    });
    let chosen = cover(candidates.collect());
    (1..)
        .zip(chosen)
        .map(|(number, (board, side))| Forced {
            name: format!("no-move-{number}-{}", ["black", "white"][side.index()]),
            position: Position::new(board, side),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn one_move_is_legal_or_none() {
        for seed in 0..3 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let positions = forced(&mut rng);
            assert!(positions.len() < 120, "{}", positions.len());
            for Forced { name, position } in positions {
                assert_eq!(position.board().moves().len(), 1, "{name} {position}");
            }
            for Forced { name, position } in without_move(&mut rng) {
                assert!(position.board().moves().is_empty(), "{name} {position}");
            }
        }
    }

    /// No invention is left out.
    #[test]
    fn every_invention_shows() {
        let positions = without_move(&mut ChaCha8Rng::seed_from_u64(1));
        for fault in Sight::inventions() {
            let sees = |forced: &Forced| !fault.moves(&forced.position.board()).is_empty();
            assert!(positions.iter().any(sees), "{fault:?}");
        }
    }
}

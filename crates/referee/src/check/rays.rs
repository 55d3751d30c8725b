//! Rays: the squares that follow each other in one of the eight directions, and how a
//! player of Reversi looks along them, rightly or with a fault.

use ::reversi::{Board, Square};
use rules::Squares;

/// One of the eight directions, clockwise from the right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Direction(pub(super) u8);

impl Direction {
    pub(super) const ALL: [Direction; 8] = [
        Direction(0),
        Direction(1),
        Direction(2),
        Direction(3),
        Direction(4),
        Direction(5),
        Direction(6),
        Direction(7),
    ];

    /// The name as on a map: row 1 is in the north.
    pub(super) fn name(self) -> &'static str {
        ["E", "SE", "S", "SW", "W", "NW", "N", "NE"][usize::from(self.0)]
    }

    /// In words, as a player sees the board.
    pub(super) fn words(self) -> &'static str {
        [
            "to the right",
            "down to the right",
            "down",
            "down to the left",
            "to the left",
            "up to the left",
            "up",
            "up to the right",
        ][usize::from(self.0)]
    }

    /// Columns and rows of one step.
    fn delta(self) -> (i8, i8) {
        [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
        ][usize::from(self.0)]
    }

    /// The next square; `None` at the edge.
    pub(super) fn step(self, from: Square) -> Option<Square> {
        let (columns, rows) = self.delta();
        let column = from.column().checked_add_signed(columns)?;
        Square::at(column, from.row().checked_add_signed(rows)?)
    }

    /// The next square in memory, whatever column it lies in; `None` before a1 and after h8.
    fn step_around(self, from: Square) -> Option<Square> {
        let (columns, rows) = self.delta();
        let index = from.index() as i8 + 8 * rows + columns;
        (0..64).contains(&index).then(|| Square::new(index as u8))
    }

    /// Whether the direction leaves its column.
    pub(super) fn is_sideways(self) -> bool {
        self.delta().0 != 0
    }
}

/// A set of one square.
pub(super) fn one(square: Square) -> Squares {
    Squares(1 << square.index())
}

/// The squares of a column, or of a row.
pub(super) fn line(is_column: bool, number: u8) -> Squares {
    Square::all()
        .filter(|square| {
            number
                == if is_column {
                    square.column()
                } else {
                    square.row()
                }
        })
        .collect()
}

/// A disc put down, a run of the opponent's discs, and the own disc that ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Segment {
    pub(super) target: Square,
    pub(super) direction: Direction,
    pub(super) length: u8,
    pub(super) run: Squares,
    pub(super) bracket: Square,
}

impl Segment {
    /// Every segment that the board has room for.
    pub(super) fn all() -> Vec<Segment> {
        let mut all = Vec::new();
        for target in Square::all() {
            for direction in Direction::ALL {
                let mut run = Squares::NONE;
                let mut at = direction.step(target);
                let mut length = 0;
                while let Some(square) = at {
                    if length > 0 {
                        all.push(Segment {
                            target,
                            direction,
                            length,
                            run,
                            bracket: square,
                        });
                    }
                    run |= one(square);
                    length += 1;
                    at = direction.step(square);
                }
            }
        }
        all
    }
}

/// The runs that a disc turns over, one for each direction.
pub(super) fn runs(board: &Board, square: Square) -> impl Iterator<Item = Squares> {
    (0..8).filter_map(move |direction| Sight::Only(1 << direction).flips(board, square))
}

/// How a program looks for moves: rightly, or with one fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sight {
    Right,
    /// Looks along these directions only, as bits.
    Only(u8),
    /// A run in one of these directions (as bits) may not be longer than this.
    AtMost(u8, u8),
    /// A run in this direction may not have this length.
    Except(Direction, u8),
    /// Never puts a disc on these squares.
    NeverOn(Squares),
    /// Never puts a disc on these squares on account of a run in this direction.
    NeverFrom(Direction, Squares),
    /// Own discs on these squares end no run.
    NoBracketOn(Squares),
    /// Own discs on these squares end no run in this direction.
    NoBracketTo(Direction, Squares),
    /// The opponent's discs on these squares belong to no run.
    NoRunOver(Squares),
    /// Two runs cancel each other.
    Toggles,
    /// Goes on in the next row where a row ends.
    Wraps(Direction),
    /// A run up to the edge needs no own disc behind it.
    OpenAtEdge(Direction),
    /// A run up to an empty square needs none either.
    OpenAtGap(Direction),
    /// An empty square in a run does no harm.
    OverGap(Direction),
    /// An own disc right beside is enough.
    NoRunNeeded(Direction),
    /// The run may be of own discs, ended by one of the opponent's.
    EitherColour(Direction),
    /// Puts discs on the opponent's.
    OnOther,
    /// Puts discs on its own.
    OnOwn,
}

impl Sight {
    /// The faults that see moves where there are none, but for those of taken squares.
    pub(super) fn inventions() -> Vec<Sight> {
        let mut all = Vec::new();
        for direction in Direction::ALL {
            all.extend(direction.is_sideways().then_some(Sight::Wraps(direction)));
            all.extend([
                Sight::OpenAtEdge(direction),
                Sight::OpenAtGap(direction),
                Sight::OverGap(direction),
                Sight::NoRunNeeded(direction),
                Sight::EitherColour(direction),
            ]);
        }
        all.extend([Sight::OnOther, Sight::OnOwn]);
        all
    }

    /// The run that a disc on `from` closes in one direction, if it does.
    fn run(self, board: &Board, from: Square, direction: Direction) -> Option<Squares> {
        let (mut own, mut other) = (board.own, board.other);
        match self {
            Sight::Only(known) if known >> direction.0 & 1 == 0 => return None,
            Sight::NeverOn(squares) if squares.contains(from) => return None,
            Sight::NeverFrom(d, squares) if d == direction && squares.contains(from) => {
                return None;
            }
            Sight::EitherColour(d) if d == direction => {
                let first = direction.step(from)?;
                if own.contains(first) {
                    (own, other) = (other, own);
                }
            }
            _ => {}
        }
        let mut run = Squares::NONE;
        let mut gap = false;
        let mut at = from;
        loop {
            let next = match self {
                Sight::Wraps(d) if d == direction => direction.step_around(at),
                _ => direction.step(at),
            };
            let Some(square) = next else {
                let closed = self == Sight::OpenAtEdge(direction) && !run.is_empty();
                return closed.then_some(run);
            };
            at = square;
            if other.contains(square) {
                if matches!(self, Sight::NoRunOver(squares) if squares.contains(square)) {
                    return None;
                }
                run |= one(square);
                continue;
            }
            if own.contains(square) {
                let closed = !run.is_empty() || self == Sight::NoRunNeeded(direction);
                return (closed && self.ends(run, direction, square)).then_some(run);
            }
            if run.is_empty() || gap || self != Sight::OverGap(direction) {
                let closed = self == Sight::OpenAtGap(direction) && !run.is_empty();
                return closed.then_some(run);
            }
            gap = true;
        }
    }

    /// Whether an own disc on this square ends the run.
    fn ends(self, run: Squares, direction: Direction, bracket: Square) -> bool {
        let length = run.len() as u8;
        match self {
            Sight::AtMost(directions, most) => directions >> direction.0 & 1 == 0 || length <= most,
            Sight::Except(d, never) => d != direction || length != never,
            Sight::NoBracketOn(squares) => !squares.contains(bracket),
            Sight::NoBracketTo(d, squares) => d != direction || !squares.contains(bracket),
            _ => true,
        }
    }

    /// What a disc on this square turns over; `None` if it may not be put there.
    pub(super) fn flips(self, board: &Board, square: Square) -> Option<Squares> {
        let taken = match self {
            Sight::OnOther => board.own,
            Sight::OnOwn => board.other,
            _ => board.own | board.other,
        };
        if taken.contains(square) {
            return None;
        }
        let runs = Direction::ALL.map(|direction| self.run(board, square, direction));
        let count = runs.iter().flatten().count();
        let legal = match self {
            Sight::Toggles => count % 2 == 1,
            _ => count > 0,
        };
        let all = runs.into_iter().flatten();
        legal.then(|| all.fold(Squares::NONE, |all, run| all | run))
    }

    /// The squares on which a disc may be put.
    pub(super) fn moves(self, board: &Board) -> Squares {
        match self {
            Sight::Right => board.moves(),
            _ => Square::all()
                .filter(|square| self.flips(board, *square).is_some())
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ::reversi::Position;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rules::Game;

    use super::*;

    /// The slow eyes see what the fast board sees.
    #[test]
    fn without_a_fault_the_rules_hold() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..200 {
            let mut position = Position::start();
            while position.outcome().is_none() {
                let board = position.board();
                for square in Square::all() {
                    let seen = Sight::AtMost(0, 0).flips(&board, square);
                    let legal = board.moves().contains(square);
                    assert_eq!(seen, legal.then(|| board.flips(square)));
                }
                let moves = position.moves();
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    #[test]
    fn segments_fill_the_board() {
        let all = Segment::all();
        assert!(all.iter().all(|s| u32::from(s.length) == s.run.len()));
        let longest = all.iter().filter(|s| s.length == 6).count();
        assert_eq!(longest, 8 * 4 + 4);
    }
}

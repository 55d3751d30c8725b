//! A position, a move, and what pushing a stone does.

use std::ops::ControlFlow;

use rules::Side;
use thiserror::Error;

use crate::collect::{self, Board, Choices, Lines, Step};
use crate::{Entry, Geometry, Variant};

/// One turn: the dot and direction a stone is pushed from, and which rows were chosen
/// where rows of one colour crossed.
///
/// Entries onto an empty point all do the same; the first of them stands for all, so
/// that a position has no two moves that differ only in that.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    pub(crate) entry: u8,
    pub(crate) choices: Choices,
}

const _: () = assert!(size_of::<Move>() <= 16);

impl Move {
    /// The number of the entry in [`Geometry::entries`].
    #[inline]
    #[must_use]
    pub fn entry(self) -> u8 {
        self.entry
    }

    /// The choices between crossing rows, in the order in which they are made.
    #[inline]
    #[must_use]
    pub fn choices(self) -> Choices {
        self.choices
    }
}

/// A position of GIPF: no row on the board, and no more stones than the variant has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    stones: [u128; 2],
    reserves: [u16; 2],
    variant: Variant,
    pub(crate) side: Side,
}

const _: () = assert!(size_of::<Position>() <= 48);

/// What a position is made of, before it is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The variant.
    pub variant: Variant,
    /// The stones in reserve, White's first.
    pub reserves: [u16; 2],
    /// Who is to move.
    pub side: Side,
    /// The points with stones of White and of Black, as bits.
    pub stones: [u128; 2],
}

/// Why stones and reserves make no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// A side has more stones than the variant gives it.
    #[error("{found} {} stones on the board and in reserve, but the game has {total}", ["white", "black"][side.index()])]
    TooManyStones {
        /// Whose stones.
        side: Side,
        /// How many were counted.
        found: u32,
        /// How many there are.
        total: u16,
    },
    /// Rows that should have been taken off lie on the board.
    #[error("{found} rows of {run} or more stones lie on the board")]
    Rows {
        /// How many.
        found: u32,
        /// From which length a run is a row.
        run: u8,
    },
    /// A point has two stones or is not on the board.
    #[error("point {0} has two stones or is not on the board")]
    Overlap(u32),
}

impl TryFrom<Setup> for Position {
    type Error = Fault;

    fn try_from(setup: Setup) -> Result<Position, Fault> {
        let Setup {
            variant,
            reserves,
            side,
            stones,
        } = setup;
        let geometry = Geometry::of(variant.size());
        let wrong = (stones[0] & stones[1]) | ((stones[0] | stones[1]) & !geometry.full());
        if wrong != 0 {
            return Err(Fault::Overlap(wrong.trailing_zeros()));
        }
        for side in Side::BOTH {
            let i = side.index();
            let found = stones[i].count_ones() + u32::from(reserves[i]);
            let total = variant.stones(side);
            if found > u32::from(total) {
                return Err(Fault::TooManyStones { side, found, total });
            }
        }
        let run = variant.run();
        match collect::count_rows(stones, geometry, run) {
            0 => Ok(Position {
                stones,
                reserves,
                variant,
                side,
            }),
            found => Err(Fault::Rows { found, run }),
        }
    }
}

/// A board in the middle of a move: rows may lie on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Midway {
    /// The points with stones of White and of Black, as bits.
    pub stones: [u128; 2],
    /// The stones in reserve, White's first.
    pub reserves: [u16; 2],
    /// Whose rows cross, if one of them must be chosen next.
    pub owner: Option<Side>,
}

/// The board after a push, and where rows have arisen.
pub(crate) struct Pushed {
    pub(crate) board: Board,
    pub(crate) rows: [Lines; 2],
}

impl Pushed {
    #[inline]
    fn is_quiet(&self) -> bool {
        self.rows == [Lines::NONE; 2]
    }
}

impl Position {
    /// The start: three stones each on alternating corners, White top left and to move.
    #[must_use]
    pub fn start(variant: Variant) -> Position {
        let geometry = Geometry::of(variant.size());
        let mut stones = [0; 2];
        // Entries go around the rim: three at a corner, two elsewhere.
        let corners = geometry
            .entries()
            .windows(3)
            .enumerate()
            .filter(|(i, e)| e.iter().all(|e| usize::from(e.first) == *i));
        for (corner, (_, entries)) in corners.enumerate() {
            stones[corner % 2] |= 1 << entries[0].path()[0];
        }
        Position {
            stones,
            reserves: Side::BOTH.map(|side| variant.stones(side) - 3),
            variant,
            side: Side::First,
        }
    }

    /// The variant that is played.
    #[inline]
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The board of this size.
    #[inline]
    #[must_use]
    pub fn geometry(&self) -> &'static Geometry {
        Geometry::of(self.variant.size())
    }

    /// The points with stones of one side, as bits.
    #[inline]
    #[must_use]
    pub const fn stones(&self, side: Side) -> u128 {
        self.stones[side.index()]
    }

    /// Whose stone is on a point.
    #[must_use]
    pub fn stone(&self, point: u8) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.stones(side) >> point & 1 != 0)
    }

    /// How many stones one side has in reserve.
    #[inline]
    #[must_use]
    pub const fn reserve(&self, side: Side) -> u16 {
        self.reserves[side.index()]
    }

    /// The stones of one side on the board and in reserve.
    #[inline]
    #[must_use]
    pub fn material(&self, side: Side) -> u16 {
        self.reserve(side) + self.stones(side).count_ones() as u16
    }

    /// What the position is made of.
    #[must_use]
    pub const fn setup(&self) -> Setup {
        Setup {
            variant: self.variant,
            reserves: self.reserves,
            side: self.side,
            stones: self.stones,
        }
    }

    /// Whether the side to move has a stone to put down and a place for it.
    #[inline]
    pub(crate) fn can_move(&self) -> bool {
        let [white, black] = self.stones;
        self.reserve(self.side) > 0 && white | black != self.geometry().full()
    }

    /// Pushes a stone of the side to move; `None` if every point of the line is taken.
    /// There must be a stone in reserve.
    #[inline]
    pub(crate) fn push(&self, geometry: &Geometry, entry: &Entry) -> Option<Pushed> {
        let mut board = Board {
            stones: self.stones,
            reserves: self.reserves,
        };
        board.reserves[self.side.index()] -= 1;
        let mut carry = self.side.index();
        let mut changed = 0u32;
        let mut last = None;
        for (step, &point) in entry.path().iter().enumerate() {
            let bit = 1u128 << point;
            let here = if board.stones[0] & bit != 0 {
                0
            } else if board.stones[1] & bit != 0 {
                1
            } else {
                board.stones[carry] |= bit;
                changed |= 1 << step;
                last = Some(step);
                break;
            };
            if here != carry {
                board.stones[0] ^= bit;
                board.stones[1] ^= bit;
                changed |= 1 << step;
            }
            carry = here;
        }
        last?;
        // Only lines through a point whose stone has changed can hold a new row.
        let run = self.variant.run();
        let mut rows = [Lines::NONE; 2];
        while changed != 0 {
            let point = entry.path()[changed.trailing_zeros() as usize];
            changed &= changed - 1;
            let colour = usize::from(board.stones[1] >> point & 1 != 0);
            for axis in 0..3 {
                if geometry.run_length(board.stones[colour], point, axis) >= run {
                    rows[colour].insert(geometry.line_at(point, axis));
                }
            }
        }
        Some(Pushed { board, rows })
    }

    /// Calls `visit` with every legal move and the position after it, until it breaks:
    /// for searches, which would otherwise push every stone twice.
    #[inline]
    pub fn visit_successors<B>(
        &self,
        mut visit: impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.reserve(self.side) == 0 {
            return ControlFlow::Continue(());
        }
        let geometry = self.geometry();
        let occupied = self.stones[0] | self.stones[1];
        for (number, entry) in geometry.entries().iter().enumerate() {
            let number = number as u8;
            if number != entry.first && occupied >> entry.path()[0] & 1 == 0 {
                continue;
            }
            let Some(pushed) = self.push(geometry, entry) else {
                continue;
            };
            if pushed.is_quiet() {
                let choices = Choices::NONE;
                let entry = number;
                visit(Move { entry, choices }, self.followed_by(pushed.board))?;
            } else {
                let collection = self.collection(pushed);
                collection.visit(|choices, board| {
                    let entry = number;
                    visit(Move { entry, choices }, self.followed_by(board))
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The collection that follows a push.
    pub(crate) fn collection(&self, pushed: Pushed) -> collect::Collection {
        collect::Collection {
            board: pushed.board,
            rows: pushed.rows,
            mover: self.side,
            run: self.variant.run(),
            geometry: self.geometry(),
        }
    }

    /// The position after a legal move; `None` if it is not one.
    pub(crate) fn after(&self, mv: Move) -> Option<Position> {
        let geometry = self.geometry();
        let entry = geometry.entries().get(usize::from(mv.entry))?;
        if self.reserve(self.side) == 0 || self.canonical(mv.entry) != mv.entry {
            return None;
        }
        let pushed = self.push(geometry, entry)?;
        let board = if pushed.is_quiet() {
            (mv.choices == Choices::NONE).then_some(pushed.board)?
        } else {
            self.collection(pushed).play(mv.choices)?
        };
        Some(self.followed_by(board))
    }

    /// The board in the middle of a legal move: after the push, what needs no choice, and so
    /// many of its choices.
    #[must_use]
    pub fn midway(&self, mv: Move, choices: usize) -> Option<Midway> {
        let geometry = self.geometry();
        let entry = geometry.entries().get(usize::from(mv.entry))?;
        if self.reserve(self.side) == 0 {
            return None;
        }
        let mut collection = self.collection(self.push(geometry, entry)?);
        let mut made = mv.choices.rows().take(choices);
        let owner = loop {
            match collection.step() {
                Step::Done(_) => break None,
                Step::Taken { .. } => {}
                Step::Choose { colour, rows } => {
                    let Some(choice) = made.next() else {
                        break Some(colour);
                    };
                    let row = rows.iter().find(|row| row.choice == choice)?;
                    collection.choose(row, colour);
                }
            }
        };
        let Board { stones, reserves } = collection.board;
        Some(Midway {
            stones,
            reserves,
            owner,
        })
    }

    /// The position when the other side is to move on this board.
    #[inline]
    fn followed_by(&self, board: Board) -> Position {
        Position {
            stones: board.stones,
            reserves: board.reserves,
            variant: self.variant,
            side: !self.side,
        }
    }

    /// The same position seen from elsewhere: `stones` must be the image of its stones
    /// under a symmetry of the board.
    #[inline]
    #[must_use]
    pub fn with_stones(self, stones: [u128; 2]) -> Position {
        Position { stones, ..self }
    }

    /// The entry that stands for this one.
    pub(crate) fn canonical(&self, number: u8) -> u8 {
        let entry = &self.geometry().entries()[usize::from(number)];
        if self.stone(entry.path()[0]).is_none() {
            entry.first
        } else {
            number
        }
    }
}

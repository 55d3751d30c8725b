//! Taking rows off the board after a push.
//!
//! Before a push no row lies on the board, so every row that it makes passes through the
//! pushed line. Hence no other line ever holds two stretches with rows; the pushed line may hold
//! two or three, when a row that crosses it has been taken out of its middle. So the number of
//! a line and the place among its rows name a choice; and there are at most as many choices as
//! the longest line has points, because each takes one of them off.

use std::fmt;
use std::ops::ControlFlow;

use rules::Side;

use crate::Geometry;
use crate::geometry::{MAX_LENGTH, Symmetry};

/// Stones and reserves, White's first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Board {
    pub(crate) stones: [u128; 2],
    pub(crate) reserves: [u16; 2],
}

impl Board {
    /// Takes a stretch off: stones of the row's colour go back to reserve, others are lost.
    fn take(&mut self, stretch: u128, colour: usize) {
        self.reserves[colour] += (self.stones[colour] & stretch).count_ones() as u16;
        self.stones[0] &= !stretch;
        self.stones[1] &= !stretch;
    }
}

/// A set of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lines(u64);

impl Lines {
    pub(crate) const NONE: Lines = Lines(0);

    #[inline]
    pub(crate) fn insert(&mut self, line: u8) {
        self.0 |= 1 << line;
    }
}

impl Iterator for Lines {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let line = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (line < 64).then_some(line as u8)
    }
}

/// The rows that were chosen where rows crossed, in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Choices([u8; MAX_LENGTH]);

/// Fills the unused places of [`Choices`].
const END: u8 = u8::MAX;

/// The bits of a choice that are the number of its line.
const LINE: u8 = 63;

/// The row is the first of several on its line, or the last. (Of three, the one between has no
/// bit, like one that is alone: so a line that is read from its other end only swaps the bits.)
const FIRST: u8 = 64;
const LAST: u8 = 128;

impl Choices {
    /// No rows crossed.
    pub const NONE: Choices = Choices([END; MAX_LENGTH]);

    /// The chosen rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = u8> + use<> {
        self.0.into_iter().take_while(|&choice| choice != END)
    }

    /// These choices and one more.
    pub(crate) fn with(mut self, choice: u8) -> Choices {
        let free = self.rows().count();
        self.0[free] = choice;
        self
    }

    /// The same choices on a board that is turned or mirrored.
    pub(crate) fn seen(self, symmetry: &Symmetry) -> Choices {
        let seen = |choice: u8| {
            let (line, backwards) = symmetry.lines[usize::from(choice & LINE)];
            let place = match choice & !LINE {
                FIRST if backwards => LAST,
                LAST if backwards => FIRST,
                place => place,
            };
            line | place
        };
        Choices(
            self.0
                .map(|choice| if choice == END { END } else { seen(choice) }),
        )
    }
}

impl fmt::Debug for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.rows()).finish()
    }
}

/// A row or, where two runs of one colour lie in one stretch, all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) line: u8,
    /// How it is named among [`Choices`].
    pub(crate) choice: u8,
    /// All points that are taken off with it.
    pub(crate) stretch: u128,
    /// The points of the runs themselves.
    pub(crate) runs: u128,
}

/// The rows of one colour that must be dealt with next.
pub(crate) enum Step {
    /// No row is left on the board.
    Done(Board),
    /// These rows cross no other of their colour and are gone.
    Taken { colour: Side, rows: Vec<Row> },
    /// The owner chooses one of these, which come in the order of choice.
    Choose { colour: Side, rows: Vec<Row> },
}

/// The state of the board while rows are taken off.
#[derive(Clone, Copy)]
pub(crate) struct Collection {
    pub(crate) board: Board,
    /// Lines on which rows may lie.
    pub(crate) rows: [Lines; 2],
    pub(crate) mover: Side,
    pub(crate) run: u8,
    pub(crate) geometry: &'static Geometry,
}

impl Collection {
    /// The rows of one colour that now lie on the board, in the order of lines.
    fn find(&self, colour: Side) -> Vec<Row> {
        let mut rows = Vec::new();
        for line in self.rows[colour.index()] {
            self.find_on(line, colour, &mut rows);
        }
        rows
    }

    /// Adds the rows of one colour on a line, in the order of its points.
    fn find_on(&self, line: u8, colour: Side, rows: &mut Vec<Row>) {
        let own = self.board.stones[colour.index()];
        let occupied = self.board.stones[0] | self.board.stones[1];
        let before = rows.len();
        let (mut stretch, mut runs, mut current) = (0u128, 0u128, 0u128);
        let points = self.geometry.lines()[usize::from(line)]
            .iter()
            .map(|&p| 1u128 << p);
        // An empty place behind the last point ends the last run and stretch.
        for bit in points.chain([0]) {
            if own & bit != 0 {
                current |= bit;
            } else {
                if current.count_ones() >= u32::from(self.run) {
                    runs |= current;
                }
                current = 0;
            }
            if occupied & bit != 0 {
                stretch |= bit;
                continue;
            }
            if runs != 0 {
                rows.push(Row {
                    line,
                    choice: line,
                    stretch,
                    runs,
                });
            }
            (stretch, runs) = (0, 0);
        }
        if let [first, .., last] = &mut rows[before..] {
            first.choice |= FIRST;
            last.choice |= LAST;
        }
    }

    /// Takes off what needs no choice, or says what there is to choose from.
    pub(crate) fn step(&mut self) -> Step {
        for colour in [self.mover, !self.mover] {
            let rows = self.find(colour);
            if rows.is_empty() {
                continue;
            }
            let crosses = |a: &Row| {
                rows.iter()
                    .any(|b| a.line != b.line && a.stretch & b.stretch != 0)
            };
            let (mut crossing, alone): (Vec<Row>, Vec<Row>) =
                rows.iter().partition(|row| crosses(row));
            if alone.is_empty() {
                if let [a, b, c] = crossing[..] {
                    crossing = vec![c, a, b];
                }
                let rows = crossing;
                return Step::Choose { colour, rows };
            }
            for row in &alone {
                self.board.take(row.stretch, colour.index());
            }
            let rows = alone;
            return Step::Taken { colour, rows };
        }
        Step::Done(self.board)
    }

    /// Takes off the row that its owner has chosen.
    pub(crate) fn choose(&mut self, row: &Row, colour: Side) {
        self.board.take(row.stretch, colour.index());
    }

    /// Calls `visit` with every sequence of choices and the board it leads to.
    pub(crate) fn visit<B>(
        self,
        mut visit: impl FnMut(Choices, Board) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.visit_from(Choices::NONE, &mut visit)
    }

    fn visit_from<B>(
        mut self,
        made: Choices,
        visit: &mut impl FnMut(Choices, Board) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        loop {
            match self.step() {
                Step::Done(board) => return visit(made, board),
                Step::Taken { .. } => {}
                Step::Choose { colour, rows } => {
                    return rows.iter().try_for_each(|row| {
                        let mut next = self;
                        next.choose(row, colour);
                        next.visit_from(made.with(row.choice), visit)
                    });
                }
            }
        }
    }

    /// The board after these choices; `None` if they are not the ones to make.
    pub(crate) fn play(mut self, choices: Choices) -> Option<Board> {
        let mut made = choices.rows();
        loop {
            match self.step() {
                Step::Done(board) => return made.next().is_none().then_some(board),
                Step::Taken { .. } => {}
                Step::Choose { colour, rows } => {
                    let choice = made.next()?;
                    let row = rows.iter().find(|row| row.choice == choice)?;
                    self.choose(row, colour);
                }
            }
        }
    }
}

/// How many maximal runs of one colour, of either, are long enough to be rows.
pub(crate) fn count_rows(stones: [u128; 2], geometry: &Geometry, run: u8) -> u32 {
    let mut count = 0;
    for line in geometry.lines() {
        for stones in stones {
            let mut length = 0;
            for set in line.iter().map(|&p| stones >> p & 1 != 0).chain([false]) {
                if set {
                    length += 1;
                } else {
                    count += u32::from(length >= run);
                    length = 0;
                }
            }
        }
    }
    count
}

/// The end points of every run of a row, in the order of points.
pub(crate) fn ends(row: &Row, geometry: &Geometry) -> Vec<(u8, u8)> {
    let mut ends: Vec<(u8, u8)> = Vec::new();
    let mut inside = false;
    for &point in &geometry.lines()[usize::from(row.line)] {
        let set = row.runs >> point & 1 != 0;
        match ends.last_mut() {
            Some(last) if set && inside => last.1 = point,
            _ if set => ends.push((point, point)),
            _ => {}
        }
        inside = set;
    }
    ends
}

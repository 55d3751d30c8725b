//! Taking rows off the board after a push.
//!
//! Before a push no row lies on the board, so every row that it makes passes through the
//! pushed line. Hence no line ever holds two stretches with rows, and the number of a
//! line is enough to name a choice; and there are at most as many choices as the longest
//! line has points, because each takes one of them off.

use std::fmt;
use std::ops::ControlFlow;

use rules::Side;

use crate::Geometry;
use crate::geometry::MAX_LENGTH;

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

/// The lines of the rows that were chosen where rows crossed, in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Choices([u8; MAX_LENGTH]);

/// Fills the unused places of [`Choices`].
const END: u8 = u8::MAX;

impl Choices {
    /// No rows crossed.
    pub const NONE: Choices = Choices([END; MAX_LENGTH]);

    /// The numbers of the lines of the chosen rows.
    pub fn lines(&self) -> impl Iterator<Item = u8> + use<> {
        self.0.into_iter().take_while(|&line| line != END)
    }

    /// These choices and one more.
    pub(crate) fn with(mut self, line: u8) -> Choices {
        let free = self.lines().count();
        self.0[free] = line;
        self
    }

    /// These choices with every line renamed.
    pub(crate) fn map(self, image: impl Fn(u8) -> u8) -> Choices {
        Choices(
            self.0
                .map(|line| if line == END { END } else { image(line) }),
        )
    }
}

impl fmt::Debug for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.lines()).finish()
    }
}

/// A row or, where two runs of one colour lie in one stretch, all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) line: u8,
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
        let lines = self.rows[colour.index()];
        lines
            .filter_map(|line| find_row(&self.board, self.geometry, self.run, line, colour))
            .collect()
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
                        next.visit_from(made.with(row.line), visit)
                    });
                }
            }
        }
    }

    /// The board after these choices; `None` if they are not the ones to make.
    pub(crate) fn play(mut self, choices: Choices) -> Option<Board> {
        let mut lines = choices.lines();
        loop {
            match self.step() {
                Step::Done(board) => return lines.next().is_none().then_some(board),
                Step::Taken { .. } => {}
                Step::Choose { colour, rows } => {
                    let line = lines.next()?;
                    let row = rows.iter().find(|row| row.line == line)?;
                    self.choose(row, colour);
                }
            }
        }
    }
}

/// The row of a colour on a line, if there is one.
fn find_row(board: &Board, geometry: &Geometry, run: u8, line: u8, colour: Side) -> Option<Row> {
    let own = board.stones[colour.index()];
    let occupied = board.stones[0] | board.stones[1];
    let (mut stretch, mut runs, mut current) = (0u128, 0u128, 0u128);
    let points = geometry.lines()[usize::from(line)]
        .iter()
        .map(|&p| 1u128 << p);
    // An empty place behind the last point ends the last run and stretch.
    for bit in points.chain([0]) {
        if own & bit != 0 {
            current |= bit;
        } else {
            if current.count_ones() >= u32::from(run) {
                runs |= current;
            }
            current = 0;
        }
        if occupied & bit != 0 {
            stretch |= bit;
        } else if runs != 0 {
            return Some(Row {
                line,
                stretch,
                runs,
            });
        } else {
            stretch = 0;
        }
    }
    None
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

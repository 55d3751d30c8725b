//! Rows and taking them off.
//!
//! A *look* deals with every row of one colour that lies on the board: one after the other in any
//! order, and the rows are found again after each. Of a row everything goes that touches it in
//! line, but its owner may keep any GIPF-piece. A row of which everything was kept is still there;
//! it is dealt with once in a look.

use crate::points::{Points, Step};

/// The pieces on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pieces {
    /// The pieces of either colour, White's first.
    pub(crate) of: [Points; 2],
    /// Those that are GIPF-pieces.
    pub(crate) gipf: Points,
}

impl Pieces {
    #[inline]
    pub(crate) fn occupied(&self) -> Points {
        self.of[0] | self.of[1]
    }

    #[inline]
    pub(crate) fn clear(&mut self, points: Points) {
        self.of[0] &= !points;
        self.of[1] &= !points;
        self.gipf &= !points;
    }
}

/// Four or more pieces of one colour in a line, with all pieces that touch them in line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    pub(crate) axis: u8,
    /// The pieces of the row and those that touch it in line.
    pub pieces: Points,
    /// Those of them that are GIPF-pieces.
    pub gipf: Points,
}

impl Row {
    /// Whether nothing but GIPF-pieces is in the row, so that all of it may stay.
    #[must_use]
    pub fn may_stay(&self) -> bool {
        self.pieces == self.gipf
    }

    /// Whether a further row lies on the line of this one: then it is the same row, or what is
    /// left of it.
    fn is_on_line_of(&self, other: &Row) -> bool {
        self.axis == other.axis
            && stretch(self.pieces, Points::ALL, self.axis).intersects(other.pieces)
    }

    /// Whether the rows share a piece.
    #[must_use]
    pub fn crosses(&self, other: &Row) -> bool {
        self.pieces.intersects(other.pieces)
    }
}

/// The first points of four pieces in a line along an axis.
#[inline]
fn fours(own: Points, axis: usize) -> Points {
    let back = Step::AXES[axis].back();
    let pairs = own & own.step(back);
    pairs & pairs.step(back).step(back)
}

/// Whether four pieces of the set lie in a line.
#[inline]
pub(crate) fn has_four(own: Points) -> bool {
    !(fours(own, 0) | fours(own, 1) | fours(own, 2)).is_empty()
}

/// Everything that is joined to the points along an axis by points of `occupied`.
fn stretch(from: Points, occupied: Points, axis: u8) -> Points {
    let step = Step::AXES[usize::from(axis)];
    let mut all = from;
    loop {
        let grown = all | ((all.step(step) | all.step(step.back())) & occupied);
        if grown == all {
            return all;
        }
        all = grown;
    }
}

/// The rows of one colour (0 is White) on the board, axis by axis.
pub(crate) fn rows(pieces: &Pieces, colour: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for axis in 0..3u8 {
        let mut starts = fours(pieces.of[colour], usize::from(axis));
        while let Some(start) = starts.first() {
            let all = stretch(Points::of(start), pieces.occupied(), axis);
            rows.push(Row {
                axis,
                pieces: all,
                gipf: all & pieces.gipf,
            });
            starts &= !all;
        }
    }
    rows
}

/// What is taken off in one look, and which GIPF-pieces were spared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Removal {
    /// The pieces that go.
    pub taken: Points,
    /// The GIPF-pieces of the rows dealt with that stay.
    pub kept: Points,
}

/// A look under way: what lies on the board, what has gone and which rows are done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    pub(crate) pieces: Pieces,
    colour: usize,
    removal: Removal,
    done: Vec<Row>,
}

impl Look {
    pub(crate) fn new(pieces: Pieces, colour: usize) -> Look {
        Look {
            pieces,
            colour,
            removal: Removal::default(),
            done: Vec::new(),
        }
    }

    /// The rows that must be dealt with.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows = rows(&self.pieces, self.colour);
        rows.retain(|row| !self.done.iter().any(|done| done.is_on_line_of(row)));
        rows
    }

    /// Takes a row off, but for the GIPF-pieces that its owner keeps.
    pub(crate) fn take(&mut self, row: &Row, kept: Points) {
        let taken = row.pieces & !kept;
        self.pieces.clear(taken);
        self.removal.taken |= taken;
        self.removal.kept = (self.removal.kept | kept) & !taken;
        self.done.push(*row);
    }

    /// What has been taken and kept so far.
    pub(crate) fn removal(&self) -> Removal {
        self.removal
    }

    /// The row to deal with next if the order makes no difference: one that crosses no other.
    pub(crate) fn lone(rows: &[Row]) -> Option<&Row> {
        rows.iter().enumerate().find_map(|(i, row)| {
            let crossed = |(j, other): (usize, &Row)| i != j && row.crosses(other);
            (!rows.iter().enumerate().any(crossed)).then_some(row)
        })
    }

    fn collect(&self, all: &mut Vec<Removal>) {
        let rows = self.rows();
        if rows.is_empty() {
            if all.iter().all(|other| other.taken != self.removal.taken) {
                all.push(self.removal);
            }
            return;
        }
        let lone = Look::lone(&rows).map(std::slice::from_ref);
        for row in lone.unwrap_or(&rows) {
            for taken in row.gipf.subsets() {
                let mut next = self.clone();
                next.take(row, row.gipf & !taken);
                next.collect(all);
            }
        }
    }
}

/// Every way of taking off the rows of one colour; one that takes nothing if there is no row.
/// No two take the same pieces.
pub(crate) fn removals(pieces: &Pieces, colour: usize) -> Vec<Removal> {
    let mut all = Vec::new();
    Look::new(*pieces, colour).collect(&mut all);
    all
}

/// How many rows of one colour hold a piece that must be taken off.
pub(crate) fn overdue(pieces: &Pieces, colour: usize) -> usize {
    let rows = rows(pieces, colour);
    rows.iter().filter(|row| !row.may_stay()).count()
}

//! Rows and taking them off.
//!
//! A *look* deals with every row of one colour that lies on the board: one after the other in any
//! order, and the rows are found again after each. Of a row everything goes that touches it in
//! line, but its owner may keep any GIPF-piece. A row of which everything was kept is still there;
//! it is dealt with once in a look.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::ControlFlow;

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    pub(crate) pieces: Pieces,
    colour: usize,
    removal: Removal,
    /// The whole lines of the rows dealt with, by axis: a further row on one of them is the same
    /// row, or what is left of it.
    done: [Points; 3],
}

impl Look {
    pub(crate) fn new(pieces: Pieces, colour: usize) -> Look {
        Look {
            pieces,
            colour,
            removal: Removal::default(),
            done: [Points::EMPTY; 3],
        }
    }

    /// The rows that must be dealt with.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows = rows(&self.pieces, self.colour);
        rows.retain(|row| !self.done[usize::from(row.axis)].intersects(row.pieces));
        rows
    }

    /// Takes a row off, but for the GIPF-pieces that its owner keeps.
    pub(crate) fn take(&mut self, row: &Row, kept: Points) {
        let taken = row.pieces & !kept;
        self.pieces.clear(taken);
        self.removal.taken |= taken;
        self.removal.kept = (self.removal.kept | kept) & !taken;
        self.done[usize::from(row.axis)] |= stretch(row.pieces, Points::ALL, row.axis);
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

    /// Hands over every end of the look, the first for each set of pieces that go, until `end`
    /// breaks. Only ends at which just the pieces of `wanted` go are looked for, if it is given.
    ///
    /// GIPF-pieces in crossing rows can be kept and taken in very many orders, most of which come
    /// to the same: each state is looked at once.
    fn visit_ends<B>(
        mut self,
        wanted: Option<Points>,
        seen: &mut Seen<(Points, [Points; 3])>,
        end: &mut impl FnMut(Removal) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let within = wanted.unwrap_or(Points::ALL);
        let (rows, lone) = loop {
            let rows = self.rows();
            if rows.is_empty() {
                return match wanted.is_none_or(|wanted| wanted == self.removal.taken) {
                    true => end(self.removal),
                    false => ControlFlow::Continue(()),
                };
            }
            match Look::lone(&rows).copied() {
                Some(row) if row.gipf.is_empty() => self.take(&row, Points::EMPTY),
                lone => break (rows, lone),
            }
        };
        // No row comes up while pieces are taken off.
        let left = rows.iter().fold(Points::EMPTY, |set, row| set | row.pieces);
        let all = self.removal.taken | left;
        let hopeless = !within.contains_all(self.removal.taken)
            || wanted.is_some_and(|wanted| !all.contains_all(wanted));
        if hopeless || !seen.insert((self.removal.taken, self.done)) {
            return ControlFlow::Continue(());
        }
        for row in lone.as_ref().map_or(&rows[..], std::slice::from_ref) {
            for taken in (row.gipf & within).subsets() {
                let mut next = self;
                next.take(row, row.gipf & !taken);
                next.visit_ends(wanted, seen, end)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// What has been there before: a few at first, nearly always, and then no matter how many.
struct Seen<T> {
    few: Vec<T>,
    many: HashSet<T>,
}

impl<T: Copy + Eq + Hash> Seen<T> {
    const FEW: usize = 16;

    fn new() -> Seen<T> {
        Seen {
            few: Vec::new(),
            many: HashSet::new(),
        }
    }

    /// Whether this is the first time.
    fn insert(&mut self, new: T) -> bool {
        if self.few.contains(&new) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(new);
            return true;
        }
        self.many.insert(new)
    }
}

/// Every way of taking off the rows of one colour; one that takes nothing if there is no row.
/// No two take the same pieces.
pub(crate) fn removals(pieces: &Pieces, colour: usize) -> Vec<Removal> {
    let (mut all, mut taken) = (Vec::new(), Seen::new());
    let look = Look::new(*pieces, colour);
    let _: ControlFlow<()> = look.visit_ends(None, &mut Seen::new(), &mut |removal| {
        if taken.insert(removal.taken) {
            all.push(removal);
        }
        ControlFlow::Continue(())
    });
    all
}

/// The one of [`removals`] by which just these pieces go, found without the others.
pub(crate) fn find(pieces: &Pieces, colour: usize, taken: Points) -> Option<Removal> {
    let look = Look::new(*pieces, colour);
    look.visit_ends(Some(taken), &mut Seen::new(), &mut ControlFlow::Break)
        .break_value()
}

/// How many rows of one colour hold a piece that must be taken off.
pub(crate) fn overdue(pieces: &Pieces, colour: usize) -> usize {
    let rows = rows(pieces, colour);
    rows.iter().filter(|row| !row.may_stay()).count()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Every end of a look in the order in which it is found, in every order of rows and with
    /// every choice, as often as it is come to.
    fn plainly(look: Look, all: &mut Vec<Removal>) {
        let rows = look.rows();
        if rows.is_empty() && all.iter().all(|other| other.taken != look.removal.taken) {
            all.push(look.removal);
        }
        let lone = Look::lone(&rows).map(std::slice::from_ref);
        for row in lone.unwrap_or(&rows) {
            for taken in row.gipf.subsets() {
                let mut next = look;
                next.take(row, row.gipf & !taken);
                plainly(next, all);
            }
        }
    }

    fn board(rng: &mut ChaCha8Rng, density: f64) -> Pieces {
        let mut pieces = Pieces {
            of: [Points::EMPTY; 2],
            gipf: Points::EMPTY,
        };
        for point in Points::ALL {
            if rng.random_bool(density) {
                pieces.of[usize::from(rng.random_bool(0.2))] |= Points::of(point);
                if pieces.gipf.len() < 9 && rng.random_bool(0.5) {
                    pieces.gipf |= Points::of(point);
                }
            }
        }
        pieces
    }

    /// States that are looked at once lose no way of taking off, and one that is looked for is
    /// found, with the same pieces kept, while nothing else is.
    #[test]
    fn each_state_once_is_enough() {
        let mut rng = ChaCha8Rng::seed_from_u64(19);
        let mut most = 0;
        for _ in 0..2000 {
            let pieces = board(&mut rng, 0.55);
            let mut plain = Vec::new();
            plainly(Look::new(pieces, 0), &mut plain);
            assert_eq!(removals(&pieces, 0), plain, "{pieces:?}");
            for removal in plain.iter().take(20) {
                assert_eq!(find(&pieces, 0, removal.taken), Some(*removal));
                let other = removal.taken & !removal.taken.subsets().nth(1).unwrap_or_default();
                let listed = plain.iter().find(|removal| removal.taken == other);
                assert_eq!(find(&pieces, 0, other), listed.copied(), "{pieces:?}");
            }
            most = most.max(plain.len());
        }
        assert!(most > Seen::<Points>::FEW, "{most}");
    }
}

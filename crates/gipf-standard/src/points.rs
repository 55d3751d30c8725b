//! Points of the board and sets of them, as bits of a grid in which every direction is a shift.
//!
//! The hexagon lies in seven rows of eight: the point of column `c` and row `r` (both from 1, as
//! in [`gipf::Field`]) is bit `8 (r - 1) + (c - 1)`. The eighth column stays empty, so that a step
//! along an axis never leads from one edge of the board to another.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use gipf::Field;

/// Points along each side of the board.
pub const SIZE: u8 = 4;

/// One of the 37 playing points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

impl Point {
    /// The playing point at a field; `None` if the field is a dot or off the board.
    #[must_use]
    pub fn at(field: Field) -> Option<Point> {
        field
            .is_point(SIZE)
            .then(|| Point(8 * (field.row - 1) + field.column - 1))
    }

    /// The point with this label, such as `e5`.
    #[must_use]
    pub fn from_label(label: &str) -> Option<Point> {
        Field::from_label(label, SIZE).and_then(Point::at)
    }

    /// Where the point lies.
    #[must_use]
    pub const fn field(self) -> Field {
        Field {
            column: self.0 % 8 + 1,
            row: self.0 / 8 + 1,
        }
    }

    /// The label: the column's letter, and the number counted from the column's dot.
    #[must_use]
    pub fn label(self) -> String {
        self.field().label(SIZE)
    }

    /// The number of the point in the grid, below 56.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The point with this number; it must be one.
    #[inline]
    pub(crate) const fn new(index: u8) -> Point {
        Point(index)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label())
    }
}

/// A set of points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Points(u64);

impl Points {
    /// No point.
    pub const EMPTY: Points = Points(0);
    /// All 37 points.
    pub const ALL: Points = all();

    /// The set of one point.
    #[inline]
    #[must_use]
    pub const fn of(point: Point) -> Points {
        Points(1 << point.0)
    }

    /// The set with these bits of the grid.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Points {
        Points(bits & Points::ALL.0)
    }

    /// The bits of the grid.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether the set holds no point.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many points the set holds.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set holds a point.
    #[inline]
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.0 & 1 != 0
    }

    /// Whether all points of another set are in this one.
    #[inline]
    #[must_use]
    pub const fn contains_all(self, other: Points) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether the two sets share a point.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: Points) -> bool {
        self.0 & other.0 != 0
    }

    /// The first point of the grid.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Point> {
        match self.0 {
            0 => None,
            bits => Some(Point(bits.trailing_zeros() as u8)),
        }
    }

    /// The last point of the grid.
    #[inline]
    pub(crate) const fn last(self) -> Option<Point> {
        match self.0 {
            0 => None,
            bits => Some(Point(63 - bits.leading_zeros() as u8)),
        }
    }

    /// Every point one step further; what leaves the board is dropped.
    #[inline]
    pub(crate) const fn step(self, step: Step) -> Points {
        let shifted = if step.0 > 0 {
            self.0 << step.0
        } else {
            self.0 >> -step.0
        };
        Points(shifted & Points::ALL.0)
    }

    /// All subsets, the empty one first and the set itself last.
    pub(crate) fn subsets(self) -> impl Iterator<Item = Points> {
        let mut next = Some(0u64);
        std::iter::from_fn(move || {
            let current = next?;
            next = (current != self.0).then(|| current.wrapping_sub(self.0) & self.0);
            Some(Points(current))
        })
    }

    /// The points with the labels in order: by column, then upwards.
    pub(crate) fn by_label(self) -> Vec<Point> {
        let mut points: Vec<Point> = self.collect();
        points.sort_by_key(|point| {
            let field = point.field();
            (field.column, std::cmp::Reverse(field.row))
        });
        points
    }
}

const fn all() -> Points {
    let (mut bits, mut row) = (0, 0);
    while row < 7i8 {
        let mut column = 0;
        while column < 7 {
            if (row - column).abs() < SIZE as i8 {
                bits |= 1 << (8 * row + column);
            }
            column += 1;
        }
        row += 1;
    }
    Points(bits)
}

const _: () = assert!(Points::ALL.len() == 37);

impl BitAnd for Points {
    type Output = Points;
    #[inline]
    fn bitand(self, other: Points) -> Points {
        Points(self.0 & other.0)
    }
}

impl BitOr for Points {
    type Output = Points;
    #[inline]
    fn bitor(self, other: Points) -> Points {
        Points(self.0 | other.0)
    }
}

impl Not for Points {
    type Output = Points;
    #[inline]
    fn not(self) -> Points {
        Points(!self.0 & Points::ALL.0)
    }
}

impl BitAndAssign for Points {
    #[inline]
    fn bitand_assign(&mut self, other: Points) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Points {
    #[inline]
    fn bitor_assign(&mut self, other: Points) {
        self.0 |= other.0;
    }
}

/// The points in the order of the grid.
impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }
}

impl FromIterator<Point> for Points {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Points {
        points
            .into_iter()
            .fold(Points::EMPTY, |set, point| set | Points::of(point))
    }
}

impl fmt::Debug for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.by_label()).finish()
    }
}

/// A step to a neighbouring point: the distance of the bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Step(i8);

impl Step {
    /// Along each axis, once in either direction; opposite steps are three apart.
    pub(crate) const ALL: [Step; 6] = [Step(1), Step(9), Step(8), Step(-1), Step(-9), Step(-8)];
    /// One step along each axis.
    pub(crate) const AXES: [Step; 3] = [Step::ALL[0], Step::ALL[1], Step::ALL[2]];

    /// The step back.
    #[inline]
    pub(crate) const fn back(self) -> Step {
        Step(-self.0)
    }

    /// Whether the bits grow along the step.
    #[inline]
    pub(crate) const fn is_upward(self) -> bool {
        self.0 > 0
    }

    /// What the step adds to column and row.
    pub(crate) const fn delta(self) -> (i8, i8) {
        match self.0 {
            1 => (1, 0),
            9 => (1, 1),
            8 => (0, 1),
            -1 => (-1, 0),
            -9 => (-1, -1),
            _ => (0, -1),
        }
    }
}

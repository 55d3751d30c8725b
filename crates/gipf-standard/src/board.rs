//! What never changes: the ways onto the board, its lines and its symmetries.

use gipf::Field;

use crate::points::{Point, Points, SIZE, Step};

/// A dot with one direction in which a piece can be pushed from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Entry(u8);

/// Everything about one entry.
#[derive(Clone, Copy)]
struct Way {
    target: Point,
    step: Step,
    /// The target and all points behind it, up to the other edge.
    ray: Points,
    /// The entry onto the same target with the longest ray: while the target is empty they all do
    /// the same, and this one stands for them.
    standing: u8,
}

/// How many entries there are: three at each of 6 corners, two at each of 12 other edge points.
const COUNT: usize = 42;

static WAYS: [Way; COUNT] = ways();

/// Point by point in the order of the grid, direction by direction.
const fn ways() -> [Way; COUNT] {
    let none = Way {
        target: Point::new(0),
        step: Step::ALL[0],
        ray: Points::EMPTY,
        standing: 0,
    };
    let (mut ways, mut count) = ([none; COUNT], 0);
    let mut index = 0;
    while index < 56 {
        let target = Point::new(index);
        index += 1;
        if !Points::ALL.contains(target) {
            continue;
        }
        let (first, mut standing, mut direction) = (count, count, 0);
        while direction < 6 {
            let step = Step::ALL[direction];
            direction += 1;
            if !Points::of(target).step(step.back()).is_empty() {
                continue;
            }
            let (mut ray, mut front) = (0, Points::of(target));
            while !front.is_empty() {
                ray |= front.bits();
                front = front.step(step);
            }
            ways[count].target = target;
            ways[count].step = step;
            ways[count].ray = Points::from_bits(ray);
            if ways[count].ray.len() > ways[standing].ray.len() {
                standing = count;
            }
            count += 1;
        }
        let mut way = first;
        while way < count {
            ways[way].standing = standing as u8;
            way += 1;
        }
    }
    assert!(count == COUNT);
    ways
}

impl Entry {
    /// All entries.
    pub fn all() -> impl Iterator<Item = Entry> {
        (0..COUNT as u8).map(Entry)
    }

    /// The entry from a dot onto a neighbouring point.
    #[must_use]
    pub fn between(dot: Field, target: Point) -> Option<Entry> {
        Entry::all().find(|entry| entry.target() == target && entry.dot() == dot)
    }

    #[inline]
    fn way(self) -> &'static Way {
        &WAYS[usize::from(self.0)]
    }

    /// The number of the entry, below 42.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The point onto which the piece is pushed.
    #[inline]
    #[must_use]
    pub fn target(self) -> Point {
        self.way().target
    }

    /// The dot from which the piece is pushed.
    #[must_use]
    pub fn dot(self) -> Field {
        let (columns, rows) = self.way().step.back().delta();
        let Field { column, row } = self.target().field();
        Field {
            column: column.wrapping_add_signed(columns),
            row: row.wrapping_add_signed(rows),
        }
    }

    /// The target and all points behind it, up to the other edge.
    #[inline]
    #[must_use]
    pub fn ray(self) -> Points {
        self.way().ray
    }

    #[inline]
    pub(crate) fn step(self) -> Step {
        self.way().step
    }

    /// The entry that stands for this one when these points are occupied: onto an empty point
    /// all entries do the same, and the one with the longest line stands for all.
    #[inline]
    pub(crate) fn canonical(self, occupied: Points) -> Entry {
        if occupied.contains(self.target()) {
            self
        } else {
            Entry(self.way().standing)
        }
    }

    /// The nearest empty point of the ray: where the last pushed piece goes. `None` if every
    /// point is occupied.
    #[inline]
    pub(crate) fn gap(self, occupied: Points) -> Option<Point> {
        let empty = self.ray() & !occupied;
        if self.step().is_upward() {
            empty.first()
        } else {
            empty.last()
        }
    }

    /// Where the entry goes under a symmetry of the board.
    pub(crate) fn image(self, symmetry: usize) -> Entry {
        let target = turn(self.target().field(), symmetry);
        let dot = turn(self.dot(), symmetry);
        Point::at(target)
            .and_then(|target| Entry::between(dot, target))
            .expect("symmetries map entries to entries")
    }
}

/// Six turns, mirrored or not.
pub const SYMMETRIES: usize = 12;

/// Every point of a set after a symmetry; number 0 is the identity.
pub(crate) fn image(points: Points, symmetry: usize) -> Points {
    points
        .map(|point| {
            Point::at(turn(point.field(), symmetry)).expect("symmetries map points to points")
        })
        .collect()
}

/// A field after `index % 6` turns by 60 degrees, mirrored before if `index` is 6 or more.
fn turn(field: Field, index: usize) -> Field {
    let centre = SIZE as i8;
    let (mut x, mut y) = (field.column as i8 - centre, field.row as i8 - centre);
    if index >= 6 {
        (x, y) = (y, x);
    }
    for _ in 0..index % 6 {
        (x, y) = (x - y, x);
    }
    Field {
        column: (x + centre) as u8,
        row: (y + centre) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_those_of_the_generalised_game() {
        let geometry = gipf::Geometry::of(SIZE);
        let mut theirs: Vec<(Field, Vec<Field>)> = geometry
            .entries()
            .iter()
            .map(|entry| {
                let path = entry.path().iter().map(|&p| geometry.field(p));
                (entry.dot, path.collect())
            })
            .collect();
        let mut ours: Vec<(Field, Vec<Field>)> = Entry::all()
            .map(|entry| {
                let mut path: Vec<Field> = entry.ray().map(Point::field).collect();
                if !entry.step().is_upward() {
                    path.reverse();
                }
                (entry.dot(), path)
            })
            .collect();
        theirs.sort();
        ours.sort();
        assert_eq!(ours, theirs);
    }

    #[test]
    fn symmetries_are_twelve_different_ones() {
        let some: Points = [0, 1, 10].into_iter().map(Point::new).collect();
        let images: std::collections::BTreeSet<Points> =
            (0..SYMMETRIES).map(|index| image(some, index)).collect();
        assert_eq!(images.len(), SYMMETRIES);
        assert_eq!(image(some, 0), some);
    }
}

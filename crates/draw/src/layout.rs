//! Where the points of a board lie.

use crate::look::Look;

/// What a place on a board is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A square that holds a piece.
    Square,
    /// A crossing of lines that holds a piece.
    Point,
    /// A dot on the rim, from which pieces are pushed in.
    Dot,
    /// A square that is not part of the field.
    Hole,
    /// A square that stands for a move.
    Choice,
}

/// How the places of a board are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Rows and columns of squares, named by a letter and a number.
    Squares {
        /// From left to right.
        columns: usize,
        /// From top to bottom.
        rows: usize,
    },
    /// The crossings of a hexagon with this many points a side, inside a ring of dots.
    Hexagon(usize),
    /// Squares that stand for the legal moves of a game without a board of its own.
    Choices,
}

/// A place on the board, with its coordinate as people say it.
#[derive(Clone, PartialEq, Debug)]
pub struct Spot {
    /// The coordinate: `d3`.
    pub name: String,
    /// Columns from the left edge; half columns occur on the hexagon.
    pub x: f64,
    /// Rows from the top.
    pub y: f64,
    /// What can be there.
    pub kind: Kind,
}

/// All places of one board.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    /// What the board looks like.
    pub look: &'static Look,
    /// How the places are arranged.
    pub shape: Shape,
    /// The places, row by row from the top left, or from the bottom right on a turned board.
    pub spots: Vec<Spot>,
    /// Whether the board is seen from the other side.
    pub turned: bool,
    /// Whether the columns of a hexagon stand upright in pictures, so that a corner points up.
    /// `x` and `y` of its places, and lines of text, go by its rows all the same.
    pub upright: bool,
}

impl Layout {
    /// Squares named a1 (top left) and on.
    #[must_use]
    pub fn squares(look: &'static Look, columns: usize, rows: usize) -> Layout {
        let spots = (0..columns * rows)
            .map(|i| {
                let (column, row) = (i % columns, i / columns);
                Spot {
                    name: format!("{}{}", letter(column), row + 1),
                    x: column as f64,
                    y: row as f64,
                    kind: Kind::Square,
                }
            })
            .collect();
        let shape = Shape::Squares { columns, rows };
        Layout {
            look,
            shape,
            spots,
            turned: false,
            upright: false,
        }
    }

    /// One square for each of these names, eight to a row.
    #[must_use]
    pub fn choices(look: &'static Look, names: impl IntoIterator<Item = String>) -> Layout {
        let spot = |(i, name): (usize, String)| Spot {
            name,
            x: (i % 8) as f64,
            y: (i / 8) as f64,
            kind: Kind::Choice,
        };
        Layout {
            look,
            shape: Shape::Choices,
            spots: names.into_iter().enumerate().map(spot).collect(),
            turned: false,
            upright: false,
        }
    }

    /// A hexagon with `size` points a side inside its ring of dots.
    #[must_use]
    pub fn hexagon(look: &'static Look, size: usize) -> Layout {
        let last = 2 * size;
        let mut spots = Vec::new();
        for row in 0..=last {
            let length = size + 1 + row.min(last - row);
            for i in 0..length {
                // Columns lean to the left on their way down, and start at the top
                // row up to the middle one, then ever further down the right side.
                let column = i + row.saturating_sub(size);
                let height = size + 1 + column.min(last - column);
                let top = column.saturating_sub(size);
                let ring = row == 0 || row == last || i == 0 || i + 1 == length;
                spots.push(Spot {
                    name: format!("{}{}", letter(column), height + top - row),
                    x: i as f64 + (last + 1 - length) as f64 / 2.0,
                    y: row as f64,
                    kind: if ring { Kind::Dot } else { Kind::Point },
                });
            }
        }
        Layout {
            look,
            shape: Shape::Hexagon(size),
            spots,
            turned: false,
            upright: false,
        }
    }

    /// The same hexagon with its columns upright in pictures: `a1` at the lower left, and the
    /// first place of the middle column below.
    #[must_use]
    pub fn upright(self) -> Layout {
        Layout {
            upright: true,
            ..self
        }
    }

    /// Where a place lies in pictures: columns from the left edge and rows from the top. Half
    /// columns occur on the hexagon, on an upright one half rows.
    #[must_use]
    pub fn at(&self, spot: usize) -> (f64, f64) {
        let Spot { x, y, .. } = self.spots[spot];
        match self.shape {
            // A twelfth of a full turn to the left.
            Shape::Hexagon(size) if self.upright => {
                let size = size as f64;
                (x + (y - size) / 2.0, (y + size) * 0.75 - x / 2.0)
            }
            _ => (x, y),
        }
    }

    /// The same board seen from the other side.
    #[must_use]
    pub fn turn(mut self) -> Layout {
        // A list of moves has no other side.
        if self.shape == Shape::Choices {
            return self;
        }
        let (right, below) = self.extent();
        for spot in &mut self.spots {
            (spot.x, spot.y) = (right - spot.x, below - spot.y);
        }
        self.turned = !self.turned;
        self
    }

    /// The pieces that a piece pushed in from one place onto the next moves along, each with the
    /// place where it was and the place where it is then.
    #[must_use]
    pub fn pushed<P>(&self, pieces: &[Option<P>], from: usize, to: usize) -> Vec<(usize, usize)> {
        let way = self.between(from, to);
        let mut moved = Vec::new();
        let mut at = to;
        while pieces[at].is_some() {
            let Some(next) = self.step(at, way) else {
                break;
            };
            moved.push((at, next));
            at = next;
        }
        moved
    }

    /// The place with this coordinate.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.spots
            .iter()
            .position(|s| s.name.eq_ignore_ascii_case(name))
    }

    /// The place this far away, if the board reaches there.
    #[must_use]
    pub fn step(&self, from: usize, (dx, dy): (f64, f64)) -> Option<usize> {
        let (x, y) = (self.spots[from].x + dx, self.spots[from].y + dy);
        self.spots
            .iter()
            .position(|s| (s.x - x).abs() < 0.1 && (s.y - y).abs() < 0.1)
    }

    /// How far it is from one place to another.
    #[must_use]
    pub fn between(&self, from: usize, to: usize) -> (f64, f64) {
        let (a, b) = (&self.spots[from], &self.spots[to]);
        (b.x - a.x, b.y - a.y)
    }

    /// Columns and rows from edge to edge.
    #[must_use]
    pub fn extent(&self) -> (f64, f64) {
        let far = |f: fn(&Spot) -> f64| self.spots.iter().map(f).fold(0.0, f64::max);
        (far(|s| s.x), far(|s| s.y))
    }

    /// The lines drawn on a hexagon, from dot to dot.
    pub(crate) fn lines(&self) -> Vec<(usize, usize)> {
        let mut lines = Vec::new();
        for from in 0..self.spots.len() {
            if self.spots[from].kind != Kind::Dot {
                continue;
            }
            for way in [(1.0, 0.0), (0.5, 1.0), (-0.5, 1.0)] {
                let (mut at, mut inner) = (from, false);
                while let Some(next) = self.step(at, way) {
                    at = next;
                    inner |= self.spots[at].kind == Kind::Point;
                }
                if inner {
                    lines.push((from, at));
                }
            }
        }
        lines
    }
}

/// The letter of a column.
fn letter(column: usize) -> char {
    char::from_u32('a' as u32 + column as u32).unwrap_or('?')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::PLAIN;

    #[track_caller]
    fn check_row(size: usize, row: usize, names: &str) {
        let row: Vec<_> = Layout::hexagon(&PLAIN, size)
            .spots
            .iter()
            .filter(|s| s.y == row as f64)
            .map(|s| s.name.clone())
            .collect();
        assert_eq!(row.join(" "), names);
    }

    #[test]
    fn the_hexagon_is_named_as_in_the_rules() {
        check_row(4, 0, "a5 b6 c7 d8 e9");
        check_row(4, 1, "a4 b5 c6 d7 e8 f8");
        check_row(4, 4, "a1 b2 c3 d4 e5 f5 g5 h5 i5");
        check_row(4, 5, "b1 c2 d3 e4 f4 g4 h4 i4");
        check_row(4, 8, "e1 f1 g1 h1 i1");
        check_row(2, 1, "a2 b3 c4 d4");
        check_row(2, 4, "c1 d1 e1");
        check_row(3, 3, "a1 b2 c3 d4 e4 f4 g4");
    }

    /// Where places of an upright hexagon lie in pictures, and on the board seen from the other side.
    #[track_caller]
    fn check_upright(size: usize, name: &str, at: (f64, f64)) {
        let layout = Layout::hexagon(&PLAIN, size).upright();
        let spot = layout.find(name).unwrap();
        assert_eq!(layout.at(spot), at, "{name}");
        let (right, below) = layout.extent();
        assert_eq!(layout.turn().at(spot), (right - at.0, below - at.1));
    }

    #[test]
    fn columns_stand_upright() {
        check_upright(4, "e1", (4.0, 8.0));
        check_upright(4, "e5", (4.0, 4.0));
        check_upright(4, "e9", (4.0, 0.0));
        check_upright(4, "a1", (0.0, 6.0));
        check_upright(4, "a5", (0.0, 2.0));
        check_upright(4, "b2", (1.0, 5.5));
        check_upright(4, "i1", (8.0, 6.0));
        check_upright(4, "i5", (8.0, 2.0));
        check_upright(3, "d1", (3.0, 6.0));
        check_upright(3, "d4", (3.0, 3.0));
        check_upright(3, "g4", (6.0, 1.5));
        // The columns from left to right, each from its lower end to its upper one.
        let layout = Layout::hexagon(&PLAIN, 4).upright();
        for (spot, place) in layout.spots.iter().enumerate() {
            let mut name = place.name.bytes();
            let (x, y) = layout.at(spot);
            assert_eq!(f64::from(name.next().unwrap() - b'a'), x, "{}", place.name);
            let upwards = f64::from(name.next().unwrap() - b'1');
            assert_eq!(8.0 - y, upwards + (x - 4.0).abs() / 2.0, "{}", place.name);
        }
    }

    #[test]
    fn a_turned_board_is_seen_from_the_other_side() {
        let layout = Layout::hexagon(&PLAIN, 3);
        let turned = layout.clone().turn();
        assert_eq!(turned.turn(), layout);
        let squares = Layout::squares(&PLAIN, 8, 8).turn();
        assert_eq!((squares.spots[0].x, squares.spots[0].y), (7.0, 7.0));
        assert_eq!(squares.spots[0].name, "a1");
    }

    #[test]
    fn a_push_moves_what_is_in_its_way_up_to_the_gap() {
        let layout = Layout::hexagon(&PLAIN, 3);
        let spot = |name| layout.find(name).unwrap();
        let mut pieces = vec![None; layout.spots.len()];
        for name in ["b2", "c3", "e4"] {
            pieces[spot(name)] = Some(());
        }
        let moved = layout.pushed(&pieces, spot("a1"), spot("b2"));
        let ends = |from, to| (spot(from), spot(to));
        assert_eq!(moved, [ends("b2", "c3"), ends("c3", "d4")]);
    }

    #[test]
    fn lines_join_opposite_dots() {
        let layout = Layout::hexagon(&PLAIN, 2);
        let named: Vec<_> = layout
            .lines()
            .into_iter()
            .map(|(a, b)| format!("{}-{}", layout.spots[a].name, layout.spots[b].name))
            .collect();
        assert_eq!(named.len(), 9);
        assert!(named.contains(&"a1-e3".to_string()));
        assert!(named.contains(&"a3-e1".to_string()));
        assert!(!named.contains(&"a3-c5".to_string()));
    }
}

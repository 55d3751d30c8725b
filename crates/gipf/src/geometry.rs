//! The hexagon: fields, labels, lines and the ways in.
//!
//! Fields have a column (letters from the left, 0 is `a`) and a row (0 is the top row of
//! dots). The six directions are the neighbours (column, row) ± (1, 0), (1, 1), (0, 1);
//! a line of dots and points runs along each of the three axes.

use std::sync::LazyLock;

use crate::Variant;

/// The number of points of the largest board.
pub const MAX_POINTS: usize = 127;
/// The number of points on the longest line of the largest board.
pub const MAX_LENGTH: usize = 13;

/// No neighbour in this direction.
const NONE: u8 = u8::MAX;

/// A place on the board or on the ring of dots around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Field {
    /// 0 is the column of dots on the left, `a`.
    pub column: u8,
    /// 0 is the row of dots at the top.
    pub row: u8,
}

/// The neighbour of a field one step on. E, SE, S, W, NW, N, as seen when columns are
/// drawn upright; opposite directions are three apart, an axis is a direction modulo 3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Direction(u8);

impl Direction {
    pub(crate) const ALL: [Direction; 6] = [
        Direction(0),
        Direction(1),
        Direction(2),
        Direction(3),
        Direction(4),
        Direction(5),
    ];

    const fn opposite(self) -> Direction {
        Direction((self.0 + 3) % 6)
    }

    const fn delta(self) -> (i8, i8) {
        [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)][self.0 as usize]
    }
}

impl Field {
    /// The field one step on, if it is on the board or on its ring.
    fn step(self, direction: Direction, size: u8) -> Option<Field> {
        let (columns, rows) = direction.delta();
        Field {
            column: self.column.checked_add_signed(columns)?,
            row: self.row.checked_add_signed(rows)?,
        }
        .within(size + 1)
    }

    /// The field itself, if it lies on the board of this size grown by its ring of dots.
    fn within(self, ring: u8) -> Option<Field> {
        let last = 2 * (ring - 1);
        let inside =
            self.column <= last && self.row <= last && self.column.abs_diff(self.row) < ring;
        inside.then_some(self)
    }

    /// Whether it is a playing point rather than a dot of the ring.
    #[must_use]
    pub fn is_point(self, size: u8) -> bool {
        let last = 2 * size;
        (1..last).contains(&self.column)
            && (1..last).contains(&self.row)
            && self.column.abs_diff(self.row) < size
    }

    /// The label: the column's letter, and the number counted from the column's bottom.
    #[must_use]
    pub fn label(self, size: u8) -> String {
        let letter = char::from(b'a' + self.column);
        let number = self.column.min(size) + size + 1 - self.row;
        format!("{letter}{number}")
    }

    /// The field with this label, if the board or its ring has it.
    #[must_use]
    pub fn from_label(label: &str, size: u8) -> Option<Field> {
        let mut chars = label.chars();
        let column = match chars.next()? {
            letter @ 'a'..='z' => letter as u8 - b'a',
            _ => return None,
        };
        let digits = chars.as_str();
        if !digits.starts_with(|c: char| ('1'..='9').contains(&c)) {
            return None;
        }
        let number: u8 = digits.parse().ok()?;
        let row = (column.min(size) + size + 1).checked_sub(number)?;
        Field { column, row }.within(size + 1)
    }
}

/// A dot with one direction in which a stone can be pushed from it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The dot.
    pub dot: Field,
    /// The line along which stones are pushed.
    pub line: u8,
    /// The first entry onto the same point: they all do the same while it is empty.
    pub(crate) first: u8,
    path: [u8; MAX_LENGTH],
    length: u8,
}

impl Entry {
    /// The points of the line, starting with the one next to the dot.
    #[inline]
    #[must_use]
    pub fn path(&self) -> &[u8] {
        &self.path[..usize::from(self.length)]
    }
}

/// Everything about the board of one size that does not change during a game.
///
/// Points are numbered row by row from the top left. Lines are numbered as rows of
/// stones are looked for: columns from the left, rows from the top, falling diagonals
/// from the top right. Entries are numbered in the order in which moves are generated:
/// around the rim clockwise from the top left corner, the dots E, SE, S, W, NW, N of it.
#[derive(Debug)]
pub struct Geometry {
    size: u8,
    fields: Vec<Field>,
    neighbours: Vec<[u8; 6]>,
    /// The line of each point along each axis.
    line_of: Vec<[u8; 3]>,
    lines: Vec<Vec<u8>>,
    depths: Vec<u8>,
    entries: Vec<Entry>,
    symmetries: Vec<Symmetry>,
}

/// Where points, lines and entries go when the board is turned or mirrored.
#[derive(Debug)]
pub(crate) struct Symmetry {
    pub(crate) points: Vec<u8>,
    /// Whether a line's points come in the other order, too.
    pub(crate) lines: Vec<(u8, bool)>,
    pub(crate) entries: Vec<u8>,
}

impl Geometry {
    /// The board can be turned by six angles, mirrored or not.
    pub const SYMMETRIES: usize = 12;

    /// The board of a size that [`Variant::SIZES`] contains.
    #[inline]
    #[must_use]
    pub fn of(size: u8) -> &'static Geometry {
        static ALL: [LazyLock<Geometry>; 6] = [
            LazyLock::new(|| Geometry::new(2)),
            LazyLock::new(|| Geometry::new(3)),
            LazyLock::new(|| Geometry::new(4)),
            LazyLock::new(|| Geometry::new(5)),
            LazyLock::new(|| Geometry::new(6)),
            LazyLock::new(|| Geometry::new(7)),
        ];
        &ALL[usize::from(size - Variant::SIZES.start())]
    }

    fn new(size: u8) -> Geometry {
        let fields: Vec<Field> = (0..=2 * size)
            .flat_map(|row| (0..=2 * size).map(move |column| Field { column, row }))
            .filter(|field| field.is_point(size))
            .collect();
        let mut geometry = Geometry {
            size,
            neighbours: Vec::new(),
            line_of: Vec::new(),
            lines: Vec::new(),
            depths: Vec::new(),
            entries: Vec::new(),
            symmetries: Vec::new(),
            fields,
        };
        geometry.neighbours = geometry
            .fields
            .iter()
            .map(|field| {
                Direction::ALL.map(|direction| {
                    field
                        .step(direction, size)
                        .and_then(|next| geometry.point(next))
                        .unwrap_or(NONE)
                })
            })
            .collect();
        geometry.line_of = geometry.fields.iter().map(|f| lines_of(*f, size)).collect();
        geometry.lines = vec![Vec::new(); 3 * usize::from(2 * size - 1)];
        for (point, lines) in geometry.line_of.iter().enumerate() {
            for &line in lines {
                geometry.lines[usize::from(line)].push(point as u8);
            }
        }
        geometry.depths = geometry.fields.iter().map(|f| depth_of(*f, size)).collect();
        geometry.entries = geometry.find_entries();
        geometry.symmetries = (0..Geometry::SYMMETRIES)
            .map(|i| geometry.symmetry_of(i))
            .collect();
        geometry
    }

    fn find_entries(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        for rim in rim(self.size) {
            let first = entries.len() as u8;
            for direction in Direction::ALL {
                let dot = rim.step(direction, self.size);
                let Some(dot) = dot.filter(|dot| !dot.is_point(self.size)) else {
                    continue;
                };
                let ahead = direction.opposite();
                let mut path = [0; MAX_LENGTH];
                let mut length = 0;
                let mut next = self.point(rim);
                while let Some(point) = next {
                    path[length] = point;
                    length += 1;
                    next = self.neighbour(point, ahead);
                }
                let axis = ahead.0 % 3;
                entries.push(Entry {
                    dot,
                    line: self.line_of[usize::from(path[0])][usize::from(axis)],
                    first,
                    path,
                    length: length as u8,
                });
            }
        }
        entries
    }

    fn symmetry_of(&self, index: usize) -> Symmetry {
        let map = |field: Field| turn(field, index, self.size);
        let point = |p: u8| {
            let image = self.point(map(self.field(p)));
            image.expect("symmetries map points to points")
        };
        Symmetry {
            points: (0..self.points() as u8).map(point).collect(),
            lines: self
                .lines
                .iter()
                .map(|line| {
                    let (a, b) = (point(line[0]), point(line[1]));
                    (self.line_through(a, b).expect("and lines to lines"), a > b)
                })
                .collect(),
            entries: self
                .entries
                .iter()
                .map(|entry| {
                    let (dot, first) = (map(entry.dot), point(entry.path[0]));
                    self.entry(dot, self.field(first))
                        .expect("and entries to entries")
                })
                .collect(),
        }
    }

    /// Points along each side.
    #[must_use]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// How many playing points there are.
    #[inline]
    #[must_use]
    pub fn points(&self) -> usize {
        self.fields.len()
    }

    /// All points as a set of bits.
    #[inline]
    #[must_use]
    pub fn full(&self) -> u128 {
        !0 >> (128 - self.points())
    }

    /// Where a point is.
    #[inline]
    #[must_use]
    pub fn field(&self, point: u8) -> Field {
        self.fields[usize::from(point)]
    }

    /// The number of the playing point at this field.
    #[must_use]
    pub fn point(&self, field: Field) -> Option<u8> {
        self.fields
            .binary_search_by_key(&(field.row, field.column), |f| (f.row, f.column))
            .ok()
            .map(|index| index as u8)
    }

    /// All fields of board and ring, row by row.
    pub fn all_fields(&self) -> impl Iterator<Item = Field> + use<> {
        let size = self.size;
        (0..=2 * size)
            .flat_map(move |row| (0..=2 * size).map(move |column| Field { column, row }))
            .filter_map(move |field| field.within(size + 1))
    }

    /// The points of each row from the top: for drawing and for text.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        let count = self.lines.len() / 3;
        self.lines[count..2 * count].iter().map(Vec::as_slice)
    }

    /// The label of a point.
    #[must_use]
    pub fn label(&self, point: u8) -> String {
        self.field(point).label(self.size)
    }

    /// All lines: the points of each in a row.
    #[must_use]
    pub fn lines(&self) -> &[Vec<u8>] {
        &self.lines
    }

    /// How many steps a point is away from the rim.
    #[inline]
    #[must_use]
    pub fn depth(&self, point: u8) -> u8 {
        self.depths[usize::from(point)]
    }

    /// The number of the line through two points one step apart.
    fn line_through(&self, a: u8, b: u8) -> Option<u8> {
        let direction = self.neighbours[usize::from(a)]
            .iter()
            .position(|&n| n == b)?;
        Some(self.line_of[usize::from(a)][direction % 3])
    }

    /// The line of a point along an axis.
    #[inline]
    pub(crate) fn line_at(&self, point: u8, axis: u8) -> u8 {
        self.line_of[usize::from(point)][usize::from(axis)]
    }

    /// The next point, if the edge does not come first.
    #[inline]
    fn neighbour(&self, point: u8, direction: Direction) -> Option<u8> {
        let next = self.neighbours[usize::from(point)][usize::from(direction.0)];
        (next != NONE).then_some(next)
    }

    /// How many stones of the set lie without a gap along an axis through `point`,
    /// which is counted whether it is in the set or not.
    #[inline]
    pub(crate) fn run_length(&self, stones: u128, point: u8, axis: u8) -> u8 {
        let mut length = 1;
        for direction in [Direction(axis), Direction(axis + 3)] {
            let mut at = point;
            while let Some(next) = self.neighbour(at, direction)
                && stones >> next & 1 != 0
            {
                length += 1;
                at = next;
            }
        }
        length
    }

    /// All entries in the order in which moves are generated.
    #[inline]
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of the entry from a dot onto the neighbouring point.
    #[must_use]
    pub fn entry(&self, dot: Field, target: Field) -> Option<u8> {
        self.entries
            .iter()
            .position(|e| e.dot == dot && self.field(e.path[0]) == target)
            .map(|index| index as u8)
    }

    /// Where each point goes under a symmetry; number 0 is the identity.
    #[must_use]
    pub fn images(&self, symmetry: usize) -> &[u8] {
        &self.symmetries[symmetry].points
    }

    pub(crate) fn symmetry(&self, index: usize) -> &Symmetry {
        &self.symmetries[index]
    }
}

/// The lines through a point along the axes E, SE, S.
fn lines_of(field: Field, size: u8) -> [u8; 3] {
    let count = 2 * size - 1;
    let (column, row) = (field.column - 1, field.row - 1);
    let diagonal = size - 1 + row - column;
    [count + row, 2 * count + diagonal, column]
}

/// Steps to the rim: the distance to the centre is the longest of three coordinates.
fn depth_of(field: Field, size: u8) -> u8 {
    let (x, y) = (field.column.abs_diff(size), field.row.abs_diff(size));
    let distance = x.max(y).max(field.column.abs_diff(field.row));
    size - 1 - distance
}

/// The rim clockwise from the top left corner.
fn rim(size: u8) -> Vec<Field> {
    let mut at = Field { column: 1, row: 1 };
    let mut rim = Vec::new();
    // The sides run E, SE, S, W, NW, N.
    for direction in Direction::ALL {
        for _ in 1..size {
            rim.push(at);
            at = at.step(direction, size).expect("the rim is on the board");
        }
    }
    rim
}

/// A field after `index % 6` turns by 60 degrees, mirrored before if `index` is 6 or more.
fn turn(field: Field, index: usize, size: u8) -> Field {
    let centre = size as i8;
    let (mut x, mut y) = (field.column as i8 - centre, field.row as i8 - centre);
    if index >= 6 {
        (x, y) = (y, x);
    }
    for _ in 0..index % 6 {
        // E goes to SE, SE to S, S to W.
        (x, y) = (x - y, x);
    }
    Field {
        column: (x + centre) as u8,
        row: (y + centre) as u8,
    }
}

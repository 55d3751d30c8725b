//! A small board as three words per colour, one for each axis.
//!
//! Boards of up to 19 points (sizes 2 and 3) fit a dense word of bits. Each colour is kept
//! three times, its points in the order of the lines of each axis, so that a line is a
//! shift and a mask, and runs are found by shifting a word against itself.

use gipf::{Geometry, Variant};

/// The most points of a board that tables are made for.
pub(crate) const MAX_POINTS: usize = 19;

/// A set of points in the board's own numbering.
pub(crate) type Set = u32;

/// A set of points, once for each axis; the first is in the board's own numbering.
pub(crate) type Axes = [u32; 3];

/// A line of the board, or rather one direction along it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) axis: usize,
    pub(crate) shift: u32,
    pub(crate) length: u32,
    /// Which set of masks belongs to it.
    pub(crate) number: usize,
}

/// What moves along a line: the bits that change in it for the pusher and the other side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delta {
    pub(crate) own: u8,
    pub(crate) other: u8,
}

/// Everything about a board of one size and one run length.
pub(crate) struct Shape {
    pub(crate) points: usize,
    pub(crate) full: Set,
    pub(crate) run: u32,
    pub(crate) lines: Vec<Line>,
    /// A line's bits as a set of points for each axis: `masks[line][bits]`.
    pub(crate) masks: Vec<Vec<Axes>>,
    /// For each axis, the points whose successor in the word lies on the same line.
    adjacent: Axes,
    /// For each axis, the line of each bit of the word.
    line_of: [[u8; MAX_POINTS]; 3],
    /// Points of the rim, where stones come in.
    pub(crate) rim: Set,
    /// From the board's own order to the other two, by the low and the high bits.
    orders: [[Vec<u32>; 2]; 2],
    /// The images of a set under each symmetry, by the low and the high bits.
    images: Vec<[Vec<u32>; 2]>,
    /// The symmetry that takes each one back.
    pub(crate) inverse: [u8; 12],
    /// The push from each end onto an occupied point, by the line's content.
    pushes: Vec<[Vec<Option<Delta>>; 2]>,
    /// The ways to take such a push back.
    unpushes: Vec<[Vec<Vec<Delta>>; 2]>,
    /// The stretches with rows of the first colour, by the line's content.
    stretches: Vec<Vec<[u8; 2]>>,
}

/// How the bits of a word are split for look-ups.
const LOW: u32 = 10;
const LOW_MASK: u32 = (1 << LOW) - 1;

impl Shape {
    pub(crate) fn new(variant: Variant) -> Shape {
        let geometry = Geometry::of(variant.size());
        let points = geometry.points();
        assert!(
            points <= MAX_POINTS,
            "tables are for boards of size 2 and 3"
        );
        let per_axis = geometry.lines().len() / 3;
        // The board's own numbering goes row by row: that axis comes first.
        let groups: Vec<&[Vec<u8>]> = geometry.lines().chunks(per_axis).collect();
        let rows = groups
            .iter()
            .position(|lines| lines.concat().iter().copied().eq(0..points as u8))
            .expect("points are numbered row by row");
        let axes: Vec<&[Vec<u8>]> = (0..3).map(|axis| groups[(rows + axis) % 3]).collect();
        let place: Vec<Vec<u32>> = axes
            .iter()
            .map(|lines| {
                let mut place = vec![0; points];
                for (at, &point) in lines.concat().iter().enumerate() {
                    place[point as usize] = at as u32;
                }
                place
            })
            .collect();
        let reorder = |set: Set, axis: usize| {
            bits(set).fold(0, |word, point| word | 1 << place[axis][point as usize])
        };

        let mut lines = Vec::new();
        let mut masks = Vec::new();
        let mut adjacent = [0; 3];
        let mut line_of = [[0; MAX_POINTS]; 3];
        let mut rim = 0;
        for (axis, axis_lines) in axes.iter().enumerate() {
            let mut shift = 0;
            for line in axis_lines.iter() {
                let length = line.len() as u32;
                rim |= 1 << line[0] | 1 << line[line.len() - 1];
                adjacent[axis] |= ((1 << (length - 1)) - 1) << shift;
                let number = lines.len();
                line_of[axis][shift as usize..(shift + length) as usize].fill(number as u8);
                lines.push(Line {
                    axis,
                    shift,
                    length,
                    number,
                });
                masks.push(
                    (0..1u32 << length)
                        .map(|content| {
                            let set = bits(content).fold(0, |set, at| set | 1 << line[at as usize]);
                            [0, 1, 2].map(|axis| reorder(set, axis))
                        })
                        .collect(),
                );
                shift += length;
            }
        }

        let halves = |image: &dyn Fn(Set) -> u32| {
            let high = 1u32 << (points as u32).saturating_sub(LOW);
            [
                (0..1 << LOW)
                    .map(|low| image(low & ((1 << points) - 1)))
                    .collect(),
                (0..high).map(|high| image(high << LOW)).collect(),
            ]
        };
        let longest = 2 * u32::from(variant.size()) - 1;
        let run = u32::from(variant.run());
        Shape {
            points,
            full: (1 << points) - 1,
            run,
            lines,
            masks,
            adjacent,
            line_of,
            rim,
            orders: [1, 2].map(|axis| halves(&|set| reorder(set, axis))),
            images: (0..12)
                .map(|index| {
                    halves(&|set| {
                        bits(set).fold(0, |image, point| {
                            image | 1 << geometry.images(index)[point as usize]
                        })
                    })
                })
                .collect(),
            inverse: std::array::from_fn(|index| {
                let back = |inverse: &u8| {
                    let there = geometry.images(index).iter().enumerate();
                    let again = geometry.images(usize::from(*inverse));
                    there
                        .into_iter()
                        .all(|(point, &image)| again[usize::from(image)] == point as u8)
                };
                (0..12).find(back).expect("symmetries form a group")
            }),
            pushes: (0..=longest)
                .map(|length| by_content(length, push))
                .collect(),
            unpushes: (0..=longest)
                .map(|length| by_content(length, unpush))
                .collect(),
            stretches: (0..=longest).map(|length| stretches(length, run)).collect(),
        }
    }

    /// The set in the order of every axis.
    #[inline]
    pub(crate) fn axes(&self, set: Set) -> Axes {
        let (low, high) = ((set & LOW_MASK) as usize, (set >> LOW) as usize);
        let [a, b] = &self.orders;
        [set, a[0][low] | a[1][high], b[0][low] | b[1][high]]
    }

    /// The set seen through a symmetry.
    #[inline]
    pub(crate) fn image(&self, set: Set, symmetry: usize) -> Set {
        let image = &self.images[symmetry];
        image[0][(set & LOW_MASK) as usize] | image[1][(set >> LOW) as usize]
    }

    /// The first points of the runs along an axis that are to be taken off.
    #[inline]
    pub(crate) fn runs(&self, set: &Axes, axis: usize) -> u32 {
        let pairs = set[axis] & (set[axis] >> 1) & self.adjacent[axis];
        (1..self.run - 1).fold(pairs, |runs, step| runs & pairs >> step)
    }

    /// Whether the set holds a run that is to be taken off.
    #[inline]
    pub(crate) fn has_row(&self, set: &Axes) -> bool {
        (0..3).fold(0, |runs, axis| runs | self.runs(set, axis)) != 0
    }

    /// The line that a bit of an axis' word lies on.
    #[inline]
    pub(crate) fn line_at(&self, axis: usize, bit: u32) -> &Line {
        &self.lines[usize::from(self.line_of[axis][bit as usize])]
    }

    /// Both colours on a line, as one number.
    #[inline]
    pub(crate) fn content(&self, line: &Line, own: &Axes, other: &Axes) -> usize {
        let mask = (1 << line.length) - 1;
        let own = (own[line.axis] >> line.shift) & mask;
        let other = (other[line.axis] >> line.shift) & mask;
        (own | other << line.length) as usize
    }

    /// What a push onto the occupied first point from this end does; `None` if that point
    /// is empty or the line full.
    #[inline]
    pub(crate) fn push(&self, line: &Line, end: usize, content: usize) -> Option<Delta> {
        self.pushes[line.length as usize][end][content]
    }

    /// What was changed by each push from this end that can have led to this content.
    #[inline]
    pub(crate) fn unpushes(&self, line: &Line, end: usize, content: usize) -> &[Delta] {
        &self.unpushes[line.length as usize][end][content]
    }

    /// The stretches of a line that hold rows of the colour given first (0 for none).
    #[inline]
    pub(crate) fn stretches(&self, line: &Line, content: usize) -> [u8; 2] {
        self.stretches[line.length as usize][content]
    }
}

/// The elements of a set.
pub(crate) fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (bit < 32).then_some(bit)
    })
}

/// A table over all contents of a line, seen from either end.
fn by_content<T>(length: u32, entry: fn(u32, u32, u32) -> T) -> [Vec<T>; 2]
where
    T: Mirror,
{
    let contents = |end: usize| {
        (0..1u32 << (2 * length))
            .map(|content| {
                let mask = (1 << length) - 1;
                let (own, other) = (content & mask, content >> length);
                if end == 0 {
                    entry(length, own, other)
                } else {
                    entry(length, reverse(own, length), reverse(other, length)).mirror(length)
                }
            })
            .collect()
    };
    [contents(0), contents(1)]
}

/// A line's bits in the opposite order.
fn reverse(content: u32, length: u32) -> u32 {
    if length == 0 {
        return 0;
    }
    content.reverse_bits() >> (32 - length)
}

/// What can be seen from the other end of a line.
trait Mirror {
    fn mirror(self, length: u32) -> Self;
}

impl Mirror for Delta {
    fn mirror(self, length: u32) -> Delta {
        Delta {
            own: reverse(u32::from(self.own), length) as u8,
            other: reverse(u32::from(self.other), length) as u8,
        }
    }
}

impl Mirror for Option<Delta> {
    fn mirror(self, length: u32) -> Option<Delta> {
        self.map(|delta| delta.mirror(length))
    }
}

impl Mirror for Vec<Delta> {
    fn mirror(self, length: u32) -> Vec<Delta> {
        self.into_iter().map(|delta| delta.mirror(length)).collect()
    }
}

/// The content after a stone of the first colour is pushed in at bit 0 and the stones up
/// to the gap at bit `gap` move on by one.
fn pushed(own: u32, other: u32, gap: u32) -> (u32, u32) {
    let moving = (1 << gap) - 1;
    let shift = |stones: u32| (stones & !moving) | (stones & moving) << 1;
    (shift(own) | 1, shift(other))
}

fn push(length: u32, own: u32, other: u32) -> Option<Delta> {
    let gap = (own | other).trailing_ones();
    if own & other != 0 || gap == 0 || gap >= length {
        return None;
    }
    let (after_own, after_other) = pushed(own, other, gap);
    Some(Delta {
        own: (own ^ after_own) as u8,
        other: (other ^ after_other) as u8,
    })
}

fn unpush(_: u32, own: u32, other: u32) -> Vec<Delta> {
    if own & other != 0 || own & 1 == 0 {
        return Vec::new();
    }
    (1..(own | other).trailing_ones())
        .map(|gap| {
            let moved = (1 << (gap + 1)) - 1;
            let back = |stones: u32| (stones & !moved) | (stones & moved) >> 1;
            let before = (back(own), back(other));
            debug_assert_eq!(pushed(before.0, before.1, gap), (own, other));
            Delta {
                own: (own ^ before.0) as u8,
                other: (other ^ before.1) as u8,
            }
        })
        .collect()
}

/// For every content of a line, the unbroken stretches that hold a row of the first colour.
fn stretches(length: u32, run: u32) -> Vec<[u8; 2]> {
    (0..1u32 << (2 * length))
        .map(|content| {
            let (own, other) = (content & ((1 << length) - 1), content >> length);
            let taken = own | other;
            let mut found = [0; 2];
            let mut count = 0;
            let mut at = 0;
            while at < length {
                let stretch = ((taken >> at).trailing_ones()).min(length - at);
                let mask = ((1 << stretch) - 1) << at;
                let mut runs = own & mask;
                for _ in 1..run {
                    runs &= runs >> 1;
                }
                if runs != 0 {
                    found[count] = mask as u8;
                    count += 1;
                }
                at += stretch + 1;
            }
            found
        })
        .collect()
}

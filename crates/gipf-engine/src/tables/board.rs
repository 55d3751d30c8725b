//! A small board as one word per colour.
//!
//! Boards of up to 19 points (sizes 2 and 3) fit a dense word of bits. Each colour is kept
//! three times in one word, its points in the order of the lines of each axis, so that a
//! line is a shift and a mask, and the runs along all axes are found by shifting the word
//! against itself.

use gipf::{Geometry, Variant};

/// The most points of a board that tables are made for.
pub(crate) const MAX_POINTS: usize = 19;

/// The most points of a line of such a board.
const LONGEST_LINE: usize = 5;

/// A set of points in the board's own numbering.
pub(crate) type Set = u32;

/// A set of points, once for each axis, [`MAX_POINTS`] bits apart; the lowest bits are in
/// the board's own numbering.
pub(crate) type Axes = u64;

/// The set in the board's own numbering.
#[inline(always)]
pub(crate) fn plain(axes: Axes) -> Set {
    axes as Set & ((1 << MAX_POINTS) - 1)
}

/// A line of the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Where it begins in the word.
    pub(crate) shift: u32,
    pub(crate) length: u32,
    /// Which set of masks belongs to it.
    pub(crate) number: usize,
}

/// What moves along a line: the bits that change in it for the pusher and the other side.
/// The pusher has one stone more afterwards, so `own` is 0 only where there is no push.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Delta {
    pub(crate) own: u8,
    pub(crate) other: u8,
}

/// The pushes that can have led to a content, with empty ones at the end.
type Unpushes = [Delta; LONGEST_LINE];

/// Something about every content of lines of one length, which is a number below this.
type ByContent<T> = Box<[T; CONTENTS]>;
const CONTENTS: usize = 1 << (2 * LONGEST_LINE);

/// Something about lines of each length; arrays are of such sizes that no look into them has to be
/// checked.
type ByLength<T> = [T; LENGTHS];
const LENGTHS: usize = 8;

/// Lines of a board, symmetries and sets of half of its points are fewer than these.
const LINES: usize = 16;
const SYMMETRIES: usize = 16;
const HALF: usize = 1 << LOW;

/// Everything about a board of one size and one run length.
pub(crate) struct Shape {
    pub(crate) points: usize,
    /// Stones of one colour that make a row.
    pub(crate) run: u32,
    pub(crate) full: Set,
    pub(crate) lines: Vec<Line>,
    /// A line's bits as a set of points: `masks[line][bits]`.
    masks: [[Axes; 1 << LONGEST_LINE]; LINES],
    /// The points at which a run that is to be taken off can begin.
    starts: Axes,
    /// How to find runs in a word of pairs, see [`Shape::runs`].
    steps: [u32; 2],
    /// The line of each bit of the word.
    line_of: [u8; 3 * MAX_POINTS],
    /// Points of the rim, where stones come in.
    pub(crate) rim: Set,
    /// Each point alone.
    singles: [Axes; MAX_POINTS],
    /// From the board's own order to all three, by the low and the high bits.
    orders: Box<[[Axes; HALF]; 2]>,
    /// The images of a set under each symmetry, by the low and the high bits.
    images: [Box<[[Set; HALF]; 2]>; SYMMETRIES],
    /// The symmetry that takes each one back.
    pub(crate) inverse: [u8; 12],
    /// For each length, the push from each end onto an occupied point.
    pushes: ByLength<ByContent<[Delta; 2]>>,
    /// The ways to take such pushes back.
    unpushes: ByLength<ByContent<[Unpushes; 2]>>,
    /// The stretches with rows of the first colour.
    stretches: ByLength<ByContent<[u8; 2]>>,
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
        let place: Vec<Vec<usize>> = axes
            .iter()
            .map(|lines| {
                let mut place = vec![0; points];
                for (at, &point) in lines.concat().iter().enumerate() {
                    place[point as usize] = at;
                }
                place
            })
            .collect();
        let axes_of = |set: Set| -> Axes {
            (0..3).fold(0, |word, axis| {
                bits(set).fold(word, |word, point| {
                    word | 1 << (axis * MAX_POINTS + place[axis][point as usize])
                })
            })
        };

        let run = u32::from(variant.run());
        let mut lines = Vec::new();
        let mut masks = [[0; 1 << LONGEST_LINE]; LINES];
        let mut starts = 0;
        let mut line_of = [0; 3 * MAX_POINTS];
        let mut rim = 0;
        for (axis, axis_lines) in axes.iter().enumerate() {
            let mut shift = axis * MAX_POINTS;
            for line in axis_lines.iter() {
                let length = line.len();
                rim |= 1 << line[0] | 1 << line[length - 1];
                let places = (length + 1).saturating_sub(run as usize);
                starts |= ((1 << places) - 1) << shift;
                line_of[shift..shift + length].fill(lines.len() as u8);
                masks[lines.len()] = std::array::from_fn(|content| {
                    let content = content as u32 & ((1 << length) - 1);
                    axes_of(bits(content).fold(0, |set, at| set | 1 << line[at as usize]))
                });
                lines.push(Line {
                    shift: shift as u32,
                    length: length as u32,
                    number: lines.len(),
                });
                shift += length;
            }
        }
        let singles = std::array::from_fn(|point| match point < points {
            true => axes_of(1 << point),
            false => 0,
        });

        let longest = 2 * usize::from(variant.size()) - 1;
        assert!(longest <= LONGEST_LINE && lines.len() <= LINES);
        Shape {
            points,
            run,
            full: (1 << points) - 1,
            lines,
            masks,
            starts,
            steps: match run {
                2 => [0, 0],
                3 => [1, 0],
                4 => [2, 0],
                _ => [2, 1],
            },
            line_of,
            rim,
            singles,
            orders: halves(points, axes_of),
            images: std::array::from_fn(|index| {
                // Those beyond the last are not used.
                let images = geometry.images(index.min(11));
                halves(points, |set| {
                    bits(set).fold(0, |image, point| image | 1 << images[point as usize])
                })
            }),
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
            pushes: std::array::from_fn(|length| by_content(length.min(longest) as u32, push)),
            unpushes: std::array::from_fn(|length| by_content(length.min(longest) as u32, unpush)),
            stretches: std::array::from_fn(|length| stretches(length.min(longest) as u32, run)),
        }
    }

    /// The set in the order of every axis.
    #[inline(always)]
    pub(crate) fn axes(&self, set: Set) -> Axes {
        let (low, high) = halves_of(set);
        self.orders[0][low] | self.orders[1][high]
    }

    /// One point in the order of every axis.
    #[inline(always)]
    pub(crate) fn single(&self, point: u32) -> Axes {
        self.singles[point as usize]
    }

    /// The set seen through a symmetry.
    #[inline(always)]
    pub(crate) fn image(&self, set: Set, symmetry: usize) -> Set {
        let image = &self.images[symmetry % SYMMETRIES];
        let (low, high) = halves_of(set);
        image[0][low] | image[1][high]
    }

    /// The first points of the runs that are to be taken off.
    #[inline(always)]
    pub(crate) fn runs(&self, set: Axes) -> Axes {
        // Pairs, then twice as many or less: runs of 2 to 5.
        let pairs = set & set >> 1;
        let more = pairs & pairs >> self.steps[0];
        more & more >> self.steps[1] & self.starts
    }

    /// Whether the set holds a run that is to be taken off.
    #[inline(always)]
    pub(crate) fn has_row(&self, set: Axes) -> bool {
        self.runs(set) != 0
    }

    /// The points without a stone of the set that make a run of it, each alone.
    ///
    /// No move makes a row without bringing a stone to one of them: a push brings one stone more into
    /// a line at most, and moves those that are there on together.
    #[inline(always)]
    pub(crate) fn run_gaps(&self, set: Axes) -> Axes {
        // Where runs begin of which all points are taken, and all but one.
        let (mut all, mut all_but_one) = (self.starts, 0);
        for at in 0..self.run {
            let taken = set >> at;
            all_but_one = all_but_one & taken | all & !taken;
            all &= taken;
        }
        let mut gaps = 0;
        while all_but_one != 0 {
            let start = all_but_one.trailing_zeros();
            all_but_one &= all_but_one - 1;
            let line = self.line_at(start);
            let gap = (((1 << self.run) - 1) << start & !set) >> line.shift;
            gaps |= self.mask(line, gap as u8);
        }
        gaps
    }

    /// The line that a bit of a word lies on.
    #[inline(always)]
    pub(crate) fn line_at(&self, bit: u32) -> &Line {
        &self.lines[usize::from(self.line_of[bit as usize])]
    }

    /// Both colours on a line, as one number.
    #[inline(always)]
    pub(crate) fn content(&self, line: &Line, own: Axes, other: Axes) -> usize {
        let mask = (1 << line.length) - 1;
        let own = (own >> line.shift) & mask;
        let other = (other >> line.shift) & mask;
        (own | other << line.length) as usize
    }

    /// Bits of a line as a set of points.
    #[inline(always)]
    pub(crate) fn mask(&self, line: &Line, bits: u8) -> Axes {
        self.masks[line.number % LINES][usize::from(bits) % (1 << LONGEST_LINE)]
    }

    /// What pushes onto the occupied first point from each end do.
    #[inline(always)]
    pub(crate) fn pushes(&self, line: &Line, content: usize) -> &[Delta; 2] {
        &self.pushes[line.length as usize % LENGTHS][content % CONTENTS]
    }

    /// What was changed by each push from each end that can have led to this content.
    #[inline(always)]
    pub(crate) fn unpushes(&self, line: &Line, content: usize) -> &[Unpushes; 2] {
        &self.unpushes[line.length as usize % LENGTHS][content % CONTENTS]
    }

    /// The stretches of a line that hold rows of the colour given first (0 for none).
    #[inline(always)]
    pub(crate) fn stretches(&self, line: &Line, content: usize) -> [u8; 2] {
        self.stretches[line.length as usize % LENGTHS][content % CONTENTS]
    }
}

/// What something is for the low bits of a set, and for the high ones.
fn halves<T>(points: usize, image: impl Fn(Set) -> T) -> Box<[[T; HALF]; 2]> {
    let full = (1 << points) - 1;
    Box::new([
        std::array::from_fn(|low| image(low as Set & full)),
        std::array::from_fn(|high| image((high as Set) << LOW & full)),
    ])
}

/// The low bits of a set, and the high ones.
#[inline(always)]
fn halves_of(set: Set) -> (usize, usize) {
    ((set & LOW_MASK) as usize, (set >> LOW & LOW_MASK) as usize)
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
fn by_content<T: Mirror + Default + Copy>(
    length: u32,
    entry: fn(u32, u32, u32) -> T,
) -> ByContent<[T; 2]> {
    let mask = (1 << length) - 1;
    let mut entries = Box::new([[T::default(); 2]; CONTENTS]);
    for (entries, content) in entries.iter_mut().zip(0..1u32 << (2 * length)) {
        let (own, other) = (content & mask, content >> length);
        let (own_back, other_back) = (reverse(own, length), reverse(other, length));
        *entries = [
            entry(length, own, other),
            entry(length, own_back, other_back).mirror(length),
        ];
    }
    entries
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

impl Mirror for Unpushes {
    fn mirror(self, length: u32) -> Unpushes {
        self.map(|delta| delta.mirror(length))
    }
}

/// The content after a stone of the first colour is pushed in at bit 0 and the stones up
/// to the gap at bit `gap` move on by one.
fn pushed(own: u32, other: u32, gap: u32) -> (u32, u32) {
    let moving = (1 << gap) - 1;
    let shift = |stones: u32| (stones & !moving) | (stones & moving) << 1;
    (shift(own) | 1, shift(other))
}

fn push(length: u32, own: u32, other: u32) -> Delta {
    let gap = (own | other).trailing_ones();
    if own & other != 0 || gap == 0 || gap >= length {
        return Delta::default();
    }
    let (after_own, after_other) = pushed(own, other, gap);
    Delta {
        own: (own ^ after_own) as u8,
        other: (other ^ after_other) as u8,
    }
}

fn unpush(_: u32, own: u32, other: u32) -> Unpushes {
    let mut found = Unpushes::default();
    if own & other != 0 || own & 1 == 0 {
        return found;
    }
    for (place, gap) in found.iter_mut().zip(1..(own | other).trailing_ones()) {
        let moved = (1 << (gap + 1)) - 1;
        let back = |stones: u32| (stones & !moved) | (stones & moved) >> 1;
        let before = (back(own), back(other));
        debug_assert_eq!(pushed(before.0, before.1, gap), (own, other));
        *place = Delta {
            own: (own ^ before.0) as u8,
            other: (other ^ before.1) as u8,
        };
    }
    found
}

/// For every content of a line, the unbroken stretches that hold a row of the first colour.
fn stretches(length: u32, run: u32) -> ByContent<[u8; 2]> {
    let mut entries = Box::new([[0; 2]; CONTENTS]);
    for (found, content) in entries.iter_mut().zip(0..1u32 << (2 * length)) {
        let (own, other) = (content & ((1 << length) - 1), content >> length);
        let taken = own | other;
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
    }
    entries
}

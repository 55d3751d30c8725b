//! Patterns: squares that are evaluated together.
//!
//! A pattern is a list of squares. Its images under the eight symmetries of the board
//! are its instances; each instance is one *lane*, and all instances of a pattern share
//! one table of weights. A lane's index is a number in base three, one digit per square:
//! 0 empty, 1 the mover's disc, 2 the opponent's.
//!
//! Where a symmetry maps an instance onto itself, the two indices that it exchanges mean
//! the same. They share one *distinct* weight, so files and training know only distinct
//! weights, while evaluation reads an expanded table of *slots*, one per index.
//!
//! One more lane is for the *mobility*: how many moves each player has.

use std::sync::OnceLock;

/// How many lanes there are room for: a multiple of the widest vector.
pub const LANES: usize = 64;

/// The patterns, each in one of its places; a square is column + 8 × row.
const PATTERNS: [&[u8]; 15] = [
    // Edge with both X squares.
    &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14],
    // Corner triangle.
    &[0, 1, 2, 3, 8, 9, 10, 16, 17, 24],
    // Two edges from the corner, with the X square.
    &[0, 1, 2, 3, 4, 9, 8, 16, 24, 32],
    // Middle of the edge, two deep, with both corners.
    &[0, 2, 3, 4, 5, 7, 10, 11, 12, 13],
    // Two by five in the corner.
    &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
    // Three by three in the corner.
    &[0, 1, 2, 8, 9, 10, 16, 17, 18],
    // Half of the centre, with the two squares outside that it leans on.
    &[10, 13, 18, 19, 20, 21, 26, 27, 28, 29],
    // Rows two, three and four.
    &[8, 9, 10, 11, 12, 13, 14, 15],
    &[16, 17, 18, 19, 20, 21, 22, 23],
    &[24, 25, 26, 27, 28, 29, 30, 31],
    // Diagonals of eight to four squares.
    &[0, 9, 18, 27, 36, 45, 54, 63],
    &[1, 10, 19, 28, 37, 46, 55],
    &[2, 11, 20, 29, 38, 47],
    &[3, 12, 21, 30, 39],
    &[4, 13, 22, 31],
];

/// How many patterns there are.
pub const COUNT: usize = PATTERNS.len();

/// Levels of mobility: higher numbers of moves count as the highest level.
const MOVES: usize = 24;

/// The lane of the mobility: the first that no pattern uses.
pub(super) const MOBILITY: usize = LAYOUT.lanes;

/// The index of the mobility's lane.
#[inline(always)]
pub(crate) const fn mobility(own_moves: u64, other_moves: u64) -> u16 {
    const fn level(moves: u64) -> u16 {
        let count = moves.count_ones() as u16;
        if count < MOVES as u16 {
            count
        } else {
            MOVES as u16 - 1
        }
    }
    level(own_moves) * MOVES as u16 + level(other_moves)
}

/// The most symmetries that map an instance onto itself.
const MOST_MIRRORS: usize = 4;

/// Everything about the lanes, worked out by the compiler.
pub(super) struct Layout {
    /// What a disc on a square adds to each lane's index.
    pub(super) add: [[u16; LANES]; 64],
    /// Where each lane's table starts among the slots.
    pub(super) offset: [u32; LANES],
    /// How many lanes patterns use.
    pub(super) lanes: usize,
    /// The pattern of each of them.
    pattern: [usize; LANES],
    /// For each pattern the digit orders that mean the same, the given order first.
    mirrors: [[[u8; 10]; MOST_MIRRORS]; COUNT],
    /// How many of `mirrors` there are.
    mirror_count: [usize; COUNT],
}

/// The lanes of all patterns.
pub(super) static LAYOUT: Layout = layout();

/// How many slots one phase has: the sum of the tables' sizes.
pub const SLOTS: usize = start(COUNT) + MOVES * MOVES;

/// Where the table of a pattern starts among the slots.
const fn start(pattern: usize) -> usize {
    let mut sum = 0;
    let mut p = 0;
    while p < pattern {
        sum += 3usize.pow(PATTERNS[p].len() as u32);
        p += 1;
    }
    sum
}

/// Symmetry `index` of the board: bits mirror the columns, mirror the rows, and exchange
/// rows and columns.
const fn image(square: u8, index: usize) -> u8 {
    let (mut column, mut row) = (square & 7, square >> 3);
    if index & 1 != 0 {
        column = 7 - column;
    }
    if index & 2 != 0 {
        row = 7 - row;
    }
    if index & 4 != 0 {
        (column, row) = (row, column);
    }
    row * 8 + column
}

const fn layout() -> Layout {
    let mut layout = Layout {
        add: [[0; LANES]; 64],
        // Lanes not in use stay at index 0 and read the zero that follows the slots.
        offset: [SLOTS as u32; LANES],
        lanes: 0,
        pattern: [0; LANES],
        mirrors: [[[0; 10]; MOST_MIRRORS]; COUNT],
        mirror_count: [0; COUNT],
    };
    let mut p = 0;
    while p < COUNT {
        let squares = PATTERNS[p];
        let mut seen = [0u64; 8];
        let mut symmetry = 0;
        while symmetry < 8 {
            let mut set = 0;
            let mut i = 0;
            while i < squares.len() {
                set |= 1u64 << image(squares[i], symmetry);
                i += 1;
            }
            seen[symmetry] = set;
            let mut new = true;
            let mut before = 0;
            while before < symmetry {
                new &= seen[before] != set;
                before += 1;
            }
            if new {
                add_lane(&mut layout, p, symmetry);
            }
            if set == seen[0] {
                add_mirror(&mut layout, p, symmetry);
            }
            symmetry += 1;
        }
        p += 1;
    }
    layout.offset[layout.lanes] = start(COUNT) as u32;
    layout
}

/// Makes a lane for the image of a pattern.
const fn add_lane(layout: &mut Layout, pattern: usize, symmetry: usize) {
    let squares = PATTERNS[pattern];
    let lane = layout.lanes;
    let mut power = 1;
    let mut i = 0;
    while i < squares.len() {
        layout.add[image(squares[i], symmetry) as usize][lane] = power;
        power = power.wrapping_mul(3);
        i += 1;
    }
    layout.offset[lane] = start(pattern) as u32;
    layout.pattern[lane] = pattern;
    layout.lanes += 1;
}

/// Notes that a symmetry maps the pattern onto itself: which digit comes from where.
const fn add_mirror(layout: &mut Layout, pattern: usize, symmetry: usize) {
    let squares = PATTERNS[pattern];
    let mut order = [0; 10];
    let mut i = 0;
    while i < squares.len() {
        let mut j = 0;
        while image(squares[j], symmetry) != squares[i] {
            j += 1;
        }
        order[i] = j as u8;
        i += 1;
    }
    let count = layout.mirror_count[pattern];
    layout.mirrors[pattern][count] = order;
    layout.mirror_count[pattern] += 1;
}

/// The distinct weight of every slot.
pub struct Distinct {
    of_slot: Vec<u32>,
    count: usize,
}

impl Distinct {
    /// The one map that there is, made at the first call (about a millisecond).
    pub fn get() -> &'static Distinct {
        static MAP: OnceLock<Distinct> = OnceLock::new();
        MAP.get_or_init(Distinct::new)
    }

    /// How many distinct weights one phase has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The distinct weight of every slot, in the order of the slots.
    #[must_use]
    pub fn of_slot(&self) -> &[u32] {
        &self.of_slot
    }

    fn new() -> Distinct {
        let mut of_slot = Vec::with_capacity(SLOTS);
        let mut count = 0;
        for (p, squares) in PATTERNS.iter().enumerate() {
            let first = of_slot.len();
            let mirrors = &LAYOUT.mirrors[p][1..LAYOUT.mirror_count[p]];
            let halves: Vec<_> = mirrors.iter().map(Halves::new).collect();
            for high in 0..3usize.pow(squares.len() as u32) / LOW {
                for low in 0..LOW {
                    let index = high * LOW + low;
                    let least = halves.iter().map(|h| h.mirror(high, low)).min();
                    of_slot.push(match least {
                        Some(least) if least < index => of_slot[first + least],
                        _ => {
                            count += 1;
                            count as u32 - 1
                        }
                    });
                }
            }
        }
        of_slot.extend((0..MOVES * MOVES).map(|index| (count + index) as u32));
        count += MOVES * MOVES;
        Distinct { of_slot, count }
    }
}

/// Low halves of an index: four digits, which the shortest pattern has too.
const LOW: usize = 81;

/// A digit order as two tables, so that an index is mirrored by two look-ups.
struct Halves {
    low: [u16; LOW],
    high: [u16; 729],
}

impl Halves {
    fn new(order: &[u8; 10]) -> Halves {
        // Where digit j goes: the power of its new place.
        let mut power = [0u16; 10];
        let mut unit = 1u16;
        for &from in order {
            // Places beyond the pattern's length all say 0 and must not overwrite.
            if power[usize::from(from)] == 0 {
                power[usize::from(from)] = unit;
            }
            unit = unit.wrapping_mul(3);
        }
        let part = |mut index: usize, first: usize| {
            let mut sum = 0u16;
            let mut digit = first;
            while index > 0 {
                sum += (index % 3) as u16 * power[digit];
                index /= 3;
                digit += 1;
            }
            sum
        };
        Halves {
            low: std::array::from_fn(|index| part(index, 0)),
            high: std::array::from_fn(|index| part(index, 4)),
        }
    }

    fn mirror(&self, high: usize, low: usize) -> usize {
        usize::from(self.high[high]) + usize::from(self.low[low])
    }
}

/// The pattern that a lane belongs to.
#[must_use]
pub fn pattern_of_lane(lane: usize) -> usize {
    LAYOUT.pattern[..LAYOUT.lanes][lane]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_fit_and_cover_the_board() {
        assert_eq!(LAYOUT.lanes, 62);
        for square in 0..64 {
            let lanes = LAYOUT.add[square].iter().filter(|&&add| add != 0).count();
            assert!(lanes >= 4, "square {square} is in {lanes} lanes only");
        }
        for lane in 0..LAYOUT.lanes {
            let squares = PATTERNS[pattern_of_lane(lane)].len() as u32;
            let sum: u32 = LAYOUT.add.iter().map(|add| u32::from(add[lane])).sum();
            assert_eq!(sum, (3u32.pow(squares) - 1) / 2, "lane {lane}");
        }
    }

    #[test]
    fn mirrored_indices_share_a_weight() {
        let distinct = Distinct::get();
        let slots = distinct.of_slot();
        assert_eq!(slots.len(), SLOTS);
        // The edge: a disc on a1 and one on h1, on b2 and on g2; but a1 and b1 differ.
        assert_eq!(slots[1], slots[3usize.pow(7)]);
        assert_eq!(slots[3usize.pow(8)], slots[3usize.pow(9)]);
        assert_ne!(slots[1], slots[3]);
        // Two by five has no mirror: all its weights are distinct.
        let (from, to) = (start(4), start(5));
        let mut weights = slots[from..to].to_vec();
        weights.dedup();
        assert_eq!(weights.len(), to - from);
        // Every number below the count occurs.
        let mut seen = vec![false; distinct.count()];
        slots.iter().for_each(|&w| seen[w as usize] = true);
        assert!(seen.into_iter().all(|s| s));
    }
}

//! The static evaluation: what a position seems to be worth.
//!
//! The estimate is a sum of weights, of which a position picks a few dozen: two for each of the 21
//! lines (its pattern: what lies on it; and its danger: the longest runs and the GIPF-pieces of
//! both sides on it), one for each reserve, one for the number of GIPF-pieces of each side, and
//! one for what each side may still bring in. A line read from its other end has the same weights.

use std::sync::LazyLock;

use gipf_standard::{Point, Points, Position, Rules, Stage};

/// What a weight of 1 is worth: this much of the estimate are odds of e to 1.
pub(crate) const SCALE: f32 = 400.0;

/// The number of lines, seven along each axis.
const LINES: usize = 21;

/// Weights of patterns: one for each number in base three of a line.
const PATTERNS: usize = 3240;
/// Weights of dangers: longest runs of 0 to 3 and GIPF-pieces of 0 to 2, of both sides.
const DANGER_START: usize = PATTERNS;
const RUN: usize = 3;
const ON_LINE: usize = 2;
const DANGERS: usize = (RUN + 1).pow(2) * (ON_LINE + 1).pow(2);
/// Weights of reserves: of the basic game and of the others, the mover's and the opponent's.
const RESERVE_START: usize = DANGER_START + DANGERS;
const RESERVES: usize = 19;
const GIPF_START: usize = RESERVE_START + 2 * 2 * RESERVES;
const GIPFS: usize = 6;
const STAGE_START: usize = GIPF_START + 2 * GIPFS;
/// The one weight that every position has: the value of the move.
const TEMPO: usize = STAGE_START + 2 * 3;
/// How many weights there are.
pub const PARAMETERS: usize = TEMPO + 1;

/// The weights that a position picks, each once.
#[derive(Clone, Copy, Debug)]
pub struct Features([u16; FEATURES]);

/// How many weights a position picks.
pub const FEATURES: usize = 2 * LINES + 7;

/// The weights of the lines of one length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineClass {
    start: usize,
    length: u32,
}

/// The weights of the lines, by length.
pub const LINE_WEIGHTS: [LineClass; 4] = [
    LineClass {
        start: 0,
        length: 4,
    },
    LineClass {
        start: 81,
        length: 5,
    },
    LineClass {
        start: 324,
        length: 6,
    },
    LineClass {
        start: 1053,
        length: 7,
    },
];

impl LineClass {
    /// The numbers of the weights.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start..self.start + 3usize.pow(self.length)
    }

    /// What lies on the line of the weight with this number in the class: 0 nothing, 1 a piece of
    /// the mover, 2 one of the opponent.
    #[must_use]
    pub fn digits(self, number: usize) -> Vec<u8> {
        let digit = |place| (number / 3usize.pow(place) % 3) as u8;
        (0..self.length).map(digit).collect()
    }

    /// The longest runs of the mover and of the opponent on that line.
    #[must_use]
    pub fn runs(self, number: usize) -> [usize; 2] {
        let digits = self.digits(number);
        [1, 2].map(|side| {
            let runs = digits.split(|&digit| digit != side).map(<[u8]>::len);
            runs.max().unwrap_or(0)
        })
    }
}

/// A weight that stands for a number of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountedWeight {
    /// The number of the weight.
    pub index: usize,
    /// How many pieces.
    pub count: usize,
    /// Whether GIPF-pieces are counted, or pieces in reserve.
    pub is_gipf: bool,
    /// Whether they are the mover's.
    pub is_own: bool,
}

/// The weights of reserves and of GIPF-pieces.
pub fn counted_weights() -> impl Iterator<Item = CountedWeight> {
    let reserves = (0..4 * RESERVES).map(|place| CountedWeight {
        index: RESERVE_START + place,
        count: place % RESERVES,
        is_gipf: false,
        is_own: (place / RESERVES).is_multiple_of(2),
    });
    let gipfs = (0..2 * GIPFS).map(|place| CountedWeight {
        index: GIPF_START + place,
        count: place % GIPFS,
        is_gipf: true,
        is_own: place < GIPFS,
    });
    reserves.chain(gipfs)
}

/// For each point its place on three lines: the line, and the power of three of its digit.
struct Places {
    places: [[(u8, u16); 3]; 56],
    /// Where the weights of each line begin.
    starts: [u16; LINES],
    /// For each weight of a pattern the one that stands for it and for the line read backwards.
    canonical: Vec<u16>,
    /// For each pattern the weight of its danger without GIPF-pieces.
    dangers: Vec<u16>,
}

static PLACES: LazyLock<Places> = LazyLock::new(Places::new);

impl Places {
    fn new() -> Places {
        let mut places = [[(0, 0); 3]; 56];
        let mut lengths = [0usize; LINES];
        for point in Points::ALL {
            for (place, line) in places[point.index()].iter_mut().zip(lines(point)) {
                // Points come in the order of the grid, which is the order along every line.
                let digit = 3u16.pow(lengths[usize::from(line)] as u32);
                *place = (line, digit);
                lengths[usize::from(line)] += 1;
            }
        }
        let mut canonical: Vec<u16> = (0..PARAMETERS as u16).collect();
        let mut dangers = Vec::with_capacity(PATTERNS);
        for class @ LineClass { start, length } in LINE_WEIGHTS {
            for index in 0..3usize.pow(length) {
                let reversed = reverse(index, length);
                canonical[start + index] = (start + index.min(reversed)) as u16;
                let [own, other] = class.runs(index).map(|run| run.min(RUN));
                let danger = (own * (RUN + 1) + other) * (ON_LINE + 1).pow(2);
                dangers.push((DANGER_START + danger) as u16);
            }
        }
        Places {
            places,
            starts: lengths.map(|length| LINE_WEIGHTS[length - 4].start as u16),
            canonical,
            dangers,
        }
    }
}

/// The numbers of the three lines through a point.
fn lines(point: Point) -> [u8; 3] {
    let field = point.field();
    let (column, row) = (field.column - 1, field.row - 1);
    [column, 7 + row, 14 + (3 + column - row)]
}

/// The digits of base three read backwards.
fn reverse(mut index: usize, length: u32) -> usize {
    let mut reversed = 0;
    for _ in 0..length {
        reversed = 3 * reversed + index % 3;
        index /= 3;
    }
    reversed
}

/// What the evaluation looks at: the side to move, then its opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The pieces on the board.
    pub pieces: [Points; 2],
    /// Those of them that are GIPF-pieces.
    pub gipf: [Points; 2],
    /// The pieces in reserve.
    pub reserves: [u8; 2],
    /// What may be brought in.
    pub stages: [Stage; 2],
    /// Whether there are GIPF-pieces in the game: the basic game has none.
    pub with_gipf: bool,
}

impl View {
    /// A board of the basic game.
    #[inline]
    #[must_use]
    pub fn basic(pieces: [Points; 2], reserves: [u8; 2]) -> View {
        View {
            pieces,
            gipf: [Points::EMPTY; 2],
            reserves,
            stages: [Stage::Single; 2],
            with_gipf: false,
        }
    }
}

impl From<&Position> for View {
    #[inline]
    fn from(position: &Position) -> View {
        let sides = [position.side(), !position.side()];
        View {
            pieces: sides.map(|side| position.pieces(side)),
            gipf: sides.map(|side| position.gipf(side)),
            reserves: sides.map(|side| position.reserve(side)),
            stages: sides.map(|side| position.stage(side)),
            with_gipf: position.rules() != Rules::Basic,
        }
    }
}

impl Features {
    /// The weights that a position picks, from the view of the side to move.
    #[inline]
    #[must_use]
    pub fn of(position: impl Into<View>) -> Features {
        let table = &*PLACES;
        let view = position.into();
        let mut picked = [0u16; FEATURES];
        picked[..LINES].copy_from_slice(&table.starts);
        for (pieces, digit) in view.pieces.into_iter().zip(1..) {
            for point in pieces {
                for (line, power) in table.places[point.index()] {
                    picked[usize::from(line)] += digit * power;
                }
            }
        }
        let mut on_line = [[0u8; 2]; LINES];
        for (whose, gipf) in view.gipf.into_iter().enumerate() {
            for point in gipf {
                for (line, _) in table.places[point.index()] {
                    on_line[usize::from(line)][whose] += 1;
                }
            }
        }
        let (patterns, others) = picked.split_at_mut(LINES);
        for ((danger, &pattern), counts) in others.iter_mut().zip(&*patterns).zip(on_line) {
            let [own, other] = counts.map(|count| u16::from(count.min(ON_LINE as u8)));
            *danger = table.dangers[usize::from(pattern)] + own * (ON_LINE as u16 + 1) + other;
        }
        for whose in 0..2 {
            let at = 2 * LINES + 3 * whose;
            // The basic game has tables of its own.
            let of_reserves = 2 * usize::from(view.with_gipf) + whose;
            let reserve = usize::from(view.reserves[whose]).min(RESERVES - 1);
            picked[at] = (RESERVE_START + RESERVES * of_reserves + reserve) as u16;
            let gipfs = (view.gipf[whose].len() as usize).min(GIPFS - 1);
            picked[at + 1] = (GIPF_START + GIPFS * whose + gipfs) as u16;
            let stage = match view.stages[whose] {
                Stage::First => 0,
                Stage::Gipf => 1,
                Stage::Single => 2,
            };
            picked[at + 2] = (STAGE_START + 3 * whose + stage) as u16;
        }
        picked[FEATURES - 1] = TEMPO as u16;
        Features(picked)
    }

    /// The numbers of the weights, each below [`PARAMETERS`]; those of lines that are each other's
    /// mirror image are the same.
    #[must_use]
    pub fn weights(&self) -> [u16; FEATURES] {
        self.0.map(|weight| PLACES.canonical[usize::from(weight)])
    }
}

/// The weights of the static evaluation.
#[derive(Clone, Debug)]
pub struct Weights(Box<[i16; PARAMETERS]>);

/// Trained by self-play; see `ludex train gipf-standard`.
static TRAINED: &[u8] = include_bytes!("weights.bin");

impl Default for Weights {
    fn default() -> Weights {
        let pairs = TRAINED.chunks_exact(2);
        Weights::new(pairs.map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / SCALE))
    }
}

impl Weights {
    /// Weights in units of which one is odds of e to 1; missing ones are zero, and the lines take
    /// those of their mirror images.
    pub fn new(values: impl Iterator<Item = f32>) -> Weights {
        let mut given = vec![0.0; PARAMETERS];
        for (place, value) in given.iter_mut().zip(values) {
            *place = value;
        }
        let mut weights = Box::new([0; PARAMETERS]);
        for (weight, &standing) in weights.iter_mut().zip(&PLACES.canonical) {
            *weight = (given[usize::from(standing)] * SCALE).round() as i16;
        }
        Weights(weights)
    }

    /// The bytes of the file that is embedded.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0
            .iter()
            .flat_map(|weight| weight.to_le_bytes())
            .collect()
    }

    /// The estimate from the view of the side to move.
    #[inline]
    #[must_use]
    pub fn evaluate(&self, position: impl Into<View>) -> i32 {
        let Features(picked) = Features::of(position);
        picked
            .iter()
            .map(|&i| i32::from(self.0[usize::from(i)]))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Symmetric;

    #[test]
    fn symmetric_positions_pick_the_same_weights() {
        let position: Position = "standard 4 5 B W__b/ww__B/b_W_b_/B_w_bbW/w_b_w_/_w___/w_wB"
            .parse()
            .unwrap();
        let sorted = |position: &Position| {
            let mut weights = Features::of(position).weights();
            weights.sort_unstable();
            weights
        };
        for index in 1..12 {
            assert_eq!(sorted(&position.transform(index)), sorted(&position));
        }
    }

    #[test]
    fn lines_are_numbers_of_base_three() {
        // c3, d4, e5 White and f5 Black on the longest row: 3 + 9 + 27 + 2 * 81.
        let position: Position = "basic 9 9 W ____/_____/______/_wwwb__/______/_____/____"
            .parse()
            .unwrap();
        let row = LINE_WEIGHTS[3].start + 3 + 9 + 27 + 2 * 81;
        assert!(Features::of(&position).0.contains(&(row as u16)));
        assert_eq!(reverse(3 + 9 + 27 + 2 * 81, 7), 243 + 81 + 27 + 2 * 9);
    }

    #[test]
    fn the_embedded_weights_are_all() {
        assert_eq!(TRAINED.len(), 2 * PARAMETERS);
        assert_eq!(Weights::default().to_bytes(), TRAINED);
    }
}

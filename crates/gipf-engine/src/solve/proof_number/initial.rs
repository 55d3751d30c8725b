//! Proof-number initialisation: how soon a position may be won or lost.
//!
//! Two log-odds in hundredths: that the player to move wins soon, and that he loses soon. They
//! become the first proof and disproof number of a position, and decide nothing. What ends soon
//! is easy to prove: estimates of who wins in the end, of which more are right, made longer
//! searches.
//!
//! For rows of four on a board of size 3 the weights are fitted by logistic regression, see
//! `ludex train gipf-proof-numbers`.

use crate::solve::rules::{Rules, Small, SmallBoard};
use crate::solve::tuning::{LOG_ODDS_PER_STONE, material};
use crate::tables::board::{Axes, Line, MAX_POINTS, Shape};
use crate::tables::moves::Stones;

/// An estimate for proof-number initialisation.
pub(crate) trait LogOdds<R: Rules>: Sync {
    /// That the player to move wins soon, and that he loses soon, in hundredths.
    fn log_odds(&self, rules: &R, board: &R::Board) -> [i32; 2];

    /// Whether it is fitted to this board, so that proofs are likely to be found.
    fn is_fitted(&self) -> bool {
        false
    }
}

/// The estimate where nothing is fitted: by the lead in stones.
pub(crate) struct MaterialOdds;

impl<R: Rules> LogOdds<R> for MaterialOdds {
    #[inline]
    fn log_odds(&self, rules: &R, board: &R::Board) -> [i32; 2] {
        by_material(rules.reserves(board), rules.stones(board))
    }
}

#[inline]
fn by_material(reserves: [i32; 2], stones: [i32; 2]) -> [i32; 2] {
    let lead = material(reserves[0], stones[0]) - material(reserves[1], stones[1]);
    [LOG_ODDS_PER_STONE * lead, -LOG_ODDS_PER_STONE * lead]
}

/// The embedded weights, of winning and of losing soon, for rows of four on a board of size 3:
/// what stands on a line (`o` the player to move, `x` the opponent), how many stones more the
/// player to move has in all, and the reserves.
pub const FITTED: &str = include_str!("initial-3-4.txt");

/// Of winning and of losing.
type Pair = [i32; 2];

/// The estimate for small boards: fitted for rows of four on a board of size 3.
pub(crate) struct SmallOdds {
    fitted: Option<Weights>,
}

impl SmallOdds {
    pub(crate) fn new(shape: &Shape) -> SmallOdds {
        let fitted = shape.points == 19 && shape.run == 4;
        SmallOdds {
            fitted: fitted.then(|| Weights::parse(FITTED)),
        }
    }
}

impl LogOdds<Small> for SmallOdds {
    #[inline(always)]
    fn log_odds(&self, rules: &Small, board: &SmallBoard) -> [i32; 2] {
        match &self.fitted {
            Some(weights) => weights.of(rules.shape(), board),
            None => by_material(rules.reserves(board), rules.stones(board)),
        }
    }

    fn is_fitted(&self) -> bool {
        self.fitted.is_some()
    }
}

/// Leads and reserves beyond these count as the last ones: there were too few samples of them.
const LEADS: std::ops::RangeInclusive<i32> = -2..=2;
const RESERVE: i32 = 4;

/// What can stand on a line is a number below this.
const CONTENTS: usize = 1 << 10;

pub(crate) struct Weights {
    /// By what stands on the lines of an axis, see [`Stretch`]. All are as long as the longest, so
    /// that no look into them has to be checked.
    stretches: [Box<[Sum; STRETCH_CONTENTS]>; 3],
    leads: [Sum; 5],
    /// Of the player to move, and of the opponent.
    reserves: [[Sum; RESERVE as usize + 1]; 2],
}

/// Two sums in one word, so that both are added at once.
#[derive(Clone, Copy, Default)]
struct Sum(i64);

impl Sum {
    fn new([win, loss]: Pair) -> Sum {
        Sum((i64::from(loss) << 32) + i64::from(win))
    }

    #[inline(always)]
    fn pair(self) -> Pair {
        let win = self.0 as i32;
        [win, ((self.0 - i64::from(win)) >> 32) as i32]
    }
}

/// Lines that follow each other in the word of an axis, and so are looked up at once.
#[derive(Clone, Copy)]
struct Stretch {
    shift: u32,
    points: u32,
}

/// The lines of 3, 4, 5, 4 and 3 points that make up an axis.
const STRETCHES: [Stretch; 3] = [
    Stretch {
        shift: 0,
        points: 7,
    },
    Stretch {
        shift: 7,
        points: 5,
    },
    Stretch {
        shift: 12,
        points: 7,
    },
];

/// What can stand on a stretch is a number below this.
const STRETCH_CONTENTS: usize = 1 << 14;

impl Stretch {
    /// What both sides have here, of the stones of an axis and of those after it.
    #[inline(always)]
    fn content(self, own: Axes, other: Axes) -> usize {
        let mask = (1 << self.points) - 1;
        let [own, other] = [own, other].map(|set| (set >> self.shift & mask) as usize);
        own | other << self.points
    }
}

impl Weights {
    /// A line for each: what it is about, and the two weights.
    pub(crate) fn parse(text: &str) -> Weights {
        let mut lines = LineWeights::default();
        let mut weights = Weights {
            stretches: STRETCHES.map(|_| Box::new([Sum::default(); STRETCH_CONTENTS])),
            leads: Default::default(),
            reserves: Default::default(),
        };
        for line in text.lines() {
            let number = |text: &str| text.parse::<i32>().expect("a number");
            let fields: Vec<&str> = line.split(' ').collect();
            let (what, pair) = fields.split_at(fields.len() - 2);
            let pair = [number(pair[0]), number(pair[1])];
            let sum = Sum::new(pair);
            match *what {
                ["lead", lead] => weights.leads[lead_place(number(lead))] = sum,
                ["own", reserve] => weights.reserves[0][number(reserve) as usize] = sum,
                ["other", reserve] => weights.reserves[1][number(reserve) as usize] = sum,
                [points] => lines.set(points.as_bytes(), pair),
                _ => panic!("{line}: a line, or stones"),
            }
        }
        for (sums, stretch) in weights.stretches.iter_mut().zip(STRETCHES) {
            let known = lines.sums(stretch);
            sums[..known.len()].copy_from_slice(&known);
        }
        weights
    }

    /// For a board of size 3.
    #[inline(always)]
    pub(crate) fn of(&self, shape: &Shape, board: &SmallBoard) -> Pair {
        let SmallBoard { stones, totals } = *board;
        let (own, other) = (shape.axes(stones.own), shape.axes(stones.other));
        let [lead, own_reserve, other_reserve] = stone_numbers(totals, stones);
        let mut sum = self.leads[lead].0
            + self.reserves[0][own_reserve].0
            + self.reserves[1][other_reserve].0;
        for axis in 0..3 {
            let (own, other) = (own >> (axis * MAX_POINTS), other >> (axis * MAX_POINTS));
            for (stretch, sums) in STRETCHES.iter().zip(&self.stretches) {
                sum += sums[stretch.content(own, other) % STRETCH_CONTENTS].0;
            }
        }
        Sum(sum).pair()
    }
}

/// The weights of single lines.
struct LineWeights {
    /// For each length, [`CONTENTS`] apart, by what stands on the line.
    weights: Vec<Pair>,
}

impl Default for LineWeights {
    fn default() -> LineWeights {
        LineWeights {
            weights: vec![[0; 2]; 6 * CONTENTS],
        }
    }
}

impl LineWeights {
    /// The weights of a line, seen from either end.
    fn set(&mut self, points: &[u8], pair: Pair) {
        let length = points.len();
        let set = |who: u8, place: &dyn Fn(usize) -> usize| {
            let places = (0..length).filter(|&at| points[at] == who);
            places.fold(0, |set, at| set | 1 << place(at))
        };
        for place in [&|at| at, &|at| length - 1 - at] as [&dyn Fn(usize) -> usize; 2] {
            let content = set(b'o', place) | set(b'x', place) << length;
            self.weights[length * CONTENTS + content] = pair;
        }
    }

    /// The sums of the weights of all lines of a stretch.
    fn sums(&self, stretch: Stretch) -> Vec<Sum> {
        let lengths: &[usize] = match stretch.shift {
            0 => &[3, 4],
            7 => &[5],
            _ => &[4, 3],
        };
        let sum = |content: usize| {
            let (mut own, mut other) = (content, content >> stretch.points);
            let mut sum = 0;
            for &length in lengths {
                let mask = (1 << length) - 1;
                let place = own & mask | (other & mask) << length;
                sum += Sum::new(self.weights[length * CONTENTS + place]).0;
                (own, other) = (own >> length, other >> length);
            }
            Sum(sum)
        };
        (0..1 << (2 * stretch.points)).map(sum).collect()
    }
}

/// Where the weights of a content of a line are.
#[inline]
pub(crate) fn line_place(line: &Line, content: usize) -> usize {
    line.length as usize * CONTENTS + content
}

/// Weights of leads and of both reserves.
pub(crate) const STONE_WEIGHTS: usize = 5 + 2 * (RESERVE as usize + 1);

/// The numbers of the weights of the lead and of both reserves, among those of stones.
pub(crate) fn stone_weights(totals: [u8; 2], stones: Stones) -> [usize; 3] {
    let [lead, own, other] = stone_numbers(totals, stones);
    [lead, 5 + own, 5 + RESERVE as usize + 1 + other]
}

/// What each weight is about, in the order of the file, and the number of the weight of each
/// content of a line.
pub(crate) fn weight_names() -> (Vec<String>, Vec<usize>) {
    let mut names = Vec::new();
    let mut numbers = vec![usize::MAX; 6 * CONTENTS];
    for length in 3..=5 {
        for content in 0..1usize << (2 * length) {
            let (own, other) = (content & ((1 << length) - 1), content >> length);
            let name: String = (0..length)
                .map(|at| match (own >> at & 1, other >> at & 1) {
                    (1, _) => 'o',
                    (_, 1) => 'x',
                    _ => '.',
                })
                .collect();
            // Points with two stones and rows of four do not occur.
            if own & other != 0 || name.contains("oooo") || name.contains("xxxx") {
                continue;
            }
            let reverse = |set: usize| (0..length).fold(0, |r, at| r << 1 | set >> at & 1);
            let mirrored = reverse(own) | reverse(other) << length;
            let known = numbers[length * CONTENTS + mirrored];
            numbers[length * CONTENTS + content] = match known {
                usize::MAX => {
                    names.push(name);
                    names.len() - 1
                }
                known => known,
            };
        }
    }
    names.extend(LEADS.map(|lead| format!("lead {lead}")));
    for side in ["own", "other"] {
        names.extend((0..=RESERVE).map(|reserve| format!("{side} {reserve}")));
    }
    (names, numbers)
}

/// The lead of the player to move and both reserves, as numbers of weights.
#[inline(always)]
fn stone_numbers(totals: [u8; 2], stones: Stones) -> [usize; 3] {
    let reserve = |total: u8, set: u32| {
        let reserve = i32::from(total) - set.count_ones() as i32;
        reserve.min(RESERVE) as usize
    };
    [
        lead_place(i32::from(totals[0]) - i32::from(totals[1])),
        reserve(totals[0], stones.own),
        reserve(totals[1], stones.other),
    ]
}

#[inline(always)]
fn lead_place(lead: i32) -> usize {
    (lead.clamp(*LEADS.start(), *LEADS.end()) - LEADS.start()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of the weights line by line, as they are written.
    #[test]
    fn sums_are_those_of_the_lines() {
        let shape = Shape::new("3 4 8 8".parse().unwrap());
        let weights = Weights::parse(FITTED);
        let mut lines = LineWeights::default();
        let mut named = std::collections::HashMap::new();
        for line in FITTED.lines() {
            let (rest, loss) = line.rsplit_once(' ').unwrap();
            let (name, win) = rest.rsplit_once(' ').unwrap();
            let pair = [win.parse().unwrap(), loss.parse().unwrap()];
            match name.contains(' ') {
                true => assert!(named.insert(name, pair).is_none()),
                false => lines.set(name.as_bytes(), pair),
            }
        }
        let mut seen = 0;
        for step in 1..3000u32 {
            let mixed = step.wrapping_mul(0x9e37_79b9);
            let own = mixed & shape.full;
            let other = mixed >> 13 & shape.full & !own;
            let stones = Stones { own, other };
            let [own_total, other_total] = [own, other].map(|set| {
                let stones = set.count_ones() as u8;
                stones + (mixed >> 20) as u8 % 7
            });
            let board = SmallBoard {
                stones,
                totals: [own_total, other_total + (mixed >> 27) as u8 % 4],
            };
            let reserve = |side: usize, set: u32| {
                (i32::from(board.totals[side]) - set.count_ones() as i32).min(4)
            };
            let lead = i32::from(board.totals[0]) - i32::from(board.totals[1]);
            let mut pairs = vec![
                named[&*format!("lead {}", lead.clamp(-2, 2))],
                named[&*format!("own {}", reserve(0, own))],
                named[&*format!("other {}", reserve(1, other))],
            ];
            for line in &shape.lines {
                let content = shape.content(line, shape.axes(own), shape.axes(other));
                pairs.push(lines.weights[line_place(line, content)]);
            }
            let sum = |which: usize| pairs.iter().map(|pair| pair[which]).sum::<i32>();
            assert_eq!(weights.of(&shape, &board), [sum(0), sum(1)], "{stones:?}");
            seen += usize::from(sum(0) > 0) + usize::from(sum(1) > 0);
        }
        assert!(seen > 500, "{seen}");
    }

    #[test]
    fn symmetric_positions_have_the_same_odds_and_stones_are_good() {
        for variant in ["3 3 8 8", "3 4 8 8", "3 5 8 8"] {
            let rules = Small::new(variant.parse().unwrap());
            let shape = rules.shape();
            let odds = SmallOdds::new(shape);
            let of = |totals, own, other| {
                let stones = Stones { own, other };
                odds.log_odds(&rules, &SmallBoard { stones, totals })
            };
            for step in 0..200u32 {
                let mixed = step.wrapping_mul(0x9e37_79b9);
                let own = mixed & mixed >> 3 & mixed >> 7 & shape.full;
                let other = mixed >> 11 & mixed >> 5 & mixed >> 2 & shape.full & !own;
                if own.count_ones().max(other.count_ones()) > 5 {
                    continue;
                }
                let first = of([7, 7], own, other);
                for symmetry in 1..12 {
                    let [own, other] = [own, other].map(|set| shape.image(set, symmetry));
                    assert_eq!(of([7, 7], own, other), first);
                }
                let [win, loss] = of([8, 6], own, other);
                let [poor_win, poor_loss] = of([6, 8], own, other);
                assert!(win > poor_win && loss < poor_loss, "{own:b} {other:b}");
            }
        }
    }
}

//! How soon a position may be won or lost.
//!
//! Two guesses for each, as logarithms of odds in hundredths: that the player to move wins
//! soon, and that he loses soon. They tell [`proof`](super::proof) where to look first, and
//! decide nothing. What ends soon is easy to prove: guesses of who wins in the end, of which
//! more are right, made longer searches.
//!
//! For rows of four on a board of size 3 the weights were fitted by logistic regression:
//! positions that the search had looked at from positions of random play of 3 4 7 7 and
//! 3 4 8 8, as far as the table of 3 4 7 7 has them, and whether they are won, or lost,
//! within eight half-moves. There were too few with five stones in reserve or three more than
//! the other: they count as four, and as two more.

use crate::tables::board::{Line, Shape};
use crate::tables::moves::Stones;

/// The fitted weights, of winning and of losing soon: what stands on a line (`a` the player to
/// move, `h` the other one), how many stones more the player to move has in all, and the
/// reserves.
const FITTED: &str = include_str!("chances-3-4.txt");

/// Of winning and of losing.
type Pair = [i32; 2];

/// The weights for a board.
pub(crate) struct Chances {
    fitted: Option<Weights>,
}

impl Chances {
    pub(crate) fn new(shape: &Shape) -> Chances {
        let fitted = shape.points == 19 && shape.run == 4;
        Chances {
            fitted: fitted.then(|| Weights::parse(FITTED)),
        }
    }

    /// Whether they are fitted to this board.
    pub(crate) fn is_fitted(&self) -> bool {
        self.fitted.is_some()
    }

    /// That the player to move wins, and that he loses.
    #[inline]
    pub(crate) fn of(&self, shape: &Shape, totals: [u8; 2], stones: Stones) -> Pair {
        let sets = [stones.own, stones.other].map(|set| set.count_ones() as i32);
        let totals = totals.map(i32::from);
        let reserves = [totals[0] - sets[0], totals[1] - sets[1]];
        match &self.fitted {
            Some(weights) => weights.of(shape, stones, totals[0] - totals[1], reserves),
            None => plain(reserves, sets),
        }
    }
}

/// Leads and reserves beyond these count as the last ones.
const LEADS: std::ops::RangeInclusive<i32> = -2..=2;
const RESERVE: i32 = 4;

/// What can stand on a line is a number below this.
const CONTENTS: usize = 1 << 10;

struct Weights {
    /// For each length of a line, [`CONTENTS`] apart, by what stands on it.
    lines: Vec<Pair>,
    leads: [Pair; 5],
    /// Of the player to move, and of the other one.
    reserves: [[Pair; RESERVE as usize + 1]; 2],
}

impl Weights {
    /// A line for each: what it is about, and the two weights.
    fn parse(text: &str) -> Weights {
        let mut weights = Weights {
            lines: vec![[0; 2]; 6 * CONTENTS],
            leads: Default::default(),
            reserves: Default::default(),
        };
        for line in text.lines() {
            let number = |text: &str| text.parse::<i32>().expect("a number");
            let fields: Vec<&str> = line.split(' ').collect();
            let (what, pair) = fields.split_at(fields.len() - 2);
            let pair = [number(pair[0]), number(pair[1])];
            match *what {
                ["lead", lead] => weights.leads[lead_place(number(lead))] = pair,
                ["own", reserve] => weights.reserves[0][number(reserve) as usize] = pair,
                ["other", reserve] => weights.reserves[1][number(reserve) as usize] = pair,
                [points] => weights.set_line(points.as_bytes(), pair),
                _ => panic!("{line}: a line, or stones"),
            }
        }
        weights
    }

    /// What a line is worth, seen from either end.
    fn set_line(&mut self, points: &[u8], pair: Pair) {
        let length = points.len();
        let set = |who: u8, place: &dyn Fn(usize) -> usize| {
            let places = (0..length).filter(|&at| points[at] == who);
            places.fold(0, |set, at| set | 1 << place(at))
        };
        for place in [&|at| at, &|at| length - 1 - at] as [&dyn Fn(usize) -> usize; 2] {
            let content = set(b'a', place) | set(b'h', place) << length;
            self.lines[length * CONTENTS + content] = pair;
        }
    }

    #[inline]
    fn of(&self, shape: &Shape, stones: Stones, lead: i32, reserves: [i32; 2]) -> Pair {
        let (own, other) = (shape.axes(stones.own), shape.axes(stones.other));
        let content = |line: &Line| shape.content(line, own, other);
        let place = |line: &Line| line.length as usize * CONTENTS + content(line);
        let lines = shape.lines.iter().map(|line| self.lines[place(line)]);
        let [own, other] = reserves.map(|reserve| reserve.min(RESERVE) as usize);
        let sum = add(self.reserves[0][own], self.reserves[1][other]);
        lines.fold(add(sum, self.leads[lead_place(lead)]), add)
    }
}

#[inline]
fn add(one: Pair, other: Pair) -> Pair {
    [one[0] + other[0], one[1] + other[1]]
}

#[inline]
fn lead_place(lead: i32) -> usize {
    (lead.clamp(*LEADS.start(), *LEADS.end()) - LEADS.start()) as usize
}

/// The guess where nothing is fitted, from the reserves of the player to move and of the
/// other one and from their stones on the board.
#[inline]
pub(crate) fn plain(reserves: [i32; 2], stones: [i32; 2]) -> [i32; 2] {
    let lead = 3 * (reserves[0] - reserves[1]) + stones[0] - stones[1];
    [50 * lead, -50 * lead]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_have_the_same_chances_and_stones_are_good() {
        for variant in ["3 3 8 8", "3 4 8 8", "3 5 8 8"] {
            let shape = Shape::new(variant.parse().unwrap());
            let chances = Chances::new(&shape);
            for step in 0..200u32 {
                let mixed = step.wrapping_mul(0x9e37_79b9);
                let own = mixed & mixed >> 3 & mixed >> 7 & shape.full;
                let other = mixed >> 11 & mixed >> 5 & mixed >> 2 & shape.full & !own;
                if own.count_ones().max(other.count_ones()) > 5 {
                    continue;
                }
                let first = chances.of(&shape, [7, 7], Stones { own, other });
                for symmetry in 1..12 {
                    let view = Stones {
                        own: shape.image(own, symmetry),
                        other: shape.image(other, symmetry),
                    };
                    assert_eq!(chances.of(&shape, [7, 7], view), first);
                }
                let [win, loss] = chances.of(&shape, [8, 6], Stones { own, other });
                let [poor_win, poor_loss] = chances.of(&shape, [6, 8], Stones { own, other });
                assert!(win > poor_win && loss < poor_loss, "{own:b} {other:b}");
            }
        }
    }
}

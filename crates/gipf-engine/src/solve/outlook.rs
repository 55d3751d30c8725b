//! What the defender thinks of a position that he may leave to the attacker.
//!
//! Two numbers for each: how likely it is lost, and how late to try it, which also favours
//! positions that keep the set of held positions small. Nothing here decides anything: a
//! poor estimate costs time.
//!
//! The risk is a sum over the lines of the board, by what stands on each, and over the
//! stones that the sides have. It was fitted by logistic regression to positions that the
//! defender had to choose from in holding 3 3 5 5, 3 3 6 6 and 3 3 7 7, with their values from
//! the table of 3 3 7 7. The weights of the order were then found by trial, as those with the
//! smallest sets.

use crate::tables::board::Shape;
use crate::tables::index::Tier;
use crate::tables::moves::Stones;

/// The fitted weights, for rows of three on a board of size 3: what stands on a line
/// (`a`ttacker, `h`older), how many stones more the attacker has in all, and the reserves. A
/// hundred is odds of e to 1.
const FITTED: &str = include_str!("risk-3-3.txt");

/// The estimate of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Estimate {
    /// Zero is a half.
    pub(crate) risk: i32,
    /// Smaller is tried earlier.
    pub(crate) order: i32,
}

/// The weights for a board.
pub(crate) struct Outlook {
    risk: Option<Risk>,
    order: Order,
    rim: u32,
    middle: u32,
}

/// Leads and reserves beyond those that were fitted count as the last ones.
const LEADS: std::ops::RangeInclusive<i32> = -2..=3;
const RESERVES: usize = 6;

struct Risk {
    /// For each length of a line, by what stands on it.
    lines: Vec<Vec<i32>>,
    /// By how many stones more the attacker has in all.
    leads: [i32; 6],
    /// By the reserves of the attacker and the defender.
    reserves: [[i32; RESERVES]; 2],
}

/// What counts for the order: of the attacker, and of the defender.
struct Order {
    /// Stones in all.
    totals: [i32; 2],
    /// Stones on the board.
    stones: [i32; 2],
    /// Those at the rim.
    rim: [i32; 2],
    /// The one in the middle.
    middle: [i32; 2],
    risk: i32,
}

/// Where there is a risk.
const BY_RISK: Order = Order {
    totals: [2900, -5600],
    stones: [400, 11800],
    rim: [-2600, 800],
    middle: [0, -2500],
    risk: 3,
};

/// Where there is none.
const PLAIN: Order = Order {
    totals: [30, -60],
    stones: [-20, 40],
    rim: [-5, 5],
    middle: [0, 0],
    risk: 0,
};

impl Outlook {
    pub(crate) fn new(shape: &Shape) -> Outlook {
        let fitted = shape.points == 19 && shape.run == 3;
        Outlook {
            risk: fitted.then(|| Risk::parse(FITTED)),
            order: if fitted { BY_RISK } else { PLAIN },
            rim: shape.rim,
            middle: 1 << (shape.points / 2),
        }
    }

    /// Whether it knows a risk.
    pub(crate) fn is_fitted(&self) -> bool {
        self.risk.is_some()
    }

    /// The estimate of a position in which the attacker is to move.
    #[inline(always)]
    pub(crate) fn estimate(&self, shape: &Shape, tier: Tier, stones: Stones) -> Estimate {
        let totals = [tier.own, tier.other].map(i32::from);
        let sets = [stones.own, stones.other];
        let order = &self.order;
        let risk = match &self.risk {
            Some(risk) => risk.of(shape, totals, stones),
            None => 0,
        };
        let mut sum = order.risk * risk;
        for side in 0..2 {
            let count = |points: u32| (sets[side] & points).count_ones() as i32;
            sum += order.totals[side] * totals[side]
                + order.stones[side] * count(shape.full)
                + order.rim[side] * count(self.rim)
                + order.middle[side] * count(self.middle);
        }
        Estimate { risk, order: sum }
    }
}

impl Risk {
    fn parse(text: &str) -> Risk {
        let mut risk = Risk {
            lines: (0..=5).map(|length| vec![0; 1 << (2 * length)]).collect(),
            leads: [0; 6],
            reserves: [[0; RESERVES]; 2],
        };
        for line in text.lines() {
            let (what, weight) = line.rsplit_once(' ').expect("a weight ends the line");
            let weight = weight.parse().expect("a weight is a number");
            let number = |text: &str| text.parse::<i32>().expect("stones are a number");
            match what.split_once(' ') {
                None => risk.set_line(what, weight),
                Some(("lead", lead)) => risk.leads[lead_place(number(lead))] = weight,
                Some((side, reserve)) => {
                    let side = usize::from(side == "holder");
                    risk.reserves[side][number(reserve) as usize] = weight;
                }
            }
        }
        risk
    }

    /// What a line is worth, seen from either end.
    fn set_line(&mut self, what: &str, weight: i32) {
        let length = what.len();
        let content = |points: &mut dyn Iterator<Item = u8>| {
            points.enumerate().fold(0, |content, (at, point)| {
                content
                    | usize::from(point == b'a') << at
                    | usize::from(point == b'h') << (length + at)
            })
        };
        let (there, back) = (content(&mut what.bytes()), content(&mut what.bytes().rev()));
        self.lines[length][there] = weight;
        self.lines[length][back] = weight;
    }

    #[inline(always)]
    fn of(&self, shape: &Shape, totals: [i32; 2], stones: Stones) -> i32 {
        let (own, other) = (shape.axes(stones.own), shape.axes(stones.other));
        let lines = shape
            .lines
            .iter()
            .map(|line| self.lines[line.length as usize][shape.content(line, own, other)])
            .sum::<i32>();
        let reserve = |side: usize, set: u32| {
            let reserve = (totals[side] - set.count_ones() as i32) as usize;
            self.reserves[side][reserve.min(RESERVES - 1)]
        };
        lines
            + self.leads[lead_place(totals[0] - totals[1])]
            + reserve(0, stones.own)
            + reserve(1, stones.other)
    }
}

#[inline(always)]
fn lead_place(lead: i32) -> usize {
    (lead.clamp(*LEADS.start(), *LEADS.end()) - LEADS.start()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_worth_the_same() {
        let shape = Shape::new("3 3 7 7".parse().unwrap());
        let outlook = Outlook::new(&shape);
        let tier = Tier { own: 7, other: 6 };
        let mut risks = Vec::new();
        for step in 0..500u32 {
            let mixed = step.wrapping_mul(0x9e37_79b9);
            let own = mixed & mixed >> 3 & shape.full;
            let stones = Stones {
                own,
                other: mixed >> 11 & mixed >> 7 & shape.full & !own,
            };
            if own.count_ones() > 7 || stones.other.count_ones() > 6 {
                continue;
            }
            let first = outlook.estimate(&shape, tier, stones);
            for symmetry in 1..12 {
                let view = Stones {
                    own: shape.image(stones.own, symmetry),
                    other: shape.image(stones.other, symmetry),
                };
                assert_eq!(outlook.estimate(&shape, tier, view), first, "{stones:?}");
            }
            risks.push(first.risk);
        }
        // Some look good, some look bad.
        assert!(risks.len() > 100);
        assert!(risks.iter().any(|&risk| risk < -300) && risks.iter().any(|&risk| risk > 300));
    }

    #[test]
    fn stones_in_hand_are_good_for_the_defender() {
        let shape = Shape::new("3 3 7 7".parse().unwrap());
        let outlook = Outlook::new(&shape);
        let stones = Stones {
            own: 0b1,
            other: 0b10,
        };
        let risk = |own, other| outlook.estimate(&shape, Tier { own, other }, stones).risk;
        assert!(risk(6, 6) > risk(5, 6));
        assert!(risk(6, 5) > risk(6, 6));
    }
}

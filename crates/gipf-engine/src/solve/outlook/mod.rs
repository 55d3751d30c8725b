//! What the defender thinks of a position that he may leave to the attacker.
//!
//! Two numbers for each: how likely it is lost, and how late to try it, which also favours
//! positions that keep the set of held positions small. Nothing here decides anything: a
//! poor estimate costs time.
//!
//! Both are sums over the lines of the board, by what stands on each, and over the stones
//! that the sides have; on a board of size 3 the risk is told by two neighbouring lines at a
//! time. The risk is fitted ([`fit`]) and the order climbed ([`climb`]); neither by hand.

pub mod climb;
pub mod fit;
mod pairs;

use crate::tables::board::Shape;
use crate::tables::index::Tier;
use crate::tables::moves::Stones;

use pairs::Pairs;

/// The fitted weights, of the risk and of the order, for rows of three on a board of size 3:
/// what stands on a line (`a`ttacker, `h`older), how many stones more the attacker has in all,
/// and the reserves. A hundred of risk is odds of e to 1.
pub const ORDER: &str = include_str!("3-3.txt");

/// The risk that pairs of lines add.
pub const PAIRS: &[u8] = include_bytes!("3-3.pairs");

/// The estimate of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Estimate {
    /// Zero is a half.
    pub(crate) risk: i32,
    /// Smaller is tried earlier.
    pub(crate) order: i32,
}

/// An estimate in one word, so that both numbers are added at once.
#[derive(Clone, Copy, Default)]
struct Weight(i64);

impl Weight {
    fn new(estimate: Estimate) -> Weight {
        Weight((i64::from(estimate.order) << 32) + i64::from(estimate.risk))
    }

    #[inline(always)]
    fn estimate(self) -> Estimate {
        let risk = self.0 as i32;
        let order = (self.0 - i64::from(risk)) >> 32;
        Estimate {
            risk,
            order: order as i32,
        }
    }
}

/// The weights for a board.
pub(crate) struct Outlook {
    fitted: Option<Weights>,
}

/// Leads and reserves beyond those that were fitted count as the last ones.
const LEADS: std::ops::RangeInclusive<i32> = -2..=3;
const RESERVES: usize = 6;

struct Weights {
    /// For each length of a line, by what stands on it.
    lines: Vec<Vec<Weight>>,
    /// By how many stones more the attacker has in all.
    leads: [Weight; 6],
    /// By the reserves of the attacker and the defender.
    reserves: [[Weight; RESERVES]; 2],
    /// For each stone of the attacker and of the defender, wherever it is.
    totals: [Weight; 2],
    pairs: Pairs,
    /// What a risk of one counts in the order.
    risk: i32,
}

impl Outlook {
    pub(crate) fn new(shape: &Shape) -> Outlook {
        let fitted = shape.points == 19 && shape.run == 3;
        Outlook {
            fitted: fitted.then(|| Weights::parse(ORDER, PAIRS)),
        }
    }

    /// Other weights than those that are built in.
    fn parse(text: &str, pairs: &[u8]) -> Outlook {
        Outlook {
            fitted: Some(Weights::parse(text, pairs)),
        }
    }

    /// Whether it knows a risk.
    pub(crate) fn is_fitted(&self) -> bool {
        self.fitted.is_some()
    }

    /// The estimate of a position in which the attacker is to move.
    #[inline(always)]
    pub(crate) fn estimate(&self, shape: &Shape, tier: Tier, stones: Stones) -> Estimate {
        match &self.fitted {
            Some(weights) => {
                let Estimate { risk, order } = weights.of(shape, tier, stones).estimate();
                let order = order.saturating_add(weights.risk.saturating_mul(risk));
                Estimate { risk, order }
            }
            None => Estimate {
                risk: 0,
                order: plain_order(shape, tier, stones),
            },
        }
    }
}

/// The order where nothing is fitted: the defender likes to have stones, and rather in his
/// hand and inside than at the rim.
#[inline(always)]
fn plain_order(shape: &Shape, tier: Tier, stones: Stones) -> i32 {
    let worth = |total: u8, set: u32| {
        let (all, rim) = (set.count_ones(), (set & shape.rim).count_ones());
        6 * i32::from(total) - 4 * all as i32 - rim as i32
    };
    worth(tier.own, stones.own) - 2 * worth(tier.other, stones.other)
}

impl Weights {
    fn parse(text: &str, pairs: &[u8]) -> Weights {
        let mut weights = Weights {
            lines: (0..=5)
                .map(|length| vec![Weight::default(); 1 << (2 * length)])
                .collect(),
            leads: Default::default(),
            reserves: Default::default(),
            totals: Default::default(),
            pairs: Pairs::new(pairs),
            risk: 0,
        };
        for line in text.lines() {
            let number = |text: &str| text.parse::<i32>().expect("a number");
            let fields: Vec<&str> = line.split(' ').collect();
            let (what, estimate) = fields.split_at(fields.len() - 2);
            let weight = Weight::new(Estimate {
                risk: number(estimate[0]),
                order: number(estimate[1]),
            });
            let side = |name: &str| usize::from(name == "holder");
            match *what {
                ["risk"] => weights.risk = number(estimate[1]),
                ["lead", lead] => weights.leads[lead_place(number(lead))] = weight,
                ["total", name] => weights.totals[side(name)] = weight,
                [name, reserve] => weights.reserves[side(name)][number(reserve) as usize] = weight,
                [points] => weights.set_line(points, weight),
                _ => panic!("{line}: a line, or stones"),
            }
        }
        weights
    }

    /// What a line is worth, seen from either end.
    fn set_line(&mut self, what: &str, weight: Weight) {
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
    fn of(&self, shape: &Shape, tier: Tier, stones: Stones) -> Weight {
        let totals = [tier.own, tier.other].map(i32::from);
        let (own, other) = (shape.axes(stones.own), shape.axes(stones.other));
        let lines = shape
            .lines
            .iter()
            .map(|line| self.lines[line.length as usize][shape.content(line, own, other)].0)
            .sum::<i64>();
        let hand = |side: usize, set: u32| {
            let reserve = (totals[side] - set.count_ones() as i32) as usize;
            let total = self.totals[side].0 * i64::from(totals[side]);
            self.reserves[side][reserve.min(RESERVES - 1)].0 + total
        };
        let lead = self.leads[lead_place(totals[0] - totals[1])].0;
        let pairs = i64::from(self.pairs.risk(shape, tier, [own, other]));
        Weight(lines + lead + hand(0, stones.own) + hand(1, stones.other) + pairs)
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
    fn two_numbers_add_up_in_one_word() {
        let numbers = [0, 1, -1, 7, -900, 425_000, -425_000];
        for (risk, order) in numbers.iter().flat_map(|a| numbers.map(|b| (*a, b))) {
            let one = Weight::new(Estimate { risk, order });
            let other = Weight::new(Estimate {
                risk: -33,
                order: 5,
            });
            let sum = Weight(one.0 + 2 * other.0).estimate();
            assert_eq!((sum.risk, sum.order), (risk - 66, order + 10));
        }
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

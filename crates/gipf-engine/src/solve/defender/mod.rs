//! The defender's move ordering and loss estimate, for replies in the search for a safe set.
//!
//! Two numbers for each position that a reply leads to: the risk that it is lost, and how late to
//! try it, which also favours positions that keep the safe set small. Neither decides anything: a
//! poor estimate costs time.
//!
//! Both are linear: sums over the lines of the board, by what stands on each (move ordering) or
//! on two neighbours (loss estimate), and over the stones that the sides have. The loss estimate
//! is fitted by logistic regression and the move ordering found by hill climbing, see
//! `ludex train gipf-move-ordering`; neither is made by hand.

pub(crate) mod pairs;

use crate::tables::board::Shape;
use crate::tables::index::Tier;
use crate::tables::moves::Stones;

use pairs::{CONTENTS, Content, Near, ON_BOARD, Pairs};

/// The embedded weights of risk and order, for rows of three on a board of size 3: what stands on
/// a line (`a`ttacker, `d`efender), how many stones more the attacker has in all, and the
/// reserves. A hundred of risk is odds of e to 1.
pub const ORDER: &str = include_str!("3-3.txt");

/// The embedded weights of risk for pairs of neighbouring lines.
pub const PAIRS: &[u8] = include_bytes!("3-3.pairs");

/// The estimate of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Estimate {
    /// Log-odds of a loss in hundredths.
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
pub(crate) struct DefenderModel {
    fitted: Option<Weights>,
}

/// Leads and reserves beyond those that were fitted count as the last ones.
const LEADS: std::ops::RangeInclusive<i32> = -2..=3;
pub(crate) const RESERVES: usize = 6;

/// Positions in which the attacker has more stones in all are another matter.
pub(crate) const CLASSES: usize = 2;

/// Every weight twice as large as it is written, see [`Weights::set_pairs`].
struct Weights {
    pairs: Pairs,
    /// Of each class, by the number of a pair of lines.
    contents: [Box<[Weight; CONTENTS]>; CLASSES],
    /// By how many stones more the attacker has in all.
    leads: [Weight; 6],
    /// By the reserves of the attacker and the defender.
    reserves: [[Weight; RESERVES]; 2],
    /// For each stone of the attacker and of the defender, wherever it is.
    totals: [Weight; 2],
}

/// The class of a position in which the attacker is to move.
#[inline(always)]
pub(crate) fn class(tier: Tier) -> usize {
    usize::from(tier.own > tier.other)
}

impl DefenderModel {
    pub(crate) fn new(shape: &Shape) -> DefenderModel {
        let fitted = shape.points == 19 && shape.run == 3;
        DefenderModel {
            fitted: fitted.then(|| Weights::parse(shape, ORDER, PAIRS)),
        }
    }

    /// Other weights than the embedded ones, for a board of size 3.
    pub(crate) fn parse(shape: &Shape, text: &str, pairs: &[u8]) -> DefenderModel {
        DefenderModel {
            fitted: Some(Weights::parse(shape, text, pairs)),
        }
    }

    /// Whether the loss estimate is fitted to this board.
    pub(crate) fn is_fitted(&self) -> bool {
        self.fitted.is_some()
    }

    /// The estimate of a position in which the attacker is to move.
    #[inline(always)]
    pub(crate) fn estimate(&self, shape: &Shape, tier: Tier, stones: Stones) -> Estimate {
        self.estimate_near(shape, tier, stones, &self.near(shape, stones))
    }

    /// A position, so that others which differ from it in a few points are estimated sooner.
    #[inline(always)]
    pub(crate) fn near(&self, shape: &Shape, stones: Stones) -> Option<Near> {
        let weights = self.fitted.as_ref()?;
        Some(weights.pairs.near(shape, stones))
    }

    /// The estimate of a position that differs little from another one.
    #[inline(always)]
    pub(crate) fn estimate_near(
        &self,
        shape: &Shape,
        tier: Tier,
        stones: Stones,
        near: &Option<Near>,
    ) -> Estimate {
        match (&self.fitted, near) {
            (Some(weights), Some(near)) => {
                let Estimate { risk, order } = weights.of(tier, stones, near).estimate();
                Estimate {
                    risk: risk / 2,
                    order,
                }
            }
            _ => Estimate {
                risk: 0,
                order: plain_order(shape, tier, stones),
            },
        }
    }
}

/// The move ordering where nothing is fitted: stones of the defender are good, and better in
/// reserve and inside than at the rim.
#[inline(always)]
fn plain_order(shape: &Shape, tier: Tier, stones: Stones) -> i32 {
    let worth = |total: u8, set: u32| {
        let (all, rim) = (set.count_ones(), (set & shape.rim).count_ones());
        6 * i32::from(total) - 4 * all as i32 - rim as i32
    };
    worth(tier.own, stones.own) - 2 * worth(tier.other, stones.other)
}

impl Weights {
    fn parse(shape: &Shape, text: &str, risks: &[u8]) -> Weights {
        let mut weights = Weights {
            pairs: Pairs::new(shape),
            contents: std::array::from_fn(|_| Box::new([Weight::default(); CONTENTS])),
            leads: Default::default(),
            reserves: Default::default(),
            totals: Default::default(),
        };
        let mut lines = Lines::default();
        // What a risk of one counts in the order; it comes first.
        let mut mixed = 0;
        for line in text.lines() {
            let number = |text: &str| text.parse::<i32>().expect("a number");
            let fields: Vec<&str> = line.split(' ').collect();
            let (what, estimate) = fields.split_at(fields.len() - 2);
            let (risk, order) = (number(estimate[0]), number(estimate[1]));
            let weight = Weight::new(Estimate {
                risk: 2 * risk,
                order: 2 * (order + mixed * risk),
            });
            let side = |name: &str| usize::from(name == "defender");
            match *what {
                ["risk"] => mixed = order,
                ["lead", lead] => weights.leads[lead_place(number(lead))] = weight,
                ["total", name] => weights.totals[side(name)] = weight,
                [name, reserve] => weights.reserves[side(name)][number(reserve) as usize] = weight,
                [points] => lines.set(points, order),
                _ => panic!("{line}: a line, or stones"),
            }
        }
        weights.set_pairs(&lines, risks, mixed);
        weights
    }

    /// What pairs are worth: their risks, two bytes each, class by class; and the order of their
    /// lines. Each line is in two pairs but for those of three points, which count twice here:
    /// so everything does.
    fn set_pairs(&mut self, lines: &Lines, risks: &[u8], mixed: i32) {
        let (risks, _) = risks.as_chunks();
        assert_eq!(risks.len(), CLASSES * CONTENTS, "a risk for each pair");
        for (contents, risks) in self.contents.iter_mut().zip(risks.chunks(CONTENTS)) {
            for (pair, (weight, &risk)) in contents.iter_mut().zip(risks).enumerate() {
                let risk = 2 * i32::from(i16::from_le_bytes(risk));
                let orders = pairs::lines(pair).map(|line| lines.get(line));
                *weight = Weight::new(Estimate {
                    risk,
                    order: orders.iter().sum::<i32>() + mixed * risk,
                });
            }
        }
    }

    #[inline(always)]
    fn of(&self, tier: Tier, stones: Stones, near: &Near) -> Weight {
        let totals = [tier.own, tier.other].map(i32::from);
        let pairs = self.pairs.from(near, stones);
        let contents = &self.contents[class(tier)];
        let of_pair = |&pair: &u16| contents[usize::from(pair)].0;
        let lines: i64 = pairs[..ON_BOARD].iter().map(of_pair).sum();
        let reserve_weight = |side: usize, set: u32| {
            let reserve = (totals[side] - set.count_ones() as i32) as usize;
            let total = self.totals[side].0 * i64::from(totals[side]);
            self.reserves[side][reserve.min(RESERVES - 1)].0 + total
        };
        let lead = self.leads[lead_place(totals[0] - totals[1])].0;
        Weight(lines + lead + reserve_weight(0, stones.own) + reserve_weight(1, stones.other))
    }
}

/// Weights of the move ordering by what stands on single lines.
#[derive(Default)]
struct Lines([Vec<i32>; 6]);

impl Lines {
    /// What a line counts, seen from either end.
    fn set(&mut self, points: &str, order: i32) {
        let number = |points: &mut dyn Iterator<Item = u8>| {
            points.fold(0, |number, point| {
                let digit = match point {
                    b'a' => 1,
                    b'd' => 2,
                    _ => 0,
                };
                3 * number + digit
            })
        };
        let orders = &mut self.0[points.len()];
        orders.resize(3usize.pow(points.len() as u32), 0);
        orders[number(&mut points.bytes())] = order;
        orders[number(&mut points.bytes().rev())] = order;
    }

    /// What a line counts in one pair.
    fn get(&self, Content { length, number }: Content) -> i32 {
        let order = self.0[length].get(number).copied().unwrap_or(0);
        if length == 3 { 2 * order } else { order }
    }
}

#[inline(always)]
pub(crate) fn lead_place(lead: i32) -> usize {
    (lead.clamp(*LEADS.start(), *LEADS.end()) - LEADS.start()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_positions_have_the_same_estimate() {
        let shape = Shape::new("3 3 7 7".parse().unwrap());
        let model = DefenderModel::new(&shape);
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
            let first = model.estimate(&shape, tier, stones);
            for symmetry in 1..12 {
                let view = Stones {
                    own: shape.image(stones.own, symmetry),
                    other: shape.image(stones.other, symmetry),
                };
                assert_eq!(model.estimate(&shape, tier, view), first, "{stones:?}");
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
    fn stones_in_reserve_are_good_for_the_defender() {
        let shape = Shape::new("3 3 7 7".parse().unwrap());
        let model = DefenderModel::new(&shape);
        let stones = Stones {
            own: 0b1,
            other: 0b10,
        };
        let risk = |own, other| model.estimate(&shape, Tier { own, other }, stones).risk;
        assert!(risk(6, 6) > risk(5, 6));
        assert!(risk(6, 5) > risk(6, 6));
    }
}

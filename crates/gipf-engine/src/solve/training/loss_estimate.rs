//! The defender's loss estimate: logistic regression on positions that the defender chooses from
//! in the safe set of a variant, with their values from its tablebase.

use gipf::Position;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::solve::defender::pairs::{CONTENTS, ON_BOARD, Pairs, mirror};
use crate::solve::defender::{CLASSES, RESERVES, class, lead_place};
use crate::solve::fixed_point::indexed::IndexedProver;
use crate::solve::portfolio::Prepared;
use crate::solve::rules::SmallBoard;
use crate::tables::board::Shape;
use crate::tables::index::Tier;
use crate::tables::moves::Stones;
use crate::tables::{Table, Value};

/// A position that the defender may leave to the attacker, and whether it is lost.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    tier: Tier,
    stones: Stones,
    lost: bool,
}

/// Memory for the safe set.
const MEMORY: usize = 8 << 30;

/// What the defender chooses from in the safe set of the table's variant: the replies of one in
/// `every` of the positions that have little support.
#[must_use]
pub fn samples(table: &Table, every: usize) -> Vec<Sample> {
    let start = Position::start(table.variant());
    let mut samples = Vec::new();
    if let Some((root, prepared)) = SmallBoard::new(&start).zip(Prepared::of(start.variant())) {
        let prover = IndexedProver::new(prepared.knowledge(), root, MEMORY);
        prover.visit_choices(every, |tier, stones| {
            if let Some(value) = table.value_at(tier, stones) {
                let lost = matches!(value, Value::Win(_));
                samples.push(Sample { tier, stones, lost });
            }
        });
    }
    samples
}

/// Weights of the numbers of stones, after those of the pairs: of the lead, and of the reserves
/// of the attacker and the defender.
const LEADS: usize = CLASSES * CONTENTS;
const RESERVE_WEIGHTS: usize = LEADS + RESERVES;
const WEIGHTS: usize = RESERVE_WEIGHTS + 2 * RESERVES;

/// The step of gradient descent in the first round; later ones are shorter.
const STEP: f32 = 0.15;

/// One in so many samples is kept to see how good a fit is.
const KEPT: usize = 8;

/// A weight of one stands for this risk.
const SCALE: f32 = 100.0;

/// A fitted loss estimate.
pub struct LossEstimate {
    weights: Vec<f32>,
    /// The mean logarithmic loss on samples that were not used.
    pub loss: f64,
}

impl LossEstimate {
    /// The weights of pairs, as the engine has them in a file.
    #[must_use]
    pub fn pairs(&self) -> Vec<u8> {
        let classes = self.weights[..LEADS].chunks(CONTENTS);
        let all = classes.flat_map(|weights| {
            (0..CONTENTS).map(|pair| (SCALE * weights[pair.min(mirror(pair))]) as i16)
        });
        all.flat_map(i16::to_le_bytes).collect()
    }

    /// The text of the weights with this loss estimate and the move ordering that it had.
    #[must_use]
    pub fn rewrite(&self, text: &str) -> String {
        let risk = |what: &str| {
            let place = match what.split_once(' ') {
                Some(("lead", lead)) => LEADS + lead_place(lead.parse().unwrap_or(0)),
                Some(("attacker", reserve)) => {
                    RESERVE_WEIGHTS + reserve.parse::<usize>().unwrap_or(0)
                }
                Some(("defender", reserve)) => {
                    RESERVE_WEIGHTS + RESERVES + reserve.parse::<usize>().unwrap_or(0)
                }
                _ => return 0,
            };
            (SCALE * self.weights[place]) as i32
        };
        let line = |line: &str| {
            let mut fields = line.rsplitn(3, ' ');
            let order = fields.next().unwrap_or_default();
            let what = fields.nth(1).unwrap_or_default();
            format!("{what} {} {order}\n", risk(what))
        };
        text.lines().map(line).collect()
    }
}

/// Fits the loss estimate for a board of size 3 with rows of three to samples in so many rounds.
#[must_use]
pub fn fit(samples: &mut [Sample], rounds: u32, seed: u64) -> LossEstimate {
    let shape = Shape::new("3 3 5 5".parse().expect("a variant"));
    let pairs = Pairs::new();
    let places = |sample: &Sample| -> [usize; ON_BOARD + 3] {
        let Sample { tier, stones, .. } = *sample;
        let seen = pairs.of(shape.axes(stones.own), shape.axes(stones.other));
        let reserve = |total: u8, set: u32| {
            usize::from(total)
                .saturating_sub(set.count_ones() as usize)
                .min(RESERVES - 1)
        };
        std::array::from_fn(|at| match at.checked_sub(ON_BOARD) {
            None => class(tier) * CONTENTS + seen[at].min(mirror(seen[at])),
            Some(0) => LEADS + lead_place(i32::from(tier.own) - i32::from(tier.other)),
            Some(1) => RESERVE_WEIGHTS + reserve(tier.own, stones.own),
            Some(_) => RESERVE_WEIGHTS + RESERVES + reserve(tier.other, stones.other),
        })
    };
    let mut weights = vec![0.0f32; WEIGHTS];
    let mut squares = vec![0.01f32; WEIGHTS];
    let estimate = |weights: &[f32], places: &[usize]| {
        let sum: f32 = places.iter().map(|&place| weights[place]).sum();
        1.0 / (1.0 + (-sum).exp())
    };
    samples.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let (kept, used) = samples.split_at(samples.len() / KEPT);
    for round in 1..=rounds {
        let step = STEP / round as f32;
        for sample in used {
            let places = places(sample);
            let error = estimate(&weights, &places) - f32::from(u8::from(sample.lost));
            for place in places {
                squares[place] += error * error;
                weights[place] -= step * error / squares[place].sqrt();
            }
        }
    }
    let losses = kept.iter().map(|sample| {
        let estimate = f64::from(estimate(&weights, &places(sample)));
        let right = if sample.lost {
            estimate
        } else {
            1.0 - estimate
        };
        -right.max(1e-9).ln()
    });
    LossEstimate {
        loss: losses.sum::<f64>() / kept.len().max(1) as f64,
        weights,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::defender::{DefenderModel, ORDER};

    /// Boards with a few stones, and whether they are lost, as something says.
    fn made_up(lost: impl Fn(Tier, Stones) -> bool) -> Vec<Sample> {
        let made = |step: u32| {
            let mixed = step.wrapping_mul(0x9e37_79b9);
            let own = mixed & mixed >> 5 & 0x7ffff;
            let other = mixed >> 13 & mixed >> 9 & 0x7ffff & !own;
            let stones = Stones { own, other };
            let total = |set: u32, more: u32| (set.count_ones() + 1 + more % 3) as u8;
            let tier = Tier {
                own: total(own, mixed >> 7),
                other: total(other, mixed >> 17),
            };
            let lost = lost(tier, stones);
            Sample { tier, stones, lost }
        };
        (1..40_000).map(made).collect()
    }

    #[test]
    fn finds_what_decides() {
        // A stone of the attacker in the middle beside one of the defender; and stones in all.
        let middle = |stones: Stones| stones.own >> 9 & 1 == 1 && stones.other & 0b101 << 8 != 0;
        let mut samples = made_up(|tier, stones| middle(stones) || tier.own > tier.other + 1);
        let risk = fit(&mut samples, 3, 1);
        assert!(risk.loss < 0.2, "{}", risk.loss);
        // The weights that are written mean the same when they are read.
        let shape = Shape::new("3 3 5 5".parse().unwrap());
        let text = risk.rewrite(ORDER);
        let model = DefenderModel::parse(&text, &risk.pairs());
        let right = |sample: &&Sample| {
            let estimate = model.estimate(&shape, sample.tier, sample.stones);
            (estimate.risk > 0) == sample.lost
        };
        let right = samples.iter().filter(right).count();
        assert!(
            right > samples.len() * 9 / 10,
            "{right} of {}",
            samples.len()
        );
        // The move ordering is the same as before.
        let orders = |text: &str| -> Vec<String> {
            let order = |line: &str| line.rsplit(' ').next().map(str::to_owned);
            text.lines().filter_map(order).collect()
        };
        assert_eq!(orders(&text), orders(ORDER));
    }
}

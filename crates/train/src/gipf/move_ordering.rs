//! The defender's move ordering by hill climbing: weights are changed a few at a time, and a
//! change is kept if proofs that some positions are ties become shorter.

use std::sync::{Arc, Mutex, PoisonError};

use gipf::Position;
use gipf_engine::solve::training::{DefenderWeights, tie_proof_length};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use search::{Clock, Limits};

/// How to climb.
pub struct HillClimb {
    /// Positions in which neither side can force a win; proofs of that are to become shorter.
    pub positions: Vec<Position>,
    /// How long: the time, or how many changes are tried on each thread.
    pub limits: Limits,
    /// Changes that are tried at the same time.
    pub threads: usize,
    /// Where random choices start.
    pub seed: u64,
}

/// How many weights are changed at a time, and by how much at most: one of these each time.
const CHANGES: [usize; 4] = [1, 2, 4, 8];
const SIZES: [i32; 4] = [600, 2_000, 6_000, 15_000];

/// A proof may become longer by so much (as a logarithm) if others become shorter.
const SLACK: f64 = 0.01;

/// A smaller gain than this is not one.
const GAIN: f64 = 1e-4;

/// The weights of an order, with what is written before each.
#[derive(Clone)]
struct Order {
    names: Arc<[String]>,
    weights: Vec<i32>,
}

impl Order {
    fn parse(text: &str) -> Option<Order> {
        let split = |line: &str| -> Option<(String, i32)> {
            let (name, weight) = line.rsplit_once(' ')?;
            Some((name.to_owned(), weight.parse().ok()?))
        };
        let (names, weights): (Vec<_>, _) = text.lines().map(split).collect::<Option<_>>()?;
        Some(Order {
            names: names.into(),
            weights,
        })
    }

    fn text(&self) -> String {
        let lines = self.names.iter().zip(&self.weights);
        lines
            .map(|(name, weight)| format!("{name} {weight}\n"))
            .collect()
    }

    /// Some weights, and what is added to them.
    fn change(&self, rng: &mut ChaCha8Rng) -> Vec<(usize, i32)> {
        let changes = CHANGES[rng.random_range(0..CHANGES.len())];
        let size = SIZES[rng.random_range(0..SIZES.len())];
        let one = |_| {
            let place = rng.random_range(0..self.weights.len());
            (place, rng.random_range(-size..=size))
        };
        (0..changes).map(one).collect()
    }
}

/// The best order so far, and the logarithms of the positions that the proofs take.
#[derive(Clone)]
struct Best {
    order: Order,
    costs: Vec<f64>,
}

impl Best {
    fn sum(&self) -> f64 {
        self.costs.iter().sum()
    }

    fn counts(&self) -> Vec<u64> {
        let counts = self.costs.iter().map(|cost| cost.exp().round() as u64);
        counts.collect()
    }
}

impl HillClimb {
    /// Changes the move ordering in the text of the weights, with these weights of pairs. It is shown,
    /// with the positions that the proofs take, and so is every better one. `None` if the text
    /// cannot be read or one of the positions is not a tie.
    pub fn run(
        &self,
        text: &str,
        pairs: &[u8],
        show: impl Fn(&str, &[u64]) + Sync,
    ) -> Option<String> {
        let order = Order::parse(text)?;
        let endless = vec![f64::INFINITY; self.positions.len()];
        let costs = self.costs(&order, pairs, &endless)?;
        let best = Best { order, costs };
        show(text, &best.counts());
        let best = Mutex::new(best);
        std::thread::scope(|scope| {
            for thread in 0..self.threads as u64 {
                let (best, show) = (&best, &show);
                let rng = ChaCha8Rng::seed_from_u64(self.seed.wrapping_add(thread));
                scope.spawn(move || self.climb(best, pairs, rng, show));
            }
        });
        let best = best.into_inner().unwrap_or_else(PoisonError::into_inner);
        Some(best.order.text())
    }

    /// Tries changes until the limits are reached.
    fn climb(
        &self,
        best: &Mutex<Best>,
        pairs: &[u8],
        mut rng: ChaCha8Rng,
        show: &(impl Fn(&str, &[u64]) + Sync),
    ) {
        let mut clock = Clock::start(&self.limits);
        let lock = || best.lock().unwrap_or_else(PoisonError::into_inner);
        // A change that was good may be good again.
        let mut again = None;
        while !clock.tick() {
            let Best { mut order, costs } = lock().clone();
            let change = again.take().unwrap_or_else(|| order.change(&mut rng));
            for &(place, by) in &change {
                order.weights[place] += by;
            }
            let Some(costs) = self.costs(&order, pairs, &costs) else {
                continue;
            };
            let new = Best { order, costs };
            let mut best = lock();
            if new.sum() < best.sum() - GAIN {
                show(&new.order.text(), &new.counts());
                *best = new;
                again = Some(change);
            }
        }
    }

    /// What the proofs cost, unless one costs much more than it did.
    fn costs(&self, order: &Order, pairs: &[u8], before: &[f64]) -> Option<Vec<f64>> {
        let weights = DefenderWeights::parse(&order.text(), pairs);
        let positions = self.positions.iter().zip(before);
        let cost = |(position, before): (&Position, &f64)| {
            let most = (before + SLACK).exp() as u64;
            Some((tie_proof_length(position, &weights, most)? as f64).ln())
        };
        positions.map(cost).collect()
    }
}

#[cfg(test)]
mod tests {
    use gipf_engine::solve::training::{ORDER, PAIRS};

    use super::*;

    #[test]
    fn only_shorter_proofs_are_kept() {
        // Far from the top, so that there is something to climb.
        let flat: String = ORDER
            .lines()
            .filter_map(|line| Some(format!("{} 0\n", line.rsplit_once(' ')?.0)))
            .collect();
        let climb = HillClimb {
            positions: vec!["3 3 5 5 1 1 W W_B/B__W/B___W/____/W_B".parse().unwrap()],
            limits: Limits::default().with_nodes(8),
            threads: 2,
            seed: 1,
        };
        let seen = Mutex::new(Vec::new());
        let climbed = climb.run(&flat, PAIRS, |text, counts| {
            seen.lock()
                .unwrap()
                .push((text.to_owned(), counts.to_vec()));
        });
        let seen = seen.into_inner().unwrap();
        assert_eq!(seen[0].0, flat);
        assert_eq!(climbed.as_ref(), seen.last().map(|(text, _)| text));
        assert!(
            seen.is_sorted_by(|before, after| after.1 < before.1),
            "{seen:?}"
        );
        let weights = DefenderWeights::parse(&climbed.unwrap(), PAIRS);
        let again = tie_proof_length(&climb.positions[0], &weights, u64::MAX).unwrap();
        assert_eq!(seen.last().unwrap().1, [again]);
    }
}

//! Logistic regression by Adam.

use gipf_standard_engine::PARAMETERS;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::Sample;

/// Positions of one step.
const BATCH: usize = 16_384;
/// Positions whose gradients are added one after the other, so that threads change nothing.
const BLOCK: usize = 2_048;
/// How far a step goes at the beginning; at the end a sixteenth of it.
const RATE: f32 = 0.02;
/// A pull towards nothing keeps rare weights calm.
const CALM: f32 = 1e-6;
const DECAY: [f32; 2] = [0.9, 0.999];

/// Fitted weights and their mean loss in the last pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// The weights; one is odds of e to 1.
    pub values: Vec<f32>,
    /// The mean of the negative logarithms of the chances.
    pub loss: f64,
}

/// The weights under which the chances of the positions are likeliest, from a start.
#[must_use]
pub fn fit(samples: &[Sample], start: &[f32], epochs: u32) -> Fit {
    let mut values = start.to_vec();
    let mut moments = vec![[0.0f32; 2]; PARAMETERS];
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut steps = 0;
    let mut loss = 0.0;
    for epoch in 0..epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.random_range(0..=i));
        }
        let rate = RATE * 0.5f32.powf(4.0 * epoch as f32 / epochs as f32);
        loss = 0.0;
        for batch in order.chunks(BATCH) {
            let (gradient, lost) = gradient(samples, batch, &values);
            loss += lost;
            steps += 1;
            let [first, second] = DECAY.map(|decay| 1.0 - decay.powi(steps));
            for ((value, moment), sum) in values.iter_mut().zip(&mut moments).zip(gradient) {
                let slope = sum / batch.len() as f32 + CALM * *value;
                moment[0] = DECAY[0] * moment[0] + (1.0 - DECAY[0]) * slope;
                moment[1] = DECAY[1] * moment[1] + (1.0 - DECAY[1]) * slope * slope;
                *value -= rate * (moment[0] / first) / ((moment[1] / second).sqrt() + 1e-8);
            }
        }
    }
    let loss = loss / samples.len().max(1) as f64;
    Fit { values, loss }
}

/// The gradient of a batch and its loss.
fn gradient(samples: &[Sample], batch: &[u32], values: &[f32]) -> (Vec<f32>, f64) {
    let blocks: Vec<(Vec<f32>, f64)> = batch
        .par_chunks(BLOCK)
        .map(|block| {
            let (mut sums, mut loss) = (vec![0.0; PARAMETERS], 0.0);
            for &number in block {
                let sample = &samples[number as usize];
                let picked = sample.weights.iter().map(|&weight| usize::from(weight));
                let sum: f32 = picked.clone().map(|weight| values[weight]).sum();
                let chance = 1.0 / (1.0 + (-sum).exp());
                let (won, lost) = (chance.max(1e-7).ln(), (1.0 - chance).max(1e-7).ln());
                loss -= f64::from(sample.chance * won + (1.0 - sample.chance) * lost);
                for weight in picked {
                    sums[weight] += chance - sample.chance;
                }
            }
            (sums, loss)
        })
        .collect();
    let (mut sums, mut loss) = (vec![0.0; PARAMETERS], 0.0);
    for (block, lost) in blocks {
        loss += lost;
        for (sum, part) in sums.iter_mut().zip(block) {
            *sum += part;
        }
    }
    (sums, loss)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gipf_standard_engine::FEATURES;

    #[test]
    fn a_weight_learns_its_chance() {
        let sample = |weight: u16, chance: f32| {
            let mut weights = std::array::from_fn(|place| 100 + place as u16);
            weights[0] = weight;
            Sample { weights, chance }
        };
        let samples: Vec<Sample> = (0..400)
            .map(|i| match i % 2 {
                0 => sample(7, 0.9),
                _ => sample(8, 0.2),
            })
            .collect();
        let Fit { values, loss } = fit(&samples, &vec![0.0; PARAMETERS], 2_000);
        let others: f32 = values[101..100 + FEATURES].iter().sum();
        let chance = |weight: usize| {
            let sum = values[weight] + others;
            1.0 / (1.0 + (-sum).exp())
        };
        assert!((chance(7) - 0.9).abs() < 0.02, "{}", chance(7));
        assert!((chance(8) - 0.2).abs() < 0.02, "{}", chance(8));
        assert!(loss < 0.45, "{loss}");
    }
}

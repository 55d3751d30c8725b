//! Logistic regression on sparse features by AdaGrad.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// The step of gradient descent in the first round; later ones are shorter.
const STEP: f32 = 0.15;

/// What the squared gradients start from.
const FIRST_SQUARE: f32 = 0.01;

/// One in so many samples is held out to measure the fit.
const HELD_OUT: usize = 8;

/// A weight of one stands for this many units of log-odds in the files of the engines.
pub const HUNDREDTHS: f32 = 100.0;

/// A fitted model.
pub struct Logistic {
    /// A weight for each feature.
    pub weights: Vec<f32>,
    /// The mean logarithmic loss on samples that were held out.
    pub loss: f64,
}

impl Logistic {
    /// The probability that the model gives to a sample with these features.
    #[must_use]
    pub fn probability(&self, features: &[usize]) -> f32 {
        probability(&self.weights, features)
    }
}

fn probability(weights: &[f32], features: &[usize]) -> f32 {
    let sum: f32 = features.iter().map(|&feature| weights[feature]).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// Fits so many weights to samples, each with its features and its label, in so many rounds. The
/// samples are shuffled.
#[must_use]
pub fn fit<const N: usize>(
    samples: &mut [([usize; N], bool)],
    weights: usize,
    rounds: u32,
    seed: u64,
) -> Logistic {
    let mut squares = vec![FIRST_SQUARE; weights];
    let mut weights = vec![0.0f32; weights];
    samples.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let (held_out, used) = samples.split_at(samples.len() / HELD_OUT);
    for round in 1..=rounds {
        let step = STEP / round as f32;
        for (features, label) in used {
            let error = probability(&weights, features) - f32::from(u8::from(*label));
            for &feature in features {
                squares[feature] += error * error;
                weights[feature] -= step * error / squares[feature].sqrt();
            }
        }
    }
    let losses = held_out.iter().map(|(features, label)| {
        let positive = f64::from(probability(&weights, features));
        let right = if *label { positive } else { 1.0 - positive };
        -right.max(1e-9).ln()
    });
    Logistic {
        loss: losses.sum::<f64>() / held_out.len().max(1) as f64,
        weights,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_feature_that_decides() {
        let mut samples: Vec<([usize; 2], bool)> = (0..4000usize)
            .map(|step| ([step % 7, 7 + step % 5], step % 7 < 3))
            .collect();
        let model = fit(&mut samples, 12, 3, 1);
        assert!(model.loss < 0.1, "{}", model.loss);
        let right = samples
            .iter()
            .all(|(features, label)| (model.probability(features) > 0.5) == *label);
        assert!(right);
        assert!(model.weights[7..].iter().all(|weight| weight.abs() < 2.0));
    }
}

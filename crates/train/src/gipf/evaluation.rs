//! The evaluation of the player: weights from games of the player against itself.
//!
//! Every game starts with a few random moves and goes on with a short search; each
//! position becomes a sample with the result of its game. The weights are then fitted by
//! logistic regression: the estimate through a sigmoid should be the chance to win.

use gipf::{Position, Variant};
use gipf_engine::player::{Features, Player, Weights, features};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Outcome};
use search::Limits;

/// A position and how its game ended for the player to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// What is counted of the position.
    pub features: Features,
    /// 1 won, 0 lost, a half where the game was stopped.
    pub result: f64,
}

/// How the games are played.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlay {
    /// The variant.
    pub variant: Variant,
    /// Positions that each move may look at.
    pub nodes: u64,
    /// Random plies at the start.
    pub opening: u32,
    /// Plies after which a game is stopped.
    pub longest: u32,
}

/// Plays one game; the seed decides everything.
#[must_use]
pub fn play(settings: &SelfPlay, weights: Weights, seed: u64) -> Vec<Sample> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut player = Player::new(weights, 14);
    let mut position = Position::start(settings.variant);
    let mut seen: Vec<(Features, rules::Side)> = Vec::new();
    let limits = Limits::default().with_nodes(settings.nodes);
    for ply in 0..settings.longest {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        // Now and then a random move later on, for variety.
        let random = ply < settings.opening || rng.random_range(0..24) == 0;
        let mv = if random {
            moves[rng.random_range(0..moves.len())]
        } else {
            let report = player.search(&position, &limits);
            if !report.score.is_proven() {
                seen.push((features(&position), position.side_to_move()));
            }
            report.best.unwrap_or(moves[0])
        };
        position.play_unchecked(mv);
    }
    let result = |side| match position.outcome() {
        Some(Outcome::Win(winner)) => f64::from(u8::from(winner == side)),
        _ => 0.5,
    };
    seen.iter()
        .map(|&(features, side)| Sample {
            features,
            result: result(side),
        })
        .collect()
}

/// The scale of the estimate: this much is worth odds of e to 1.
const SCALE: f64 = 400.0;

/// The weights under which the results are likeliest, found by gradient descent on
/// features brought to the same spread; a small pull towards nothing keeps rare ones calm.
#[must_use]
pub fn fit(samples: &[Sample], rounds: u32) -> Weights {
    const CALM: f64 = 1e-4;
    let count = samples.len().max(1) as f64;
    let start = Weights::default();
    let spread: Vec<f64> = (0..start.0.len())
        .map(|i| {
            let squares = samples.iter().map(|s| f64::from(s.features[i]).powi(2));
            (squares.sum::<f64>() / count).sqrt().max(1e-6)
        })
        .collect();
    let mut weights = vec![0.0; spread.len()];
    for _ in 0..rounds {
        let mut gradient: Vec<f64> = weights.iter().map(|w| CALM * w).collect();
        for sample in samples {
            let terms = weights.iter().zip(&spread).zip(sample.features);
            let sum: f64 = terms.map(|((w, s), f)| w * f64::from(f) / s).sum();
            let error = 1.0 / (1.0 + (-sum).exp()) - sample.result;
            for ((g, s), f) in gradient.iter_mut().zip(&spread).zip(sample.features) {
                *g += error * f64::from(f) / s / count;
            }
        }
        for (w, g) in weights.iter_mut().zip(gradient) {
            *w -= g;
        }
    }
    let mut fitted = start;
    for (i, w) in fitted.0.iter_mut().enumerate() {
        *w = (weights[i] / spread[i] * SCALE).round() as i32;
    }
    fitted
}

/// How badly weights predict the results: the mean of the negative logarithms.
#[must_use]
pub fn loss(samples: &[Sample], weights: Weights) -> f64 {
    let each = samples.iter().map(|sample| {
        let terms = weights.0.iter().zip(sample.features);
        let sum: f64 = terms.map(|(w, f)| f64::from(w * f)).sum::<f64>() / SCALE;
        let likely = 1.0 / (1.0 + (-sum).exp());
        let (won, lost) = (likely.max(1e-9).ln(), (1.0 - likely).max(1e-9).ln());
        -(sample.result * won + (1.0 - sample.result) * lost)
    });
    each.sum::<f64>() / samples.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: SelfPlay = SelfPlay {
        variant: Variant::ORIGINAL,
        nodes: 60,
        opening: 6,
        longest: 80,
    };

    fn samples() -> Vec<Sample> {
        (0..6)
            .flat_map(|seed| play(&GAMES, Weights::default(), seed))
            .collect()
    }

    #[test]
    fn games_follow_from_their_seeds() {
        let game = |seed| play(&GAMES, Weights::default(), seed);
        assert_eq!(game(3), game(3));
        assert_ne!(game(3), game(4));
        for sample in game(3) {
            assert!([0.0, 0.5, 1.0].contains(&sample.result), "{sample:?}");
        }
    }

    #[test]
    fn fitted_weights_predict_better() {
        let samples = samples();
        assert!(samples.len() > 50);
        let mut nothing = Weights::default();
        nothing.0.fill(0);
        let fitted = loss(&samples, fit(&samples, 60));
        assert!(fitted < loss(&samples, nothing));
        // More rounds come nearer.
        assert!(fitted <= loss(&samples, fit(&samples, 2)));
    }

    #[test]
    fn a_feature_that_decides_gets_the_weight() {
        let count = Weights::default().0.len();
        let sample = |sign: i32| {
            let mut features = Features::default();
            features[0] = sign;
            Sample {
                features,
                result: f64::from(u8::from(sign > 0)),
            }
        };
        let fitted = fit(&[sample(1), sample(-1)], 100);
        assert!(fitted.0[0] > 0, "{fitted:?}");
        assert!((1..count).all(|i| fitted.0[i] == 0), "{fitted:?}");
    }
}

//! The results of a match, pair by pair.

use serde::{Deserialize, Serialize};

use super::{Rating, Z95, elo_of_score, normal_cdf};

/// How many pairs of games brought a player 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct PairCounts(pub [u64; 5]);

impl PairCounts {
    /// Adds a pair in which the player made this many half points.
    ///
    /// # Panics
    /// If there are more than four: two games bring two points at most.
    pub fn add(&mut self, half_points: u8) {
        self.0[usize::from(half_points)] += 1;
    }

    /// How many pairs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The average score of a game, and its variance from pair to pair.
    #[must_use]
    pub fn mean_and_variance(&self) -> (f64, f64) {
        mean_and_variance(&self.shares(0.0))
    }

    /// The share of every result, with `extra` pairs of each added.
    pub(super) fn shares(&self, extra: f64) -> [f64; 5] {
        let total = self.total() as f64 + 5.0 * extra;
        self.0.map(|count| {
            if total == 0.0 {
                0.2
            } else {
                (count as f64 + extra) / total
            }
        })
    }

    /// The difference in strength with its 95 % interval, by the logistic curve. A score
    /// of nothing or everything is drawn in by half a game, to stay finite.
    #[must_use]
    pub fn elo(&self) -> Rating {
        let pairs = self.total() as f64;
        if pairs == 0.0 {
            return Rating {
                elo: 0.0,
                error: f64::INFINITY,
            };
        }
        let (mean, _) = self.mean_and_variance();
        let margin = 0.25 / pairs;
        let inside = |score: f64| score.clamp(margin, 1.0 - margin);
        let spread = Z95 * self.standard_error();
        let (low, high) = (inside(mean - spread), inside(mean + spread));
        Rating {
            elo: elo_of_score(inside(mean)),
            error: (elo_of_score(high) - elo_of_score(low)) / 2.0,
        }
    }

    /// How likely it is that the player is the stronger one.
    #[must_use]
    pub fn superiority(&self) -> f64 {
        if self.total() == 0 {
            return 0.5;
        }
        let (mean, _) = self.mean_and_variance();
        normal_cdf((mean - 0.5) / self.standard_error())
    }

    /// The standard error of the average score. A sample without any variance (all pairs
    /// alike) says less than "certain": one pair of each result is thought in.
    fn standard_error(&self) -> f64 {
        let total = self.total() as f64;
        let (_, variance) = mean_and_variance(&self.shares(0.2));
        (variance / total.max(1.0)).sqrt()
    }
}

/// Mean and variance of a score whose five values have these probabilities.
pub(super) fn mean_and_variance(shares: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = shares.iter().zip(SCORES).map(|(p, s)| p * s).sum();
    let variance = shares
        .iter()
        .zip(SCORES)
        .map(|(p, s)| p * (s - mean) * (s - mean))
        .sum();
    (mean, variance)
}

/// The score per game of each of the five results.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_match_is_even() {
        let counts = PairCounts([10, 20, 40, 20, 10]);
        assert_eq!(counts.total(), 100);
        let (mean, variance) = counts.mean_and_variance();
        assert_eq!(mean, 0.5);
        assert!((variance - 0.075).abs() < 1e-12);
        let elo = counts.elo();
        assert!(elo.elo.abs() < 1e-9);
        // 1.96 · sqrt(0.075 / 100) of the score, at 400·4/ln 10 Elo per unit of score;
        // the pair thought in widens it by about half a percent.
        assert!((elo.error - 37.4).abs() < 0.5, "{elo:?}");
        assert!((counts.superiority() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_clean_sweep_is_finite() {
        let elo = PairCounts([0, 0, 0, 0, 5]).elo();
        assert!(elo.elo > 300.0 && elo.elo.is_finite() && elo.error.is_finite());
        assert!(PairCounts([0, 0, 0, 0, 5]).superiority() > 0.99);
        assert!(PairCounts::default().elo().error.is_infinite());
        assert_eq!(PairCounts::default().superiority(), 0.5);
    }
}

//! The sequential probability ratio test between two players.
//!
//! Is A at least `elo1` stronger than B, or at most `elo0`? After every pair of games
//! the log-likelihood ratio of the two hypotheses is compared with two bounds; the test
//! ends as soon as it leaves them. The likelihoods are those of the distributions over
//! the five results of a pair that explain the sample best among all with the
//! hypothesis' expected score (the generalised test).

use serde::{Deserialize, Serialize};

use super::expected_score;
use super::pairs::{PairCounts, SCORES};

/// What is tested, and how sure the answer has to be.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference in Elo points that is not worth having.
    pub elo0: f64,
    /// The difference in Elo points that is.
    pub elo1: f64,
    /// The accepted risk of saying yes at `elo0`.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The accepted risk of saying no at `elo1`.
    #[serde(default = "five_percent")]
    pub beta: f64,
}

/// Beyond such a difference one side wins every game.
const MOST_ELO: f64 = 2_000.0;

fn five_percent() -> f64 {
    0.05
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtState {
    /// The log-likelihood ratio of `elo1` to `elo0`.
    pub llr: f64,
    /// At or below this the answer is no.
    pub lower: f64,
    /// At or above this the answer is yes.
    pub upper: f64,
    /// The answer so far.
    pub verdict: SprtVerdict,
}

/// What a test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// More games are needed.
    Undecided,
    /// The first player is better, by about `elo1` at least.
    Accepted,
    /// It is not: the difference is about `elo0` at most.
    Rejected,
}

impl Sprt {
    /// Why the numbers make no test, if they do not.
    pub fn check(&self) -> Result<(), String> {
        for (name, elo) in [("elo0", self.elo0), ("elo1", self.elo1)] {
            if !(-MOST_ELO..=MOST_ELO).contains(&elo) {
                let message = format!("{name} {elo} is not between {} and {MOST_ELO}", -MOST_ELO);
                return Err(message);
            }
        }
        if self.elo0 >= self.elo1 {
            return Err(format!(
                "elo0 {} has to be less than elo1 {}",
                self.elo0, self.elo1
            ));
        }
        for (name, risk) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(risk > 0.0 && risk < 0.5) {
                return Err(format!("{name} {risk} is not between 0 and 0.5"));
            }
        }
        Ok(())
    }

    /// Where the test stands after these pairs.
    #[must_use]
    pub fn state(&self, counts: &PairCounts) -> SprtState {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = self.log_likelihood_ratio(counts);
        SprtState {
            llr,
            lower,
            upper,
            verdict: if llr >= upper {
                SprtVerdict::Accepted
            } else if llr <= lower {
                SprtVerdict::Rejected
            } else {
                SprtVerdict::Undecided
            },
        }
    }

    fn log_likelihood_ratio(&self, counts: &PairCounts) -> f64 {
        let total = counts.total();
        if total == 0 {
            return 0.0;
        }
        // Results that have not come up yet are rare, not impossible.
        let shares = counts.shares(1e-3);
        let tilt0 = tilt(&shares, expected_score(self.elo0));
        let tilt1 = tilt(&shares, expected_score(self.elo1));
        let mean: f64 = shares
            .iter()
            .enumerate()
            .map(|(i, share)| share * (tilt1[i] / tilt0[i]).ln())
            .sum();
        mean * total as f64
    }
}

/// The distribution with the given mean that makes the sample most likely:
/// qᵢ = pᵢ / (1 + λ(sᵢ − mean)), with λ such that it has that mean.
fn tilt(shares: &[f64; 5], mean: f64) -> [f64; 5] {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    // Σ qᵢ(sᵢ − mean) falls from +∞ to −∞ as λ goes through that interval.
    for _ in 0..100 {
        let lambda = (low + high) / 2.0;
        let moment: f64 = shares
            .iter()
            .zip(SCORES)
            .map(|(p, s)| p * (s - mean) / (1.0 + lambda * (s - mean)))
            .sum();
        if moment > 0.0 {
            low = lambda;
        } else {
            high = lambda;
        }
    }
    let lambda = (low + high) / 2.0;
    let mut tilted = [0.0; 5];
    for (q, (p, s)) in tilted.iter_mut().zip(shares.iter().zip(SCORES)) {
        *q = p / (1.0 + lambda * (s - mean));
    }
    tilted
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::super::pairs::mean_and_variance;
    use super::*;

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 20.0,
        alpha: 0.05,
        beta: 0.05,
    };

    #[test]
    fn a_tilted_distribution_has_the_mean_it_was_tilted_to() {
        let shares = PairCounts([3, 10, 30, 12, 5]).shares(1e-3);
        for mean in [0.3, 0.5, 0.56, 0.8] {
            let tilted = tilt(&shares, mean);
            assert!((tilted.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!((mean_and_variance(&tilted).0 - mean).abs() < 1e-9);
        }
    }

    /// For small differences the exact ratio is near the one of two normal distributions.
    #[test]
    fn the_ratio_is_near_the_normal_one() {
        let counts = PairCounts([50, 200, 480, 210, 60]);
        let (mean, variance) = counts.mean_and_variance();
        let (s0, s1) = (expected_score(TEST.elo0), expected_score(TEST.elo1));
        let normal = 1000.0 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let exact = TEST.state(&counts).llr;
        assert!(
            (exact - normal).abs() < 0.05 * normal.abs(),
            "{exact} {normal}"
        );
    }

    /// Looking more seldom costs less and changes little: a test takes about a thousand pairs.
    const PAIRS_A_LOOK: u32 = 8;

    #[test]
    fn the_test_errs_about_as_often_as_agreed() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for (elo, wrong) in [(0.0, SprtVerdict::Accepted), (20.0, SprtVerdict::Rejected)] {
            let e = expected_score(elo);
            let mut errors = 0;
            for _ in 0..200 {
                let mut counts = PairCounts::default();
                let verdict = loop {
                    for _ in 0..PAIRS_A_LOOK {
                        let half: u8 = (0..2)
                            .map(|_| if rng.random_bool(e) { 2u8 } else { 0 })
                            .sum();
                        counts.add(half);
                    }
                    let state = TEST.state(&counts);
                    if state.verdict != SprtVerdict::Undecided {
                        break state.verdict;
                    }
                };
                errors += i32::from(verdict == wrong);
            }
            assert!(errors <= 20, "{errors} of 200 at {elo}");
        }
    }

    #[test]
    fn the_widest_test_has_numbers() {
        let test = Sprt {
            elo0: -MOST_ELO,
            elo1: MOST_ELO,
            ..TEST
        };
        assert_eq!(test.check(), Ok(()));
        for results in [[0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [1, 2, 3, 4, 5]] {
            assert!(test.state(&PairCounts(results)).llr.is_finite());
        }
    }

    #[test]
    fn senseless_tests_are_refused() {
        let check = |test: Sprt| test.check().unwrap_err();
        assert_eq!(
            check(Sprt {
                elo0: 5.0,
                elo1: 5.0,
                ..TEST
            }),
            "elo0 5 has to be less than elo1 5"
        );
        for elo1 in [2_001.0, 1e300, f64::INFINITY, f64::NAN] {
            assert_eq!(
                check(Sprt { elo1, ..TEST }),
                format!("elo1 {elo1} is not between -2000 and 2000")
            );
            let elo0 = -elo1;
            let message = check(Sprt { elo0, ..TEST });
            assert!(message.ends_with("is not between -2000 and 2000"));
        }
        assert_eq!(
            check(Sprt { alpha: 0.7, ..TEST }),
            "alpha 0.7 is not between 0 and 0.5"
        );
        assert_eq!(TEST.check(), Ok(()));
    }
}

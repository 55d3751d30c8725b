//! How strong the players are, from the results of their games.
//!
//! [`elo`] rates any number of players, `sprt` decides between two. Both count a
//! draw as half a win, and both know that the two games of a pair, played from one
//! start position with colours exchanged, are not independent of each other.

mod elo;
mod levels;
mod matrix;
mod pairs;
mod sprt;

pub use elo::{Rating, Ratings, elo, signed};
pub use levels::level;
pub use pairs::PairCounts;
pub use sprt::{Sprt, SprtState, SprtVerdict};

/// One rated game: who met whom, and the half points of the player who moved first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatedGame {
    /// Number of the player who moved first.
    pub first: usize,
    /// Number of the other player.
    pub second: usize,
    /// 2, 1 or 0 as the first player won, drew or lost.
    pub half_points: u8,
    /// Games with the same number were played from one start position by the same two
    /// players with colours exchanged.
    pub pair: u64,
}

/// The expected score of a player who is this many Elo points stronger.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo points that belongs to an expected score strictly between 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The probability that a standard normal variable is less than `x`.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// Half the width of a 95 % interval, in standard deviations.
pub const Z95: f64 = 1.959_963_984_540_054;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-800.0, -35.0, 0.0, 7.5, 400.0] {
            assert!((elo_of_score(expected_score(elo)) - elo).abs() < 1e-9);
        }
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
    }

    #[test]
    fn normal_cdf_has_the_textbook_values() {
        assert!((normal_cdf(0.0) - 0.5).abs() < 1e-15);
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-12);
        assert!((normal_cdf(-1.0) - 0.158_655_253_931_457).abs() < 1e-12);
    }
}

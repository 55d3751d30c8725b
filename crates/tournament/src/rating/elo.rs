//! Elo by maximum likelihood: the Bradley–Terry model with draws as half wins.
//!
//! The expected score of the player who moves first is σ(θ₁ − θ₂ + γ), with one
//! strength θ per player and one advantage γ of moving first. The likelihood is
//! concave, so Newton's method finds the only maximum. Every player is given one
//! drawn game against an average one (and γ one drawn game against no advantage):
//! that keeps the strength of a player who lost every game finite.
//!
//! Curvature of the likelihood gives the covariance for games that are won or lost at
//! random. Draws, and pairs in which each side wins with the better colour, vary less:
//! the covariance is scaled by the measured variance of the pairs over the assumed one.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{RatedGame, Z95, normal_cdf};

/// Elo points per unit of θ.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The strength of one player, relative to the average of all players.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// Elo points above the average.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

impl fmt::Display for Rating {
    /// `+12 ± 34`, with as many digits as the precision says.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(0);
        write!(f, "{} ± {:.digits$}", signed(self.elo, digits), self.error)
    }
}

/// A number with its sign and so many digits; what rounds to nothing is `+0`.
#[must_use]
pub fn signed(value: f64, digits: usize) -> String {
    let scale = 10_f64.powi(digits as i32);
    let rounded = (value * scale).round() / scale;
    // The sum of the two zeros is the positive one.
    format!("{:+.digits$}", rounded + 0.0)
}

/// The strengths of all players, with what is known of their differences.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// By number of the player.
    pub players: Vec<Rating>,
    /// What moving first is worth in Elo points.
    pub first_move: Rating,
    covariance: Matrix,
}

impl Ratings {
    /// How likely it is that player `a` is stronger than player `b`.
    #[must_use]
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        let difference = self.difference(a, b);
        if difference.error == 0.0 {
            return 0.5;
        }
        normal_cdf(difference.elo / (difference.error / Z95))
    }

    /// How much stronger a player is than the average of these, who are at least one.
    #[must_use]
    pub fn above(&self, player: usize, anchors: &[usize]) -> Rating {
        let mean = |values: &dyn Fn(usize) -> f64| {
            let sum: f64 = anchors.iter().map(|&anchor| values(anchor)).sum();
            sum / anchors.len().max(1) as f64
        };
        let c = &self.covariance;
        let with_mean = mean(&|anchor| c.at(player, anchor));
        let of_mean = mean(&|a| mean(&|b| c.at(a, b)));
        let variance = c.at(player, player) - 2.0 * with_mean + of_mean;
        Rating {
            elo: self.players[player].elo - mean(&|anchor| self.players[anchor].elo),
            error: Z95 * variance.max(0.0).sqrt() * ELO_PER_UNIT,
        }
    }

    /// How much stronger player `a` is than player `b`.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Rating {
        let c = &self.covariance;
        let variance = c.at(a, a) + c.at(b, b) - 2.0 * c.at(a, b);
        Rating {
            elo: self.players[a].elo - self.players[b].elo,
            error: Z95 * variance.max(0.0).sqrt() * ELO_PER_UNIT,
        }
    }
}

/// Rates `players` players by their games with each other.
///
/// # Panics
/// If a game names a player whose number is not below `players`.
#[must_use]
pub fn elo(players: usize, games: &[RatedGame]) -> Ratings {
    let meetings = meetings(games);
    let parameters = maximise(players, &meetings);
    let (_, hessian) = slope_and_curvature(&parameters, players, &meetings);
    let mut covariance = hessian.inverse();
    let scale = dispersion(&parameters, players, games);
    covariance.scale(scale);

    let mean = parameters[..players].iter().sum::<f64>() / players.max(1) as f64;
    let rating = |value: f64, variance: f64| Rating {
        elo: value * ELO_PER_UNIT,
        error: Z95 * variance.max(0.0).sqrt() * ELO_PER_UNIT,
    };
    Ratings {
        players: (0..players)
            .map(|p| {
                rating(
                    parameters[p] - mean,
                    covariance.variance_above_mean(p, players),
                )
            })
            .collect(),
        first_move: rating(parameters[players], covariance.at(players, players)),
        covariance,
    }
}

/// All games of one player who moved first against another.
struct Meeting {
    first: usize,
    second: usize,
    games: f64,
    points: f64,
}

fn meetings(games: &[RatedGame]) -> Vec<Meeting> {
    let mut sums: HashMap<(usize, usize), (f64, f64)> = HashMap::new();
    for game in games {
        let (count, points) = sums.entry((game.first, game.second)).or_default();
        *count += 1.0;
        *points += f64::from(game.half_points) / 2.0;
    }
    let mut meetings: Vec<Meeting> = sums
        .into_iter()
        .map(|((first, second), (games, points))| Meeting {
            first,
            second,
            games,
            points,
        })
        .collect();
    // Sums of floating-point numbers depend on their order: make it a fixed one.
    meetings.sort_unstable_by_key(|m| (m.first, m.second));
    meetings
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn expected(parameters: &[f64], players: usize, first: usize, second: usize) -> f64 {
    sigmoid(parameters[first] - parameters[second] + parameters[players])
}

/// Newton's method, with the step halved for as long as it makes things worse.
fn maximise(players: usize, meetings: &[Meeting]) -> Vec<f64> {
    let mut parameters = vec![0.0; players + 1];
    let mut likelihood = log_likelihood(&parameters, players, meetings);
    for _ in 0..100 {
        let (slope, curvature) = slope_and_curvature(&parameters, players, meetings);
        let step = curvature.solve(&slope);
        let mut length = 1.0;
        let improved = loop {
            let next: Vec<f64> = parameters
                .iter()
                .zip(&step)
                .map(|(p, s)| p + length * s)
                .collect();
            let value = log_likelihood(&next, players, meetings);
            if value > likelihood {
                break Some((next, value));
            }
            length /= 2.0;
            if length < 1e-9 {
                break None;
            }
        };
        let Some((next, value)) = improved else { break };
        let gain = value - likelihood;
        (parameters, likelihood) = (next, value);
        if gain < 1e-12 {
            break;
        }
    }
    parameters
}

fn log_likelihood(parameters: &[f64], players: usize, meetings: &[Meeting]) -> f64 {
    let log_sigmoid = |x: f64| -(-x).exp().ln_1p();
    let term = |x: f64, won: f64, lost: f64| won * log_sigmoid(x) + lost * log_sigmoid(-x);
    let prior: f64 = parameters.iter().map(|&p| term(p, 0.5, 0.5)).sum();
    let games: f64 = meetings
        .iter()
        .map(|m| {
            let x = parameters[m.first] - parameters[m.second] + parameters[players];
            term(x, m.points, m.games - m.points)
        })
        .sum();
    prior + games
}

fn slope_and_curvature(
    parameters: &[f64],
    players: usize,
    meetings: &[Meeting],
) -> (Vec<f64>, Matrix) {
    let mut slope = vec![0.0; players + 1];
    let mut curvature = Matrix::zero(players + 1);
    for (i, &parameter) in parameters.iter().enumerate() {
        let e = sigmoid(parameter);
        slope[i] += 0.5 - e;
        *curvature.at_mut(i, i) += e * (1.0 - e);
    }
    for m in meetings {
        let e = expected(parameters, players, m.first, m.second);
        let residual = m.points - m.games * e;
        let weight = m.games * e * (1.0 - e);
        let signs = [(m.first, 1.0), (m.second, -1.0), (players, 1.0)];
        for (i, a) in signs {
            slope[i] += a * residual;
            for (j, b) in signs {
                *curvature.at_mut(i, j) += a * b * weight;
            }
        }
    }
    (slope, curvature)
}

/// The measured variance of the pairs' results over what independent games without
/// draws would have; the virtual games count as behaving like such.
fn dispersion(parameters: &[f64], players: usize, games: &[RatedGame]) -> f64 {
    let mut pairs: HashMap<(u64, usize, usize), (f64, f64)> = HashMap::new();
    for game in games {
        let e = expected(parameters, players, game.first, game.second);
        let residual = f64::from(game.half_points) / 2.0 - e;
        let (low, high) = (game.first.min(game.second), game.first.max(game.second));
        // Seen by the player with the lower number, whoever moved first.
        let sign = if game.first == low { 1.0 } else { -1.0 };
        let (sum, variance) = pairs.entry((game.pair, low, high)).or_default();
        *sum += sign * residual;
        *variance += e * (1.0 - e);
    }
    let virtual_games: f64 = parameters[..players]
        .iter()
        .map(|&p| sigmoid(p) * (1.0 - sigmoid(p)))
        .sum();
    let mut sums: Vec<(f64, f64)> = pairs.into_values().collect();
    sums.sort_unstable_by(|a, b| a.partial_cmp(b).expect("residuals are finite"));
    let measured: f64 = sums.iter().map(|(sum, _)| sum * sum).sum();
    let assumed: f64 = sums.iter().map(|(_, variance)| variance).sum();
    if assumed + virtual_games == 0.0 {
        return 1.0;
    }
    // Fitting the strengths has made the residuals smaller than the errors.
    let count = sums.len() as f64;
    let freedom = count / (count - players as f64).max(count / 2.0).max(1.0);
    (measured * freedom.max(1.0) + virtual_games) / (assumed + virtual_games)
}

/// A small symmetric positive definite matrix.
#[derive(Clone, PartialEq, Debug)]
struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn zero(size: usize) -> Matrix {
        Matrix {
            size,
            cells: vec![0.0; size * size],
        }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.size + column]
    }

    fn scale(&mut self, factor: f64) {
        self.cells.iter_mut().for_each(|cell| *cell *= factor);
    }

    /// The lower triangle L with L·Lᵀ = self (Cholesky).
    fn factor(&self) -> Matrix {
        let mut lower = Matrix::zero(self.size);
        for i in 0..self.size {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| lower.at(i, k) * lower.at(j, k)).sum();
                *lower.at_mut(i, j) = if i == j {
                    (self.at(i, i) - sum).max(f64::MIN_POSITIVE).sqrt()
                } else {
                    (self.at(i, j) - sum) / lower.at(j, j)
                };
            }
        }
        lower
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        self.factor().solve_factored(right)
    }

    fn solve_factored(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for i in 0..self.size {
            let sum: f64 = (0..i).map(|k| self.at(i, k) * x[k]).sum();
            x[i] = (x[i] - sum) / self.at(i, i);
        }
        for i in (0..self.size).rev() {
            let sum: f64 = (i + 1..self.size).map(|k| self.at(k, i) * x[k]).sum();
            x[i] = (x[i] - sum) / self.at(i, i);
        }
        x
    }

    fn inverse(&self) -> Matrix {
        let lower = self.factor();
        let mut inverse = Matrix::zero(self.size);
        for column in 0..self.size {
            let mut unit = vec![0.0; self.size];
            unit[column] = 1.0;
            for (row, value) in lower.solve_factored(&unit).into_iter().enumerate() {
                *inverse.at_mut(row, column) = value;
            }
        }
        inverse
    }

    /// The variance of variable `p` minus the mean of the first `count` variables.
    fn variance_above_mean(&self, p: usize, count: usize) -> f64 {
        let n = count as f64;
        let with_mean: f64 = (0..count).map(|k| self.at(p, k)).sum::<f64>() / n;
        let of_mean: f64 = (0..count)
            .flat_map(|i| (0..count).map(move |j| (i, j)))
            .map(|(i, j)| self.at(i, j))
            .sum::<f64>()
            / (n * n);
        self.at(p, p) - 2.0 * with_mean + of_mean
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::super::{elo_of_score, expected_score};
    use super::*;

    fn game(first: usize, second: usize, half_points: u8, pair: u64) -> RatedGame {
        RatedGame {
            first,
            second,
            half_points,
            pair,
        }
    }

    #[test]
    fn anchors_are_where_ratings_begin() {
        let games: Vec<RatedGame> = (0..40)
            .map(|n| game(n % 3, (n + 1) % 3, (n * 7 % 3) as u8, n as u64 / 2))
            .collect();
        let ratings = elo(3, &games);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (above, difference) = (ratings.above(a, &[b]), ratings.difference(a, b));
            assert!((above.elo - difference.elo).abs() < 1e-9);
            assert!((above.error - difference.error).abs() < 1e-9);
        }
        assert!(ratings.above(1, &[1]).error < 1e-9);
        let all = ratings.above(0, &[0, 1, 2]);
        assert!((all.elo - ratings.players[0].elo).abs() < 1e-9);
        assert!((all.error - ratings.players[0].error).abs() < 1e-9);
    }

    #[test]
    fn ratings_are_written_with_their_sign() {
        for (elo, digits, expected) in [
            (12.34, 0, "+12 ± 5"),
            (-12.34, 1, "-12.3 ± 5.0"),
            (-0.3, 0, "+0 ± 5"),
            (-0.04, 1, "+0.0 ± 5.0"),
            (0.0, 0, "+0 ± 5"),
        ] {
            let rating = Rating { elo, error: 5.0 };
            assert_eq!(format!("{rating:.digits$}"), expected);
        }
    }

    #[test]
    fn two_players_get_the_logistic_difference_of_their_score() {
        // 600 of 1000 points, half of them from draws, colours even.
        let games: Vec<RatedGame> = (0..1000)
            .map(|i| {
                let half_points = [2, 1, 1, 1, 1, 2, 1, 0, 2, 1][i as usize / 2 % 10];
                if i % 2 == 0 {
                    game(0, 1, half_points, i / 2)
                } else {
                    game(1, 0, 2 - half_points, i / 2)
                }
            })
            .collect();
        let ratings = elo(2, &games);
        let difference = ratings.difference(0, 1);
        let wanted = elo_of_score(0.6);
        assert!((difference.elo - wanted).abs() < 0.5, "{difference:?}");
        assert!(ratings.first_move.elo.abs() < 1e-6);
        assert!(ratings.superiority(0, 1) > 0.999);
        assert!((ratings.superiority(0, 1) + ratings.superiority(1, 0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn no_games_and_lopsided_games_stay_finite() {
        let none = elo(3, &[]);
        assert!(none.players.iter().all(|r| r.elo == 0.0 && r.error > 400.0));
        assert_eq!(none.superiority(0, 1), 0.5);
        let all: Vec<RatedGame> = (0..40).map(|i| game(0, 1, 2, i)).collect();
        let ratings = elo(2, &all);
        assert!(ratings.players[0].elo > 100.0 && ratings.players[0].elo < 2000.0);
        assert!(ratings.players[0].error.is_finite());
        assert_eq!(elo(0, &[]).players, []);
    }

    #[test]
    fn the_better_colour_is_told_apart_from_the_better_player() {
        // Whoever moves first wins: equal players, a large advantage, small errors.
        let games: Vec<RatedGame> = (0..200)
            .map(|i| game((i % 2) as usize, ((i + 1) % 2) as usize, 2, i / 2))
            .collect();
        let ratings = elo(2, &games);
        assert!(ratings.players[0].elo.abs() < 1e-6);
        assert!(ratings.first_move.elo > 400.0);
    }

    /// The 95 % intervals hold the truth about 95 times of 100, with draws and pairs.
    #[test]
    fn intervals_cover_the_truth() {
        let truth = [-120.0, -30.0, 10.0, 140.0];
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut inside, mut all) = (0, 0);
        for _ in 0..300 {
            let mut games = Vec::new();
            for a in 0..truth.len() {
                for b in a + 1..truth.len() {
                    for pair in 0..30 {
                        // A position that favours one colour, the same in both games.
                        let tilt = f64::from(rng.random_range(-60..=60));
                        for (first, second) in [(a, b), (b, a)] {
                            let e = expected_score(truth[first] - truth[second] + 30.0 + tilt);
                            let half = sample(&mut rng, e);
                            games.push(game(first, second, half, pair));
                        }
                    }
                }
            }
            let ratings = elo(truth.len(), &games);
            for (rating, truth) in ratings.players.iter().zip(truth) {
                all += 1;
                inside += i32::from((rating.elo - truth).abs() <= rating.error);
            }
        }
        let share = f64::from(inside) / f64::from(all);
        assert!((0.92..=0.98).contains(&share), "{share}");
    }

    /// A result with expectation `e` of which a third of the closest games are draws.
    fn sample(rng: &mut impl rand::Rng, e: f64) -> u8 {
        let draw = 0.6 * e.min(1.0 - e);
        let x: f64 = rng.random();
        if x < e - draw / 2.0 {
            2
        } else if x < e + draw / 2.0 {
            1
        } else {
            0
        }
    }
}

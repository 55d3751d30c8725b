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

use super::matrix::Matrix;
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

    /// How much stronger each player is than the average of these, who are at least one.
    #[must_use]
    pub fn above(&self, anchors: &[usize]) -> Vec<Rating> {
        let mean = |values: &dyn Fn(usize) -> f64| {
            let sum: f64 = anchors.iter().map(|&anchor| values(anchor)).sum();
            sum / anchors.len().max(1) as f64
        };
        let c = &self.covariance;
        let with_mean = |player: usize| mean(&|anchor| c.at(player, anchor));
        let of_mean = mean(&with_mean);
        let elo = mean(&|anchor| self.players[anchor].elo);
        let above = |player: usize| {
            let variance = c.at(player, player) - 2.0 * with_mean(player) + of_mean;
            Rating {
                elo: self.players[player].elo - elo,
                error: error(variance),
            }
        };
        (0..self.players.len()).map(above).collect()
    }

    /// How much stronger player `a` is than player `b`.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> Rating {
        let c = &self.covariance;
        let variance = c.at(a, a) + c.at(b, b) - 2.0 * c.at(a, b);
        Rating {
            elo: self.players[a].elo - self.players[b].elo,
            error: error(variance),
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

    let rating = |parameter: usize| Rating {
        elo: parameters[parameter] * ELO_PER_UNIT,
        error: error(covariance.at(parameter, parameter)),
    };
    let mut ratings = Ratings {
        players: (0..players).map(rating).collect(),
        first_move: rating(players),
        covariance,
    };
    let everybody: Vec<usize> = (0..players).collect();
    ratings.players = ratings.above(&everybody);
    ratings
}

/// Half the width of the 95 % interval, in Elo points, of an estimate with this variance.
fn error(variance: f64) -> f64 {
    Z95 * variance.max(0.0).sqrt() * ELO_PER_UNIT
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

/// A step of Newton's method that promises less than this is the last one. Logarithms of
/// likelihoods of many games are not known much better, so that to ask for more would never end.
const LAST_GAIN: f64 = 1e-8;

/// Newton's method, with the step halved for as long as it makes things worse.
fn maximise(players: usize, meetings: &[Meeting]) -> Vec<f64> {
    let mut parameters = vec![0.0; players + 1];
    let mut likelihood = log_likelihood(&parameters, players, meetings);
    for _ in 0..100 {
        let (slope, curvature) = slope_and_curvature(&parameters, players, meetings);
        let step = curvature.solve(&slope);
        let moved = |length: f64| -> Vec<f64> {
            let steps = parameters.iter().zip(&step);
            steps.map(|(p, s)| p + length * s).collect()
        };
        let promised: f64 = slope.iter().zip(&step).map(|(a, b)| a * b).sum::<f64>() / 2.0;
        if promised < LAST_GAIN {
            return moved(1.0);
        }
        let mut length = 1.0;
        let (next, value) = loop {
            let next = moved(length);
            let value = log_likelihood(&next, players, meetings);
            if value > likelihood {
                break (next, value);
            }
            length /= 2.0;
            if length < 1e-9 {
                return parameters;
            }
        };
        (parameters, likelihood) = (next, value);
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

#[cfg(test)]
mod tests;

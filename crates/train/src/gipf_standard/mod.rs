//! The static evaluation of published GIPF, from games of the player against itself.
//!
//! A generation plays games with the weights of the one before and fits new weights to the
//! positions of the last few generations: the estimate through a sigmoid should be the chance to
//! win, between the result of the game and what the search thought. The first generation
//! plays with weights that only count pieces and runs ([`first_weights`]).

mod fit;
mod selfplay;

use gipf_standard_engine::{LINE_WEIGHTS, LineClass, PARAMETERS, Weights};
use rayon::prelude::*;

pub use fit::{Fit, fit};
pub use selfplay::{Sample, SelfPlay, contest, play};

/// How the weights are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// How often games are played and weights fitted.
    pub generations: u64,
    /// Games of each generation.
    pub games: u64,
    /// Positions that a move of the first generations looks at; later ones look at up to four
    /// times as many.
    pub nodes: u64,
    /// Passes over the positions in each fit.
    pub epochs: u32,
    /// Generations whose positions are fitted together.
    pub memory: usize,
    /// Where random choices start.
    pub seed: u64,
}

impl Recipe {
    /// How the embedded weights were made, by a player that did not look for proofs yet.
    pub const STANDARD: Recipe = Recipe {
        generations: 14,
        games: 3_000,
        nodes: 500,
        epochs: 12,
        memory: 4,
        seed: 77,
    };

    /// The games of a generation.
    fn selfplay(&self, generation: u64) -> SelfPlay {
        SelfPlay {
            nodes: self.nodes * (1 + generation / 2).min(4),
            trust: 0.6,
        }
    }
}

/// What a generation found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Generation {
    /// Its number, from 0.
    pub number: u64,
    /// Positions of its games.
    pub positions: usize,
    /// The mean loss of the fit.
    pub loss: f64,
}

/// Weights in the making, and the positions of the last generations.
#[derive(Clone, Debug)]
pub struct Training {
    recipe: Recipe,
    values: Vec<f32>,
    pool: Vec<Vec<Sample>>,
    next: u64,
}

impl Training {
    /// From [`first_weights`].
    #[must_use]
    pub fn new(recipe: Recipe) -> Training {
        Training {
            recipe,
            values: first_weights(),
            pool: Vec::new(),
            next: 0,
        }
    }

    /// The weights as they are now.
    #[must_use]
    pub fn weights(&self) -> Weights {
        Weights::new(self.values.iter().copied())
    }

    /// Plays and fits once more.
    pub fn generation(&mut self) -> Generation {
        let number = self.next;
        self.next += 1;
        let weights = self.weights();
        let selfplay = self.recipe.selfplay(number);
        let first = self.recipe.seed + number * 1_000_000;
        let games: Vec<Vec<Sample>> = (0..self.recipe.games)
            .into_par_iter()
            .map(|game| play(&selfplay, &weights, game, first + game))
            .collect();
        let samples: Vec<Sample> = games.into_iter().flatten().collect();
        let positions = samples.len();
        self.pool.push(samples);
        if self.pool.len() > self.recipe.memory {
            self.pool.remove(0);
        }
        let all: Vec<Sample> = self.pool.iter().flatten().copied().collect();
        let Fit { values, loss } = fit(&all, &self.values, self.recipe.epochs);
        self.values = values;
        Generation {
            number,
            positions,
            loss,
        }
    }
}

/// Weights that count pieces on the board and in reserve, GIPF-pieces, and runs of two and three.
#[must_use]
pub fn first_weights() -> Vec<f32> {
    let mut values = vec![0.0; PARAMETERS];
    for class in LINE_WEIGHTS {
        for (number, value) in values[class.range()].iter_mut().enumerate() {
            *value = line_value(class, number);
        }
    }
    for weight in gipf_standard_engine::counted_weights() {
        let count = weight.count as f32;
        let worth = if weight.is_gipf {
            1.2 * count
        } else {
            0.3 * count + 0.3 * count.min(4.0)
        };
        values[weight.index] = if weight.is_own { worth } else { -worth };
    }
    values
}

/// A line's worth: pieces count a little, runs of two and three more.
fn line_value(class: LineClass, number: usize) -> f32 {
    let digits = class.digits(number);
    let count = |side: u8| digits.iter().filter(|&&digit| digit == side).count() as f32;
    let [own, other] = class.runs(number).map(|run| match run {
        2 => 0.05,
        3 => 0.3,
        _ => 0.0,
    });
    0.08 * (count(1) - count(2)) + own - other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_can_be_repeated() {
        let once = || {
            let mut training = Training::new(Recipe {
                games: 5,
                nodes: 40,
                ..Recipe::STANDARD
            });
            let done = training.generation();
            assert_eq!(done.number, 0);
            assert!(done.positions > 50 && done.loss < 0.7, "{done:?}");
            training.weights().to_bytes()
        };
        let weights = once();
        assert_eq!(weights, once());
        assert_ne!(
            weights,
            Weights::new(first_weights().into_iter()).to_bytes()
        );
    }

    #[test]
    fn weights_play_each_other() {
        let first = Weights::new(first_weights().into_iter());
        let trained = Weights::default();
        let points: f64 = (0..8)
            .map(|game| {
                contest(
                    [&trained, &first],
                    gipf_standard::Rules::Standard,
                    200,
                    game,
                    1,
                )
            })
            .sum();
        assert!(points >= 5.0, "{points} of 8 points");
    }
}

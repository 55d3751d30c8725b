//! Proof-number initialisation: logistic regression of who wins soon on positions that
//! proof-number search expands, with their values from a tablebase.
//!
//! The embedded weights are for rows of four on a board of size 3. They were fitted to searches
//! from positions of random play of 3 4 7 7 and 3 4 8 8, as far as the table of 3 4 7 7 has the
//! positions expanded.

use gipf::{Position, Variant};
use gipf_engine::solve::training::{OddsFeatures, Sample, expanded_positions};
use gipf_engine::tables::{Table, Value};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;

use crate::logistic::{self, HUNDREDTHS, Logistic};

/// Where samples come from.
#[derive(Clone, Debug)]
pub struct Options {
    /// Variants of whose random play positions are searched.
    pub variants: Vec<Variant>,
    /// Positions of random play of each.
    pub positions: u32,
    /// Positions that each search expands.
    pub nodes: u64,
    /// A win or loss within so many plies is soon.
    pub soon: u32,
    /// Where random choices start.
    pub seed: u64,
}

/// A position, whether the player to move wins soon, and whether he loses soon.
pub type Labelled = (Sample, [bool; 2]);

/// The longest random game.
const LONGEST: u32 = 60;

/// Positions that searches expand and that the table has.
#[must_use]
pub fn samples(table: &Table, options: &Options) -> Vec<Labelled> {
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    let mut samples = Vec::new();
    for &variant in &options.variants {
        for _ in 0..options.positions {
            let position = random_position(variant, &mut rng);
            for sample in expanded_positions(&position, options.nodes) {
                let label = match sample.value(table) {
                    Some(Value::Win(plies)) => [plies <= options.soon, false],
                    Some(Value::Loss(plies)) => [false, plies <= options.soon],
                    Some(Value::Draw) => [false; 2],
                    None => continue,
                };
                samples.push((sample, label));
            }
        }
    }
    samples
}

/// A position of random play.
fn random_position(variant: Variant, rng: &mut ChaCha8Rng) -> Position {
    let mut position = Position::start(variant);
    for _ in 0..rng.random_range(0..LONGEST) {
        let mut next = position;
        let moves = position.moves();
        next.play_unchecked(moves[rng.random_range(0..moves.len())]);
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// Fitted weights: of winning soon, and of losing soon.
pub struct InitialNumbers([Logistic; 2]);

impl InitialNumbers {
    /// The mean logarithmic losses on samples that were held out.
    #[must_use]
    pub fn losses(&self) -> [f64; 2] {
        [0, 1].map(|which| self.0[which].loss)
    }

    /// The file that the engine embeds.
    #[must_use]
    pub fn text(&self) -> String {
        let features = OddsFeatures::new();
        let weight = |which: usize, at: usize| (HUNDREDTHS * self.0[which].weights[at]) as i32;
        let line =
            |(at, name): (usize, &String)| format!("{name} {} {}\n", weight(0, at), weight(1, at));
        features.names().iter().enumerate().map(line).collect()
    }
}

/// Fits the weights to samples in so many rounds.
#[must_use]
pub fn fit(samples: &[Labelled], rounds: u32, seed: u64) -> InitialNumbers {
    let features = OddsFeatures::new();
    let all: Vec<_> = samples
        .iter()
        .map(|(sample, labels)| (features.of(sample), labels))
        .collect();
    InitialNumbers([0, 1].map(|which| {
        let mut samples: Vec<_> = all
            .iter()
            .map(|(features, labels)| (*features, labels[which]))
            .collect();
        logistic::fit(&mut samples, features.names().len(), rounds, seed)
    }))
}

#[cfg(test)]
mod tests {
    use gipf_engine::solve::training::{INITIAL, OddsWeights};

    use super::*;

    /// What is before the two weights in each line.
    fn names(text: &str) -> Vec<&str> {
        text.lines()
            .filter_map(|line| Some(line.rsplit_once(' ')?.0.rsplit_once(' ')?.0))
            .collect()
    }

    #[test]
    fn the_file_has_the_form_of_the_embedded_one() {
        let position: Position = "3 4 8 8".parse().unwrap();
        let expanded = expanded_positions(&position, 2_000);
        assert!(expanded.len() > 1_000, "{}", expanded.len());
        // As if the signs of the embedded estimate were true: a fit finds about the same.
        let embedded = OddsWeights::parse(INITIAL);
        let label = |sample: &Sample| embedded.log_odds(sample).map(|odds| odds > 0);
        let labelled: Vec<Labelled> = expanded
            .iter()
            .map(|sample| (*sample, label(sample)))
            .collect();
        let text = fit(&labelled, 4, 1).text();
        assert_eq!(names(&text), names(INITIAL));
        let fitted = OddsWeights::parse(&text);
        let agree =
            |(sample, label): &&Labelled| fitted.log_odds(sample).map(|odds| odds > 0) == *label;
        let right = labelled.iter().filter(agree).count();
        assert!(
            right > labelled.len() * 8 / 10,
            "{right} of {}",
            labelled.len()
        );
    }
}

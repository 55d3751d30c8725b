//! Training of the estimate: games against itself on random fields give positions, the
//! prover gives their values, and logistic regression gives the weights.

use std::sync::atomic::{AtomicU32, Ordering};

use mmpawns::Position;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;
use search::Limits;

use crate::arena::Arena;
use crate::board::Board;
use crate::deepen::Deepener;
use crate::eval::{self, SIZE};
use crate::fields::{Spread, random_start};
use crate::{Prover, Value};

/// How much to play.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Games to play.
    pub games: u32,
    /// Positions that the prover may expand at each move.
    pub nodes: u64,
    /// Where the random choices start from.
    pub seed: u64,
    /// Games to play at the same time.
    pub threads: u32,
}

/// A position of which is known whether the player to move wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sample {
    pub(crate) board: Board,
    pub(crate) field: u64,
    pub(crate) won: bool,
}

/// Positions with their values, to fit weights to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Samples(Vec<Sample>);

impl Samples {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Plays the games on several threads; `progress` hears of each that is finished. Every
/// game depends on the seed and its number alone, so the samples are always the same.
pub fn collect(options: Options, progress: impl Fn(u32) + Sync) -> Samples {
    let next = AtomicU32::new(0);
    let mut games: Vec<(u32, Vec<Sample>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..options.threads.max(1))
            .map(|_| scope.spawn(|| worker(options, &next, &progress)))
            .collect();
        let results = threads.into_iter().map(|t| t.join().expect("no panic"));
        results.flatten().collect()
    });
    games.sort_unstable_by_key(|&(game, _)| game);
    Samples(games.into_iter().flat_map(|(_, samples)| samples).collect())
}

/// Plays the next game while there is one.
fn worker(
    options: Options,
    next: &AtomicU32,
    progress: &(impl Fn(u32) + Sync),
) -> Vec<(u32, Vec<Sample>)> {
    let mut prover = Prover::new(64 << 20);
    prover.collect_samples();
    let mut games = Vec::new();
    loop {
        let game = next.fetch_add(1, Ordering::Relaxed);
        if game >= options.games {
            return games;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        rng.set_stream(u64::from(game));
        prover.forget();
        games.push((game, play_game(options.nodes, &mut prover, &mut rng)));
        progress(game);
    }
}

/// One game against itself until the prover knows who wins.
fn play_game(nodes: u64, prover: &mut Prover, rng: &mut ChaCha8Rng) -> Vec<Sample> {
    let mut deepener = Deepener::new(1 << 20);
    let mut samples = Vec::new();
    // The harder a start is to prove, the more often it is played.
    let spread = Spread::ALL[[0, 0, 0, 0, 0, 0, 1, 1, 1, 2][rng.random_range(0..10)]];
    let pawns = [2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 8][rng.random_range(0..12)];
    let holes = rng.random_range(0..=10);
    let mut position = random_start(spread, pawns, holes, rng.random());
    let mut met = Vec::new();
    while position.outcome().is_none() {
        let value = prover.prove(&position, &Limits::default().with_nodes(nodes));
        let mut proved = prover.take_samples();
        proved.shuffle(rng);
        proved.truncate(1500);
        samples.append(&mut proved);
        if let Some(value) = value {
            // From here on the game holds nothing new.
            label(&mut samples, &met, position.number(), value == Value::Win);
            break;
        }
        met.push(position);
        play(&mut position, &mut deepener, rng);
    }
    samples
}

/// The positions of a game that led to one whose player to move wins, or does not.
fn label(samples: &mut Vec<Sample>, met: &[Position], number: u32, won: bool) {
    for position in met {
        let same = (position.number() + number).is_multiple_of(2);
        samples.push(Sample {
            board: Board::of(position),
            field: Arena::of(position).field(position.number()),
            won: won == same,
        });
    }
}

/// A good move, or now and then any.
fn play(position: &mut Position, deepener: &mut Deepener, rng: &mut ChaCha8Rng) {
    let mut children = Vec::new();
    let field = Arena::of(position).field(position.number());
    Board::of(position).each_child(field, |child| children.push(child));
    let child = if rng.random_bool(0.2) {
        children[rng.random_range(0..children.len())]
    } else {
        let limits = Limits::default().with_depth(4);
        deepener.search(position, &children, &limits).candidates[0].child
    };
    position.play_unchecked(child.to_move(position.side_to_move()));
}

/// Weights, and how well they tell won from lost positions that they were not fitted to.
#[derive(Clone, Debug)]
pub struct Fit {
    weights: [i16; SIZE],
    /// Mean logarithmic loss.
    pub loss: f64,
    /// Share of positions told right.
    pub accuracy: f64,
}

/// Fits weights to the samples; a tenth of them is kept for the measure.
#[must_use]
pub fn fit(samples: &Samples, seed: u64) -> Fit {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<&Sample> = samples.0.iter().collect();
    order.shuffle(&mut rng);
    let (held, rest) = order.split_at_mut(samples.0.len() / 10);
    let mut weights = [0f32; SIZE];
    let mut squares = [1e-3f32; SIZE];
    for round in 0..12 {
        rest.shuffle(&mut rng);
        let rate = 0.1 / (1.0 + round as f32 / 2.0);
        for sample in rest.iter() {
            let error = f32::from(u8::from(sample.won)) - chance(sample, &weights);
            eval::features(sample.board, sample.field, |i, n| {
                // Adaptive steps: rare features move as far as common ones.
                let slope = error * n as f32;
                squares[i] += slope * slope;
                weights[i] += rate * (slope / squares[i].sqrt() - 1e-5 * weights[i]);
            });
        }
    }
    let count = held.len().max(1) as f64;
    let (mut loss, mut right) = (0.0, 0.0);
    for sample in held.iter() {
        let chance = f64::from(chance(sample, &weights)).clamp(1e-6, 1.0 - 1e-6);
        loss -= if sample.won {
            chance.ln()
        } else {
            (1.0 - chance).ln()
        } / count;
        right += f64::from(u8::from((chance > 0.5) == sample.won)) / count;
    }
    Fit {
        weights: weights.map(|w| (100.0 * w).round().clamp(-2000.0, 2000.0) as i16),
        loss,
        accuracy: right,
    }
}

fn chance(sample: &Sample, weights: &[f32; SIZE]) -> f32 {
    let mut sum = 0.0;
    eval::features(sample.board, sample.field, |i, n| {
        sum += n as f32 * weights[i];
    });
    1.0 / (1.0 + (-sum).exp())
}

impl Fit {
    /// The source text of the module that holds the weights.
    #[must_use]
    pub fn source(&self) -> String {
        let lines: String = self
            .weights
            .chunks(16)
            .map(|row| {
                let row: Vec<String> = row.iter().map(i16::to_string).collect();
                format!("    {},\n", row.join(", "))
            })
            .collect();
        format!("{HEAD}{lines}];\n")
    }
}

const HEAD: &str = "\
//! Weights of the estimate, in hundredths of a logit: written by `ludex train mmpawns`.

use crate::eval::{SIZE, row_tables};

/// One weight for each feature of the estimate.
pub(crate) static WEIGHTS: [i16; SIZE] = VALUES;

/// The weights of pawns, summed for whole rows.
pub(crate) static PAWNS: [[i16; 256]; 8] = row_tables(&VALUES);

#[rustfmt::skip]
const VALUES: [i16; SIZE] = [
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_training_tells_most_positions() {
        let options = Options {
            games: 40,
            nodes: 500,
            seed: 1,
            threads: 1,
        };
        let samples = collect(options, |_| {});
        assert!(samples.len() > 200, "{}", samples.len());
        let threads = 3;
        let same = collect(Options { threads, ..options }, |_| {});
        assert_eq!(samples, same);
        let fit = fit(&samples, 1);
        assert!(fit.accuracy > 0.7, "{}", fit.accuracy);
        assert!(fit.source().contains("VALUES: [i16; SIZE]"));
    }
}

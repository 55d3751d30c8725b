//! The static evaluation of MMPawns: self-play on random fields gives positions, the prover
//! labels them, and logistic regression with Adam gives the weights.

use std::sync::atomic::{AtomicU32, Ordering};

use mmpawns::Position;
use mmpawns_engine::Value;
use mmpawns_engine::fields::{Spread, random_start};
use mmpawns_engine::training::{
    FEATURES, HIDDEN, INPUTS, Labeller, ONE, RESULT_ONE, Sample, Sparring,
};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;
use search::Limits;

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

/// Plays the games on several threads; `progress` is called for each that is finished. Every
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
    let mut prover = Labeller::new(64 << 20);
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
fn play_game(nodes: u64, prover: &mut Labeller, rng: &mut ChaCha8Rng) -> Vec<Sample> {
    let mut sparring = Sparring::new(1 << 20);
    let mut samples = Vec::new();
    // The harder a start is to prove, the more often it is played.
    let spread = Spread::ALL[[0, 0, 0, 0, 0, 0, 1, 1, 1, 2][rng.random_range(0..10)]];
    let pawns = [2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 8][rng.random_range(0..12)];
    let holes = rng.random_range(0..=10);
    let mut position = random_start(spread, pawns, holes, rng.random());
    let mut met = Vec::new();
    while position.outcome().is_none() {
        let (value, mut proved) = prover.prove(&position, &Limits::default().with_nodes(nodes));
        proved.shuffle(rng);
        proved.truncate(1500);
        samples.append(&mut proved);
        if let Some(value) = value {
            // From here on the game holds nothing new.
            label(&mut samples, &met, position.number(), value == Value::Win);
            break;
        }
        met.push(position);
        play(&mut position, &mut sparring, rng);
    }
    samples
}

/// The positions of a game that led to one whose player to move wins, or does not.
fn label(samples: &mut Vec<Sample>, met: &[Position], number: u32, won: bool) {
    for position in met {
        let same = (position.number() + number).is_multiple_of(2);
        samples.push(Sample::new(position, won == same));
    }
}

/// A good move, or now and then any.
fn play(position: &mut Position, sparring: &mut Sparring, rng: &mut ChaCha8Rng) {
    let mv = if rng.random_bool(0.2) {
        let moves = sparring.moves(position);
        moves[rng.random_range(0..moves.len())]
    } else {
        sparring.best_move(position, 4)
    };
    position.play_unchecked(mv);
}

/// Weights, and how well they classify positions of games that they were not fitted to.
#[derive(Clone, Debug)]
pub struct Fit {
    weights: Weights,
    /// Mean logarithmic loss.
    pub loss: f64,
    /// Share of positions classified right.
    pub accuracy: f64,
}

/// The weights of the estimate as they are fitted, in logits; gradients and their means
/// have the same form.
#[derive(Clone, Debug)]
struct Weights {
    linear: Vec<f32>,
    rows: Vec<[f32; HIDDEN]>,
    results: [f32; HIDDEN],
}

/// Times that every sample is looked at.
const ROUNDS: usize = 4;
/// Samples to one step.
const BATCH: usize = 256;
/// The length of the first steps; it falls to nothing along a half cosine.
const RATE: f32 = 0.002;

/// Fits weights to the samples of the first nine tenths of the games; the others are kept
/// for the measure.
#[must_use]
pub fn fit(samples: &Samples, seed: u64) -> Fit {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (fitted, held) = samples.0.split_at(samples.0.len() - samples.0.len() / 10);
    let mut order: Vec<Sample> = fitted.to_vec();
    let mut weights = Weights::random(&mut rng);
    let mut adam = Adam::new();
    let all = (ROUNDS * order.len().div_ceil(BATCH)) as f32;
    for _ in 0..ROUNDS {
        order.shuffle(&mut rng);
        for batch in order.chunks(BATCH) {
            let mut slopes = Weights::zero();
            for sample in batch {
                // Left and right are alike.
                let turned = if rng.random() {
                    sample.mirrored()
                } else {
                    *sample
                };
                weights.add_slopes(&turned, &mut slopes);
            }
            let done = adam.steps as f32 / all;
            let rate = RATE * (1.0 + (std::f32::consts::PI * done).cos()) / 2.0;
            adam.step(&mut weights, &mut slopes, rate, batch.len());
        }
    }
    let count = held.len().max(1) as f64;
    let (mut loss, mut accuracy) = (0.0, 0.0);
    for sample in held {
        let chance = f64::from(weights.chance(sample)).clamp(1e-6, 1.0 - 1e-6);
        let right = if sample.won { chance } else { 1.0 - chance };
        loss -= right.ln() / count;
        accuracy += f64::from(u8::from(right > 0.5)) / count;
    }
    Fit {
        weights,
        loss,
        accuracy,
    }
}

impl Weights {
    fn zero() -> Weights {
        Weights {
            linear: vec![0.0; FEATURES],
            rows: vec![[0.0; HIDDEN]; INPUTS],
            results: [0.0; HIDDEN],
        }
    }

    /// Where the fit starts: the hidden sums must differ, and none may be out of range.
    fn random(rng: &mut ChaCha8Rng) -> Weights {
        let mut weights = Weights::zero();
        let [_, rows, results] = weights.parts();
        rows.fill_with(|| rng.random_range(-0.15..0.15));
        results.fill_with(|| rng.random_range(-0.3..0.3));
        weights
    }

    fn parts(&mut self) -> [&mut [f32]; 3] {
        [
            &mut self.linear,
            self.rows.as_flattened_mut(),
            &mut self.results,
        ]
    }

    /// The hidden sums and the chance to win.
    fn forward(&self, sample: &Sample) -> ([f32; HIDDEN], f32) {
        let mut logit = 0.0;
        sample.features(|i, n| {
            logit += n as f32 * self.linear[i];
        });
        let mut sums = [0.0; HIDDEN];
        sample.inputs(|input| {
            for (sum, weight) in sums.iter_mut().zip(&self.rows[input]) {
                *sum += weight;
            }
        });
        for (sum, weight) in sums.iter().zip(&self.results) {
            logit += sum.clamp(0.0, 1.0) * weight;
        }
        (sums, 1.0 / (1.0 + (-logit).exp()))
    }

    fn chance(&self, sample: &Sample) -> f32 {
        self.forward(sample).1
    }

    /// Adds the slopes of the loss at one sample.
    fn add_slopes(&self, sample: &Sample, slopes: &mut Weights) {
        let (sums, chance) = self.forward(sample);
        let error = chance - f32::from(u8::from(sample.won));
        sample.features(|i, n| {
            slopes.linear[i] += error * n as f32;
        });
        let mut below = [0.0; HIDDEN];
        for i in 0..HIDDEN {
            slopes.results[i] += error * sums[i].clamp(0.0, 1.0);
            let counts = sums[i] > 0.0 && sums[i] < 1.0;
            below[i] = if counts { error * self.results[i] } else { 0.0 };
        }
        sample.inputs(|input| {
            for (slope, below) in slopes.rows[input].iter_mut().zip(&below) {
                *slope += below;
            }
        });
    }
}

/// Steps whose length follows the mean and the spread of each weight's slope (Adam).
struct Adam {
    means: Weights,
    squares: Weights,
    steps: i32,
}

impl Adam {
    const KEEP_MEAN: f32 = 0.9;
    const KEEP_SQUARE: f32 = 0.999;

    fn new() -> Adam {
        Adam {
            means: Weights::zero(),
            squares: Weights::zero(),
            steps: 0,
        }
    }

    /// One step against the slopes of `count` samples.
    fn step(&mut self, weights: &mut Weights, slopes: &mut Weights, rate: f32, count: usize) {
        self.steps += 1;
        // Both start from nothing, which would make the first of them too small.
        let mean_scale = 1.0 / (1.0 - Adam::KEEP_MEAN.powi(self.steps));
        let square_scale = 1.0 / (1.0 - Adam::KEEP_SQUARE.powi(self.steps));
        let parts = weights.parts().into_iter().zip(slopes.parts());
        let kept = self.means.parts().into_iter().zip(self.squares.parts());
        for ((weights, slopes), (means, squares)) in parts.zip(kept) {
            for i in 0..weights.len() {
                let slope = slopes[i] / count as f32;
                means[i] += (1.0 - Adam::KEEP_MEAN) * (slope - means[i]);
                squares[i] += (1.0 - Adam::KEEP_SQUARE) * (slope * slope - squares[i]);
                let spread = (squares[i] * square_scale).sqrt() + 1e-8;
                weights[i] -= rate * means[i] * mean_scale / spread;
            }
        }
    }
}

impl Fit {
    /// The source text of the module that holds the weights.
    #[must_use]
    pub fn source(&self) -> String {
        let Weights {
            linear,
            rows,
            results,
        } = &self.weights;
        // Numbers in lines of 16 or so; none is further from zero than `most`.
        let line = |values: &[f32], one: f32, most: f32| {
            let whole = |w: &f32| (one * w).round().clamp(-most, most).to_string();
            values.iter().map(whole).collect::<Vec<_>>().join(", ")
        };
        let lines = |values: &[f32], one: f32| -> String {
            let lines = values.chunks(16).map(|part| line(part, one, 32_000.0));
            lines.map(|line| format!("    {line},\n")).collect()
        };
        let linear = lines(linear, 100.0);
        let results = lines(results, 100.0 * f32::from(RESULT_ONE));
        let rows: String = rows
            .iter()
            .map(|row| format!("    [{}],\n", line(row, ONE.into(), 127.0)))
            .collect();
        format!("{HEAD}{linear}{RESULTS_HEAD}{results}{ROWS_HEAD}{rows}];\n")
    }
}

const HEAD: &str = "\
//! Weights of the estimate, in hundredths of a logit: written by `ludex train mmpawns`.

use crate::eval::{SIZE, row_tables};
use crate::net::{HIDDEN, INPUTS, Net, Row};

/// One weight for each feature of the estimate.
pub(crate) static WEIGHTS: [i16; SIZE] = VALUES;

/// The weights of pawns, summed for whole rows.
pub(crate) static PAWNS: [[i16; 256]; 8] = row_tables(&VALUES);

/// The network.
pub(crate) static NET: Net = Net {
    rows: ROWS,
    results: RESULTS,
};

#[rustfmt::skip]
const VALUES: [i16; SIZE] = [
";

const RESULTS_HEAD: &str = "\
];

#[rustfmt::skip]
const RESULTS: [i16; HIDDEN] = [
";

const ROWS_HEAD: &str = "\
];

#[rustfmt::skip]
const ROWS: [Row; INPUTS] = [
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_training_classifies_most_positions() {
        let options = Options {
            games: 80,
            nodes: 2000,
            seed: 1,
            threads: 1,
        };
        let samples = collect(options, |_| {});
        assert!(samples.len() > 2000, "{}", samples.len());
        let threads = 3;
        let same = collect(Options { threads, ..options }, |_| {});
        assert_eq!(samples, same);
        let fit = fit(&samples, 1);
        assert!(fit.accuracy > 0.7, "{}", fit.accuracy);
        assert!(fit.source().contains("VALUES: [i16; SIZE]"));
        assert!(fit.source().contains("ROWS: [Row; INPUTS]"));
    }
}

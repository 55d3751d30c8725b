//! The network in floating point.
//!
//! Every forward pass rounds the numbers and activations as the file and the engine do
//! (quantisation-aware training); gradients pass through the rounding as if it were not there.
//! The sum of the embedded weights is part of every value and stays as it is.

use arrayvec::ArrayVec;
use othello::eval::network::{Embedding, HIDDEN, HIGHEST, Layers, WIDTH};
use othello::eval::pattern::{Distinct, LANES};
use othello::eval::{DISC, Features, Network, PHASES, Weights, phase_of};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use reversi::Position;

use crate::othello::record::Record;

/// Errors beyond so many discs count linearly, not squared.
pub(super) const HUBER: f32 = 10.0;

/// Units in which numbers are rounded: embeddings and activations, hidden weights, the sums
/// of hidden units, the weights of the output.
pub(super) const ACTIVATION: f32 = 128.0;
pub(super) const HIDDEN_WEIGHT: f32 = 64.0;
pub(super) const HIDDEN_SUM: f32 = ACTIVATION * HIDDEN_WEIGHT;
pub(super) const OUTPUT_WEIGHT: f32 = 64.0 * SCALE;

/// Discs that an output of one stands for.
pub(super) const SCALE: f32 = 16.0;

/// The highest activation.
pub(super) const MOST: f32 = HIGHEST as f32 / ACTIVATION;

/// Where the numbers of a phase's layers are: bias, hidden weights and bias, output weights
/// and bias.
pub(super) const HIDDEN_AT: usize = WIDTH;
pub(super) const HIDDEN_BIAS: usize = HIDDEN_AT + HIDDEN * WIDTH;
pub(super) const OUTPUT: usize = HIDDEN_BIAS + HIDDEN;
pub(super) const OUTPUT_BIAS: usize = OUTPUT + HIDDEN;
pub(super) const LAYERS: usize = OUTPUT_BIAS + 1;

fn rounded(number: f32, unit: f32) -> f32 {
    (number * unit).round() / unit
}

fn rounded_down(number: f32, unit: f32) -> f32 {
    // What is whole but for the error of floating point stays whole.
    (number * unit + 1e-3).floor() / unit
}

/// A position as the network sees it.
pub(super) struct Sample {
    /// The distinct weight of every lane.
    pub(super) weights: ArrayVec<u32, LANES>,
    pub(super) phase: usize,
    /// What the correction should be, in discs.
    pub(super) wanted: f32,
}

impl Sample {
    /// How many lanes every position has.
    pub(super) fn lanes() -> usize {
        Features::slots(Position::start().board()).count()
    }

    /// Those of many positions.
    pub(super) fn all(records: &[&Record]) -> Vec<Sample> {
        records
            .par_iter()
            .map(|record| Sample::new(record))
            .collect()
    }

    pub(super) fn new(record: &Record) -> Sample {
        let board = record.board;
        let distinct = Distinct::get().of_slot();
        let sum = Weights::embedded().value(board, &Features::new(board));
        Sample {
            weights: Features::slots(board)
                .map(|slot| distinct[slot as usize])
                .collect(),
            phase: phase_of(board.empty().len()),
            wanted: (i32::from(record.value) - sum) as f32 / DISC as f32,
        }
    }
}

/// What a forward pass finds.
pub(super) struct Forward {
    sums: [f32; WIDTH],
    active: [f32; WIDTH],
    hidden_sums: [f32; HIDDEN],
    hidden: [f32; HIDDEN],
    /// The correction, in discs.
    pub(super) output: f32,
}

/// The gradients of one block.
pub(super) struct Gradient {
    /// Of each position's sum of embeddings.
    pub(super) sums: Vec<[f32; WIDTH]>,
    /// Of all layers.
    pub(super) layers: Vec<f32>,
}

pub(super) struct Model {
    pub(super) embeddings: Vec<f32>,
    pub(super) layers: Vec<f32>,
}

impl Model {
    pub(super) fn new(rng: &mut ChaCha8Rng) -> Model {
        let mut within = |most: f32| rng.random_range(-most..most);
        let count = Distinct::get().count() * WIDTH;
        let embeddings = (0..count).map(|_| within(0.017)).collect();
        // All phases start from the same layers.
        let mut phase = vec![0.0; LAYERS];
        phase[..HIDDEN_AT].fill_with(|| 0.4 + within(0.1));
        phase[HIDDEN_AT..HIDDEN_BIAS].fill_with(|| within(1.0 / (WIDTH as f32).sqrt()));
        phase[HIDDEN_BIAS..OUTPUT].fill(0.25);
        phase[OUTPUT..OUTPUT_BIAS].fill_with(|| within(0.25));
        Model {
            embeddings,
            layers: phase.repeat(PHASES),
        }
    }

    /// The numbers of a network that was trained before.
    pub(super) fn of(network: &Network) -> Model {
        let embeddings = network.embeddings().flatten();
        let phase = |layers: &Layers| {
            let of = |number: i32, unit: f32| number as f32 / unit;
            let mut numbers = Vec::with_capacity(LAYERS);
            numbers.extend(layers.bias.map(|n| of(n.into(), ACTIVATION)));
            let hidden = layers.hidden.iter().flatten();
            numbers.extend(hidden.map(|&n| of(n.into(), HIDDEN_WEIGHT)));
            numbers.extend(layers.hidden_bias.map(|n| of(n, HIDDEN_SUM)));
            numbers.extend(layers.output.map(|n| of(n, OUTPUT_WEIGHT)));
            numbers.push(of(layers.output_bias, ACTIVATION * OUTPUT_WEIGHT));
            numbers
        };
        Model {
            embeddings: embeddings.map(|n| f32::from(n) / ACTIVATION).collect(),
            layers: network.layers().iter().flat_map(phase).collect(),
        }
    }

    pub(super) fn forward(&self, sample: &Sample) -> Forward {
        let layers = &self.layers[sample.phase * LAYERS..][..LAYERS];
        let mut sums: [f32; WIDTH] = std::array::from_fn(|at| rounded(layers[at], ACTIVATION));
        for &weight in &sample.weights {
            let embedding = &self.embeddings[weight as usize * WIDTH..][..WIDTH];
            for (sum, &number) in sums.iter_mut().zip(embedding) {
                *sum += rounded(number, ACTIVATION);
            }
        }
        let active = sums.map(|sum| {
            let sum = sum.clamp(0.0, MOST);
            rounded_down(sum * sum, ACTIVATION)
        });
        let mut hidden_sums = [0.0; HIDDEN];
        let mut output = layers[OUTPUT_BIAS];
        let hidden = std::array::from_fn(|unit| {
            let weights = &layers[HIDDEN_AT + unit * WIDTH..][..WIDTH];
            let products = weights.iter().zip(&active);
            let sum: f32 = products
                .map(|(&weight, active)| rounded(weight, HIDDEN_WEIGHT) * active)
                .sum();
            hidden_sums[unit] = sum + rounded(layers[HIDDEN_BIAS + unit], HIDDEN_SUM);
            let hidden = rounded_down(hidden_sums[unit].clamp(0.0, MOST), ACTIVATION);
            output += hidden * rounded(layers[OUTPUT + unit], OUTPUT_WEIGHT);
            hidden
        });
        Forward {
            sums,
            active,
            hidden_sums,
            hidden,
            output: SCALE * output,
        }
    }

    /// Adds the gradients of the layers for one position, and gives that of its sum of
    /// embeddings, for a slope of the loss by the correction.
    fn backward(
        &self,
        sample: &Sample,
        forward: &Forward,
        slope: f32,
        gradient: &mut [f32],
    ) -> [f32; WIDTH] {
        let layers = &self.layers[sample.phase * LAYERS..][..LAYERS];
        let gradient = &mut gradient[sample.phase * LAYERS..][..LAYERS];
        let slope = slope * SCALE;
        gradient[OUTPUT_BIAS] += slope;
        let mut of_active = [0.0; WIDTH];
        for unit in 0..HIDDEN {
            gradient[OUTPUT + unit] += slope * forward.hidden[unit];
            if !(0.0..MOST).contains(&forward.hidden_sums[unit]) {
                continue;
            }
            let slope = slope * layers[OUTPUT + unit];
            gradient[HIDDEN_BIAS + unit] += slope;
            let row = HIDDEN_AT + unit * WIDTH;
            let slopes = gradient[row..][..WIDTH].iter_mut();
            for (weight_slope, active) in slopes.zip(&forward.active) {
                *weight_slope += slope * active;
            }
            for (sum, weight) in of_active.iter_mut().zip(&layers[row..][..WIDTH]) {
                *sum += slope * weight;
            }
        }
        std::array::from_fn(|at| {
            let sum = forward.sums[at];
            if !(0.0..MOST).contains(&sum) {
                return 0.0;
            }
            let slope = of_active[at] * 2.0 * sum;
            gradient[at] += slope;
            slope
        })
    }

    /// The gradients of a block's mean loss, where a batch has `batch` positions.
    pub(super) fn gradient(&self, samples: &[Sample], batch: usize) -> Gradient {
        let mut layers = vec![0.0; self.layers.len()];
        let mut of_sample = |sample: &Sample| {
            let forward = self.forward(sample);
            let error = (forward.output - sample.wanted).clamp(-HUBER, HUBER);
            self.backward(sample, &forward, error / batch as f32, &mut layers)
        };
        Gradient {
            sums: samples.iter().map(&mut of_sample).collect(),
            layers,
        }
    }

    /// The file's numbers.
    pub(super) fn quantised(&self) -> (Vec<Embedding>, Vec<Layers>) {
        let whole = |number: f32, unit: f32| (number * unit).round() as i32;
        let (rows, _) = self.embeddings.as_chunks::<WIDTH>();
        let embeddings = rows
            .iter()
            .map(|row| row.map(|number| whole(number, ACTIVATION) as i8))
            .collect();
        let layers = self.layers.chunks_exact(LAYERS).map(|layers| Layers {
            bias: std::array::from_fn(|at| whole(layers[at], ACTIVATION) as i16),
            hidden: std::array::from_fn(|unit| {
                let row = &layers[HIDDEN_AT + unit * WIDTH..];
                std::array::from_fn(|at| whole(row[at], HIDDEN_WEIGHT) as i16)
            }),
            hidden_bias: std::array::from_fn(|unit| whole(layers[HIDDEN_BIAS + unit], HIDDEN_SUM)),
            output: std::array::from_fn(|unit| whole(layers[OUTPUT + unit], OUTPUT_WEIGHT)),
            output_bias: whole(layers[OUTPUT_BIAS], ACTIVATION * OUTPUT_WEIGHT),
        });
        (embeddings, layers.collect())
    }
}

/// Positions for tests.
#[cfg(test)]
pub(super) mod samples {
    use super::*;
    use crate::othello::selfplay::generator;

    /// Positions of random games, to be valued one disc above the sum of weights and one
    /// more for each own corner.
    pub(crate) fn records() -> Vec<Record> {
        let mut rng = generator(5, 0);
        let mut record = |game: u16| {
            let mut board = Position::start().board();
            for _ in 0..rng.random_range(10..40) {
                let moves = board.moves();
                if moves.is_empty() {
                    break;
                }
                let nth = rng.random_range(0..moves.len()) as usize;
                board = board.play(moves.into_iter().nth(nth).expect("a move"));
            }
            let corners = (board.own & reversi::Discs::CORNERS).len() as i32;
            let sum = Weights::embedded().value(board, &Features::new(board));
            Record {
                board,
                value: (sum + DISC * (1 + 4 * corners)) as i16,
                game,
            }
        };
        (0..64).map(&mut record).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::samples::records;
    use super::*;
    use crate::othello::selfplay::generator;

    #[test]
    fn gradients_are_slopes() {
        // Without rounding: a step of a whole unit, whose rounding is itself.
        let mut model = Model::new(&mut generator(1, 0));
        for number in model.embeddings.iter_mut().chain(&mut model.layers) {
            *number = rounded(*number, 64.0);
        }
        let samples: Vec<Sample> = records().iter().map(Sample::new).collect();
        let loss = |model: &Model| -> f64 {
            let of = |sample: &Sample| {
                let error = f64::from(model.forward(sample).output - sample.wanted).abs();
                let huber = f64::from(HUBER);
                if error < huber {
                    error * error / 2.0
                } else {
                    huber * (error - huber / 2.0)
                }
            };
            samples.iter().map(of).sum::<f64>() / samples.len() as f64
        };
        let gradient = model.gradient(&samples, samples.len());
        let phase = samples[0].phase * LAYERS;
        for at in [OUTPUT, OUTPUT + 3, OUTPUT_BIAS] {
            let (here, unit) = (model.layers[phase + at], 1.0 / 16.0);
            model.layers[phase + at] = here + unit;
            let above = loss(&model);
            model.layers[phase + at] = here - unit;
            let slope = (above - loss(&model)) / (2.0 * f64::from(unit));
            model.layers[phase + at] = here;
            let found = f64::from(gradient.layers[phase + at]);
            assert!(
                (slope - found).abs() < 0.05 * found.abs() + 0.01,
                "{at}: {found}, not {slope}"
            );
        }
    }
}

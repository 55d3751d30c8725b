//! Gradient descent on the network in this process.
//!
//! Sums are taken in an order that does not depend on the number of threads.

use othello::eval::network::WIDTH;
use rayon::prelude::*;

use super::fit::Fitter;
use super::model::{Gradient, HIDDEN_AT, HIDDEN_BIAS, HIDDEN_WEIGHT, LAYERS, MOST, Model, Sample};
use super::optimiser::Step;
use super::torch::TorchError;

/// Positions whose gradients one thread adds up.
const BLOCK: usize = 256;

/// Embeddings that one thread moves.
const ROWS: usize = 1024;

/// A model on its way, with the means that the optimiser keeps.
pub(super) struct Training {
    model: Model,
    embedding_means: Vec<[f32; 2]>,
    layer_means: Vec<[f32; 2]>,
}

impl Training {
    pub(super) fn new(model: Model) -> Training {
        Training {
            embedding_means: vec![[0.0; 2]; model.embeddings.len()],
            layer_means: vec![[0.0; 2]; model.layers.len()],
            model,
        }
    }

    fn descend(&mut self, samples: &[Sample], step: Step) {
        let model = &self.model;
        let blocks: Vec<Gradient> = samples
            .par_chunks(BLOCK)
            .map(|block| model.gradient(block, samples.len()))
            .collect();
        // All positions by the embeddings that they use.
        let mut uses: Vec<(u32, u32)> = samples
            .par_iter()
            .enumerate()
            .flat_map_iter(|(n, sample)| sample.weights.iter().map(move |&w| (w, n as u32)))
            .collect();
        uses.par_sort_unstable();
        let means = self.embedding_means.par_chunks_mut(ROWS * WIDTH);
        let embeddings = self.model.embeddings.par_chunks_mut(ROWS * WIDTH);
        embeddings
            .zip(means)
            .enumerate()
            .for_each(|(chunk, (numbers, means))| {
                let first = (chunk * ROWS) as u32;
                let mut uses = &uses[uses.partition_point(|&(weight, _)| weight < first)..];
                let rows = numbers.chunks_mut(WIDTH).zip(means.chunks_mut(WIDTH));
                for (weight, (numbers, means)) in (first..).zip(rows) {
                    let mut gradient = [0.0; WIDTH];
                    while let Some((&(_, n), rest)) = uses.split_first().filter(|u| u.0.0 == weight)
                    {
                        uses = rest;
                        let sums = &blocks[n as usize / BLOCK].sums[n as usize % BLOCK];
                        for (slope, sum) in gradient.iter_mut().zip(sums) {
                            *slope += sum;
                        }
                    }
                    step.apply(numbers, means, &gradient);
                    for number in numbers {
                        *number = number.clamp(-MOST, MOST);
                    }
                }
            });
        let mut gradient = vec![0.0; self.model.layers.len()];
        for block in &blocks {
            for (sum, slope) in gradient.iter_mut().zip(&block.layers) {
                *sum += slope;
            }
        }
        let layers = &mut self.model.layers;
        step.without_decay()
            .apply(layers, &mut self.layer_means, &gradient);
        // Hidden weights are bytes in the file.
        for layers in layers.chunks_exact_mut(LAYERS) {
            for weight in &mut layers[HIDDEN_AT..HIDDEN_BIAS] {
                *weight = weight.clamp(-127.0 / HIDDEN_WEIGHT, 127.0 / HIDDEN_WEIGHT);
            }
        }
    }
}

impl Fitter for Training {
    fn step(&mut self, samples: &[Sample], step: Step) -> Result<(), TorchError> {
        self.descend(samples, step);
        Ok(())
    }

    fn squares(&mut self, samples: &[Sample]) -> Result<f64, TorchError> {
        let of = |sample: &Sample| self.model.forward(sample).output - sample.wanted;
        let errors: Vec<f32> = samples.par_iter().map(of).collect();
        Ok(errors.iter().map(|&error| f64::from(error).powi(2)).sum())
    }

    fn finish(self: Box<Self>) -> Result<Model, TorchError> {
        Ok(self.model)
    }
}

#[cfg(test)]
mod tests {
    use othello::eval::network;
    use othello::eval::{DISC, Features, Network};

    use super::*;
    use crate::othello::network::model::samples::records;
    use crate::othello::record::Record;
    use crate::othello::selfplay::generator;

    #[test]
    fn the_file_says_what_was_learned() {
        let records = records();
        let records: Vec<&Record> = records.iter().collect();
        let model = Model::new(&mut generator(1, 0));
        let mut training = Training::new(model);
        let samples = Sample::all(&records);
        let before = training.squares(&samples).expect("no other process");
        for number in 0..40 {
            training.descend(&samples, Step::new(number, 0.01, 0.1));
        }
        let after = training.squares(&samples).expect("no other process");
        assert!(after < 0.49 * before, "{after} after {before}");
        let (embeddings, layers) = training.model.quantised();
        let bytes = network::write(&embeddings, &layers, "test");
        let network = Network::read(bytes).expect("what was just written");
        for record in records {
            let output = training.model.forward(&Sample::new(record)).output;
            let whole = network.correction(record.board, &Features::new(record.board));
            assert!(
                (output - whole as f32 / DISC as f32).abs() < 0.1,
                "{output} {whole}"
            );
        }
        let (again, same) = Model::of(&network).quantised();
        assert!(
            again == embeddings && same == layers,
            "what is read is what was written"
        );
    }
}

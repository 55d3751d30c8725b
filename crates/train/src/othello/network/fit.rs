//! How a network is fitted: which positions, in which order and at which rate. Who takes the
//! steps is a [`Fitter`].

use std::path::Path;

use othello::eval::Network;
use othello::eval::network;
use rand::seq::SliceRandom;

use super::Epoch;
use super::descent::Training;
use super::model::{Model, Sample};
use super::optimiser::Step;
use super::torch::{Torch, TorchError};
use crate::othello::record::{Library, Record};
use crate::othello::selfplay::generator;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Passes through all positions.
    pub epochs: usize,
    /// Positions in a step.
    pub batch: usize,
    /// The learning rate at its highest.
    pub rate: f32,
    /// The weight decay of embeddings, in learning rates.
    pub decay: f32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            epochs: 4,
            batch: 32_768,
            rate: 0.0016,
            decay: 0.4,
        }
    }
}

/// Steps in which the learning rate rises.
const WARM_UP: usize = 200;

/// The learning rate of a step: it rises, then falls along half a cosine to a fiftieth.
fn rate(settings: &Settings, step: usize, steps: usize) -> f32 {
    let rise = ((step + 1) as f32 / WARM_UP as f32).min(1.0);
    let part = step as f32 / steps.max(1) as f32;
    let fall = 0.5 + 0.5 * (std::f32::consts::PI * part).cos();
    settings.rate * rise * (0.02 + 0.98 * fall)
}

/// Who takes the steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By<'a> {
    /// This process, on its threads.
    Threads,
    /// PyTorch under this Python, on a GPU if there is one.
    Torch(&'a Path),
}

/// What moves the numbers of a model.
pub(super) trait Fitter {
    /// One step on the mean loss of some positions.
    fn step(&mut self, samples: &[Sample], step: Step) -> Result<(), TorchError>;

    /// The sum of the squared errors on some positions, in discs.
    fn squares(&mut self, samples: &[Sample]) -> Result<f64, TorchError>;

    /// The model as it is in the end.
    fn finish(self: Box<Self>) -> Result<Model, TorchError>;
}

/// Trains a network, from random numbers or from those of another one, and gives the bytes of
/// its file. Calls `done` after each epoch.
pub(super) fn fit(
    library: &Library,
    settings: &Settings,
    torch: Option<Torch>,
    start: Option<&Network>,
    seed: u64,
    recipe: &str,
    mut done: impl FnMut(Epoch),
) -> Result<Vec<u8>, TorchError> {
    let records = || (0..=60).flat_map(|empties| library.with_empties(empties));
    let test: Vec<&Record> = records().filter(|record| record.is_held_out()).collect();
    let mut train: Vec<&Record> = records().filter(|record| !record.is_held_out()).collect();
    let mut rng = generator(seed, u64::MAX);
    let model = start.map_or_else(|| Model::new(&mut rng), Model::of);
    let mut fitter: Box<dyn Fitter> = match torch {
        None => Box::new(Training::new(model)),
        Some(mut torch) => {
            torch.begin(&model)?;
            Box::new(torch)
        }
    };
    let batch = settings.batch.clamp(1, train.len().max(1));
    let steps = settings.epochs * (train.len() / batch);
    let mut number = 0;
    for epoch in 1..=settings.epochs {
        train.shuffle(&mut rng);
        for records in train.chunks_exact(batch) {
            let step = Step::new(number, rate(settings, number, steps), settings.decay);
            fitter.step(&Sample::all(records), step)?;
            number += 1;
        }
        let mut squares = [0.0; 2];
        for records in test.chunks(batch) {
            let samples = Sample::all(records);
            let wanted = samples.iter().map(|sample| f64::from(sample.wanted));
            squares[0] += wanted.map(|wanted| wanted.powi(2)).sum::<f64>();
            squares[1] += fitter.squares(&samples)?;
        }
        let [weights, corrected] = squares.map(|sum| (sum / test.len() as f64).sqrt());
        done(Epoch {
            number: epoch,
            weights,
            corrected,
        });
    }
    let (embeddings, layers) = fitter.finish()?.quantised();
    Ok(network::write(&embeddings, &layers, recipe))
}

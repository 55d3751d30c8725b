//! The regression: weights whose sums come nearest to the labels.
//!
//! One phase at a time, from the end of the game to its opening. The error is squared,
//! and a weight pays for leaving the value that it has in the phase before (which is
//! later in the game), so that rare patterns keep what is known about them. This is a
//! linear least-squares problem, solved by the method of conjugate gradients.

use othello::eval::file::{self, Fit};
use othello::eval::pattern::Distinct;
use othello::eval::{DISC, Features, PHASES, phase_of};

use crate::record::Record;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// What a weight pays for leaving its prior, in labels.
    pub shrink: f32,
    /// Steps of the method of conjugate gradients.
    pub steps: usize,
    /// Positions with this many empties more or fewer than a phase has are fitted too.
    pub margin: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            shrink: 30.0,
            steps: 24,
            margin: 1,
        }
    }
}

/// Fits all phases, and gives the bytes of a weights file. Calls `done` after each phase.
pub fn fit(
    records: &[Record],
    settings: &Settings,
    recipe: &str,
    mut done: impl FnMut(usize, &Fit),
) -> Vec<u8> {
    let mut weights = vec![0.0; Distinct::get().count()];
    let mut phases = Vec::with_capacity(PHASES);
    let mut fits = Vec::with_capacity(PHASES);
    for phase in 0..PHASES {
        let (train, test) = rows(records, phase, settings.margin);
        conjugate_gradients(&mut weights, &train, settings);
        let fit = Fit {
            positions: train.labels.len() as u64,
            error: train.error(&weights),
            held_out: test.labels.len() as u64,
            held_out_error: test.error(&weights),
        };
        done(phase, &fit);
        fits.push(fit);
        phases.push(weights.iter().map(|&w| quantise(w)).collect());
    }
    file::write(&phases, recipe, &fits)
}

/// A weight in parts of a disc.
fn quantise(weight: f32) -> i16 {
    (weight * DISC as f32).round() as i16
}

/// Positions as rows of a sparse matrix: `width` distinct weights each, all of them 1.
#[derive(Default)]
struct Rows {
    columns: Vec<u32>,
    width: usize,
    labels: Vec<f32>,
}

impl Rows {
    fn push(&mut self, record: &Record, distinct: &[u32]) {
        let features = Features::new(record.board);
        let before = self.columns.len();
        self.columns
            .extend(features.slots().map(|slot| distinct[slot as usize]));
        self.width = self.columns.len() - before;
        self.labels.push(f32::from(record.value) / DISC as f32);
    }

    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.columns.chunks_exact(self.width.max(1))
    }

    /// Each row's sum of weights.
    fn sums(&self, weights: &[f32]) -> Vec<f32> {
        self.rows()
            .map(|row| row.iter().map(|&column| weights[column as usize]).sum())
            .collect()
    }

    /// Each weight's sum over the rows that it occurs in.
    fn sums_by_weight(&self, values: &[f32], into: &mut [f32]) {
        for (row, &value) in self.rows().zip(values) {
            for &column in row {
                into[column as usize] += value;
            }
        }
    }

    /// The mean absolute error.
    fn error(&self, weights: &[f32]) -> f64 {
        let total: f64 = self
            .sums(weights)
            .iter()
            .zip(&self.labels)
            .map(|(sum, label)| f64::from((sum.clamp(-64.0, 64.0) - label).abs()))
            .sum();
        total / self.labels.len().max(1) as f64
    }
}

/// The rows of one phase: those to fit, and those of the held-out games.
fn rows(records: &[Record], phase: usize, margin: u32) -> (Rows, Rows) {
    let distinct = Distinct::get().of_slot();
    let (mut train, mut test) = (Rows::default(), Rows::default());
    for record in records {
        let empties = record.board.empty().len();
        if record.is_held_out() {
            if phase_of(empties) == phase {
                test.push(record, distinct);
            }
        } else if (phase_of(empties.saturating_sub(margin))..=phase_of(empties + margin))
            .contains(&phase)
        {
            train.push(record, distinct);
        }
    }
    (train, test)
}

/// Moves the weights, which are also the prior, towards the least squared error.
fn conjugate_gradients(weights: &mut [f32], rows: &Rows, settings: &Settings) {
    if rows.labels.is_empty() {
        return;
    }
    // The scale of each weight's own equation: how often it occurs.
    let mut scale = vec![settings.shrink; weights.len()];
    rows.sums_by_weight(&vec![1.0; rows.labels.len()], &mut scale);
    let mut residual: Vec<f32> = rows
        .sums(weights)
        .iter()
        .zip(&rows.labels)
        .map(|(sum, label)| label - sum)
        .collect();
    let mut moved = vec![0.0; weights.len()];
    let mut gradient = vec![0.0; weights.len()];
    let mut direction = vec![0.0; weights.len()];
    let mut size = 0.0;
    for _ in 0..settings.steps {
        for (slope, moved) in gradient.iter_mut().zip(&moved) {
            *slope = -settings.shrink * moved;
        }
        rows.sums_by_weight(&residual, &mut gradient);
        let new_size: f64 = gradient
            .iter()
            .zip(&scale)
            .map(|(&g, &s)| f64::from(g) * f64::from(g / s))
            .sum();
        if new_size == 0.0 {
            break;
        }
        let keep = if size > 0.0 {
            (new_size / size) as f32
        } else {
            0.0
        };
        size = new_size;
        for ((d, g), s) in direction.iter_mut().zip(&gradient).zip(&scale) {
            *d = g / s + keep * *d;
        }
        let change = rows.sums(&direction);
        let curvature = square(&change) + f64::from(settings.shrink) * square(&direction);
        let step = (size / curvature) as f32;
        for (m, d) in moved.iter_mut().zip(&direction) {
            *m += step * d;
        }
        for (r, c) in residual.iter_mut().zip(&change) {
            *r -= step * c;
        }
    }
    for (weight, moved) in weights.iter_mut().zip(&moved) {
        *weight += moved;
    }
}

fn square(values: &[f32]) -> f64 {
    values.iter().map(|&v| f64::from(v) * f64::from(v)).sum()
}

//! The regression: weights whose sums come nearest to the labels.
//!
//! One phase at a time, from the end of the game to its opening. The error is squared,
//! and a weight pays for leaving the value that it has in the phase before (which is
//! later in the game), so that rare patterns keep what is known about them. This is a
//! linear least-squares problem, solved by the method of conjugate gradients.
//!
//! The work is cut into blocks whatever the number of threads, and sums
//! over blocks are taken in their order, so that threads change nothing in the result.

use othello::eval::file::{self, Fit};
use othello::eval::pattern::Distinct;
use othello::eval::{DISC, Features, PHASES, phase_of};
use rayon::prelude::*;

use super::record::{Library, Record};

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
    library: &Library,
    settings: &Settings,
    recipe: &str,
    mut done: impl FnMut(usize, &Fit),
) -> Vec<u8> {
    let mut weights = vec![0.0; Distinct::get().count()];
    let mut phases = Vec::with_capacity(PHASES);
    let mut fits = Vec::with_capacity(PHASES);
    for phase in 0..PHASES {
        let near = |empties: u32| {
            (phase_of(empties.saturating_sub(settings.margin))
                ..=phase_of(empties + settings.margin))
                .contains(&phase)
        };
        let train = Rows::new(library, near, |record| !record.is_held_out());
        let here = |empties: u32| phase_of(empties) == phase;
        let test = Rows::new(library, here, Record::is_held_out);
        conjugate_gradients(&mut weights, &train, settings);
        let fit = Fit {
            positions: train.len() as u64,
            error: train.error(&weights),
            held_out: test.len() as u64,
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

/// How many blocks the rows are cut into, at most.
const BLOCKS: usize = 64;

/// How many positions a block is worth its sums for.
const BLOCK: usize = 1 << 15;

/// Positions as rows of a sparse matrix: a number of distinct weights each, all of them 1.
struct Rows {
    blocks: Vec<Block>,
}

/// Some of the rows, worked on by one thread at a time.
#[derive(Default)]
struct Block {
    columns: Vec<u32>,
    /// Columns in a row.
    width: usize,
    labels: Vec<f32>,
}

/// A number for every row, block by block.
type Column = Vec<Vec<f32>>;

impl Rows {
    /// The rows of some positions.
    fn new(
        library: &Library,
        empties: impl Fn(u32) -> bool,
        wanted: impl Fn(&Record) -> bool + Sync,
    ) -> Rows {
        let records: Vec<&[Record]> = (0..=60)
            .filter(|&n| empties(n))
            .map(|n| library.with_empties(n))
            .collect();
        let total: usize = records.iter().map(|records| records.len()).sum();
        let count = (total / BLOCK).clamp(1, BLOCKS);
        let blocks = (0..count).into_par_iter().map(|number| {
            let mut block = Block::default();
            for records in &records {
                let at = |n: usize| records.len() * n / count;
                let part = &records[at(number)..at(number + 1)];
                part.iter()
                    .filter(|r| wanted(r))
                    .for_each(|r| block.push(r));
            }
            block
        });
        Rows {
            blocks: blocks.collect(),
        }
    }

    fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.labels.len()).sum()
    }

    /// Each row's sum of weights.
    fn sums(&self, weights: &[f32]) -> Column {
        let blocks = self.blocks.par_iter();
        blocks.map(|block| block.sums(weights).collect()).collect()
    }

    /// Adds to each weight's entry the values of the rows that it occurs in.
    fn sums_by_weight(&self, values: &Column, into: &mut [f32]) {
        let parts: Vec<Vec<f32>> = self
            .blocks
            .par_iter()
            .zip(values)
            .map(|(block, values)| {
                let mut sums = vec![0.0; into.len()];
                for (row, value) in block.rows().zip(values) {
                    for &column in row {
                        sums[column as usize] += value;
                    }
                }
                sums
            })
            .collect();
        into.par_iter_mut().enumerate().for_each(|(weight, sum)| {
            for part in &parts {
                *sum += part[weight];
            }
        });
    }

    /// The mean absolute error.
    fn error(&self, weights: &[f32]) -> f64 {
        let of_block = |block: &Block| -> f64 {
            let off = |(sum, label): (f32, &f32)| f64::from((sum.clamp(-64.0, 64.0) - label).abs());
            block.sums(weights).zip(&block.labels).map(off).sum()
        };
        let totals: Vec<f64> = self.blocks.par_iter().map(of_block).collect();
        totals.into_iter().sum::<f64>() / self.len().max(1) as f64
    }
}

impl Block {
    fn push(&mut self, record: &Record) {
        let distinct = Distinct::get().of_slot();
        let before = self.columns.len();
        self.columns
            .extend(Features::slots(record.board).map(|slot| distinct[slot as usize]));
        self.width = self.columns.len() - before;
        self.labels.push(f32::from(record.value) / DISC as f32);
    }

    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.columns.chunks_exact(self.width.max(1))
    }

    /// Each row's sum of weights.
    fn sums(&self, weights: &[f32]) -> impl Iterator<Item = f32> {
        self.rows()
            .map(|row| row.iter().map(|&column| weights[column as usize]).sum())
    }
}

/// Moves the weights, which are also the prior, towards the least squared error.
fn conjugate_gradients(weights: &mut [f32], rows: &Rows, settings: &Settings) {
    if rows.len() == 0 {
        return;
    }
    // The scale of each weight's own equation: how often it occurs.
    let mut scale = vec![settings.shrink; weights.len()];
    let ones = rows
        .blocks
        .iter()
        .map(|block| vec![1.0; block.labels.len()]);
    rows.sums_by_weight(&ones.collect(), &mut scale);
    let mut residual = rows.sums(weights);
    for (residual, block) in residual.iter_mut().zip(&rows.blocks) {
        for (r, label) in residual.iter_mut().zip(&block.labels) {
            *r = label - *r;
        }
    }
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
        let curvature: f64 = change.iter().map(|c| square(c)).sum();
        let step = (size / (curvature + f64::from(settings.shrink) * square(&direction))) as f32;
        for (m, d) in moved.iter_mut().zip(&direction) {
            *m += step * d;
        }
        residual
            .par_iter_mut()
            .zip(&change)
            .for_each(|(residual, change)| {
                for (r, c) in residual.iter_mut().zip(change) {
                    *r -= step * c;
                }
            });
    }
    for (weight, moved) in weights.iter_mut().zip(&moved) {
        *weight += moved;
    }
}

fn square(values: &[f32]) -> f64 {
    values.iter().map(|&v| f64::from(v) * f64::from(v)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The normal equations, solved by elimination: slow and obvious.
    fn dense(rows: &[(Vec<u32>, f32)], prior: &[f32], shrink: f64) -> Vec<f64> {
        let n = prior.len();
        let mut matrix = vec![vec![0.0; n + 1]; n];
        for (weight, line) in matrix.iter_mut().enumerate() {
            line[weight] = shrink;
        }
        for (row, label) in rows {
            let sum: f32 = row.iter().map(|&c| prior[c as usize]).sum();
            for &a in row {
                for &b in row {
                    matrix[a as usize][b as usize] += 1.0;
                }
                matrix[a as usize][n] += f64::from(label - sum);
            }
        }
        for pivot in 0..n {
            let above = matrix[pivot].clone();
            for (number, line) in matrix.iter_mut().enumerate() {
                let factor = line[pivot] / above[pivot];
                if number != pivot {
                    line.iter_mut()
                        .zip(&above)
                        .for_each(|(x, a)| *x -= factor * a);
                }
            }
        }
        let moved = (0..n).map(|w| matrix[w][n] / matrix[w][w]);
        moved.zip(prior).map(|(m, &p)| m + f64::from(p)).collect()
    }

    #[test]
    fn gradients_find_what_elimination_finds() {
        let mut seed = 9u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 16
        };
        // A weight may occur twice in a row, as patterns do on symmetric boards.
        let rows: Vec<(Vec<u32>, f32)> = (0..60)
            .map(|_| {
                let row = (0..4).map(|_| random() % 12).collect();
                (row, (random() % 100) as f32 - 50.0)
            })
            .collect();
        let mut weights: Vec<f32> = (0..12).map(|n| n as f32).collect();
        let wanted = dense(&rows, &weights, 3.0);
        let blocks = rows.chunks(7).map(|rows| Block {
            columns: rows.iter().flat_map(|(row, _)| row.clone()).collect(),
            width: 4,
            labels: rows.iter().map(|(_, label)| *label).collect(),
        });
        let settings = Settings {
            shrink: 3.0,
            steps: 40,
            margin: 0,
        };
        let blocks = blocks.collect();
        conjugate_gradients(&mut weights, &Rows { blocks }, &settings);
        for (weight, wanted) in weights.iter().zip(wanted) {
            assert!(
                (f64::from(*weight) - wanted).abs() < 0.01,
                "{weight}, not {wanted}"
            );
        }
    }
}

//! The deviations of multi-ProbCut: how far shallow searches are from deep ones.

use othello::Solver;
use othello::probcut::{MIN_DEPTH, shallow_depth, terms};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reversi::{Board, Position};

/// Two searches of one position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Empty squares of the position.
    pub empties: u32,
    /// Plies of the deeper search.
    pub deep: u32,
    /// Plies of the shallower one.
    pub shallow: u32,
    /// How far apart their values are, in discs.
    pub difference: f64,
}

/// What to measure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Where the random choices start from.
    pub seed: u64,
    /// How many positions.
    pub positions: usize,
    /// Plies of the deepest search that does not reach the end.
    pub deepest: u32,
    /// Positions with at most so many empty squares are searched to the end.
    pub solved: u32,
}

/// Searches positions of self-played games to every depth, nothing cut.
#[must_use]
pub fn measure(what: Measure) -> Vec<Sample> {
    let mut rng = ChaCha8Rng::seed_from_u64(what.seed);
    let mut solver = Solver::new(64);
    let mut samples = Vec::new();
    let mut left = what.positions;
    while left > 0 {
        let empties = rng.random_range(MIN_DEPTH + 4..=52);
        let Some(board) = self_played(&mut solver, &mut rng, empties) else {
            continue;
        };
        left -= 1;
        let to_the_end = empties <= what.solved;
        let deepest = if to_the_end {
            empties
        } else {
            what.deepest.min(empties - 1)
        };
        // Between the usual depths and the end lies nothing that is worth its time.
        let depths = (0..=what.deepest.min(deepest)).chain(to_the_end.then_some(empties));
        let values: Vec<(u32, i32)> = depths.map(|d| (d, solver.search(board, d))).collect();
        for &(deep, value) in values.iter().filter(|(deep, _)| *deep >= MIN_DEPTH) {
            for shallow in [0, shallow_depth(deep)] {
                let found = values.iter().find(|(depth, _)| *depth == shallow);
                samples.extend(found.map(|(_, guess)| Sample {
                    empties,
                    deep,
                    shallow,
                    difference: f64::from((value - guess).abs()),
                }));
            }
        }
    }
    samples
}

/// A position that moves of depth 2 lead to, with now and then a random one among them.
fn self_played(solver: &mut Solver, rng: &mut ChaCha8Rng, empties: u32) -> Option<Board> {
    let mut board = Position::start().board();
    let opening = rng.random_range(48..=54);
    while board.empty().len() > empties {
        if board.moves().is_empty() {
            board = board.pass();
        }
        let mut moves = board.moves();
        let square = if board.empty().len() > opening || rng.random_range(0..12) == 0 {
            moves.nth(rng.random_range(0..moves.len().max(1) as usize))
        } else {
            moves.max_by_key(|&square| -solver.search(board.play(square), 1))
        };
        board = board.play(square?);
    }
    (!board.moves().is_empty()).then_some(board)
}

/// The coefficients of the standard deviation's logarithm that fit the samples best: of 1,
/// of the empty squares, and of the logarithms of the deeper depth and of one more than the
/// shallower one.
///
/// The mean absolute difference of a normal distribution is √(2/π) of its standard
/// deviation, so the absolute differences are fitted. Their spread grows with their size, so
/// it is relative errors whose squares are made small, in a few rounds: each takes the
/// logarithm to be straight around what the round before it found.
#[must_use]
pub fn fit(samples: &[Sample]) -> [f64; 4] {
    const ROUNDS: usize = 20;
    let scale = (std::f64::consts::PI / 2.0).sqrt();
    let mean = samples.iter().map(|s| s.difference * scale).sum::<f64>() / samples.len() as f64;
    let mut found = [mean.max(1e-6).ln(), 0.0, 0.0, 0.0];
    for _ in 0..ROUNDS {
        let mut matrix = [[0.0; 5]; 4];
        for sample in samples {
            let terms = terms(sample.empties, sample.deep, sample.shallow);
            let guess: f64 = terms.iter().zip(found).map(|(term, c)| term * c).sum();
            let target = guess + sample.difference * scale / guess.exp() - 1.0;
            for (row, term) in matrix.iter_mut().zip(terms) {
                for (cell, factor) in row.iter_mut().zip(terms.into_iter().chain([target])) {
                    *cell += term * factor;
                }
            }
        }
        found = solve(matrix);
    }
    found
}

/// Gauss–Jordan elimination of four equations.
fn solve(mut matrix: [[f64; 5]; 4]) -> [f64; 4] {
    for pivot in 0..4 {
        let largest =
            (pivot..4).max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()));
        matrix.swap(pivot, largest.unwrap_or(pivot));
        let head = matrix[pivot];
        if head[pivot].abs() < 1e-12 {
            continue;
        }
        for (index, row) in matrix.iter_mut().enumerate() {
            if index != pivot {
                let factor = row[pivot] / head[pivot];
                row.iter_mut()
                    .zip(head)
                    .for_each(|(cell, h)| *cell -= factor * h);
            }
        }
    }
    std::array::from_fn(|i| {
        if matrix[i][i].abs() < 1e-12 {
            0.0
        } else {
            matrix[i][4] / matrix[i][i]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_made_the_samples_is_found_again() {
        let factor = (2.0 / std::f64::consts::PI).sqrt();
        let wanted = [1.0, -0.03, 0.75, -0.5];
        let mut samples = Vec::new();
        for empties in 10..20 {
            for deep in 3..9 {
                for shallow in 0..3 {
                    let terms = terms(empties, deep, shallow).into_iter();
                    let sum: f64 = terms.zip(wanted).map(|(term, c)| term * c).sum();
                    samples.push(Sample {
                        empties,
                        deep,
                        shallow,
                        difference: factor * sum.exp(),
                    });
                }
            }
        }
        for (found, wanted) in fit(&samples).into_iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        }
    }

    #[test]
    fn deeper_searches_are_further_apart() {
        let samples = measure(Measure {
            seed: 1,
            positions: 40,
            deepest: 5,
            solved: 10,
        });
        assert!(samples.len() > 100);
        assert!(
            samples
                .iter()
                .all(|s| s.shallow < s.deep && s.deep <= s.empties)
        );
        let mean = |shallow: bool| {
            let chosen = samples.iter().filter(|s| (s.shallow == 0) != shallow);
            let (sum, count) = chosen.fold((0.0, 0.0), |(sum, n), s| (sum + s.difference, n + 1.0));
            sum / count
        };
        assert!(
            mean(false) > mean(true),
            "the static evaluation is further off than a search"
        );
    }
}

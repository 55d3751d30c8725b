//! The whole way from nothing to weights: play, fit, play better, fit again.

use std::path::{Path, PathBuf};

use othello::eval::file::{self, Fit};
use othello::eval::pattern::Distinct;
use othello::eval::{PHASES, Weights};

use super::record::{Library, RecordError};
use super::{fit, selfplay};

/// One generation: games by the weights so far, then a fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stage {
    /// How many games.
    pub games: u32,
    /// Search depth of the players, in plies.
    pub depth: u32,
    /// Positions with so many empties are solved.
    pub solve: u32,
    /// How much the label of the next position counts.
    pub trust: f64,
    /// One move in this many is any legal one.
    pub stray: u32,
    /// Games of this many generations before are fitted to as well.
    pub earlier: usize,
    /// How to fit.
    pub fit: fit::Settings,
}

/// A generation as one line of a table.
const fn stage(games: u32, play: (u32, u32, f64, u32), fit: (usize, f32, usize)) -> Stage {
    let (depth, solve, trust, stray) = play;
    let (earlier, shrink, steps) = fit;
    Stage {
        games,
        depth,
        solve,
        trust,
        stray,
        earlier,
        fit: fit::Settings {
            shrink,
            steps,
            margin: 1,
        },
    }
}

/// How the embedded weights were made, with seed [`SEED`].
///
/// The first generations know nothing and only carry the exact scores of the end back
/// to the opening; later ones play more, and better.
pub const STANDARD: [Stage; 8] = [
    // games, (depth, solve, trust, stray), (earlier, shrink, steps)
    stage(50_000, (1, 10, 1.0, 2), (0, 100.0, 12)),
    stage(100_000, (2, 10, 0.9, 10), (0, 100.0, 12)),
    stage(200_000, (2, 12, 0.9, 20), (0, 100.0, 14)),
    stage(400_000, (2, 12, 0.9, 15), (1, 60.0, 16)),
    stage(400_000, (3, 12, 0.9, 15), (1, 60.0, 20)),
    stage(300_000, (4, 12, 0.9, 20), (1, 60.0, 24)),
    stage(300_000, (4, 12, 0.95, 30), (0, 60.0, 20)),
    stage(400_000, (4, 12, 0.95, 30), (1, 60.0, 24)),
];

/// The seed of the embedded weights; generation n plays with this plus n.
pub const SEED: u64 = 200;

/// The weights in the end are the mean of so many generations: what one of them has learned
/// by chance, the others have not.
pub const MEAN: usize = 3;

/// What is going on in a run.
#[derive(Clone, Debug)]
pub enum Progress {
    /// A file of games is done.
    Played {
        /// Which generation.
        stage: usize,
        /// The file.
        path: PathBuf,
    },
    /// A phase is fitted.
    Fitted {
        /// Which generation.
        stage: usize,
        /// Which phase.
        phase: usize,
        /// How well.
        fit: Fit,
    },
}

/// Goes through all stages in a work folder, where files of games and of weights stay, so
/// that an interrupted run goes on. Returns the bytes of the [`MEAN`] of the last ones' weights.
pub fn run(
    stages: &[Stage],
    seed: u64,
    folder: &Path,
    threads: usize,
    progress: impl Fn(Progress) + Sync,
) -> Result<Vec<u8>, RecordError> {
    let mut generations: Vec<Weights> = Vec::new();
    for (number, stage) in stages.iter().enumerate() {
        let path = folder.join(format!("generation-{number}.weights"));
        if let Ok(bytes) = std::fs::read(&path)
            && let Ok(weights) = Weights::read(bytes)
        {
            generations.push(weights);
            continue;
        }
        let zero = Weights::zero();
        let weights = generations.last().unwrap_or(&zero);
        let play = selfplay::Settings {
            seed: seed + number as u64,
            depth: stage.depth,
            solve: stage.solve,
            trust: stage.trust,
            stray: stage.stray,
        };
        selfplay::run(
            weights,
            &play,
            &games_folder(folder, number),
            stage.games,
            threads,
            |path| {
                progress(Progress::Played {
                    stage: number,
                    path: path.to_owned(),
                });
            },
        )?;
        let folders: Vec<PathBuf> = (number - stage.earlier.min(number)..=number)
            .map(|generation| games_folder(folder, generation))
            .collect();
        let recipe = describe(&stages[..=number], seed);
        let library = Library::read(&folders)?;
        let fitted = |phase, &fit: &Fit| {
            progress(Progress::Fitted {
                stage: number,
                phase,
                fit,
            });
        };
        let bytes = on_threads(threads, || fit::fit(&library, &stage.fit, &recipe, fitted));
        files::write_whole(&path, &bytes).map_err(|error| RecordError::io(&path, error))?;
        generations.push(Weights::read(bytes).expect("what was just written"));
    }
    let last = &generations[generations.len().saturating_sub(MEAN)..];
    let recipe = format!(
        "{}; the mean of the last {}, with the errors of the last",
        describe(stages, seed),
        last.len()
    );
    Ok(mean(last, &recipe))
}

/// The bytes of the mean of some weights, with the errors of the last of them.
fn mean(generations: &[Weights], recipe: &str) -> Vec<u8> {
    let of_phase = |phase| {
        let mut sums = vec![0i32; Distinct::get().count()];
        for weights in generations {
            for (sum, weight) in sums.iter_mut().zip(weights.distinct(phase)) {
                *sum += i32::from(weight);
            }
        }
        let mean = |sum: i32| (f64::from(sum) / generations.len() as f64).round() as i16;
        sums.into_iter().map(mean).collect()
    };
    let phases: Vec<Vec<i16>> = (0..PHASES).map(of_phase).collect();
    let fits = generations.last().map(|last| last.header().fits());
    file::write(&phases, recipe, &fits.unwrap_or_default())
}

/// Does something on so many threads, where it can be shared between them.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // Without the system's leave for threads it is slower, not wrong.
        Err(_) => work(),
    }
}

fn games_folder(folder: &Path, stage: usize) -> PathBuf {
    folder.join(format!("generation-{stage}"))
}

/// One line about how the weights were made.
#[must_use]
pub fn describe(stages: &[Stage], seed: u64) -> String {
    let stages: Vec<String> = stages
        .iter()
        .map(|s| {
            format!(
                "[games {} depth {} solve {} trust {} stray {}; fit earlier {} shrink {} steps {} margin {}]",
                s.games, s.depth, s.solve, s.trust, s.stray,
                s.earlier, s.fit.shrink, s.fit.steps, s.fit.margin
            )
        })
        .collect();
    format!("seed {seed} {}", stages.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_lies_in_the_middle() {
        let of = |add: i16| {
            let weight = |n: usize| (n % 100) as i16 + add;
            let phase: Vec<i16> = (0..Distinct::get().count()).map(weight).collect();
            let bytes = file::write(&vec![phase; PHASES], "test", &[]);
            Weights::read(bytes).expect("what was just written")
        };
        let middle = Weights::read(mean(&[of(1), of(-4), of(9)], "test")).expect("whole");
        assert!((0..PHASES).all(|phase| middle.distinct(phase) == of(2).distinct(phase)));
    }
}

//! The network that corrects the sum of weights: games of the engine with deeper labels than
//! the weights had, then gradient descent.

mod games;
mod model;
mod optimiser;

use std::path::Path;

use super::record::{Library, RecordError};
use super::selfplay::write_files;

pub use model::{Settings, fit};

/// How to make a network. The default is nearly how the embedded one was made, from 41 million
/// positions: the engine that played had no network then, the last games were solved from 16
/// empties on, and the method of `model` ran on a GPU.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recipe {
    /// Everything random follows from it.
    pub seed: u64,
    /// How many games, rounded up to whole files.
    pub games: u32,
    /// Search depth of the players, in plies.
    pub depth: u32,
    /// With this many empties or fewer, positions are solved.
    pub solve: u32,
    /// How to fit.
    pub fit: Settings,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe {
            seed: 7,
            games: 700_000,
            depth: 6,
            solve: 14,
            fit: Settings::default(),
        }
    }
}

/// What is going on in a run.
#[derive(Clone, Debug)]
pub enum Progress<'a> {
    /// A file of games is finished.
    Played(&'a Path),
    /// An epoch is over.
    Fitted(Epoch),
}

/// How far the values are off after an epoch: root of the mean square on positions of games
/// that are kept out of the fit, in discs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Epoch {
    /// Passes through the positions so far.
    pub number: usize,
    /// Of the sum of weights alone.
    pub weights: f64,
    /// With the correction.
    pub corrected: f64,
}

/// Plays and fits in a work folder. Files of games stay there, so that an interrupted run
/// goes on. Returns the bytes of the network's file.
pub fn run(
    recipe: &Recipe,
    folder: &Path,
    threads: usize,
    progress: impl Fn(Progress<'_>) + Sync,
) -> Result<Vec<u8>, RecordError> {
    let folder = folder.join("engine-games");
    let files = recipe.games.div_ceil(games::GAMES_PER_FILE);
    let play = |file| games::play_file(recipe, file);
    write_files(&folder, recipe.seed, files, threads, play, |path| {
        progress(Progress::Played(path));
    })?;
    let library = Library::read(&[folder])?;
    let text = format!(
        "seed {} games {} depth {} solve {}; epochs {} batch {} rate {} decay {}",
        recipe.seed,
        recipe.games,
        recipe.depth,
        recipe.solve,
        recipe.fit.epochs,
        recipe.fit.batch,
        recipe.fit.rate,
        recipe.fit.decay
    );
    Ok(super::recipe::on_threads(threads, || {
        fit(&library, &recipe.fit, recipe.seed, &text, |epoch| {
            progress(Progress::Fitted(epoch));
        })
    }))
}

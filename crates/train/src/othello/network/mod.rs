//! The network that corrects the sum of weights: games of the engine with deeper labels than
//! the weights had, then gradient descent.

mod descent;
mod fit;
mod games;
mod model;
mod optimiser;
mod torch;

use std::path::Path;

use othello::eval::Network;
use thiserror::Error;

use super::record::{Library, RecordError};
use super::selfplay::write_files;

use fit::fit;
use torch::Torch;

pub use fit::{By, Settings};
pub use torch::TorchError;

/// How to make a network. The default is how the embedded one was made, in the second of two
/// rounds: by then the engine played with the network of the first round, and the fit began with
/// its numbers. The first round was from scratch, with 1.1 million games and a rate of 0.002. Both
/// ran on a GPU, the games without multi-ProbCut.
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
    /// Whether the fit begins with random numbers, not with those of the embedded network.
    pub from_scratch: bool,
    /// How to fit.
    pub fit: Settings,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe {
            seed: 7,
            games: 1_750_000,
            depth: 4,
            solve: 11,
            from_scratch: false,
            fit: Settings::default(),
        }
    }
}

/// What is going on in a run.
#[derive(Clone, Debug)]
pub enum Progress<'a> {
    /// PyTorch is there, and computes on this.
    FitsOn(&'a str),
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

/// Plays and fits in a work folder. Files of games stay there, in a folder for each depth of
/// searching and solving, so that an interrupted run goes on. Returns the bytes of the network's
/// file.
pub fn run(
    recipe: &Recipe,
    folder: &Path,
    threads: usize,
    by: By<'_>,
    progress: impl Fn(Progress<'_>) + Sync,
) -> Result<Vec<u8>, NetworkError> {
    // What is missing is said before the games are played.
    let torch = match by {
        By::Threads => None,
        By::Torch(python) => Some(Torch::start(python)?),
    };
    if let Some(torch) = &torch {
        progress(Progress::FitsOn(torch.device()));
    }
    let folder = folder.join(format!("games-{}-{}", recipe.depth, recipe.solve));
    let files = recipe.games.div_ceil(games::GAMES_PER_FILE);
    let play = |file| games::play_file(recipe, file);
    write_files(&folder, recipe.seed, files, threads, play, |path| {
        progress(Progress::Played(path));
    })?;
    let library = Library::read(&[folder])?;
    let text = format!(
        "seed {} games {} depth {} solve {}; {}; epochs {} batch {} rate {} decay {}{}",
        recipe.seed,
        recipe.games,
        recipe.depth,
        recipe.solve,
        if recipe.from_scratch {
            "from scratch"
        } else {
            "from the embedded network"
        },
        recipe.fit.epochs,
        recipe.fit.batch,
        recipe.fit.rate,
        recipe.fit.decay,
        if torch.is_some() { "; by PyTorch" } else { "" }
    );
    let start = (!recipe.from_scratch).then(Network::embedded);
    let done = |epoch| progress(Progress::Fitted(epoch));
    let fitted = super::recipe::on_threads(threads, || {
        fit(
            &library,
            &recipe.fit,
            torch,
            start,
            recipe.seed,
            &text,
            done,
        )
    })?;
    Ok(fitted)
}

/// What can go wrong on the way to a network.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// With the files of games.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// With PyTorch.
    #[error(transparent)]
    Torch(#[from] TorchError),
}

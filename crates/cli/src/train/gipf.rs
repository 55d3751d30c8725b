//! `ludex train gipf`: self-play and regression for the evaluation of GIPF.

use std::io::Write;
use std::thread;

use gipf::Variant;
use gipf_engine::player::{NAMES, Weights};
use train::gipf::evaluation::{Sample, SelfPlay, fit, loss, play};

use crate::error::bad_input;
use crate::input;

/// The weights of the GIPF evaluation
///
/// Each generation plays games against itself with the weights of the one before, and
/// fits new ones to their results; the first plays with the built-in weights. The last
/// line is what the engine's source holds.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  ludex train gipf --games 400 --generations 2")]
pub(crate) struct Args {
    /// The variant to play: S K GW GB
    #[arg(long, default_value = "4 4 15 15")]
    variant: String,
    /// Games of each generation
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Generations
    #[arg(long, default_value_t = 2)]
    generations: u64,
    /// Positions that each move looks at
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Rounds of gradient descent
    #[arg(long, default_value_t = 500)]
    rounds: u32,
    /// Games that are played at the same time
    #[arg(long, default_value = "1", value_parser = input::threads())]
    threads: usize,
    /// Where random choices start
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let variant: Variant = args.variant.parse().map_err(bad_input)?;
    let settings = SelfPlay {
        variant,
        nodes: args.nodes,
        opening: 6,
        longest: 300,
    };
    let mut out = std::io::stdout().lock();
    let mut weights = Weights::default();
    for generation in 0..args.generations {
        let first = args.seed.wrapping_add(generation.wrapping_mul(args.games));
        let samples = games(&settings, weights, first, args);
        let fitted = fit(&samples, args.rounds);
        writeln!(
            out,
            "generation {}: {} games, {} positions, loss {:.4} -> {:.4}",
            generation + 1,
            args.games,
            samples.len(),
            loss(&samples, weights),
            loss(&samples, fitted),
        )?;
        weights = fitted;
        for (name, weight) in NAMES.iter().zip(weights.0) {
            writeln!(out, "  {name:<26} {weight:>6}")?;
        }
    }
    writeln!(out, "Weights({:?})", weights.0)?;
    Ok(())
}

/// The samples of all games of a generation, in the order of their seeds.
fn games(settings: &SelfPlay, weights: Weights, first: u64, args: &Args) -> Vec<Sample> {
    let threads = (args.threads as u64).min(args.games);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let numbers = (worker..args.games).step_by(threads as usize);
                    numbers
                        .map(|game| play(settings, weights, first.wrapping_add(game)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let played: Vec<Vec<Vec<Sample>>> = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_default())
            .collect();
        let by_seed = |game: u64| &played[(game % threads) as usize][(game / threads) as usize];
        (0..args.games)
            .flat_map(|game| by_seed(game).iter().copied())
            .collect()
    })
}

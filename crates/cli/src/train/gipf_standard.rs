//! `ludex train gipf-standard`: self-play and regression for the evaluation of published GIPF.

use std::io::Write;
use std::path::PathBuf;

use train::gipf_standard::{Recipe, Training};

use crate::input;

/// The weights of the evaluation of published GIPF
///
/// Each generation plays games against itself with the weights of the one before, and fits new
/// ones to their positions; the first counts pieces. After each the file is written anew.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  ludex train gipf-standard --out crates/gipf-standard-engine/src/weights.bin")]
pub(crate) struct Args {
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Generations
    #[arg(long, default_value_t = Recipe::STANDARD.generations)]
    generations: u64,
    /// Games of each generation
    #[arg(long, default_value_t = Recipe::STANDARD.games, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Positions that each move of the first generations looks at
    #[arg(long, default_value_t = Recipe::STANDARD.nodes)]
    nodes: u64,
    /// Where random choices start
    #[arg(long, default_value_t = Recipe::STANDARD.seed)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    input::check_writable(&args.out)?;
    let mut training = Training::new(Recipe {
        generations: args.generations,
        games: args.games,
        nodes: args.nodes,
        seed: args.seed,
        ..Recipe::STANDARD
    });
    let mut out = std::io::stdout().lock();
    for _ in 0..args.generations {
        let done = training.generation();
        writeln!(
            out,
            "generation {}: {} positions, loss {:.4}",
            done.number, done.positions, done.loss
        )?;
        input::write_file(&args.out, training.weights().to_bytes())?;
    }
    Ok(())
}

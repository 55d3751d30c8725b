//! `ludex train mmpawns`: weights of the estimate, from games against itself.

use std::io::Write;
use std::path::PathBuf;

use train::mmpawns::{Options, collect, fit};

use crate::error::note;
use crate::input;

/// Train the estimate of MMPawns by games against itself on random fields
///
/// The prover says who wins; the weights that predict it best without proof are written as
/// the source file that the engine is built with.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  ludex train mmpawns --games 1000 --out crates/mmpawns-engine/src/weights.rs")]
pub(crate) struct Args {
    /// Games to play
    #[arg(long, default_value_t = 700, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Positions that the prover may expand at each move
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Where the random choices start from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games to play at the same time; the result does not depend on it
    #[arg(long, default_value = "1", value_parser = input::threads())]
    threads: usize,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let options = Options {
        games: args.games,
        nodes: args.nodes,
        seed: args.seed,
        threads: args.threads as u32,
    };
    input::check_writable(&args.out)?;
    let samples = collect(options, |game| {
        if (game + 1) % 50 == 0 {
            note(format_args!("{} games", game + 1));
        }
    });
    let fit = fit(&samples, args.seed);
    input::write_file(&args.out, fit.source())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "positions  {}", samples.len())?;
    writeln!(out, "loss       {:.4}", fit.loss)?;
    writeln!(out, "accuracy   {:.1} %", 100.0 * fit.accuracy)?;
    writeln!(out, "weights    {}", args.out.display())?;
    Ok(())
}

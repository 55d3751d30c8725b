//! `ludex train othello-cuts`: how far shallow searches of Othello are off.

use std::io::Write;

use serde_json::json;
use train::othello::probcut::{Measure, fit, measure};

/// Measure how far shallow Othello searches are from deep ones, which decides what is cut
///
/// Positions of self-played games are searched to every depth with nothing cut. The standard
/// deviation of the difference is fitted as a product of four powers; the engine's cuts use the
/// exponents that this prints.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex train othello-cuts --positions 1500")]
pub(crate) struct Args {
    /// How many positions
    #[arg(long, default_value_t = 1500)]
    positions: usize,
    /// Where random choices start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Plies of the deepest search
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(4..=16))]
    depth: u32,
    /// Search positions with at most so many empty squares to the end
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(4..=24))]
    solve: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let samples = measure(Measure {
        seed: args.seed,
        positions: args.positions,
        deepest: args.depth,
        solved: args.solve,
    });
    let coefficients = fit(&samples);
    let mut out = std::io::stdout().lock();
    if args.json {
        let object = json!({ "samples": samples.len(), "coefficients": coefficients });
        writeln!(out, "{object}")?;
    } else {
        let [one, empties, deep, shallow] = coefficients;
        writeln!(out, "from {} pairs of searches:", samples.len())?;
        writeln!(
            out,
            "ln deviation = {one:.3} {empties:+.4} empties {deep:+.3} ln deep {shallow:+.3} ln (shallow + 1)"
        )?;
    }
    Ok(())
}

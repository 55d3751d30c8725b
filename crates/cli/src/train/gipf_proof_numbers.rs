//! `ludex train gipf-proof-numbers`: the first proof numbers of the GIPF solver.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use gipf::Variant;
use gipf_engine::tables::Table;
use train::gipf::proof_numbers::{Options, fit, samples};

use crate::error::bad_input;
use crate::{input, table};

/// The proof-number initialisation of the GIPF solver, rows of four on size 3
///
/// Proof-number search expands positions from positions of random play; a table says whether each
/// is won or lost soon, and logistic regression fits the weights. They make proofs of wins shorter
/// or longer, and change no verdict. Writes the file that the engine is built with.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  ludex train gipf-proof-numbers gipf-3-4-7-7.table \\
    --out crates/gipf-engine/src/solve/proof_number/initial-3-4.txt")]
pub(crate) struct Args {
    /// The table of a variant with rows of four on a board of size 3
    table: PathBuf,
    /// A variant whose random play is searched from; can be given several times
    #[arg(long, default_values = ["3 4 7 7", "3 4 8 8"])]
    variant: Vec<String>,
    /// Positions of random play of each variant
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Positions that each search expands
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// A win or loss within so many plies is soon
    #[arg(long, default_value_t = 8)]
    soon: u32,
    /// Rounds of gradient descent
    #[arg(long, default_value_t = 4)]
    rounds: u32,
    /// Where random choices start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let variants = args.variant.iter().map(|text| {
        let variant: Variant = text.parse().map_err(bad_input)?;
        check(variant).with_context(|| text.clone())?;
        Ok(variant)
    });
    let options = Options {
        variants: variants.collect::<anyhow::Result<_>>()?,
        positions: args.positions,
        nodes: args.nodes,
        soon: args.soon,
        seed: args.seed,
    };
    input::check_writable(&args.out)?;
    let table = Table::open(&args.table).map_err(table::error)?;
    check(table.variant()).with_context(|| args.table.display().to_string())?;
    let samples = samples(&table, &options);
    let fitted = fit(&samples, args.rounds, args.seed);
    input::write_file(&args.out, fitted.text())?;
    let [win, loss] = fitted.losses();
    let mut out = std::io::stdout().lock();
    writeln!(out, "positions      {}", samples.len())?;
    writeln!(out, "loss, wins     {win:.4}")?;
    writeln!(out, "loss, losses   {loss:.4}")?;
    writeln!(out, "weights        {}", args.out.display())?;
    Ok(())
}

/// Rows of four on a board of size 3: what the weights are for.
fn check(variant: Variant) -> anyhow::Result<()> {
    match (variant.size(), variant.run()) {
        (3, 4) => Ok(()),
        _ => Err(bad_input("not rows of four on a board of size 3")),
    }
}

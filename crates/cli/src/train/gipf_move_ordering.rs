//! `ludex train gipf-move-ordering`: the defender's move ordering and loss estimate of the GIPF
//! solver.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use gipf::Position;
use gipf_engine::solve::training::{ORDER, PAIRS};
use gipf_engine::tables::Table;
use search::Limits;
use train::gipf::loss_estimate::{fit, samples};
use train::gipf::move_ordering::HillClimb;

use crate::error::{bad_input, note};
use crate::{input, table};

/// The defender's move ordering and loss estimate of the GIPF solver, rows of three on size 3
///
/// They make proofs of ties shorter or longer, and change no verdict. The loss estimate is fitted
/// to tables by logistic regression: how likely the positions are lost that a defender chooses
/// from. The move ordering is found by hill climbing: weights are changed at random, and changes
/// that make the proofs of some ties shorter are kept. Without tables, or without time to climb,
/// that part stays as it is embedded. Writes the files that the engine is built with.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  ludex train gipf-move-ordering gipf-3-3-6-6.table gipf-3-3-7-7.table --climb 600 \\
    --out crates/gipf-engine/src/solve/defender")]
pub(crate) struct Args {
    /// Tables of variants with rows of three on a board of size 3
    tables: Vec<PathBuf>,
    /// Take one in so many positions of the defender
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Rounds of gradient descent
    #[arg(long, default_value_t = 4)]
    rounds: u32,
    /// Time to climb, such as 600 (seconds) or 90s
    #[arg(long, default_value = "0", value_parser = input::time)]
    climb: Duration,
    /// A tie whose proof is to become shorter; can be given several times
    #[arg(long, default_values = ["3 3 5 5", "3 3 6 6", "3 3 7 7"])]
    position: Vec<String>,
    /// Changes to try at the same time
    #[arg(long, default_value = "1", value_parser = input::threads())]
    threads: usize,
    /// Where random choices start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder to write to
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let positions = args.position.iter().map(|text| parse(text));
    let climb = HillClimb {
        positions: positions.collect::<anyhow::Result<_>>()?,
        limits: Limits::default().with_wall(args.climb),
        threads: args.threads,
        seed: args.seed,
    };
    let [order_file, pairs_file] = ["3-3.txt", "3-3.pairs"].map(|name| args.out.join(name));
    for file in [&order_file, &pairs_file] {
        input::check_writable(file)?;
    }
    let (mut text, mut pairs) = (ORDER.to_owned(), PAIRS.to_vec());
    if !args.tables.is_empty() {
        let mut all = Vec::new();
        for folder in &args.tables {
            all.extend(samples(&open(folder)?, args.every as usize));
        }
        let estimate = fit(&all, args.rounds, args.seed);
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "loss estimate: {} positions, loss {:.4}",
            all.len(),
            estimate.loss()
        )?;
        (text, pairs) = (estimate.rewrite(ORDER), estimate.pairs());
    }
    input::write_file(&pairs_file, &pairs)?;
    input::write_file(&order_file, &text)?;
    if !args.climb.is_zero() {
        // Whatever has been found is there if it is interrupted.
        let show = |text: &str, counts: &[u64]| {
            let written = input::write_file(&order_file, text);
            note(format_args!("proofs of {counts:?} positions"));
            if let Err(error) = written {
                note(format_args!("{error:#}"));
            }
        };
        let climbed = climb.run(&text, &pairs, show);
        let climbed = climbed.ok_or_else(|| bad_input("not every position is a tie"))?;
        input::write_file(&order_file, climbed)?;
    }
    Ok(())
}

/// Rows of three on a board of size 3: what the weights are for.
fn check(position: &Position) -> anyhow::Result<()> {
    let variant = position.variant();
    match (variant.size(), variant.run()) {
        (3, 3) => Ok(()),
        _ => Err(bad_input("not rows of three on a board of size 3")),
    }
}

fn parse(text: &str) -> anyhow::Result<Position> {
    let position: Position = text.parse().map_err(bad_input)?;
    check(&position).with_context(|| text.to_owned())?;
    Ok(position)
}

fn open(folder: &Path) -> anyhow::Result<Table> {
    let table = Table::open(folder).map_err(table::error)?;
    check(&Position::start(table.variant())).with_context(|| folder.display().to_string())?;
    Ok(table)
}

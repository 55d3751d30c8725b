//! `ludex bench mmpawns`: how many starts the prover proves.

use std::io::Write;
use std::time::{Duration, Instant};

use ::search::Limits;
use mmpawns_engine::Prover;
use mmpawns_engine::fields::{Spread, measured_starts};
use serde_json::json;

use crate::input;

/// The prover on a fixed set of starts: how many of 16 in each class it proves
///
/// A class is where the pawns stand (home2, home3: the two or three home rows; anywhere)
/// and how many each player has. With --nodes the numbers are the same on every machine.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this class of places: home2, home3 or anywhere
    #[arg(long, value_parser = ["home2", "home3", "anywhere"])]
    places: Option<String>,
    /// Only this many pawns a side, 2 to 8
    #[arg(long, value_parser = clap::value_parser!(u32).range(2..=8))]
    pawns: Option<u32>,
    /// Positions that may be expanded for each start
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// Processor time for each start, instead of a number of positions
    #[arg(long, value_parser = input::time)]
    seconds: Option<Duration>,
    /// Memory for proofs, such as 800M or 2G; a number alone is bytes
    #[arg(long, default_value = "512M", value_name = "SIZE", value_parser = input::table_size)]
    memory: u32,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let limits = match args.seconds {
        Some(seconds) => Limits::default().with_cpu(seconds),
        None => Limits::default().with_nodes(args.nodes),
    };
    let mut out = std::io::stdout().lock();
    let mut prover = Prover::new((args.memory as usize) << 20);
    let wanted = |spread: Spread| args.places.as_deref().is_none_or(|p| p == spread.name());
    for spread in Spread::ALL.into_iter().filter(|&s| wanted(s)) {
        for pawns in (2..=8).filter(|&n| args.pawns.is_none_or(|only| only == n)) {
            let started = Instant::now();
            let (mut proved, mut nodes) = (0, 0);
            for start in measured_starts(spread, pawns) {
                proved += u32::from(prover.prove(&start, &limits).is_some());
                nodes += prover.nodes();
            }
            let seconds = started.elapsed().as_secs_f64();
            let speed = nodes as f64 / seconds;
            let places = spread.name();
            if args.json {
                let object = json!({
                    "bench": "mmpawns", "places": places, "pawns": pawns, "starts": 16,
                    "proved": proved, "nodes": nodes, "seconds": seconds, "per_second": speed,
                });
                writeln!(out, "{object}")?;
            } else {
                writeln!(
                    out,
                    "{places:<8} {pawns}  {proved:>2} of 16 {nodes:>12} nodes {seconds:>8.2} s {speed:>10.0} nodes/s"
                )?;
            }
        }
    }
    Ok(())
}

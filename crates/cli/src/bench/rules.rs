//! `ludex bench rules`: how fast the rules are.

use std::io::Write;
use std::time::Instant;

use bots::{AnyPosition, GameName};
use serde_json::json;

/// Move generation of every game, in positions per second
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Counts deeper and deeper until it takes long enough to be measured.
fn measure(position: &AnyPosition) -> (u32, u64, f64) {
    let mut depth = 1;
    loop {
        let started = Instant::now();
        let count = position.perft(depth);
        let seconds = started.elapsed().as_secs_f64();
        if seconds >= 0.25 {
            return (depth, count, seconds);
        }
        depth += 1;
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for &game in GameName::ALL {
        let (depth, count, seconds) = measure(&AnyPosition::start(game));
        let speed = count as f64 / seconds;
        if args.json {
            let object = json!({
                "bench": "perft", "game": game.name(), "depth": depth,
                "count": count, "seconds": seconds,
            });
            writeln!(out, "{object}")?;
        } else {
            writeln!(
                out,
                "{game:8} perft {depth:>2}: {count:>12} in {seconds:6.3} s, {speed:.3e}/s"
            )?;
        }
    }
    Ok(())
}

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

/// How deep to count: about a second on an ordinary machine.
fn depth(game: GameName) -> u32 {
    match game {
        GameName::Reversi => 10,
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for &game in GameName::ALL {
        let depth = depth(game);
        let started = Instant::now();
        let count = AnyPosition::start(game).perft(depth);
        let seconds = started.elapsed().as_secs_f64();
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

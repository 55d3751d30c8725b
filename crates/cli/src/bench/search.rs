//! `ludex bench search`: what the generic searches visit, and how fast.

use std::io::Write;
use std::time::Instant;

use ::search::Limits;
use bots::BotSpec;
use games::{AnyPosition, GameName};
use serde_json::json;

/// Generic searches on a fixed set of positions: positions visited, and per second
///
/// The numbers of positions are the same on every machine and in every run: a change of
/// the search that is not meant to change them should not.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this game
    #[arg(long)]
    game: Option<GameName>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

const POSITIONS: u64 = 10;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let games = GameName::all().filter(|&game| args.game.is_none_or(|only| only == game));
    for game in games {
        for name in game.about().bench {
            let spec: BotSpec = name.parse()?;
            let (mut nodes, mut seconds) = (0, 0.0);
            for seed in 0..POSITIONS {
                let position = AnyPosition::random_start(game, seed);
                // A new player each time: nothing learned from the position before.
                let mut bot = spec.build(game, seed);
                let started = Instant::now();
                nodes += bot.choose(&position, &Limits::default()).nodes;
                seconds += started.elapsed().as_secs_f64();
            }
            let speed = nodes as f64 / seconds;
            if args.json {
                let object = json!({
                    "bench": "search", "game": game.name(), "player": name, "positions": POSITIONS,
                    "nodes": nodes, "seconds": seconds, "per_second": speed,
                });
                writeln!(out, "{object}")?;
            } else {
                let game = game.name();
                writeln!(
                    out,
                    "{game:<8} {name:<14} {nodes:>10} nodes {seconds:>7.3} s {speed:>12.0} nodes/s"
                )?;
            }
        }
    }
    Ok(())
}

//! `ludex perft`: counting lines of play.

use std::io::Write;
use std::time::Instant;

use games::{AnyPosition, GameName};
use serde_json::json;

use crate::input;

/// Count the ways to play so many plies, depth by depth
///
/// The classic check of a move generator, and a measure of its speed. A pass is a
/// ply; a game that ends earlier counts as one way.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex perft reversi 9
  ludex perft gipf 4 --position \"3 3 8 8\" --divide
  ludex perft reversi 5 --json")]
pub(crate) struct Args {
    #[arg(help = input::games())]
    game: GameName,
    /// How many plies, 0 to 100
    #[arg(value_parser = clap::value_parser!(u32).range(0..=100))]
    depth: u32,
    /// Where to start, in one line; `-` reads it from standard input [default: the start]
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Count separately after each move, to find where two programs differ
    #[arg(long)]
    divide: bool,
    /// Print one JSON object per depth, or per move
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let position = input::position(args.game, args.position.as_deref())?;
    let mut out = std::io::stdout().lock();
    if args.divide {
        return divide(args, &position, &mut out);
    }
    if !args.json {
        writeln!(
            out,
            "{:>5} {:>20} {:>10} {:>12}",
            "depth", "count", "seconds", "count/s"
        )?;
    }
    for depth in args.depth.min(1)..=args.depth {
        let started = Instant::now();
        let count = position.perft(depth);
        let seconds = started.elapsed().as_secs_f64();
        if args.json {
            let object = json!({ "depth": depth, "count": count, "seconds": seconds });
            writeln!(out, "{object}")?;
        } else {
            let speed = count as f64 / seconds.max(1e-9);
            writeln!(out, "{depth:>5} {count:>20} {seconds:>10.3} {speed:>12.3e}")?;
        }
    }
    Ok(())
}

/// The count after each move, and their sum.
fn divide(args: &Args, position: &AnyPosition, out: &mut impl Write) -> anyhow::Result<()> {
    let mut sum = 0;
    for mv in position.moves() {
        let mut next = position.clone();
        next.play(&mv)?;
        let count = next.perft(args.depth.saturating_sub(1));
        sum += count;
        if args.json {
            writeln!(out, "{}", json!({ "move": mv, "count": count }))?;
        } else {
            writeln!(out, "{mv}: {count}")?;
        }
    }
    if !args.json {
        writeln!(out, "sum: {sum}")?;
    }
    Ok(())
}

//! `ludex solve othello`: the exact value of a position.

use std::io::Write;

use othello::discs;
use serde_json::json;

use crate::othello::{Search, line, records, trust};

/// Solve an Othello position: the final disc difference under best play
///
/// Positions come as 64 characters and the side to move, as OBF, or as a game, of which the
/// last position counts. With more than about 26 empty squares this takes very long; a limit
/// of time or depth gives an estimate.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex solve othello \"--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X\"
  ludex solve othello positions.obf --threads 2")]
pub(crate) struct Args {
    /// The position or game (a board, a transcript like f5d6c3, GGF or OBF), a file of them (WTHOR
    /// too), or - for standard input
    #[arg(allow_hyphen_values = true)]
    position: String,
    #[command(flatten)]
    search: Search,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut engine = args.search.engine();
    let mut out = std::io::stdout().lock();
    for record in records(&args.position)? {
        let position = record.last();
        let answer = engine.search(&position, &args.search.limits(), |_| {});
        let value = discs(answer.score);
        let seconds = answer.time.as_secs_f64();
        if args.search.json {
            let object = json!({
                "position": position.to_string(), "value": value, "exact": answer.score.is_proven(),
                "depth": answer.depth, "percent": answer.confidence,
                "line": line(&answer.line), "nodes": answer.nodes, "seconds": seconds,
            });
            writeln!(out, "{object}")?;
        } else {
            let trust = trust(&answer);
            writeln!(out, "{value:+} ({trust}): {}", line(&answer.line))?;
            writeln!(out, "{} positions in {seconds:.3} s", answer.nodes)?;
        }
    }
    Ok(())
}

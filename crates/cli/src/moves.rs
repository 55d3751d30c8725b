//! `ludex moves`: the legal moves of a position.

use std::io::Write;

use games::GameName;
use serde_json::json;

use crate::input;

/// List the legal moves of a position
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex moves reversi
  ludex moves reversi \"---------------------------OX------XO--------------------------- X\"
  ludex moves gipf start --json")]
pub(crate) struct Args {
    #[arg(help = input::games())]
    game: GameName,
    /// The position in one line; `-` reads it from standard input [default: the start]
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let position = input::position(args.game, args.position.as_deref())?;
    let moves = position.moves();
    let side = args.game.side_name(position.side_to_move());
    let mut out = std::io::stdout().lock();
    if args.json {
        let winner = position.outcome().map(|outcome| match outcome.winner() {
            Some(side) => args.game.side_name(side),
            None => "draw",
        });
        let object = json!({
            "game": args.game.name(),
            "position": position.to_string(),
            "side": side,
            "moves": moves,
            "result": winner,
        });
        writeln!(out, "{object}")?;
    } else {
        for mv in moves {
            writeln!(out, "{mv}")?;
        }
    }
    Ok(())
}

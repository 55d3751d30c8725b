//! `ludex transcript`: games as people note them down.

use std::io::Write;

use games::{Form, GameName, Transcript, comment};
use referee::printable;

use crate::error::bad_input;
use crate::input;

/// Write games as people note them down, from any form that is known
///
/// A game that has a notation for whole games is written in that, with numbers and reserves or
/// what belongs to it; any other with a move in each line. What is written can be read again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex transcript game.sgf                           a file of Boardspace
  ludex transcript saved.txt --short                  a game saved at the terminal
  ludex transcript \"basic e1-e3 e9-e7\" --game gipf-standard")]
pub(crate) struct Args {
    /// The game in any form that is known, a file of games, or - for standard input
    #[arg(allow_hyphen_values = true)]
    text: String,
    /// The game that it is of [default: what it looks like]
    #[arg(long)]
    game: Option<GameName>,
    /// Leave out what can be told from the position, where the game has a short notation
    #[arg(long)]
    short: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (place, read) = match input::source(&args.text)? {
        Some((place, bytes)) => (place.to_string(), Transcript::read_file(args.game, &bytes)),
        None => (
            input::no_source(&args.text),
            Transcript::read(args.game, &args.text),
        ),
    };
    let bad = |error: String| bad_input(format!("{place}: {error}"));
    let form = if args.short {
        Form::Short
    } else {
        Form::Complete
    };
    let mut out = std::io::stdout().lock();
    for transcript in read.map_err(bad)? {
        let text = transcript.start.record(&transcript.moves, form);
        let text = text.map_err(|error| bad(error.to_string()))?;
        for line in comment(&transcript.title).lines() {
            writeln!(out, "{}", printable(line))?;
        }
        write!(out, "{text}")?;
    }
    Ok(())
}

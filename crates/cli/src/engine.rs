//! `ludex engine`: our engines for other people's programs.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use clap::ValueEnum;
use games::{Algorithm, AnyPosition, GameName, Kind, Resources};
use othello::{Engine, Options};
use programs::protocol::{gtp, nboard};
use search::Limits;

use crate::error::bad_input;
use crate::input;

/// Run an engine under a protocol, for a GUI, against other engines or against other versions of
/// itself
///
/// Othello is played by gtp and nboard, published GIPF by line: the text of a position in each line
/// of standard input, a move in each line of standard output.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex engine othello --protocol gtp --time 0.5
  ludex engine othello --protocol nboard --threads 2
  echo standard | ludex engine gipf-standard --protocol line
  ludex match best:50ms \"line:old/ludex engine gipf-standard --protocol line --time 50ms\" \\
    --game gipf-standard")]
pub(crate) struct Args {
    /// The game that the engine plays
    game: GameName,
    /// How to talk to it
    #[arg(long)]
    protocol: Protocol,
    /// Time for a move when the controller sets no clock, such as 5 (seconds), 1.5s or 200ms
    #[arg(long, default_value = "1s", value_parser = input::time)]
    time: Duration,
    /// Threads of the Othello engine [default: all cores]
    #[arg(long, value_parser = input::threads())]
    threads: Option<usize>,
    /// Memory for the transposition table of the Othello engine, such as 800M or 2G; a number alone is bytes
    #[arg(long, default_value = "64M", value_name = "SIZE", value_parser = input::table_size)]
    hash: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    /// The Go Text Protocol, as Othello programs use it
    Gtp,
    /// The protocol of the NBoard GUI
    Nboard,
    /// A position in a line, a move in a line
    Line,
}

impl Protocol {
    const ALL: [Kind; 3] = [Kind::Gtp, Kind::Nboard, Kind::Line];

    fn kind(self) -> Kind {
        match self {
            Protocol::Gtp => Kind::Gtp,
            Protocol::Nboard => Kind::Nboard,
            Protocol::Line => Kind::Line,
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let (game, kind) = (args.game, args.protocol.kind());
    if !kind.plays(game) {
        let spoken = Protocol::ALL.into_iter().filter(|kind| kind.plays(game));
        let spoken: Vec<&str> = spoken.map(Kind::name).collect();
        return Err(bad_input(match &spoken[..] {
            [] => format!("--protocol {kind}: no engine of {game} runs under a protocol"),
            spoken => format!(
                "--protocol {kind}: engines of {game} speak {}",
                spoken.join(", ")
            ),
        }));
    }
    let limits = Limits::default().with_wall(args.time);
    let output = io::stdout().lock();
    match args.protocol {
        Protocol::Gtp => gtp::run(io::stdin().lock(), output, &mut othello(args), limits)?,
        Protocol::Nboard => {
            let input = io::BufReader::new(io::stdin());
            nboard::run(input, output, &mut othello(args), limits)?;
        }
        Protocol::Line => lines(game, io::stdin().lock(), output, &limits)?,
    }
    Ok(())
}

fn othello(args: &Args) -> Engine {
    let defaults = Options::default();
    Engine::new(Options {
        threads: args.threads.unwrap_or(defaults.threads),
        hash: args.hash as usize,
    })
}

/// Answers each position with a move, until the input ends.
fn lines(
    game: GameName,
    input: impl BufRead,
    mut output: impl Write,
    limits: &Limits,
) -> anyhow::Result<()> {
    let mut engine = game.engine(Algorithm::Best, &Resources::default(), 0);
    for (number, line) in input.lines().enumerate() {
        let refused = |what: &dyn std::fmt::Display| {
            bad_input(format!("standard input, line {}: {what}", number + 1))
        };
        let position = AnyPosition::parse(game, &line?)
            .map_err(|error| refused(&format!("bad {game} position: {error}")))?;
        let best = engine.search(&position, limits).best;
        let best = best.ok_or_else(|| refused(&"the game is over"))?;
        writeln!(output, "{best}")?;
        output.flush()?;
    }
    Ok(())
}

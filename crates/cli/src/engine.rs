//! `ludex engine`: our Othello engine for other people's programs.

use std::io;
use std::time::Duration;

use clap::ValueEnum;
use othello::{Engine, Options};
use programs::protocol::{gtp, nboard};
use search::Limits;

use crate::input;

/// Run the Othello engine under a protocol, for a GUI or against other engines
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex engine othello --protocol gtp --time 0.5
  ludex engine othello --protocol nboard --threads 2")]
pub(crate) struct Args {
    /// The game that the engine plays
    game: Game,
    /// How to talk to it
    #[arg(long)]
    protocol: Protocol,
    /// Time for a move when the controller sets no clock, such as 5 (seconds), 1.5s or 200ms
    #[arg(long, default_value = "1s", value_parser = input::time)]
    time: Duration,
    /// Threads [default: all cores]
    #[arg(long, value_parser = input::threads())]
    threads: Option<usize>,
    /// Memory for the transposition table, such as 800M or 2G; a number alone is bytes
    #[arg(long, default_value = "64M", value_name = "SIZE", value_parser = input::table_size)]
    hash: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum Game {
    #[value(alias = "reversi")]
    Othello,
}

#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    /// The Go Text Protocol, as Othello programs use it
    Gtp,
    /// The protocol of the NBoard GUI
    Nboard,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Game::Othello = args.game;
    let defaults = Options::default();
    let mut engine = Engine::new(Options {
        threads: args.threads.unwrap_or(defaults.threads),
        hash: args.hash as usize,
    });
    let limits = Limits::default().with_wall(args.time);
    let output = io::stdout().lock();
    match args.protocol {
        Protocol::Gtp => gtp::run(io::stdin().lock(), output, &mut engine, limits)?,
        Protocol::Nboard => {
            let input = io::BufReader::new(io::stdin());
            nboard::run(input, output, &mut engine, limits)?;
        }
    }
    Ok(())
}

//! `ludex review`: what solvers can prove about games that were played.

mod bots;
mod games;
mod keep;
mod show;

use std::path::PathBuf;
use std::time::Duration;

use ::games::{GameName, Room};
use ::review::Budget;

use crate::input;
use crate::watch;

/// Find proven mistakes: where a game was lost, and what a bot does with won positions
///
/// Every position gets the strongest statement that the time allows: a proof (win, draw or loss,
/// the exact margin or the distance), or an estimate, which is marked and part of no count. What
/// is proven is kept in the store under the position, so that a review can be interrupted and
/// goes on where it was, and reviewing more games gets cheaper.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex review game.json                              a record of the referee
  ludex review game.ggf --time 60                     a game in any form that is known
  ludex review moves.txt --game gipf-standard         a game that must be named
  ludex review spring-cup-1f2e3d4c.1.2.1 --db cup.db  a game of a tournament
  ludex review --tournament spring --player anna      all games of a player
  ludex review --tournament spring --player anna --export suite.txt
  ludex check othello ./anna --positions suite.txt    the mistakes as a test")]
pub(crate) struct Args {
    /// A file with a game (a record as JSON, or any form that `ludex analyse` reads), the game
    /// itself, the id of a game in --db, or - for standard input
    #[arg(
        value_name = "FILE|GAME-ID",
        required_unless_present = "tournament",
        conflicts_with = "tournament",
        allow_hyphen_values = true
    )]
    what: Option<String>,
    /// The game that a text is of [default: what it looks like]
    #[arg(long, conflicts_with = "tournament")]
    game: Option<GameName>,
    /// All games of this tournament: its id or the beginning of it
    #[arg(long, value_name = "T")]
    tournament: Option<String>,
    /// Only the games of this player, with its most expensive mistakes
    #[arg(long, value_name = "P", requires = "tournament")]
    player: Option<String>,
    /// Write the positions of mistakes, with the moves that keep their value, to this file
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    /// Export the positions in which opponents of the player made mistakes as well
    #[arg(long, requires_all = ["export", "player"])]
    opponents: bool,
    /// The file in which games and proofs are kept [default: ludex.db, if it is there]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Time for each game, such as 5 (seconds), 1.5s or 2min; 0 shows what is known
    #[arg(long, default_value = "10s", value_parser = input::time)]
    time: Duration,
    /// The most time for one position
    #[arg(long, value_name = "TIME", value_parser = input::time_limit)]
    per_position: Option<Duration>,
    /// Threads [default: all cores]
    #[arg(long, value_parser = input::threads())]
    threads: Option<usize>,
    /// Memory of the provers, such as 800M or 2G; a number alone is bytes
    #[arg(long, default_value = "1G", value_name = "SIZE", value_parser = input::size)]
    memory: u64,
    /// Whether everything else on this machine goes first (low), or not (normal); at low priority only
    /// time in which a processor had nothing else to do counts
    #[arg(
        long,
        value_enum,
        default_value = "low",
        value_name = "low|normal",
        hide_possible_values = true
    )]
    priority: Priority,
    #[command(flatten)]
    tables: input::Tables,
    /// Show wins that were only made slower as well
    #[arg(long)]
    slower: bool,
    /// Print JSON: one object for each game, or one for the tournament
    #[arg(long)]
    json: bool,
}

/// How a review stands to everything else on the machine.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Priority {
    Low,
    Normal,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.export {
        input::check_writable(path)?;
    }
    let budget = Budget {
        time: args.time,
        per_position: args.per_position,
        room: Room {
            threads: args.threads.unwrap_or_else(tournament::cores),
            memory: usize::try_from(args.memory).unwrap_or(usize::MAX),
        },
        stop: watch::stop_on_interrupt(),
        gives_way: args.priority == Priority::Low,
        ..Budget::default()
    };
    if let Some(db) = &args.db {
        games::check_store(args.what.as_deref(), db)?;
    }
    let keeper = keep::Keeper::new(args.db.as_deref(), args.tables.resources(), budget)?;
    match (&args.what, &args.tournament) {
        (Some(what), _) => games::run(args, &keeper, what),
        (None, Some(start)) => bots::run(args, &keeper, start),
        (None, None) => unreachable!("clap asks for one of them"),
    }
}

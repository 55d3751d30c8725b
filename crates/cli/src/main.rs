//! The `ludex` command: one module per subcommand.

// These macros panic when the reader is gone, as `head` is: `writeln!` and `?`, or `error::note`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod analyse;
mod backup;
mod bench;
mod board;
mod book;
mod check;
mod cluster;
mod completions;
mod course;
mod doctor;
mod draw;
mod engine;
mod error;
mod input;
mod library;
mod limits;
mod man;
mod moves;
mod nats;
mod othello;
mod perft;
mod play;
mod play_match;
mod progress;
mod query;
mod replay;
mod review;
mod serve;
mod solve;
mod submit;
mod table;
mod tester;
mod tournament;
mod train;
mod transcript;
mod watch;
mod worker;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Play, study and measure board games: Reversi, GIPF and MMPawns.
#[derive(Parser)]
#[command(name = "ludex", version, arg_required_else_help = true, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  ludex play reversi                 play against the computer
  ludex serve                        the same and more in a browser
  ludex analyse othello f5d6c3d3c4   what every move of a game was worth
  ludex check othello ./my-bot       grade a program by the rules of the assignment
  ludex tournament run cup.toml      let programs and bots meet
  ludex solve gipf 3 3 5 5           all positions of a variant, won, drawn or lost

Exit status: 0 done, 1 something failed, 2 bad usage or bad input.";

// Each variant carries its module's arguments; the doc comment there is the help text.
#[derive(Subcommand)]
enum Command {
    Play(play::Args),
    Moves(moves::Args),
    Draw(draw::Args),
    Solve(solve::Args),
    Analyse(analyse::Args),
    Transcript(transcript::Args),
    Query(query::Args),
    Table(table::Args),
    Perft(perft::Args),
    Match(Box<play_match::Args>),
    Tournament(tournament::Args),
    Worker(Box<worker::Args>),
    Cluster(cluster::Args),
    Library(Box<library::Args>),
    Book(book::Args),
    Engine(engine::Args),
    Train(train::Args),
    Check(check::Args),
    Tester(tester::Args),
    Replay(replay::Args),
    Review(Box<review::Args>),
    Bench(bench::Args),
    Doctor(doctor::Args),
    Serve(serve::Args),
    Course(course::Args),
    Submit(submit::Args),
    Backup(backup::Backup),
    Restore(backup::Restore),
    Completions(completions::Args),
    Man(man::Args),
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Play(args) => play::run(&args),
        Command::Moves(args) => moves::run(&args),
        Command::Draw(args) => draw::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Analyse(args) => analyse::run(&args),
        Command::Transcript(args) => transcript::run(&args),
        Command::Query(args) => query::run(&args),
        Command::Table(args) => table::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Match(args) => play_match::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Worker(args) => worker::run(&args),
        Command::Cluster(args) => cluster::run(&args),
        Command::Library(args) => library::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Engine(args) => engine::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Tester(args) => tester::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Review(args) => review::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Course(args) => course::run(&args),
        Command::Submit(args) => submit::run(&args),
        Command::Backup(args) => backup::run_backup(&args),
        Command::Restore(args) => backup::run_restore(&args),
        Command::Completions(args) => completions::run::<Cli>(&args),
        Command::Man(args) => man::run::<Cli>(&args),
    }
}

fn main() -> ExitCode {
    let command = input::with_negative_numbers(Cli::command());
    let matches = command.clone().try_get_matches();
    match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => error::status(run(cli.command)),
        Err(error) => error::usage(&error, &command),
    }
}

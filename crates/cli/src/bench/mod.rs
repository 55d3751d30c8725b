//! `ludex bench`: measuring; one module per subject.

mod beside;
mod cluster;
mod course;
mod ffo;
mod gipf;
mod gipf_standard;
mod levels;
mod library;
mod mmpawns;
mod othello;
mod referee;
mod review;
mod rules;
mod search;
mod serve;
mod site;
mod tournament;
mod visit;

use ::othello::{Engine, Options};
use clap::Subcommand;

use crate::input;

/// Measure how fast things are on this machine
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand)]
enum Subject {
    Mmpawns(mmpawns::Args),
    Ffo(ffo::Args),
    Othello(othello::Args),
    Gipf(gipf::Args),
    GipfStandard(gipf_standard::Args),
    Rules(rules::Args),
    Tournament(tournament::Args),
    Search(search::Args),
    Referee(referee::Args),
    Review(review::Args),
    OneShot(referee::OneShot),
    Serve(serve::Args),
    Site(site::Args),
    Course(course::Args),
    Levels(levels::Args),
    Library(library::Args),
    Cluster(cluster::Args),
}

/// The Othello engine that is measured, and how the figures are printed.
#[derive(clap::Args)]
struct EngineArgs {
    /// Threads to search with
    #[arg(long, default_value = "1", value_parser = input::threads())]
    threads: usize,
    /// Memory for the transposition table, such as 800M or 2G; a number alone is bytes
    #[arg(long, default_value = "256M", value_name = "SIZE", value_parser = input::table_size)]
    hash: u32,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

impl EngineArgs {
    fn build(&self) -> Engine {
        Engine::new(Options {
            threads: self.threads,
            hash: self.hash as usize,
        })
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.subject {
        Subject::Mmpawns(args) => mmpawns::run(args),
        Subject::Ffo(args) => ffo::run(args),
        Subject::Othello(args) => othello::run(args),
        Subject::Gipf(args) => gipf::run(args),
        Subject::GipfStandard(args) => gipf_standard::run(args),
        Subject::Rules(args) => rules::run(args),
        Subject::Tournament(args) => tournament::run(args),
        Subject::Search(args) => search::run(args),
        Subject::Referee(args) => referee::run(args),
        Subject::Review(args) => review::run(args),
        Subject::OneShot(args) => referee::answer(args),
        Subject::Serve(args) => serve::run(args),
        Subject::Site(args) => site::run(args),
        Subject::Course(args) => course::run(args),
        Subject::Levels(args) => levels::run(args),
        Subject::Library(args) => library::run(args),
        Subject::Cluster(args) => cluster::run(args),
    }
}

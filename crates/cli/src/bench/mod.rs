//! `ludex bench`: measuring; one module per subject.

mod ffo;
mod gipf;
mod mmpawns;
mod othello;
mod referee;
mod rules;
mod search;
mod serve;
mod tournament;

use clap::Subcommand;

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
    Rules(rules::Args),
    Tournament(tournament::Args),
    Search(search::Args),
    Referee(referee::Args),
    OneShot(referee::OneShot),
    Serve(serve::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.subject {
        Subject::Mmpawns(args) => mmpawns::run(args),
        Subject::Ffo(args) => ffo::run(args),
        Subject::Othello(args) => othello::run(args),
        Subject::Gipf(args) => gipf::run(args),
        Subject::Rules(args) => rules::run(args),
        Subject::Tournament(args) => tournament::run(args),
        Subject::Search(args) => search::run(args),
        Subject::Referee(args) => referee::run(args),
        Subject::OneShot(args) => referee::answer(args),
        Subject::Serve(args) => serve::run(args),
    }
}

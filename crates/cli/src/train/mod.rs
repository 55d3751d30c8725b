//! `ludex train`: making the numbers that the engines play by; one module per game.

mod gipf;
mod gipf_outlook;
mod mmpawns;
mod othello;
mod othello_cuts;

use clap::Subcommand;

/// Train an engine from nothing but the rules
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(Subcommand)]
enum Game {
    Gipf(gipf::Args),
    GipfOutlook(gipf_outlook::Args),
    Mmpawns(mmpawns::Args),
    Othello(othello::Args),
    OthelloCuts(othello_cuts::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.game {
        Game::Gipf(args) => gipf::run(args),
        Game::GipfOutlook(args) => gipf_outlook::run(args),
        Game::Mmpawns(args) => mmpawns::run(args),
        Game::Othello(args) => othello::run(args),
        Game::OthelloCuts(args) => othello_cuts::run(args),
    }
}

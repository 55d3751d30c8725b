//! `ludex solve`: perfect play, proved.

mod gipf;
mod mmpawns;
mod othello;

use clap::Subcommand;

/// Solve a position or a whole game exactly
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(Subcommand)]
enum Game {
    Gipf(gipf::Args),
    Mmpawns(mmpawns::Args),
    Othello(othello::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.game {
        Game::Gipf(args) => gipf::run(args),
        Game::Mmpawns(args) => mmpawns::run(args),
        Game::Othello(args) => othello::run(args),
    }
}

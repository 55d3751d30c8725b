//! `ludex train`: making the numbers that the engines play by; one module per game.

mod gipf;

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
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.game {
        Game::Gipf(args) => gipf::run(args),
    }
}

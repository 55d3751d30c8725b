//! `ludex analyse`: what every move is worth.

mod othello;

use clap::Subcommand;

/// Say what every move of a position, or of a game, is worth
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(Subcommand)]
enum Game {
    Othello(othello::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.game {
        Game::Othello(args) => othello::run(args),
    }
}

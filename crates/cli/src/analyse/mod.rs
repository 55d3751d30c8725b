//! `ludex analyse`: what every move is worth.

mod any;
mod othello;

use clap::{ArgMatches, Args as _, Command, Error, FromArgMatches, Subcommand};
use games::{GameName, REVERSI};

/// Say what every move of a position, or of a game, is worth
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Game,
}

/// One subcommand for each game; Othello has an engine with more to say.
enum Game {
    Othello(othello::Args),
    Any(GameName, any::Args),
}

/// The name of the subcommand for Othello.
const OTHELLO: &str = "othello";

/// The games that are analysed by their engine as any other.
fn others() -> impl Iterator<Item = GameName> {
    GameName::all().filter(|&game| game != REVERSI)
}

impl Subcommand for Game {
    fn augment_subcommands(command: Command) -> Command {
        let othello = Command::new(OTHELLO).visible_alias(REVERSI.name());
        let command = command
            .subcommand(othello::Args::augment_args(othello))
            .subcommand_required(true)
            .arg_required_else_help(true);
        others().fold(command, |command, game| {
            command.subcommand(any::Args::augment_args(Command::new(game.name())))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Game::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        name == OTHELLO || others().any(|game| game.name() == name)
    }
}

impl FromArgMatches for Game {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Game, Error> {
        let Some((name, matches)) = matches.subcommand() else {
            return Err(Error::new(clap::error::ErrorKind::MissingSubcommand));
        };
        match others().find(|game| game.name() == name) {
            Some(game) => Ok(Game::Any(game, any::Args::from_arg_matches(matches)?)),
            None => othello::Args::from_arg_matches(matches).map(Game::Othello),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Game::from_arg_matches(matches)?;
        Ok(())
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.game {
        Game::Othello(args) => othello::run(args),
        Game::Any(game, args) => any::run(*game, args),
    }
}

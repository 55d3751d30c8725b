//! `ludex play`: games in the terminal.

mod command;
mod record;
mod session;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use bots::{BotSpec, Budget};
use games::{Algorithm, AnyPosition, GameName};
use rules::Side;
use search::Limits;

use crate::error::bad_input;
use crate::input;
use record::Record;

/// Play a game in the terminal, against a bot or watching two
///
/// You play the first side against `best` unless you say otherwise: `--level` picks a weaker
/// opponent, from first-steps over beginner, learner, casual, club, strong and expert to best;
/// they err as people do, and `ludex bench levels` rates them. A player is `human`, a level or
/// a bot: random, greedy, minimax:DEPTH, alphabeta[:TIME], mcts[:TIME], best[:TIME], with a
/// TIME such as 200ms or 1.5s, or 30s/game for all its moves; a depth d6 or a number of
/// positions n10000 will do, too.
/// In GIPF, `best` plays by tables of solved variants where it finds them (see `ludex solve
/// gipf --help`).
///
/// During the game, type a move (as `moves` lists them, or its number there), or help.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex play reversi
  ludex play reversi --level beginner
  ludex play reversi --white human --time 200ms
  ludex play gipf --position \"3 3 8 8\" --black alphabeta:d4
  ludex play mmpawns --first best --second mcts:500ms --seed 7
  ludex play reversi --load game.ludex")]
pub(crate) struct Args {
    #[arg(help = input::games())]
    game: GameName,
    /// How strong the opponent is, from first-steps to best
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    level: Option<Algorithm>,
    /// Who plays the side that moves first: human or a bot
    #[arg(long, value_name = "PLAYER")]
    first: Option<Player>,
    /// Who plays the other side
    #[arg(long, value_name = "PLAYER")]
    second: Option<Player>,
    #[command(flatten)]
    tables: input::Tables,
    /// Who plays Black (the first side in reversi, the second in gipf)
    #[arg(long, value_name = "PLAYER")]
    black: Option<Player>,
    /// Who plays White (the second side in reversi, the first in gipf)
    #[arg(long, value_name = "PLAYER")]
    white: Option<Player>,
    /// Time per move for hints, and for bots whose name gives none, such as 5 (seconds), 1.5s or 200ms
    #[arg(long, default_value = "1s", value_parser = input::time)]
    time: Duration,
    /// Where all random choices start from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to start, in one line; `random` for one that the seed decides
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    load: Option<PathBuf>,
    /// Stop a game that is not over after so many plies
    #[arg(long, value_name = "NUMBER", default_value_t = 500)]
    longest: usize,
}

/// Who chooses the moves of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Player {
    Human,
    Bot(BotSpec),
}

impl FromStr for Player {
    type Err = bots::SpecError;

    fn from_str(text: &str) -> Result<Player, bots::SpecError> {
        if text == "human" {
            Ok(Player::Human)
        } else {
            text.parse().map(Player::Bot)
        }
    }
}

/// One of the levels by name.
fn level(text: &str) -> Result<Algorithm, String> {
    let mut levels = Algorithm::LEVELS.into_iter();
    levels.find(|level| level.name() == text).ok_or_else(|| {
        let names = Algorithm::LEVELS.map(Algorithm::name);
        format!("the levels are {}", names.join(", "))
    })
}

/// The players as the options give them; who is missing is a human against a bot and a
/// bot against a human.
fn players(args: &Args) -> anyhow::Result<[Player; 2]> {
    let mut players = [args.first, args.second];
    for (colour, player) in [("Black", args.black), ("White", args.white)] {
        let Some(player) = player else { continue };
        let option = colour.to_lowercase();
        let side = Side::BOTH
            .into_iter()
            .find(|&side| args.game.side_name(side) == colour)
            .ok_or_else(|| {
                bad_input(format!(
                    "--{option}: {} has no {colour}; use --first or --second",
                    args.game
                ))
            })?;
        if players[side.index()].replace(player).is_some() {
            let other = ["first", "second"][side.index()];
            return Err(bad_input(format!(
                "--{option} and --{other} are the same side"
            )));
        }
    }
    let level = args.level.unwrap_or(Algorithm::Best);
    let opponent = Player::Bot(BotSpec::new(level, Budget::Free));
    if let (
        Some(level),
        [Some(_), Some(_)] | [Some(Player::Bot(_)), None] | [None, Some(Player::Bot(_))],
    ) = (args.level, players)
    {
        return Err(bad_input(format!(
            "--level {}: both players are given already",
            level.name()
        )));
    }
    let against = |other: Player| match other {
        Player::Human => opponent,
        Player::Bot(_) => Player::Human,
    };
    Ok(match players {
        [None, None] => [Player::Human, opponent],
        [Some(first), None] => [first, against(first)],
        [None, Some(second)] => [against(second), second],
        [Some(first), Some(second)] => [first, second],
    })
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let players = players(args)?;
    let record = match (&args.load, args.position.as_deref()) {
        (Some(path), _) => Record::load(path, args.game)?,
        (None, Some("random")) => Record::new(AnyPosition::random_start(args.game, args.seed)),
        (None, text) => Record::new(input::position(args.game, text)?),
    };
    let limits = Limits::default().with_wall(args.time);
    let resources = args.tables.resources();
    session::Session::new(players, record, limits, &resources, args.seed, args.longest)?.run()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: Args,
    }

    #[track_caller]
    fn check(options: &str, first: &str, second: &str) {
        let args = Cli::parse_from(["play"].into_iter().chain(options.split(' '))).args;
        let expected = [first, second].map(|text| text.parse().unwrap());
        assert_eq!(players(&args).unwrap(), expected, "{options}");
    }

    #[test]
    fn who_plays() {
        check("reversi", "human", "best");
        check("reversi --white human", "best", "human");
        check("reversi --level club", "human", "club");
        check("gipf --level best --black human", "best", "human");
        check("reversi --black human", "human", "best");
        check("reversi --black greedy", "greedy", "human");
        check("gipf --black greedy", "human", "greedy");
        check("gipf --white greedy --black mcts", "greedy", "mcts");
        check("mmpawns --second best --first random", "random", "best");
        check("mmpawns --first human --second human", "human", "human");
    }

    #[test]
    fn one_side_has_one_player() {
        let args = Cli::parse_from(["play", "gipf", "--white", "best", "--first", "mcts"]).args;
        assert_eq!(
            players(&args).unwrap_err().to_string(),
            "--white and --first are the same side"
        );
        let args = Cli::parse_from(["play", "gipf", "--white", "mcts", "--level", "club"]).args;
        assert_eq!(
            players(&args).unwrap_err().to_string(),
            "--level club: both players are given already"
        );
        let args = Cli::parse_from(["play", "mmpawns", "--black", "best"]).args;
        assert_eq!(
            players(&args).unwrap_err().to_string(),
            "--black: mmpawns has no Black; use --first or --second"
        );
    }
}

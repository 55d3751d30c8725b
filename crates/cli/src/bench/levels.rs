//! `ludex bench levels`: what the levels of a game are worth, by matches between neighbours.

use std::io::Write;

use ::tournament::rating::{RatedGame, Ratings, elo};
use ::tournament::standings::rated;
use ::tournament::{Config, GameFilter, RawConfig, RunOptions, Store, cores};
use bots::BotSpec;
use games::{Algorithm, GameName};
use referee::PlayerSpec;
use serde_json::json;

use crate::input;
use crate::watch;

/// Rate the levels of a game by matches between neighbours, in Elo points above random play
///
/// Every level meets the next one, and the one after that in half as many games, from start
/// positions that both play with either side; `random` stands below the weakest. All of them stop
/// by plies or positions, not by the clock, so that ratings are the same on every machine. The
/// ratings on the site are made by this command (`--json`, crates/tournament/data/levels.jsonl).
#[derive(clap::Args)]
pub(crate) struct Args {
    #[arg(help = format!("{} [default: every game]", input::games()))]
    game: Option<GameName>,
    /// Pairs of games between neighbours
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pairs: u32,
    /// The player at the top
    #[arg(long, default_value = "best:n100000", value_name = "PLAYER")]
    best: BotSpec,
    /// How many games at once
    #[arg(long, short = 'j', value_name = "N", default_value_t = cores(), value_parser = input::threads())]
    concurrency: usize,
    /// Where all random choices start from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let runtime = watch::runtime()?;
    let games = GameName::all().filter(|&game| args.game.is_none_or(|only| only == game));
    for game in games {
        let names = names(args.best);
        let games = runtime.block_on(play(game, &names, args))?;
        print(game, &names, &games, args.json)?;
    }
    Ok(())
}

/// The players, the weakest first.
fn names(best: BotSpec) -> Vec<String> {
    let below = Algorithm::LEVELS.iter().filter(|level| level.is_level());
    let below = below.map(|level| level.name().to_string());
    let random = Algorithm::Random.name().to_string();
    [random]
        .into_iter()
        .chain(below)
        .chain([best.to_string()])
        .collect()
}

/// All matches; players by their number in `names`.
async fn play(game: GameName, names: &[String], args: &Args) -> anyhow::Result<Vec<RatedGame>> {
    let store = Store::in_memory().await?;
    let mut all = Vec::new();
    for (apart, pairs) in [(1, args.pairs), (2, args.pairs.div_ceil(2))] {
        for weaker in 0..names.len() - apart {
            let meet = [weaker, weaker + apart];
            let players = meet.map(|n| names[n].parse::<PlayerSpec>());
            let players = players.into_iter().collect::<Result<Vec<_>, _>>()?;
            let mut config = RawConfig::new("levels", game, players);
            config.pairs = pairs;
            config.seed = args.seed;
            // A busy machine should decide nothing.
            config.limits.wall = None;
            let config = Config::try_from(config)?;
            let options = RunOptions {
                concurrency: args.concurrency,
                ..RunOptions::default()
            };
            let summary = tournament::run(&store, &config, &options).await?;
            let rows = store
                .games(&summary.tournament, &GameFilter::default())
                .await?;
            // Pairs of different matches have nothing to do with each other.
            let number = (all.len() as u64) << 20;
            all.extend(rated(&rows).into_iter().map(|game| RatedGame {
                first: meet[game.first],
                second: meet[game.second],
                pair: number + game.pair,
                ..game
            }));
        }
    }
    store.close().await;
    Ok(all)
}

fn print(game: GameName, names: &[String], games: &[RatedGame], json: bool) -> anyhow::Result<()> {
    let ratings: Ratings = elo(names.len(), games);
    let mut out = std::io::stdout().lock();
    if !json {
        writeln!(out, "{game}: {} games", games.len())?;
    }
    for (number, name) in names.iter().enumerate() {
        let rating = ratings.difference(number, 0);
        let below = number.checked_sub(1);
        let score = below.map(|below| score(games, number, below));
        if json {
            let object = json!({
                "bench": "levels", "game": game.name(), "player": name, "elo": rating.elo.round(),
                "error": rating.error.round(), "against_the_one_below": score,
            });
            writeln!(out, "{object}")?;
        } else {
            let against = score.map_or(String::new(), |score| {
                format!("   {:>5.1} % against the one below", 100.0 * score)
            });
            writeln!(
                out,
                "  {name:<12} {:>5.0} ± {:>3.0}{against}",
                rating.elo, rating.error
            )?;
        }
    }
    Ok(out.flush()?)
}

/// The share of the points that `own` made against `other`.
fn score(games: &[RatedGame], own: usize, other: usize) -> f64 {
    let (mut points, mut most) = (0, 0);
    for game in games {
        let half = match (game.first, game.second) {
            (first, second) if (first, second) == (own, other) => game.half_points,
            (first, second) if (first, second) == (other, own) => 2 - game.half_points,
            _ => continue,
        };
        points += u32::from(half);
        most += 2;
    }
    f64::from(points) / f64::from(most.max(1))
}

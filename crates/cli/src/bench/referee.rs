//! `ludex bench referee`: what the referee costs.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use games::GameName;
use referee::bench::cost_per_move;
use referee::{CommandLine, Kind, PlayerSpec, Score};
use tournament::{Config, GameFilter, RawConfig, RunOptions, Store, cores};

use super::tournament::{Row, bots, print};
use crate::error::bad_input;
use crate::input;
use crate::watch;

/// The referee: cost of a move over a bare spawn, games between one-shot programs, and
/// games between bots kept, rated and reported
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex bench referee
  ludex bench referee --rounds 1000 --games 0 --bot-games 0
  ludex bench referee --games 500 --player argv:./othello")]
pub(crate) struct Args {
    /// Spawns to measure
    #[arg(long, default_value_t = 200, value_name = "N")]
    rounds: usize,
    /// Games between one-shot programs, each move a process of its own
    #[arg(long, default_value_t = 500, value_name = "N")]
    games: u32,
    /// The program for these games, such as argv:./othello or matrix:./mmpawns [default: one
    /// that plays the first legal move]
    #[arg(long)]
    player: Option<String>,
    /// Games between built-in bots, kept in a file and reported
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    bot_games: u32,
    /// How many games at once
    #[arg(long, short = 'j', value_name = "N", default_value_t = cores(), value_parser = input::threads())]
    concurrency: usize,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.rounds > 0 {
        print(&costs(args.rounds)?, args.json)?;
    }
    let runtime = watch::runtime()?;
    if args.games > 0 {
        print(&runtime.block_on(programs(args))?, args.json)?;
    }
    if args.bot_games > 0 {
        let rows = runtime.block_on(bots(args.bot_games, args.concurrency))?;
        print(&rows, args.json)?;
    }
    Ok(())
}

fn costs(rounds: usize) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for cost in cost_per_move(rounds).map_err(bad_input)? {
        let mode = &cost.mode;
        let name = format!("run of `true`, {mode}, median of {rounds}");
        rows.push((name, cost.median_ms, "ms"));
        rows.push(("  nine of ten are below".into(), cost.ninth_ms, "ms"));
        if mode != "bare" {
            rows.push(("  median over bare".into(), cost.over_bare_ms, "ms"));
        }
    }
    Ok(rows)
}

/// Games between two copies of a program.
async fn programs(args: &Args) -> anyhow::Result<Vec<Row>> {
    let player: PlayerSpec = match &args.player {
        Some(player) => player.parse().map_err(bad_input)?,
        None => one_shot()?,
    };
    let fits = |game: &GameName| player.check(*game).is_ok();
    let game = GameName::all().find(fits).unwrap_or_default();
    let players = ["A", "B"].map(|mark| PlayerSpec {
        name: format!("{} {mark}", player.name),
        ..player.clone()
    });
    let mut config = RawConfig::new("bench", game, players.into());
    config.pairs = args.games.div_ceil(2);
    let config = Config::try_from(config)?;
    let store = Store::in_memory().await?;
    let options = RunOptions {
        concurrency: args.concurrency,
        stop: watch::stop_on_interrupt(),
        observer: Arc::new(watch::Progress::new(&config)),
        ..RunOptions::default()
    };
    let started = Instant::now();
    let summary = tournament::run(&store, &config, &options).await?;
    let seconds = started.elapsed().as_secs_f64();
    let games = store
        .games(&summary.tournament, &GameFilter::default())
        .await?;
    let finished = games.iter().filter(|game| game.score != Score::None);
    let turns: u32 = games.iter().map(|game| game.turns).sum();
    let faults: u32 = games.iter().flat_map(|game| game.faults).sum();
    let row = |name: &str, value: f64, unit| (name.to_string(), value, unit);
    Ok(vec![
        row(
            "games between one-shot programs",
            games.len() as f64,
            "games",
        ),
        row("  finished", finished.count() as f64, "games"),
        row("  turns", f64::from(turns), "turns"),
        row("  faults", f64::from(faults), "faults"),
        row("  time", seconds, "s"),
        row("  per turn", seconds * 1e3 / f64::from(turns.max(1)), "ms"),
    ])
}

/// This very program, playing the first legal move.
fn one_shot() -> anyhow::Result<PlayerSpec> {
    let program = std::env::current_exe()?.display().to_string();
    let command = CommandLine(vec![program, "bench".into(), "one-shot".into()]);
    Ok(PlayerSpec {
        name: "first move".into(),
        ..PlayerSpec::program(Kind::Argv, command.0)
    })
}

/// A one-shot Othello program for `ludex bench referee`: prints the first legal move
#[derive(clap::Args)]
#[command(hide = true)]
pub(crate) struct OneShot {
    arguments: Vec<String>,
}

/// Answers as quickly as a program of this size can.
pub(crate) fn answer(args: &OneShot) -> anyhow::Result<()> {
    let position = ::programs::othello::read(&args.arguments).map_err(bad_input)?;
    let first = position.board().moves().next();
    writeln!(std::io::stdout(), "{}", ::programs::othello::text(first))?;
    Ok(())
}

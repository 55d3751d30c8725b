//! `ludex bench tournament`: what keeping, rating and reporting games costs.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use referee::PlayerSpec;
use serde_json::json;
use tournament::output::{self, ReportOptions};
use tournament::{Config, Event, RawConfig, RunOptions, Store, cores};

use crate::input;
use crate::watch;

/// Games between bots kept, rated and reported: what all but the playing costs
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many games
    #[arg(long, default_value_t = 10_000)]
    games: u32,
    /// How many at once
    #[arg(long, short = 'j', value_name = "N", default_value_t = cores(), value_parser = input::threads())]
    concurrency: usize,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let rows = watch::runtime()?.block_on(bots(args.games, args.concurrency))?;
    print(&rows, args.json)
}

/// One figure: its name, value and unit.
pub(super) type Row = (String, f64, &'static str);

/// Prints figures as a table, or as one JSON object per line.
pub(super) fn print(rows: &[Row], json: bool) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for (name, value, unit) in rows {
        if json {
            let row = json!({"bench": name.trim(), "value": value, "unit": unit});
            writeln!(out, "{row}")?;
        } else if value.fract() == 0.0 {
            writeln!(out, "{name:44} {value:>12} {unit}")?;
        } else {
            writeln!(out, "{name:44} {value:>12.3} {unit}")?;
        }
    }
    Ok(out.flush()?)
}

/// Games between quick bots, kept in a file, rated and reported.
pub(super) async fn bots(games: u32, concurrency: usize) -> anyhow::Result<Vec<Row>> {
    let players = ["random", "greedy", "minimax:1", "alphabeta:d1", "minimax:2"];
    let players: Vec<PlayerSpec> = players
        .iter()
        .map(|player| player.parse())
        .collect::<Result<_, _>>()?;
    let matches = players.len() * (players.len() - 1) / 2;
    let mut config = RawConfig::new("bench", games::GameName::default(), players);
    config.pairs = games.div_ceil(2 * matches as u32).max(1);
    let config = Config::try_from(config)?;

    let folder = std::env::temp_dir().join(format!("ludex-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let rows = play_and_report(concurrency, &config, &folder.join("games.db")).await;
    std::fs::remove_dir_all(&folder)?;
    rows
}

async fn play_and_report(
    concurrency: usize,
    config: &Config,
    db: &std::path::Path,
) -> anyhow::Result<Vec<Row>> {
    let store = Store::open(db).await?;
    let thinking = Arc::new(AtomicU64::new(0));
    let sum = thinking.clone();
    let options = RunOptions {
        concurrency,
        observer: Arc::new(move |event: &Event| {
            if let Event::GameFinished { row } = event {
                let both: Duration = row.wall.iter().map(|wall| wall.0).sum();
                sum.fetch_add(both.as_micros() as u64, Ordering::Relaxed);
            }
        }),
        ..RunOptions::default()
    };
    let started = Instant::now();
    let summary = tournament::run(&store, config, &options).await?;
    let whole = started.elapsed().as_secs_f64();
    let thinking = Duration::from_micros(thinking.load(Ordering::Relaxed)).as_secs_f64();
    let workers = concurrency.max(1) as f64;

    let started = Instant::now();
    let standings = store.standings(&summary.tournament).await?;
    let rating = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let page = output::html(&store, &summary.tournament, &ReportOptions::default()).await?;
    let report = started.elapsed().as_secs_f64();
    store.close().await;
    let row = |name: &str, value: f64, unit| (name.to_string(), value, unit);
    Ok(vec![
        row("games between bots", standings.played as f64, "games"),
        row("  played, refereed and stored", whole, "s"),
        row(
            "  thinking of the players per worker",
            thinking / workers,
            "s",
        ),
        row("  all the rest", whole - thinking / workers, "s"),
        row("  read, ranked and rated", rating, "s"),
        row("  HTML report", report, "s"),
        row("  its size", page.len() as f64 / 1e6, "MB"),
        row("  store", std::fs::metadata(db)?.len() as f64 / 1e6, "MB"),
    ])
}

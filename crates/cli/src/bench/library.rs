//! `ludex bench library`: how long it takes to find games among many.

use std::path::Path;
use std::time::{Duration, Instant};

use ::tournament::Store;
use ::tournament::store::LibraryQuery;
use anyhow::anyhow;
use cpu_time::ProcessTime;
use games::{AnyPosition, GameName, Recorded, Transcript};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::tournament::{Row, print};
use super::visit::part;
use crate::watch;

/// A library of random games: what it takes to fill it, and to find games and positions
///
/// The games are made from the seed, with players, events and years, and kept in a folder that is
/// removed afterwards. Searched are all named openings, the positions of some of the games, and
/// players, events and years, each alone and together with a position. On a busy machine the
/// processor time says what a query costs.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many games
    #[arg(long, default_value_t = 137_548, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    /// Of which game
    #[arg(long, default_value = GameName::default().name())]
    game: GameName,
    /// Where all random choices start from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Games of a file that is read at once.
const FILE: u32 = 5000;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let folder = std::env::temp_dir().join(format!("ludex-library-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let rows = watch::runtime()?.block_on(measure(args, &folder.join("games.db")));
    std::fs::remove_dir_all(&folder)?;
    print(&rows?, args.json)
}

/// A game of random moves, with players, event and year.
fn random_game(game: GameName, seed: u64) -> anyhow::Result<(Recorded, Vec<AnyPosition>)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut position = game.start();
    let (mut moves, mut positions) = (Vec::new(), vec![position.clone()]);
    while position.outcome().is_none() && moves.len() < 120 {
        let legal = position.moves();
        moves.push(position.play(&legal[rng.random_range(0..legal.len())])?);
        positions.push(position.clone());
    }
    let transcript = Transcript {
        start: game.start(),
        moves,
        title: format!("Event {}", rng.random_range(0..500)),
    };
    let player = |number: u32| format!("Player {number}");
    let recorded = Recorded {
        players: [0, 0].map(|_| player(rng.random_range(0..3000))),
        year: rng.random_range(1977..=2026),
        ..Recorded::of(&transcript).map_err(|error| anyhow!(error))?
    };
    Ok((recorded, positions))
}

async fn measure(args: &Args, db: &Path) -> anyhow::Result<Vec<Row>> {
    let store = Store::open(db).await?;
    let mut adding = Duration::ZERO;
    let mut some = Vec::new();
    for first in (0..args.games).step_by(FILE as usize) {
        let mut games = Vec::new();
        for number in first..args.games.min(first + FILE) {
            let (recorded, positions) = random_game(args.game, args.seed + u64::from(number))?;
            if number % (args.games / 20).max(1) == 0 {
                some.extend(positions.into_iter().step_by(7));
            }
            games.push(recorded);
        }
        let started = Instant::now();
        store.add_to_library(args.game, "bench", games).await?;
        adding += started.elapsed();
    }
    let row = |name: &str, value: f64, unit| (name.to_string(), value, unit);
    let mut rows = vec![
        row("games added", f64::from(args.games), "games"),
        row("  in", adding.as_secs_f64(), "s"),
        row("  store", size(db)? as f64 / 1e6, "MB"),
    ];
    let mut found = 0;
    for (name, queries) in queries(args.game, &some)? {
        let (mut times, mut processor) = (Vec::new(), Vec::new());
        for query in queries {
            let started = (Instant::now(), ProcessTime::now());
            found += store.library(query).await?.count;
            times.push(started.0.elapsed());
            processor.push(started.1.elapsed());
        }
        rows.push(row(&format!("{name}: queries"), times.len() as f64, ""));
        for (what, mut times) in [("", times), (" of processor time", processor)] {
            times.sort_unstable();
            rows.push(row(&format!("  median{what}"), part(&times, 0.5), "ms"));
            rows.push(row(&format!("  longest{what}"), part(&times, 1.0), "ms"));
        }
    }
    rows.push(row("games found in all", found as f64, "games"));
    store.close().await;
    Ok(rows)
}

/// The bytes of a store, with what has not been written into its main file yet.
fn size(db: &Path) -> std::io::Result<u64> {
    let folder = db.parent().unwrap_or(db);
    let mut bytes = 0;
    for file in std::fs::read_dir(folder)? {
        bytes += file?.metadata()?.len();
    }
    Ok(bytes)
}

/// What is asked, by kind.
fn queries(
    game: GameName,
    positions: &[AnyPosition],
) -> anyhow::Result<Vec<(&'static str, Vec<LibraryQuery>)>> {
    let plain = || LibraryQuery::new(game);
    let at = |position: &AnyPosition| LibraryQuery {
        position: Some(position.clone()),
        ..plain()
    };
    let mut openings = Vec::new();
    for opening in game.about().openings {
        let read = Transcript::read(Some(game), opening.moves).map_err(|error| anyhow!(error))?;
        for transcript in read {
            let reached = transcript.positions().map_err(|error| anyhow!(error))?;
            openings.extend(reached.last().map(at));
        }
    }
    let named = |n: u16| LibraryQuery {
        player: format!("player {n}"),
        event: format!("event {}", n % 10),
        from: Some(1990 + n),
        ..plain()
    };
    let both = |(n, position): (u16, &AnyPosition)| LibraryQuery {
        position: Some(position.clone()),
        ..named(n)
    };
    Ok(vec![
        ("all games", vec![plain()]),
        ("openings", openings),
        ("positions", positions.iter().map(at).collect()),
        ("players, events, years", (0..20).map(named).collect()),
        ("and positions", (0..20).zip(positions).map(both).collect()),
    ])
}

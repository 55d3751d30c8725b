//! `ludex bench review`: how much of games between weak bots is proven, and how soon.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::review::{Budget, Knowledge, Played, review};
use games::{AnyPosition, GameName, Room};
use referee::{GameSetup, play_game};
use serde_json::json;

use crate::error::bad_input;
use crate::input;

/// Reviews of games between weak bots: positions proven and seconds for each game
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this subject: othello, gipf-3388, gipf-4415 or mmpawns (may be given several times)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Games of each subject
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Time for each game [default: 10s for othello, 30s for mmpawns, 60s for gipf]
    #[arg(long, value_parser = input::time)]
    time: Option<Duration>,
    /// Threads
    #[arg(long, default_value_t = 2, value_parser = input::threads())]
    threads: usize,
    /// Folder with tables of solved variants; without one no table is used
    #[arg(long, value_name = "FOLDER")]
    tables: Vec<PathBuf>,
    /// Where random choices start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// What is measured: a name, the game, where games start, the time for each.
const SUBJECTS: [(&str, GameName, &str, u64); 4] = [
    ("othello", games::REVERSI, "random", 10),
    ("gipf-3388", games::GIPF, "3 3 8 8", 60),
    ("gipf-4415", games::GIPF, "4 4 15 15", 60),
    ("mmpawns", games::MMPAWNS, "random", 30),
];

/// The weak bots; each pair of neighbours plays.
const BOTS: [&str; 3] = ["random", "greedy", "minimax:2"];

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let known = |name: &String| SUBJECTS.iter().any(|(subject, ..)| subject == name);
    if let Some(name) = args.only.iter().find(|name| !known(name)) {
        let names = SUBJECTS.map(|(name, ..)| name).join(", ");
        return Err(bad_input(format!("--only {name}: there are {names}")));
    }
    let mut out = std::io::stdout().lock();
    for (name, game, start, seconds) in SUBJECTS {
        if !args.only.is_empty() && !args.only.iter().any(|only| only == name) {
            continue;
        }
        let time = args.time.unwrap_or(Duration::from_secs(seconds));
        let sum = subject(args, game, start, time)?;
        let games = args.games.max(1) as f64;
        let share = 100.0 * sum.proven as f64 / sum.positions.max(1) as f64;
        let each = sum.taken.as_secs_f64() / games;
        if args.json {
            let row = json!({
                "bench": format!("review {name}"), "games": args.games,
                "positions": sum.positions, "proven": sum.proven, "share": share,
                "target_positions": sum.target, "target_proven": sum.target_proven,
                "mistakes": sum.mistakes, "seconds_per_game": each,
                "slowest": sum.slowest.as_secs_f64(),
            });
            writeln!(out, "{row}")?;
        } else {
            writeln!(
                out,
                "{name:<10} {} games: {} of {} positions proven ({share:.1} %), {} of the last {} of a game, {} mistakes, {each:.2} s a game, {:.2} s at most",
                args.games,
                sum.proven,
                sum.positions,
                sum.target_proven,
                sum.target,
                sum.mistakes,
                sum.slowest.as_secs_f64(),
            )?;
        }
        out.flush()?;
    }
    Ok(())
}

#[derive(Default)]
struct Sum {
    positions: usize,
    proven: usize,
    /// Positions in the last third of the games, and those of them that are proven.
    target: usize,
    target_proven: usize,
    mistakes: usize,
    taken: Duration,
    slowest: Duration,
}

fn subject(args: &Args, game: GameName, start: &str, time: Duration) -> anyhow::Result<Sum> {
    let resources = games::Resources::new(&args.tables);
    let mut sum = Sum::default();
    for number in 0..args.games {
        let seed = args.seed + number;
        let position = match start {
            "random" => AnyPosition::random_start(game, seed),
            text => AnyPosition::parse(game, text)?,
        };
        let pair = number as usize % BOTS.len();
        let players = [BOTS[pair], BOTS[(pair + 1) % BOTS.len()]];
        let players = [players[0].parse()?, players[1].parse()?];
        let mut setup = GameSetup::new(position, players);
        setup.seed = seed;
        setup.longest = 200;
        let record = play_game(&setup, &mut |_| (), &Arc::default())?;
        let played = Played::from_record(&record)?;
        let budget = Budget {
            time,
            gives_way: false,
            room: Room {
                threads: args.threads,
                ..Budget::default().room
            },
            ..Budget::default()
        };
        let begun = Instant::now();
        let review = review(&played, &Knowledge::default(), &resources, &budget);
        let taken = begun.elapsed();
        sum.taken += taken;
        sum.slowest = sum.slowest.max(taken);
        sum.positions += review.coverage.positions;
        sum.proven += review.coverage.proven;
        sum.mistakes += review.real_mistakes().count();
        let last = &review.turns[review.turns.len() * 2 / 3..];
        sum.target += last.len();
        let proven = last.iter().filter(|turn| turn.statement.proof().is_some());
        sum.target_proven += proven.count();
    }
    Ok(sum)
}

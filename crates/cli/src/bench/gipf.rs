//! `ludex bench gipf`: lines of play, and positions solved.
//!
//! Known positions are solved one by one; of positions of random play, it is counted how
//! many are solved in a given time.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use ::gipf::{Position, Variant};
use ::search::Limits;
use games::AnyPosition;
use gipf_engine::solve::{Budget, Verdict, solve, solve_counting};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};
use serde_json::json;

use crate::input;

/// GIPF: lines of play of several variants, and positions solved
///
/// The counts are checked against those that two independent generators agree on, and
/// the solutions against known ones: a difference is an error.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Counts of lines up to this are gone through
    #[arg(long, default_value_t = 10_000_000)]
    most: u64,
    /// Seconds of processor time for each known position to solve
    #[arg(long, default_value = "10", value_parser = input::time)]
    seconds: Duration,
    /// Positions of random play to solve, of each of several variants; both sides have at
    /// most 5 stones in reserve
    #[arg(long, default_value_t = 24)]
    positions: u32,
    /// Seconds of processor time for each of them
    #[arg(long, default_value = "1", value_parser = input::time)]
    position_seconds: Duration,
    /// Where random choices start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

const PERFT: &str = include_str!("../../../gipf/tests/data/perft.txt");
const SOLVE: &str = include_str!("../../../gipf-engine/tests/data/solve.txt");
const ENDINGS: &str = include_str!("../../../gipf-engine/tests/data/endings.txt");

/// Whose positions of random play are solved.
const VARIANTS: [&str; 6] = [
    "2 2 8 8", "3 3 5 5", "3 3 6 6", "3 3 8 8", "3 4 8 8", "3 5 8 8",
];

fn entries(data: &str) -> impl Iterator<Item = Vec<&str>> {
    data.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(';').map(str::trim).collect())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for fields in entries(PERFT) {
        let position: Position = fields[0].parse()?;
        let deepest = fields[1..].iter().rev().find_map(|field| {
            let (depth, count) = field.split_once(' ')?;
            let (depth, count): (u32, u64) = (depth.parse().ok()?, count.parse().ok()?);
            (count <= args.most).then_some((depth, count))
        });
        let Some((depth, expected)) = deepest else {
            continue;
        };
        let started = Instant::now();
        let count = AnyPosition::from(position).perft(depth);
        let seconds = started.elapsed().as_secs_f64();
        anyhow::ensure!(
            count == expected,
            "perft {depth} of {position} is {count}, not {expected}"
        );
        let speed = count as f64 / seconds;
        if args.json {
            let object = json!({
                "bench": "perft", "position": fields[0], "depth": depth, "count": count,
                "seconds": seconds, "per_second": speed,
            });
            writeln!(out, "{object}")?;
        } else {
            writeln!(
                out,
                "perft {depth} {count:>10} lines {seconds:>8.3} s {speed:>11.0} lines/s  {}",
                fields[0]
            )?;
        }
    }
    solve_set(ENDINGS, args, &mut out)?;
    solve_set(SOLVE, args, &mut out)?;
    for variant in VARIANTS {
        solve_random(variant, args, &mut out)?;
    }
    Ok(())
}

/// Processor time, so that what is solved does not depend on what else the machine does.
fn budget(cpu: Duration) -> Budget {
    Budget {
        limits: Limits::default().with_cpu(cpu),
        ..Budget::default()
    }
}

fn solve_set(data: &str, args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let budget = budget(args.seconds);
    let (mut total, mut all_nodes) = (0.0, 0);
    for fields in entries(data) {
        let position: Position = fields[0].parse()?;
        let mut nodes = 0;
        let started = Instant::now();
        let verdict = solve_counting(&position, &budget, &mut nodes);
        let seconds = started.elapsed().as_secs_f64();
        total += seconds;
        all_nodes += nodes;
        let answer = match verdict {
            Ok(Verdict::Win(Side::First)) => "W",
            Ok(Verdict::Win(Side::Second)) => "B",
            Ok(Verdict::Tie) => "=",
            Err(_) => "?",
        };
        anyhow::ensure!(
            answer == "?" || fields.get(1) == Some(&answer),
            "{position} is {answer}, not {}",
            fields.get(1).unwrap_or(&"known")
        );
        if args.json {
            let object = json!({
                "bench": "solve", "position": fields[0], "verdict": answer, "nodes": nodes,
                "seconds": seconds,
            });
            writeln!(out, "{object}")?;
        } else {
            let milliseconds = seconds * 1000.0;
            writeln!(
                out,
                "solve {answer} {nodes:>10} nodes {milliseconds:>9.3} ms  {}",
                fields[0]
            )?;
        }
    }
    if !args.json {
        writeln!(out, "solved in {:.3} ms, {all_nodes} nodes", total * 1000.0)?;
    }
    Ok(())
}

/// Plies of random play, at most.
const PLIES: u32 = 40;

/// The most stones in reserve of a position to solve.
const RESERVE: u16 = 5;

/// A position of random play with small reserves, in which the game goes on.
fn random_position(variant: Variant, rng: &mut ChaCha8Rng) -> Position {
    loop {
        let mut position = Position::start(variant);
        for _ in 0..rng.random_range(0..PLIES) {
            if position.outcome().is_some() {
                break;
            }
            let moves = position.moves();
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        let small = |&side: &Side| position.reserve(side) <= RESERVE;
        if position.outcome().is_none() && Side::BOTH.iter().all(small) {
            return position;
        }
    }
}

/// How many positions of random play are solved in the time given, and how quickly.
fn solve_random(variant: &str, args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let budget = budget(args.position_seconds);
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    let (mut solved, mut times) = (0, Vec::new());
    for _ in 0..args.positions {
        let position = random_position(variant.parse()?, &mut rng);
        let started = Instant::now();
        solved += u32::from(solve(&position, &budget).is_ok());
        times.push(started.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or(0.0);
    let longest = times.last().copied().unwrap_or(0.0);
    if args.json {
        let object = json!({
            "bench": "random", "variant": variant, "positions": args.positions,
            "solved": solved, "median_seconds": median, "longest_seconds": longest,
        });
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "random {variant}: {solved} of {} solved, median {:.3} ms, longest {:.3} ms",
            args.positions,
            median * 1000.0,
            longest * 1000.0
        )?;
    }
    Ok(())
}

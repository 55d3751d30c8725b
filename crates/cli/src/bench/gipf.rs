//! `ludex bench gipf`: lines of play, and positions solved.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use ::gipf::Position;
use ::search::Limits;
use gipf_engine::solve::{Budget, Verdict, solve_counting};
use rules::Side;
use serde_json::json;

use crate::error::bad_input;

/// GIPF: lines of play of several variants, and a set of positions solved
///
/// The counts are checked against those that two independent generators agree on, and
/// the solutions against known ones: a difference is an error.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Counts of lines up to this are gone through
    #[arg(long, default_value_t = 10_000_000)]
    most: u64,
    /// Seconds for each position to solve
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

const PERFT: &str = include_str!("../../../gipf/tests/data/perft.txt");
const SOLVE: &str = include_str!("../../../gipf-engine/tests/data/solve.txt");

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
        let count = rules::perft(&position, depth);
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
    solve_set(args, &mut out)
}

fn solve_set(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let wall = Duration::try_from_secs_f64(args.seconds).map_err(bad_input)?;
    let budget = Budget {
        limits: Limits::default().with_wall(wall),
        ..Budget::default()
    };
    let (mut total, mut all_nodes) = (0.0, 0);
    for fields in entries(SOLVE) {
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

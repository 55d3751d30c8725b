//! `ludex solve mmpawns`: the exact value of a position, and of every move.

use std::io::Write;
use std::time::{Duration, Instant};

use mmpawns::Position;
use mmpawns::matrix::Matrix;
use mmpawns_engine::{Player, Sizes};
use rules::Game;
use search::{Distance, Limits, Score};
use serde_json::json;

use crate::error::bad_input;
use crate::input;

/// Prove who wins a position of MMPawns, in how many plies, and what every move is worth
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex solve mmpawns matrix.txt
  ludex solve mmpawns \"A 1 -B------/--------/--------/--------/--------/--------/--------/-----A--\"
  ludex solve mmpawns matrix.txt --time 60 --json")]
pub(crate) struct Args {
    /// A file in the form of matrix.txt, a position in one line, or - for either on standard input
    #[arg(value_name = "FILE|POSITION")]
    what: String,
    /// Time for everything, such as 5 (seconds), 1.5s or 200ms
    #[arg(long, alias = "seconds", default_value = "10s", value_parser = input::time)]
    time: Duration,
    /// Threads, which share the moves among them [default: all cores]
    #[arg(long, value_parser = input::threads())]
    threads: Option<usize>,
    /// Memory for proofs, such as 800M or 2G; a number alone is bytes
    #[arg(long, default_value = "512M", value_name = "SIZE", value_parser = input::table_size)]
    memory: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let position = read(&args.what)?;
    // The position itself is the hardest: half of the memory, or all of it without helpers.
    let memory = (args.memory as usize) << 20;
    let helpers = args.threads.unwrap_or_else(tournament::cores) - 1;
    let sizes = |proofs| Sizes {
        proofs,
        ..Sizes::default()
    };
    let mut player = Player::new(sizes(if helpers == 0 { memory } else { memory / 2 }));
    let mut helpers: Vec<Player> = (0..helpers)
        .map(|_| Player::new(sizes(memory / 2 / helpers)))
        .collect();
    let started = Instant::now();
    let limits = Limits::default().with_wall(args.time);
    let solution = player.solve(&mut helpers, &position, &limits);
    let seconds = started.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    let line: Vec<String> = solution.line.iter().map(ToString::to_string).collect();
    if args.json {
        let moves: Vec<_> = solution
            .moves
            .iter()
            .map(|&(mv, score)| {
                json!({
                    "move": mv.to_string(),
                    "value": score.map(name),
                    "distance": score.and_then(distance),
                })
            })
            .collect();
        let object = json!({
            "position": position.to_string(),
            "side": Position::side_name(position.side_to_move()),
            "value": solution.score.map(name),
            "distance": solution.score.and_then(distance),
            "moves": moves,
            "line": line,
            "nodes": solution.nodes,
            "seconds": seconds,
        });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(out, "position  {position}")?;
    let side = Position::side_name(position.side_to_move());
    writeln!(out, "{side:<9} {}", text(solution.score))?;
    for (mv, score) in &solution.moves {
        writeln!(out, "  {:<7} {}", mv.to_string(), text(*score))?;
    }
    if !line.is_empty() {
        writeln!(out, "line      {}", line.join(" "))?;
    }
    writeln!(out, "nodes     {} in {seconds:.2} s", solution.nodes)?;
    Ok(())
}

/// A position from its text, or from a file if there is one of that name.
fn read(what: &str) -> anyhow::Result<Position> {
    let Some((place, bytes)) = input::source(what)? else {
        return what
            .parse()
            .map_err(|e| bad_input(format!("{what:?} is no file, and no position: {e}")));
    };
    if let [line] = bytes
        .trim_ascii()
        .split(|&byte| byte == b'\n')
        .collect::<Vec<_>>()[..]
        && let Ok(position) = String::from_utf8_lossy(line).parse()
    {
        return Ok(position);
    }
    let matrix =
        Matrix::read(&bytes).map_err(|e| bad_input(format!("{place}:{}: {}", e.line, e.what)))?;
    Ok(matrix.position)
}

fn name(score: Score) -> &'static str {
    match score.sign() {
        Some(1) => "win",
        Some(-1) => "loss",
        _ => "draw",
    }
}

/// The distance, if it is exact.
fn distance(score: Score) -> Option<u32> {
    match score {
        Score::Win(Distance::Exactly(plies)) | Score::Loss(Distance::Exactly(plies)) => Some(plies),
        _ => None,
    }
}

fn text(score: Option<Score>) -> String {
    let Some(score) = score else {
        return "not found in time".into();
    };
    let name = name(score);
    match score {
        Score::Win(Distance::Unknown) | Score::Loss(Distance::Unknown) => {
            format!("{name}, distance not found in time")
        }
        Score::Win(Distance::Exactly(0)) | Score::Loss(Distance::Exactly(0)) => name.into(),
        Score::Win(distance) | Score::Loss(distance) => format!("{name}{distance}"),
        _ => name.into(),
    }
}

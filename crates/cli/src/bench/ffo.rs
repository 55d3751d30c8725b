//! `ludex bench ffo`: the endgame positions by which Othello programs are compared.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use othello::discs;
use reversi::{Board, Discs, Move, Position, Square};
use rules::Side;
use search::{Limits, Report, Score};
use serde_json::json;

use super::EngineArgs;
use crate::error::bad_input;

/// Solve the FFO endgame positions and check scores and best moves
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The first position
    #[arg(long, default_value_t = 40, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=59))]
    from: u32,
    /// The last position
    #[arg(long, default_value_t = 49, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=59))]
    to: u32,
    #[command(flatten)]
    engine: EngineArgs,
}

/// A position of the suite and what is known about it.
struct Problem {
    number: u32,
    position: Position,
    best: Vec<Square>,
    score: i32,
}

const DATA: &str = include_str!("data/ffo.txt");

fn read(line: &str) -> anyhow::Result<Problem> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [number, board, side, best, score] = fields[..] else {
        anyhow::bail!("{} fields, not 5", fields.len());
    };
    ensure!(board.len() == 64, "{} squares, not 64", board.len());
    let discs = |disc: u8| -> Discs {
        let squares = Square::all().zip(board.bytes());
        squares
            .filter(|&(_, b)| b == disc)
            .map(|(s, _)| s)
            .collect()
    };
    let (black, white) = (discs(b'X'), discs(b'O'));
    let (own, other, side) = match side {
        "X" => (black, white, Side::First),
        "O" => (white, black, Side::Second),
        _ => anyhow::bail!("{side:?} is no side"),
    };
    Ok(Problem {
        number: number.parse()?,
        position: Position::new(Board { own, other }, side),
        best: best.split(',').map(str::parse).collect::<Result<_, _>>()?,
        score: score.parse()?,
    })
}

fn problems() -> anyhow::Result<Vec<Problem>> {
    DATA.lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'))
        .map(|(i, line)| read(line).with_context(|| format!("data/ffo.txt:{}", i + 1)))
        .collect()
}

/// Counts and times, of one position or of all.
#[derive(Default)]
struct Total {
    nodes: u64,
    time: Duration,
    wrong: u32,
}

fn row(
    out: &mut impl Write,
    name: &str,
    rest: &str,
    nodes: u64,
    time: Duration,
) -> anyhow::Result<()> {
    let seconds = time.as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(
        out,
        "{name:>5} {rest} {seconds:>9.3} {nodes:>14} {speed:>8.1}"
    )?;
    Ok(())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let chosen: Vec<Problem> = problems()?
        .into_iter()
        .filter(|problem| (args.from..=args.to).contains(&problem.number))
        .collect();
    if chosen.is_empty() {
        let (from, to) = (args.from, args.to);
        return Err(bad_input(format!("no positions from {from} to {to}")));
    }
    let mut engine = args.engine.build();
    let mut out = std::io::stdout().lock();
    if !args.engine.json {
        writeln!(
            out,
            "  no. empties  score  move   seconds          nodes  Mnodes/s"
        )?;
    }
    let mut total = Total::default();
    for problem in &chosen {
        // Each position starts from nothing, so that counts do not depend on the others.
        engine.clear();
        let started = Instant::now();
        let answer = engine.search(&problem.position, &Limits::default(), |_| {});
        let time = started.elapsed();
        total.nodes += answer.nodes;
        total.time += time;
        total.wrong += u32::from(!is_right(problem, &answer));
        show(&mut out, args.engine.json, problem, &answer, time)?;
    }
    let count = chosen.len();
    if args.engine.json {
        let object = json!({
            "bench": "ffo", "positions": count, "wrong": total.wrong,
            "nodes": total.nodes, "seconds": total.time.as_secs_f64(),
            "threads": args.engine.threads, "hash": args.engine.hash,
        });
        writeln!(out, "{object}")?;
    } else {
        row(
            &mut out,
            "total",
            &format!("{count:>7} positions   "),
            total.nodes,
            total.time,
        )?;
    }
    ensure!(
        total.wrong == 0,
        "{} of {count} positions are wrong",
        total.wrong
    );
    Ok(())
}

fn is_right(problem: &Problem, answer: &Report<Move>) -> bool {
    let square = answer.best.and_then(|mv| mv.square());
    answer.score == Score::Margin(problem.score)
        && square.is_some_and(|s| problem.best.contains(&s))
}

fn show(
    out: &mut impl Write,
    json: bool,
    problem: &Problem,
    answer: &Report<Move>,
    time: Duration,
) -> anyhow::Result<()> {
    let Problem {
        number, position, ..
    } = problem;
    let empties = position.board().empty().len();
    let mv = answer.best.map(|mv| mv.to_string()).unwrap_or_default();
    let right = is_right(problem, answer);
    if json {
        let object = json!({
            "bench": "ffo", "number": number, "empties": empties, "score": discs(answer.score),
            "move": mv, "right": right, "nodes": answer.nodes, "seconds": time.as_secs_f64(),
        });
        writeln!(out, "{object}")?;
    } else {
        let mark = if right { ' ' } else { '!' };
        let rest = format!("{empties:>7} {:>+6}{mark} {mv:>4}", discs(answer.score));
        row(out, &number.to_string(), &rest, answer.nodes, time)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_are_whole() {
        let problems = problems().unwrap();
        assert!(problems.iter().map(|p| p.number).eq(1..=59));
        for problem in &problems {
            let legal = problem.position.board().moves();
            assert!(problem.best.iter().all(|&square| legal.contains(square)));
        }
    }
}

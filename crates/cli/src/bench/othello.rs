//! `ludex bench othello`: how good the moves and values of a search are, on positions whose
//! exact scores are known.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::ensure;
use othello::discs;
use reversi::Move;
use reversi::notation::obf::{self, Entry};
use search::{Limits, Report};
use serde_json::json;

use super::EngineArgs;
use crate::error::bad_input;
use crate::input;

/// Search Othello positions with known exact scores and say how far off the answers are
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Positions, one a line: OBF, or number, empties, board, side to move, then either
    /// move:score for every move or the best moves and their score; - reads standard input
    file: String,
    /// Look this many plies ahead instead of solving the positions
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    #[command(flatten)]
    engine: EngineArgs,
}

/// The positions of a file in any of the forms.
fn read(text: &str) -> anyhow::Result<Vec<Entry>> {
    // Every line in its place, so that an error names the line of the file.
    let lines: Vec<String> = text.lines().map(as_obf).collect();
    let entries = obf::read(&lines.join("\n"))?;
    for (number, entry) in (1..).zip(&entries) {
        ensure!(
            !entry.values.is_empty(),
            "position {number} has no move with a score"
        );
    }
    Ok(entries)
}

/// A line as one of OBF; what is no line of the numbered forms stays as it is.
fn as_obf(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [number, empties, board, side, values @ ..] = &fields[..] else {
        return line.to_owned();
    };
    let numbered = [number, empties].iter().all(|n| n.parse::<u32>().is_ok());
    if !numbered {
        return line.to_owned();
    }
    let mut obf = format!("{board} {side};");
    match values {
        [moves, score] if !moves.contains(':') => {
            for mv in moves.split(',') {
                obf += &format!(" {mv}:{score};");
            }
        }
        _ => values.iter().for_each(|value| obf += &format!(" {value};")),
    }
    obf
}

/// One answer beside what is known about the position.
struct Outcome {
    empties: u32,
    answer: Report<Move>,
    time: Duration,
    /// The exact score of the position.
    exact: i32,
    /// How many moves are better than the one found, if the file has its score.
    better: Option<usize>,
}

impl Outcome {
    fn new(entry: &Entry, answer: Report<Move>, time: Duration) -> Outcome {
        let scores = || entry.values.iter().map(|&(_, score)| score);
        let found = entry.values.iter().find(|(mv, _)| Some(*mv) == answer.best);
        Outcome {
            empties: entry.position.board().empty().len(),
            time,
            exact: scores().max().unwrap_or_default(),
            better: found.map(|&(_, found)| scores().filter(|&score| score > found).count()),
            answer,
        }
    }

    /// How far the value is off, in discs.
    fn error(&self) -> u32 {
        discs(self.answer.score).abs_diff(self.exact)
    }

    /// Whether the search claims to have proven something that is not true.
    fn is_wrong(&self) -> bool {
        self.answer.score.is_proven() && (self.error() > 0 || self.better != Some(0))
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let Some((place, bytes)) = input::source(&args.file)? else {
        return Err(bad_input(format!("{}: no such file", args.file)));
    };
    let entries = read(&String::from_utf8_lossy(&bytes))
        .map_err(|error| bad_input(format!("{place}: {error}")))?;
    if entries.is_empty() {
        return Err(bad_input(format!("{place}: no positions")));
    }
    let mut engine = args.engine.build();
    let limits = Limits {
        depth: args.depth,
        ..Limits::default()
    };
    let mut out = std::io::stdout().lock();
    if !args.engine.json {
        writeln!(
            out,
            "  no. empties  value  exact  move  rank   seconds          nodes"
        )?;
    }
    let mut outcomes = Vec::new();
    for (number, entry) in (1..).zip(&entries) {
        // Each position starts from nothing, so that counts do not depend on the others.
        engine.clear();
        let started = Instant::now();
        let answer = engine.search(&entry.position, &limits, |_| {});
        let outcome = Outcome::new(entry, answer, started.elapsed());
        show(&mut out, args.engine.json, number, &outcome)?;
        outcomes.push(outcome);
    }
    summary(&mut out, args, &outcomes)?;
    let wrong = outcomes.iter().filter(|outcome| outcome.is_wrong()).count();
    ensure!(
        wrong == 0,
        "{wrong} of {} positions are solved wrongly",
        outcomes.len()
    );
    Ok(())
}

fn show(out: &mut impl Write, json: bool, number: u32, outcome: &Outcome) -> anyhow::Result<()> {
    let Outcome {
        empties,
        answer,
        time,
        exact,
        better,
    } = outcome;
    let seconds = time.as_secs_f64();
    let mv = answer.best.map(|mv| mv.to_string()).unwrap_or_default();
    let rank = better.map(|better| better + 1);
    if json {
        let object = json!({
            "bench": "othello", "number": number, "empties": empties, "value": discs(answer.score),
            "exact": exact, "move": mv, "rank": rank, "nodes": answer.nodes, "seconds": seconds,
        });
        writeln!(out, "{object}")?;
    } else {
        let rank = rank.map_or("-".to_owned(), |rank| rank.to_string());
        writeln!(
            out,
            "{number:>5} {empties:>7} {:>+6} {exact:>+6}  {mv:>4} {rank:>5} {seconds:>9.3} {:>14}",
            discs(answer.score),
            answer.nodes
        )?;
    }
    Ok(())
}

fn summary(out: &mut impl Write, args: &Args, outcomes: &[Outcome]) -> anyhow::Result<()> {
    let count = outcomes.len();
    let share = |wanted: &dyn Fn(&Outcome) -> bool| {
        100.0 * outcomes.iter().filter(|o| wanted(o)).count() as f64 / count as f64
    };
    let rank = |better| share(&|o| o.better == Some(better));
    let within = |discs| share(&|o| o.error() <= discs);
    let error = outcomes.iter().map(|o| f64::from(o.error())).sum::<f64>() / count as f64;
    let nodes: u64 = outcomes.iter().map(|o| o.answer.nodes).sum();
    let seconds: f64 = outcomes.iter().map(|o| o.time.as_secs_f64()).sum();
    if args.engine.json {
        let object = json!({
            "bench": "othello", "positions": count, "depth": args.depth,
            "best": rank(0), "second": rank(1), "third": rank(2), "mean_error": error,
            "within_3": within(3), "within_6": within(6), "within_9": within(9),
            "nodes": nodes, "seconds": seconds, "threads": args.engine.threads, "hash": args.engine.hash,
        });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(out, "{count} positions")?;
    for (name, share) in [
        ("best move found", rank(0)),
        ("second best", rank(1)),
        ("third best", rank(2)),
        ("within 3 discs", within(3)),
        ("within 6 discs", within(6)),
        ("within 9 discs", within(9)),
    ] {
        writeln!(out, "{name:<16}{share:>8.1} %")?;
    }
    writeln!(out, "{:<16}{error:>8.2} discs", "mean error")?;
    let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
    writeln!(
        out,
        "{nodes} nodes, {seconds:.3} s, {speed:.1} M nodes a second"
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use reversi::Square;

    use super::*;
    use search::Score;

    const BOARD: &str = "-OOO------OOOO--XXXOOXXX-XOOOXX-XXXXOOOOOXXOOOO---OXOO---OOOO---";

    #[track_caller]
    fn check(line: &str, wanted: &[(&str, i32)]) {
        let entries = read(&format!("# a comment\n\n{line}\n")).expect("a position");
        let [entry] = &entries[..] else {
            panic!("{} positions", entries.len());
        };
        assert_eq!(entry.position.board().empty().len(), 20);
        let values = entry
            .values
            .iter()
            .map(|(mv, score)| (mv.to_string(), *score));
        let wanted = wanted.iter().map(|&(mv, score)| (mv.to_owned(), score));
        assert!(values.eq(wanted), "{:?}", entry.values);
    }

    #[test]
    fn all_forms_are_read() {
        let two = [("e1", 0), ("f8", -2)];
        check(&format!("{BOARD} X; e1:+0; f8:-2;"), &two);
        check(&format!("1 20 {BOARD} X e1:+0 f8:-2"), &two);
        check(
            &format!("40 20 {BOARD} X e1,f8 -2"),
            &[("e1", -2), ("f8", -2)],
        );
    }

    #[test]
    fn an_error_names_the_line() {
        let error = |text: &str| read(text).expect_err("no position").to_string();
        let bad = error(&format!("# a comment\n1 20 {BOARD} X a1:+0\n"));
        assert!(bad.contains("line 2"), "{bad}");
        assert_eq!(
            error(&format!("{BOARD} X;")),
            "position 1 has no move with a score"
        );
    }

    #[test]
    fn moves_are_ranked_by_their_scores() {
        let entries = read(&format!("1 20 {BOARD} X e1:+0 f8:-2 h6:-2 g8:-6")).expect("a position");
        for (mv, better) in [
            ("e1", Some(0)),
            ("h6", Some(1)),
            ("g8", Some(3)),
            ("a7", None),
        ] {
            let answer = Report {
                best: Some(mv.parse::<Square>().expect("a square").into()),
                ..Report::over(Score::estimated_margin(4))
            };
            let outcome = Outcome::new(&entries[0], answer, Duration::ZERO);
            assert_eq!((outcome.better, outcome.error()), (better, 4));
            assert!(!outcome.is_wrong());
        }
    }
}

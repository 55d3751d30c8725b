//! `ludex analyse othello`: a position move by move, or a game from its end backwards.

use std::io::Write;

use ::othello::{Analysis, Engine, discs};
use reversi::notation::Record;
use reversi::{Move, Position};
use rules::Game;
use search::{Limits, Report};
use serde_json::{Value, json};

use crate::othello::{Search, line, records, trust};

/// Say what every legal move of an Othello position is worth, or every move of a game
///
/// A position gives a table of its moves, best first, while a game gives for each move what it
/// was worth and what would have been better. Without --time or --depth the search goes on until
/// everything is proven; a game looks 16 moves ahead then.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex analyse othello \"--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X\"
  ludex analyse othello f5d6c3d3c4f4f6 --depth 12
  ludex analyse othello game.ggf --time 2 --json")]
pub(crate) struct Args {
    /// The position or game (a board, a transcript like f5d6c3, GGF or OBF), a file of them (WTHOR
    /// too), or - for standard input
    #[arg(allow_hyphen_values = true)]
    position: String,
    /// Print the table again whenever a value gets better founded
    #[arg(long)]
    live: bool,
    #[command(flatten)]
    search: Search,
}

/// How far ahead a game is looked at where nothing else is asked for.
const GAME_DEPTH: u32 = 16;

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut engine = args.search.engine();
    let mut out = std::io::stdout().lock();
    let records = records(&args.position)?;
    for (number, record) in (1..).zip(&records) {
        if records.len() > 1 && !args.search.json {
            writeln!(out, "{number} of {}", records.len())?;
        }
        if record.moves.is_empty() {
            one_position(args, &mut engine, &record.start, &mut out)?;
        } else {
            one_game(args, &mut engine, record, &mut out)?;
        }
    }
    Ok(())
}

fn one_position(
    args: &Args,
    engine: &mut Engine,
    position: &Position,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut trouble = Ok(());
    let analysis = engine.analyse(position, &args.search.limits(), |analysis| {
        if args.live && trouble.is_ok() {
            trouble = show(args, position, analysis, out);
        }
    });
    trouble?;
    show(args, position, &analysis, out)
}

fn show(
    args: &Args,
    position: &Position,
    analysis: &Analysis,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if args.search.json {
        let object = json!({
            "position": position.to_string(),
            "moves": analysis.moves.iter().map(value).collect::<Vec<_>>(),
            "nodes": analysis.nodes, "seconds": analysis.time.as_secs_f64(),
        });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    if analysis.moves.is_empty() {
        writeln!(out, "no moves: the game is over")?;
    }
    for known in &analysis.moves {
        let (value, trust) = (discs(known.score), trust(known));
        writeln!(out, "{value:>+3}  {trust:<17}  {}", line(&known.line))?;
    }
    let seconds = analysis.time.as_secs_f64();
    writeln!(out, "{} positions in {seconds:.3} s", analysis.nodes)?;
    Ok(())
}

fn value(known: &Report<Move>) -> Value {
    json!({
        "move": name(known), "value": discs(known.score), "exact": known.score.is_proven(),
        "depth": known.depth, "percent": known.confidence, "line": line(&known.line),
    })
}

fn name(known: &Report<Move>) -> String {
    known.best.map(|mv| mv.to_string()).unwrap_or_default()
}

fn one_game(
    args: &Args,
    engine: &mut Engine,
    record: &Record,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut limits = args.search.limits();
    if limits.depth.is_none() && limits.wall.is_none() {
        limits = limits.with_depth(GAME_DEPTH);
    }
    // Backwards: what is known about the end helps with what comes before it.
    let positions = record.positions();
    let mut rows: Vec<_> = positions
        .iter()
        .zip(&record.moves)
        .rev()
        .map(|(position, &played)| (position, played, judge(engine, position, played, &limits)))
        .collect();
    rows.reverse();
    for (number, (position, played, judged)) in rows.into_iter().enumerate() {
        let Some((best, value)) = judged else {
            continue;
        };
        let (number, side) = (number + 1, Position::side_name(position.side_to_move()));
        let lost = discs(best.score) - discs(value.score);
        if args.search.json {
            let object = json!({
                "number": number, "side": side, "played": self::value(&value),
                "best": self::value(&best), "lost": lost,
            });
            writeln!(out, "{object}")?;
        } else {
            let (points, trust) = (discs(value.score), trust(&value));
            write!(out, "{number:>2}. {side} {played} {points:>+3} ({trust})")?;
            if lost > 0 {
                let (mv, points) = (name(&best), discs(best.score));
                write!(out, ", {lost} lost: {mv} is {points:+}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// The best move and the one that was played; `None` for a pass.
fn judge(
    engine: &mut Engine,
    position: &Position,
    played: Move,
    limits: &Limits,
) -> Option<(Report<Move>, Report<Move>)> {
    let near_end = position.board().empty().len() <= GAME_DEPTH;
    let limits = match limits.wall {
        None if near_end => &Limits::default(),
        _ => limits,
    };
    let analysis = engine.analyse(position, limits, |_| {});
    let value = analysis
        .moves
        .iter()
        .find(|known| known.best == Some(played))?;
    Some((analysis.moves.first()?.clone(), value.clone()))
}

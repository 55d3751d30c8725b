//! `ludex bench rules`: how fast the rules are.

use std::io::{self, Write};
use std::time::Instant;

use games::{AnyPosition, GameName};
use programs::gipf::Options;
use serde_json::json;

/// Rules of every game: lines of play, the Reversi dialogue, GIPF boards
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// One thing measured.
struct Figure {
    what: String,
    unit: &'static str,
    count: u64,
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let mut print = |figure: Figure| {
        let Figure {
            what,
            unit,
            count,
            seconds,
        } = figure;
        let speed = count as f64 / seconds;
        if args.json {
            let object =
                json!({ "bench": what, "count": count, "seconds": seconds, "per_second": speed });
            writeln!(out, "{object}")
        } else {
            writeln!(
                out,
                "{what:<34} {count:>10} {unit:<6} {seconds:>7.3} s {speed:>14.0} {unit}/s"
            )
        }
    };
    for game in GameName::all() {
        print(lines_of_play(game))?;
    }
    print(reversi_dialogue(1_000_000)?)?;
    print(gipf_boards(20_000)?)?;
    Ok(())
}

/// Counts deeper and deeper until it takes long enough to be measured.
fn lines_of_play(game: GameName) -> Figure {
    let start = AnyPosition::start(game);
    let mut depth = 1;
    loop {
        let started = Instant::now();
        let count = start.perft(depth);
        let seconds = started.elapsed().as_secs_f64();
        if seconds >= 0.1 {
            return Figure {
                what: format!("{game}: perft {depth}"),
                unit: "lines",
                count,
                seconds,
            };
        }
        depth += 1;
    }
}

/// The Reversi program on a dialogue of so many lines: a pass and all squares in turn.
fn reversi_dialogue(lines: usize) -> io::Result<Figure> {
    let squares = reversi::Square::all().map(|square| square.to_string());
    let round: Vec<String> = std::iter::once("=".to_string()).chain(squares).collect();
    let mut dialogue = round
        .iter()
        .cycle()
        .take(lines)
        .fold(String::with_capacity(3 * lines), |text, line| {
            text + line + "\n"
        });
    dialogue.shrink_to_fit();
    let started = Instant::now();
    programs::reversi::run(dialogue.as_bytes(), io::sink())?;
    Ok(Figure {
        what: "reversi: dialogue".into(),
        unit: "lines",
        count: lines as u64,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// The GIPF program, asked so many times for all boards after one move of the original
/// start position.
fn gipf_boards(times: usize) -> io::Result<Figure> {
    let start = gipf::Position::start(gipf::Variant::ORIGINAL);
    let load = format!("LOAD_GAME_BOARD\n{}", gipf::text::print(&start));
    let ask = |times| load.clone() + &"GEN_ALL_POS_MOV\n".repeat(times);
    let run = |input: String, output: &mut dyn Write| {
        programs::gipf::run(input.as_bytes(), output, io::sink(), Options::default())
    };
    let mut once = Vec::new();
    let _ = run(ask(1), &mut once)?;
    let boards = String::from_utf8_lossy(&once)
        .lines()
        .filter(|line| *line == start.variant().to_string())
        .count();
    let started = Instant::now();
    let _ = run(ask(times), &mut io::sink())?;
    Ok(Figure {
        what: "gipf: boards after one move".into(),
        unit: "boards",
        count: (boards * times) as u64,
        seconds: started.elapsed().as_secs_f64(),
    })
}

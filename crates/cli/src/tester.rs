//! `ludex tester`: an Othello program against four algorithms of rising strength.

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, bail};
use referee::tester::{TesterOptions, TesterRow, test_othello};
use referee::{IsolationMode, Kind, Limits, MoveRecord, Penalties, PlayerSpec, Seconds, quoted};
use rules::{Game, Side};

use crate::error::bad_input;
use crate::input;
use crate::limits::LimitArgs;
use crate::watch;

/// Play an Othello program against random, greedy, minimax and alphabeta
///
/// The program gets the position as arguments and prints x,y; other kinds of players are
/// written gtp:COMMAND or nboard:COMMAND. Exit status 0: no fault, and random is beaten.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex tester ./othello
  ludex tester ./othello --pairs 5 --games games/
  ludex tester gtp:'./engine --gtp' --show")]
pub(crate) struct Args {
    /// The program; one with arguments is written in quotes
    program: String,
    /// Games of each colour against each opponent
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pairs: u32,
    /// Decides the random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Wall time for one move, such as 5 (seconds), 1.5s or 200ms [default: 1s]
    #[arg(long, value_parser = input::time_limit)]
    time: Option<Duration>,
    /// Wrong answers in a row that lose the turn
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    tries: u32,
    #[command(flatten)]
    limits: LimitArgs,
    /// auto, namespaces, bwrap, landlock or none
    #[arg(long, default_value_t)]
    isolation: IsolationMode,
    /// Show the board after every move
    #[arg(long)]
    show: bool,
    /// Keep the records of the games in this folder, for `ludex replay`
    #[arg(long, value_name = "FOLDER")]
    games: Option<PathBuf>,
    /// Print the table as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let player = player(&args.program)?;
    player.command.program().map_err(bad_input)?;
    let options = TesterOptions {
        pairs: args.pairs,
        seed: args.seed,
        limits: args.limits.read()?.with(&Limits {
            wall: args.time.map(Seconds),
            ..Limits::default()
        }),
        penalties: Penalties {
            tries: args.tries,
            ..Penalties::for_game(games::REVERSI)
        },
        isolation: args.isolation,
    };
    if let Some(folder) = &args.games {
        input::make_folder(folder)?;
    }
    // What goes wrong between the moves ends the test.
    let trouble: RefCell<Option<anyhow::Error>> = RefCell::default();
    let stop = watch::stop_on_interrupt();
    let heed = |result: anyhow::Result<()>| {
        if let Err(error) = result {
            trouble.borrow_mut().get_or_insert(error);
            stop.store(true, Ordering::Relaxed);
        }
    };
    let mut number = 0;
    let mut first_fault = None;
    let mut isolation = None;
    let tested = test_othello(
        &player,
        &options,
        &mut |turn| {
            if args.show && !args.json {
                heed(show(turn));
            }
        },
        &mut |opponent, side, record| {
            number += 1;
            isolation = record.isolation.clone();
            let mut faults = record.faults(side);
            first_fault = first_fault.or_else(|| Some((number, faults.next()?.ply)));
            if !args.json {
                let colour = reversi::Position::side_name(side).to_lowercase();
                let line = format!(
                    "game {number}: {colour} against {opponent}: {}",
                    last_words(record, side)
                );
                heed(writeln!(std::io::stdout(), "{line}").map_err(Into::into));
            }
            if let Some(folder) = &args.games {
                let path = folder.join(format!("{number}.json"));
                let saved = serde_json::to_string(record)
                    .map_err(anyhow::Error::from)
                    .and_then(|text| Ok(files::write_whole(&path, text.as_bytes())?));
                heed(saved.with_context(|| path.display().to_string()));
            }
        },
        &stop,
    )
    .map_err(bad_input)?;
    if let Some(error) = trouble.into_inner() {
        return Err(error);
    }
    let rows = &tested.rows;
    let verdict = tested.verdict();
    let mut out = std::io::stdout().lock();
    if args.json {
        let object = serde_json::json!({
            "program": player.command, "rows": rows, "verdict": verdict,
            "played": tested.played(), "planned": tested.planned,
        });
        writeln!(out, "{object:#}")?;
    } else {
        table(&mut out, rows)?;
        match (&args.games, first_fault) {
            (Some(folder), Some((game, turn))) => {
                let path = folder.join(format!("{game}.json")).display().to_string();
                writeln!(out, "again: ludex replay {} --move {turn}", quoted(&path))?;
            }
            (None, Some(_)) => {
                writeln!(
                    out,
                    "again: keep the games with --games FOLDER, for ludex replay"
                )?;
            }
            (_, None) => {}
        }
        for missing in isolation.iter().flat_map(referee::Isolation::gaps) {
            writeln!(out, "not enforced here: {missing}")?;
        }
        let words = verdict.unwrap_or_else(|| tested.so_far());
        writeln!(out, "{}: {words}", player.name)?;
    }
    out.flush()?;
    if !tested.finished() {
        bail!("stopped");
    }
    let faults: u32 = rows.iter().map(|row| row.faults).sum();
    if faults > 0 || !rows.first().is_some_and(TesterRow::beaten) {
        bail!("{} fails the test", player.name);
    }
    Ok(())
}

/// A bare command is a program that gets the position as arguments.
fn player(text: &str) -> anyhow::Result<PlayerSpec> {
    for kind in [Kind::Argv, Kind::Gtp, Kind::Nboard] {
        if text.starts_with(&format!("{kind}:")) {
            return text.parse().map_err(bad_input);
        }
    }
    format!("argv:{text}").parse().map_err(bad_input)
}

fn show(turn: &MoveRecord) -> anyhow::Result<()> {
    let Ok(position) = games::REVERSI.parse(&turn.position) else {
        return Ok(());
    };
    let mut out = std::io::stdout().lock();
    let colour = reversi::Position::side_name(turn.side.into());
    let legal = turn.mv.as_deref().filter(|_| turn.verdict.is_ok());
    let scene = match legal.and_then(|mv| Some((mv, position.scene_after(mv).ok()?))) {
        Some((mv, scene)) => {
            writeln!(out, "{}. {colour} {mv}", turn.ply)?;
            scene
        }
        None => {
            writeln!(
                out,
                "{}. {colour} loses the turn: {}",
                turn.ply, turn.verdict
            )?;
            position.scene()
        }
    };
    writeln!(out, "{}", draw::text(&scene, draw::TextStyle::default()))?;
    Ok(())
}

fn last_words(record: &referee::GameRecord, side: Side) -> String {
    let result = match record.score.outcome().map(|outcome| outcome.sign_for(side)) {
        Some(1) => "won",
        Some(0) => "drawn",
        Some(_) => "lost",
        None => "stopped",
    };
    let discs = record.end.parse::<reversi::Position>().map(|end| {
        let count = |side| end.discs(side).len();
        format!(" {}-{}", count(side), count(!side))
    });
    let faults = match record.faults(side).count() {
        0 => String::new(),
        1 => ", one turn lost".into(),
        many => format!(", {many} turns lost"),
    };
    format!("{result}{}{faults}", discs.unwrap_or_default())
}

fn table(out: &mut impl Write, rows: &[TesterRow]) -> std::io::Result<()> {
    writeln!(
        out,
        "{:<14} {:>4} {:>5} {:>4} {:>6} {:>9}  first fault",
        "opponent", "won", "drawn", "lost", "faults", "slowest"
    )?;
    for row in rows {
        writeln!(
            out,
            "{:<14} {:>4} {:>5} {:>4} {:>6} {:>7.3} s  {}",
            row.opponent,
            row.won,
            row.drawn,
            row.lost,
            row.faults,
            row.slowest,
            row.first_fault.as_deref().unwrap_or("-")
        )?;
    }
    Ok(())
}

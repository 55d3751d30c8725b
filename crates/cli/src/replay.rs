//! `ludex replay`: running a program again on a recorded input.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use referee::{GameRecord, IsolationMode, Kind, MoveRecord, quoted};

use referee::printable;
use tournament::{Store, StoreError};

use crate::error::bad_input;
use crate::input;
use crate::watch;

/// Run a program again on the very input of one recorded move
///
/// Without --move it lists the turns of the game. Games are those that `ludex tester
/// --games` and `ludex tournament export` write, or those in the file of a tournament.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex replay game.json
  ludex replay game.json --move 17
  ludex replay spring-cup-1f2e3d4c.1.2.1 --db cup.db --move 17")]
pub(crate) struct Args {
    /// The record of a game as JSON, or the id of a game in --db
    game: String,
    /// The file that a tournament's games are kept in
    #[arg(long, default_value = "ludex.db")]
    db: PathBuf,
    /// Number of the turn, from 1
    #[arg(long = "move", value_name = "N")]
    number: Option<u32>,
    /// auto, namespaces, bwrap, landlock or none
    #[arg(long, default_value_t)]
    isolation: IsolationMode,
    /// Print the new turn as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let path = &args.game;
    let record = read(args)?;
    let mut out = std::io::stdout().lock();
    let Some(number) = args.number else {
        return list(&mut out, &record).map_err(Into::into);
    };
    let index = record
        .moves
        .iter()
        .position(|turn| turn.ply == number)
        .ok_or_else(|| {
            let last = record.moves.last().map_or(0, |turn| turn.ply);
            bad_input(format!(
                "{path}: there is no turn {number}, the last is {last}"
            ))
        })?;
    let old = &record.moves[index];
    let player = &record.players[old.side.index()];
    if player.kind == Kind::Bot {
        return Err(bad_input(format!(
            "{path}: turn {number} is of the bot {}, not of a program",
            player.name
        )));
    }
    let stop = Arc::default();
    let new = referee::replay(&record, index, args.isolation, &stop).map_err(bad_input)?;
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&new)?)?;
        return Ok(());
    }
    let words = player.command.0.iter().chain(&new.input.args);
    let command: Vec<String> = words.map(|word| quoted(word)).collect();
    writeln!(out, "position  {}", new.position)?;
    writeln!(out, "command   {}", command.join(" "))?;
    for (name, blob) in [("stdin", &new.input.stdin), ("matrix.txt", &new.input.file)] {
        if let Some(blob) = blob {
            writeln!(out, "{name}\n{}", indented(&blob.to_string()))?;
        }
    }
    if new.input != old.input {
        writeln!(out, "note      the input differs from the recorded one")?;
    }
    writeln!(out, "answer\n{}", indented(&new.answer.to_string()))?;
    if !new.stderr.is_empty() {
        writeln!(out, "stderr\n{}", indented(&new.stderr.to_string()))?;
    }
    for (name, turn) in [("then", old), ("now", &new)] {
        writeln!(
            out,
            "{name:<9} {} ({} wall, {} processor, {})",
            summary(turn),
            turn.wall,
            turn.cpu,
            turn.memory
        )?;
    }
    Ok(())
}

/// The record in a file, or that of a game in a store.
fn read(args: &Args) -> anyhow::Result<GameRecord> {
    let name = &args.game;
    if Path::new(name).is_file() {
        let text = input::read_text(Path::new(name))?;
        return serde_json::from_str(&text).map_err(|error| {
            let line = error.line();
            bad_input(format!("{name}:{line}: not the record of a game: {error}"))
        });
    }
    let db = args.db.display();
    if !args.db.is_file() {
        return Err(bad_input(format!(
            "{name}: no such file, and no store {db}"
        )));
    }
    let found = watch::runtime()?.block_on(async {
        let store = Store::open_existing(&args.db).await?;
        store.record(name).await
    });
    match found {
        Ok(Some(record)) => Ok(record),
        Ok(None) => Err(bad_input(format!("{name}: this game was not played"))),
        Err(StoreError::NoGame(_)) => Err(bad_input(format!(
            "{name}: no such file, and no such game in {db}"
        ))),
        Err(error) => Err(error.into()),
    }
}

/// Move and verdict.
fn summary(turn: &MoveRecord) -> String {
    match &turn.mv {
        Some(mv) if turn.verdict.is_ok() => format!("{mv}, {}", turn.verdict),
        _ => turn.verdict.to_string(),
    }
}

/// What a program wrote, a little to the right, without anything that a terminal would obey.
fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| format!("  {}", printable(line)));
    let lines: Vec<String> = lines.collect();
    lines.join("\n")
}

fn list(out: &mut impl Write, record: &GameRecord) -> std::io::Result<()> {
    let [first, second] = &record.players;
    writeln!(
        out,
        "{}: {} against {}",
        record.game, first.name, second.name
    )?;
    for turn in &record.moves {
        let player = &record.players[turn.side.index()].name;
        writeln!(
            out,
            "{:>4}  {player:<20} {:>9}  {}",
            turn.ply,
            turn.wall,
            summary(turn)
        )?;
    }
    let score = match record.score.outcome() {
        Some(rules::Outcome::Win(side)) => format!("{} wins", record.players[side.index()].name),
        Some(rules::Outcome::Draw) => "a draw".into(),
        None => "no result".into(),
    };
    writeln!(out, "{score}: {}", record.ending)
}

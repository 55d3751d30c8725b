//! `ludex book`: opening books for Othello.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Subcommand;
use othello::book::{Book, Recipe, settled};
use reversi::Position;
use serde_json::json;
use train::othello::book::{End, Tree, grow, starts};

use crate::error::{bad_input, note};
use crate::input;
use crate::othello::{file_records, records};
use crate::table::all_cores;

/// Grow and ask opening books for Othello
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    Grow(Grow),
    Query(Query),
}

/// Grow a book with the engine, or go on with one
///
/// A book begins with its start positions: that of the game, those that games have come through,
/// and random ones. From there it grows by drop-out expansion: the engine looks next at the
/// positions outside of the book that the fewest plies and discs lost by both sides lead to, by
/// the values of what is in the book.
///
/// The file is written every ten seconds, and the same command goes on where it was stopped or
/// killed. A book goes on with the depth, width and loss that it was begun with; others are
/// refused. Start positions can be added at any time. The same numbers give the same book, in
/// however many goes and with however many threads. Only one process at a time can grow a book.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex book grow my.book --positions 2000 --depth 14
  ludex book grow my.book --positions 3000 --games WTH_*.wtb --seen 50 --random 100
  ludex book query f5d6c3 --book my.book")]
struct Grow {
    /// The file of the book
    file: PathBuf,
    /// Positions that the book is to have
    #[arg(long, default_value_t = 500, value_name = "N")]
    positions: usize,
    /// Plies to look ahead from each [default: 12]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=60))]
    depth: Option<u8>,
    /// Discs that a move may lose and still be followed [default: 4]
    #[arg(long, value_name = "DISCS", value_parser = clap::value_parser!(u8).range(0..=128))]
    width: Option<u8>,
    /// Plies that a disc lost counts as [default: 1]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(0..=128))]
    loss: Option<u8>,
    /// Files of games, WTHOR too, or of positions, to begin with what they have in common
    #[arg(long, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// In how many of the games a position must have been
    #[arg(long, default_value_t = 10, value_name = "N", requires = "games")]
    seen: usize,
    /// Up to which ply of the games
    #[arg(long, default_value_t = 20, value_name = "PLIES", requires = "games")]
    game_plies: usize,
    /// Random positions to begin with
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = count())]
    random: usize,
    /// After how many random plies
    #[arg(long, default_value_t = 8, value_name = "PLIES", requires = "random",
          value_parser = clap::value_parser!(u32).range(1..=50))]
    random_plies: u32,
    /// Where random choices start
    #[arg(long, default_value_t = 1, requires = "random")]
    seed: u64,
    /// Positions that are looked at side by side [default: all cores]
    #[arg(long, value_parser = input::threads())]
    threads: Option<usize>,
}

/// Ask a book about a position or the end of a game: its moves, the best one first
#[derive(clap::Args)]
struct Query {
    /// A board, a transcript like f5d6c3, GGF or OBF, a file of them, or - for standard input
    /// [default: the start]
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// The book [default: the one that comes with the engine]
    #[arg(long)]
    book: Option<PathBuf>,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

/// How many random positions; more would take longer to draw than to look at.
fn count() -> impl clap::builder::TypedValueParser<Value = usize> {
    use clap::builder::TypedValueParser;
    clap::value_parser!(u32)
        .range(0..=100_000)
        .map(|count| count as usize)
}

/// How often the file is written.
const SAVE_EVERY: Duration = Duration::from_secs(10);

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    match &args.chore {
        Chore::Grow(args) => run_grow(args),
        Chore::Query(args) => run_query(args),
    }
}

fn run_grow(args: &Grow) -> anyhow::Result<()> {
    let file = args.file.as_path();
    let _claim = input::claim_file(file)?;
    let mut tree = begin(args)?;
    input::check_writable(file)?;
    let start = settled(Position::start().board()).map(|start| start.board);
    let mut new = tree.add_starts(start);
    new += tree.add_starts(from_games(args)?);
    new += tree.add_starts(starts::random(args.random, args.random_plies, args.seed));
    note(format_args!(
        "{}: {} positions, {} wanted; start positions: {}, new: {new}",
        file.display(),
        tree.len(),
        args.positions,
        tree.starts()
    ));
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Without a handler an interrupt ends the process at once, which loses a few seconds.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    save(file, &tree)?;
    let mut saved = Instant::now();
    let threads = args.threads.unwrap_or_else(all_cores);
    let end = grow(&mut tree, args.positions, threads, &stop, |tree| {
        if saved.elapsed() < SAVE_EVERY {
            return Ok(());
        }
        saved = Instant::now();
        note(format_args!(
            "{} positions, {} wanted",
            tree.len(),
            args.positions
        ));
        save(file, tree).map(drop)
    })?;
    let bytes = save(file, &tree)?;
    writeln!(
        std::io::stdout(),
        "{}: {} positions, {bytes} bytes",
        file.display(),
        tree.len()
    )?;
    match end {
        End::Reached => Ok(()),
        End::Stopped => Err(anyhow::anyhow!("stopped; the same command goes on")),
        End::Exhausted => {
            note("nothing is left that the book could grow by; a greater width would find more");
            Ok(())
        }
    }
}

fn save(file: &Path, tree: &Tree) -> anyhow::Result<usize> {
    let bytes = tree.write();
    files::write_whole(file, &bytes)
        .map_err(|error| bad_input(format!("{}: {error}", file.display())))?;
    Ok(bytes.len())
}

/// The book that is in the file, or a new one.
fn begin(args: &Grow) -> anyhow::Result<Tree> {
    let file = args.file.as_path();
    if !file.exists() {
        return Ok(Tree::new(Recipe {
            depth: args.depth.unwrap_or(12),
            width: args.width.unwrap_or(4),
            loss: args.loss.unwrap_or(1),
        }));
    }
    let bytes = input::read_large(file, LARGEST)?;
    let book = read(&bytes, file)?;
    let recipe = book.recipe();
    for (option, wanted, has) in [
        ("--depth", args.depth, recipe.depth),
        ("--width", args.width, recipe.width),
        ("--loss", args.loss, recipe.loss),
    ] {
        if let Some(wanted) = wanted.filter(|&wanted| wanted != has) {
            return Err(bad_input(format!(
                "{option} {wanted}: {} was begun with {has}; another file can be grown",
                file.display()
            )));
        }
    }
    Ok(Tree::read(&book))
}

fn from_games(args: &Grow) -> anyhow::Result<Vec<reversi::Board>> {
    let mut games = Vec::new();
    for file in &args.games {
        games.extend(file_records(file)?);
    }
    Ok(starts::reached(&games, args.seen, args.game_plies))
}

/// No book is larger.
const LARGEST: u64 = 512 << 20;

fn read<'a>(bytes: &'a [u8], file: &Path) -> anyhow::Result<Book<'a>> {
    Book::read(bytes).map_err(|error| bad_input(format!("{}: {error}", file.display())))
}

fn run_query(args: &Query) -> anyhow::Result<()> {
    let records = records(args.position.as_deref().unwrap_or("start"))?;
    let position = records[0].last();
    let bytes;
    let book = match &args.book {
        Some(file) => {
            bytes = input::read_large(file, LARGEST)?;
            read(&bytes, file)?
        }
        None => Book::embedded(),
    };
    let moves = book.moves(&position).unwrap_or_default();
    let advice = book.advice(&position);
    let mut out = std::io::stdout().lock();
    if args.json {
        let advice = advice.map(|advice| {
            json!({
                "move": advice.mv.to_string(),
                "value": advice.value,
                "depth": advice.depth,
            })
        });
        let moves: Vec<_> = moves
            .iter()
            .map(|known| {
                json!({
                    "move": known.mv.to_string(),
                    "value": known.value,
                    "in_book": known.stays,
                })
            })
            .collect();
        let answer = json!({ "position": position.to_string(), "advice": advice, "moves": moves });
        writeln!(out, "{answer:#}")?;
        return Ok(());
    }
    let Some(advice) = advice else {
        writeln!(out, "not in the book of {} positions", book.len())?;
        return Ok(());
    };
    let searched = format!("depth {}", advice.depth);
    for known in moves {
        let trust = if known.stays {
            "in the book"
        } else {
            &searched
        };
        writeln!(out, "{:>+3}  {trust:<11}  {}", known.value, known.mv)?;
    }
    Ok(())
}

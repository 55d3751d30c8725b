//! `ludex book`: opening books for Othello.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use othello::book::{self, Book};
use serde_json::json;
use train::othello::book::{Recipe, build};

use crate::error::{bad_input, note};
use crate::input;
use crate::othello::records;

/// Build and ask opening books for Othello
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Build a book with the engine: the same numbers give the same book
    Build {
        /// Where to write it
        file: PathBuf,
        /// Positions in the book
        #[arg(long, default_value_t = 500)]
        positions: usize,
        /// Plies to look ahead from each
        #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=60))]
        depth: u32,
        /// Discs that a move may lose and still be followed
        #[arg(long, default_value_t = 4)]
        width: i32,
        /// Positions that are analysed at the same time
        #[arg(long, default_value = "1", value_parser = input::threads())]
        threads: usize,
    },
    /// Ask a book about a position or the end of a game
    Query {
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
    },
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match &args.chore {
        Chore::Build {
            file,
            positions,
            depth,
            width,
            threads,
        } => {
            let recipe = Recipe {
                positions: *positions,
                depth: *depth,
                width: *width,
            };
            input::check_writable(file)?;
            let mut done = 0;
            let entries = build(recipe, *threads, |position, advice| {
                done += 1;
                note(format_args!(
                    "{done}/{positions} {position} {} {:+}",
                    advice.mv, advice.value
                ));
            });
            let bytes = book::write(&entries);
            input::write_file(file, &bytes)?;
            writeln!(
                out,
                "{}: {} positions, {} bytes",
                file.display(),
                entries.len(),
                bytes.len()
            )?;
            Ok(())
        }
        Chore::Query {
            position,
            book,
            json,
        } => {
            let records = records(position.as_deref().unwrap_or("start"))?;
            let position = records[0].last();
            let bytes = match book {
                Some(path) => Some(input::read_file(path)?),
                None => None,
            };
            let book = match (&bytes, book) {
                (Some(bytes), Some(path)) => {
                    Book::read(bytes).map_err(|e| bad_input(format!("{}: {e}", path.display())))?
                }
                _ => Book::embedded(),
            };
            let advice = book.advice(&position);
            if *json {
                let advice = advice.map(|advice| {
                    json!({
                        "move": advice.mv.to_string(),
                        "value": advice.value,
                        "depth": advice.depth,
                    })
                });
                writeln!(
                    out,
                    "{:#}",
                    json!({ "position": position.to_string(), "advice": advice })
                )?;
            } else {
                match advice {
                    Some(advice) => writeln!(
                        out,
                        "{} {:+} (looked {} ahead)",
                        advice.mv, advice.value, advice.depth
                    )?,
                    None => writeln!(out, "not in the book of {} positions", book.len())?,
                }
            }
            Ok(())
        }
    }
}

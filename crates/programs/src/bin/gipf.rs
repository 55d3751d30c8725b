//! The GIPF program: a command interpreter for generalised GIPF, and a solver for it.

// These macros panic when the reader is gone.
#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use gipf_engine::tables::{Library, TABLES_VARIABLE, usual_folders};
use programs::gipf::{End, Options, run_with};

const USAGE: &str = "\
usage: gipf [--solve-seconds SECONDS] [--memory MEBIBYTES]
Reads commands from standard input. A board without a command before it is a position to play
in: the answer is the position after a move (kind `gipf` of tournaments). The options limit what solving one position may use
(30 seconds and 1024 MiB unless told otherwise); beyond them the answer is NOT_SOLVED.
Tables of `ludex solve gipf` answer at once: those in the current folder, or in the folders
that the variable LUDEX_TABLES lists.";

fn main() -> ExitCode {
    if std::env::args()
        .skip(1)
        .any(|name| name == "--help" || name == "-h")
    {
        // Nobody is left to read if this cannot be printed.
        let _ = writeln!(io::stdout(), "{USAGE}");
        return ExitCode::SUCCESS;
    }
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            let _ = writeln!(io::stderr(), "gipf: {message}; see gipf --help");
            return ExitCode::from(2);
        }
    };
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    let folders = usual_folders(std::env::var_os(TABLES_VARIABLE).as_deref());
    let tables = Library::new(folders);
    match run_with(input, output, io::stderr(), options, &tables) {
        Ok(End::Complete) => ExitCode::SUCCESS,
        Ok(End::InsideBoard) => ExitCode::from(2),
        // Nobody reads on: an error would reach nobody either.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => {
            let _ = writeln!(io::stderr(), "gipf: {e}");
            ExitCode::FAILURE
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options::default();
    while let Some(name) = arguments.next() {
        match name.as_str() {
            "--solve-seconds" => {
                options.solve_time = value(&name, arguments.next(), |text| {
                    Duration::try_from_secs_f64(text.parse().ok()?).ok()
                })?;
            }
            "--memory" => {
                options.memory = value(&name, arguments.next(), |text| {
                    text.parse::<usize>().ok()?.checked_mul(1 << 20)
                })?;
            }
            _ => return Err(format!("unknown option {name}")),
        }
    }
    Ok(options)
}

/// The value of an option.
fn value<T>(
    name: &str,
    text: Option<String>,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, String> {
    let text = text.ok_or_else(|| format!("{name} wants a value"))?;
    read(&text).ok_or_else(|| format!("{text:?} is not a value of {name}"))
}

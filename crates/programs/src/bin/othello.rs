//! The Othello program: prints the move it would play, as `x,y`.

// These macros panic when the reader is gone.
#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use programs::othello::{BUDGET, choose, read, text};

fn main() -> ExitCode {
    let started = Instant::now();
    let arguments: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    match read(&arguments) {
        Ok(position) => {
            let answer = text(choose(&position, started, BUDGET));
            match writeln!(io::stdout(), "{answer}") {
                Ok(()) => ExitCode::SUCCESS,
                // Nobody reads on: an error would reach nobody either.
                Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
                Err(e) => {
                    let _ = writeln!(io::stderr(), "othello: {e}");
                    ExitCode::FAILURE
                }
            }
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "othello: {error}");
            ExitCode::from(2)
        }
    }
}

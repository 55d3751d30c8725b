//! The Reversi dialogue program: White replies greedily to what Black types.

// These macros panic when the reader is gone.
#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    match programs::reversi::run(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads on: an error would reach nobody either.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => {
            let _ = writeln!(io::stderr(), "reversi: {e}");
            ExitCode::FAILURE
        }
    }
}

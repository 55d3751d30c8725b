//! The MMPawns program: makes one move in `matrix.txt` of the current directory.

// These macros panic when the reader is gone.
#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match programs::mmpawns::run(Path::new("")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "mmpawns: {error}");
            ExitCode::from(2)
        }
    }
}

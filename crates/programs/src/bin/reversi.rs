//! The Reversi dialogue program: White replies greedily to what Black types.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    match programs::reversi::run(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads on: there is nobody to tell either.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("reversi: {e}");
            ExitCode::FAILURE
        }
    }
}

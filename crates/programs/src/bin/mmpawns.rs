//! The MMPawns program: makes one move in `matrix.txt` of the current directory.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match programs::mmpawns::run(Path::new("")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mmpawns: {error}");
            ExitCode::from(2)
        }
    }
}

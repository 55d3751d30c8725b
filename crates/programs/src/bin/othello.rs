//! The Othello program: prints the move it would play, as `x,y`.

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
            println!("{}", text(choose(&position, started, BUDGET)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("othello: {error}");
            ExitCode::from(2)
        }
    }
}

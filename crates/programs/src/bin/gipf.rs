//! The GIPF program: a command interpreter for generalised GIPF, and a solver for it.

use std::io;
use std::process::ExitCode;
use std::time::Duration;

use programs::gipf::{End, Options, run};

const USAGE: &str = "\
usage: gipf [--solve-seconds SECONDS] [--memory MEBIBYTES]
Reads commands from standard input. The options limit what solving one position may use
(30 seconds and 1024 MiB unless told otherwise); beyond them the answer is NOT_SOLVED.";

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("gipf: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    match run(input, output, io::stderr(), options) {
        Ok(End::Complete) => ExitCode::SUCCESS,
        Ok(End::InsideBoard) => ExitCode::from(2),
        // Nobody reads on: there is nobody to tell either.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("gipf: {e}");
            ExitCode::FAILURE
        }
    }
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options::default();
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or(format!("{name} wants a value"))?;
        let bad = || format!("{value:?} is not a value of {name}");
        match name.as_str() {
            "--solve-seconds" => {
                let seconds: f64 = value.parse().map_err(|_| bad())?;
                options.solve_time = Duration::try_from_secs_f64(seconds).map_err(|_| bad())?;
            }
            "--memory" => {
                let mebibytes: usize = value.parse().map_err(|_| bad())?;
                options.memory = mebibytes.checked_mul(1 << 20).ok_or_else(bad)?;
            }
            _ => return Err(format!("unknown option {name}")),
        }
    }
    Ok(options)
}

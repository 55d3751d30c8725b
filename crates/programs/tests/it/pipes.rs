//! Programs whose reader has gone away: they end without a word, and nothing panics.

use std::io::{PipeWriter, pipe};
use std::process::{Command, Stdio};

const START: &str = "00000000 00000000 00000000 00021000 00012000 00000000 00000000 00000000 1";

/// A pipe that nobody reads.
fn deserted() -> PipeWriter {
    pipe().unwrap().1
}

/// The exit status when nobody reads the output, and what was said about it.
fn call(program: &str, arguments: &str) -> (Option<i32>, String) {
    let output = Command::new(program)
        .args(arguments.split_whitespace())
        .stdin(Stdio::null())
        .stdout(deserted())
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), errors)
}

/// The exit status when nobody reads the errors.
fn unheard(program: &str, arguments: &str) -> Option<i32> {
    let status = Command::new(program)
        .args(arguments.split_whitespace())
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stderr(deserted())
        .status();
    status.unwrap().code()
}

#[test]
fn nobody_reads_the_output() {
    for (program, arguments) in [
        (env!("CARGO_BIN_EXE_othello"), START),
        (env!("CARGO_BIN_EXE_reversi"), ""),
        (env!("CARGO_BIN_EXE_gipf"), "--help"),
    ] {
        let expected = (Some(0), String::new());
        assert_eq!(call(program, arguments), expected, "{program}");
    }
}

#[test]
fn nobody_reads_the_errors() {
    for (program, arguments) in [
        (env!("CARGO_BIN_EXE_othello"), "nonsense"),
        (env!("CARGO_BIN_EXE_gipf"), "--nonsense"),
        // There is no matrix.txt here.
        (env!("CARGO_BIN_EXE_mmpawns"), ""),
    ] {
        assert_eq!(unheard(program, arguments), Some(2), "{program}");
    }
}

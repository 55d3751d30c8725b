//! The command line, typed as people and programs type it.

use std::process::Command;

/// Runs `ludex` with blank-separated arguments and checks status, output and errors.
#[track_caller]
fn check(arguments: &str, status: i32, stdout: &str, stderr: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout);
    assert_eq!(output.status.code(), Some(status));
}

#[test]
fn moves_of_the_start() {
    check("moves othello", 0, "d3\nc4\nf5\ne6\n", "");
}

#[test]
fn bad_usage_is_one_line_and_status_2() {
    check(
        "moves chess",
        2,
        "",
        "ludex: invalid value 'chess' for '<GAME>': unknown game \"chess\"; there are reversi, gipf, \
         mmpawns \
         (see ludex --help)\n",
    );
    check(
        "moves reversi XX",
        2,
        "",
        "ludex: bad reversi position: 2 squares, not 64\n",
    );
}

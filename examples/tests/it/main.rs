//! The examples run, and do what they say.

use std::io::Write;
use std::process::{Command, Stdio};

/// What an example prints.
#[track_caller]
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn play_a_game() {
    let text = output(env!("CARGO_BIN_EXE_play-a-game"), &[]);
    assert!(
        text.starts_with("reversi: ") && text.contains("\ngipf: "),
        "{text}"
    );
}

#[test]
fn write_a_bot() {
    let program = env!("CARGO_BIN_EXE_write-a-bot");
    // One move takes a corner.
    let rows = "02100000 00000000 00000000 00021000 00012000 00000000 00000000 00000000 1";
    let rows: Vec<&str> = rows.split(' ').collect();
    assert_eq!(output(program, &rows), "0,0\n");
    let bad = Command::new(program).arg("x").output().unwrap();
    assert_eq!(bad.status.code(), Some(2));
}

#[test]
fn write_a_line_bot() {
    let ask = |line: &str| {
        let mut bot = Command::new(env!("CARGO_BIN_EXE_write-a-line-bot"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        bot.stdin
            .take()
            .unwrap()
            .write_all(line.as_bytes())
            .unwrap();
        bot.wait_with_output().unwrap()
    };
    // It takes Black's last GIPF-piece.
    let output = ask("standard 3 5 W W___/_____/______/_WwwwB_/______/_____/____\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with('x') && text.contains("Gg5*"), "{text}");
    assert_eq!(ask("nonsense\n").status.code(), Some(2));
}

#[test]
fn solve_a_position() {
    let text = output(env!("CARGO_BIN_EXE_solve-a-position"), &[]);
    let values: Vec<i32> = text
        .lines()
        .skip(1)
        .map(|line| line.rsplit(' ').next().unwrap().parse().unwrap())
        .collect();
    let best = format!(
        "the mover ends {:+} discs ahead",
        values.iter().max().unwrap()
    );
    assert!(text.contains(&best), "{text}");
}

#[test]
fn run_a_match() {
    let text = output(env!("CARGO_BIN_EXE_run-a-match"), &[]);
    assert!(text.starts_with("1. minimax:2: "), "{text}");
}

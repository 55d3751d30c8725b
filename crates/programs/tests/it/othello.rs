//! The Othello program: arguments in, `x,y` out.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use programs::othello::{choose, read, text};

use crate::output_of;

const PROGRAM: &str = env!("CARGO_BIN_EXE_othello");
const START: &str = "00000000 00000000 00000000 00021000 00012000 00000000 00000000 00000000";

/// Exit status, standard output and standard error.
fn call(arguments: &str) -> (Option<i32>, String, String) {
    let child = Command::new(PROGRAM)
        .args(arguments.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = output_of(child);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn answers_with_a_legal_move() {
    let (status, out, err) = call(&format!("{START} 1"));
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(
        ["3,2\n", "2,3\n", "5,4\n", "4,5\n"].contains(&out.as_str()),
        "{out:?}"
    );
    let (_, out, _) = call(&format!("{START} 2"));
    assert!(
        ["4,2\n", "5,3\n", "2,4\n", "3,5\n"].contains(&out.as_str()),
        "{out:?}"
    );
}

#[test]
fn odd_positions_are_answered_too() {
    let row = |row: &str| format!("{row} {}", "00000000 ".repeat(7));
    let check = |arguments: String, answer: &str| {
        assert_eq!(
            call(&arguments),
            (Some(0), format!("{answer}\n"), String::new())
        );
    };
    // Nothing at all, one colour only, a full board: no legal move.
    check(row("00000000") + "1", "-1,-1");
    check(row("11000000") + "2", "-1,-1");
    check("11111111 ".repeat(8) + "1", "-1,-1");
    // One legal move.
    check(row("12000000") + "1", "2,0");
    check(row("12000000") + "2", "-1,-1");
}

#[test]
fn bad_arguments_are_named() {
    let check = |arguments: String, named: &str| {
        let (status, out, err) = call(&arguments);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments}");
        assert!(err.contains(named) && err.lines().count() == 1, "{err}");
    };
    check(String::new(), "0 arguments");
    check(START.to_owned(), "8 arguments");
    check(format!("{START} 1 1"), "10 arguments");
    check(format!("{START} 3"), "argument 9: \"3\"");
    check(
        START.replacen("00021000", "0002100", 1) + " 1",
        "argument 4: \"0002100\"",
    );
    check(
        START.replacen("00021000", "0002100x", 1) + " 1",
        "argument 4: \"0002100x\"",
    );
    check(
        START.replacen("00021000", "0002100é", 1) + " 1",
        "argument 4",
    );
}

/// Whatever the budget, there is an answer.
#[test]
fn no_time_is_enough_for_an_answer() {
    let arguments: Vec<String> = format!("{START} 1").split(' ').map(Into::into).collect();
    let position = read(&arguments).unwrap();
    let square = choose(&position, Instant::now(), Duration::ZERO);
    assert_ne!(text(square), "-1,-1");
}

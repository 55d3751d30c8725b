//! Long work that is interrupted, as with Ctrl-C.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::console;

/// Whether a game has been kept in `games.db`.
fn has_games(folder: &Path) -> bool {
    let list = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(console::words("tournament list --db games.db --json"))
        .current_dir(folder)
        .output();
    let row: Option<Value> = serde_json::from_slice(&list.unwrap().stdout).ok();
    row.is_some_and(|row| row["played"].as_u64() > Some(0))
}

/// Interrupts a command once it has begun to keep games in `games.db`.
fn interrupted(name: &str, command: &str) -> Output {
    let folder = console::scratch(name);
    let players = "[[player]]\nbot = \"random\"\n[[player]]\nbot = \"minimax:3\"\n";
    let cup = format!("game = \"othello\"\npairs = 100000\n{players}");
    console::write_file(&folder.join("my cup.toml"), &cup);
    let mut child = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .args(console::words(command))
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !has_games(&folder) {
        assert_eq!(child.try_wait().unwrap(), None, "{command} has ended");
        std::thread::sleep(Duration::from_millis(10));
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    child.wait_with_output().unwrap()
}

#[track_caller]
fn check(name: &str, command: &str, expected: &str) {
    let output = interrupted(name, command);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors, format!("ludex: {expected}\n"), "{command}");
    assert_eq!(output.status.code(), Some(1), "{command}");
    assert!(!output.stdout.is_empty(), "{command}");
}

/// What was played is shown, and whoever waits for the end learns that it is not reached.
#[test]
fn games_that_are_stopped_are_not_done() {
    check(
        "stopped-match",
        "match random minimax:3 --games 100000 --db games.db",
        "stopped; the same command goes on",
    );
    let run = "tournament run \"my cup.toml\" --db games.db";
    let again = "stopped; go on with: ludex tournament run 'my cup.toml' --db games.db";
    check("stopped-cup", run, again);
    check("stopped-json", &format!("{run} --json"), again);
}

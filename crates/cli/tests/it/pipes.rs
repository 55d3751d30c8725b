//! Commands whose reader goes away, as `head` does.

use std::io::{PipeWriter, pipe};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::console;

/// A pipe that nobody reads.
fn deserted() -> PipeWriter {
    pipe().unwrap().1
}

fn ludex(folder: &Path, command: &str) -> Command {
    let mut process = Command::new(env!("CARGO_BIN_EXE_ludex"));
    process.args(console::words(command)).current_dir(folder);
    process.env("PATH", console::search_path());
    process.stdin(Stdio::null());
    process
}

/// The reader of the output is gone: the command ends well, without complaint.
#[track_caller]
fn ends_quietly(folder: &Path, command: &str) {
    let mut process = ludex(folder, command);
    let output = process.stdout(deserted()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let complaint = errors.contains("ludex:") || errors.contains("panicked");
    assert!(!complaint, "{command}: {errors}");
    assert_eq!(output.status.code(), Some(0), "{command}");
}

/// The reader of the errors is gone: the exit status still tells.
#[track_caller]
fn ends_with(folder: &Path, command: &str, status: i32) {
    let mut process = ludex(folder, command);
    let seen = process.stdout(Stdio::null()).stderr(deserted()).status();
    assert_eq!(seen.unwrap().code(), Some(status), "{command}");
}

#[test]
fn a_reader_may_go_away() {
    let folder = console::scratch("pipes");
    console::write_file(
        &folder.join("first"),
        "#!/bin/sh\nexec ludex bench one-shot \"$@\"\n",
    );
    for command in [
        "--help",
        "moves reversi",
        "moves reversi --json",
        "draw gipf",
        "draw mmpawns --svg -",
        "perft reversi 2",
        "play reversi --black greedy --white greedy",
        "analyse othello f5d6 --depth 1",
        "solve gipf 2 2 4 4 --table small",
        "solve gipf 2 2 4 4 --table other --json",
        "table info small",
        "table info small --json",
        "table verify small",
        "query gipf small",
        "query gipf small --json",
        "book grow small.book --positions 2 --depth 1",
        "book query f5",
        "book query f5 --json",
        "tester ./first --isolation none",
        "tester ./first --isolation none --show",
        "match greedy random --games 2",
        "train mmpawns --games 1 --nodes 100 --out weights.rs",
        "train gipf-standard --generations 1 --games 1 --nodes 10 --out weights.bin",
        "completions bash",
    ] {
        ends_quietly(&folder, command);
    }
}

#[test]
fn errors_may_go_unheard() {
    let folder = console::scratch("unheard");
    ends_with(&folder, "chess", 2);
    ends_with(&folder, "moves gipf nonsense", 2);
    ends_with(&folder, "table info nothing-there", 2);
    ends_with(&folder, "book grow small.book --positions 2 --depth 1", 0);
}

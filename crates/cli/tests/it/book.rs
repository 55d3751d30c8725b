//! Opening books that grow, are stopped and go on.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use othello::book::Book;

use crate::console;
use crate::waiting::wait_until;

fn ludex(folder: &Path, command: &str) -> Command {
    let mut process = Command::new(env!("CARGO_BIN_EXE_ludex"));
    process.args(console::words(command)).current_dir(folder);
    process.stdin(Stdio::null());
    process
}

#[track_caller]
fn run(folder: &Path, command: &str) -> Output {
    let output = ludex(folder, command).output().unwrap();
    assert!(output.status.success(), "{command}: {output:?}");
    output
}

fn positions(file: &Path) -> usize {
    let bytes = std::fs::read(file).unwrap();
    Book::read(&bytes).unwrap().len()
}

/// Begins a book that takes long, sends a signal once the file is there, and gives it time
/// for a few more positions to come.
fn stopped(folder: &Path, file: &str, signal: &str) -> Output {
    let command = format!("book grow {file} --positions 100000 --depth 6 --random 20 --threads 2");
    let mut child = ludex(folder, &command)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("the file is there", || {
        assert_eq!(child.try_wait().unwrap(), None, "it has ended");
        folder.join(file).exists()
    });
    std::thread::sleep(Duration::from_millis(300));
    let kill = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    child.wait_with_output().unwrap()
}

#[test]
fn what_is_stopped_or_killed_goes_on_as_if_nothing_had_been() {
    let folder = console::scratch("book-stopped");
    for signal in ["-INT", "-KILL"] {
        let output = stopped(&folder, "cut.book", signal);
        if signal == "-INT" {
            let errors = String::from_utf8(output.stderr).unwrap();
            let last = errors.lines().last();
            assert_eq!(last, Some("ludex: stopped; the same command goes on"));
            assert_eq!(output.status.code(), Some(1));
            let said = String::from_utf8(output.stdout).unwrap();
            let count = positions(&folder.join("cut.book"));
            assert!(said.starts_with(&format!("cut.book: {count} positions, ")));
        }
        let more = positions(&folder.join("cut.book")) + 140;
        run(&folder, &format!("book grow cut.book --positions {more}"));
        run(
            &folder,
            &format!("book grow whole.book --positions {more} --depth 6 --random 20 --threads 1"),
        );
        let [cut, whole] =
            ["cut.book", "whole.book"].map(|file| std::fs::read(folder.join(file)).unwrap());
        assert!(cut == whole, "{signal}: {more} positions");
        assert_eq!(positions(&folder.join("cut.book")), more);
        for file in ["cut.book", "whole.book"] {
            std::fs::remove_file(folder.join(file)).unwrap();
        }
    }
}

/// Of two that grow one book each would write over what the other has found.
#[test]
fn a_book_is_grown_by_one_process_at_a_time() {
    let folder = console::scratch("book-claimed");
    let grow = "book grow one.book --positions 100000 --depth 6 --random 20 --threads 1";
    let mut first = ludex(&folder, grow).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the file is there", || {
        assert_eq!(first.try_wait().unwrap(), None, "it has ended");
        folder.join("one.book").exists()
    });
    let second = ludex(&folder, grow).output().unwrap();
    assert_eq!(
        String::from_utf8(second.stderr).unwrap(),
        "ludex: one.book: another process is working on it\n"
    );
    assert_eq!(second.status.code(), Some(1));
    // Another book can be grown, and this one be asked.
    run(&folder, "book grow two.book --positions 3 --depth 2");
    run(&folder, "book query --book one.book");
    // Nothing outlives a kill.
    first.kill().unwrap();
    first.wait().unwrap();
    let more = positions(&folder.join("one.book")) + 5;
    run(&folder, &format!("book grow one.book --positions {more}"));
    assert_eq!(positions(&folder.join("one.book")), more);
    assert!(!folder.join("one.book.lock").exists());
}

/// A file of WTHOR with these games, each move as ten times the row plus the column.
fn wthor(games: &[&[u8]]) -> Vec<u8> {
    let mut bytes = vec![0; 16 + 68 * games.len()];
    bytes[4] = games.len() as u8;
    for (number, moves) in games.iter().enumerate() {
        let at = 16 + 68 * number + 8;
        bytes[at..at + moves.len()].copy_from_slice(moves);
    }
    bytes
}

#[test]
fn a_book_begins_with_what_games_share() {
    let folder = console::scratch("book-games");
    // f5 d6 c3, its image e6 f4 c3, and f5 f6.
    let games = wthor(&[&[56, 64, 33], &[65, 46, 33], &[56, 66]]);
    std::fs::write(folder.join("games.wtb"), games).unwrap();
    let grow = "book grow games.book --depth 2 --positions 3 --games games.wtb";
    for (options, starts) in [
        ("--seen 2", "4, new: 4"),
        // The book is there; what is new is added.
        ("--seen 1", "5, new: 1"),
        ("--seen 1", "5, new: 0"),
    ] {
        let output = run(&folder, &format!("{grow} {options}"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains(&format!("start positions: {starts}\n")),
            "{said}"
        );
    }
    let nothing = run(
        &folder,
        "book grow plies.book --depth 2 --positions 1 \
                               --games games.wtb --seen 1 --game-plies 0",
    );
    let said = String::from_utf8(nothing.stderr).unwrap();
    assert!(said.contains("start positions: 1, new: 1\n"), "{said}");
    let query = "book query f5d6c3 --book games.book";
    run(&folder, "book grow games.book --positions 5");
    let said = String::from_utf8(run(&folder, query).stdout).unwrap();
    assert!(said.contains("depth 2"), "{said}");
}

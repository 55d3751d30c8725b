//! The Reversi dialogue.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::cases;

const PROGRAM: &str = env!("CARGO_BIN_EXE_reversi");

#[test]
fn own_cases() {
    cases::check_folder(PROGRAM, &cases::own("reversi"), cases::exactly);
}

#[test]
fn outside_cases() {
    if let Some(folder) = cases::outside("reversi") {
        cases::check_folder(PROGRAM, &folder, cases::exactly);
    }
}

/// Somebody who waits for each answer gets it, even with half of the next line sent.
#[test]
fn answers_at_once_in_a_dialogue() {
    let mut child = Command::new(PROGRAM)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut read = |lines| {
        let mut text = String::new();
        for _ in 0..lines {
            stdout.read_line(&mut text).unwrap();
        }
        text
    };
    assert!(read(9).ends_with("--------8\nabcdefgh\n"));
    stdin.write_all(b"e6\n=").unwrap();
    assert!(read(10).starts_with("e6 f4 0\n"));
    stdin.write_all(b"\n").unwrap();
    assert!(read(10).starts_with("= "));
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// A long dialogue of every kind of line, once at once and once byte by byte through
/// the library, gives the same bytes.
#[test]
fn the_way_the_bytes_arrive_does_not_matter() {
    struct Drip<'a>(&'a [u8]);
    impl std::io::Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.len().min(buffer.len()).min(1);
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }
    let input = b"e6\nxx\n=\nc5\n\nd3\nf6\n=\n".repeat(50);
    let mut slow = Vec::new();
    programs::reversi::run(Drip(&input), &mut slow).unwrap();
    assert_eq!(slow, cases::output(PROGRAM, &input));
}

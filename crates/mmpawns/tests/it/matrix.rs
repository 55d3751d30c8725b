//! `matrix.txt`: what is read, what is refused, what is written.

use mmpawns::matrix::{Mark, Matrix};
use rules::Game;

const PLAIN: &str = "A 21 U\n0 2.01\n0 1.9\n--------\n--B-----\n-B------\nB--*----\n\
                     ----*---\nB----A--\n--------\n-A------\n";

#[track_caller]
fn check_same(bytes: &[u8]) {
    let read = Matrix::read(bytes).unwrap();
    let plain = Matrix::read(PLAIN.as_bytes()).unwrap();
    assert_eq!(read.position, plain.position);
    assert_eq!(read.result, plain.result);
    for side in 0..2 {
        assert_eq!(read.accounts[side].seconds, plain.accounts[side].seconds);
    }
}

#[test]
fn reads_with_tolerance() {
    check_same(PLAIN.as_bytes());
    check_same(PLAIN.trim_end().as_bytes());
    check_same(PLAIN.replace('\n', "\r\n").as_bytes());
    check_same(PLAIN.replace(' ', " \t  ").as_bytes());
    check_same(PLAIN.replace('\n', " \n").as_bytes());
    check_same(format!("\u{feff}{PLAIN}\n \r\n").as_bytes());
    check_same(PLAIN.replace('A', "А").replace('B', "В").as_bytes());
    let cp1251: Vec<u8> = PLAIN
        .bytes()
        .map(|c| match c {
            b'A' => 0xc0,
            b'B' => 0xc2,
            c => c,
        })
        .collect();
    check_same(&cp1251);
    check_same(PLAIN.replace("2.01", "20.1e-1").as_bytes());
}

#[test]
fn every_mark_is_read_in_every_script() {
    for (text, mark) in [
        (&b"D"[..], Mark::D),
        ("Д".as_bytes(), Mark::D),
        (b"\xc4", Mark::D),
        ("А".as_bytes(), Mark::A),
        (b"\xc2", Mark::B),
        (b"U", Mark::U),
    ] {
        let bytes = [b"A 21 ", text, &PLAIN.as_bytes()[6..]].concat();
        assert_eq!(Matrix::read(&bytes).unwrap().result, mark);
    }
}

#[test]
fn writes_exactly_and_keeps_the_opponents_line() {
    let text = PLAIN.replace("0 1.9", "  0\t 1.900 ").replace('\n', "\r\n");
    let matrix = Matrix::read(text.as_bytes()).unwrap();
    let mv = matrix.position.parse_move("b8-b7").unwrap();
    let after = matrix.after(mv, 0.79);
    let expected = "B 22 U\n0 1.22\n  0\t 1.900 \n--------\n--B-----\n-B------\nB--*----\n\
                    ----*---\nB----A--\n-A------\n--------\n";
    assert_eq!(String::from_utf8(after.write()).unwrap(), expected);
    let late = matrix.after(mv, 5.0).write();
    assert!(late.starts_with(b"B 22 U\n0 0.00\n"));
}

/// A changed file and the message that it earns.
#[track_caller]
fn check_error(from: &str, to: &str, expected: &str) {
    let text = PLAIN.replacen(from, to, 1);
    assert_ne!(text, PLAIN);
    let error = Matrix::read(text.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_files_say_what_and_where() {
    check_error(
        "A 21",
        "A 22",
        "line 1: half-move 22 is B's, but the player is A",
    );
    check_error("A 21", "C 21", "line 1: player \"C\" is not A or B");
    check_error(
        "21",
        "2.1",
        "line 1: half-move number \"2.1\" is not a number",
    );
    check_error(
        "21",
        "63",
        "line 1: half-move number 63 is not from 1 to 61",
    );
    check_error(
        " U",
        "",
        "line 1: 3 fields are wanted (player, half-move number and result), not 2",
    );
    check_error("U", "X", "line 1: result \"X\" is not A, B, D or U");
    check_error(
        "0 2.01",
        "0",
        "line 2: 2 fields are wanted (score and time of A), not 1",
    );
    check_error("0 2.01", "x 2.01", "line 2: score \"x\" is not a number");
    check_error("1.9", "inf", "line 3: time \"inf\" is not a decimal number");
    check_error("1.9", "1,9", "line 3: time \"1,9\" is not a decimal number");
    check_error(
        "-B------",
        "-B-----",
        "line 6: row \"-B-----\" is not of 8 squares",
    );
    check_error(
        "-B------",
        "-B----- -",
        "line 6: one field is wanted (a row of the board), not 2",
    );
    check_error(
        "B--*",
        "B--#",
        "line 7: '#' in column 4 is not A, B, - or *",
    );
    check_error(
        "\n-A------",
        "",
        "line 11: the file ends before a row of the board",
    );
    check_error(
        "\n-A------",
        "\n-A------\nmore",
        "line 12: \"more\" follows the last row",
    );
    check_error(
        "--------",
        "-A------",
        "line 4: the pawn of A on b1 has reached the far edge before half-move 21",
    );
    check_error(
        "-B------\nB--*----",
        "BBBBBB--\nBB-*----",
        "line 7: B has 10 pawns, more than 8 (the one on b4 is too many)",
    );
    assert_eq!(
        Matrix::read(b"").unwrap_err().to_string(),
        "line 1: the file ends before player, half-move number and result"
    );
}

#[test]
fn the_example_of_the_course() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/conformance/mmpawns"
    );
    let read = |name: &str| std::fs::read(format!("{folder}/{name}.txt"));
    let (Ok(p1), Ok(p2), Ok(p3)) = (read("p1"), read("p2"), read("p3")) else {
        println!("skipped: {folder} is not there");
        return;
    };
    let mut matrix = Matrix::read(&p1).unwrap();
    for (mv, used, expected) in [("b8-b7", 0.79, p2), ("a6xc8", 0.92, p3)] {
        matrix = matrix.after(matrix.position.parse_move(mv).unwrap(), used);
        let written = String::from_utf8(matrix.write()).unwrap();
        let expected = String::from_utf8(expected).unwrap();
        assert_eq!(written.trim_end(), expected.replace('\r', "").trim_end());
    }
}

//! Cases for the Reversi dialogue.

use ::reversi::{Board, Position};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};

use super::case::{Ask, Case, GAMES, LONG, Step, Want};
use super::{dialogues, noise};

/// The right output.
fn expected(input: &[u8]) -> Vec<u8> {
    let mut output = Vec::new();
    programs::reversi::run(input, &mut output).expect("a vector takes every byte");
    output
}

fn case(name: impl Into<String>, rule: &'static str, input: impl Into<Vec<u8>>) -> Case {
    let input = input.into();
    let want = Want::Output(expected(&input));
    Case::stdin(name, rule, input, want)
}

const START: &str = "the diagram of the start is printed first";
const LEGAL: &str = "a legal square: Black moves, White replies";
const PASS: &str = "= is always accepted";
const ELSE: &str = "anything else is answered ? and changes nothing";
const REPLY: &str = "White takes most discs; ties: lowest row, then earliest column";
const LAST: &str = "an unterminated last line is still a command";
const FLUSH: &str = "output is flushed after each diagram";

/// Every row of the document, and games from the seed.
pub(super) fn cases(seed: u64, generated: usize) -> Vec<Case> {
    let mut cases = vec![
        case("empty-input", START, ""),
        case("one-move", LEGAL, "e6\n"),
        case("all-first-moves", LEGAL, "c4\nd3\ne6\nf5\n"),
        case("pass", PASS, "=\n"),
        case("passes", PASS, "=\n=\n=\ne6\n=\n"),
        case("passes-to-the-end", PASS, "=\n".repeat(70)),
        case("unterminated-move", LAST, "e6"),
        case("unterminated-pass", LAST, "e6\n="),
        case("unterminated-nonsense", LAST, "e6\nx"),
    ];
    for (name, line) in [
        ("empty-line", &b""[..]),
        ("blank-after", b"e6 "),
        ("blank-before", b" e6"),
        ("capital", b"E6"),
        ("exchanged", b"6e"),
        ("carriage-return", b"e6\r"),
        ("pass-and-blank", b"= "),
        ("double-pass", b"=="),
        ("nul", b"\0"),
        ("nul-inside", b"e\x006"),
        ("nul-after", b"e6\0"),
        ("taken-square", b"d4"),
        ("flips-nothing", b"a1"),
        ("white-move", b"d6"),
        ("column-outside", b"i6"),
        ("row-zero", b"e0"),
        ("row-nine", b"e9"),
        ("three-characters", b"e66"),
        ("one-character", b"e"),
        ("tab", b"\te6"),
        ("binary", b"\xff\xfe\x80"),
        ("utf-8", "е6".as_bytes()),
        ("two-moves", b"e6 f4"),
        ("word", b"pass"),
    ] {
        let input = [b"c4\n", line, b"\n", line, b"\nd3\n"].concat();
        cases.push(case(format!("nonsense-{name}"), ELSE, input));
    }
    let long = [vec![b'e'; 70_000], b"\ne6\n".to_vec()].concat();
    cases.push(case("nonsense-70000-characters", ELSE, long));
    let long = [b"e6".to_vec(), vec![b' '; 70_000], b"\ne6\n".to_vec()].concat();
    cases.push(case("nonsense-70000-blanks", ELSE, long));
    for (name, lines) in noise::groups() {
        // Nonsense changes nothing: e6 stays legal to the end.
        let input = [lines.join(&b"\n"[..]), b"\ne6\n".to_vec()].concat();
        cases.push(case(format!("nonsense-{name}"), ELSE, input));
    }
    cases.push(case("many-lines", LEGAL, "e6\n=\nx\n".repeat(500)));
    cases.push(case("long-session", LONG, "e6\n=\nx\n".repeat(5000)));
    let long = [vec![b'='; 1_000_000], b"\ne6\n".to_vec()].concat();
    cases.push(case("long-line", LONG, long));
    cases.push(flush());
    for (number, input) in (1..).zip(dialogues::inputs()) {
        cases.push(case(format!("dialogue-{number}"), REPLY, input));
    }
    for (number, input) in (1..).zip(dialogues::extremes()) {
        cases.push(case(format!("extreme-{number}"), REPLY, input));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for number in 1..=generated {
        let nonsense = number % 2 == 0;
        let input = game(&mut rng, nonsense);
        cases.push(case(format!("game-{seed}-{number}"), GAMES, input));
    }
    cases
}

/// A dialogue in which every answer must be there before the next line.
fn flush() -> Case {
    let lines = ["e6\n", "x\n", "=\n", "f4\n"];
    let mut input = Vec::new();
    let mut steps = vec![Step {
        input: Vec::new(),
        until: expected(b"").len(),
    }];
    for line in lines {
        input.extend_from_slice(line.as_bytes());
        steps.push(Step {
            input: line.into(),
            until: expected(&input).len(),
        });
    }
    Case {
        name: "answers-at-once".into(),
        rule: FLUSH,
        ask: Ask::Steps(steps),
        want: Want::Output(expected(&input)),
    }
}

/// A random game of Black to the very end and a little further.
fn game(rng: &mut ChaCha8Rng, nonsense: bool) -> Vec<u8> {
    let mut input: Vec<u8> = Vec::new();
    for _ in 0..70 {
        let board = board_after(&input);
        let moves = Position::new(board, Side::First).moves();
        let squares: Vec<_> = moves.iter().filter_map(|mv| mv.square()).collect();
        if squares.is_empty() || rng.random_range(0..12) == 0 {
            input.extend_from_slice(b"=\n");
            if squares.is_empty() && rng.random_range(0..4) == 0 {
                break;
            }
        } else {
            let square = squares[rng.random_range(0..squares.len())];
            input.extend_from_slice(format!("{square}\n").as_bytes());
        }
        if nonsense && rng.random_range(0..4) == 0 {
            let column = char::from(rng.random_range(b'`'..b'k'));
            let row = char::from(rng.random_range(b'/'..b';'));
            input.extend_from_slice(format!("{column}{row}\n").as_bytes());
        }
    }
    input
}

/// The board that the dialogue shows after this input, Black to move.
fn board_after(input: &[u8]) -> Board {
    let output = String::from_utf8(expected(input)).expect("the dialogue is plain text");
    let lines: Vec<&str> = output.lines().collect();
    dialogues::board_of(&lines[lines.len() - 9..lines.len() - 1])
}

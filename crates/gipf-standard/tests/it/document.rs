//! Every example of `docs/gipf-rules.md` holds.
//!
//! A block of language `gipf` begins with a position. Each further line is one of
//! `MOVE -> POSITION`, `TEXT means MOVE`, `not TEXT: REASON`, `result RESULT`, `moves NUMBER`.

use gipf_standard::Position;
use rules::{Game, MoveError, Outcome};

const DOCUMENT: &str = include_str!("../../../../docs/gipf-rules.md");

/// The blocks, each with the number of its first line.
fn blocks() -> Vec<Vec<(usize, &'static str)>> {
    let mut blocks = Vec::new();
    let mut open = false;
    for (number, line) in DOCUMENT.lines().enumerate() {
        match line.trim() {
            "```gipf" => {
                open = true;
                blocks.push(Vec::new());
            }
            "```" => open = false,
            line if open => blocks.last_mut().unwrap().push((number + 1, line)),
            _ => {}
        }
    }
    blocks
}

fn result(position: &Position) -> &'static str {
    match position.outcome() {
        None => "none",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Win(side)) => Position::side_name(side),
    }
}

fn check(position: &Position, line: &str) {
    if let Some(expected) = line.strip_prefix("result ") {
        assert_eq!(result(position), expected);
    } else if let Some(expected) = line.strip_prefix("moves ") {
        assert_eq!(position.count_moves().to_string(), expected);
    } else if let Some(bad) = line.strip_prefix("not ") {
        let (text, expected) = bad.split_once(": ").expect("a reason");
        let reason = match position.parse_move(text).expect_err(text) {
            MoveError::Unreadable { reason, .. } | MoveError::Illegal { reason, .. } => reason,
        };
        assert_eq!(reason, expected);
    } else if let Some((text, expected)) = line.split_once(" means ") {
        let mv = position.parse_move(text).unwrap();
        assert_eq!(position.move_text(mv), expected);
    } else {
        let (text, expected) = line.split_once(" -> ").expect("a known kind of line");
        let mv = position.parse_move(text).unwrap();
        assert_eq!(position.move_text(mv), text);
        let mut next = *position;
        next.play(mv).unwrap();
        assert_eq!(next.to_string(), expected);
        assert_eq!(expected.parse(), Ok(next));
    }
}

#[test]
fn every_example_of_the_rules_holds() {
    let blocks = blocks();
    assert!(blocks.len() >= 20, "only {} examples", blocks.len());
    let mut failed = Vec::new();
    for block in blocks {
        let ((number, first), rest) = block.split_first().expect("no empty example");
        let position: Position = first
            .parse()
            .unwrap_or_else(|error| panic!("line {number}: {first}: {error}"));
        for (number, line) in rest {
            let checked = std::panic::catch_unwind(|| check(&position, line));
            if checked.is_err() {
                failed.push(format!("line {number}: {line}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

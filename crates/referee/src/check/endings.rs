//! Positions of GIPF in the last moves of a game, on boards of several sizes: whoever looks ahead
//! with a wrong rule gets them wrong. Few positions can follow, so that every search gets to the
//! end.

use std::fmt::Write;

use super::case::Case;
use super::gipf::{SOLVE, WINNING, case};

/// The boards, their lines divided by strokes, as the test `find_endings` of the mutants finds them.
const FOUND: &str = include_str!("endings.txt");

/// Every board is solved, and asked for wins in so many plies.
pub(super) fn cases() -> Vec<Case> {
    (1..)
        .zip(FOUND.lines())
        .flat_map(|(number, board)| of(&number.to_string(), &board.replace('/', "\n")))
        .collect()
}

/// The boards as positions.
#[cfg(test)]
pub(super) fn positions() -> Vec<::gipf::Position> {
    let boards = FOUND.lines().map(|board| {
        let lines: Vec<&str> = board.split('/').collect();
        ::gipf::text::load(lines[0], lines[1], &lines[2..])
    });
    boards.filter_map(Result::ok).collect()
}

/// How far ahead wins are asked for: not so far that it is slow on any board.
const PLIES: u32 = 4;

/// The cases of one board.
pub(super) fn of(name: &str, board: &str) -> [Case; 2] {
    let load = format!("LOAD_GAME_BOARD\n{}\n", board.trim_end());
    let mut sequences = load.clone();
    for most in 1..=PLIES {
        let _ = writeln!(sequences, "WINNING_SEQUENCE_EXIST {most}");
    }
    [
        case(format!("winning-ending-{name}"), WINNING, sequences),
        case(
            format!("solve-ending-{name}"),
            SOLVE,
            format!("{load}SOLVE_GAME_STATE\n"),
        ),
    ]
}

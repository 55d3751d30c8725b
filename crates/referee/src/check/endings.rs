//! Positions of GIPF in the last moves of a game, on boards of several sizes: whoever looks ahead
//! with a wrong rule gets them wrong. Few positions can follow, so that every search gets to the
//! end.

use std::fmt::Write;

use super::case::Case;
use super::gipf::{SOLVE, WINNING, case};

/// The boards, their lines divided by strokes, as `cargo xtask endings` finds them.
const FOUND: &str = include_str!("endings.txt");

/// Boards that are nearly full, or on which many positions can follow, so that only wins are asked
/// for, in at most so many plies: one that is won in one move or, by a move that comes before it, in
/// three; boards on which a choice is followed by one more row, with which the game goes on; and one
/// on which the mover's row saves it if that comes off before the opponent's.
const SHORT: [(&str, u32); 4] = [
    ("2 3 40 40/3 1 W/W W/B _ W/W B", 4),
    ("3 3 40 40/1 0 W/W W B/B B W W/B B _ B W/W W B B/B W B", 2),
    ("3 3 40 40/0 1 B/W W B/B W W B/W B _ B W/B W W B/B W B", 2),
    ("3 3 40 40/1 1 B/_ W _/_ W B _/W _ _ B _/W _ W W/B _ _", 2),
];

/// Every board is solved, and asked for wins in so many plies.
pub(super) fn cases() -> Vec<Case> {
    let found = (1..).zip(FOUND.lines());
    let found =
        found.flat_map(|(number, board)| of(&number.to_string(), &board.replace('/', "\n")));
    let short = (1..).zip(SHORT).map(|(number, (board, plies))| {
        wins(&format!("short-{number}"), &board.replace('/', "\n"), plies)
    });
    found.chain(short).collect()
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

/// Wins on one board in so many plies.
fn wins(name: &str, board: &str, plies: u32) -> Case {
    let mut input = format!("LOAD_GAME_BOARD\n{}\n", board.trim_end());
    for most in 1..=plies {
        let _ = writeln!(input, "WINNING_SEQUENCE_EXIST {most}");
    }
    case(format!("winning-ending-{name}"), WINNING, input)
}

/// The cases of one board.
pub(super) fn of(name: &str, board: &str) -> [Case; 2] {
    let load = format!("LOAD_GAME_BOARD\n{}\n", board.trim_end());
    [
        wins(name, board, PLIES),
        case(
            format!("solve-ending-{name}"),
            SOLVE,
            format!("{load}SOLVE_GAME_STATE\n"),
        ),
    ]
}

//! The kit, the twin and the text forms of MMPawns.

mod matrix;
mod twin;

use mmpawns::Position;
use rules::kit::{self, Effort};
use rules::{Game, Outcome, Side};

const EFFORT: Effort = Effort {
    games: 60,
    longest: 60,
    must_end: true,
    seed: 4,
};

/// Fields with and without holes, symmetric and not, early and late, one pawn to eight.
fn starts() -> Vec<Position> {
    include_str!("../data/starts.txt")
        .lines()
        .map(|line| line.parse().unwrap_or_else(|e| panic!("{line}: {e}")))
        .collect()
}

#[test]
fn laws_of_a_game() {
    kit::check_game(&starts(), EFFORT);
    kit::check_illegal(&starts(), EFFORT);
    kit::check_hash(&starts(), EFFORT);
}

#[test]
fn symmetries() {
    let starts = starts();
    kit::check_symmetry(&starts, EFFORT);
    let count = |n| {
        let same = |p: &&Position| rules::Symmetric::symmetries(*p) == n;
        starts.iter().filter(same).count()
    };
    assert!(count(1) > 0 && count(2) > 0);
}

#[test]
fn agrees_with_the_slow_twin() {
    kit::check_twin::<Position, twin::Twin>(&starts(), EFFORT);
}

#[test]
fn perft() {
    kit::check_perft::<Position>(include_str!("../data/perft.txt"), 5_000_000);
}

#[track_caller]
fn check_outcome(text: &str, expected: Option<Outcome>) {
    let position: Position = text.parse().unwrap();
    assert_eq!(position.outcome(), expected);
}

#[test]
fn the_stuck_player_wins_before_anything_else() {
    let (a, b) = (Outcome::Win(Side::First), Outcome::Win(Side::Second));
    let empty = "/--------/--------/--------/--------/--------/--------";
    // No pawn left, blocked, blocked although the opponent has arrived.
    check_outcome(&format!("A 9 --------/-B------{empty}"), Some(a));
    check_outcome(&format!("B 8 --------/-A------{empty}"), Some(b));
    check_outcome(&format!("A 9 ****----/-A------{empty}"), Some(a));
    check_outcome(&format!("B 8 -A------/--------{empty}"), Some(b));
    // Arrived, with a move left for the other; plies used up, and not quite.
    check_outcome(&format!("B 8 -A-B----/--------{empty}"), Some(a));
    check_outcome(
        &format!("A 61 ---B----/-A------{empty}"),
        Some(Outcome::Draw),
    );
    check_outcome(&format!("B 60 ---B----/-A------{empty}"), None);
}

#[track_caller]
fn check_position_error(text: &str, expected: &str) {
    let error = text.parse::<Position>().unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_positions_say_what_and_where() {
    let rest = "/--------".repeat(7);
    check_position_error(
        "A 1",
        "3 fields are wanted (player, half-move number, board), not 2",
    );
    check_position_error("C 1 -", "player \"C\" is not A or B");
    check_position_error("A x -", "half-move number \"x\" is not a number");
    check_position_error("A +1 -", "half-move number \"+1\" is not a number");
    check_position_error("A 2 -", "half-move 2 is B's, but the player is A");
    check_position_error("A 1 -/-", "2 rows, not 8");
    check_position_error(
        &format!("A 1 -------{rest}"),
        "row 1: row \"-------\" is not of 8 squares",
    );
    check_position_error(
        &format!("A 1 ---C----{rest}"),
        "row 1: 'C' in column 4 is not A, B, - or *",
    );
    check_position_error(
        &format!("B 62 --------{rest}"),
        "half-move number 62 is not from 1 to 61",
    );
    check_position_error(
        &format!("B 0 --------{rest}"),
        "half-move number 0 is not from 1 to 61",
    );
    check_position_error(
        &format!("A 1 BBBBBBBB/-B------{}", &rest[9..]),
        "B has 9 pawns, more than 8 (the one on b2 is too many)",
    );
    check_position_error(
        &format!("A 3 --A-----{rest}"),
        "the pawn of A on c1 has reached the far edge before half-move 3",
    );
    check_position_error(
        &format!("B 4 --A--A--{rest}"),
        "the pawn of A on f1 has reached the far edge before half-move 4",
    );
    check_position_error(
        &format!("A 1 --------{}/------B-", &rest[9..]),
        "the pawn of B on g8 has reached the far edge before half-move 1",
    );
}

#[track_caller]
fn check_move_error(text: &str, expected: &str) {
    let position = "A 21 --------/--B-----/-B------/B--*----/----*---/B----A--/--------/-A------";
    let position: Position = position.parse().unwrap();
    let error = position.parse_move(text).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_moves_say_why() {
    let general = "a pawn goes one square ahead, straight or diagonally, or jumps";
    check_move_error(
        "b8",
        "\"b8\" is not a move: two squares like b8-b7 are wanted",
    );
    check_move_error(
        "bß",
        "\"bß\" is not a move: two squares like b8-b7 are wanted",
    );
    check_move_error("c2-c3", "illegal move c2-c3 (no pawn of A stands on c2)");
    check_move_error("f6-e5", "illegal move f6-e5 (e5 is not part of the field)");
    check_move_error("b8-a6", "illegal move b8-a6 (a6 is taken)");
    check_move_error(
        "b8xb6",
        "illegal move b8xb6 (there is no enemy pawn to jump over)",
    );
    check_move_error("f6-f7", &format!("illegal move f6-f7 ({general})"));
    check_move_error("f6-h5", &format!("illegal move f6-h5 ({general})"));
}

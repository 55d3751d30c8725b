//! The kit, the twin and the text forms of Reversi.

mod notation;
mod twin;
mod wthor;

use reversi::Position;
use rules::kit::{self, Effort};
use rules::{Game, Outcome, Side};

const EFFORT: Effort = Effort {
    games: 200,
    longest: 130,
    must_end: true,
    seed: 7,
};

#[test]
fn laws_of_a_game() {
    kit::check_game(&[Position::start()], EFFORT);
    kit::check_illegal(&[Position::start()], EFFORT);
    kit::check_hash(&[Position::start()], EFFORT);
}

#[test]
fn symmetries() {
    kit::check_symmetry(
        &[Position::start()],
        Effort {
            games: 20,
            ..EFFORT
        },
    );
}

#[test]
fn agrees_with_the_slow_twin() {
    kit::check_twin::<Position, twin::Twin>(&[Position::start()], EFFORT);
}

#[test]
fn perft() {
    kit::check_perft::<Position>(include_str!("../data/perft.txt"), 30_000_000);
}

#[track_caller]
fn check_position_error(text: &str, expected: &str) {
    let error = text.parse::<Position>().unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_positions_say_what_and_where() {
    let dashes = "-".repeat(64);
    check_position_error("", "0 squares, not 64");
    check_position_error(&dashes[1..], "63 squares, not 64");
    check_position_error(
        &dashes,
        "the side to move (X or O) is missing after the 64 squares",
    );
    check_position_error(&format!("{dashes} -"), "character 66 is '-', not X, O or -");
    check_position_error("--?", "character 3 is '?', not X, O or -");
    check_position_error(
        &format!("{dashes} X X"),
        "more than 64 squares and the side to move",
    );
}

#[track_caller]
fn check_move_error(text: &str, expected: &str) {
    let error = Position::start().parse_move(text).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn bad_moves_say_why() {
    check_move_error("d4", "illegal move d4 (the square is taken)");
    check_move_error("a1", "illegal move a1 (not adjacent to a white disc)");
    check_move_error("c3", "illegal move c3 (turns over no white disc)");
    check_move_error("pass", "illegal move pass (there are squares to play on)");
    check_move_error(
        "z9",
        "\"z9\" is not a move: a square a1 to h8 or pass is wanted",
    );
}

#[test]
fn a_wiped_out_side_loses() {
    let text = format!("{} O", "X".repeat(10) + &"-".repeat(54));
    let position: Position = text.parse().unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
}

#[test]
#[should_panic(expected = "both players have a disc on the same square")]
fn discs_do_not_overlap() {
    let (own, other) = (reversi::Discs(0b11), reversi::Discs(0b10));
    let _ = Position::new(reversi::Board { own, other }, rules::Side::First);
}

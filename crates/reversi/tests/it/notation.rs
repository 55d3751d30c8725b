//! Forms of other people, read and written.

use reversi::notation::{self, ggf, obf, transcript};
use reversi::{Move, Position};
use rules::kit::{self, Effort};
use rules::{Game, Side};

#[track_caller]
fn check(text: &str, moves: usize, last: &str) {
    let records = notation::read(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].moves.len(), moves);
    assert_eq!(records[0].last().to_string(), last);
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(notation::read(text).unwrap_err().to_string(), expected);
}

const AFTER_F5D6: &str = "---------------------------OX------OXX-----O-------------------- X";

#[test]
fn transcripts_in_every_dress() {
    for text in [
        "f5d6",
        "F5D6",
        "f5 d6",
        "1. f5 d6",
        "1.f5 2.d6",
        "1) f5, d6",
        " F5\nd6\n",
    ] {
        check(text, 2, AFTER_F5D6);
    }
}

#[test]
fn boards_and_obf() {
    let board = Position::start().to_string();
    check(&board, 0, &board);
    check("start", 0, &board);
    check(&board.replace('X', "*"), 0, &board);
    let rows: Vec<&str> = (0..8).map(|row| &board[row * 8..row * 8 + 8]).collect();
    check(&(rows.join("\n") + "\nX"), 0, &board);
    check(&format!("{board}; d3:+2; c4:-6; % best"), 0, &board);
    let entry = &obf::read(&format!("% comment\n{board}; d3:+2; c4:-6;\n")).unwrap()[0];
    assert_eq!(obf::write(entry), format!("{board}; d3:+2; c4:-6;"));
}

#[test]
fn ggf_with_names_values_and_left_out_passes() {
    let text = "1 (;GM[Othello]PC[GGS/os]DT[2003-12-15 13:24:03 MST]PB[Saio1200]PW[Saio3000]RB[2197.01]RE[-64.000]TI[05:00//02:00]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[d3//0.01]W[c5/-1.2/0.3];)";
    let record = &ggf::read(text).unwrap()[0];
    assert_eq!(record.black.as_deref(), Some("Saio1200"));
    assert_eq!(
        record.event.as_deref(),
        Some("GGS/os, 2003-12-15 13:24:03 MST")
    );
    assert_eq!(record.moves.len(), 2);
    check(text, 2, &record.last().to_string());
}

#[test]
fn what_is_wrong_is_said() {
    check_error(
        "",
        "nothing to read: a board, a transcript, GGF or OBF is wanted",
    );
    check_error("f5f5", "move 2: illegal move f5 (the square is taken)");
    check_error(
        "f5é6",
        "move 2: \"é6\" is not a move: a square a1 to h8 or pass is wanted",
    );
    check_error("(;GM[Othello]B[d3]", "ggf: the game does not end in ;)");
    check_error("(;GM[Chess];)", "ggf: \"Chess\" is not Othello");
    check_error("(;GM[Othello]TY[10];)", "ggf: board type \"10\" is not 8");
    check_error(
        "(;GM[Othello]W[d3];)",
        "ggf: move 1: \"d3\" is given to White, whose turn it is not",
    );
    check_error("--------\n--------", "board: 16 squares, not 64");
    check_error(
        &format!("{}; z9:+1;", Position::start()),
        "line 1: move 1: \"z9\" is not a move: a square a1 to h8 or pass is wanted",
    );
    // Comments and blank lines count as lines.
    check_error(
        &format!("% one\n\n% two\n{}; z9:+1;", Position::start()),
        "line 4: move 1: \"z9\" is not a move: a square a1 to h8 or pass is wanted",
    );
    check_error(
        "% one\nf5d6\n\nf5f6\n% two\nf5f5",
        "line 6: move 2: illegal move f5 (the square is taken)",
    );
}

/// Whole random games, passes among them, survive each form.
#[test]
fn games_survive_writing_and_reading() {
    let effort = Effort {
        games: 60,
        longest: 130,
        must_end: true,
        seed: 3,
    };
    let mut record = notation::Record::new(Position::start());
    record.black = Some("a [b]".into());
    let mut games = 0;
    let mut passes = 0;
    let mut last = record.start;
    kit::walk(&[Position::start()], effort, |position| {
        if *position == Position::start() {
            record.moves.clear();
        } else {
            let mv = last.moves().into_iter().find(|&mv| {
                let mut next = last;
                next.play_unchecked(mv);
                next == *position
            });
            record.moves.push(mv.unwrap());
        }
        last = *position;
        if position.outcome().is_some() {
            games += 1;
            passes += record.moves.iter().filter(|&&mv| mv == Move::PASS).count();
            let again = &notation::read(&ggf::write(&record)).unwrap()[0];
            assert_eq!((again.start, &again.moves), (record.start, &record.moves));
            let again = notation::read(&transcript::write(&record)).unwrap();
            assert_eq!(again[0].moves, record.moves);
            assert_eq!(
                again[0].last().discs(Side::First),
                position.discs(Side::First)
            );
        }
    });
    assert!(games == 60 && passes > 0);
}

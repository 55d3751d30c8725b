//! Cases for the GIPF interpreter.

use std::fmt::Write;

use ::gipf::{Position, Variant, text};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;

use super::case::{Case, Want};

/// The right output.
fn expected(input: &str) -> Vec<u8> {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let options = programs::gipf::Options::default();
    let end = programs::gipf::run(input.as_bytes(), &mut output, &mut errors, options);
    debug_assert!(end.is_ok(), "a vector takes every byte");
    output
}

fn case(name: impl Into<String>, rule: &'static str, input: impl Into<String>) -> Case {
    let input = input.into();
    let want = Want::Lines(expected(&input));
    Case::stdin(name, rule, input, want)
}

const LOAD: &str = "LOAD_GAME_BOARD";
const PRINT: &str = "PRINT_GAME_BOARD";
const MOVE: &str = "DO_MOVE and its errors, in their order";
const CHOICE: &str = "DO_MOVE with a choice of rows";
const STATE: &str = "PRINT_GAME_STATE and IS_GAME_OVER";
const GENERATE: &str = "GEN_ALL_POS_MOV and its relatives, in their order";
const WINNING: &str = "WINNING_SEQUENCE_EXIST";
const SOLVE: &str = "SOLVE_GAME_STATE";
const EMPTY: &str = "commands that need a board answer EMPTY_BOARD without one";
const LINES: &str = "blank lines are skipped, trailing blanks and CR ignored";

/// The original game at its start.
const START: &str = "LOAD_GAME_BOARD\n4 4 15 15\n12 12 W\n   W _ _ B\n  _ _ _ _ _\n \
                     _ _ _ _ _ _\nB _ _ _ _ _ W\n _ _ _ _ _ _\n  _ _ _ _ _\n   W _ _ B\n";
/// A small board on which everything can be solved.
const SMALL: &str = "LOAD_GAME_BOARD\n2 3 5 5\n2 2 W\n W B\nB _ W\n W B\n";

/// Every row of the document, and games from the seed.
pub(super) fn cases(seed: u64, generated: usize) -> Vec<Case> {
    let mut cases = loads();
    cases.push(case("print", PRINT, format!("{START}PRINT_GAME_BOARD\n")));
    cases.push(case(
        "print-small",
        PRINT,
        format!("{SMALL}PRINT_GAME_BOARD\nPRINT_GAME_BOARD\n"),
    ));
    let all = "PRINT_GAME_BOARD\nPRINT_GAME_STATE\nIS_GAME_OVER\nGEN_ALL_POS_MOV\n\
               GEN_ALL_POS_MOV_NUM\nGEN_ALL_POS_MOV_EXT\nGEN_ALL_POS_MOV_EXT_NUM\n\
               DO_MOVE a1-b2\nWINNING_SEQUENCE_EXIST 2\nSOLVE_GAME_STATE\n";
    cases.push(case("no-board", EMPTY, all));
    cases.push(case("everything", GENERATE, format!("{SMALL}{all}")));
    cases.push(case(
        "blank-lines",
        LINES,
        format!("\n\n{SMALL}\n\nPRINT_GAME_BOARD  \n\n"),
    ));
    cases.push(case(
        "carriage-returns",
        LINES,
        format!("{SMALL}PRINT_GAME_BOARD\n").replace('\n', "\r\n"),
    ));
    cases.push(case(
        "unknown-command",
        "an unknown command is reported on standard error, and on with the next line",
        format!("{SMALL}DANCE now\nPRINT_GAME_BOARD\n"),
    ));
    cases.extend(moves());
    cases.extend(states());
    for (name, command) in [
        ("positions", "GEN_ALL_POS_MOV"),
        ("number", "GEN_ALL_POS_MOV_NUM"),
        ("ext", "GEN_ALL_POS_MOV_EXT"),
        ("ext-number", "GEN_ALL_POS_MOV_EXT_NUM"),
    ] {
        cases.push(case(
            format!("generate-{name}"),
            GENERATE,
            format!("{START}{command}\n"),
        ));
        cases.push(case(
            format!("generate-{name}-small"),
            GENERATE,
            format!("{SMALL}{command}\n"),
        ));
    }
    for half_moves in 1..=5 {
        let input = format!("{SMALL}WINNING_SEQUENCE_EXIST {half_moves}\n");
        cases.push(case(format!("winning-in-{half_moves}"), WINNING, input));
    }
    cases.push(case(
        "solve-small",
        SOLVE,
        format!("{SMALL}SOLVE_GAME_STATE\n"),
    ));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for number in 1..=generated {
        let input = game(&mut rng);
        cases.push(case(format!("game-{seed}-{number}"), MOVE, input));
    }
    cases
}

/// Boards that load, and boards that do not.
fn loads() -> Vec<Case> {
    let small = |reserves: &str, rows: &str| {
        let rows = rows.replace('/', "\n");
        format!("LOAD_GAME_BOARD\n2 3 5 5\n{reserves}\n{rows}\nPRINT_GAME_BOARD\n")
    };
    let list = [
        ("right", small("2 2 W", " W B/B _ W/ W B")),
        ("black-to-move", small("2 2 B", " W B/B _ W/ W B")),
        ("without-indentation", small("2 2 W", "W B/B _ W/W B")),
        ("trailing-blanks", small("2 2 W", " W B   /B _ W  / W B  ")),
        ("stones-lost", small("1 0 W", " W B/B _ W/ W B")),
        ("short-row", small("2 2 W", " W B/B W/ W B")),
        ("long-row", small("2 2 W", " W B/B _ W/ W B _")),
        ("missing-row", small("2 2 W", " W B/B _ W")),
        ("extra-row", small("2 2 W", " W B/B _ W/ W B/ _ _")),
        ("too-many-white", small("3 2 W", " W B/B _ W/ W B")),
        ("too-many-black", small("2 3 W", " W B/B _ W/ W B")),
        ("too-many-both", small("3 3 W", " W B/B _ W/ W B")),
        (
            "one-row",
            small("2 2 W", " W _/W W W/ _ B").replace("2 3 5 5", "2 3 9 9"),
        ),
        (
            "two-rows",
            small("2 2 W", " W B/W W B/ W B").replace("2 3 5 5", "2 2 9 9"),
        ),
        (
            "extra-word",
            small("2 2 W", " W B/B _ W/ W B").replace("2 3 5 5", "2 3 5 5 W"),
        ),
        (
            "error-unloads",
            format!("{SMALL}{}", small("9 2 W", " W B/B _ W/ W B")),
        ),
    ];
    let mut cases: Vec<Case> = list
        .into_iter()
        .map(|(name, input)| case(format!("load-{name}"), LOAD, input))
        .collect();
    for size in 2..=5_u8 {
        if let Ok(variant) = Variant::new(size, 4.min(2 * size - 1), 18, 18) {
            let input = format!(
                "LOAD_GAME_BOARD\n{}PRINT_GAME_BOARD\nGEN_ALL_POS_MOV_NUM\n",
                text::print(&Position::start(variant))
            );
            cases.push(case(format!("load-size-{size}"), LOAD, input));
        }
    }
    cases
}

/// Moves that are made, and every way not to make one.
fn moves() -> Vec<Case> {
    let with = |moves: &str| {
        let mut input = String::from(START);
        for mv in moves.split(';') {
            let _ = writeln!(
                input,
                "DO_MOVE {}\nPRINT_GAME_STATE\nPRINT_GAME_BOARD",
                mv.trim()
            );
        }
        input
    };
    let list = [
        ("right", MOVE, "a1-b2; a4-b4; e9-e8"),
        (
            "wrong-index",
            MOVE,
            "z1-b2; a1-z2; a9-b2; a0-b1; 11-22; b-a; x1-y2",
        ),
        ("wrong-start", MOVE, "b2-c3; e5-e6"),
        ("wrong-destination", MOVE, "a1-a2; a1-b1"),
        ("wrong-direction", MOVE, "a1-e5; a1-b5"),
        ("order-of-errors", MOVE, "z1-z2; b2-a1; b2-z9; d4-d4"),
        ("choice-without-need", CHOICE, "a1-b2 w: b2 c3; a1-b2"),
        ("choice-of-wrong-colour", CHOICE, "a1-b2 b: b2 c3"),
        ("after-an-error", MOVE, "z1-z2; a1-b2"),
    ];
    let mut cases: Vec<Case> = list
        .into_iter()
        .map(|(name, rule, moves)| case(format!("move-{name}"), rule, with(moves)))
        .collect();
    let full = "LOAD_GAME_BOARD\n2 3 9 9\n4 4 W\n W B\nB W W\n W _\nDO_MOVE a2-b3\nDO_MOVE a1-b2\n\
                DO_MOVE c5-c4\nPRINT_GAME_STATE\nPRINT_GAME_BOARD\n";
    cases.push(case("move-full-line", MOVE, full));
    cases
}

/// Games that are over, and games that are not.
fn states() -> Vec<Case> {
    let state = "PRINT_GAME_STATE\nIS_GAME_OVER\nGEN_ALL_POS_MOV_NUM\nGEN_ALL_POS_MOV\n";
    let small = |reserves: &str, rows: &str| {
        let rows = rows.replace('/', "\n");
        format!("LOAD_GAME_BOARD\n2 3 9 9\n{reserves}\n{rows}\n{state}")
    };
    let list = [
        ("going-on", small("2 2 W", " W B/B _ W/ W B")),
        ("white-has-nothing", small("0 2 W", " W B/B _ W/ W B")),
        ("black-has-nothing", small("2 0 B", " W B/B _ W/ W B")),
        (
            "only-the-other-has-nothing",
            small("2 0 W", " W B/B _ W/ W B"),
        ),
        ("dead-lock-white", small("2 2 W", " W B/B W W/ W B")),
        ("dead-lock-black", small("2 2 B", " W B/B W W/ W B")),
    ];
    list.into_iter()
        .map(|(name, input)| case(format!("state-{name}"), STATE, input))
        .collect()
}

/// A random game of a random variant, with questions on the way.
fn game(rng: &mut ChaCha8Rng) -> String {
    let size = rng.random_range(2..=4_u8);
    let run = rng.random_range(3..=4.min(2 * size - 1));
    let stones = rng.random_range(6..=15);
    let Ok(variant) = Variant::new(size, run, stones, stones) else {
        return SMALL.into();
    };
    let mut position = Position::start(variant);
    let mut input = format!("LOAD_GAME_BOARD\n{}", text::print(&position));
    for _ in 0..rng.random_range(5..40) {
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        let _ = writeln!(input, "DO_MOVE {}", position.move_text(mv));
        position.play_unchecked(mv);
        let question = [
            "PRINT_GAME_BOARD",
            "PRINT_GAME_STATE",
            "IS_GAME_OVER",
            "GEN_ALL_POS_MOV_NUM",
            "GEN_ALL_POS_MOV",
            "GEN_ALL_POS_MOV_EXT",
            "WINNING_SEQUENCE_EXIST 1",
        ];
        let _ = writeln!(input, "{}", question[rng.random_range(0..question.len())]);
    }
    input.push_str("PRINT_GAME_BOARD\nPRINT_GAME_STATE\n");
    input
}

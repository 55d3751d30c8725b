//! Cases for the GIPF interpreter.

use std::fmt::Write;

use ::gipf::{Position, Variant, text};
use programs::gipf::End;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;

use super::boards;
use super::case::{Case, GAMES, LONG, Want};
use super::slides::{self, Session};
use super::{choices, endings, rounds, stretches};

/// What the right program makes of an input: all of standard output, and how it ends.
pub(super) fn run(input: &str) -> (Vec<u8>, End) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let options = programs::gipf::Options::default();
    let end = programs::gipf::run(input.as_bytes(), &mut output, &mut errors, options);
    (output, end.unwrap_or(End::Complete))
}

pub(super) fn case(name: impl Into<String>, rule: &'static str, input: impl Into<String>) -> Case {
    let input = input.into();
    let want = Want::Output(run(&input).0);
    Case::stdin(name, rule, input, want)
}

pub(super) const LOAD: &str = "LOAD_GAME_BOARD";
const PRINT: &str = "PRINT_GAME_BOARD";
pub(super) const MOVE: &str = "DO_MOVE and its errors, in their order";
const SLIDE: &str = "a stone is pushed in, and others along the line";
const REMOVE: &str = "rows are taken off with their stretches";
pub(super) const CHOICE: &str = "DO_MOVE with a choice of rows";
const STATE: &str = "PRINT_GAME_STATE and IS_GAME_OVER";
pub(super) const GENERATE: &str = "GEN_ALL_POS_MOV and its relatives, in their order";
pub(super) const WINNING: &str = "WINNING_SEQUENCE_EXIST";
pub(super) const SOLVE: &str = "SOLVE_GAME_STATE";
pub(super) const UNKNOWN: &str =
    "an unknown command is reported on standard error, and on with the next line";
pub(super) const UNFINISHED: &str =
    "end of input in the middle of a board: standard error and status 2";
pub(super) const EMPTY: &str = "commands that need a board answer EMPTY_BOARD without one";
pub(super) const LINES: &str = "blank lines are skipped, trailing blanks and CR ignored";

/// The original game at its start.
pub(super) const START: &str = "LOAD_GAME_BOARD\n4 4 15 15\n12 12 W\n   W _ _ B\n  _ _ _ _ _\n \
                     _ _ _ _ _ _\nB _ _ _ _ _ W\n _ _ _ _ _ _\n  _ _ _ _ _\n   W _ _ B\n";
/// A small board on which everything can be solved.
pub(super) const SMALL: &str = "LOAD_GAME_BOARD\n2 3 5 5\n2 2 W\n W B\nB _ W\n W B\n";

/// Every row of the document, and games from the seed.
pub(super) fn cases(seed: u64, generated: usize) -> Vec<Case> {
    let mut cases = boards::cases();
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
        "blank-lines-inside-a-board",
        LINES,
        format!("{}PRINT_GAME_BOARD\n", SMALL.replace('\n', "\n\n")),
    ));
    cases.push(case(
        "carriage-returns",
        LINES,
        format!("{SMALL}PRINT_GAME_BOARD\n").replace('\n', "\r\n"),
    ));
    // A line of blanks is a blank line.
    cases.push(case(
        "lines-of-blanks",
        LINES,
        format!(
            "  \n{}\r\nPRINT_GAME_BOARD \r\n   \nIS_GAME_OVER\n \n",
            SMALL.replace('\n', "  \n  \n")
        ),
    ));
    for (name, input) in [
        (
            "command",
            format!("{START}PRINT_GAME_BOARD\nDO_MOVE a1-b2\nPRINT_GAME_STATE"),
        ),
        (
            "board",
            format!("{SMALL}IS_GAME_OVER\n{}", START.trim_end()),
        ),
        ("move", format!("{SMALL}DO_MOVE a1-z9\nDO_MOVE a1-b2")),
    ] {
        cases.push(case(format!("unterminated-{name}"), LINES, input));
    }
    cases.extend(complaints());
    cases.extend(moves());
    let removals = [
        slides::removals(),
        vec![slides::double_rows()],
        stretches::large(),
    ];
    for (rule, sessions) in [
        (SLIDE, slides::slides()),
        (REMOVE, removals.concat()),
        (CHOICE, stretches::named()),
    ] {
        cases.extend(
            sessions
                .into_iter()
                .map(|Session { name, input }| case(name, rule, input)),
        );
    }
    cases.extend(choices::cases());
    cases.extend(rounds::cases());
    cases.extend(long());
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
    cases.extend(solutions());
    cases.extend(endings::cases());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for number in 1..=generated {
        let input = game(&mut rng);
        cases.push(case(format!("game-{seed}-{number}"), GAMES, input));
    }
    cases
}

/// What is said on standard error.
fn complaints() -> Vec<Case> {
    let complaint = |name: &str, rule, input: String, errors, status| {
        let want = Want::Complaint {
            output: run(&input).0,
            errors,
            status,
        };
        Case::stdin(name, rule, input, want)
    };
    // A command that only begins like a known one, or ends too early.
    let similar = |line: &str, errors| {
        let word = line.split(' ').next().unwrap_or_default();
        let name = format!(
            "unknown-command-{}",
            word.to_lowercase().replace('?', "-asked")
        );
        let input = format!("{SMALL}{line}\nPRINT_GAME_BOARD\n");
        complaint(&name, UNKNOWN, input, Some(errors), 0)
    };
    let unfinished = |name: &str, input: &str| complaint(name, UNFINISHED, input.into(), None, 2);
    vec![
        complaint(
            "unknown-command",
            UNKNOWN,
            format!("{SMALL}DANCE now\nPRINT_GAME_BOARD\n"),
            Some("UNKNOWN_COMMAND DANCE"),
            0,
        ),
        complaint(
            "unknown-command-without-board",
            UNKNOWN,
            "print_game_board\nPRINT_GAME_BOARD\n".into(),
            Some("UNKNOWN_COMMAND print_game_board"),
            0,
        ),
        similar("PRINT_GAME_BOARDS", "UNKNOWN_COMMAND PRINT_GAME_BOARDS"),
        similar("PRINT_GAME", "UNKNOWN_COMMAND PRINT_GAME"),
        similar("DO_MOVES a1-b2", "UNKNOWN_COMMAND DO_MOVES"),
        similar(
            "GEN_ALL_POS_MOV_NUMBER",
            "UNKNOWN_COMMAND GEN_ALL_POS_MOV_NUMBER",
        ),
        similar(
            "GEN_ALL_POS_MOV_EXTRA",
            "UNKNOWN_COMMAND GEN_ALL_POS_MOV_EXTRA",
        ),
        similar("IS_GAME_OVER?", "UNKNOWN_COMMAND IS_GAME_OVER?"),
        unfinished("unfinished-command", "PRINT_GAME_BOARD\nLOAD_GAME_BOARD\n"),
        unfinished("unfinished-head", "LOAD_GAME_BOARD\n2 3 5 5\n"),
        unfinished(
            "unfinished-rows",
            "LOAD_GAME_BOARD\n2 3 5 5\n2 2 W\n W B\nB _ W\n",
        ),
    ]
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
            "z1-b2; a1-z2; a9-b2; a0-b1; 11-22; b-a; x1-y2; a11-b2; a1-b22; aa1-b2; a1-bb2",
        ),
        ("wrong-start", MOVE, "b2-c3; e5-e6"),
        ("wrong-destination", MOVE, "a1-a2; a1-b1"),
        ("wrong-direction", MOVE, "a1-e5; a1-b5"),
        ("order-of-errors", MOVE, "z1-z2; b2-a1; b2-z9; d4-d4"),
        ("after-an-error", MOVE, "z1-z2; a1-b2"),
    ];
    let mut cases: Vec<Case> = list
        .into_iter()
        .map(|(name, rule, moves)| case(format!("move-{name}"), rule, with(moves)))
        .collect();
    for size in [2, 5, 7] {
        cases.push(labels(size));
    }
    for size in LABELLED {
        cases.push(every_label(size));
    }
    let full = "LOAD_GAME_BOARD\n2 3 9 9\n4 4 W\n W B\nB W W\n W _\nDO_MOVE a2-b3\nDO_MOVE a1-b2\n\
                DO_MOVE c5-c4\nPRINT_GAME_STATE\nPRINT_GAME_BOARD\n";
    cases.push(case("move-full-line", MOVE, full));
    cases
}

/// More lines than a program may have room for, and longer ones.
fn long() -> Vec<Case> {
    let questions = "PRINT_GAME_STATE\nIS_GAME_OVER\n";
    let mut session = String::from(START);
    for _ in 0..600 {
        let _ = write!(session, "DO_MOVE z1-z2\n{questions}{SMALL}{questions}");
    }
    let blanks = " ".repeat(100_000);
    let lines = [
        "PRINT_GAME_BOARD",
        "DO_MOVE a1-b2",
        "PRINT_GAME_STATE",
        "IS_GAME_OVER",
    ];
    let lines = lines.map(|line| format!("{line}{blanks}\r\n")).concat();
    let rows = START.replace('\n', &format!("{blanks}\n"));
    let lines = format!("{rows}{lines}PRINT_GAME_BOARD\n");
    vec![
        case("long-session", LONG, session),
        case("long-lines", LONG, lines),
    ]
}

/// Every dot with every point beside it, on a board of this size: all the labels.
fn labels(size: u8) -> Case {
    let mut input = String::new();
    if let Ok(variant) = Variant::new(size, 4.min(2 * size - 1), 18, 18) {
        let start = Position::start(variant);
        let load = format!("LOAD_GAME_BOARD\n{}", text::print(&start));
        for mv in start.moves() {
            let mv = start.move_text(mv);
            let _ = write!(input, "{load}DO_MOVE {mv}\nPRINT_GAME_BOARD\n");
        }
    }
    case(format!("move-labels-{size}"), MOVE, input)
}

/// Sizes of the boards of which every label is tried.
pub(super) const LABELLED: [u8; 3] = [2, 3, 4];

/// Every label that can be made of the letters and numbers of a board, and a few beyond them, as the
/// beginning and as the end of a move; and every point as the end of one from every third dot.
fn every_label(size: u8) -> Case {
    let mut input = String::new();
    if let Ok(variant) = Variant::new(size, 2 * size - 1, 30, 30) {
        let start = Position::start(variant);
        let load = format!("LOAD_GAME_BOARD\n{}", text::print(&start));
        input.push_str(&load);
        for column in 0..=2 * size + 1 {
            let letter = char::from(b'a' + column);
            for number in 0..=2 * size + 2 {
                let _ = writeln!(input, "DO_MOVE {letter}{number}-a1");
                let _ = writeln!(input, "DO_MOVE a1-{letter}{number}");
            }
        }
        let _ = write!(input, "PRINT_GAME_STATE\nPRINT_GAME_BOARD\n");
        let geometry = start.geometry();
        let fields = || geometry.all_fields();
        let dots = fields().filter(|field| !field.is_point(size));
        for dot in dots.step_by(3).map(|dot| dot.label(size)) {
            input.push_str(&load);
            for field in fields() {
                let _ = writeln!(input, "DO_MOVE {dot}-{}", field.label(size));
            }
            let _ = writeln!(input, "PRINT_GAME_BOARD");
        }
    }
    case(format!("move-every-label-{size}"), MOVE, input)
}

/// Games that are over, and games that are not.
fn states() -> Vec<Case> {
    let state = "PRINT_GAME_STATE\nIS_GAME_OVER\nGEN_ALL_POS_MOV_NUM\nGEN_ALL_POS_MOV\n\
                 GEN_ALL_POS_MOV_EXT_NUM\nGEN_ALL_POS_MOV_EXT\n";
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
        (
            "full-and-white-has-nothing",
            small("0 2 W", " W B/B W W/ W B"),
        ),
        (
            "full-and-black-has-nothing",
            small("2 0 B", " W B/B W W/ W B"),
        ),
        (
            "bad-move-asked-again",
            format!("{START}DO_MOVE z1-b2\n{state}{state}"),
        ),
        (
            "bad-move-before-a-bad-board",
            format!(
                "{START}DO_MOVE z1-b2\n{}{state}",
                SMALL.replace("2 2 W", "9 2 W")
            ),
        ),
        (
            "bad-move-after-good-ones",
            format!("{START}DO_MOVE a1-b2\nDO_MOVE b2-c3\nPRINT_GAME_BOARD\n{state}{state}"),
        ),
    ];
    list.into_iter()
        .map(|(name, input)| case(format!("state-{name}"), STATE, input))
        .collect()
}

/// Wins in so many plies, and what perfect play makes of a position.
fn solutions() -> Vec<Case> {
    let small = |head: &str, rows: &str, commands: &str| {
        let rows = rows.replace('/', "\n");
        format!(
            "LOAD_GAME_BOARD\n{}\n{rows}\n{commands}",
            head.replace('/', "\n")
        )
    };
    let mut cases = Vec::new();
    for (name, head, rows) in [
        ("start", "2 3 5 5/2 2 W", " W B/B _ W/ W B"),
        ("black", "2 3 5 5/2 2 B", " W B/B _ W/ W B"),
        ("no-reserve", "2 3 5 5/2 0 W", " W B/B _ W/ W B"),
        ("last-stones", "2 3 4 4/1 1 W", " W _/B _ _/ W B"),
        ("white-ahead", "2 3 6 6/3 1 W", " W _/_ _ B/ _ _"),
        ("black-ahead", "2 3 6 6/1 3 W", " _ B/_ _ B/ W _"),
        ("pairs", "2 2 5 5/2 2 W", " W _/_ _ _/ _ B"),
        ("tie", "2 3 9 9/6 6 W", " W B/B _ W/ W B"),
    ] {
        let sequences: String = (1..=5)
            .map(|most| format!("WINNING_SEQUENCE_EXIST {most}\n"))
            .collect();
        let input = small(head, rows, &sequences);
        cases.push(case(format!("winning-{name}"), WINNING, input));
        let input = small(head, rows, "SOLVE_GAME_STATE\n");
        cases.push(case(format!("solve-{name}"), SOLVE, input));
    }
    // A search that scores every repetition as a tie, and remembers it, gets these wrong.
    let mut all = String::new();
    for (number, (head, rows)) in (1..).zip(CYCLES) {
        let input = small(head, rows, "SOLVE_GAME_STATE\n");
        all.push_str(&input);
        cases.push(case(format!("solve-cycle-{number}"), SOLVE, input));
    }
    // What is remembered of one board does not hold for another with the same stones, but other
    // numbers, other reserves, or the other player to move.
    for (head, rows) in [
        ("2 2 5 5/1 1 W", " _ _/_ W _/ _ B"),
        ("2 3 5 5/1 1 W", " _ _/_ W _/ _ B"),
        ("2 3 5 5/2 1 W", " _ _/_ B _/ _ _"),
        ("2 2 5 5/2 1 W", " _ _/_ B _/ _ _"),
        ("2 3 5 5/1 1 B", " _ _/_ W _/ _ B"),
        ("2 3 5 5/2 1 W", " _ _/_ W _/ _ B"),
    ] {
        all.push_str(&small(
            head,
            rows,
            "SOLVE_GAME_STATE\nWINNING_SEQUENCE_EXIST 3\n",
        ));
    }
    cases.push(case("solve-one-after-the-other", SOLVE, all));
    for (name, head, rows, most) in [
        ("6", "2 3 5 5/3 5 B", " _ _/_ _ _/ _ W", 6),
        ("7", "2 3 4 4/1 3 W", " _ W/_ W W/ _ _", 7),
    ] {
        let sequences: String = (most - 1..=most)
            .map(|most| format!("WINNING_SEQUENCE_EXIST {most}\n"))
            .collect();
        let input = small(head, rows, &sequences);
        cases.push(case(format!("winning-in-{name}"), WINNING, input));
    }
    cases
}

/// Positions that one player wins, but only through positions that also arise in cycles: the head
/// and the rows of each.
const CYCLES: [(&str, &str); 8] = [
    ("2 3 5 5/3 5 B", " _ _/_ _ _/ _ W"),
    ("2 3 6 4/2 3 B", " _ W/_ _ W/ B _"),
    ("2 3 6 4/2 2 W", " _ B/_ W _/ _ _"),
    ("2 3 6 6/2 2 B", " W B/W B W/ _ _"),
    ("2 3 5 6/3 2 W", " _ B/W _ _/ B _"),
    ("2 3 5 6/1 5 B", " W B/W _ W/ W _"),
    ("2 3 4 6/3 4 W", " B _/_ _ _/ W _"),
    ("2 3 4 5/3 4 B", " _ _/_ W _/ _ B"),
];

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

//! The GIPF interpreter.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;

use gipf::text;
use gipf_engine::tables::{self, Settings};

use crate::{cases, output_of};

const PROGRAM: &str = env!("CARGO_BIN_EXE_gipf");

const BOARD: &str = "LOAD_GAME_BOARD\n2 3 5 5\n2 2 W\n W B\nB _ W\n W B\n\n";

#[test]
fn own_cases() {
    cases::check_folder(PROGRAM, &cases::own("gipf"), cases::exactly);
}

/// The outside files are not consistent in blank lines and trailing blanks.
#[test]
fn outside_cases() {
    let loosely = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let lines = text.lines().map(str::trim_end).filter(|l| !l.is_empty());
        lines.map(|line| line.as_bytes().to_vec()).collect()
    };
    if let Some(folder) = cases::outside("gipf") {
        cases::check_folder(PROGRAM, &folder, loosely);
    }
}

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(PROGRAM)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that exits at once need not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    output_of(child)
}

#[track_caller]
fn check(arguments: &[&str], input: &str, status: i32, stdout: &str, stderr: &str) {
    let output = run(arguments, input);
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(errors.lines().next().unwrap_or_default(), stderr);
    assert_eq!(output.status.code(), Some(status));
}

#[test]
fn an_unfinished_board_is_status_2() {
    for end in [16, 24, 30, 35] {
        let line = BOARD[..end].lines().count();
        let message = format!("line {line}: the input ends inside a board");
        check(&[], &BOARD[..end], 2, "", &message);
    }
    // Only the line end of the last row is missing.
    check(&[], BOARD.trim_end(), 0, "BOARD_STATE_OK\n", "");
}

#[test]
fn complaints_go_to_standard_error() {
    check(&[], "HELLO you\n", 0, "", "UNKNOWN_COMMAND HELLO");
    let lost = BOARD.replace("2 2 W", "0 2 W") + "DO_MOVE a3-b3\nPRINT_GAME_STATE\n";
    check(
        &[],
        &lost,
        0,
        "BOARD_STATE_OK\nbad_move W a3-b3\n",
        "line 8: a3-b3: white has no stone in reserve",
    );
}

#[test]
fn bad_options_are_status_2() {
    for (arguments, message) in [
        (&["--frob"][..], "unknown option --frob"),
        (&["--memory"], "--memory wants a value"),
        (&["--memory", "x"], "\"x\" is not a value of --memory"),
        (
            &["--solve-seconds", "-1"],
            "\"-1\" is not a value of --solve-seconds",
        ),
    ] {
        let line = format!("gipf: {message}; see gipf --help");
        check(arguments, "", 2, "", &line);
    }
}

#[test]
fn help_is_no_error() {
    let output = run(&["--help"], "");
    assert!(output.stdout.starts_with(b"usage: gipf "));
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

/// The start of the original game is out of reach.
const HARD: &str =
    "LOAD_GAME_BOARD\n4 4 15 15\n12 12 W\nW__B\n_____\n______\nB_____W\n______\n_____\nW__B\n\n";

#[test]
fn limits_hold() {
    let solve = format!("{HARD}SOLVE_GAME_STATE\n");
    let sequence = format!("{HARD}WINNING_SEQUENCE_EXIST 99\n");
    let answer = "BOARD_STATE_OK\nNOT_SOLVED\n";
    for input in [&solve, &sequence] {
        check(&["--solve-seconds", "0.2"], input, 0, answer, "");
    }
    check(&["--memory", "1"], &solve, 0, answer, "");
}

/// What a table says needs no time.
#[test]
fn tables_answer() {
    let place = tempfile::tempdir().unwrap();
    let variant = "2 2 5 5".parse().unwrap();
    let settings = Settings {
        threads: 1,
        memory: 1 << 28,
        resume: false,
    };
    let folder = place.path().join(tables::folder_name(variant));
    tables::solve(
        variant,
        &folder,
        settings,
        &AtomicBool::new(false),
        &tables::Progress::default(),
    )
    .unwrap();
    let ask = |tables: &Path, board: &str| {
        let mut child = Command::new(PROGRAM)
            .args(["--solve-seconds", "0"])
            .env(tables::TABLES_VARIABLE, tables)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let commands = "SOLVE_GAME_STATE\nWINNING_SEQUENCE_EXIST 2\nWINNING_SEQUENCE_EXIST 3\n";
        let mut stdin = child.stdin.take().unwrap();
        write!(stdin, "LOAD_GAME_BOARD\n2 2 5 5\n{board}\n\n{commands}").unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let start = "2 2 W\n W B\nB _ W\n W B";
    let unknown = "BOARD_STATE_OK\nNOT_SOLVED\nNOT_SOLVED\nNOT_SOLVED\n";
    assert_eq!(ask(&place.path().join("none"), start), unknown);
    let tie = "BOTH_PLAYERS_TIE\nNO_WINNING_SEQUENCE\nNO_WINNING_SEQUENCE\n";
    assert_eq!(ask(place.path(), start), format!("BOARD_STATE_OK\n{tie}"));
    // The longest win of this variant.
    let table = tables::Table::open(&folder).unwrap();
    let longest = table.sample(1, |value| value == tables::Value::Win(3));
    let board = text::print(&longest.unwrap());
    let (_, board) = board.split_once('\n').unwrap();
    let answer = ask(place.path(), board.trim_end());
    let white = board.lines().next().unwrap().ends_with('W');
    let side = if white { "WHITE" } else { "BLACK" };
    let win = format!("{side}_HAS_WINNING_STRATEGY\nNO_WINNING_SEQUENCE\n{side}_WINS_IN_3\n");
    assert_eq!(answer, format!("BOARD_STATE_OK\n{win}"));
}

/// A blank line after the board is enough to get the answer.
#[test]
fn answers_at_once_in_a_dialogue() {
    let mut child = Command::new(PROGRAM)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut ask = |question: &str| {
        stdin.write_all(question.as_bytes()).unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        answer
    };
    assert_eq!(ask(BOARD), "BOARD_STATE_OK\n");
    assert_eq!(ask("DO_MOVE a3-b3\n"), "MOVE_COMMITTED\n");
    assert_eq!(ask("IS_GAME_OVER\n"), "THE_WINNER_IS_WHITE\n");
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// Everyone will try the program as a player of kind `gipf`: a board without a command before it
/// is answered by the board after a move.
#[test]
fn a_board_alone_is_a_position_to_play_in() {
    let start = gipf::Position::start(gipf::Variant::ORIGINAL);
    let output = run(&[], &text::print(&start));
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = printed
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let after = text::load(lines[0], lines[1], &lines[2..]).unwrap();
    let reached = rules::Game::moves(&start).into_iter().any(|mv| {
        let mut next = start;
        rules::Game::play_unchecked(&mut next, mv);
        next == after
    });
    assert!(reached, "{printed}");
    // Where nothing can be played, that is said.
    let over = run(&[], "2 3 5 5\n0 2 W\n W B\nB _ W\n W B\n");
    assert!(over.stdout.is_empty());
    assert!(String::from_utf8_lossy(&over.stderr).contains("the game is over"));
}

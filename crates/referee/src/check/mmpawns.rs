//! Cases for the one-shot MMPawns player.

use ::mmpawns::matrix::{Account, Mark, Matrix};
use ::mmpawns::{LAST_PLY, Position};
use games::AnyPosition;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::Game;

use super::case::{Ask, Case, Want};
use super::steps::{self, Forced};

const MOVE: &str = "one legal move; player, number, result, scores and times are right";
const ONLY: &str = "the only legal move is found, and its result";
const RESULT: &str = "the result is written when the game is decided";
const READING: &str = "files are read with tolerance and written plainly";
const TIME: &str = "the time read from the file is never overrun";
const REFUSE: &str = "a bad file is refused and left alone";
const SIZE: &str = "one executable of at most 500,000 bytes";

/// The largest program.
const LARGEST: u64 = 500_000;

/// The example of the document.
const EXAMPLE: &str = "A 21 U\n0 2.01\n0 1.9\n--------\n--B-----\n-B------\nB--*----\n----*---\n\
                       B----A--\n--------\n-A------\n";

/// A file with both players at the start of their time and these rows.
fn file(turn: &str, rows: &str) -> String {
    format!("{turn} U\n0 30\n0 30\n{}\n", rows.replace('/', "\n"))
}

fn read(text: &[u8]) -> Box<Matrix> {
    Box::new(Matrix::read(text).expect("the grader's own files are right"))
}

fn case(name: impl Into<String>, rule: &'static str, content: impl Into<Vec<u8>>) -> Case {
    let content = content.into();
    let want = Want::Rewrite(read(&content));
    Case {
        name: name.into(),
        rule,
        ask: Ask::Matrix(Some(content)),
        want,
    }
}

/// Every row of the document, and positions from the seed.
pub(super) fn cases(seed: u64, generated: usize) -> Vec<Case> {
    let mut cases = vec![
        Case {
            name: "program-size".into(),
            rule: SIZE,
            ask: Ask::Matrix(Some(EXAMPLE.into())),
            want: Want::Size(LARGEST),
        },
        case("example", MOVE, EXAMPLE),
        case("example-of-b", MOVE, EXAMPLE.replace("A 21 U", "B 22 U")),
        case(
            "scores",
            MOVE,
            EXAMPLE
                .replace("0 2.01", "3 2.01")
                .replace("0 1.9", "4 1.9"),
        ),
        case(
            "scores-of-two-digits",
            MOVE,
            EXAMPLE
                .replace("0 2.01", "12 2.01")
                .replace("0 1.9", "10 1.9"),
        ),
        case(
            "odd-line-of-the-other",
            MOVE,
            EXAMPLE.replace("0 1.9", "0   1.900"),
        ),
    ];
    cases.extend(results());
    cases.extend(readings());
    cases.extend(times());
    cases.extend(refusals());
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    cases.extend(forced(&mut rng));
    for number in 1..=generated {
        let matrix = from_game(&mut rng);
        cases.push(case(format!("game-{seed}-{number}"), MOVE, matrix.write()));
    }
    cases
}

/// Positions in which every move decides the game, and some in which none does.
fn results() -> Vec<Case> {
    let list = [
        (
            "edge-of-a",
            "A 1",
            "--------/A-------/--------/--------/--------/------B-/--------/--------",
            "B 2 A",
        ),
        (
            "edge-of-b",
            "B 2",
            "--------/------A-/--------/--------/--------/--------/B-------/A-------",
            "A 3 B",
        ),
        (
            "sixtieth-ply",
            "B 60",
            "--------/B-------/--------/--------/--------/-------A/--------/--------",
            "A 61 D",
        ),
        (
            "edge-with-the-sixtieth",
            "B 60",
            "--------/--------/--------/--------/-------A/--------/B-------/--------",
            "A 61 B",
        ),
        (
            "fifty-ninth-ply",
            "A 59",
            "--------/B-------/--------/--------/--------/-------A/--------/--------",
            "B 60 U",
        ),
        // Who cannot move wins.
        (
            "b-is-stuck",
            "A 1",
            "--------/--------/-B------/***-----/--------/------A-/--------/--------",
            "B 2 B",
        ),
        (
            "a-is-stuck",
            "B 2",
            "--------/------B-/--------/--------/***-----/-A------/--------/--------",
            "A 3 A",
        ),
        // That comes before the edge, and before the end of moves.
        (
            "stuck-before-edge",
            "A 1",
            "--------/------A-/-B------/***-----/--------/--------/--------/--------",
            "B 2 B",
        ),
        (
            "stuck-before-draw",
            "B 60",
            "--------/------B-/--------/--------/***-----/-A------/--------/--------",
            "A 61 A",
        ),
        // The only move is a jump, and takes the last piece.
        (
            "jump-straight-takes-the-last",
            "A 1",
            "--------/--------/--------/--------/B*------/A-------/--------/--------",
            "B 2 B",
        ),
        (
            "jump-right-takes-the-last",
            "A 1",
            "--------/--------/--------/--------/*B------/A-------/--------/--------",
            "B 2 B",
        ),
        (
            "jump-left-takes-the-last-of-a",
            "B 2",
            "--------/--------/-------B/------A*/--------/--------/--------/--------",
            "A 3 A",
        ),
    ];
    list.into_iter()
        .map(|(name, turn, rows, first_line)| {
            let content = file(turn, rows);
            Case {
                name: format!("result-{name}"),
                rule: RESULT,
                want: Want::Result {
                    before: read(content.as_bytes()),
                    first_line,
                },
                ask: Ask::Matrix(Some(content.into_bytes())),
            }
        })
        .collect()
}

/// Forms of a file that must be understood.
fn readings() -> Vec<Case> {
    let cyrillic = EXAMPLE.replace('A', "А").replace('B', "В");
    // CP1251 has the same letters as single bytes.
    let cp1251: Vec<u8> = EXAMPLE
        .bytes()
        .map(|byte| match byte {
            b'A' => 0xc0,
            b'B' => 0xc2,
            other => other,
        })
        .collect();
    vec![
        case("read-crlf", READING, EXAMPLE.replace('\n', "\r\n")),
        case("read-blanks", READING, EXAMPLE.replacen(' ', "  \t ", 1)),
        case(
            "read-blanks-before-the-result",
            READING,
            EXAMPLE.replace("21 U", "21 \t  U"),
        ),
        case(
            "read-blanks-in-its-own-line",
            READING,
            EXAMPLE.replace("0 2.01", "0   2.01"),
        ),
        case(
            "read-tabs",
            READING,
            EXAMPLE
                .replace("0 2.01", "0\t2.01")
                .replace("0 1.9", "0\t1.9"),
        ),
        case("read-point-first", READING, EXAMPLE.replace("2.01", ".75")),
        case("read-no-last-newline", READING, EXAMPLE.trim_end()),
        case("read-whole-seconds", READING, EXAMPLE.replace("2.01", "2")),
        case(
            "read-many-decimals",
            READING,
            EXAMPLE.replace("1.9", "1.90000001"),
        ),
        case("read-cyrillic-utf-8", READING, cyrillic),
        case("read-cyrillic-cp1251", READING, cp1251),
    ]
}

/// A board with all pieces, on which a search to some depth takes longest.
const FULL: &str = "--------/BBBB----/----BBBB/--------/--------/AAAA----/----AAAA/--------";

/// Little time left, and times just below a round number: whoever rounds them to one decimal
/// has more than before.
fn times() -> Vec<Case> {
    let example = ["0.50", "0.10", "0.01", "0.09", "0.19", "0.99", "1.99"].map(|left| {
        let name = format!("time-{left}");
        case(name, TIME, EXAMPLE.replace("2.01", left))
    });
    let full = ["0.50", "0.10"].map(|left| {
        let name = format!("time-{left}-all-pieces");
        case(
            name,
            TIME,
            file("A 9", FULL).replacen("0 30", &format!("0 {left}"), 1),
        )
    });
    example.into_iter().chain(full).collect()
}

/// Files that must be refused.
fn refusals() -> Vec<Case> {
    let swap = |from: &str, to: &str| Some(EXAMPLE.replacen(from, to, 1).into_bytes());
    let over = file(
        "A 1",
        "--------/--------/--------/--------/--------/--------/--------/--------",
    );
    let many = file(
        "A 1",
        "--------/AAAAAAAA/A-------/--------/--------/BBBBBBBB/--------/--------",
    );
    let many_of_a = file(
        "A 1",
        "--------/AAAAAAAA/A-------/--------/--------/-------B/--------/--------",
    );
    let many_of_b = file(
        "B 2",
        "--------/A-------/--------/--------/-------B/BBBBBBBB/--------/--------",
    );
    // Blocked by what must not be jumped over: no field, and an own piece.
    let stuck = file(
        "A 1",
        "--------/------B-/--------/**------/A*------/A-------/--------/--------",
    );
    let list: Vec<(&str, Option<Vec<u8>>)> = vec![
        ("no-file", None),
        ("empty-file", Some(Vec::new())),
        ("binary", Some(vec![0, 0xff, 1, 2, 3])),
        ("unknown-player", swap("A 21", "C 21")),
        ("wrong-parity", swap("A 21", "A 22")),
        ("wrong-parity-of-b", swap("A 21", "B 21")),
        ("number-zero", swap("A 21", "A 0")),
        ("number-after-the-last", swap("A 21", "A 61")),
        ("number-too-large", swap("A 21", "A 63")),
        ("number-too-large-of-b", swap("A 21", "B 62")),
        ("number-zero-of-b", swap("A 21", "B 0")),
        ("number-minus-1", swap("A 21", "A -1")),
        ("number-minus-2", swap("A 21", "B -2")),
        ("number-of-many-digits", swap("A 21", "A 4294967317")),
        ("no-number", swap("A 21", "A x")),
        ("number-with-underscore", swap("A 21", "A 2_1")),
        ("number-with-letter", swap("A 21", "A 21x")),
        ("number-with-decimal", swap("A 21", "A 21.0")),
        ("number-hexadecimal", swap("A 21", "A 0x15")),
        ("number-in-arabic-digits", swap("A 21", "A ٢١")),
        ("number-in-wide-digits", swap("A 21", "A ２１")),
        ("number-missing", swap("A 21 U", "A U")),
        ("result-missing", swap("A 21 U", "A 21")),
        ("result-twice", swap("A 21 U", "A 21 U U")),
        ("small-letters", swap("A 21 U", "a 21 u")),
        ("unknown-result", swap("U", "X")),
        ("no-time", swap("0 2.01", "0")),
        ("time-and-more", swap("0 2.01", "0 2.01 0")),
        ("time-a-word", swap("2.01", "soon")),
        ("time-infinite", swap("2.01", "inf")),
        ("time-not-a-number", swap("2.01", "nan")),
        ("time-with-comma", swap("2.01", "2,01")),
        ("time-with-underscore", swap("2.01", "2_0.01")),
        ("time-in-arabic-digits", swap("2.01", "٢.٠١")),
        ("time-of-the-other-a-word", swap("1.9", "late")),
        ("score-a-word", swap("0 2.01", "none 2.01")),
        ("short-row", swap("--B-----", "--B----")),
        ("long-row", swap("--B-----", "--B------")),
        ("unknown-piece", swap("--B-----", "--C-----")),
        ("small-piece", swap("--B-----", "--b-----")),
        ("blank-in-a-row", swap("--B-----", "--B -----")),
        ("missing-row", swap("-A------\n", "")),
        ("ninth-row", swap("-A------\n", "-A------\n--------\n")),
        ("nine-pieces", Some(many.into_bytes())),
        ("nine-pieces-of-a", Some(many_of_a.into_bytes())),
        ("nine-pieces-of-b", Some(many_of_b.into_bytes())),
        ("a-on-its-edge", swap("--------", "---A----")),
        ("b-on-its-edge", swap("-A------", "-B------")),
        ("won-by-a", swap("U", "A")),
        ("drawn", swap("U", "D")),
        ("won-by-b", swap("U", "B")),
        ("no-piece-at-all", Some(over.into_bytes())),
        ("no-move", Some(stuck.into_bytes())),
    ];
    list.into_iter()
        .map(|(name, content)| Case {
            name: format!("refuse-{name}"),
            rule: REFUSE,
            ask: Ask::Matrix(content),
            want: Want::Refusal { names: Vec::new() },
        })
        .collect()
}

/// Seconds on the clocks of forced positions: little, since there is nothing to think about.
const FORCED_SECONDS: f64 = 1.0;

/// Positions in which one move is legal, and such in which none is.
fn forced(rng: &mut ChaCha8Rng) -> Vec<Case> {
    let only = steps::forced(rng).into_iter();
    let only = only.map(|Forced { name, position }| {
        case(name, ONLY, Matrix::new(position, FORCED_SECONDS).write())
    });
    let mut cases: Vec<Case> = only.collect();
    let stuck = (1..).zip(steps::without_move(rng));
    cases.extend(stuck.map(|(number, position)| {
        let file = Matrix {
            result: Mark::U,
            ..Matrix::new(position, FORCED_SECONDS)
        };
        Case {
            name: format!("refuse-stuck-{number}"),
            rule: REFUSE,
            ask: Ask::Matrix(Some(file.write())),
            want: Want::Refusal { names: Vec::new() },
        }
    }));
    cases
}

/// A file from a random game that is not over.
fn from_game(rng: &mut ChaCha8Rng) -> Matrix {
    let start = AnyPosition::random_start(games::MMPAWNS, rng.random());
    let mut position: Position = start.to_string().parse().expect("text is read back");
    for _ in 0..rng.random_range(0..20_u32) {
        let moves = position.moves();
        let mut next = position;
        next.play_unchecked(moves[rng.random_range(0..moves.len())]);
        if next.outcome().is_some() || next.number() > LAST_PLY {
            break;
        }
        position = next;
    }
    // Little time, so that a class is graded in a minute.
    let seconds = f64::from(rng.random_range(20..200_u32)) / 100.0;
    Matrix {
        position,
        result: Mark::U,
        accounts: [Account::new("0", seconds), Account::new("0", seconds + 0.5)],
    }
}

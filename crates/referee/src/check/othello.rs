//! Cases for the one-shot Othello player.

use ::reversi::{Board, Discs, Position, Square};
use games::reversi::argv::arguments;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Game, Side};

use super::case::{Ask, Case, Want};
use super::lines::{self, Forced};
use super::stages;

const LEGAL: &str = "a legal move within a second";
const FORM: &str = "x,y, column first, from 0, and nothing else";
const ONLY: &str = "the only legal move is found";
const NONE: &str = "no legal move: -1,-1 and status 0";
const ANY: &str = "any position is accepted, reachable or not";
const COUNT: &str = "a wrong number of arguments is refused";
const ROW: &str = "a row that is not 8 characters of 0, 1, 2 is refused";
const COLOUR: &str = "an unknown colour is refused";

fn case(name: impl Into<String>, rule: &'static str, args: Vec<String>, want: Want) -> Case {
    Case {
        name: name.into(),
        rule,
        ask: Ask::Args(args),
        want,
    }
}

/// The right thing to do in a position.
fn position(name: impl Into<String>, rule: &'static str, position: Position) -> Case {
    let args = arguments(&position);
    let want = if position.board().moves().is_empty() {
        Want::OneOf(vec!["-1,-1".into()])
    } else {
        Want::Move(position)
    };
    case(name, rule, args, want)
}

fn text(text: &str) -> Position {
    text.parse().expect("the grader's own positions are right")
}

/// A position with these discs of the player to move and of the other.
fn discs(own: u64, other: u64, side: Side) -> Position {
    let board = Board {
        own: Discs(own),
        other: Discs(other & !own),
    };
    Position::new(board, side)
}

/// Every row of the document, and positions from the seed.
pub(super) fn cases(seed: u64, generated: usize) -> Vec<Case> {
    let start = Position::start();
    let mut cases = vec![
        position("start-black", LEGAL, start),
        position(
            "start-white",
            LEGAL,
            Position::new(start.board().pass(), Side::Second),
        ),
    ];
    let forms = start.moves().into_iter().filter_map(|mv| mv.square());
    let forms: Vec<String> = forms
        .map(|s| format!("{},{}", s.column(), s.row()))
        .collect();
    let args = arguments(&start);
    cases.push(case("form", FORM, args.clone(), Want::OneOf(forms)));
    // The only move is a1, h1, a8 or h8: column and row cannot be exchanged unseen.
    for (name, own, other, answer) in [
        ("only-h1", 1 << 5, 1 << 6, "7,0"),
        ("only-a8", 1 << 40, 1 << 48, "0,7"),
        ("only-c5", 1_u64 << 18, 1_u64 << 26, "2,4"),
    ] {
        for side in Side::BOTH {
            let name = format!("{name}-{}", Position::side_name(side).to_lowercase());
            let position = discs(own, other, side);
            let args = arguments(&position);
            cases.push(case(name, FORM, args, Want::OneOf(vec![answer.into()])));
        }
    }
    cases.push(position("no-disc-at-all", ANY, discs(0, 0, Side::First)));
    cases.push(position("one-disc", ANY, discs(1, 0, Side::Second)));
    cases.push(position(
        "no-own-disc",
        ANY,
        discs(0, 0x18_1800_0000, Side::First),
    ));
    cases.push(position(
        "no-other-disc",
        ANY,
        discs(0x18_1800_0000, 0, Side::Second),
    ));
    cases.push(position("full-board", ANY, discs(u64::MAX, 0, Side::First)));
    cases.push(position(
        "full-mixed-board",
        ANY,
        discs(0x5555_5555_5555_5555, u64::MAX, Side::First),
    ));
    cases.push(position(
        "must-pass",
        NONE,
        discs(0b100, 0b011, Side::First),
    ));
    let line = format!("OX{} O", "-".repeat(62));
    cases.push(position(
        "must-pass-while-other-can",
        NONE,
        text(&line.replace(" O", " X")),
    ));
    cases.extend(refusals(&args));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for (rule, list) in [
        (ONLY, lines::forced(&mut rng)),
        (NONE, lines::without_move(&mut rng)),
        (LEGAL, stages::stages(&mut rng)),
        (LEGAL, stages::unusual()),
    ] {
        cases.extend(list.into_iter().map(|Forced { name, position }| {
            case(name, rule, arguments(&position), Want::Move(position))
        }));
    }
    for number in 1..=generated {
        let (kind, found) = if number % 4 == 0 {
            ("wild", wild(&mut rng))
        } else {
            ("game", from_game(&mut rng))
        };
        cases.push(position(format!("{kind}-{seed}-{number}"), LEGAL, found));
    }
    cases
}

/// Arguments that must be refused.
fn refusals(right: &[String]) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut refuse = |name: &str, rule: &'static str, args: Vec<String>, names: Vec<String>| {
        let want = Want::Refusal { names };
        cases.push(case(format!("refuse-{name}"), rule, args, want));
    };
    for (name, args) in [
        ("no-arguments", Vec::new()),
        ("eight-arguments", right[..8].to_vec()),
        ("ten-arguments", [right, &["1".into()]].concat()),
        ("empty-tenth-argument", [right, &["".into()]].concat()),
        ("empty-first-argument", [&["".into()], right].concat()),
    ] {
        refuse(name, COUNT, args, Vec::new());
    }
    for (name, rule, index, text) in [
        ("short-row", ROW, 0, "0000000"),
        ("long-row", ROW, 7, "000000000"),
        ("empty-row", ROW, 3, ""),
        ("digit-3", ROW, 2, "00030000"),
        ("letter", ROW, 5, "0000x000"),
        ("minus", ROW, 1, "-0000000"),
        ("utf-8", ROW, 4, "0000000é"),
        // What functions that read numbers or cut blanks off make a row of.
        ("plus", ROW, 2, "+0000000"),
        ("underscore", ROW, 6, "000_0000"),
        ("underscore-more", ROW, 6, "0000_0000"),
        ("hexadecimal", ROW, 1, "0x000000"),
        ("blank-before", ROW, 0, " 0000000"),
        ("blank-before-eight", ROW, 0, " 00000000"),
        ("blank-after", ROW, 7, "0000000 "),
        ("blank-after-eight", ROW, 7, "00000000 "),
        ("blank-inside", ROW, 4, "0000 000"),
        ("tab-after-eight", ROW, 2, "00000000\t"),
        ("no-break-space-after-eight", ROW, 2, "00000000\u{a0}"),
        ("arabic-digit", ROW, 3, "0000000\u{660}"),
        ("arabic-digits", ROW, 5, "٠٠٠٠٠٠٠٠"),
        ("wide-digit", ROW, 3, "0000000\u{ff10}"),
        ("raised-digit", ROW, 6, "0000000\u{b2}"),
        // Other marks for squares and discs.
        ("points", ROW, 3, "...21..."),
        ("minuses", ROW, 4, "---12---"),
        ("letters-for-discs", ROW, 3, "000WB000"),
        ("small-letters-for-discs", ROW, 4, "000bw000"),
        ("crosses-and-noughts", ROW, 3, "000OX000"),
        ("small-crosses-and-noughts", ROW, 4, "000xo000"),
        ("colour-0", COLOUR, 8, "0"),
        ("colour-3", COLOUR, 8, "3"),
        ("colour-black", COLOUR, 8, "black"),
        ("colour-empty", COLOUR, 8, ""),
        ("colour-11", COLOUR, 8, "11"),
        ("colour-12", COLOUR, 8, "12"),
        ("colour-minus-1", COLOUR, 8, "-1"),
        ("colour-01", COLOUR, 8, "01"),
        ("colour-002", COLOUR, 8, "002"),
        ("colour-plus-1", COLOUR, 8, "+1"),
        ("colour-plus-2", COLOUR, 8, "+2"),
        ("colour-blank-before", COLOUR, 8, " 1"),
        ("colour-blank-after", COLOUR, 8, "2 "),
        ("colour-tab-before", COLOUR, 8, "\t2"),
        ("colour-tab-after", COLOUR, 8, "1\t"),
        ("colour-no-break-space", COLOUR, 8, "1\u{a0}"),
        ("colour-underscore", COLOUR, 8, "0_1"),
        ("colour-1x", COLOUR, 8, "1x"),
        ("colour-point", COLOUR, 8, "1.0"),
        ("colour-half", COLOUR, 8, "1.5"),
        ("colour-hexadecimal", COLOUR, 8, "0x1"),
        ("colour-arabic-digit", COLOUR, 8, "\u{661}"),
        ("colour-wide-digit", COLOUR, 8, "\u{ff12}"),
        ("colour-raised-digit", COLOUR, 8, "\u{b9}"),
        ("colour-white", COLOUR, 8, "white"),
        ("colour-capital-b", COLOUR, 8, "B"),
        ("colour-capital-w", COLOUR, 8, "W"),
        ("colour-b", COLOUR, 8, "b"),
        ("colour-w", COLOUR, 8, "w"),
        ("colour-capital-x", COLOUR, 8, "X"),
        ("colour-capital-o", COLOUR, 8, "O"),
        ("colour-x", COLOUR, 8, "x"),
        ("colour-o", COLOUR, 8, "o"),
    ] {
        let mut args = right.to_vec();
        args[index] = text.into();
        refuse(name, rule, args, names(index, text));
    }
    // Every row, and every place in a row.
    for index in 0..8 {
        let mut marked = right[index].clone();
        let place = 7 - index;
        marked.replace_range(place..=place, "3");
        for (name, text) in [
            ("digit-3-in-row", marked),
            ("short-row", right[index][1..].to_string()),
            ("long-row", format!("{}0", right[index])),
        ] {
            let mut args = right.to_vec();
            args[index].clone_from(&text);
            let name = format!("{name}-{}", index + 1);
            refuse(&name, ROW, args, names(index, &text));
        }
    }
    for (name, text) in [
        ("double-row", "0".repeat(16)),
        ("endless-row", "0".repeat(1000)),
    ] {
        let mut args = right.to_vec();
        args[1].clone_from(&text);
        refuse(name, ROW, args, names(1, &text));
    }
    cases
}

/// How a message may name an argument: by its text, its number, or what it is. A text that
/// cannot be seen, or not be printed everywhere, is named by what is left of it.
fn names(index: usize, text: &str) -> Vec<String> {
    const WORDS: [&str; 9] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "colo",
    ];
    let mut names = vec![
        index.to_string(),
        (index + 1).to_string(),
        WORDS[index].to_string(),
    ];
    let plain: String = text.chars().filter(char::is_ascii_graphic).collect();
    if plain.is_empty() {
        // "bad row" with nothing behind it repeats an empty argument.
        names.extend(["row", "empty"].map(String::from));
    }
    let texts = [text.to_string(), plain];
    names.extend(texts.into_iter().filter(|text| !text.is_empty()));
    names
}

/// A position from a random game in which somebody can move.
fn from_game(rng: &mut ChaCha8Rng) -> Position {
    let mut position = Position::start();
    for _ in 0..rng.random_range(0..58) {
        let moves = position.moves();
        let mut next = position;
        next.play_unchecked(moves[rng.random_range(0..moves.len())]);
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// Any discs anywhere.
fn wild(rng: &mut ChaCha8Rng) -> Position {
    let (mut own, mut other) = (0, 0);
    for square in Square::all() {
        match rng.random_range(0..3) {
            0 => own |= 1 << square.index(),
            1 => other |= 1 << square.index(),
            _ => {}
        }
    }
    let side = Side::BOTH[rng.random_range(0..2)];
    discs(own, other, side)
}

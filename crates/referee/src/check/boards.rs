//! Cases for `LOAD_GAME_BOARD`: boards of every size, and every way for one to be wrong.

use std::fmt::Write;

use ::gipf::{Geometry, Position, Variant, text};

use super::case::Case;
use super::gipf::{LOAD, SMALL, case};

/// Boards that load, and boards that do not.
pub(super) fn cases() -> Vec<Case> {
    let small = |reserves: &str, rows: &str| {
        let rows = rows.replace('/', "\n");
        format!("LOAD_GAME_BOARD\n2 3 5 5\n{reserves}\n{rows}\nPRINT_GAME_BOARD\n")
    };
    let large = |middle: &str, next: &str| {
        format!(
            "LOAD_GAME_BOARD\n4 4 15 15\n5 5 W\n   _ _ _ _\n  _ _ _ _ _\n _ _ _ _ _ _\n{middle}\n \
             {next}\n  _ _ _ _ _\n   _ _ _ _\nPRINT_GAME_BOARD\n"
        )
    };
    let diagonal = "LOAD_GAME_BOARD\n3 3 9 9\n5 5 B\n  B _ W\n _ B W _\n_ W B _ _\n _ _ _ _\n  _ _ _\n\
                    PRINT_GAME_BOARD\n";
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
        // The players need not have the same number of stones.
        (
            "more-white-stones",
            small("3 1 W", " W B/B _ W/ W B").replace("2 3 5 5", "2 3 6 4"),
        ),
        (
            "more-black-stones",
            small("1 3 B", " W B/B _ W/ W B").replace("2 3 5 5", "2 3 4 6"),
        ),
        (
            "too-many-of-few-white",
            small("2 2 W", " W B/B _ W/ W B").replace("2 3 5 5", "2 3 4 6"),
        ),
        (
            "too-many-of-few-black",
            small("2 2 W", " W B/B _ W/ W B").replace("2 3 5 5", "2 3 6 4"),
        ),
        (
            "blanks-between-points",
            small("2 2 W", " W   B/B  _ W/ W B"),
        ),
        (
            "error-unloads",
            format!("{SMALL}{}", small("9 2 W", " W B/B _ W/ W B")),
        ),
        // The first error that applies is reported.
        ("length-before-stones", small("9 9 W", " W B/B W/ W B")),
        ("black-before-rows", small("2 9 W", " W _/W W W/ _ B")),
        ("white-before-rows", small("9 2 W", " W _/W W W/ _ B")),
        (
            "length-before-rows",
            small("2 2 W", " W _/W W W/ B").replace("2 3 5 5", "2 3 9 9"),
        ),
        (
            "rows-before-a-short-row",
            small("9 2 W", " W W/W W W/ _").replace("2 3 5 5", "2 2 5 5"),
        ),
        // A point too many in one row does not make up for one too few in another.
        ("short-and-long-row", small("2 2 W", " W/B B _ W/ W B")),
        ("long-and-short-row", small("2 2 W", " W B/B _ W W/ B")),
        ("rows-upside-down", small("2 2 W", " W B _/B W/ W B _")),
        (
            "two-extra-rows",
            small("2 2 W", " W B/B _ W/ W B/ _ _/ _ _"),
        ),
        ("missing-first-row", small("2 2 W", "B _ W/ W B")),
        ("one-row-only", small("2 2 W", "W B")),
        // A run of seven counts once, and both colours count.
        ("long-run", large("W W W W W W W", "_ _ _ _ _ _")),
        (
            "rows-of-both-colours",
            large("W W W W _ _ _", "_ B B B B _"),
        ),
        ("two-runs-in-a-line", large("W W W W B B B", "_ _ _ _ _ _")),
        ("diagonal-row", diagonal.into()),
        (
            "two-runs-of-a-colour-in-a-line",
            large("W W W _ W W W", "_ _ _ _ _ _").replace("4 4 15 15", "4 3 15 15"),
        ),
        ("runs-of-every-length", runs_of_every_length()),
        (
            "very-many-rows",
            "LOAD_GAME_BOARD\n3 2 30 30\n5 5 W\n  W W W\n W W W W\nW W W W W\n B B B B\n  B B B\n\
             PRINT_GAME_BOARD\n"
                .into(),
        ),
        ("row-on-every-line-white", every_line('W')),
        ("row-on-every-line-black", every_line('B')),
    ];
    let mut cases: Vec<Case> = list
        .into_iter()
        .map(|(name, input)| case(format!("load-{name}"), LOAD, input))
        .collect();
    // Whatever is wrong, the board before is gone, too.
    for (name, reserves, rows) in [
        ("short-row", "2 2 W", " W B/B W/ W B"),
        ("long-row", "2 2 W", " W B/B _ W/ W B _"),
        ("missing-row", "2 2 W", " W B/B _ W"),
        ("extra-row", "2 2 W", " W B/B _ W/ W B/ _ _"),
        ("too-many-black", "2 3 W", " W B/B _ W/ W B"),
        ("one-row", "1 1 W", " W _/W W W/ _ B"),
        ("four-rows", "1 1 W", " W B/W _ B/ W B"),
    ] {
        let rows = small(reserves, rows).replace("2 3 5 5", "2 2 5 5");
        let rows = match name {
            "one-row" => rows.replace("2 2 5 5", "2 3 5 5"),
            _ => rows,
        };
        let input = format!("{SMALL}{rows}GEN_ALL_POS_MOV_NUM\nDO_MOVE a1-b2\n");
        cases.push(case(format!("load-{name}-unloads"), LOAD, input));
    }
    for size in 2..=5 {
        let input = rows_of_other_lengths(size);
        cases.push(case(format!("load-lengths-{size}"), LOAD, input));
    }
    for size in 2..=7_u8 {
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

/// Boards of which one row has a point too few or too many, one after the other, and boards whose
/// points are in the wrong rows.
fn rows_of_other_lengths(size: u8) -> String {
    let mut input = String::new();
    let geometry = Geometry::of(size);
    let right: Vec<usize> = geometry.rows().map(<[u8]>::len).collect();
    let mut load = |lengths: &[usize]| {
        let _ = write!(input, "LOAD_GAME_BOARD\n{size} 3 15 15\n5 5 W\n");
        for length in lengths {
            let _ = writeln!(input, "{}", vec!["_"; *length].join(" "));
        }
        input.push_str("PRINT_GAME_BOARD\n");
    };
    for row in 0..right.len() {
        for length in [right[row] - 1, right[row] + 1] {
            let mut lengths = right.clone();
            lengths[row] = length;
            load(&lengths);
            // As many points in all.
            lengths[(row + 1) % right.len()] += right[row];
            lengths[(row + 1) % right.len()] -= length;
            load(&lengths);
        }
    }
    load(&right);
    input
}

/// Runs from the shortest row to the whole line, one board for each.
fn runs_of_every_length() -> String {
    let mut input = String::new();
    for run in 2..=6 {
        for length in run..=7 {
            for colour in ["W", "B"] {
                let middle = [vec![colour; length], vec!["_"; 7 - length]].concat();
                let _ = write!(
                    input,
                    "LOAD_GAME_BOARD\n4 {run} 15 15\n5 5 W\n   _ _ _ _\n  _ _ _ _ _\n _ _ _ _ _ _\n{}\n \
                     _ _ _ _ _ _\n  _ _ _ _ _\n   _ _ _ _\nPRINT_GAME_BOARD\n",
                    middle.join(" ")
                );
            }
        }
    }
    input
}

/// A board with one row for each line that a row fits on, one after the other.
fn every_line(colour: char) -> String {
    let mut input = String::new();
    let (size, run) = (3, 3);
    let geometry = Geometry::of(size);
    for line in geometry.lines().iter().filter(|line| line.len() >= run) {
        input.push_str("LOAD_GAME_BOARD\n3 3 15 15\n5 5 W\n");
        for row in geometry.rows() {
            let stone = |point: &u8| if line.contains(point) { colour } else { '_' };
            let stones: Vec<String> = row.iter().map(|point| stone(point).into()).collect();
            let _ = writeln!(input, "{}", stones.join(" "));
        }
        input.push_str("PRINT_GAME_BOARD\n");
    }
    input
}

//! The text of a position, changed by hand.

use draw::Layout;
use rules::Side;

use super::drawing;
use crate::{Board, Change, Editor, Field, Values};

/// What the board editor shows and changes.
pub(super) const EDITOR: Editor = Editor {
    stacked: Some("GIPF-piece"),
    side: SIDE,
    fields: FIELDS,
    settle: count_reserves,
    ..Editor::new("wb_", Board::Last, usual)
};

/// All boards are alike.
fn usual(_: &[String]) -> Result<Layout, String> {
    Ok(drawing::layout())
}

/// The words of a position's text beside the board: the rules, both reserves, the side to move,
/// and perhaps the plies without a capture.
const RULES: usize = 0;
const RESERVES: usize = 1;
const SIDE: usize = 3;
const COUNTS: usize = 4;

/// What the counts are where they are not written.
const USUAL_COUNTS: [&str; 2] = ["0", "100"];

const FIELDS: &[Field] = &[
    Field {
        label: "Rules",
        values: Values::Of(&[
            ("basic", "Basic"),
            ("standard", "Standard"),
            ("tournament", "Tournament"),
        ]),
        get: |words| words.get(RULES).cloned(),
        set: |words, value| set_rules(words, value),
    },
    Field {
        label: "White's reserve",
        values: Values::Number,
        get: |words| number(words, Side::First),
        set: |words, value| set_number(words, Side::First, value),
    },
    Field {
        label: "Black's reserve",
        values: Values::Number,
        get: |words| number(words, Side::Second),
        set: |words, value| set_number(words, Side::Second, value),
    },
    Field {
        label: "White brings in",
        values: Values::Of(STAGES),
        get: |words| stage(words, Side::First),
        set: |words, value| set_stage(words, Side::First, value),
    },
    Field {
        label: "Black brings in",
        values: Values::Of(STAGES),
        get: |words| stage(words, Side::Second),
        set: |words, value| set_stage(words, Side::Second, value),
    },
    Field {
        label: "Plies without a capture",
        values: Values::Number,
        get: |words| count(words, 0),
        set: |words, value| set_count(words, 0, value),
    },
    Field {
        label: "Drawn after (0: never)",
        values: Values::Number,
        get: |words| count(words, 1),
        set: |words, value| set_count(words, 1, value),
    },
];

/// The marks behind a reserve, and what they mean.
const STAGES: &[(&str, &str)] = &[
    ("!", "a GIPF-piece first"),
    ("+", "pieces of both kinds"),
    ("", "single pieces"),
];

/// Only the tournament game has marks.
const MARKED: &str = "tournament";

fn set_rules(words: &mut [String], value: &str) {
    if let Some(rules) = words.get_mut(RULES) {
        *rules = value.into();
    }
    if value != MARKED {
        for side in Side::BOTH {
            set_part(words, side, |digits, _| digits.into());
        }
    }
}

/// The number of pieces in a reserve, and the mark behind it.
fn parts(word: &str) -> (&str, &str) {
    word.split_at(word.trim_end_matches(['!', '+']).len())
}

fn reserve(words: &[String], side: Side) -> Option<(&str, &str)> {
    words.get(RESERVES + side.index()).map(|word| parts(word))
}

fn number(words: &[String], side: Side) -> Option<String> {
    Some(reserve(words, side)?.0.into())
}

fn stage(words: &[String], side: Side) -> Option<String> {
    words.first().filter(|rules| *rules == MARKED)?;
    Some(reserve(words, side)?.1.into())
}

/// Writes the word of a reserve anew, from its number and its mark.
fn set_part(words: &mut [String], side: Side, write: impl Fn(&str, &str) -> String) {
    if let Some(word) = words.get_mut(RESERVES + side.index()) {
        let (digits, mark) = parts(word);
        *word = write(digits, mark);
    }
}

fn set_number(words: &mut [String], side: Side, value: &str) {
    set_part(words, side, |_, mark| format!("{value}{mark}"));
}

fn set_stage(words: &mut [String], side: Side, value: &str) {
    if words.first().is_some_and(|rules| rules == MARKED) {
        set_part(words, side, |digits, _| format!("{digits}{value}"));
    }
}

/// The plies without a capture, and after how many the game is drawn.
fn counts(words: &[String]) -> Option<[&str; 2]> {
    match words.get(COUNTS) {
        Some(word) => word.split_once('/').map(|(quiet, limit)| [quiet, limit]),
        None => (words.len() == COUNTS).then_some(USUAL_COUNTS),
    }
}

fn count(words: &[String], which: usize) -> Option<String> {
    Some(counts(words)?[which].into())
}

fn set_count(words: &mut Vec<String>, which: usize, value: &str) {
    let Some(mut counts) = counts(words) else {
        return;
    };
    counts[which] = value;
    let word = (counts != USUAL_COUNTS).then(|| counts.join("/"));
    words.truncate(COUNTS);
    words.extend(word);
}

/// Pieces come from the reserve and go back to it, a GIPF-piece as two. In the tournament game,
/// pieces on the board have been brought in.
fn count_reserves(words: &mut [String], change: Change<'_>) {
    if words.len() <= SIDE {
        return;
    }
    let on_board = |letter: char| change.after.contains(&letter);
    for (side, [single, gipf]) in Side::BOTH.into_iter().zip([['w', 'W'], ['b', 'B']]) {
        let placed = change.more(single) + 2 * change.more(gipf);
        set_part(words, side, |digits, mark| {
            let reserve: usize = digits.parse().unwrap_or(0);
            let mark = match mark {
                "" => "",
                _ if on_board(single) => "",
                "!" if !on_board(gipf) => "!",
                _ => "+",
            };
            format!("{}{mark}", reserve.saturating_add_signed(-placed))
        });
    }
}

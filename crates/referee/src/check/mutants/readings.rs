//! Arguments of Othello programs that are read though they must be refused.

use super::digits::{in_ascii_digits, number};

/// How a program reads arguments that a right one refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    DropsEmptyArguments,
    DropsTheFirstOfTen,
    TrimsColour,
    TrimsColourEnd,
    ColourWithPlus,
    ColourWithZeros,
    ColourAsNumber,
    ColourAsFraction,
    ColourByItsBeginning,
    ColourInAnyDigits,
    TrimsRows,
    RowsWithBlanks,
    RowsWithUnderscores,
    RowsAsNumbers,
    RowsInAnyDigits,
    RowsInTwoDigits,
    /// These marks stand for an empty square, Black and White.
    Marks(&'static str),
    /// Takes any character in this row, or in this column.
    AnyInRow(usize),
    AnyInColumn(usize),
    /// Takes a longer row here, or a shorter one.
    LongerRow(usize),
    ShorterRow(usize),
    /// Takes rows of at least so many characters.
    RowsFrom(usize),
    /// These words stand for Black and White.
    Colours([&'static str; 2]),
}

const MARKS: [&str; 6] = [".12", "-12", "0BW", "0bw", "0XO", "0xo"];

const COLOURS: [[&str; 2]; 5] = [
    ["black", "white"],
    ["B", "W"],
    ["b", "w"],
    ["X", "O"],
    ["x", "o"],
];

impl Reading {
    /// Every way to read too much.
    pub(super) fn all() -> Vec<Reading> {
        let mut all = vec![
            Reading::DropsEmptyArguments,
            Reading::DropsTheFirstOfTen,
            Reading::TrimsColour,
            Reading::TrimsColourEnd,
            Reading::ColourWithPlus,
            Reading::ColourWithZeros,
            Reading::ColourAsNumber,
            Reading::ColourAsFraction,
            Reading::ColourByItsBeginning,
            Reading::ColourInAnyDigits,
            Reading::TrimsRows,
            Reading::RowsWithBlanks,
            Reading::RowsWithUnderscores,
            Reading::RowsAsNumbers,
            Reading::RowsInAnyDigits,
            Reading::RowsInTwoDigits,
        ];
        all.extend(MARKS.map(Reading::Marks));
        all.extend(COLOURS.map(Reading::Colours));
        for index in 0..8 {
            all.extend([
                Reading::AnyInRow(index),
                Reading::AnyInColumn(index),
                Reading::LongerRow(index),
                Reading::ShorterRow(index),
            ]);
        }
        all.extend([16, 64, 256].map(Reading::RowsFrom));
        all
    }

    /// The arguments as a right program would have to get them to read the same.
    pub(super) fn read(self, args: &[String]) -> Vec<String> {
        use Reading as R;
        let mut args = args.to_vec();
        match self {
            R::DropsEmptyArguments => args.retain(|arg| !arg.is_empty()),
            R::DropsTheFirstOfTen if args.len() == 10 => drop(args.remove(0)),
            _ => {}
        }
        let [rows @ .., colour] = &mut args[..] else {
            return args;
        };
        let as_number = || number(colour.trim()).map(|number| number.to_string());
        let read = match self {
            R::TrimsColour => Some(colour.trim().into()),
            R::TrimsColourEnd => Some(colour.trim_end().into()),
            R::ColourWithPlus => colour.strip_prefix('+').map(String::from),
            R::ColourWithZeros => Some(colour.trim_start_matches('0').into()),
            R::ColourAsNumber => as_number(),
            R::ColourAsFraction => colour.parse().ok().map(|number: f64| number.to_string()),
            R::ColourByItsBeginning => colour.chars().next().map(String::from),
            R::ColourInAnyDigits => Some(in_ascii_digits(colour)),
            R::Colours(words) => {
                let number = words.iter().position(|word| word == colour);
                number.map(|number| (number + 1).to_string())
            }
            _ => None,
        };
        if let Some(read) = read {
            *colour = read;
        }
        for (index, row) in rows.iter_mut().enumerate() {
            let any = |c: char| if ['1', '2'].contains(&c) { c } else { '0' };
            let read = match self {
                R::AnyInRow(which) if which == index => Some(row.chars().map(any).collect()),
                R::AnyInColumn(which) => {
                    let columns = row.chars().enumerate();
                    let read = |(column, c)| if column == which { any(c) } else { c };
                    Some(columns.map(read).collect())
                }
                R::LongerRow(which) if which == index => Some(row.chars().take(8).collect()),
                R::ShorterRow(which) if which == index => Some(format!("{row:0<8}")),
                R::RowsFrom(from) if row.len() >= from => Some(row.chars().take(8).collect()),
                R::TrimsRows => Some(row.trim().into()),
                R::RowsWithBlanks => Some(row.replace(' ', "0")),
                R::RowsWithUnderscores => Some(row.replace('_', "0")),
                R::RowsAsNumbers => number(row.trim()).map(|number| format!("{number:08}")),
                R::RowsInAnyDigits => Some(in_ascii_digits(row)),
                R::RowsInTwoDigits => Some(row.replace('\u{b2}', "2")),
                R::Marks(marks) => {
                    let digit = |mark| marks.find(mark).map_or(mark, |n| ['0', '1', '2'][n]);
                    Some(row.chars().map(digit).collect())
                }
                _ => None,
            };
            if let Some(read) = read {
                *row = read;
            }
        }
        args
    }
}

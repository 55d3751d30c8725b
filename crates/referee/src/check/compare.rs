//! Two outputs compared: equal, alike but for their looks, or different.

use serde::{Deserialize, Serialize};

/// The first line that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// Its number in the right output, from 1.
    pub line: usize,
    /// The right line; `None` if the output should have ended.
    pub expected: Option<String>,
    /// The program's line; `None` if its output ended.
    pub actual: Option<String>,
}

/// What two outputs differ in, if only in their looks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Looks {
    /// Blank lines, blanks and carriage returns at the ends of lines.
    LineEnds,
    /// Other blanks, too.
    Blanks,
    /// Upper and lower case, too.
    Case,
}

impl Looks {
    const ALL: [Looks; 3] = [Looks::LineEnds, Looks::Blanks, Looks::Case];

    pub(super) fn sentence(self) -> &'static str {
        match self {
            Looks::LineEnds => {
                "wrong output, but only blanks at line ends differ (--ignore-blanks lets them pass)"
            }
            Looks::Blanks => "wrong output, but only blanks differ",
            Looks::Case => "wrong output, but only upper and lower case or blanks differ",
        }
    }

    /// A line as it counts; nothing of a blank one.
    fn plain(self, line: &[u8]) -> Option<Vec<u8>> {
        let line = line.trim_ascii_end();
        let plain = match self {
            Looks::LineEnds => line.to_vec(),
            Looks::Blanks | Looks::Case => {
                let words = line.split(u8::is_ascii_whitespace);
                let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
                words.join(&b' ')
            }
        };
        let plain = match self {
            Looks::Case => plain.to_ascii_lowercase(),
            _ => plain,
        };
        (!plain.is_empty()).then_some(plain)
    }

    /// The lines that count, with their places in the output.
    fn lines(self, output: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
        let lines = output.split(|byte| *byte == b'\n').enumerate();
        lines.filter_map(move |(place, line)| Some((place, self.plain(line)?)))
    }

    /// The places of the first lines that differ in more than looks.
    fn difference(self, expected: &[u8], actual: &[u8]) -> Option<[Option<usize>; 2]> {
        let (mut expected, mut actual) = (self.lines(expected), self.lines(actual));
        loop {
            match (expected.next(), actual.next()) {
                (None, None) => return None,
                (Some((_, a)), Some((_, b))) if a == b => {}
                (a, b) => return Some([a, b].map(|line| line.map(|(place, _)| place))),
            }
        }
    }
}

/// Whether two outputs are the same but for blank lines and blanks at line ends.
pub(super) fn same_but_line_ends(expected: &[u8], actual: &[u8]) -> bool {
    Looks::LineEnds.difference(expected, actual).is_none()
}

/// The first line that differs, and whether only looks do. A difference of looks gives
/// way to any other, so that it hides none.
pub(super) fn compare(expected: &[u8], actual: &[u8]) -> Option<(Difference, Option<Looks>)> {
    let first = first_difference(expected, actual)?;
    let alike = |looks: &Looks| looks.difference(expected, actual).is_none();
    if let Some(looks) = Looks::ALL.into_iter().find(alike) {
        return Some((first, Some(looks)));
    }
    let [wanted, found] = Looks::Case.difference(expected, actual)?;
    let line = |output: &[u8], place: Option<usize>| {
        let mut lines = output.split_inclusive(|byte| *byte == b'\n');
        shown(place.and_then(|place| lines.nth(place)))
    };
    let end = expected.split_inclusive(|byte| *byte == b'\n').count();
    let difference = Difference {
        line: wanted.unwrap_or(end) + 1,
        expected: line(expected, wanted),
        actual: line(actual, found),
    };
    Some((difference, None))
}

/// The first line that differs in any byte.
fn first_difference(expected: &[u8], actual: &[u8]) -> Option<Difference> {
    let mut expected = expected.split_inclusive(|byte| *byte == b'\n');
    let mut actual = actual.split_inclusive(|byte| *byte == b'\n');
    for line in 1.. {
        let pair = (expected.next(), actual.next());
        if pair.0 != pair.1 {
            return Some(Difference {
                line,
                expected: shown(pair.0),
                actual: shown(pair.1),
            });
        }
        if pair.0.is_none() {
            break;
        }
    }
    None
}

/// A line for people: cut where it is long, and with everything to be seen that is not.
fn shown(line: Option<&[u8]>) -> Option<String> {
    line.map(|line| {
        let text: String = String::from_utf8_lossy(line)
            .trim_end_matches('\n')
            .chars()
            .take(200)
            .flat_map(char::escape_debug)
            .collect();
        // The missing end of a last line is a difference that must be seen, and so
        // are blanks at the end.
        if !line.ends_with(b"\n") {
            return format!("{text}␄");
        }
        let bare = text.trim_end_matches(' ');
        format!("{bare}{}", "·".repeat(text.len() - bare.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: &str, actual: &str, difference: Option<(usize, &str, &str)>) {
        let found = first_difference(expected.as_bytes(), actual.as_bytes()).map(|d| {
            (
                d.line,
                d.expected.unwrap_or("-".into()),
                d.actual.unwrap_or("-".into()),
            )
        });
        let difference = difference.map(|(line, a, b)| (line, a.to_string(), b.to_string()));
        assert_eq!(found, difference);
    }

    #[test]
    fn the_first_differing_line_is_found() {
        check("a\nb\n", "a\nb\n", None);
        check("a\nb\n", "a\nc\n", Some((2, "b", "c")));
        check("a\nb\n", "a\n", Some((2, "b", "-")));
        check("a\n", "a\nb\n", Some((2, "-", "b")));
        check("a\n", "a", Some((1, "a", "a␄")));
        check("a\n", "a \r\n", Some((1, "a", "a \\r")));
        check("a  \n", "a\n", Some((1, "a··", "a")));
    }

    #[track_caller]
    fn check_looks(expected: &str, actual: &str, looks: Option<Looks>, line: usize) {
        let (difference, found) = compare(expected.as_bytes(), actual.as_bytes()).unwrap();
        assert_eq!((found, difference.line), (looks, line));
    }

    #[test]
    fn looks_hide_nothing() {
        check_looks("a\nb\n", "a \nb\n", Some(Looks::LineEnds), 1);
        check_looks("a\nb\n", "a\r\n\nb\n", Some(Looks::LineEnds), 1);
        check_looks(" a\nb c\n", "a\nb  c\n", Some(Looks::Blanks), 1);
        check_looks("OK\n", "ok\n", Some(Looks::Case), 1);
        check_looks("a\nb\nc\n", "a \nB\nd\n", None, 3);
        check_looks("a\nb\n", "a \n", None, 2);
        check_looks("a\n", "a\nb\n", None, 2);
    }

    #[test]
    fn blanks_do_not_count_where_they_do_not() {
        assert!(same_but_line_ends(b" a \n\n  \nb", b" a\nb\n"));
        assert!(!same_but_line_ends(b" a\n", b"a\n"));
    }
}

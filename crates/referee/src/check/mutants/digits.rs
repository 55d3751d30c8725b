//! Numbers as lenient programs read them.

/// The number that a function such as Python's `int` reads: a sign, zeros in front, single
/// underscores between digits, and digits of any script.
pub(super) fn number(text: &str) -> Option<u64> {
    let plain = in_ascii_digits(text);
    let digits = plain.strip_prefix('+').unwrap_or(&plain);
    let groups: Vec<&str> = digits.split('_').collect();
    let filled = groups.iter().all(|group| !group.is_empty());
    groups.concat().parse().ok().filter(|_| filled)
}

/// The same text with digits of other scripts as ASCII digits.
pub(super) fn in_ascii_digits(text: &str) -> String {
    // The digit 0 of scripts whose digits follow each other: Arabic, Persian, Devanagari, wide.
    const ZEROS: [u32; 4] = [0x660, 0x6f0, 0x966, 0xff10];
    let plain = |letter: char| {
        let digits = ZEROS.into_iter();
        let mut digits = digits.filter_map(|zero| (letter as u32).checked_sub(zero));
        let digit = digits.find(|digit| *digit < 10);
        digit
            .and_then(|digit| char::from_digit(digit, 10))
            .unwrap_or(letter)
    };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_leniently() {
        for (text, expected) in [
            ("21", Some(21)),
            ("+021", Some(21)),
            ("2_1", Some(21)),
            ("٢١", Some(21)),
            ("２１", Some(21)),
            ("2__1", None),
            ("21.0", None),
            ("", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }
}

//! Text that strangers made up: names of files, answers, names of programs.

/// The text without what would move a cursor, ring a bell or turn around what is read.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if is_plain(c) { c } else { '\u{fffd}' })
        .collect()
}

fn is_plain(c: char) -> bool {
    let turns_around = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    !c.is_control() && !turns_around
}

/// The text of a cell that no spreadsheet takes for a formula.
#[must_use]
pub fn cell(text: &str) -> String {
    // Fullwidth signs count where people type them.
    const SIGNS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    let text = printable(text);
    match text.trim_start().starts_with(SIGNS) {
        true => format!("'{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_the_cursor() {
        assert_eq!(printable("f\u{1b}]0;x\u{7}"), "f\u{fffd}]0;x\u{fffd}");
        assert_eq!(printable("a\u{202e}b\n"), "a\u{fffd}b\u{fffd}");
        assert_eq!(printable("żółw"), "żółw");
    }

    #[test]
    fn text_is_no_formula() {
        for text in ["=1+1", "  =1", "@x", "-1", "＝1"] {
            assert_eq!(cell(text), format!("'{text}"));
        }
        assert_eq!(cell("\u{1b}[2J=x"), "\u{fffd}[2J=x");
        assert_eq!(cell("plain"), "plain");
    }
}

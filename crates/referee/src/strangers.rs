//! Text that strangers made up: names of files, answers, names of programs.

/// The text with a mark in the place of everything that would move a cursor, ring a bell, turn around
/// what is read, begin a line or not be seen.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if is_hidden(c) { '\u{fffd}' } else { c })
        .collect()
}

/// Whether a character has no place in a line that people read: control characters, those that turn the
/// direction of text around, those that end a line or a paragraph, and those that nobody sees, so that
/// two texts look the same and are not.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    let turns_around = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    let ends_a_line = matches!(c, '\u{2028}' | '\u{2029}');
    // Of no width, fillers, what only joins or parts, marks of annotations, and tags.
    let unseen = matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}'
            | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    );
    c.is_control() || turns_around || ends_a_line || unseen
}

/// A name without blanks at its ends, of somebody or something: one line of some characters that can all be
/// seen. Or what is wrong with it.
pub fn name(text: &str, longest: usize) -> Result<&str, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("the name is empty".into());
    }
    if text.chars().count() > longest {
        return Err(format!("the name has more than {longest} characters"));
    }
    match text.chars().find(|&c| is_hidden(c)) {
        Some(c) => Err(format!(
            "the name {:?} has the character U+{:04X}, which cannot be shown",
            printable(text),
            u32::from(c)
        )),
        None => Ok(text),
    }
}

/// What [`name`] lets through of a text, cut to what fits: for what people call themselves in passing.
/// It may be empty.
#[must_use]
pub fn shortened(text: &str, longest: usize) -> String {
    let shown = text.chars().filter(|&c| !is_hidden(c));
    let shown: String = shown
        .skip_while(|c| c.is_whitespace())
        .take(longest)
        .collect();
    shown.trim_end().into()
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
    fn names_are_seen_as_they_are() {
        assert_eq!(name(" Żółw 漢 ⚫ ", 20), Ok("Żółw 漢 ⚫"));
        for hidden in [
            '\u{7}',
            '\n',
            '\u{85}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200d}',
            '\u{200f}',
            '\u{2028}',
            '\u{202e}',
            '\u{2060}',
            '\u{2067}',
            '\u{3164}',
            '\u{feff}',
            '\u{e0041}',
        ] {
            let text = format!("a{hidden}b");
            let said = name(&text, 20).unwrap_err();
            assert!(said.ends_with("which cannot be shown"), "{said}");
            assert!(!said.contains(hidden), "{said}");
            assert_eq!(printable(&text), "a\u{fffd}b");
            assert_eq!(shortened(&text, 20), "ab");
        }
        assert_eq!(name(" ", 20), Err("the name is empty".into()));
        assert!(name("abc", 2).is_err());
        assert_eq!(shortened("  ab c", 3), "ab");
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

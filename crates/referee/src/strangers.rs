//! Text that strangers made up: names of files, answers, names of programs.

use std::borrow::Cow;

/// The text with a mark in the place of everything that would move a cursor, ring a bell, turn around
/// what is read, begin a line or not be seen.
#[must_use]
pub fn printable(text: &str) -> String {
    marked(text, |_| true).into_owned()
}

/// The same, but only for those of these characters that `bad` names.
pub fn marked(text: &str, bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    replaced(text, bad, "\u{fffd}")
}

fn replaced<'a>(text: &'a str, bad: impl Fn(char) -> bool, mark: &str) -> Cow<'a, str> {
    let mut places = hidden(text).filter(|&(_, c)| bad(c)).peekable();
    if places.peek().is_none() {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    let mut from = 0;
    for (place, c) in places {
        shown += &text[from..place];
        shown += mark;
        from = place + c.len_utf8();
    }
    shown += &text[from..];
    shown.into()
}

/// The characters of a text that have no place in a line, and where they stand. Joiners have one where
/// the script needs them.
pub fn hidden(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut last = None;
    text.char_indices().filter(move |&(place, c)| {
        let before = last.replace(c);
        is_hidden(c) && !joins(before, c, text[place + c.len_utf8()..].chars().next())
    })
}

/// Whether a joiner stands where words are spelled with it: after a virama, or, if it parts, between
/// two Arabic letters.
fn joins(before: Option<char>, c: char, after: Option<char>) -> bool {
    match (before, c, after) {
        (Some(before), NON_JOINER | JOINER, _) if is_virama(before) => true,
        (Some(before), NON_JOINER, Some(after)) => is_arabic(before) && is_arabic(after),
        _ => false,
    }
}

const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';

/// Whether it is a letter of the Arabic script or a sign at one.
fn is_arabic(c: char) -> bool {
    let script = matches!(c, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{8a0}'..='\u{8ff}');
    script && c.is_alphabetic()
}

/// Whether it takes the vowel from a letter of an Indic script, which then joins the next one.
fn is_virama(c: char) -> bool {
    matches!(
        c,
        '\u{94d}'
            | '\u{9cd}'
            | '\u{a4d}'
            | '\u{acd}'
            | '\u{b4d}'
            | '\u{bcd}'
            | '\u{c4d}'
            | '\u{ccd}'
            | '\u{d3b}'
            | '\u{d3c}'
            | '\u{d4d}'
            | '\u{dca}'
            | '\u{1039}'
            | '\u{17d2}'
            | '\u{1b44}'
            | '\u{a8c4}'
            | '\u{a9c0}'
    )
}

/// A name for comparing: those that look the same are the same, since nobody sees joiners between all
/// letters.
#[must_use]
pub fn without_joiners(name: &str) -> Cow<'_, str> {
    match name.contains([NON_JOINER, JOINER]) {
        true => name.replace([NON_JOINER, JOINER], "").into(),
        false => name.into(),
    }
}

/// Whether a character has no place in a line that people read: control characters, those that turn the
/// direction of text around, those that end a line or a paragraph, and those that nobody sees, so that
/// two texts look the same and are not. Joiners are among them: [`hidden`] knows where they have a place.
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
    match hidden(text).next() {
        Some((_, c)) => Err(format!(
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
    let shown = without_hidden(text);
    let begun = shown.trim_start();
    let end = begun.char_indices().nth(longest);
    let cut = end.map_or(begun, |(place, _)| &begun[..place]);
    // A joiner has lost its place where the letter after it is cut off.
    without_hidden(cut.trim_end()).into_owned()
}

fn without_hidden(text: &str) -> Cow<'_, str> {
    replaced(text, |_| true, "")
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
    fn joiners_have_their_places() {
        // Persian, Devanagari, Sinhala and Malayalam.
        for text in [
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "क्\u{200c}ष",
            "ශ්\u{200d}රී",
            "അവന്\u{200d}",
        ] {
            assert_eq!(name(text, 20), Ok(text));
            assert_eq!(printable(text), text);
            assert_eq!(shortened(text, 20), text);
            let plain = text.replace(['\u{200c}', '\u{200d}'], "");
            assert_eq!(without_joiners(text), plain);
        }
        for text in [
            "a\u{200c}b",
            "م\u{200d}ی",
            "\u{200c}می",
            "می\u{200c}",
            "می\u{200c}\u{200c}خ",
            "म\u{200d}ष",
            "क्\u{200d}\u{200d}ष",
            "می\u{200c}a",
        ] {
            assert!(name(text, 20).is_err(), "{text:?}");
            assert!(printable(text).contains('\u{fffd}'), "{text:?}");
            let short = shortened(text, 20);
            assert_eq!(name(&short, 20), Ok(&*short), "{text:?}");
        }
        assert_eq!(shortened("می\u{200c}خ", 3), "می", "where the word is cut");
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

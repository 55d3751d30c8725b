//! Pseudonyms: what others see of a team.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

const HOW: [&str; 24] = [
    "Amber", "Brave", "Calm", "Clever", "Copper", "Crimson", "Eager", "Golden", "Green", "Happy",
    "Humble", "Ivory", "Jolly", "Keen", "Lively", "Lucky", "Mellow", "Misty", "Noble", "Quiet",
    "Silver", "Swift", "Violet", "Witty",
];

const WHO: [&str; 24] = [
    "Badger", "Beaver", "Crane", "Dolphin", "Falcon", "Ferret", "Finch", "Fox", "Gecko", "Heron",
    "Ibis", "Koala", "Lark", "Lynx", "Magpie", "Marten", "Newt", "Otter", "Owl", "Panda", "Raven",
    "Stoat", "Tapir", "Wombat",
];

/// The longest pseudonym, in characters.
const LONGEST: usize = 30;

/// A pseudonym at random: `Amber Otter 417`.
#[must_use]
pub fn fresh() -> String {
    let pick = |words: &[&'static str; 24]| words[rand::random::<u32>() as usize % 24];
    let number = 100 + rand::random::<u32>() % 900;
    format!("{} {} {number}", pick(&HOW), pick(&WHO))
}

/// Who bears one of these words in a pseudonym could be taken for somebody who runs the course.
const STAFF: [&str; 10] = [
    "staff",
    "admin",
    "administrator",
    "teacher",
    "tutor",
    "lecturer",
    "professor",
    "instructor",
    "referee",
    "ludex",
];

/// Latin letters that are no other ones with an accent, in upper case, and what they look like.
const LETTERS: [(char, &str); 9] = [
    ('\u{c6}', "AE"),
    ('\u{152}', "OE"),
    ('\u{d8}', "O"),
    ('\u{141}', "I"),
    ('\u{110}', "D"),
    ('\u{d0}', "D"),
    ('\u{126}', "H"),
    ('\u{de}', "TH"),
    ('\u{1e9e}', "SS"),
];

/// A pseudonym that somebody has chosen, without blanks at its ends; or what is wrong with it.
///
/// Letters are Latin ones, with and without accents: other alphabets have letters that look just
/// like them.
pub fn chosen(text: &str) -> Result<String, String> {
    let text = ComposingNormalizerBorrowed::new_nfkc().normalize(text);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = text.chars().count();
    let fits = |c: char| {
        let letter = c.is_alphanumeric() && !skeleton(c.encode_utf8(&mut [0; 4])).is_empty();
        letter || " -_.'".contains(c)
    };
    if length == 0 || length > LONGEST {
        Err(format!("a pseudonym has 1 to {LONGEST} characters"))
    } else if let Some(bad) = text.chars().find(|c| !fits(*c)) {
        Err(format!(
            "a pseudonym has Latin letters, digits, blanks and -_.' but not {bad:?}"
        ))
    } else if skeleton(&text).is_empty() {
        Err("a pseudonym has a letter or a digit".into())
    } else if is_of_staff(&text) {
        Err(format!(
            "{text:?} could be somebody of the staff: choose another pseudonym"
        ))
    } else {
        Ok(text)
    }
}

fn is_of_staff(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let mut words = words.chain([text]);
    words.any(|word| STAFF.iter().any(|staff| alike(word, staff)))
}

/// Whether people would take one name for the other: they differ in case, accents, blanks and
/// signs, or in `0` and `O`, `1`, `l` and `I`.
#[must_use]
pub fn alike(a: &str, b: &str) -> bool {
    skeleton(a) == skeleton(b)
}

/// What all names have in common that look like this one. Only Latin letters and digits count.
fn skeleton(name: &str) -> String {
    let mut skeleton = String::new();
    let plain = DecomposingNormalizerBorrowed::new_nfkd().normalize(name);
    for c in plain.chars().flat_map(char::to_uppercase) {
        match c {
            '0' => skeleton.push('O'),
            '1' | 'L' => skeleton.push('I'),
            'A'..='Z' | '2'..='9' => skeleton.push(c),
            _ => {
                let letter = LETTERS.iter().find(|(letter, _)| *letter == c);
                skeleton.push_str(letter.map_or("", |(_, like)| like));
            }
        }
    }
    skeleton
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pseudonyms_are_made_and_checked() {
        assert_eq!(chosen(&fresh()).map(|name| name.split(' ').count()), Ok(3));
        for (text, due) in [
            ("  Zo\u{eb}  2 ", "Zo\u{eb} 2"),
            ("Zoe\u{308} 2", "Zo\u{eb} 2"),
            ("\u{ff3a}ed", "Zed"),
            ("Stra\u{df}e-9", "Stra\u{df}e-9"),
            ("\u{141}\u{f8}\u{e6}\u{1ec7}", "\u{141}\u{f8}\u{e6}\u{1ec7}"),
            ("Staffan's Random Walker", "Staffan's Random Walker"),
        ] {
            assert_eq!(chosen(text).as_deref(), Ok(due), "{text:?}");
        }
        for text in ["", "<b>", "-.-", "a\u{200d}b", "a\u{202e}b", "\u{663}"] {
            assert!(chosen(text).is_err(), "{text:?}");
        }
        // Cyrillic and Greek letters that look like Latin ones, and others.
        for text in ["Z\u{435}d", "\u{410}\u{412}\u{421}", "\u{391}", "\u{6f22}"] {
            let said = chosen(text).unwrap_err();
            assert!(said.contains("Latin letters"), "{said}");
        }
        for text in [
            "Staff",
            "The ST\u{c1}FF",
            "s.t.a.f.f",
            "Adm1n",
            "Prof. Professor",
            "LUDEX",
        ] {
            let said = chosen(text).unwrap_err();
            assert!(said.contains("of the staff"), "{said}");
        }
        assert!(chosen(&"x".repeat(31)).is_err());
    }

    #[test]
    fn names_that_look_the_same_are_alike() {
        for other in ["ZED", " zed", "Z\u{e9}d", "Z-e-d", "\u{ff3a}ed"] {
            assert!(alike("Zed", other), "{other:?}");
        }
        assert!(alike("Amber Owl 101", "amber 0wl l0I"));
        assert!(!alike("Zed", "Zeds") && !alike("Amber Owl 101", "Amber Owl 102"));
    }
}

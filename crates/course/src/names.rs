//! Pseudonyms: what others see of a team.

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

/// A pseudonym that somebody has chosen, without blanks at its ends; or what is wrong with it.
pub fn chosen(text: &str) -> Result<String, String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = text.chars().count();
    let fits = |c: char| c.is_alphanumeric() || " -_.'".contains(c);
    if length == 0 || length > LONGEST {
        Err(format!("a pseudonym has 1 to {LONGEST} characters"))
    } else if let Some(bad) = text.chars().find(|c| !fits(*c)) {
        Err(format!(
            "a pseudonym has letters, digits, blanks and -_.' but not {bad:?}"
        ))
    } else {
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pseudonyms_are_made_and_checked() {
        assert_eq!(chosen(&fresh()).map(|name| name.split(' ').count()), Ok(3));
        assert_eq!(chosen("  Zo\u{eb}  2 "), Ok("Zo\u{eb} 2".into()));
        assert!(chosen("").is_err() && chosen("<b>").is_err());
        assert!(chosen(&"x".repeat(31)).is_err());
    }
}

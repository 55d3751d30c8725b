//! Formats as people write them.

use std::str::FromStr;

use serde::Deserialize;

use super::{ConfigError, Part, wrong};
use crate::schedule::Format;

/// The name of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormatName {
    /// Everyone meets everyone.
    #[default]
    RoundRobin,
    /// The first players of the list meet everyone else.
    Gauntlet,
    /// Rounds in which players with about equally many points meet.
    Swiss,
    /// Who loses a match is out.
    Knockout,
}

impl FormatName {
    /// All of them.
    pub const ALL: [FormatName; 4] = [
        FormatName::RoundRobin,
        FormatName::Gauntlet,
        FormatName::Swiss,
        FormatName::Knockout,
    ];

    /// The name people type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FormatName::RoundRobin => "round-robin",
            FormatName::Gauntlet => "gauntlet",
            FormatName::Swiss => "swiss",
            FormatName::Knockout => "knockout",
        }
    }

    /// What the number is called that belongs to this format.
    #[must_use]
    pub fn key(self) -> Option<&'static str> {
        match self {
            FormatName::RoundRobin => None,
            FormatName::Gauntlet => Some("challengers"),
            FormatName::Swiss => Some("rounds"),
            FormatName::Knockout => Some("extra-pairs"),
        }
    }

    /// Refuses a number that belongs to another format.
    pub fn check_key(self, key: &str) -> Result<(), ConfigError> {
        if self.key() == Some(key) {
            return Ok(());
        }
        Err(wrong(
            Part::Format,
            format!("{key} does not belong to this format"),
        ))
    }

    /// The format with its number, or with the usual one.
    pub fn with(self, number: Option<u32>) -> Result<Format, ConfigError> {
        Ok(match self {
            FormatName::RoundRobin => Format::RoundRobin,
            FormatName::Gauntlet => Format::Gauntlet {
                challengers: number.unwrap_or(1) as usize,
            },
            FormatName::Swiss => Format::Swiss {
                rounds: number
                    .ok_or_else(|| wrong(Part::Format, "a swiss needs the number of rounds"))?,
            },
            FormatName::Knockout => Format::Knockout {
                extra_pairs: number.unwrap_or(2),
            },
        })
    }
}

impl FromStr for FormatName {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<FormatName, ConfigError> {
        let found = FormatName::ALL.into_iter().find(|f| f.name() == text);
        found.ok_or_else(|| wrong(Part::Format, format!("there is no format {text:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_formats() {
        for name in FormatName::ALL {
            assert_eq!(name.name().parse(), Ok(name));
            assert_eq!(name.with(Some(2)).unwrap().name(), name.name());
            assert_eq!(name.with(None).is_err(), name == FormatName::Swiss);
            assert_eq!(name.check_key("rounds").is_ok(), name == FormatName::Swiss);
        }
        assert_eq!(
            "swis".parse::<FormatName>().unwrap_err().message,
            "there is no format \"swis\""
        );
    }
}

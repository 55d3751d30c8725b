//! What a program read or wrote, kept byte for byte up to a bound.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes of a program, of which the first so many are kept.
///
/// In JSON it is a plain string if it is whole and valid UTF-8, otherwise an object
/// with `text` or `hex` and the number of bytes `omitted` at the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Blob {
    /// The bytes that were kept.
    pub bytes: Vec<u8>,
    /// How many more there were.
    pub omitted: u64,
}

impl Blob {
    /// Whether there was nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.omitted == 0
    }

    /// The kept bytes as text; what is not UTF-8 is replaced.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// Keeps at most `bound` bytes.
    #[must_use]
    pub fn bounded(mut self, bound: usize) -> Blob {
        if self.bytes.len() > bound {
            self.omitted += (self.bytes.len() - bound) as u64;
            self.bytes.truncate(bound);
        }
        self
    }
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Blob {
        Blob { bytes, omitted: 0 }
    }
}

impl From<&str> for Blob {
    fn from(text: &str) -> Blob {
        text.as_bytes().to_vec().into()
    }
}

impl fmt::Display for Blob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())?;
        match self.omitted {
            0 => Ok(()),
            more => write!(f, "… and {more} more bytes"),
        }
    }
}

/// The JSON forms of a blob.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form<'a> {
    Plain(Cow<'a, str>),
    Cut { text: Cow<'a, str>, omitted: u64 },
    Binary { hex: String, omitted: u64 },
}

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match (std::str::from_utf8(&self.bytes), self.omitted) {
            (Ok(text), 0) => Form::Plain(text.into()),
            (Ok(text), omitted) => Form::Cut {
                text: text.into(),
                omitted,
            },
            (Err(_), omitted) => Form::Binary {
                hex: self.bytes.iter().map(|b| format!("{b:02x}")).collect(),
                omitted,
            },
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Blob, D::Error> {
        let (bytes, omitted) = match Form::deserialize(deserializer)? {
            Form::Plain(text) => (text.into_owned().into_bytes(), 0),
            Form::Cut { text, omitted } => (text.into_owned().into_bytes(), omitted),
            Form::Binary { hex, omitted } => (
                from_hex(&hex).ok_or_else(|| {
                    serde::de::Error::custom(format!("{hex:?} is not a row of hex bytes"))
                })?,
                omitted,
            ),
        };
        Ok(Blob { bytes, omitted })
    }
}

fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digit = |c: &u8| char::from(*c).to_digit(16);
    hex.as_bytes()
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => Some((digit(high)? * 16 + digit(low)?) as u8),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(blob: Blob, json: &str) {
        assert_eq!(serde_json::to_string(&blob).unwrap(), json);
        assert_eq!(serde_json::from_str::<Blob>(json).unwrap(), blob);
    }

    #[test]
    fn every_form_is_read_back() {
        check("3,2\n".into(), r#""3,2\n""#);
        check(
            Blob::from("abcdef").bounded(3),
            r#"{"text":"abc","omitted":3}"#,
        );
        check(
            vec![0xff, 0, 0x41].into(),
            r#"{"hex":"ff0041","omitted":0}"#,
        );
        assert!(serde_json::from_str::<Blob>(r#"{"hex":"f","omitted":0}"#).is_err());
        assert!(serde_json::from_str::<Blob>(r#"{"hex":"é","omitted":0}"#).is_err());
    }
}

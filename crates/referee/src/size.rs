//! Numbers of bytes, as people write them.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number of bytes: `500000`, `64K`, `64 KB`, `1 GB`, `1 GiB`. A kilobyte is 1024 bytes.
///
/// In JSON and TOML it is written as a plain number and also read from a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Size(pub u64);

/// The units, largest first.
const UNITS: [(&str, u64); 3] = [("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)];

impl Size {
    /// So many kilobytes.
    #[must_use]
    pub const fn kb(count: u64) -> Size {
        Size(count << 10)
    }

    /// So many megabytes.
    #[must_use]
    pub const fn mb(count: u64) -> Size {
        Size(count << 20)
    }

    /// So many gigabytes.
    #[must_use]
    pub const fn gb(count: u64) -> Size {
        Size(count << 30)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (unit, bytes) in UNITS {
            if self.0 >= bytes {
                return if self.0.is_multiple_of(bytes) {
                    write!(f, "{} {unit}", self.0 / bytes)
                } else {
                    write!(f, "{:.1} {unit}", self.0 as f64 / bytes as f64)
                };
            }
        }
        write!(f, "{} bytes", self.0)
    }
}

/// A text that is no number of bytes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a size such as 64 KB, 1 GB or 500000")]
pub struct SizeError(String);

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let bad = || SizeError(text.into());
        let upper = text.trim().to_ascii_uppercase();
        let upper = upper.strip_suffix("BYTES").unwrap_or(&upper);
        let (number, unit) = UNITS
            .iter()
            .find_map(|(unit, bytes)| {
                let letter = &unit[..1];
                let forms = [(*unit).into(), format!("{letter}IB"), letter.into()];
                let number = forms.iter().find_map(|form| upper.strip_suffix(form));
                Some((number?, *bytes))
            })
            .unwrap_or((upper, 1));
        let number = number.trim();
        if let Ok(whole) = number.parse::<u64>() {
            return whole.checked_mul(unit).map(Size).ok_or_else(bad);
        }
        match number.parse::<f64>() {
            Ok(part) if part.is_finite() && part >= 0.0 => Ok(Size((part * unit as f64) as u64)),
            _ => Err(bad()),
        }
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Size, D::Error> {
        struct SizeVisitor;

        impl Visitor<'_> for SizeVisitor {
            type Value = Size;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of bytes or a size such as \"1 GB\"")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Size, E> {
                Ok(Size(value))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Size, E> {
                u64::try_from(value)
                    .map(Size)
                    .map_err(|_| E::custom(format!("{value} is not a number of bytes")))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Size, E> {
                value.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(SizeVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, bytes: u64, shown: &str) {
        let size: Size = text.parse().unwrap();
        assert_eq!(size.0, bytes);
        assert_eq!(size.to_string(), shown);
        assert_eq!(shown.parse::<Size>().unwrap().to_string(), shown);
    }

    #[test]
    fn sizes_are_read_and_shown() {
        check("1 GB", 1 << 30, "1 GB");
        check("1g", 1 << 30, "1 GB");
        check("1 GiB", 1 << 30, "1 GB");
        check("64KB", 65_536, "64 KB");
        check("1.5 MB", 3 << 19, "1.5 MB");
        check("500000", 500_000, "488.3 KB");
        check("12", 12, "12 bytes");
        for bad in ["", "GB", "-1", "1 TB", "1e999 KB", "99999999999 GB"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
    }
}

//! Durations, as people write them and as files do.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A duration: `5` (seconds), `1.5s`, `200 ms`, `10min`, `1h 30m`.
///
/// In JSON and TOML it is written as a number of seconds with up to six decimals, and also
/// read from a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Seconds(pub Duration);

impl Seconds {
    /// No time at all.
    pub const ZERO: Seconds = Seconds(Duration::ZERO);

    /// So many milliseconds.
    #[must_use]
    pub const fn from_millis(count: u64) -> Seconds {
        Seconds(Duration::from_millis(count))
    }

    /// So many seconds.
    #[must_use]
    pub const fn from_secs(count: u64) -> Seconds {
        Seconds(Duration::from_secs(count))
    }

    /// The next whole millisecond: what is over a limit must also look so.
    pub(crate) fn round_up(self) -> Seconds {
        Seconds::from_millis(self.0.as_micros().div_ceil(1000) as u64)
    }

    fn from_f64<E: de::Error>(value: f64) -> Result<Seconds, E> {
        Duration::try_from_secs_f64(value)
            .map(Seconds)
            .map_err(|_| E::custom(format!("{value} is not a number of seconds")))
    }
}

impl From<Duration> for Seconds {
    fn from(duration: Duration) -> Seconds {
        Seconds(duration)
    }
}

impl fmt::Display for Seconds {
    /// `1.004 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} s", self.0.as_secs_f64())
    }
}

/// A text that is no duration.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a time such as 5, 1.5s, 200ms or 10min")]
pub struct SecondsError(String);

impl FromStr for Seconds {
    type Err = SecondsError;

    fn from_str(text: &str) -> Result<Seconds, SecondsError> {
        let plain = text.trim();
        let (number, unit) = match plain.strip_suffix("ms") {
            Some(number) => (number, 1e-3),
            None => (plain.strip_suffix('s').unwrap_or(plain), 1.0),
        };
        // One number may have decimals; everything else is for humantime.
        let time = match number.trim().parse::<f64>() {
            Ok(number) => Duration::try_from_secs_f64(number * unit).ok(),
            Err(_) => humantime::parse_duration(plain).ok(),
        };
        time.map(Seconds).ok_or_else(|| SecondsError(text.into()))
    }
}

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_micros() as f64 / 1e6)
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seconds, D::Error> {
        struct SecondsVisitor;

        impl Visitor<'_> for SecondsVisitor {
            type Value = Seconds;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of seconds or a text such as \"200 ms\"")
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Seconds, E> {
                Seconds::from_f64(value)
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Seconds, E> {
                Ok(Seconds::from_secs(value))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Seconds, E> {
                Seconds::from_f64(value as f64)
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Seconds, E> {
                value.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_any(SecondsVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_read_from_numbers_and_texts() {
        for (json, millis) in [
            ("1", 1000),
            ("0.25", 250),
            ("\"200 ms\"", 200),
            ("\"1.5s\"", 1500),
            ("\"2min\"", 120_000),
            ("\"1h 30m\"", 5_400_000),
        ] {
            let read: Seconds = serde_json::from_str(json).unwrap();
            assert_eq!(read, Seconds::from_millis(millis), "{json}");
        }
        for bad in [
            "-1",
            "\"soon\"",
            "\"-2 s\"",
            "\"nan\"",
            "\"1e999s\"",
            "\"\"",
            "null",
        ] {
            assert!(serde_json::from_str::<Seconds>(bad).is_err(), "{bad}");
        }
        let text = serde_json::to_string(&Seconds(Duration::from_nanos(1_004_000_400))).unwrap();
        assert_eq!(text, "1.004");
    }
}

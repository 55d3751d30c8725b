//! Moments: milliseconds since 1970, and how people write them.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use toml::value::{Datetime, Offset};
use tournament::store::days_before;

/// Milliseconds since 1970.
pub type Millis = i64;

/// One minute.
pub const MINUTE: Millis = 60_000;
/// One hour.
pub const HOUR: Millis = 60 * MINUTE;
/// One day.
pub const DAY: Millis = 24 * HOUR;

/// Now.
#[must_use]
pub fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| time.as_millis() as Millis)
}

/// A moment that remembers the time zone that it was written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// When it is.
    pub at: Millis,
    /// Minutes that its zone is ahead of UTC.
    pub zone: i32,
}

impl Moment {
    /// The same moment, so much later.
    #[must_use]
    pub fn later(self, by: Millis) -> Moment {
        Moment {
            at: self.at + by,
            ..self
        }
    }

    /// A moment in UTC.
    #[must_use]
    pub fn utc(at: Millis) -> Moment {
        Moment { at, zone: 0 }
    }
}

impl TryFrom<&Datetime> for Moment {
    type Error = String;

    fn try_from(written: &Datetime) -> Result<Moment, String> {
        let needed = "a date, a time and a time zone, as in 2026-12-01T23:59:00+01:00";
        let (Some(date), Some(time), Some(offset)) = (written.date, written.time, written.offset)
        else {
            return Err(format!("{written} is not {needed}"));
        };
        let zone = match offset {
            Offset::Z => 0,
            Offset::Custom { minutes } => i32::from(minutes),
        };
        let days = days_before(
            i64::from(date.year),
            i64::from(date.month),
            i64::from(date.day),
        );
        let minutes = i64::from(time.hour) * 60 + i64::from(time.minute) - i64::from(zone);
        let second = i64::from(time.second.unwrap_or(0));
        Ok(Moment {
            at: days * DAY + minutes * MINUTE + second * 1000,
            zone,
        })
    }
}

impl fmt::Display for Moment {
    /// `2026-12-01 23:59 +01:00`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let local = tournament::store::Moment(self.at + i64::from(self.zone) * MINUTE);
        let local = local.to_string();
        // Nobody's deadline depends on a second.
        let minutes = local
            .rsplit_once(':')
            .map_or(local.as_str(), |(minutes, _)| minutes);
        write!(f, "{minutes} ")?;
        match self.zone {
            0 => f.write_str("UTC"),
            zone => {
                let sign = if zone < 0 { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", zone.abs() / 60, zone.abs() % 60)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, at: Millis, shown: &str) {
        let moment = Moment::try_from(&text.parse::<Datetime>().unwrap()).unwrap();
        assert_eq!(moment.at, at);
        assert_eq!(moment.to_string(), shown);
    }

    #[test]
    fn moments_are_read_and_written() {
        check("1970-01-01T00:00:00Z", 0, "1970-01-01 00:00 UTC");
        check(
            "2026-12-01T23:59:00+01:00",
            1_796_165_940_000,
            "2026-12-01 23:59 +01:00",
        );
        check(
            "2024-02-29T12:00:30-03:30",
            1_709_220_630_000,
            "2024-02-29 12:00 -03:30",
        );
    }

    #[test]
    fn a_time_zone_is_needed() {
        let written = "2026-12-01T23:59:00".parse::<Datetime>().unwrap();
        assert!(Moment::try_from(&written).is_err());
    }
}

//! Limits of programs on the command line.

use referee::Limits;
use serde_json::{Map, Value};

use crate::error::bad_input;

/// What programs may use, beyond what the game says.
#[derive(clap::Args)]
pub(crate) struct LimitArgs {
    /// Another limit for programs: wall, cpu (of a move), game_wall, game_cpu, memory, output,
    /// file, disk or processes; for example memory=512M or cpu=2s. A number alone is seconds or
    /// bytes, as in files
    #[arg(long = "limit", value_name = "NAME=VALUE")]
    list: Vec<String>,
}

impl LimitArgs {
    /// The limits that were given.
    pub(crate) fn read(&self) -> anyhow::Result<Limits> {
        let mut limits = Limits::default();
        for text in &self.list {
            let one = read(text).map_err(|what| bad_input(format!("--limit {text}: {what}")))?;
            limits = limits.with(&one);
        }
        Ok(limits)
    }
}

/// One limit, with the same names and values as in a file.
fn read(text: &str) -> Result<Limits, String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is wanted")?;
    let value: Value = value
        .parse::<serde_json::Number>()
        .map_or_else(|_| Value::String(value.trim().into()), Value::Number);
    let object = Map::from_iter([(name.trim().to_string(), value)]);
    serde_json::from_value(object.into()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use referee::{Seconds, Size};

    use super::*;

    #[test]
    fn limits_are_read_as_from_a_file() {
        assert_eq!(read("memory=512MB").unwrap().memory, Some(Size::mb(512)));
        assert_eq!(
            read("cpu=1.5").unwrap().cpu,
            Some(Seconds::from_millis(1500))
        );
        assert_eq!(
            read("game_wall=20 s").unwrap().game_wall,
            Some(Seconds::from_secs(20))
        );
        assert_eq!(read("processes=8").unwrap().processes, Some(8));
        for bad in ["memory", "memory=much", "mem=1", "processes=-1", "cpu=soon"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}

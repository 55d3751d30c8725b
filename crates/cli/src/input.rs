//! What several subcommands read from their arguments.

use std::io::Read;

use anyhow::Context;
use bots::{AnyPosition, GameName};

use crate::error::bad_input;

/// The position that an argument gives: its text, `-` for standard input, or nothing for
/// the usual start.
pub(crate) fn position(game: GameName, text: Option<&str>) -> anyhow::Result<AnyPosition> {
    let text = match text {
        None => return Ok(AnyPosition::start(game)),
        Some("-") => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .context("standard input")?;
            text
        }
        Some(text) => text.into(),
    };
    AnyPosition::parse(game, text.trim_end_matches(['\n', '\r']))
        .map_err(|error| bad_input(format!("bad {game} position: {error}")))
}

/// A number of seconds on the command line.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|s| (0.0..=86_400.0).contains(s));
    seconds.ok_or_else(|| "a number of seconds up to 86400 is wanted".into())
}

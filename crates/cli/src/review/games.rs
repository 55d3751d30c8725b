//! The review of single games.

use std::io::Write;
use std::path::Path;

use games::{GameName, Transcript};
use referee::GameRecord;
use review::{Played, Suite};
use tournament::{Store, StoreError};

use super::keep::Keeper;
use super::{Args, show};
use crate::error::bad_input;
use crate::input;

/// A game with the name of the place it comes from.
struct Found {
    played: Played,
    /// What people call it.
    name: String,
    /// Its id in the store.
    id: Option<String>,
    /// What `ludex replay` is given, where the game is a record.
    replay: Option<String>,
}

pub(super) fn run(args: &Args, keeper: &Keeper, what: &str) -> anyhow::Result<()> {
    let games = find(keeper, args.game, what)?;
    let mut reviews = Vec::new();
    for found in &games {
        if keeper.is_stopped() {
            break;
        }
        reviews.push(keeper.review(&found.played, found.id.as_deref())?);
    }
    if let (Some(path), Some(first)) = (&args.export, games.first()) {
        let mistakes = games.iter().zip(&reviews).flat_map(|(found, review)| {
            let mistakes = review.real_mistakes();
            mistakes.map(|mistake| (found.name.as_str(), mistake))
        });
        let suite = Suite::new(first.played.game, mistakes);
        input::write_file(path, suite.to_string())?;
    }
    let mut out = std::io::stdout().lock();
    for (number, (found, review)) in (1..).zip(games.iter().zip(&reviews)) {
        if args.json {
            writeln!(out, "{}", serde_json::to_string(review)?)?;
            continue;
        }
        if games.len() > 1 {
            let blank = if number > 1 { "\n" } else { "" };
            writeln!(out, "{blank}{number} of {}", games.len())?;
        }
        let how = show::How {
            slower: args.slower,
            replay: found.replay.as_deref(),
        };
        show::review(&mut out, &found.played, review, &how)?;
    }
    out.flush()?;
    if keeper.is_stopped() {
        anyhow::bail!("stopped; what was proven by then is shown");
    }
    Ok(())
}

/// Refuses a store that is not there where games are to be found in it. For games that are given a
/// new one is made, which keeps what is proven.
pub(super) fn check_store(what: Option<&str>, db: &Path) -> anyhow::Result<()> {
    let is_given = |what: &str| {
        what == "-" || Path::new(what).exists() || Transcript::read(None, what).is_ok()
    };
    match (what, Store::check(db)) {
        (Some(what), _) if is_given(what) => Ok(()),
        (Some(what), Err(StoreError::Missing { path, .. })) => Err(bad_input(format!(
            "{what}: no such file, and no store {}",
            path.display()
        ))),
        (_, checked) => Ok(checked?),
    }
}

/// The games that an argument means: those of a file, that with this id in the store, or those
/// that the argument itself writes out.
fn find(keeper: &Keeper, game: Option<GameName>, what: &str) -> anyhow::Result<Vec<Found>> {
    if let Some((place, bytes)) = input::source(what)? {
        return read(place, game, &bytes);
    }
    if let Some(store) = &keeper.store {
        match keeper.runtime.block_on(store.record(what)) {
            Ok(Some(record)) => {
                let db = referee::quoted(&keeper.db.display().to_string());
                return Ok(vec![Found {
                    played: played(what, &record)?,
                    name: what.into(),
                    id: Some(what.into()),
                    replay: Some(format!("ludex replay {what} --db {db}")),
                }]);
            }
            Ok(None) => return Err(bad_input(format!("{what}: this game was not played"))),
            Err(StoreError::NoGame(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let games = Transcript::read(game, what).map_err(|error| {
        let db = keeper.db.display();
        bad_input(format!(
            "{what}: no such file, no such game in {db}, and no game in itself: {error}"
        ))
    })?;
    transcripts(what, &games)
}

/// The record of a game, or games in any other form.
fn read(place: &str, game: Option<GameName>, bytes: &[u8]) -> anyhow::Result<Vec<Found>> {
    if bytes.trim_ascii_start().starts_with(b"{") {
        let records = serde_json::Deserializer::from_slice(bytes).into_iter::<GameRecord>();
        return records
            .map(|record| {
                let record = record.map_err(|error| {
                    let line = error.line();
                    bad_input(format!("{place}:{line}: not the record of a game: {error}"))
                })?;
                Ok(Found {
                    played: played(place, &record)?,
                    name: place.into(),
                    id: None,
                    replay: Some(format!("ludex replay {}", referee::quoted(place))),
                })
            })
            .collect();
    }
    let games = Transcript::read_file(game, bytes)
        .map_err(|error| bad_input(format!("{place}: {error}")))?;
    transcripts(place, &games)
}

fn played(place: &str, record: &GameRecord) -> anyhow::Result<Played> {
    Played::from_record(record).map_err(|error| bad_input(format!("{place}: {error}")))
}

fn transcripts(place: &str, games: &[Transcript]) -> anyhow::Result<Vec<Found>> {
    let found = games.iter().map(|game| {
        let played = Played::from_transcript(game)
            .map_err(|error| bad_input(format!("{place}: {error}")))?;
        Ok(Found {
            played,
            name: place.into(),
            id: None,
            replay: None,
        })
    });
    found.collect()
}

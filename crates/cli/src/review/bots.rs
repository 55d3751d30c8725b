//! The review of a bot: all its games of a tournament.

use std::io::Write;

use review::{Played, Review};
use tournament::output::table;
use tournament::{Conversions, GameFilter, GameRow, TournamentRow};

use super::keep::Keeper;
use super::{Args, show};
use crate::error::{bad_input, note};
use crate::{input, tournament as tournaments};

pub(super) fn run(args: &Args, keeper: &Keeper, start: &str) -> anyhow::Result<()> {
    let store = keeper.store()?;
    let runtime = &keeper.runtime;
    let id = runtime.block_on(tournaments::find(store, Some(start)))?;
    let row = runtime.block_on(store.tournament(&id))?;
    let player = args
        .player
        .as_deref()
        .map(|name| number_of(&row, name))
        .transpose()?;
    let filter = GameFilter {
        player,
        ..GameFilter::default()
    };
    let games = runtime.block_on(store.games(&id, &filter))?;
    let reviews = review_all(keeper, &games)?;
    if let Some(path) = &args.export {
        let suite = tournament::suite(row.game, &reviews, player, args.opponents);
        input::write_file(path, suite.to_string())?;
        note(format_args!(
            "{}: {} positions",
            path.display(),
            suite.cases.len()
        ));
    }
    let all = Conversions::new(&row, &reviews);
    let mut out = std::io::stdout().lock();
    match player {
        Some(number) if args.json => {
            writeln!(out, "{}", serde_json::to_string(&all.players[number])?)?;
        }
        Some(number) => {
            let db = referee::quoted(&keeper.db.display().to_string());
            let replay = format!("ludex replay GAME --db {db}");
            show::player(&mut out, row.game, &all.players[number], &replay)?;
        }
        None if args.json => writeln!(out, "{}", serde_json::to_string(&all)?)?,
        None => {
            writeln!(out, "{}", table::conversion(&all))?;
            writeln!(out, "{}", all.headline())?;
        }
    }
    if keeper.is_stopped() {
        anyhow::bail!("stopped; the same command goes on with the games that are left");
    }
    Ok(())
}

/// Reviews one game after the other until it is stopped.
fn review_all(keeper: &Keeper, games: &[GameRow]) -> anyhow::Result<Vec<(GameRow, Review)>> {
    let store = keeper.store()?;
    let bar = crate::watch::bar(games.len() as u64, "games");
    let mut reviews = Vec::with_capacity(games.len());
    for game in games.iter().filter(|game| !game.is_forfeit()) {
        if keeper.is_stopped() {
            break;
        }
        if let Some(record) = keeper.runtime.block_on(store.record(&game.id))? {
            let played = Played::from_record(&record)
                .map_err(|error| bad_input(format!("{}: {error}", game.id)))?;
            reviews.push((game.clone(), keeper.review(&played, Some(&game.id))?));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(reviews)
}

/// The number of the player with this name.
fn number_of(row: &TournamentRow, name: &str) -> anyhow::Result<usize> {
    let found = row.players.iter().find(|player| player.name == name);
    let names = || -> Vec<&str> {
        row.players
            .iter()
            .map(|player| player.name.as_str())
            .collect()
    };
    found.map(|player| player.number).ok_or_else(|| {
        bad_input(format!(
            "no player {name:?}; there are {}",
            names().join(", ")
        ))
    })
}

//! What solvers have proven about the games of a tournament.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use ::review::{Conversion, Costly, Kind};
use axum::extract::{Form, Path, Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Redirect, Response};
use futures_util::{Stream, stream};
use maud::{Markup, html};
use serde::Deserialize;
use tournament::output::table::{conversion_columns, conversion_row};
use tournament::{Conversions, GameFilter, TournamentRow};

use super::{fault, view};
use crate::Site;
use crate::board;
use crate::fault::Fault;
use crate::review::source::{Source, replay_command};
use crate::review::view as reviews;
use crate::review::{Allowed, suite_file, work};
use crate::train::Training;

/// How often reviews at work are looked at for their readers.
const PACE: Duration = Duration::from_millis(700);

/// Whether a game belongs to a tournament, by its id.
fn is_of(tournament: &str, game: &str) -> bool {
    let rest = game.strip_prefix(tournament);
    rest.is_some_and(|rest| rest.starts_with('.'))
}

/// How many games of a tournament wait for their review or have it at work.
fn open(site: &Site, tournament: &str) -> usize {
    site.reviews.count(|game| is_of(tournament, game))
}

/// What the players made of won positions, and the buttons for more reviews.
pub(super) fn conversion(site: &Site, row: &TournamentRow, all: &Conversions) -> Markup {
    let open = open(site, &row.id);
    // While games are played the page listens to them.
    let listens = open > 0 && !site.runs.is_running(&row.id);
    let events = listens.then(|| format!("/tournaments/{}/review/events", row.id));
    html! {
        section data-events=[events] {
            h2 { "Proven mistakes" }
            div #part-conversion { (part(row, all, open)) }
            div.actions {
                @if open > 0 {
                    form method="post" action={ "/tournaments/" (row.id) "/review/stop" } { button { "Stop the reviews" } }
                } @else if all.reviewed < row.played as usize {
                    form method="post" action={ "/tournaments/" (row.id) "/review" } {
                        (reviews::seconds("Time for each game"))
                        button { "Review all games" }
                    }
                }
            }
        }
    }
}

/// The part that changes while games are reviewed.
fn part(row: &TournamentRow, all: &Conversions, open: usize) -> Markup {
    html! {
        @if open > 0 { p.status { span.tag.mid { "at work" } " " (open) " games are being reviewed or wait for it." } }
        @if all.reviewed == 0 {
            p.quiet { "No game has been reviewed yet. Solvers find out which won positions were given away." }
        } @else {
            p { (all.counts()) "." }
            @if let Some(game) = &all.instructive {
                p { "The most instructive game: " a href={ "/review/tournament/" (game) } { (view::short(row, game)) } }
            }
            div.scroll tabindex="0" role="region" aria-label="Conversion" { table {
                thead { tr { @for (i, name) in conversion_columns().iter().enumerate() { th.num[i > 0] { (name) } } } }
                tbody { @for (number, player) in all.players.iter().enumerate() { tr {
                    @for (i, cell) in conversion_row(player).iter().enumerate() {
                        @if i == 0 { td { (view::player(row, number)) } } @else { td.num { (cell) } }
                    }
                } } }
            } }
        }
    }
}

/// What a player made of its games: conversion, where wins were lost, the worst mistakes.
pub(super) fn of_player(
    site: &Site,
    row: &TournamentRow,
    number: usize,
    sum: &Conversion,
) -> Markup {
    if sum.games == 0 {
        return html! {
            h2 { "Proven mistakes" }
            p.quiet { "No game of this player has been reviewed yet: " a href={ "/tournaments/" (row.id) } { "review them" } "." }
        };
    }
    let base = format!("/tournaments/{}/players/{number}", row.id);
    html! {
        h2 { "Proven mistakes" }
        p { strong { (crate::page::capital(&sum.headline())) } " (" (sum.games) " games, " (sum.coverage) ")" }
        p { "Won positions that opponents gave: " (sum.given) ", of which were given back: " (sum.given_back) "." }
        div.counts {
            (counts("Lost by kind", "What was given away", sum.by_kind.iter().map(|(kind, count)| (Kind::words(kind), *count))))
            (counts("Lost by turn", "Turns", sum.by_turn.iter().map(|(turn, count)| (format!("{turn}–{}", turn + 9), *count))))
            (counts("Lost by opponent", "Against", sum.against.iter().map(|(name, count)| (name.clone(), *count))))
        }
        @if !sum.repeated.is_empty() {
            h3 { "Positions in which this happened again" }
            ul { @for (position, count) in &sum.repeated { li { (count) " times: " code.text { (position) } } } }
        }
        @if !sum.costliest.is_empty() {
            h3 { "The most expensive mistakes" }
            @for costly in &sum.costliest { (worst(site, row, costly)) }
            div.actions { form method="post" action={ (base) "/train" } { button.primary { "Train on the mistakes of " (sum.player) } } }
            p.links {
                a href={ (base) "/suite.txt" } { "Positions as a test (text)" } " · "
                a href={ (base) "/suite.txt?opponents=yes" } { "with those of opponents" }
            }
        }
    }
}

/// A small table of how often something happened.
fn counts(title: &str, what: &str, rows: impl Iterator<Item = (String, usize)>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(title) { table {
            thead { tr { th { (what) } th.num { (title) } } }
            tbody { @for (name, count) in rows { tr { td { (name) } td.num { (count) } } } }
        } }
    }
}

/// One of the most expensive mistakes of a player.
fn worst(site: &Site, row: &TournamentRow, costly: &Costly) -> Markup {
    let Costly {
        game,
        opponent,
        mistake,
    } = costly;
    html! {
        article.slip {
            @if let Some(scene) = reviews::scene(row.game, mistake) {
                div.small { (board::picture(&scene, &format!("game {}, turn {}", view::short(row, game), mistake.turn))) }
            }
            div {
                h4 { a href={ "/review/tournament/" (game) } { "Game " (view::short(row, game)) ", turn " (mistake.turn) ": " (mistake.played) } }
                p { "Against " (opponent) ": " strong { (mistake.cost()) } }
                dl { (reviews::facts(mistake)) (reviews::refutation(mistake, |step| reviews::alone(row.game, mistake, step))) }
                @if mistake.is_program { p { "To ask the program again: " code { (replay_command(site, game)) " --move " (mistake.turn) } } }
            }
        }
    }
}

/// `POST /tournaments/{id}/review`
pub(super) async fn begin(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Form(allowed): Form<Allowed>,
) -> Result<Redirect, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    let games = site.store.games(&row.id, &GameFilter::default()).await;
    let reviews = site.store.reviews(&row.id).await.map_err(fault)?;
    let seconds = allowed.seconds()?;
    let known = |game: &str| {
        let mut known = reviews.iter().filter(|(row, _)| row.id == game);
        known.any(|(_, review)| review.time.0.as_secs() >= seconds)
    };
    let open = games.map_err(fault)?.into_iter();
    let open = open.filter(|game| !game.is_forfeit() && !known(&game.id));
    let sources = open.map(|game| Source::Tournament(game.id)).collect();
    work::ask(&site, sources, seconds).await?;
    Ok(Redirect::to(&format!("/tournaments/{}", row.id)))
}

/// `POST /tournaments/{id}/review/stop`
pub(super) async fn stop(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Redirect, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    site.reviews.stop(|source| match source {
        Source::Tournament(game) => is_of(&row.id, game),
        _ => false,
    });
    Ok(Redirect::to(&format!("/tournaments/{}", row.id)))
}

/// `GET /tournaments/{id}/review/events`: the table while games are reviewed.
pub(super) async fn events(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    let stream = stream::unfold((site, row, None), |(site, row, seen)| async move {
        if seen == Some(0) {
            return None;
        }
        let mut now = open(&site, &row.id);
        while seen == Some(now) && now > 0 {
            tokio::time::sleep(PACE).await;
            now = open(&site, &row.id);
        }
        if now == 0 {
            let event = Event::default().event("reload").data("ended");
            return Some((Ok(event), (site, row, Some(0))));
        }
        let all = site.store.conversions(&row.id).await.ok()?;
        let parts = serde_json::json!({ "part-conversion": part(&row, &all, now).into_string() });
        let event = Event::default().event("parts").data(parts.to_string());
        Some((Ok(event), (site, row, Some(now))))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

/// Whose positions are wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Whose {
    /// Not empty: those of opponents too.
    opponents: String,
}

/// The name of a player.
fn name(row: &TournamentRow, number: usize) -> Result<&str, Fault> {
    let player = row.players.get(number);
    let player = player.ok_or_else(|| Fault::missing(format!("there is no player {number}")))?;
    Ok(&player.name)
}

/// `GET /tournaments/{id}/players/{number}/suite.txt`
pub(super) async fn suite(
    State(site): State<Arc<Site>>,
    Path((id, number)): Path<(String, usize)>,
    Query(whose): Query<Whose>,
) -> Result<Response, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    name(&row, number)?;
    let reviews = site.store.reviews(&id).await.map_err(fault)?;
    let opponents = !whose.opponents.is_empty();
    let suite = tournament::suite(row.game, &reviews, Some(number), opponents);
    Ok(suite_file(&suite))
}

/// `POST /tournaments/{id}/players/{number}/train`
pub(super) async fn train(
    State(site): State<Arc<Site>>,
    Path((id, number)): Path<(String, usize)>,
) -> Result<Redirect, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    let reviews = site.store.reviews(&id).await.map_err(fault)?;
    let title = format!("{} in {}", name(&row, number)?, row.name);
    let suite = tournament::suite(row.game, &reviews, Some(number), false);
    let back = format!("/tournaments/{id}/players/{number}");
    let training = Training::create(&site, &title, &back, suite).await?;
    Ok(Redirect::to(&format!("/train/{}", training.id)))
}

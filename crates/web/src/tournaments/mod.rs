//! Tournaments: lists, live standings, players and games.

pub(crate) mod create;
mod form;
pub(crate) mod game;
pub(crate) mod news;
mod review;
pub(crate) mod runs;
pub(crate) mod view;

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::sse::{Event, Sse};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use futures_util::Stream;
use maud::{Markup, html};
use serde::Deserialize;
use tournament::{Conversions, GameFilter, GameOrder, StoreError, TournamentRow, output};

use crate::Site;
use crate::fault::Fault;
use crate::page::{count, shell};
use crate::query::query;
use crate::review::Shown;
use crate::review::source::{Source, replay_command};

/// Games on one page.
const SHOWN: u32 = 200;

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Site>> {
    Router::new()
        .route("/tournaments", get(list).post(form::create))
        .route("/tournaments/new", get(form::form))
        .route("/tournaments/{id}", get(show))
        .route("/tournaments/{id}/events", get(events))
        .route("/tournaments/{id}/stop", post(stop))
        .route("/tournaments/{id}/resume", post(resume))
        .route("/tournaments/{id}/games", get(games))
        .route("/tournaments/{id}/games/{game}", get(one_game))
        .route("/tournaments/{id}/games/{game}/record.json", get(record))
        .route("/tournaments/{id}/players/{number}", get(player))
        .route(
            "/tournaments/{id}/players/{number}/suite.txt",
            get(review::suite),
        )
        .route(
            "/tournaments/{id}/players/{number}/train",
            post(review::train),
        )
        .route("/tournaments/{id}/review", post(review::begin))
        .route("/tournaments/{id}/review/stop", post(review::stop))
        .route("/tournaments/{id}/review/events", get(review::events))
        .route("/tournaments/{id}/files/{name}", get(file))
}

/// What the store says, as a fault.
pub(crate) fn fault(error: StoreError) -> Fault {
    match error {
        StoreError::NoTournament(_) | StoreError::NoGame(_) => Fault::missing(error),
        other => Fault::ours(other),
    }
}

/// `GET /tournaments`
async fn list(State(site): State<Arc<Site>>) -> Result<Html<String>, Fault> {
    // Asked for first: what ends meanwhile is not taken for one that was stopped.
    let running = site.runs.running();
    let rows = site.store.tournaments().await.map_err(fault)?;
    let body = html! {
        h1 { "Tournaments" }
        div.actions {
            a.button.primary href="/tournaments/new" { "New tournament" }
            @if site.config.cluster.is_some() { " " a.button href="/cluster" { "Workers" } }
        }
        @if rows.is_empty() {
            p { "None yet. Let some bots meet, or your own programs." }
        } @else {
            div.scroll tabindex="0" role="region" aria-label="Tournaments" {
                table {
                    thead { tr { th { "Name" } th { "Game" } th { "Format" } th.num { "Players" } th.num { "Games" } th { "State" } th { "Begun" } } }
                    tbody {
                        @for row in &rows {
                            tr {
                                th scope="row" { a href={ "/tournaments/" (row.id) } { (row.name) } }
                                td { (row.game.about().title) } td { (row.format) }
                                td.num { (row.players.len()) } td.num { (row.played) " / " (row.planned) }
                                td { (state(row, running.contains(&row.id))) }
                                td { (row.created) }
                            }
                        }
                    }
                }
            }
        }
    };
    Ok(shell("Tournaments", "/tournaments", body))
}

/// Whether it goes on.
fn state(row: &TournamentRow, running: bool) -> Markup {
    html! {
        @if running { span.tag.mid { "running" } }
        @else if row.finished { span.tag.good { "finished" } }
        @else { span.tag { "stopped" } }
    }
}

/// `GET /tournaments/{id}`
async fn show(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Html<String>, Fault> {
    let running = site.runs.is_running(&id);
    let row = site.store.tournament(&id).await.map_err(fault)?;
    let conversions = site.store.conversions(&id).await.map_err(fault)?;
    let events = running.then(|| format!("/tournaments/{id}/events"));
    let body = html! {
        div data-events=[events] {
            h1 { (row.name) }
            p.quiet { (view::about(&row)) }
            div.actions {
                @if running { form method="post" action={ "/tournaments/" (id) "/stop" } { button { "Stop" } } }
                @else if !row.finished { form method="post" action={ "/tournaments/" (id) "/resume" } { button.primary { "Go on" } } }
            }
            div #part-live { (live(&site, &row, running).await?) }
            h2 { "Latest games" }
            div #part-games { (latest(&site, &row).await?) }
            (review::conversion(&site, &row, &conversions))
            p { a href={ "/tournaments/" (id) "/games" } { "All games" } " · "
                a href={ "/tournaments/" (id) "/games?faults=yes" } { "Games with faults" } }
            h2 { "Download" }
            p.links {
                a href={ "/tournaments/" (id) "/files/standings.csv" } { "Standings (CSV)" } " · "
                a href={ "/tournaments/" (id) "/files/games.csv" } { "Games (CSV)" } " · "
                @if conversions.reviewed > 0 { a href={ "/tournaments/" (id) "/files/conversion.csv" } { "Conversion (CSV)" } " · "
                    a href={ "/tournaments/" (id) "/files/reviews.csv" } { "Reviews (CSV)" } " · " }
                a href={ "/tournaments/" (id) "/files/report.json" } { "Everything (JSON)" } " · "
                a href={ "/tournaments/" (id) "/files/report.html" } { "Report (HTML)" }
            }
        }
    };
    Ok(shell(&row.name, "/tournaments", body))
}

/// The part of the page that changes while games are played.
async fn live(site: &Site, row: &TournamentRow, running: bool) -> Result<Markup, Fault> {
    let standings = site.store.standings(&row.id).await.map_err(fault)?;
    let notes = site.store.notes(&row.id).await.map_err(fault)?;
    let run = site.runs.find(&row.id);
    let games = run
        .as_ref()
        .map(|run| run.live.running())
        .unwrap_or_default();
    Ok(html! {
        p.status #status role="status" {
            (state(row, running)) " " strong { (standings.played) " of " (standings.planned) " games" }
        }
        @if let Some(problem) = run.and_then(|run| run.problem()) { p.problem role="alert" { (problem) } }
        (view::running(row, &games))
        (view::bracket(row, &standings))
        h2 { "Standings" }
        (view::standings(row, &standings))
        (view::ratings(&standings))
        h2 { "Crosstable" }
        (view::crosstable(row, &standings))
        @if let Some(duel) = &standings.duel {
            p { (row.players[0].name) " against " (row.players[1].name) ": " strong { (duel.wdl) } ", Elo " (format!("{:+.0} ± {:.0}", duel.rating.elo, duel.rating.error)) ", stronger with " (format!("{:.1} %", duel.superiority * 100.0)) }
        }
        @for (player, text) in notes.iter().filter_map(|note| Some((note.player?, &note.text))) {
            p.problem { (view::player(row, player)) ": " (text) }
        }
    })
}

async fn latest(site: &Site, row: &TournamentRow) -> Result<Markup, Fault> {
    let filter = GameFilter {
        order: GameOrder::Latest,
        limit: Some(12),
        ..GameFilter::default()
    };
    let games = site.store.games(&row.id, &filter).await.map_err(fault)?;
    Ok(view::games(row, &games))
}

/// `GET /tournaments/{id}/events`: the live parts, while somebody looks.
async fn events(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Fault> {
    news::news(site, id, |site, row| async move {
        Ok(serde_json::json!({
            "part-live": live(&site, &row, true).await?.into_string(),
            "part-games": latest(&site, &row).await?.into_string(),
        }))
    })
    .await
}

/// `POST /tournaments/{id}/stop`
async fn stop(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Redirect, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    site.runs.stop(&row.id);
    Ok(Redirect::to(&format!("/tournaments/{}", row.id)))
}

/// `POST /tournaments/{id}/resume`
async fn resume(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Result<Redirect, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    runs::launch(&site, row.config).await?;
    Ok(Redirect::to(&format!("/tournaments/{}", row.id)))
}

/// Which games are wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Wanted {
    player: Option<usize>,
    opponent: Option<usize>,
    faults: String,
    page: u32,
}

impl Wanted {
    /// The address of the next page of the same games.
    fn next(&self, id: &str) -> String {
        let [player, opponent] = [self.player, self.opponent]
            .map(|number| number.map_or(String::new(), |number| number.to_string()));
        let page = self.page.saturating_add(1).to_string();
        let pairs = [
            ("player", player.as_str()),
            ("opponent", &opponent),
            ("faults", &self.faults),
            ("page", &page),
        ];
        format!("/tournaments/{id}/games{}", query(&pairs))
    }
}

/// `GET /tournaments/{id}/games`
async fn games(
    State(site): State<Arc<Site>>,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Html<String>, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    let filter = GameFilter {
        player: wanted.player,
        opponent: wanted.opponent,
        faults_only: !wanted.faults.is_empty(),
        limit: Some(SHOWN),
        offset: wanted.page.saturating_mul(SHOWN),
        ..GameFilter::default()
    };
    let games = site.store.games(&id, &filter).await.map_err(fault)?;
    let body = html! {
        p { a href={ "/tournaments/" (id) } { "← " (row.name) } }
        h1 { "Games" }
        (view::games(&row, &games))
        @if games.len() == SHOWN as usize { p { a href=(wanted.next(&id)) { "More games" } } }
    };
    Ok(shell("Games", "/tournaments", body))
}

/// Which turn is wanted.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Turn {
    at: Option<usize>,
}

/// `GET /tournaments/{id}/games/{game}`
async fn one_game(
    State(site): State<Arc<Site>>,
    Path((id, game)): Path<(String, String)>,
    Query(turn): Query<Turn>,
) -> Result<Html<String>, Fault> {
    let tournament = site.store.tournament(&id).await.map_err(fault)?;
    let row = site.store.game(&game).await.map_err(fault)?;
    let Some(record) = site.store.record(&game).await.map_err(fault)? else {
        return Err(Fault::missing(format!(
            "game {game} was not played: {}",
            row.ending_text
        )));
    };
    let last = record.moves.len();
    let at = turn.at.unwrap_or(last);
    if at > last {
        return Err(Fault::missing(format!(
            "the game has {}, not {at}",
            count(last as u64, "turn")
        )));
    }
    let review = Shown::of(&site, &Source::Tournament(game.clone())).await?;
    let replay = replay_command(&site, &game);
    Ok(game::page(&tournament, &row, &record, &review, at, &replay))
}

/// `GET /tournaments/{id}/games/{game}/record.json`
async fn record(
    State(site): State<Arc<Site>>,
    Path((_, game)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let record = site.store.record(&game).await.map_err(fault)?;
    let record = record.ok_or_else(|| Fault::missing(format!("game {game} was not played")))?;
    Ok(axum::Json(record).into_response())
}

/// `GET /tournaments/{id}/players/{number}`
async fn player(
    State(site): State<Arc<Site>>,
    Path((id, number)): Path<(String, usize)>,
) -> Result<Html<String>, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    let who = row
        .players
        .get(number)
        .ok_or_else(|| Fault::missing(format!("there is no player {number}")))?;
    let standings = site.store.standings(&id).await.map_err(fault)?;
    let faults = site
        .store
        .faults(&id, Some(number), 50)
        .await
        .map_err(fault)?;
    let slow = site
        .store
        .slowest_moves(&id, Some(number), 10)
        .await
        .map_err(fault)?;
    let errors = site
        .store
        .standard_error(&id, number, 10)
        .await
        .map_err(fault)?;
    let conversions = site.store.conversions(&id).await.map_err(fault)?;
    let filter = GameFilter {
        player: Some(number),
        limit: Some(SHOWN),
        ..GameFilter::default()
    };
    let games = site.store.games(&id, &filter).await.map_err(fault)?;
    let link = |game: &str, turn: u32| format!("/tournaments/{id}/games/{game}?at={turn}");
    let body = html! {
        p { a href={ "/tournaments/" (id) } { "← " (row.name) } }
        h1 { (who.name) }
        p { code { (who.spec) } }
        @if let Some(line) = standings.of(number) {
            @if let Some(why) = &line.benched { p.problem { "Benched: " (why) } }
            dl {
                dt { "Place" } dd { (line.rank) }
                dt { "Points" } dd { (line.points()) " of " (line.wdl().games()) " games (" (line.wdl()) ")" }
                dt { "Moving first" } dd { (line.as_first) }
                dt { "Moving second" } dd { (line.as_second) }
                dt { "Elo" } dd { (format!("{:+.0} ± {:.0}", line.rating.elo, line.rating.error)) }
                dt { "Time a game" } dd { (line.wall) " on the wall, " (line.cpu) " of the processor" }
            }
        }
        (review::of_player(&site, &row, number, &conversions.players[number]))
        h2 { "Faults" }
        @if faults.is_empty() { p.quiet { "None." } } @else { (view::faults(&row, &faults)) }
        h2 { "Slowest moves" }
        div.scroll tabindex="0" role="region" aria-label="Slowest moves" { table {
            thead { tr { th { "Game" } th.num { "Turn" } th { "Move" } th.num { "Wall" } th.num { "Processor" } } }
            tbody { @for turn in &slow { tr {
                td { a href=(link(&turn.game, turn.turn)) { (view::short(&row, &turn.game)) } }
                td.num { (turn.turn) }
                td { (turn.record.mv.as_deref().unwrap_or("—")) }
                td.num { (turn.record.wall) } td.num { (turn.record.cpu) }
            } } }
        } }
        @if !errors.is_empty() {
            h2 { "Standard error" }
            @for turn in &errors {
                p { a href=(link(&turn.game, turn.turn)) { (view::short(&row, &turn.game)) ", turn " (turn.turn) } }
                pre tabindex="0" { (turn.record.stderr) }
            }
        }
        h2 { "Games" }
        (view::games(&row, &games))
    };
    Ok(shell(&who.name, "/tournaments", body))
}

/// `GET /tournaments/{id}/files/{name}`
async fn file(
    State(site): State<Arc<Site>>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Fault> {
    let row = site.store.tournament(&id).await.map_err(fault)?;
    let (kind, body) = match name.as_str() {
        "standings.csv" => {
            let standings = site.store.standings(&id).await.map_err(fault)?;
            (
                "text/csv; charset=utf-8",
                output::csv::standings(&standings),
            )
        }
        "games.csv" => {
            let games = site
                .store
                .games(&id, &GameFilter::default())
                .await
                .map_err(fault)?;
            (
                "text/csv; charset=utf-8",
                output::csv::games(&games, &row.players),
            )
        }
        "conversion.csv" => {
            let conversions = site.store.conversions(&id).await.map_err(fault)?;
            (
                "text/csv; charset=utf-8",
                output::csv::conversion(&conversions),
            )
        }
        "reviews.csv" => {
            let reviews = site.store.reviews(&id).await.map_err(fault)?;
            let conversions = Conversions::new(&row, &reviews);
            (
                "text/csv; charset=utf-8",
                output::csv::reviews(&reviews, &conversions, &row.players),
            )
        }
        "report.json" => {
            let summary = output::json(&site.store, &id).await.map_err(fault)?;
            (
                "application/json",
                serde_json::to_string_pretty(&summary).map_err(Fault::ours)?,
            )
        }
        "report.html" => {
            let report = output::html(&site.store, &id, &output::ReportOptions::default())
                .await
                .map_err(fault)?;
            ("text/html; charset=utf-8", report)
        }
        other => return Err(Fault::missing(format!("there is no file {other:?}"))),
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_string()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    Ok((headers, body).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_of_the_same_games() {
        let wanted = Wanted {
            player: Some(2),
            opponent: Some(0),
            faults: "yes".into(),
            page: 3,
        };
        let next = "/tournaments/cup-1/games?player=2&opponent=0&faults=yes&page=4";
        assert_eq!(wanted.next("cup-1"), next);
    }
}

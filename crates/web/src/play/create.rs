//! Starting a game.

use std::sync::Arc;

use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use bots::{BotSpec, Budget};
use games::{Algorithm, AnyPosition, Argument, GameName};
use maud::{Markup, html};
use rules::{Outcome, Side};
use serde::Deserialize;

use super::game::{Match, Seat, now};
use crate::fault::Fault;
use crate::page::shell;
use crate::query::query;
use crate::{Site, board, fresh_id, howto};

/// Bots wait for nobody longer than this.
const LONGEST: std::time::Duration = std::time::Duration::from_secs(60);

/// What the address of the form says.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Wanted {
    game: String,
    position: String,
}

/// The form as it was filled in.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct Filled {
    game: String,
    side: String,
    bot: String,
    budget: String,
    start: String,
    position: String,
    clock: String,
}

/// The players to choose from, the strongest first.
fn bots() -> Vec<(&'static str, &'static str)> {
    let mut bots = Algorithm::ALL.to_vec();
    bots.sort_by_key(|bot| std::cmp::Reverse(bot.strength()));
    bots.iter().map(|bot| (bot.name(), bot.words())).collect()
}

const BUDGETS: [(&str, &str); 9] = [
    ("500ms", "half a second a move"),
    ("100ms", "a tenth of a second"),
    ("1s", "one second"),
    ("3s", "three seconds"),
    ("10s", "ten seconds"),
    ("d2", "depth 2"),
    ("d4", "depth 4"),
    ("d6", "depth 6"),
    ("d8", "depth 8"),
];

const CLOCKS: [(&str, &str); 4] = [
    ("", "none"),
    ("60", "1 minute each"),
    ("300", "5 minutes each"),
    ("900", "15 minutes each"),
];

/// `GET /play`
pub(super) async fn form(
    State(site): State<Arc<Site>>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Fault> {
    let game = if wanted.game.is_empty() {
        GameName::default()
    } else {
        wanted.game.parse().map_err(Fault::bad)?
    };
    let filled = Filled {
        position: wanted.position,
        ..Filled::default()
    };
    page(&site, game, &filled, None).await
}

/// The form as it was filled in, and what is wrong with it: that can only be the position.
async fn page(
    site: &Site,
    game: GameName,
    filled: &Filled,
    problem: Option<Fault>,
) -> Result<Response, Fault> {
    let (shown, problem) = match filled.position.trim() {
        "" => (AnyPosition::start(game), problem),
        text => match AnyPosition::parse(game, text) {
            Ok(position) => (position, problem),
            Err(error) => (AnyPosition::start(game), Some(Fault::bad(error))),
        },
    };
    let running: Vec<Match> = site.documents.latest("play", 12).await?;
    let body = html! {
        h1 { "Play" }
        nav.tabs aria-label="Games" {
            @for g in GameName::all() {
                a href=(format!("/play?game={g}")) aria-current=[(g == game).then_some("page")] { (g.about().title) }
            }
        }
        div.columns {
            div.stage { (board::picture(&shown.scene(), "the first position")) }
            div.panel {
                (fields(game, filled, problem.as_ref()))
                (howto::details(game))
            }
        }
        (list(&running))
    };
    let status = problem.map_or(StatusCode::OK, |fault| fault.status);
    Ok((status, shell("Play", "/play", body)).into_response())
}

fn options(list: &[(&str, &str)], chosen: &str) -> Markup {
    html! { @for (value, words) in list { option value=(value) selected[*value == chosen] { (words) } } }
}

fn fields(game: GameName, filled: &Filled, problem: Option<&Fault>) -> Markup {
    let [first, second] = Side::BOTH.map(|side| game.side_name(side));
    let first = format!("{first} (moves first)");
    let sides = [
        ("first", first.as_str()),
        ("second", second),
        ("both", "Both: two people, one board"),
        ("none", "Neither: watch the bot play itself"),
    ];
    let about = game.about();
    let starts: Vec<_> = about.starts.iter().map(|s| (s.value, s.words)).collect();
    let position = filled.position.trim();
    let wrong = problem.map(|_| "position-problem");
    html! {
        form.card method="post" action="/play" data-plain {
            input type="hidden" name="game" value=(game);
            label { span { "You play" } select name="side" { (options(&sides, &filled.side)) } }
            label { span { "Opponent" } select name="bot" { (options(&bots(), &filled.bot)) } }
            label { span { "Thinking" } select name="budget" { (options(&BUDGETS, &filled.budget)) } }
            label { span { "Start" }
                select name="start" {
                    @if !position.is_empty() { option value="" { "The position below" } }
                    (options(&starts, &filled.start))
                }
            }
            label { span { "or this position" }
                input name="position" value=(position) placeholder=(about.prompt.position) autocomplete="off" spellcheck="false"
                    aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong] autofocus[wrong.is_some()];
            }
            @if let Some(fault) = problem { p.problem id=[wrong] role="alert" { (fault.message) } }
            label { span { "Clock" } select name="clock" { (options(&CLOCKS, &filled.clock)) } }
            div.actions {
                button.primary { "Start the game" }
                a.button href={ "/edit" (query(&[("game", game.name()), ("position", position)])) } { "Edit the board" }
            }
        }
    }
}

/// The games in progress.
fn list(games: &[Match]) -> Markup {
    html! {
        @if !games.is_empty() {
            section {
                h2 { "Games here" }
                ul.games {
                    @for game in games {
                        li {
                            a href={ "/play/" (game.id) } { (game.game.about().title) ": " (game.seats[0].name()) " – " (game.seats[1].name()) }
                            " " span.quiet { (game.moves.len()) " moves" @if let Some(result) = result(game) { ", " (result) } }
                        }
                    }
                }
            }
        }
    }
}

/// Who won, in a word or two.
fn result(game: &Match) -> Option<String> {
    let position = game.position().ok()?;
    Some(match game.ending(&position)?.outcome {
        Outcome::Win(side) => format!("{} won", position.game().side_name(side)),
        Outcome::Draw => "a draw".into(),
    })
}

/// `POST /play`
pub(super) async fn create(
    State(site): State<Arc<Site>>,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let name: GameName = filled.game.parse().map_err(Fault::bad)?;
    match new_game(&filled) {
        Ok(game) => {
            let address = format!("/play/{}", game.id);
            site.open_games.add(&site, game).await?;
            Ok(Redirect::to(&address).into_response())
        }
        Err(problem) => page(&site, name, &filled, Some(problem)).await,
    }
}

/// The game that the form asks for.
pub(crate) fn new_game(filled: &Filled) -> Result<Match, Fault> {
    let game: GameName = filled.game.parse().map_err(Fault::bad)?;
    let seed = rand::random();
    let text = if filled.position.trim().is_empty() {
        filled.start.trim()
    } else {
        filled.position.trim()
    };
    let start = match text {
        "" | "start" => AnyPosition::start(game),
        "random" => AnyPosition::random_start(game, seed),
        text => AnyPosition::parse(game, text).map_err(Fault::bad)?,
    };
    let bot = Seat::Bot(spec(&filled.bot, &filled.budget)?.to_string());
    let seats = match filled.side.as_str() {
        "first" | "" => [Seat::Human, bot],
        "second" => [bot, Seat::Human],
        "both" => [Seat::Human, Seat::Human],
        "none" => [bot.clone(), bot],
        other => {
            return Err(Fault::bad(format!(
                "side {other:?} is not first, second, both or none"
            )));
        }
    };
    let clock_ms = match filled.clock.as_str() {
        "" => None,
        text => Some(
            text.parse::<u64>()
                .ok()
                .filter(|seconds| (1..=86_400).contains(seconds))
                .ok_or_else(|| Fault::bad(format!("clock {text:?} is not a number of seconds")))?
                * 1000,
        ),
    };
    Ok(Match {
        id: fresh_id(),
        game,
        start: start.to_string(),
        moves: Vec::new(),
        seats,
        seed,
        clock_ms,
        cut: None,
        since: now(),
        created: now(),
    })
}

/// A bot from its two fields; also takes a whole name such as `minimax:3` in the first.
pub(crate) fn spec(bot: &str, budget: &str) -> Result<BotSpec, Fault> {
    let named = Algorithm::ALL.iter().find(|known| known.name() == bot);
    let deep = budget.starts_with('d');
    let text = match named.map(|algorithm| algorithm.argument()) {
        _ if bot.is_empty() => "greedy".to_string(),
        Some(Argument::None) => bot.to_string(),
        _ if budget.is_empty() || bot.contains(':') => bot.to_string(),
        // A budget that this player cannot have becomes one that it can.
        Some(Argument::Depth) if !deep => format!("{bot}:3"),
        Some(Argument::Time) if deep => format!("{bot}:1s"),
        _ => format!("{bot}:{budget}"),
    };
    let spec: BotSpec = text.parse().map_err(Fault::bad)?;
    match spec.budget {
        Budget::Time(time) | Budget::Game(time) if time > LONGEST => Err(Fault::bad(format!(
            "{text}: a bot here may think {} seconds at most",
            LONGEST.as_secs()
        ))),
        _ => Ok(spec),
    }
}

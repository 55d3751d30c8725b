//! Starting a game.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use bots::{BotSpec, Budget};
use games::{Algorithm, AnyPosition, Argument, GameName};
use maud::{Markup, Render, html};
use rules::Side;
use serde::Deserialize;
use tournament::rating;

use super::game::{Link, Match, Seat, now};
use super::list;
use super::open_games::Asked;
use crate::fault::Fault;
use crate::page::{capital, shell};
use crate::query::query;
use crate::visitors::Visitor;
use crate::{Site, board, fresh_id, howto};

/// Bots wait for nobody longer than this.
const LONGEST: std::time::Duration = std::time::Duration::from_secs(60);

/// A name that people give themselves is not longer than this.
pub(super) const LONGEST_NAME: usize = 30;

/// The form as it was filled in.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, Default)]
#[serde(default)]
pub(crate) struct Filled {
    game: String,
    side: String,
    bot: String,
    budget: String,
    /// The other bot, where two are watched; the same one if empty.
    bot2: String,
    budget2: String,
    start: String,
    position: String,
    clock: String,
    name: String,
    /// Decides a random start, so that what is played is what was shown; every form that is shown has
    /// another one.
    seed: String,
}

impl Filled {
    /// The names of the fields.
    pub(crate) const FIELDS: [&str; 11] = [
        "game", "side", "bot", "budget", "bot2", "budget2", "start", "position", "clock", "name",
        "seed",
    ];

    fn seed(&self) -> Result<u64, Fault> {
        match self.seed.trim() {
            "" => Ok(rand::random_range(1..1_000_000)),
            text => text
                .parse()
                .map_err(|_| Fault::bad(format!("seed {text:?} is not a number"))),
        }
    }

    /// The position that is chosen, or written.
    fn position(&self, game: GameName, seed: u64) -> Result<AnyPosition, Fault> {
        let usual = game.about().starts.first().map_or("start", |s| s.value);
        let text = match (self.position.trim(), self.start.trim()) {
            ("", "") => usual,
            ("", start) => start,
            (position, _) => position,
        };
        let position = match text {
            "random" => AnyPosition::random_start(game, seed),
            text => AnyPosition::parse(game, text).map_err(Fault::bad)?,
        };
        match position.outcome() {
            Some(outcome) => Err(Fault::bad(format!(
                "the game is over in this position: {}",
                position.announce(outcome)
            ))),
            None => Ok(position),
        }
    }
}

/// The opponent of those who have not chosen one.
const USUAL_LEVEL: Algorithm = Algorithm::Casual;

/// The players to choose from: levels with what they are worth, the weakest first, and
/// algorithms, the strongest first.
fn bots(game: GameName, chosen: &str) -> Markup {
    let level = |level: Algorithm| match rating::level(game, level) {
        Some(rating) => (level.name(), format!("{} ({rating})", level.words())),
        None => (level.name(), level.words().to_string()),
    };
    let mut others: Vec<Algorithm> = Algorithm::ALL.to_vec();
    others.retain(|bot| !Algorithm::LEVELS.contains(bot));
    others.sort_by_key(|bot| std::cmp::Reverse(bot.strength()));
    html! {
        optgroup label="Levels" { (options(&Algorithm::LEVELS.map(level), chosen)) }
        optgroup label="Algorithms" { @for bot in others { option value=(bot.name()) selected[bot.name() == chosen] { (bot.words()) } } }
    }
}

/// What the levels of a game are worth and how they play.
fn levels(game: GameName) -> Markup {
    let rating = |level| rating::level(game, level);
    let measured = Algorithm::LEVELS
        .into_iter()
        .any(|level| rating(level).is_some());
    html! {
        details.more {
            summary { "The levels" }
            table.levels {
                thead { tr { th { "Level" } @if measured { th.num { "Rating" } } th { "How it plays" } } }
                tbody {
                    @for level in Algorithm::LEVELS {
                        tr {
                            th scope="row" { (level.words()) }
                            @if measured { td.num { @if let Some(rating) = rating(level) { (rating) } } }
                            td.wrap { @match game.about().levels.handicap(level) {
                                Some(plays) => (capital(&plays.words())),
                                None => "Everything it can, in the time it has",
                            } }
                        }
                    }
                }
            }
            @if measured {
                p.quiet { "Ratings are Elo points above random play, measured by our own matches between the levels: 100 points more win about 64 of 100 games, 200 about 76, 400 about 91." }
            }
        }
    }
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

/// `GET /play`: the form; what the address says is filled in.
pub(super) async fn form(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Query(filled): Query<Filled>,
) -> Result<Response, Fault> {
    let game = match filled.game.as_str() {
        "" => GameName::default(),
        name => name.parse().map_err(Fault::bad)?,
    };
    page(&site, &visitor, game, &filled, None).await
}

/// The form as it was filled in, and what is wrong with it: that can only be the position.
async fn page(
    site: &Site,
    visitor: &Visitor,
    game: GameName,
    filled: &Filled,
    problem: Option<Fault>,
) -> Result<Response, Fault> {
    let seed = filled.seed()?;
    let (shown, problem) = match filled.position(game, seed) {
        Ok(position) => (position, problem),
        Err(error) => (AnyPosition::start(game), Some(problem.unwrap_or(error))),
    };
    let filled = &Filled {
        seed: seed.to_string(),
        ..filled.clone()
    };
    let latest = list::latest(site, visitor, 0, 6).await?;
    let body = html! {
        h1 { "Play" }
        nav.tabs aria-label="Games" {
            @for g in GameName::all() {
                a href=(format!("/play?game={g}")) aria-current=[(g == game).then_some("page")] { (g.about().title) }
            }
        }
        div.columns.setup {
            div.stage #preview { (board::picture(&shown.scene(), "the position that the game starts from")) }
            div.panel {
                (fields(game, filled, problem.as_ref()))
                (levels(game))
                (howto::details(game))
            }
        }
        @if !latest.is_empty() {
            section {
                h2 { "Games here" }
                (list::list(&latest))
                p { a href="/play/games" { "All games" } }
            }
        }
    };
    let status = problem.map_or(StatusCode::OK, |fault| fault.status);
    Ok((status, shell("Play", "/play", body)).into_response())
}

fn options(list: &[(&str, impl Render)], chosen: &str) -> Markup {
    html! { @for (value, words) in list { option value=(value) selected[*value == chosen] { (words) } } }
}

fn fields(game: GameName, filled: &Filled, problem: Option<&Fault>) -> Markup {
    let [first, second] = Side::BOTH.map(|side| game.side_name(side));
    let first = format!("{first} (moves first)");
    let sides = [
        ("first", first.as_str()),
        ("second", second),
        ("link", "A friend: send them a link"),
        ("both", "Both: two people, one board"),
        ("none", "Neither: watch bots play"),
    ];
    let about = game.about();
    let starts: Vec<_> = about.starts.iter().map(|s| (s.value, s.words)).collect();
    let position = filled.position.trim();
    let wrong = problem.map(|_| "position-problem");
    let more = !position.is_empty() || wrong.is_some() || !filled.clock.is_empty();
    let same = [("", "The same bot")];
    let bot = match filled.bot.as_str() {
        "" => USUAL_LEVEL.name(),
        bot => bot,
    };
    html! {
        form.card method="post" action="/play" data-plain data-preview="/play" {
            input type="hidden" name="game" value=(game);
            input type="hidden" name="seed" value=(filled.seed);
            label { span { "You play" } select name="side" { (options(&sides, &filled.side)) } }
            label.of-bot { span { "Opponent" } select name="bot" { (bots(game, bot)) } }
            label.of-bots { span { "Against" } select name="bot2" { (options(&same, &filled.bot2)) (bots(game, &filled.bot2)) } }
            label { span { "Start" }
                select name="start" {
                    @if !position.is_empty() { option value="" { "The position below" } }
                    (options(&starts, &filled.start))
                }
            }
            div.actions {
                button.primary { "Start the game" }
                button formmethod="get" formaction="/play" data-no-script { "Show the start" }
            }
            details.more open[more] {
                summary { "Clock, thinking, names, a position of your own" }
                label.of-bot { span { "Thinking" } select name="budget" { (options(&BUDGETS, &filled.budget)) } }
                label.of-bots { span { "Its thinking" } select name="budget2" { (options(&BUDGETS, &filled.budget2)) } }
                p.quiet { "The time to think is for Best and the algorithms; the other levels need none. A depth is looked at for ten seconds at most." }
                label { span { "Clock" } select name="clock" { (options(&CLOCKS, &filled.clock)) } }
                label { span { "Your name" } input name="name" value=(filled.name) maxlength=(LONGEST_NAME) autocomplete="nickname" spellcheck="false"; }
                label { span { "This position" }
                    input name="position" value=(position) placeholder=(about.prompt.position) autocomplete="off" spellcheck="false"
                        aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong] autofocus[wrong.is_some()];
                }
                @if let Some(fault) = problem { p.problem id=[wrong] role="alert" { (fault.message) } }
                p { a href={ "/edit" (query(&[("game", game.name()), ("position", position)])) } { "Edit the board" } }
            }
        }
    }
}

/// `POST /play`
pub(super) async fn create(
    State(site): State<Arc<Site>>,
    Extension(visitor): Extension<Visitor>,
    Form(filled): Form<Filled>,
) -> Result<Response, Fault> {
    let name: GameName = filled.game.parse().map_err(Fault::bad)?;
    match new_game(&filled, Fit::Adapt, &visitor) {
        Ok(game) => {
            let games = &site.open_games;
            let id = match filled.seed.trim() {
                "" => {
                    let id = game.id.clone();
                    games.add(&site, game).await?;
                    id
                }
                _ => {
                    let asked = Asked::Form(Box::new(filled));
                    games.add_once(&site, &visitor, asked, game).await?
                }
            };
            Ok(Redirect::to(&format!("/play/{id}")).into_response())
        }
        Err(problem) => page(&site, &visitor, name, &filled, Some(problem)).await,
    }
}

/// What becomes of a budget that a bot cannot have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fit {
    /// It gets one that it can: a form offers the same budgets for all bots.
    Adapt,
    /// It is refused.
    Refuse,
}

/// The game that the form asks for.
pub(crate) fn new_game(filled: &Filled, fit: Fit, visitor: &Visitor) -> Result<Match, Fault> {
    let owner = visitor.key.as_deref();
    let game: GameName = filled.game.parse().map_err(Fault::bad)?;
    let seed = filled.seed()?;
    let mut position = filled.position(game, seed)?;
    let bot = || -> Result<Seat, Fault> {
        Ok(Seat::Bot(
            spec(&filled.bot, &filled.budget, fit)?.to_string(),
        ))
    };
    let other = || match filled.bot2.as_str() {
        "" => bot(),
        name => Ok(Seat::Bot(spec(name, &filled.budget2, fit)?.to_string())),
    };
    let (seats, own) = match filled.side.as_str() {
        "first" | "" => ([Seat::Human, bot()?], 0),
        "second" => ([bot()?, Seat::Human], 1),
        "both" => ([Seat::Human, Seat::Human], 0),
        // Chance decides who of the two begins.
        "link" => ([Seat::Human, Seat::Human], usize::from(seed % 2 == 1)),
        "none" => ([bot()?, other()?], 0),
        other => {
            return Err(Fault::bad(format!(
                "side {other:?} is not first, second, link, both or none"
            )));
        }
    };
    let link = match (filled.side.as_str(), owner) {
        ("link", Some(owner)) => {
            let mut link = Link::default();
            link.holders[own] = Some(owner.to_string());
            Some(link)
        }
        ("link", None) => {
            return Err(Fault::bad(
                "a game by link needs a cookie, by which its players are known",
            ));
        }
        _ => None,
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
    let mut names: [String; 2] = Default::default();
    if seats[own] == Seat::Human {
        names[own] = name(&filled.name);
    }
    let mut begun = Match {
        id: fresh_id(),
        game,
        start: position.to_string(),
        moves: Vec::new(),
        seats,
        seed,
        clock_ms,
        cut: None,
        cut_ms: 0,
        since: now(),
        created: now(),
        names,
        owner: owner.map(str::to_string),
        link,
        tag: None,
        left_out: false,
        guests: !visitor.trusted,
    };
    begun.pass_where_forced(&mut position);
    Ok(begun)
}

/// A name that somebody gives themselves, cut to what fits.
pub(super) fn name(text: &str) -> String {
    referee::shortened(text, LONGEST_NAME)
}

/// A bot from its two fields; also takes a whole name such as `minimax:3` in the first.
pub(crate) fn spec(bot: &str, budget: &str, fit: Fit) -> Result<BotSpec, Fault> {
    let named = Algorithm::ALL.iter().find(|known| known.name() == bot);
    let deep = budget.starts_with('d');
    let text = match named.map(|algorithm| algorithm.argument()) {
        _ if bot.is_empty() => "greedy".to_string(),
        Some(Argument::None) if budget.is_empty() || fit == Fit::Adapt => bot.to_string(),
        Some(Argument::None) => return Err(Fault::bad(format!("{bot} has no budget"))),
        _ if budget.is_empty() || bot.contains(':') => bot.to_string(),
        Some(Argument::Depth) if !deep && fit == Fit::Adapt => format!("{bot}:3"),
        Some(Argument::Time) if deep && fit == Fit::Adapt => format!("{bot}:1s"),
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

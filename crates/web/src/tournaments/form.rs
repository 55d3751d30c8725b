//! The form for a new tournament. It says what a tournament's file says, in its words, and
//! is checked by the same code; what is wrong stands beside the field, and nothing that was
//! filled in is lost.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::{Query, RawForm, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use games::GameName;
use maud::{Markup, html};
use referee::{Limits, PlayerSpec, Seconds};
use serde::Deserialize;
use tournament::Config;
use tournament::config::{ConfigError, FormatName, Openings, Part};

use super::create::{MOST_PAIRS, MOST_PLAYERS, Plan, PlanOpenings, begin};
use crate::Site;
use crate::fault::Fault;
use crate::page::shell;

/// The bots that the form offers.
const BOTS: [&str; 8] = [
    "random",
    "greedy",
    "minimax:2",
    "minimax:3",
    "alphabeta:50ms",
    "alphabeta:200ms",
    "mcts:200ms",
    "best:200ms",
];

/// Formats in words, with the number that belongs to each and what it usually is.
const FORMATS: [(FormatName, &str, &str, &str); 4] = [
    (FormatName::RoundRobin, "Everyone meets everyone", "", ""),
    (FormatName::Swiss, "Swiss: equals meet", "Rounds", "3"),
    (
        FormatName::Knockout,
        "Knockout: the loser is out",
        "Extra pairs if tied",
        "2",
    ),
    (
        FormatName::Gauntlet,
        "Gauntlet: some meet all others",
        "Challengers",
        "1",
    ),
];

/// The limits that the form offers: their names in a tournament's file, and in words.
const LIMITS: [(&str, &str); 3] = [
    ("wall", "Time of a move"),
    ("game_cpu", "Processor time of a game"),
    ("memory", "Memory"),
];

/// The programs that can play a game, with their numbers in the list.
pub(crate) fn programs(site: &Site, game: GameName) -> impl Iterator<Item = (usize, &PlayerSpec)> {
    let all = site.config.programs.iter().enumerate();
    all.filter(move |(_, program)| program.kind.plays(game))
}

/// What is wrong with the form, and where.
struct Wrong {
    field: &'static str,
    message: String,
}

fn wrong(field: &'static str, message: impl ToString) -> Wrong {
    let message = message.to_string();
    Wrong { field, message }
}

/// The form as it was filled in: names may come several times, which a plain form type
/// cannot hold.
struct Filled(Vec<(String, String)>);

impl Filled {
    /// The form as it is first shown. The seed is a new one: who sends the same form again
    /// would only see the games that have been played.
    fn fresh(game: GameName) -> Filled {
        let seed = rand::random_range(1..10_000).to_string();
        let name = format!("{} tournament", game.about().title);
        let mut fields: Vec<(String, String)> = [
            ("game", game.name()),
            ("name", &name),
            ("bot", BOTS[0]),
            ("bot", BOTS[1]),
            ("format", FORMATS[0].0.name()),
            ("pairs", "1"),
            ("seed", &seed),
            ("from", "random"),
            ("plies", "0"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .into();
        for (format, _, _, usual) in FORMATS {
            fields.extend(format.key().map(|key| (key.into(), usual.into())));
        }
        Filled(fields)
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let fields = self.0.iter().filter(move |(n, _)| n == name);
        fields.map(|(_, value)| value.trim())
    }

    fn text(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    fn has(&self, name: &str, value: &str) -> bool {
        self.all(name).any(|v| v == value)
    }

    /// A number; `None` if the field is empty.
    fn number<N: FromStr>(&self, name: &'static str) -> Result<Option<N>, Wrong> {
        match self.text(name) {
            "" => Ok(None),
            text => {
                let number = text.parse().map(Some);
                number.map_err(|_| wrong(name, format!("{name} {text:?} is not a number in range")))
            }
        }
    }

    /// A limit; `None`, which leaves that of the game, if the field is empty.
    fn limit<L: FromStr<Err: ToString>>(&self, name: &'static str) -> Result<Option<L>, Wrong> {
        match self.text(name) {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|error| wrong(name, error)),
        }
    }

    /// The number that belongs to `format`, if it was chosen: fields of others are not shown.
    fn number_of(&self, chosen: FormatName, format: FormatName) -> Result<Option<u32>, Wrong> {
        match format.key() {
            Some(key) if chosen == format => self.number(key),
            _ => Ok(None),
        }
    }

    /// The tournament that is asked for.
    fn config(&self, site: &Site) -> Result<Config, Wrong> {
        let format = match self.text("format") {
            "" => FormatName::default(),
            name => name.parse().map_err(|e| wrong("format", e))?,
        };
        let programs = self.all("program").map(|text| {
            let unknown = |_| wrong("players", format!("there is no program {text:?}"));
            text.parse().map_err(unknown)
        });
        let bots = self
            .all("bot")
            .chain(self.text("others").split_whitespace());
        let plan = Plan {
            name: self.text("name").into(),
            game: self.text("game").into(),
            bots: bots.map(str::to_string).collect(),
            programs: programs.collect::<Result<_, _>>()?,
            format,
            rounds: self.number_of(format, FormatName::Swiss)?,
            challengers: self.number_of(format, FormatName::Gauntlet)?,
            extra_pairs: self.number_of(format, FormatName::Knockout)?,
            pairs: self.number("pairs")?.unwrap_or(1),
            seed: self.number("seed")?.unwrap_or(1),
            openings: self.openings()?,
            limits: Limits {
                wall: self.limit("wall")?,
                game_cpu: self.limit("game_cpu")?,
                memory: self.limit("memory")?,
                ..Limits::default()
            },
        };
        let variant = !self.text("variant").is_empty();
        plan.config(site).map_err(|e| misplaced(e, format, variant))
    }

    /// Where games start: what is written goes before what is chosen.
    fn openings(&self) -> Result<PlanOpenings, Wrong> {
        let plies = self.number("plies")?.unwrap_or(0);
        let written = |positions| PlanOpenings {
            from: None,
            positions: Some(positions),
            plies,
        };
        match (self.text("variant"), self.text("positions")) {
            ("", "") => {
                let from = Some(self.text("from")).filter(|from| !from.is_empty());
                Ok(PlanOpenings {
                    from: from.map(str::to_string),
                    positions: None,
                    plies,
                })
            }
            ("", lines) => Ok(written(Openings::lines(lines))),
            (text, "") => {
                let game: GameName = self.text("game").parse().map_err(|e| wrong("players", e))?;
                let variants = game.about().variants.as_ref();
                let variants =
                    variants.ok_or_else(|| wrong("variant", format!("{game} has no variants")))?;
                let variant = (variants.read)(text).map_err(|e| wrong("variant", e))?;
                Ok(written(vec![variant]))
            }
            _ => Err(wrong("positions", "give a variant or positions, not both")),
        }
    }
}

/// Beside which field a mistake is shown.
fn misplaced(error: ConfigError, format: FormatName, variant: bool) -> Wrong {
    let field = match error.part {
        Part::Name => "name",
        Part::Format => format.key().unwrap_or("format"),
        Part::Pairs => "pairs",
        Part::Openings if variant => "variant",
        Part::Openings => "positions",
        Part::Plies => "plies",
        // Its message begins with its name.
        Part::Limits => {
            let named = |(name, _): &&(&str, &str)| error.message.starts_with(name);
            LIMITS
                .iter()
                .find(named)
                .map_or("players", |(name, _)| name)
        }
        Part::Whole
        | Part::Game
        | Part::Sprt
        | Part::Penalties
        | Part::Require
        | Part::Player(_) => "players",
    };
    wrong(field, error.message)
}

/// Which game the form is for.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Wanted {
    game: String,
}

/// `GET /tournaments/new`
pub(super) async fn form(
    State(site): State<Arc<Site>>,
    Query(wanted): Query<Wanted>,
) -> Result<Html<String>, Fault> {
    let game: GameName = match wanted.game.as_str() {
        "" => GameName::default(),
        name => name.parse().map_err(Fault::bad)?,
    };
    Ok(page(&site, game, &Filled::fresh(game), None))
}

/// `POST /tournaments`
pub(super) async fn create(
    State(site): State<Arc<Site>>,
    RawForm(bytes): RawForm,
) -> Result<Response, Fault> {
    let filled = Filled(serde_urlencoded::from_bytes(&bytes).map_err(Fault::bad)?);
    let game: GameName = filled.text("game").parse().map_err(Fault::bad)?;
    match filled.config(&site) {
        Ok(config) => {
            let id = begin(&site, config).await?;
            Ok(Redirect::to(&format!("/tournaments/{id}")).into_response())
        }
        Err(wrong) => {
            let page = page(&site, game, &filled, Some(&wrong));
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
    }
}

fn page(site: &Site, game: GameName, filled: &Filled, wrong: Option<&Wrong>) -> Html<String> {
    let view = View { filled, wrong };
    let body = html! {
        h1 { "A new tournament" }
        nav.tabs aria-label="Games" {
            @for g in GameName::all() {
                a href={ "/tournaments/new?game=" (g) } aria-current=[(g == game).then_some("page")] { (g.about().title) }
            }
        }
        form.card.narrow.long-labels method="post" action="/tournaments" data-plain {
            input type="hidden" name="game" value=(game);
            (view.text("name", "Name", ""))
            (view.bots())
            (view.programs(site, game))
            (view.format())
            (view.text("pairs", &format!("Pairs of games (1–{MOST_PAIRS})"), ""))
            (view.openings(game))
            (view.limits(game))
            (view.text("seed", "Seed", ""))
            p.quiet { "The same seed gives the same games again." }
            div.actions { button.primary { "Start the tournament" } }
        }
    };
    shell("A new tournament", "/tournaments", body)
}

/// The form as HTML: what was filled in, and what is wrong with it.
struct View<'a> {
    filled: &'a Filled,
    wrong: Option<&'a Wrong>,
}

impl View<'_> {
    fn is_wrong(&self, name: &str) -> bool {
        self.wrong.is_some_and(|wrong| wrong.field == name)
    }

    /// The id of what is said about a field, if something is.
    fn problem_id(&self, name: &str) -> Option<String> {
        self.is_wrong(name).then(|| format!("{name}-problem"))
    }

    fn problem(&self, name: &str) -> Markup {
        let wrong = self.wrong.filter(|wrong| wrong.field == name);
        html! {
            @if let Some(wrong) = wrong { p.problem id=[self.problem_id(name)] role="alert" { (wrong.message) } }
        }
    }

    /// A line to write on; numbers are checked where all else is, so that a field that is not
    /// shown never keeps the form from being sent.
    fn text(&self, name: &str, label: &str, placeholder: &str) -> Markup {
        self.text_with(name, label, placeholder, None)
    }

    fn text_with(&self, name: &str, label: &str, placeholder: &str, list: Option<&str>) -> Markup {
        let number = matches!(name, "pairs" | "seed" | "plies") || is_format_key(name);
        let class = is_format_key(name).then(|| format!("of-format of-{name}"));
        html! {
            label class=[class] {
                span { (label) }
                input name=(name) value=(self.filled.text(name)) placeholder=[(!placeholder.is_empty()).then_some(placeholder)] list=[list]
                    inputmode=[number.then_some("numeric")] maxlength="100" autocomplete="off" spellcheck="false"
                    aria-invalid=[self.is_wrong(name).then_some("true")] aria-describedby=[self.problem_id(name)] autofocus[self.is_wrong(name)];
            }
            (self.problem(name))
        }
    }

    fn bots(&self) -> Markup {
        let name = "others";
        html! {
            fieldset.checks {
                legend { "Bots (2 to " (MOST_PLAYERS) " players in all)" }
                div.choices {
                    @for bot in BOTS {
                        label { input type="checkbox" name="bot" value=(bot) checked[self.filled.has("bot", bot)]; " " (bot) }
                    }
                }
                label { "Others, between blanks: "
                    input name=(name) value=(self.filled.text(name)) placeholder="alphabeta:d4 mcts:1s" autocomplete="off" spellcheck="false"
                        aria-describedby=[self.problem_id("players")] autofocus[self.is_wrong("players")];
                }
                (self.problem("players"))
            }
        }
    }

    fn programs(&self, site: &Site, game: GameName) -> Markup {
        html! {
            fieldset.checks {
                legend { "Programs" }
                @for (number, program) in programs(site, game) {
                    label { input type="checkbox" name="program" value=(number) checked[self.filled.has("program", &number.to_string())]; " " (program.name) " " code { (program.command) } }
                }
                @if programs(site, game).next().is_none() {
                    p.quiet { "None is registered for this game. Start the server with --programs FILE.toml." }
                }
            }
        }
    }

    /// The format, and the number that belongs to the one that is chosen.
    fn format(&self) -> Markup {
        html! {
            label { span { "Format" }
                select name="format" {
                    @for (format, words, _, _) in FORMATS {
                        option value=(format.name()) selected[self.filled.has("format", format.name())] { (words) }
                    }
                }
            }
            (self.problem("format"))
            @for (format, _, label, _) in FORMATS {
                @if let Some(key) = format.key() { (self.text(key, label, "")) }
            }
            p.quiet.of-format.of-extra-pairs { "Seeds, strongest first: programs, then bots as listed, then others." }
            p.quiet.of-format.of-challengers { "The first of these: programs, then bots as listed, then others." }
        }
    }

    /// What programs may use; what the game gives them stands where nothing is written.
    fn limits(&self, game: GameName) -> Markup {
        let usual = Limits::for_game(game);
        let seconds = |time: Seconds| format!("{} s", time.0.as_secs_f64());
        let usual = [
            usual.wall.map(seconds),
            usual.game_cpu.map(seconds),
            usual.memory.map(|size| size.to_string()),
        ];
        html! {
            fieldset {
                legend { "Limits of programs" }
                @for ((name, label), usual) in LIMITS.into_iter().zip(&usual) {
                    (self.text(name, label, usual.as_deref().unwrap_or("none")))
                }
            }
        }
    }

    fn openings(&self, game: GameName) -> Markup {
        let (name, about) = ("positions", game.about());
        html! {
            fieldset {
                legend { "Where games start" }
                label { span { "From" }
                    select name="from" {
                        @for (from, words) in [("random", about.random_starts), ("start", "the usual position")] {
                            option value=(from) selected[self.filled.has("from", from)] { (words) }
                        }
                    }
                }
                @if let Some(variants) = &about.variants {
                    (self.text_with("variant", "or this variant", variants.prompt, Some("variants")))
                    datalist #variants { @for start in about.starts { option value=(start.value) { (start.words) } } }
                }
                label { span { "or these positions" }
                    textarea name=(name) rows="3" placeholder=(about.prompt.positions) spellcheck="false"
                        aria-invalid=[self.is_wrong(name).then_some("true")] aria-describedby=[self.problem_id(name)] autofocus[self.is_wrong(name)] { (self.filled.text(name)) }
                }
                (self.problem(name))
                (self.text("plies", "Random plies", ""))
                p.quiet { "Played on from there, so that games differ. Both players of a pair move first once from the same position." }
            }
        }
    }
}

fn is_format_key(name: &str) -> bool {
    FORMATS
        .iter()
        .any(|(format, ..)| format.key() == Some(name))
}

//! Starting a tournament from a form.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::{Html, Redirect};
use bots::GameName;
use maud::html;
use referee::PlayerSpec;
use serde::Deserialize;
use tournament::Config;
use tournament::schedule::Format;

use crate::Site;
use crate::fault::Fault;
use crate::page::{capital, shell};
use crate::play::spec;
use crate::tournaments::runs::launch;

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

/// Which game the form is for.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Wanted {
    game: String,
}

/// The programs that can play a game, with their numbers in the list.
pub(crate) fn programs(site: &Site, game: GameName) -> impl Iterator<Item = (usize, &PlayerSpec)> {
    let all = site.config.programs.iter().enumerate();
    all.filter(move |(_, program)| program.kind.plays(game))
}

/// `GET /tournaments/new`
pub(super) async fn form(
    State(site): State<Arc<Site>>,
    Query(wanted): Query<Wanted>,
) -> Result<Html<String>, Fault> {
    let game: GameName = match wanted.game.as_str() {
        "" => GameName::Reversi,
        name => name.parse().map_err(Fault::bad)?,
    };
    let body = html! {
        h1 { "A new tournament" }
        nav.tabs aria-label="Games" {
            @for &g in GameName::ALL {
                a href={ "/tournaments/new?game=" (g) } aria-current=[(g == game).then_some("page")] { (capital(g.name())) }
            }
        }
        form.card.narrow method="post" action="/tournaments" data-plain {
            input type="hidden" name="game" value=(game);
            label { span { "Name" } input name="name" required maxlength="100" value={ (capital(game.name())) " tournament" }; }
            fieldset.checks {
                legend { "Bots" }
                @for (i, bot) in BOTS.iter().enumerate() {
                    label { input type="checkbox" name="bot" value=(bot) checked[i == 0 || i == 1]; " " (bot) }
                }
                label { "Others, between blanks: " input name="others" placeholder="alphabeta:d4 mcts:1s" autocomplete="off" spellcheck="false"; }
            }
            fieldset.checks {
                legend { "Programs" }
                @for (number, program) in programs(&site, game) {
                    label { input type="checkbox" name="program" value=(number); " " (program.name) " " code { (program.command) } }
                }
                @if programs(&site, game).next().is_none() {
                    p.quiet { "None is registered for this game. Start the server with --programs FILE.toml." }
                }
            }
            label { span { "Format" }
                select name="format" {
                    option value="round-robin" { "Everyone meets everyone" }
                    option value="swiss" { "Swiss, three rounds" }
                    option value="knockout" { "Knockout" }
                    option value="gauntlet" { "The first meets all others" }
                }
            }
            label { span { "Pairs of games" } input name="pairs" type="number" min="1" max="500" value="1"; }
            label { span { "Seed" } input name="seed" type="number" min="0" value="1"; }
            div.actions { button.primary { "Start the tournament" } }
        }
    };
    Ok(shell("A new tournament", "/tournaments", body))
}

/// `POST /tournaments`; names may come several times, which a plain form type cannot hold.
pub(super) async fn create(
    State(site): State<Arc<Site>>,
    axum::extract::RawForm(bytes): axum::extract::RawForm,
) -> Result<Redirect, Fault> {
    let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(&bytes).map_err(Fault::bad)?;
    let config = Plan::read(&pairs)?.config(&site)?;
    let id = begin(&site, config).await?;
    Ok(Redirect::to(&format!("/tournaments/{id}")))
}

/// Enters a tournament and lets it run.
pub(crate) async fn begin(site: &Site, mut config: Config) -> Result<String, Fault> {
    config.check().map_err(Fault::refused)?;
    let id = site.store.create(&config).await.map_err(Fault::ours)?;
    launch(site, config).await?;
    Ok(id)
}

/// What kind of tournament is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    name: String,
    game: String,
    /// Built-in bots by name.
    #[serde(default)]
    bots: Vec<String>,
    /// Registered programs by their places in the list.
    #[serde(default)]
    programs: Vec<usize>,
    #[serde(default)]
    format: String,
    #[serde(default = "one")]
    pairs: u64,
    #[serde(default = "one")]
    seed: u64,
}

fn one() -> u64 {
    1
}

impl Plan {
    /// The form as it was filled in.
    fn read(pairs: &[(String, String)]) -> Result<Plan, Fault> {
        let all = |name: &'static str| {
            let fields = pairs.iter().filter(move |(n, _)| n == name);
            fields.map(|(_, value)| value.trim())
        };
        let text = |name| all(name).next().unwrap_or_default().to_string();
        let number = |name: &str, text: &str| match text {
            "" => Ok(1),
            text => text
                .parse::<u64>()
                .map_err(|_| Fault::bad(format!("{name} {text:?} is not a number"))),
        };
        let programs = all("program").map(|text| {
            let unknown = |_| Fault::bad(format!("there is no program {text:?}"));
            text.parse().map_err(unknown)
        });
        let others = text("others");
        let bots = all("bot").chain(others.split_whitespace());
        Ok(Plan {
            name: text("name"),
            game: text("game"),
            bots: bots.map(str::to_string).collect(),
            programs: programs.collect::<Result<_, _>>()?,
            format: text("format"),
            pairs: number("pairs", &text("pairs"))?,
            seed: number("seed", &text("seed"))?,
        })
    }

    /// The tournament, if there can be such a one.
    pub(crate) fn config(&self, site: &Site) -> Result<Config, Fault> {
        let game: GameName = self.game.parse().map_err(Fault::bad)?;
        let mut players = Vec::new();
        for &number in &self.programs {
            let program = site.config.programs.get(number);
            let unknown = || Fault::bad(format!("there is no program {number}"));
            players.push(program.ok_or_else(unknown)?.clone());
        }
        for bot in &self.bots {
            players.push(PlayerSpec::bot(spec(bot, "")?));
        }
        let mut config = Config::new(&self.name, game, players);
        config.format = match self.format.as_str() {
            "" | "round-robin" => Format::RoundRobin,
            "swiss" => Format::Swiss {
                rounds: 3.min(config.players.len().saturating_sub(1)) as u32,
            },
            "knockout" => Format::Knockout { extra_pairs: 2 },
            "gauntlet" => Format::Gauntlet { challengers: 1 },
            other => return Err(Fault::bad(format!("there is no format {other:?}"))),
        };
        config.pairs = u32::try_from(self.pairs)
            .ok()
            .filter(|pairs| (1..=500).contains(pairs))
            .ok_or_else(|| Fault::bad("pairs is not between 1 and 500"))?;
        config.seed = self.seed;
        Ok(config)
    }
}

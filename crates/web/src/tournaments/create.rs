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
                label { "others, by blanks: " input name="others" placeholder="alphabeta:d4 mcts:1s" autocomplete="off" spellcheck="false"; }
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
    let config = config(&site, &pairs)?;
    let id = begin(&site, config).await?;
    Ok(Redirect::to(&format!("/tournaments/{id}")))
}

/// Enters a tournament and lets it run.
pub(crate) async fn begin(site: &Site, mut config: Config) -> Result<String, Fault> {
    config.check().map_err(Fault::refused)?;
    let id = site.store.create(&config).await.map_err(Fault::ours)?;
    site.runs.start(&site.store, config);
    Ok(id)
}

/// The tournament that the form asks for.
fn config(site: &Site, pairs: &[(String, String)]) -> Result<Config, Fault> {
    let all = |name: &str| {
        pairs
            .iter()
            .filter(move |(n, _)| n == name)
            .map(|(_, value)| value.trim())
            .collect::<Vec<_>>()
    };
    let one = |name: &str| all(name).first().copied().unwrap_or_default();
    let number = |name: &str, usual: u64| match one(name) {
        "" => Ok(usual),
        text => text
            .parse()
            .map_err(|_| Fault::bad(format!("{name} {text:?} is not a number"))),
    };
    let game: GameName = one("game").parse().map_err(Fault::bad)?;
    let mut players = Vec::new();
    for text in all("program") {
        let program = text
            .parse()
            .ok()
            .and_then(|n: usize| site.config.programs.get(n));
        players.push(
            program
                .ok_or_else(|| Fault::bad(format!("there is no program {text:?}")))?
                .clone(),
        );
    }
    let others = one("others").split_whitespace();
    for text in all("bot").into_iter().chain(others) {
        players.push(PlayerSpec::bot(spec(text, "")?));
    }
    let mut config = Config::new(one("name"), game, players);
    config.format = match one("format") {
        "" | "round-robin" => Format::RoundRobin,
        "swiss" => Format::Swiss {
            rounds: 3.min(config.players.len().saturating_sub(1)) as u32,
        },
        "knockout" => Format::Knockout { extra_pairs: 2 },
        "gauntlet" => Format::Gauntlet { challengers: 1 },
        other => return Err(Fault::bad(format!("there is no format {other:?}"))),
    };
    config.pairs = u32::try_from(number("pairs", 1)?)
        .ok()
        .filter(|pairs| (1..=500).contains(pairs))
        .ok_or_else(|| Fault::bad("pairs is not between 1 and 500"))?;
    config.seed = number("seed", 1)?;
    Ok(config)
}

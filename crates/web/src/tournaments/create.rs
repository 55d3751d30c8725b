//! Starting a tournament.

use games::GameName;
use referee::{Limits, PlayerSpec};
use serde::Deserialize;
use tournament::config::{ConfigError, FormatName, Openings, Part};
use tournament::{Config, RawConfig};

use crate::Site;
use crate::fault::Fault;
use crate::play::{Fit, spec};
use crate::tournaments::runs::launch;

/// A match on the site has at most so many pairs of games.
pub(super) const MOST_PAIRS: u32 = 500;

/// So many players meet at most.
pub(super) const MOST_PLAYERS: usize = 64;

/// So many games are played at most.
const MOST_GAMES: usize = 20_000;

/// Enters a tournament and lets it run.
pub(crate) async fn begin(site: &Site, config: Config) -> Result<String, Fault> {
    let id = site.store.create(&config).await.map_err(Fault::ours)?;
    launch(site, config).await?;
    Ok(id)
}

/// What kind of tournament is wanted, in the words of a tournament's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Plan {
    pub(super) name: String,
    pub(super) game: String,
    /// Built-in bots by name.
    #[serde(default)]
    pub(super) bots: Vec<String>,
    /// Registered programs by their places in the list.
    #[serde(default)]
    pub(super) programs: Vec<usize>,
    #[serde(default)]
    pub(super) format: FormatName,
    pub(super) rounds: Option<u32>,
    pub(super) challengers: Option<u32>,
    pub(super) extra_pairs: Option<u32>,
    #[serde(default = "one")]
    pub(super) pairs: u32,
    #[serde(default = "one_seed")]
    pub(super) seed: u64,
    #[serde(default)]
    pub(super) openings: PlanOpenings,
    /// What differs from the limits of the game.
    #[serde(default)]
    pub(super) limits: Limits,
}

/// Where games start. There is no `file` here: no path comes from a request.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlanOpenings {
    pub(super) from: Option<String>,
    pub(super) positions: Option<Vec<String>>,
    #[serde(default)]
    pub(super) plies: u32,
}

fn one() -> u32 {
    1
}

fn one_seed() -> u64 {
    1
}

fn wrong(part: Part, message: impl ToString) -> ConfigError {
    let message = message.to_string();
    ConfigError { part, message }
}

impl Plan {
    /// The tournament, if there can be such a one.
    pub(crate) fn config(&self, site: &Site) -> Result<Config, ConfigError> {
        let game: GameName = self.game.parse().map_err(|e| wrong(Part::Game, e))?;
        let mut config = RawConfig::new(&self.name, game, self.players(site)?);
        config.seed = self.seed;
        config.pairs = self.pairs;
        if self.pairs > MOST_PAIRS {
            let message = format!("pairs = {} is more than {MOST_PAIRS}", self.pairs);
            return Err(wrong(Part::Pairs, message));
        }
        config.limits = config.limits.with(&self.limits);
        config.format = self.format.with(self.format_number()?)?;
        let openings = &self.openings;
        let positions = openings.positions.clone();
        config.openings = Openings::read(openings.from.as_deref(), positions, openings.plies)?;
        let count = config.players.len();
        if count > MOST_PLAYERS {
            let message = format!("{count} players are more than {MOST_PLAYERS}");
            return Err(wrong(Part::Whole, message));
        }
        let config: Config = config.try_into()?;
        match config.plan().most_games() {
            games if games > MOST_GAMES => {
                let message = format!("{games} games are more than {MOST_GAMES}: take fewer pairs");
                Err(wrong(Part::Pairs, message))
            }
            _ => Ok(config),
        }
    }

    fn players(&self, site: &Site) -> Result<Vec<PlayerSpec>, ConfigError> {
        let mut players = Vec::new();
        for &number in &self.programs {
            let program = site.config.programs.get(number).cloned();
            let unknown = || format!("there is no program {number}");
            let part = Part::Player(players.len());
            players.push(program.ok_or_else(|| wrong(part, unknown()))?);
        }
        for bot in &self.bots {
            let part = Part::Player(players.len());
            let bot = spec(bot, "", Fit::Refuse).map_err(|fault| wrong(part, fault.message))?;
            players.push(PlayerSpec::bot(bot));
        }
        Ok(players)
    }

    /// The number that belongs to the format; another one is refused.
    fn format_number(&self) -> Result<Option<u32>, ConfigError> {
        let mut own = None;
        for (key, number) in [
            ("rounds", self.rounds),
            ("challengers", self.challengers),
            ("extra-pairs", self.extra_pairs),
        ] {
            if number.is_some() {
                self.format.check_key(key)?;
                own = number;
            }
        }
        Ok(own)
    }
}

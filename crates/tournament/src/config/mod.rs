//! Everything that decides how a tournament goes.
//!
//! A [`Config`] is read from a TOML file ([`Config::from_toml`]), or made from a [`RawConfig`]
//! that was built in code; either way it has been checked, so it can be played.

mod file;
mod format;
mod openings;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use games::GameName;
use referee::{Isolation, IsolationMode, Limits, Penalties, PlayerSpec};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

use crate::rating::Sprt;
use crate::schedule::{Fixture, Format, GameKey, Plan};

pub use file::FileError;
pub use format::FormatName;
pub use openings::{OpeningSource, Openings};

/// Everything that decides how a tournament goes: the same configuration means the same
/// games from the same positions with the same seeds. It can be played; see [`RawConfig`].
///
/// One that was entered into a store is read from there whatever is asked of names and players by
/// now: its games are still looked at. Before it is played on, it is checked again.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(into = "RawConfig")]
pub struct Config(RawConfig);

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Config, D::Error> {
        let raw = RawConfig::deserialize(deserializer)?;
        raw.check_numbers().map_err(D::Error::custom)?;
        Ok(Config(raw))
    }
}

impl TryFrom<RawConfig> for Config {
    type Error = ConfigError;

    fn try_from(raw: RawConfig) -> Result<Config, ConfigError> {
        raw.check()?;
        Ok(Config(raw))
    }
}

impl From<Config> for RawConfig {
    fn from(config: Config) -> RawConfig {
        config.0
    }
}

impl Deref for Config {
    type Target = RawConfig;

    fn deref(&self) -> &RawConfig {
        &self.0
    }
}

/// A configuration that has not been checked yet: a [`Config`] is made of it by `try_from`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RawConfig {
    /// What people call it.
    pub name: String,
    /// The game.
    pub game: GameName,
    /// How players are paired.
    pub format: Format,
    /// How many pairs of games make a match.
    pub pairs: u32,
    /// Where all random choices come from.
    pub seed: u64,
    /// Where games start.
    pub openings: Openings,
    /// What every player may use.
    pub limits: Limits,
    /// What faults cost.
    pub penalties: Penalties,
    /// Turns after which a game is a draw.
    pub longest: u32,
    /// How programs are kept apart.
    pub isolation: IsolationMode,
    /// What this machine must be able to enforce.
    #[serde(default, skip_serializing_if = "Require::is_nothing")]
    pub require: Require,
    /// Whether limits of time are scaled on other machines of another speed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scale_limits: bool,
    /// A player that loses this many games by its own faults, and has not yet got through
    /// one without, is benched; 0 benches nobody.
    pub bench_after: u32,
    /// Whether a player that fails in one game is benched at once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub disqualify: bool,
    /// Ends a match of two players as soon as it is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// How often the program of a player, by its name, was handed in again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub again: BTreeMap<String, u32>,
    /// The players; a knockout takes them as seeds, strongest first.
    pub players: Vec<PlayerSpec>,
    /// The folder of the file that it was read from. It decides nothing: with the programs
    /// in it, it may be moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
}

/// What a machine must be able to enforce for a tournament to be played on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Require {
    /// Whatever it can; the rest is a remark.
    #[default]
    Nothing,
    /// Every limit of time, memory, output, files and processes.
    Limits,
    /// The limits, and that programs reach nothing but what is theirs.
    Walls,
}

impl Require {
    fn is_nothing(&self) -> bool {
        *self == Require::Nothing
    }

    /// What is missing on a machine that can do so much.
    #[must_use]
    pub fn unmet(self, found: &Isolation) -> Option<String> {
        let missing: Vec<&str> = match self {
            Require::Nothing => Vec::new(),
            Require::Limits => found.unmeasured.iter().map(String::as_str).collect(),
            Require::Walls => found.gaps().collect(),
        };
        (!missing.is_empty()).then(|| missing.join("; "))
    }
}

/// What is wrong with a configuration.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct ConfigError {
    /// Which part is wrong.
    pub part: Part,
    /// What is wrong with it.
    pub message: String,
}

/// A part of a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The whole of it.
    Whole,
    /// `name`.
    Name,
    /// `game`.
    Game,
    /// `format` and what belongs to it.
    Format,
    /// `pairs`.
    Pairs,
    /// `openings`: the positions.
    Openings,
    /// `openings`: the random plies.
    Plies,
    /// `sprt`.
    Sprt,
    /// `limits`.
    Limits,
    /// `penalties`.
    Penalties,
    /// `require`.
    Require,
    /// The player with this number.
    Player(usize),
}

/// No tournament is longer than this.
const MOST_GAMES: usize = 1_000_000;

/// The longest name of a tournament or player, in characters.
pub const LONGEST_NAME: usize = 100;

impl RawConfig {
    /// A round robin of one pair each, with the limits and penalties of the game.
    #[must_use]
    pub fn new(name: impl Into<String>, game: GameName, players: Vec<PlayerSpec>) -> RawConfig {
        RawConfig {
            name: name.into(),
            game,
            format: Format::RoundRobin,
            pairs: 1,
            seed: 1,
            openings: Openings::default(),
            limits: Limits::for_game(game),
            penalties: Penalties::for_game(game),
            longest: 400,
            isolation: IsolationMode::Auto,
            require: Require::Nothing,
            scale_limits: false,
            bench_after: 3,
            disqualify: false,
            sprt: None,
            again: BTreeMap::new(),
            players,
            folder: None,
        }
    }

    /// The schedule.
    #[must_use]
    pub fn plan(&self) -> Plan {
        Plan {
            players: self.players.len(),
            format: self.format,
            pairs: self.pairs,
        }
    }

    /// Checks that it can be played.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        check_name(&self.name).map_err(|message| wrong(Part::Name, message))?;
        self.check_players()?;
        self.check_numbers()
    }

    /// Checks all that is computed with.
    fn check_numbers(&self) -> Result<(), ConfigError> {
        for (number, player) in self.players.iter().enumerate() {
            let limits = player.limits.check();
            limits.map_err(|message| wrong(Part::Player(number), message))?;
        }
        match self.players.len() {
            0 | 1 => return Err(wrong(Part::Whole, "at least two players are needed")),
            2..=1000 => {}
            count => {
                let message = format!("{count} players are more than 1000");
                return Err(wrong(Part::Whole, message));
            }
        }
        self.check_format()?;
        self.openings.check(self.game)?;
        self.limits
            .check()
            .map_err(|message| wrong(Part::Limits, message))?;
        self.penalties
            .check()
            .map_err(|message| wrong(Part::Penalties, message))?;
        if let Some(sprt) = &self.sprt {
            sprt.check().map_err(|message| wrong(Part::Sprt, message))?;
            if self.players.len() != 2 {
                let count = self.players.len();
                return Err(wrong(
                    Part::Sprt,
                    format!("sprt decides between 2 players, not {count}"),
                ));
            }
        }
        Ok(())
    }

    fn check_players(&self) -> Result<(), ConfigError> {
        let mut names = BTreeSet::new();
        for (number, player) in self.players.iter().enumerate() {
            let part = Part::Player(number);
            check_name(&player.name).map_err(|message| wrong(part, message))?;
            player
                .check(self.game)
                .map_err(|error| wrong(part, error.to_string()))?;
            if !names.insert(referee::without_joiners(&player.name)) {
                return Err(wrong(
                    part,
                    format!("two players are called {:?}", player.name),
                ));
            }
        }
        Ok(())
    }

    /// Checks that everything which programs need is there.
    pub fn check_files(&self) -> Result<(), ConfigError> {
        for (number, player) in self.players.iter().enumerate() {
            player
                .check_files()
                .map_err(|error| wrong(Part::Player(number), error.to_string()))?;
        }
        Ok(())
    }

    /// What this machine can do for the programs, if there are any; refused if it is less
    /// than what is required.
    pub fn check_machine(&self) -> Result<Option<Isolation>, ConfigError> {
        if !self.players.iter().any(|player| player.kind.is_program()) {
            return Ok(None);
        }
        let found = referee::survey(self.isolation)
            .map_err(|error| wrong(Part::Require, error.to_string()))?;
        match self.require.unmet(&found) {
            None => Ok(Some(found)),
            Some(what) => Err(wrong(
                Part::Require,
                format!("this machine cannot enforce what is required: {what}; see ludex doctor"),
            )),
        }
    }

    fn check_format(&self) -> Result<(), ConfigError> {
        let players = self.players.len();
        match self.format {
            Format::Gauntlet { challengers } if challengers == 0 || challengers >= players => {
                return Err(wrong(
                    Part::Format,
                    format!("challengers = {challengers} leaves nobody to meet"),
                ));
            }
            Format::Swiss { rounds } if rounds == 0 || rounds as usize >= players => {
                return Err(wrong(
                    Part::Format,
                    format!("rounds = {rounds} is not between 1 and {}", players - 1),
                ));
            }
            _ => {}
        }
        if self.pairs == 0 {
            return Err(wrong(Part::Pairs, "pairs = 0 leaves nothing to play"));
        }
        let plan = self.plan();
        for (part, games) in [
            (Part::Pairs, plan.games()),
            (Part::Format, plan.most_games()),
        ] {
            if games > MOST_GAMES {
                let message = format!("{games} games are more than {MOST_GAMES}");
                return Err(wrong(part, message));
            }
        }
        Ok(())
    }
}

impl Config {
    /// The tournament's id: its name in small letters, and a number made from everything
    /// that decides how it goes.
    #[must_use]
    pub fn id(&self) -> String {
        let text = serde_json::to_string(&self.seen_from_folder()).unwrap_or_default();
        format!("{}-{:08x}", slug(&self.name), fingerprint(&text) >> 32)
    }

    /// The same without its folder, and with paths that start there.
    fn seen_from_folder(&self) -> RawConfig {
        let mut config = self.0.clone();
        let Some(home) = config.folder.take() else {
            return config;
        };
        for player in &mut config.players {
            if let Some(program) = player.command.0.first_mut()
                && let Ok(path) = Path::new(program).strip_prefix(&home)
            {
                *program = Path::new(".").join(path).to_string_lossy().into();
            }
            if let Some(folder) = &mut player.folder
                && let Ok(path) = folder.strip_prefix(&home)
            {
                *folder = path.into();
            }
        }
        config
    }

    /// The tournament before any program was handed in again.
    #[must_use]
    pub fn without_versions(&self) -> Config {
        self.at_versions(&BTreeMap::new())
    }

    /// The tournament at these versions of its programs.
    #[must_use]
    pub fn at_versions(&self, again: &BTreeMap<String, u32>) -> Config {
        Config(RawConfig {
            again: again.clone(),
            ..self.0.clone()
        })
    }

    /// How many programs were handed in again.
    #[must_use]
    pub fn versions(&self) -> u32 {
        self.again.values().sum()
    }

    /// The next version, in which the programs of these players are new; also their numbers.
    pub fn handed_in_again(&self, names: &[String]) -> Result<(Config, Vec<usize>), ConfigError> {
        if !matches!(self.format, Format::RoundRobin | Format::Gauntlet { .. }) {
            let message = format!(
                "in a {} who meets whom depends on results: a new program needs a new tournament",
                self.format.name()
            );
            return Err(wrong(Part::Format, message));
        }
        let mut next = self.clone();
        let mut numbers = Vec::new();
        for name in names {
            let number = self.players.iter().position(|player| player.name == *name);
            let number = number
                .ok_or_else(|| wrong(Part::Whole, format!("no player is called {name:?}")))?;
            numbers.push(number);
            *next.0.again.entry(name.clone()).or_default() += 1;
        }
        Ok((next, numbers))
    }

    /// The seed of a game's bots.
    #[must_use]
    pub fn game_seed(&self, fixture: &Fixture) -> u64 {
        let GameKey { round, table, game } = fixture.key;
        [round, table, game]
            .into_iter()
            .fold(mix(self.seed, 0x67616d65), |seed, part| {
                mix(seed, u64::from(part))
            })
    }
}

/// The id of a game.
#[must_use]
pub fn game_id(tournament: &str, key: GameKey) -> String {
    let GameKey { round, table, game } = key;
    format!("{tournament}.{round}.{table}.{game}")
}

fn wrong(part: Part, message: impl Into<String>) -> ConfigError {
    ConfigError {
        part,
        message: message.into(),
    }
}

fn check_name(name: &str) -> Result<(), String> {
    referee::name(name, LONGEST_NAME).map(drop)
}

/// Small letters, digits and single hyphens; `tournament` if nothing is left.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().take(40) {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    match slug.trim_end_matches('-') {
        "" => "tournament".into(),
        slug => slug.into(),
    }
}

/// A number that stays the same from version to version (unlike the standard library's):
/// FNV-1a, stirred once more.
fn fingerprint(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    mix(hash, 0)
}

/// A number made from two that looks like chance (SplitMix64).
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a
        .wrapping_add(b.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(players: &[&str]) -> RawConfig {
        let players = players.iter().map(|p| p.parse().unwrap()).collect();
        RawConfig::new("A test", games::REVERSI, players)
    }

    fn config(players: &[&str]) -> Config {
        raw(players).try_into().unwrap()
    }

    #[test]
    fn ids_depend_on_all_that_matters() {
        let one = config(&["random", "greedy"]);
        assert!(one.id().starts_with("a-test-"), "{}", one.id());
        assert_eq!(one.id(), config(&["random", "greedy"]).id());
        let mut other = raw(&["random", "greedy"]);
        other.seed = 2;
        assert_ne!(one.id(), Config::try_from(other).unwrap().id());
        assert_ne!(one.id(), config(&["greedy", "random"]).id());
        let read: Config = serde_json::from_str(&serde_json::to_string(&one).unwrap()).unwrap();
        assert_eq!(read, one);
    }

    #[track_caller]
    fn refused(change: impl FnOnce(&mut RawConfig), part: Part, message: &str) {
        let mut config = raw(&["random", "greedy", "minimax:2"]);
        change(&mut config);
        let error = Config::try_from(config).unwrap_err();
        assert_eq!((error.part, error.message.as_str()), (part, message));
    }

    #[test]
    fn senseless_configurations_are_refused() {
        let good = raw(&["random", "greedy"]);
        assert_eq!(*config(&["random", "greedy"]), good);
        refused(
            |c| c.players[1].name.clear(),
            Part::Player(1),
            "the name is empty",
        );
        refused(|c| c.name = " ".into(), Part::Name, "the name is empty");
        refused(
            |c| c.players.truncate(1),
            Part::Whole,
            "at least two players are needed",
        );
        refused(
            |c| c.players[2].name = "greedy".into(),
            Part::Player(2),
            "two players are called \"greedy\"",
        );
        // A joiner is seen where letters join, and not everywhere else.
        refused(
            |c| {
                c.players[0].name = "داد".into();
                c.players[2].name = "دا\u{200c}د".into();
            },
            Part::Player(2),
            "two players are called \"دا\\u{200c}د\"",
        );
        refused(
            |c| c.format = Format::Gauntlet { challengers: 3 },
            Part::Format,
            "challengers = 3 leaves nobody to meet",
        );
        refused(
            |c| c.format = Format::Swiss { rounds: 3 },
            Part::Format,
            "rounds = 3 is not between 1 and 2",
        );
        refused(
            |c| c.penalties.tries = 0,
            Part::Penalties,
            "tries = 0 leaves no answer to a player",
        );
        refused(
            |c| c.limits.wall = Some(referee::Seconds::ZERO),
            Part::Limits,
            "wall = 0 leaves nothing to a player",
        );
        refused(
            |c| c.pairs = 0,
            Part::Pairs,
            "pairs = 0 leaves nothing to play",
        );
        refused(
            |c| c.pairs = u32::MAX,
            Part::Pairs,
            "25769803770 games are more than 1000000",
        );
        refused(
            |c| {
                c.format = Format::Knockout {
                    extra_pairs: u32::MAX,
                };
            },
            Part::Format,
            "17179869184 games are more than 1000000",
        );
        refused(
            |c| c.limits.wall = Some(referee::Seconds::from_secs(1_000_000_000_000)),
            Part::Limits,
            "wall = 1000000000000.000 s is more than 31622400.000 s",
        );
        refused(
            |c| c.players[1].limits.disk = Some(referee::Size(u64::MAX)),
            Part::Player(1),
            "disk = 17179869184.0 GB is more than 1048576 GB",
        );
        refused(
            |c| c.limits.processes = Some(u32::MAX),
            Part::Limits,
            "processes = 4294967295 is more than 1000000",
        );
        refused(
            |c| c.penalties.lost_turns = u32::MAX,
            Part::Penalties,
            "lost_turns = 4294967295 is more than 1000000",
        );
        refused(
            |c| {
                c.sprt = Some(Sprt {
                    elo0: 0.0,
                    elo1: 5.0,
                    alpha: 0.05,
                    beta: 0.05,
                });
            },
            Part::Sprt,
            "sprt decides between 2 players, not 3",
        );
    }

    #[test]
    fn requirements_are_held_against_the_machine() {
        let mut found = Isolation {
            mode: IsolationMode::Namespaces,
            missing: vec!["the network is open".into()],
            unmeasured: Vec::new(),
        };
        assert_eq!(Require::Nothing.unmet(&found), None);
        assert_eq!(Require::Limits.unmet(&found), None);
        assert_eq!(Require::Walls.unmet(&found).unwrap(), "the network is open");
        found.unmeasured.push("time is estimated".into());
        assert_eq!(Require::Limits.unmet(&found).unwrap(), "time is estimated");
    }

    #[test]
    fn slugs_are_plain() {
        for (name, slug_wanted) in [
            ("Spring Cup 2031!", "spring-cup-2031"),
            ("../../etc", "etc"),
            ("Größe", "gr-e"),
            ("???", "tournament"),
        ] {
            assert_eq!(slug(name), slug_wanted);
        }
    }
}

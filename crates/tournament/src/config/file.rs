//! Reading a tournament from a TOML file.

use std::ops::Range;
use std::path::{Path, PathBuf};

use games::GameName;
use referee::{CommandLine, IsolationMode, Kind, Limits, Penalties, PlayerSpec};
use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;

use super::openings::ONE_SOURCE;
use super::{Config, ConfigError, FormatName, Openings, Part, RawConfig, Require};
use crate::rating::Sprt;
use crate::schedule::Format;

/// Why a file is no tournament; the message starts with `path:line:`.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The content makes no sense.
    #[error("{}:{line}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        message: String,
    },
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    name: Option<Spanned<String>>,
    game: Spanned<String>,
    #[serde(default = "round_robin")]
    format: Spanned<FormatName>,
    rounds: Option<Spanned<u32>>,
    challengers: Option<Spanned<u32>>,
    extra_pairs: Option<Spanned<u32>>,
    pairs: Option<Spanned<u32>>,
    #[serde(default = "one")]
    seed: u64,
    longest: Option<u32>,
    isolation: Option<IsolationMode>,
    require: Option<Spanned<Require>>,
    #[serde(default)]
    scale_limits: bool,
    bench_after: Option<u32>,
    #[serde(default)]
    disqualify: bool,
    openings: Option<Spanned<FileOpenings>>,
    limits: Option<Spanned<Limits>>,
    penalties: Option<Spanned<toml::Table>>,
    sprt: Option<Spanned<Sprt>>,
    #[serde(default, rename = "player")]
    players: Vec<Spanned<FilePlayer>>,
}

fn round_robin() -> Spanned<FormatName> {
    Spanned::new(0..0, FormatName::RoundRobin)
}

fn one() -> u64 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FileOpenings {
    /// `start` or `random`.
    from: Option<String>,
    positions: Option<Vec<String>>,
    /// A file with one position, or moves that lead to one, per line.
    file: Option<PathBuf>,
    #[serde(default)]
    plies: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct FilePlayer {
    #[serde(default)]
    name: String,
    kind: Option<Kind>,
    command: Option<FileCommand>,
    bot: Option<String>,
    folder: Option<PathBuf>,
    #[serde(default)]
    read: Vec<PathBuf>,
    #[serde(default)]
    limits: Limits,
}

/// A command: words, or a line that is split as a shell would unless it names a file.
#[derive(Deserialize)]
#[serde(untagged)]
enum FileCommand {
    Words(Vec<String>),
    Line(String),
}

impl Config {
    /// Reads a tournament from a file, and checks that its programs are there. Relative paths in it start at the file's folder.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Config, FileError> {
        let path = path.as_ref();
        let text = files::read_text(path, files::MOST).map_err(|source| FileError::Read {
            path: path.into(),
            source,
        })?;
        let source = Source { path, text: &text };
        let (config, spans) = source.read()?;
        config
            .check_files()
            .map_err(|error| source.error(spans.of(&error), error.message))?;
        Ok(config)
    }

    /// Reads a tournament from the text of the file at `path`.
    pub fn from_toml(path: &Path, text: &str) -> Result<Config, FileError> {
        Source { path, text }.read().map(|(config, _)| config)
    }
}

/// The text, for telling where in it something is wrong.
struct Source<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    fn error(&self, span: Range<usize>, message: impl Into<String>) -> FileError {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        FileError::Content {
            path: self.path.into(),
            line: 1 + before.matches('\n').count(),
            message: message.into(),
        }
    }

    fn read(&self) -> Result<(Config, Spans), FileError> {
        let file: File = toml::from_str(self.text)
            .map_err(|error| self.error(error.span().unwrap_or_default(), error.message()))?;
        self.config(file)
    }

    fn config(&self, file: File) -> Result<(Config, Spans), FileError> {
        let game: GameName = file
            .game
            .as_ref()
            .parse()
            .map_err(|error: games::UnknownGame| self.error(file.game.span(), error.to_string()))?;
        let mut spans = Spans {
            players: file.players.iter().map(Spanned::span).collect(),
            ..Spans::default()
        };
        let name = match &file.name {
            Some(name) => {
                spans.name = name.span();
                name.as_ref().clone()
            }
            None => self.path.file_stem().map_or_else(
                || "tournament".into(),
                |stem| stem.to_string_lossy().into_owned(),
            ),
        };
        let format = self.format(&file)?;
        spans.format = file.format.span();
        let mut players = Vec::new();
        for player in file.players {
            players.push(self.player(player)?);
        }
        let mut config = RawConfig::new(name, game, players);
        config.format = format;
        config.seed = file.seed;
        if let Some(limits) = file.limits {
            spans.limits = limits.span();
            config.limits = config.limits.with(limits.as_ref());
        }
        if let Some(require) = file.require {
            spans.require = require.span();
            config.require = require.into_inner();
        }
        if let Some(pairs) = file.pairs {
            spans.pairs = pairs.span();
            config.pairs = pairs.into_inner();
        }
        if let Some(openings) = file.openings {
            spans.openings = openings.span();
            config.openings = self.openings(game, openings)?;
        }
        if let Some(penalties) = file.penalties {
            spans.penalties = penalties.span();
            config.penalties = self.penalties(config.penalties, penalties)?;
        }
        if let Some(sprt) = file.sprt {
            spans.sprt = sprt.span();
            config.sprt = Some(sprt.into_inner());
        }
        config.longest = file.longest.unwrap_or(config.longest);
        config.isolation = file.isolation.unwrap_or(config.isolation);
        config.bench_after = file.bench_after.unwrap_or(config.bench_after);
        config.disqualify = file.disqualify;
        config.scale_limits = file.scale_limits;
        config.folder = Some(self.beside(Path::new(".")));
        let config = Config::try_from(config)
            .map_err(|error| self.error(spans.of(&error), error.message))?;
        Ok((config, spans))
    }

    /// The format, with exactly the keys that belong to it.
    fn format(&self, file: &File) -> Result<Format, FileError> {
        let name = *file.format.as_ref();
        let mut own = None;
        for (key, number) in [
            ("rounds", &file.rounds),
            ("challengers", &file.challengers),
            ("extra-pairs", &file.extra_pairs),
        ] {
            if let Some(number) = number {
                name.check_key(key)
                    .map_err(|error| self.error(number.span(), error.message))?;
                own = Some(*number.as_ref());
            }
        }
        name.with(own)
            .map_err(|error| self.error(file.format.span(), error.message))
    }

    /// The game's penalties with what the file changes.
    fn penalties(
        &self,
        usual: Penalties,
        changes: Spanned<toml::Table>,
    ) -> Result<Penalties, FileError> {
        let span = changes.span();
        let error = |error: &dyn std::fmt::Display| self.error(span.clone(), error.to_string());
        let mut table = toml::Table::try_from(usual).map_err(|e| error(&e))?;
        table.extend(changes.into_inner());
        table
            .try_into()
            .map_err(|e: toml::de::Error| error(&e.message()))
    }

    fn openings(
        &self,
        game: GameName,
        openings: Spanned<FileOpenings>,
    ) -> Result<Openings, FileError> {
        let span = openings.span();
        let openings = openings.into_inner();
        let positions = match (openings.positions, openings.file) {
            (list, None) => list,
            (None, Some(file)) => {
                let path = self.beside(&file);
                let read = Openings::read_file(game, &path);
                Some(read.map_err(|error| self.error(span.clone(), error))?)
            }
            (Some(_), Some(_)) => return Err(self.error(span, ONE_SOURCE)),
        };
        Openings::read(openings.from.as_deref(), positions, openings.plies)
            .map_err(|error| self.error(span, error.message))
    }

    fn player(&self, player: Spanned<FilePlayer>) -> Result<PlayerSpec, FileError> {
        let span = player.span();
        let player = player.into_inner();
        let mut command = self.command(player.command, player.folder.as_deref());
        let either = "a player is either a bot or a command";
        let kind = match (player.kind, &player.bot, command.0.is_empty()) {
            (Some(Kind::Bot), _, false) | (None, Some(_), false) => {
                return Err(self.error(span, either));
            }
            (Some(kind), Some(bot), _) if kind.is_program() => {
                let message = format!("{either}: kind = {:?} and bot = {bot:?}", kind.name());
                return Err(self.error(span, message));
            }
            (Some(kind), _, _) => kind,
            (None, Some(_), true) => Kind::Bot,
            (None, None, _) => {
                let kinds: Vec<&str> = [Kind::Bot.name()]
                    .into_iter()
                    .chain(Kind::programs())
                    .collect();
                let (last, rest) = kinds.split_last().unwrap_or((&"", &[]));
                let message = format!(
                    "the kind of the player is missing: {} or {last}",
                    rest.join(", ")
                );
                return Err(self.error(span, message));
            }
        };
        // A path is meant from the file's folder; a bare name is looked up by the system.
        let inside = |program: &str| {
            let folder = player.folder.as_deref();
            folder.is_some_and(|folder| self.beside(folder).join(program).is_file())
        };
        if let Some(program) = command.0.first_mut()
            && program.contains('/')
            && !inside(program)
        {
            *program = self.beside(Path::new(program)).to_string_lossy().into();
        }
        Ok(PlayerSpec {
            name: player.name,
            kind,
            command,
            bot: player.bot,
            folder: player.folder.map(|folder| self.beside(&folder)),
            read: player.read.iter().map(|path| self.beside(path)).collect(),
            limits: player.limits,
        }
        .named())
    }

    /// The words of a command. A line that names a file is one word, blanks or not.
    fn command(&self, command: Option<FileCommand>, folder: Option<&Path>) -> CommandLine {
        match command {
            None => CommandLine::default(),
            Some(FileCommand::Words(words)) => CommandLine(words),
            Some(FileCommand::Line(line)) => {
                let inside = folder.map(|folder| self.beside(folder).join(&line));
                let named = line.contains('/')
                    && [Some(self.beside(Path::new(&line))), inside]
                        .into_iter()
                        .flatten()
                        .any(|path| path.is_file());
                match named {
                    true => CommandLine(vec![line]),
                    false => line.parse().unwrap_or_default(),
                }
            }
        }
    }

    /// A path as seen from the file's folder, absolute where that is possible.
    fn beside(&self, path: &Path) -> PathBuf {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let joined = folder.join(path);
        std::path::absolute(&joined).unwrap_or(joined)
    }
}

/// Where the parts of a configuration stand in the file.
#[derive(Default)]
struct Spans {
    name: Range<usize>,
    format: Range<usize>,
    pairs: Range<usize>,
    openings: Range<usize>,
    sprt: Range<usize>,
    limits: Range<usize>,
    penalties: Range<usize>,
    require: Range<usize>,
    players: Vec<Range<usize>>,
}

impl Spans {
    fn of(&self, error: &ConfigError) -> Range<usize> {
        match error.part {
            Part::Whole | Part::Game => 0..0,
            Part::Name => self.name.clone(),
            Part::Format => self.format.clone(),
            Part::Pairs => self.pairs.clone(),
            Part::Openings | Part::Plies => self.openings.clone(),
            Part::Sprt => self.sprt.clone(),
            Part::Limits => self.limits.clone(),
            Part::Penalties => self.penalties.clone(),
            Part::Require => self.require.clone(),
            Part::Player(number) => self.players.get(number).cloned().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
name = "Spring cup"
game = "othello"
format = "swiss"
rounds = 2
pairs = 3
seed = 7

[openings]
from = "start"
plies = 6

[limits]
wall = "200 ms"

[[player]]
bot = "greedy"

[[player]]
name = "mine"
kind = "argv"
command = "./mine --fast"
limits = { memory = "2 GB" }

[[player]]
bot = "minimax:2"
"#;

    fn read(text: &str) -> Result<Config, String> {
        Config::from_toml(Path::new("cups/cup.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_whole_file_is_read() {
        let config = read(GOOD).unwrap();
        assert_eq!(config.name, "Spring cup");
        assert_eq!(config.game, games::REVERSI);
        assert_eq!(config.format, Format::Swiss { rounds: 2 });
        assert_eq!((config.pairs, config.seed), (3, 7));
        assert_eq!(config.openings.plies, 6);
        assert_eq!(config.limits.wall, Some(referee::Seconds::from_millis(200)));
        assert!(config.limits.memory.is_some(), "defaults stay");
        let names: Vec<&str> = config.players.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names, ["greedy", "mine", "minimax:2"]);
        assert!(config.players[1].command.0[0].ends_with("/cups/mine"));
    }

    /// A folder with the file and its programs can be moved; a program from elsewhere is
    /// another one.
    #[test]
    fn ids_stay_where_the_folder_goes() {
        let id = |path: &str, text: &str| {
            let config = Config::from_toml(Path::new(path), text).unwrap();
            let stored = serde_json::to_string(&config).unwrap();
            let stored: Config = serde_json::from_str(&stored).unwrap();
            assert_eq!(stored.id(), config.id());
            config.id()
        };
        let command = |command: &str| GOOD.replacen("./mine", command, 1);
        let here = id("cups/cup.toml", GOOD);
        assert_eq!(here, id("/elsewhere/cup.toml", GOOD));
        assert_eq!(here, id("cup.toml", GOOD));
        assert_ne!(here, id("cups/cup.toml", &command("./yours")));
        assert_ne!(here, id("cups/cup.toml", &command("mine")));
        assert_ne!(here, id("cups/cup.toml", &command("/cups/mine")));
        let with_folder = format!("{GOOD}folder = \"books\"\n");
        let with_folder =
            with_folder.replace("bot = \"minimax:2\"", "kind = \"argv\"\ncommand = \"true\"");
        let here = id("cups/cup.toml", &with_folder);
        assert_eq!(here, id("/elsewhere/cup.toml", &with_folder));
        let abroad = with_folder.replace("\"books\"", "\"/books\"");
        assert_ne!(here, id("cups/cup.toml", &abroad));
    }

    /// A mistyped program is found with its line, and a blank in a name splits nothing.
    #[test]
    fn programs_are_looked_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cup.toml");
        std::fs::write(&file, GOOD.replace("./mine --fast", "./my bot")).unwrap();
        let error = Config::from_file(&file).unwrap_err().to_string();
        assert!(error.contains("cup.toml:19: player \"mine\": "), "{error}");
        assert!(error.ends_with("/my: no such program"), "{error}");
        let bot = folder.path().join("my bot");
        std::fs::write(&bot, "#!/bin/sh\n").unwrap();
        let runs = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&bot, runs).unwrap();
        let config = Config::from_file(&file).unwrap();
        assert_eq!(config.players[1].command.0, [bot.display().to_string()]);
    }

    #[track_caller]
    fn check(from: &str, to: &str, message: &str) {
        assert!(GOOD.contains(from));
        let error = read(&GOOD.replacen(from, to, 1)).unwrap_err();
        assert!(error.starts_with(message), "{error}");
    }

    #[test]
    fn errors_say_where() {
        check(
            "\"othello\"",
            "\"chess\"",
            "cups/cup.toml:3: unknown game \"chess\"",
        );
        check(
            "\"swiss\"",
            "\"swis\"",
            "cups/cup.toml:4: unknown variant `swis`",
        );
        check(
            "rounds = 2",
            "",
            "cups/cup.toml:4: a swiss needs the number of rounds",
        );
        check(
            "rounds = 2",
            "rounds = 9",
            "cups/cup.toml:4: rounds = 9 is not between 1 and 2",
        );
        check(
            "rounds = 2",
            "rounds = 2\nchallengers = 1",
            "cups/cup.toml:6: challengers does not",
        );
        check(
            "pairs = 3",
            "pairs = 0",
            "cups/cup.toml:6: pairs = 0 leaves nothing to play",
        );
        check(
            "pairs = 3",
            "pear = 0",
            "cups/cup.toml:6: unknown field `pear`",
        );
        check("seed = 7", "seed = -7", "cups/cup.toml:7: invalid value");
        check(
            "from = \"start\"",
            "from = \"x\"",
            "cups/cup.toml:9: from = \"x\" is not",
        );
        check(
            "from = \"start\"",
            "positions = [\"X\"]",
            "cups/cup.toml:9: position 1: ",
        );
        check(
            "wall = \"200 ms\"",
            "wall = \"soon\"",
            "cups/cup.toml:14: \"soon\" is not",
        );
        check(
            "bot = \"greedy\"",
            "bot = \"greed\"",
            "cups/cup.toml:16: player \"greed\": ",
        );
        check(
            "kind = \"argv\"\n",
            "kind = \"argv\"\nbot = \"greedy\"\n",
            "cups/cup.toml:19: a player is either a bot or a command: kind = \"argv\" and bot",
        );
        check(
            "wall = \"200 ms\"",
            "wall = 0",
            "cups/cup.toml:13: wall = 0 leaves nothing to a player",
        );
        check(
            "[openings]",
            "[penalties]\ntries = 0\n[openings]",
            "cups/cup.toml:9: tries = 0 leaves no answer",
        );
        check(
            "kind = \"argv\"\n",
            "",
            "cups/cup.toml:19: the kind of the player is missing",
        );
        check(
            "kind = \"argv\"",
            "kind = \"matrix\"",
            "cups/cup.toml:19: player \"mine\": a matrix",
        );
        check(
            "\"minimax:2\"",
            "\"greedy\"",
            "cups/cup.toml:25: two players are called",
        );
        check("game = ", "game ", "cups/cup.toml:3: ");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Config::from_file("no/such/cup.toml").unwrap_err();
        assert!(
            error.to_string().starts_with("no/such/cup.toml: "),
            "{error}"
        );
    }
}

//! Who plays: programs of several kinds, and built-in bots.

use std::fmt;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use bots::BotSpec;
use games::{GameName, Kind};
use serde::{Deserialize, Serialize};

use crate::folder::{Found, Given, hash, sum_of_file};
use crate::process::{check_read, find_program};
use crate::{Limits, RefereeError};

/// A command line: the program and its arguments. In files it is a list of words or
/// one string that is split as a shell would (quotes and backslashes, nothing else).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Words", into = "Vec<String>")]
pub struct CommandLine(pub Vec<String>);

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    List(Vec<String>),
    Line(String),
}

impl From<Words> for CommandLine {
    fn from(words: Words) -> CommandLine {
        match words {
            Words::List(list) => CommandLine(list),
            Words::Line(line) => CommandLine(words_of(&line)),
        }
    }
}

impl From<CommandLine> for Vec<String> {
    fn from(command: CommandLine) -> Vec<String> {
        command.0
    }
}

impl FromStr for CommandLine {
    type Err = RefereeError;

    fn from_str(text: &str) -> Result<CommandLine, RefereeError> {
        match words_of(text) {
            words if words.is_empty() => Err(RefereeError::Player {
                name: text.into(),
                reason: "the command is missing".into(),
            }),
            words => Ok(CommandLine(words)),
        }
    }
}

impl CommandLine {
    /// The file of the program, as a shell would find it from here.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn program(&self) -> io::Result<PathBuf> {
        let name = self.0.first().map_or("", String::as_str);
        find_program(name)
    }
}

impl fmt::Display for CommandLine {
    /// As one would type it into a shell.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(&quoted(word))?;
        }
        Ok(())
    }
}

/// A word as a shell reads it back.
#[must_use]
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The words of a line; the name of a file that is there is one word, blanks or not.
fn words_of(line: &str) -> Vec<String> {
    if Path::new(line).is_file() {
        vec![line.into()]
    } else {
        split_words(line)
    }
}

/// Splits a line into words: blanks separate, quotes and backslashes protect.
fn split_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// A player: its name, how to talk to it, and what to start.
///
/// On a command line it is `KIND:COMMAND` (`argv:./mine --fast`) or the name of a bot
/// (`alphabeta:200ms`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerSpec {
    /// What tables and records call it.
    #[serde(default)]
    pub name: String,
    /// How to talk to it.
    pub kind: Kind,
    /// What to start, if it is a program.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub command: CommandLine,
    /// Which bot, if it is one: `random`, `alphabeta:200ms`, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// A folder whose content the program finds in its own folder, fresh for every game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Files and folders that the program may read besides its own and the system's, for
    /// interpreters in unusual places. Absolute paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<PathBuf>,
    /// Limits that differ from those of the game.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub limits: Limits,
}

fn is_empty(command: &CommandLine) -> bool {
    command.0.is_empty()
}

fn is_unset(limits: &Limits) -> bool {
    *limits == Limits::default()
}

impl PlayerSpec {
    /// A program with its command line, named after the program.
    #[must_use]
    pub fn program(kind: Kind, command: Vec<String>) -> PlayerSpec {
        let command = CommandLine(command);
        PlayerSpec {
            name: String::new(),
            kind,
            command,
            bot: None,
            folder: None,
            read: Vec::new(),
            limits: Limits::default(),
        }
        .named()
    }

    /// A built-in bot, named as it is written.
    #[must_use]
    pub fn bot(bot: BotSpec) -> PlayerSpec {
        PlayerSpec {
            name: bot.to_string(),
            kind: Kind::Bot,
            command: CommandLine::default(),
            bot: Some(bot.to_string()),
            folder: None,
            read: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// The same player, with a name made up from what it is if it has none.
    #[must_use]
    pub fn named(mut self) -> PlayerSpec {
        if self.name.is_empty() {
            self.name = match (&self.bot, self.command.0.first()) {
                (Some(bot), _) => bot.clone(),
                (None, Some(program)) => {
                    let file = program.rsplit('/').find(|part| !part.is_empty());
                    file.unwrap_or(program).into()
                }
                (None, None) => self.kind.to_string(),
            };
        }
        self
    }

    /// Checks that the player is complete and can play this game.
    pub fn check(&self, game: GameName) -> Result<(), RefereeError> {
        let bad = |reason: String| RefereeError::Player {
            name: self.name.clone(),
            reason,
        };
        if !self.kind.plays(game) {
            return Err(bad(format!("a {} player cannot play {game}", self.kind)));
        }
        if self.bot.is_some() && (self.kind.is_program() || !self.command.0.is_empty()) {
            return Err(bad("is either a bot or a program, not both".into()));
        }
        if self.kind.is_program() {
            if self.command.0.first().is_none_or(String::is_empty) {
                return Err(bad("the command is missing".into()));
            }
        } else {
            self.bot_spec()?;
        }
        Ok(())
    }

    /// Checks that everything a program needs is there: its file, its folder, and what it
    /// may read.
    pub fn check_files(&self) -> Result<(), RefereeError> {
        let bad = |reason: String| RefereeError::Player {
            name: self.name.clone(),
            reason,
        };
        if !self.kind.is_program() {
            return Ok(());
        }
        let name = self.command.0.first().map_or("", String::as_str);
        let given = match &self.folder {
            Some(folder) if !folder.is_dir() => {
                return Err(bad(format!("folder {} is not there", folder.display())));
            }
            Some(folder) => Given::read(folder).map_err(|error| bad(error.to_string()))?,
            None => Given::default(),
        };
        let found = given.program(name);
        let mode = match found.map_err(|error| bad(error.to_string()))? {
            Found::Inside { mode, .. } => mode,
            Found::Outside(path) => path.metadata().map_or(0, |data| data.permissions().mode()),
        };
        if mode & 0o111 == 0 {
            return Err(bad(format!("{name} is not executable")));
        }
        if let Some((word, path)) = self.out_of_sight() {
            return Err(bad(format!(
                "{word} is not in the folder that it runs in; its whole path is {path}"
            )));
        }
        self.read
            .iter()
            .try_for_each(|path| check_read(path).map_err(bad))
    }

    /// A file that the command names as if the program ran here (`python3 bot.py`), and its whole
    /// path. What has neither a slash nor a dot in it is no name of a file.
    fn out_of_sight(&self) -> Option<(&str, String)> {
        if self.folder.is_some() {
            return None;
        }
        let arguments = self.command.0.iter().skip(1);
        let mut names = arguments.filter(|word| word.contains(['/', '.']));
        let word = names.find(|word| Path::new(word).is_relative() && Path::new(word).is_file())?;
        let path = std::path::absolute(word).ok()?;
        Some((word, path.display().to_string()))
    }

    /// SHA-256 of the program, in hex; with files that its command or its folder names, of
    /// the list of all of them. Nothing for a bot, or if a file cannot be read.
    #[must_use]
    pub fn fingerprint(&self) -> Option<String> {
        if !self.kind.is_program() {
            return None;
        }
        let given = self.folder.as_deref().map(Given::read);
        let given = given.unwrap_or_else(|| Ok(Given::default())).ok()?;
        let mut files = given.hashes();
        let named = self.command.0.iter().enumerate().filter(|(index, word)| {
            *index > 0 && Path::new(word).is_absolute() && Path::new(word).is_file()
        });
        for (_, word) in named {
            files.push((word.clone(), sum_of_file(Path::new(word)).ok()?));
        }
        let name = self.command.0.first()?;
        // A program that is still to be built in its folder is in the folder's files.
        let found = given.program(name);
        if found.is_err() && files.is_empty() {
            return None;
        }
        if let Ok(Found::Outside(path)) = found {
            let sum = sum_of_file(&path).ok()?;
            if files.is_empty() {
                return Some(sum);
            }
            files.push((String::new(), sum));
        }
        files.sort();
        let list: String = files
            .iter()
            .map(|(name, sum)| format!("{sum}  {name}\n"))
            .collect();
        Some(hash(list.as_bytes()))
    }

    /// The bot that this player is.
    pub fn bot_spec(&self) -> Result<BotSpec, RefereeError> {
        let bad = |reason: String| RefereeError::Player {
            name: self.name.clone(),
            reason,
        };
        self.bot
            .as_deref()
            .ok_or_else(|| bad("the bot's name is missing".into()))?
            .parse()
            .map_err(|error: bots::SpecError| bad(error.to_string()))
    }
}

impl FromStr for PlayerSpec {
    type Err = RefereeError;

    fn from_str(text: &str) -> Result<PlayerSpec, RefereeError> {
        if let Some((kind, command)) = text.split_once(':')
            && let Some((kind, _)) = Kind::ALL.iter().find(|(_, name)| *name == kind)
            && kind.is_program()
        {
            let command = words_of(command);
            return if command.is_empty() {
                Err(RefereeError::Player {
                    name: text.into(),
                    reason: "the command is missing after the colon".into(),
                })
            } else {
                Ok(PlayerSpec::program(*kind, command))
            };
        }
        let bot = text.strip_prefix("bot:").unwrap_or(text);
        bot.parse()
            .map(PlayerSpec::bot)
            .map_err(|error: bots::SpecError| RefereeError::Player {
                name: text.into(),
                reason: format!(
                    "{error}; programs are written {} and their command",
                    written()
                ),
            })
    }
}

/// How programs are written: `argv:, …, gtp: or nboard:`.
fn written() -> String {
    let kinds: Vec<String> = Kind::programs().map(|name| format!("{name}:")).collect();
    match kinds.split_last() {
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_words(line: &str, words: &[&str]) {
        assert_eq!(split_words(line), words);
        let shown = CommandLine(split_words(line)).to_string();
        assert_eq!(split_words(&shown), words, "{shown}");
    }

    #[test]
    fn command_lines_are_split_and_shown() {
        check_words("./a -x  3", &["./a", "-x", "3"]);
        check_words(
            r#"'my program' "it's" a\ b """#,
            &["my program", "it's", "a b", ""],
        );
        check_words("", &[]);
        check_words("a'b c'd", &["ab cd"]);
    }

    #[test]
    fn files_with_blanks_are_one_word() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my bot");
        std::fs::write(&path, "").unwrap();
        let text = path.display().to_string();
        assert_eq!(words_of(&text), [text.as_str()]);
        let player: PlayerSpec = format!("argv:{text}").parse().unwrap();
        assert_eq!(player.command.0, [text.as_str()]);
        assert_eq!(words_of(&format!("{text} -x")).len(), 3);
    }

    #[track_caller]
    fn check_files(change: impl FnOnce(&mut PlayerSpec), expected: &str) {
        let mut player = PlayerSpec::program(Kind::Argv, vec!["/bin/sh".into()]);
        assert!(player.check_files().is_ok());
        change(&mut player);
        let error = player.check_files().unwrap_err().to_string();
        assert_eq!(error, format!("player \"sh\": {expected}"));
    }

    #[test]
    fn what_is_not_there_is_found_at_once() {
        check_files(
            |p| p.command.0[0] = "./no/such".into(),
            "./no/such: no such program",
        );
        check_files(
            |p| p.command.0[0] = "/etc/passwd".into(),
            "/etc/passwd is not executable",
        );
        // The tests run in the folder of this crate.
        let sources = std::path::absolute("src/lib.rs").unwrap();
        check_files(
            |p| p.command.0.push("src/lib.rs".into()),
            &format!(
                "src/lib.rs is not in the folder that it runs in; its whole path is {}",
                sources.display()
            ),
        );
        check_files(
            |p| p.folder = Some("/no/such".into()),
            "folder /no/such is not there",
        );
        check_files(
            |p| p.read = vec!["/no/such".into()],
            "read: /no/such is not there",
        );
        check_files(
            |p| p.read = vec!["lib".into()],
            "read: lib is not an absolute path",
        );
        check_files(
            |p| p.read = vec!["/proc".into()],
            "read: /proc cannot be shown to a program",
        );
    }

    #[test]
    fn a_program_alone_has_the_sum_of_its_file() {
        let player = PlayerSpec::program(Kind::Argv, vec!["/bin/sh".into()]);
        let sum = std::process::Command::new("sha256sum")
            .arg("/bin/sh")
            .output();
        let sum = String::from_utf8(sum.unwrap().stdout).unwrap();
        let own = player.fingerprint().unwrap();
        assert_eq!(Some(own.as_str()), sum.split_whitespace().next());
        let with_file =
            PlayerSpec::program(Kind::Argv, vec!["/bin/sh".into(), "/etc/passwd".into()]);
        assert_ne!(with_file.fingerprint().unwrap(), own);
    }

    #[test]
    fn a_player_is_one_thing() {
        for json in [
            r#"{"name": "m", "kind": "argv", "command": "./m", "bot": "greedy"}"#,
            r#"{"name": "m", "kind": "bot", "command": "./m", "bot": "greedy"}"#,
        ] {
            let player: PlayerSpec = serde_json::from_str(json).unwrap();
            let error = player.check(games::REVERSI).unwrap_err().to_string();
            assert!(error.contains("either a bot or a program"), "{error}");
        }
    }

    #[test]
    fn players_are_read_from_the_command_line() {
        let player: PlayerSpec = "argv:./bin/mine --fast".parse().unwrap();
        assert_eq!((player.kind, player.name.as_str()), (Kind::Argv, "mine"));
        let player: PlayerSpec = "minimax:3".parse().unwrap();
        assert_eq!(
            (player.kind, player.bot.as_deref()),
            (Kind::Bot, Some("minimax:3"))
        );
        for bad in ["argv:", "bot:", "nobody", "exe:./a"] {
            assert!(bad.parse::<PlayerSpec>().is_err(), "{bad}");
        }
    }

    #[test]
    fn players_are_read_from_json() {
        let player: PlayerSpec = serde_json::from_str(
            r#"{"name": "m", "kind": "argv", "command": "./m 'a b'", "limits": {"wall": 2}}"#,
        )
        .unwrap();
        assert_eq!(player.command.0, ["./m", "a b"]);
        assert!(player.check(games::REVERSI).is_ok());
        let json = serde_json::to_string(&player).unwrap();
        assert_eq!(serde_json::from_str::<PlayerSpec>(&json).unwrap(), player);
        let nameless: PlayerSpec = serde_json::from_str(r#"{"kind": "bot"}"#).unwrap();
        let error = nameless.named().check(games::REVERSI).unwrap_err();
        assert!(error.to_string().contains("bot's name"), "{error}");
    }
}

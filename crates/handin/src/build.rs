//! Programs from sources, behind the referee's walls.

use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use referee::{Build, CommandLine, Kind, PlayerSpec, RefereeError, Seconds};
use serde::{Deserialize, Serialize};

use crate::language::Language;
use crate::limits::BuildLimits;
use crate::refusal::{Refusal, shown};
use crate::sources::Sources;
use crate::unpack::into_new_folder;

/// How much of what a build says is kept: of its beginning and of its end.
const KEPT: usize = 16 << 10;

/// A program that the referee can start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Built {
    /// The command that runs it in its folder.
    pub command: Vec<String>,
    /// Its folder: everything that the build has left.
    pub folder: PathBuf,
    /// What it may read besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<PathBuf>,
    /// What the build said.
    pub log: String,
    /// How long it took.
    pub seconds: Seconds,
}

impl Built {
    /// The program as a player.
    #[must_use]
    pub fn player(&self, kind: Kind) -> PlayerSpec {
        PlayerSpec {
            folder: Some(self.folder.clone()),
            read: self.read.clone(),
            ..PlayerSpec::program(kind, self.command.clone())
        }
    }
}

/// A build that failed, and how to see it fail at home.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BuildFailure {
    /// What went wrong, in one line.
    pub what: String,
    /// What the build said.
    pub log: String,
    /// The command to type in the folder of the sources.
    pub command: String,
}

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BuildError {
    /// The sources are to blame.
    Failed(BuildFailure),
    /// The machine is to blame: nothing is said against the sources.
    Machine(String),
    /// The build was stopped.
    Stopped,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Failed(failure) => write!(f, "build failed: {}", failure.what),
            BuildError::Machine(what) => f.write_str(what),
            BuildError::Stopped => f.write_str("the build was stopped"),
        }
    }
}

impl std::error::Error for BuildError {}

/// Builds sources in a copy of their folder, and puts what the build leaves into a folder that is not
/// there yet: plain files only. When it fails, that folder is not there.
///
/// # Errors
/// If the build fails, or the machine does.
pub fn build(
    sources: &Path,
    into: &Path,
    language: &Language,
    limits: &BuildLimits,
    stop: &AtomicBool,
) -> Result<Built, BuildError> {
    let machine = |path: &Path, error: &dyn fmt::Display| {
        BuildError::Machine(format!("{}: {error}", path.display()))
    };
    let found = Sources::of(sources).map_err(|error| machine(sources, &error))?;
    let read = |path: &str| {
        let text = fs::read(sources.join(path)).unwrap_or_default();
        String::from_utf8_lossy(&text).into_owned()
    };
    let failed = |refusal: Refusal| {
        BuildError::Failed(BuildFailure {
            what: refusal.what,
            log: String::new(),
            command: String::new(),
        })
    };
    let run = language
        .command(&language.run, &found, &read)
        .map_err(failed)?;
    let mut built = Built {
        command: run,
        folder: into.into(),
        read: language.read.clone(),
        log: String::new(),
        seconds: Seconds::ZERO,
    };
    let command = match &language.build {
        Some(line) => language.command(line, &found, &read).map_err(failed)?,
        // Nothing is to be made; but what is run is a copy here, too.
        None => vec!["true".into()],
    };
    let at_home = language
        .build
        .as_ref()
        .map(|_| CommandLine(command.clone()).to_string());
    let made = Build {
        command: &command,
        folder: sources,
        needs: &language.programs(),
        read: &language.read,
        limits: limits.limits(),
        isolation: limits.isolation,
    }
    .run(stop)
    .map_err(|error| {
        BuildError::Machine(match error {
            RefereeError::Busy { .. } => "the machine was too busy to build it".into(),
            other => other.to_string(),
        })
    })?;
    if stop.load(Ordering::Relaxed) {
        return Err(BuildError::Stopped);
    }
    built.log = log(&made);
    built.seconds = made.wall();
    let fail = |what: String| {
        BuildError::Failed(BuildFailure {
            what,
            log: built.log.clone(),
            command: at_home.clone().unwrap_or_default(),
        })
    };
    if let Some(what) = made.failure() {
        return Err(fail(match first_error(&built.log) {
            Some(error) => format!("{what}: {error}"),
            None => what.into(),
        }));
    }
    let written = into_new_folder(into, |folder| {
        let links = made.write(folder)?;
        Ok((links, is_program(folder, &built.command)))
    });
    let (links, is_program) = written.map_err(|error| machine(into, &error))?;
    if !is_program {
        // Should that fail, there is a folder too much, and no program all the same.
        let _ = fs::remove_dir_all(into);
        let program = built.command.first().map_or("", String::as_str);
        return Err(fail(format!("the build has left no program {program}")));
    }
    for link in links {
        built.log += &format!("{} is a link and is left out\n", referee::printable(&link));
    }
    Ok(built)
}

/// Whether the program of a command is there, if it is to be in the folder.
fn is_program(folder: &Path, command: &[String]) -> bool {
    let Some(inside) = command.first().and_then(|word| word.strip_prefix("./")) else {
        return true;
    };
    let data = fs::symlink_metadata(folder.join(inside));
    data.is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// The first line of a compiler that says what is wrong, with its place if that is in another line.
fn first_error(log: &str) -> Option<String> {
    const SIGNS: [&str; 4] = ["error: ", "error[", "Error: ", "undefined reference"];
    let lines: Vec<&str> = log.lines().map(str::trim).collect();
    let found = lines
        .iter()
        .position(|line| SIGNS.iter().any(|sign| line.contains(sign)))?;
    let after = lines
        .get(found + 1)
        .and_then(|line| line.strip_prefix("--> "));
    let before = lines[..found].iter().rev().take(4);
    let before = before.copied().find(|line| line.starts_with("File "));
    let place = after.or(before).map(|place| format!(" ({place})"));
    Some(shown(&format!(
        "{}{}",
        lines[found],
        place.unwrap_or_default()
    )))
}

/// What a build said: its output, then its errors, in printable lines.
fn log(made: &referee::Built) -> String {
    let (errors, end) = made.errors();
    let mut text = cut(made.output());
    text += &match errors.omitted {
        0 => cut(&errors.bytes),
        more => format!(
            "{}\n… {more} bytes more …\n{}",
            String::from_utf8_lossy(&errors.bytes),
            String::from_utf8_lossy(end)
        ),
    };
    let lines = text
        .lines()
        .map(|line| referee::printable(&line.replace('\t', "    ")));
    lines.map(|line| line + "\n").collect()
}

/// The beginning and the end of a text.
fn cut(bytes: &[u8]) -> String {
    if bytes.len() <= 2 * KEPT {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    format!(
        "{}\n… {} bytes more …\n{}",
        String::from_utf8_lossy(&bytes[..KEPT]),
        bytes.len() - 2 * KEPT,
        String::from_utf8_lossy(&bytes[bytes.len() - KEPT..])
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_found_with_its_place() {
        for (log, expected) in [
            (
                "a.c: In function:\na.c:1:2: error: no x\n",
                Some("a.c:1:2: error: no x"),
            ),
            (
                "error[E0425]: no x\n  --> a.rs:1:2\n",
                Some("error[E0425]: no x (a.rs:1:2)"),
            ),
            (
                "*** Error compiling 'a.py'...\n  File \"a.py\", line 3\n    x y\n      ^\nSyntaxError: bad\n",
                Some("SyntaxError: bad (File \"a.py\", line 3)"),
            ),
            ("all is well\n", None),
        ] {
            assert_eq!(first_error(log).as_deref(), expected);
        }
    }
}

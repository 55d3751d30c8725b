//! What several subcommands read from their arguments.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::TypedValueParser;
use files::Claim;
use games::{AnyPosition, GameName, Resources, TABLES_VARIABLE, usual_folders};
use referee::{Seconds, Size};
use tournament::Store;

use crate::error::bad_input;

/// The tables of solved games that bots, hints and analyses use
#[derive(clap::Args, Default)]
pub(crate) struct Tables {
    /// Folder with tables of solved GIPF variants, for bots, hints and analyses; may be given
    /// several times
    #[arg(long = "tables", value_name = "FOLDER", value_parser = folder)]
    pub(crate) folders: Vec<PathBuf>,
}

impl Tables {
    /// What bots may use: the tables in these folders, or else where they are usually looked
    /// for.
    pub(crate) fn resources(&self) -> Resources {
        match &self.folders[..] {
            [] => Resources::new(usual_folders(std::env::var_os(TABLES_VARIABLE).as_deref())),
            folders => Resources::new(folders),
        }
    }
}

/// A folder that is there.
fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.is_dir() {
        true => Ok(path),
        false => Err("no such folder".into()),
    }
}

/// The games that an argument may name, with their other names.
pub(crate) fn games() -> String {
    let name = |game: GameName| match game.about().aliases {
        [] => game.name().to_string(),
        aliases => format!("{} ({})", game.name(), aliases.join(", ")),
    };
    let names: Vec<_> = GameName::all().map(name).collect();
    format!("One of: {}", names.join(", "))
}

/// The position that an argument gives: its text, `-` for standard input, or nothing for
/// the usual start.
pub(crate) fn position(game: GameName, text: Option<&str>) -> anyhow::Result<AnyPosition> {
    let Some(text) = text else {
        return Ok(AnyPosition::start(game));
    };
    AnyPosition::parse(game, &line(text)?)
        .map_err(|error| bad_input(format!("bad {game} position: {error}")))
}

/// The text of an argument, or that of standard input for `-`.
pub(crate) fn line(argument: &str) -> anyhow::Result<String> {
    if argument != "-" {
        return Ok(argument.into());
    }
    let bytes = piped()?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.trim_end_matches(['\n', '\r']).into())
}

/// All of standard input.
fn piped() -> anyhow::Result<Vec<u8>> {
    let read = files::read_from(std::io::stdin(), files::MOST);
    read.map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => bad_input(format!("standard input: {error}")),
        _ => anyhow::Error::new(error).context("standard input"),
    })
}

/// What an argument means: standard input for `-`, the content of a file or pipe of that name, or
/// nothing but itself; with the name of the place.
pub(crate) fn source(argument: &str) -> anyhow::Result<Option<(&str, Vec<u8>)>> {
    let path = Path::new(argument);
    if argument == "-" {
        return Ok(Some(("standard input", piped()?)));
    }
    if path.is_dir() {
        return Err(bad_input(format!(
            "{argument}: a folder, and a file is wanted"
        )));
    }
    if !path.exists() {
        return Ok(None);
    }
    Ok(Some((argument, read_file(path)?)))
}

/// What an argument is called that names no file and is no game or position either.
pub(crate) fn no_source(argument: &str) -> String {
    format!("{argument}: no such file, and no game or position")
}

/// The content of a file that the user names.
pub(crate) fn read_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_large(path, files::MOST)
}

/// The same for a file that may be larger than any text.
pub(crate) fn read_large(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    files::read(path, most).map_err(|error| bad_input(format!("{}: {error}", path.display())))
}

/// The text of a file that the user names.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let text = files::read_text(path, files::MOST);
    text.map_err(|error| bad_input(format!("{}: {error}", path.display())))
}

/// Writes a file that the user names, whole or not at all.
pub(crate) fn write_file(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    check_place(path)?;
    files::write_whole(path, content.as_ref())
        .map_err(|error| bad_input(format!("{}: {error}", path.display())))
}

/// The same for a file that is written bit by bit.
pub(crate) fn write_parts(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> anyhow::Result<()> {
    check_place(path)?;
    files::write_parts(path, 0, content)
        .map_err(|error| bad_input(format!("{}: {error}", path.display())))
}

/// Writes a file that only its owner reads.
pub(crate) fn write_private(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    check_place(path)?;
    files::write_private(path, content.as_ref())
        .map_err(|error| bad_input(format!("{}: {error}", path.display())))
}

/// Refuses what the user names if the folder in which it is to be is not there: that may be a slip,
/// and nothing is made that nobody has named.
pub(crate) fn check_place(path: &Path) -> anyhow::Result<()> {
    match path.parent() {
        Some(above) if above != Path::new("") && !above.is_dir() => Err(bad_input(format!(
            "{}: there is no folder {}",
            path.display(),
            above.display()
        ))),
        _ => Ok(()),
    }
}

/// Makes a folder that the user names, if it is not there yet, for its owner alone.
pub(crate) fn make_private_folder(path: &Path) -> anyhow::Result<()> {
    check_place(path)?;
    referee::private_folder(path).map_err(|error| bad_input(format!("{}: {error}", path.display())))
}

/// Makes a folder that the user names, if it is not there yet.
pub(crate) fn make_folder(path: &Path) -> anyhow::Result<()> {
    check_place(path)?;
    std::fs::create_dir_all(path).map_err(|error| bad_input(format!("{}: {error}", path.display())))
}

/// Opens the store that the user names, or makes it.
pub(crate) async fn store(path: &Path) -> anyhow::Result<Store> {
    check_place(path)?;
    Ok(Store::open(path).await?)
}

/// Claims a file for long work, which begins with what it holds and ends by writing it anew: two
/// processes would each lose what the other has done.
pub(crate) fn claim_file(path: &Path) -> anyhow::Result<Claim> {
    check_place(path)?;
    // By whatever name it is called.
    let file = std::fs::canonicalize(path);
    let file = file.as_deref().unwrap_or(path);
    Claim::file(file).map_err(|error| not_claimed(path, &error))
}

/// Claims a folder in the same way.
pub(crate) fn claim_folder(path: &Path) -> anyhow::Result<Claim> {
    Claim::folder(path).map_err(|error| not_claimed(path, &error))
}

fn not_claimed(path: &Path, error: &std::io::Error) -> anyhow::Error {
    let message = format!("{}: {error}", path.display());
    match error.kind() {
        ErrorKind::WouldBlock => anyhow::Error::msg(message),
        _ => bad_input(message),
    }
}

/// Checks that a file can be written, before the work whose result it is to hold. Nothing
/// that it holds is lost.
pub(crate) fn check_writable(path: &Path) -> anyhow::Result<()> {
    check_place(path)?;
    let is_new = !path.exists();
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|error| bad_input(format!("{}: {error}", path.display())))?;
    if is_new {
        // What was only tried out leaves nothing behind.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// The longest time that an option takes: a month.
const LONGEST: f64 = 31.0 * 86_400.0;

/// A time that limits a player: any but none at all.
pub(crate) fn time_limit(text: &str) -> Result<Duration, String> {
    match time(text)? {
        Duration::ZERO => Err("a limit of 0 leaves no time to a player".into()),
        limit => Ok(limit),
    }
}

/// A time on the command line: a number of seconds, `1.5s`, `200ms`, `10min`.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let time = text.parse::<Seconds>().map(|Seconds(time)| time);
    time.ok()
        .filter(|time| time.as_secs_f64() <= LONGEST)
        .ok_or_else(|| "a time such as 5, 1.5s, 200ms or 10min is wanted".into())
}

/// A size on the command line, as in files: a number of bytes, `800M`, `2G`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let size = text.parse::<Size>().map(|Size(bytes)| bytes);
    size.map_err(|_| "a size such as 800M or 2G is wanted; a number alone is bytes".into())
}

/// The size of a table that is filled at once, in megabytes, of which there is one at
/// least: the system must have that much to give.
pub(crate) fn table_size(text: &str) -> Result<u32, String> {
    let bytes = size(text)?;
    let megabytes = u32::try_from(bytes >> 20).unwrap_or(u32::MAX);
    if !(1..=1 << 20).contains(&megabytes) {
        return Err("a size from 1M to 1024G is wanted; a number alone is bytes".into());
    }
    // Nothing is touched, so this costs nothing.
    match Vec::<u8>::new().try_reserve_exact(bytes as usize) {
        Ok(()) => Ok(megabytes),
        Err(_) => Err("the system does not have that much memory to give".into()),
    }
}

/// How many threads, or games at once.
pub(crate) fn threads() -> impl TypedValueParser<Value = usize> {
    clap::value_parser!(u16).range(1..=1024).map(usize::from)
}

/// Lets negative numbers be read as values of options, so that it is said which one is bad;
/// otherwise they would be taken for unknown options.
pub(crate) fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let allowed = |arg: clap::Arg| match arg.is_allow_hyphen_values_set() {
        false if arg.get_action().takes_values() => arg.allow_negative_numbers(true),
        _ => arg,
    };
    command
        .mut_args(allowed)
        .mut_subcommands(with_negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_are_seconds() {
        for (text, milliseconds) in [
            ("5", 5000),
            ("1.5s", 1500),
            ("200ms", 200),
            ("2min", 120_000),
            ("0", 0),
        ] {
            assert_eq!(time(text), Ok(Duration::from_millis(milliseconds)));
        }
        for bad in ["", "s", "-1", "nan", "inf", "1e300", "d5", "1x", "é"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_have_units_or_are_bytes() {
        for (text, bytes) in [
            ("512", 512),
            ("800M", 800 << 20),
            ("2GB", 2 << 30),
            ("7k", 7 << 10),
        ] {
            assert_eq!(size(text), Ok(bytes));
        }
        for bad in ["", "M", "-1", "99999999999999G", "é", "1T"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn trying_to_write_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        std::fs::write(&old, "kept").unwrap();
        for path in [&old, &new] {
            check_writable(path).unwrap();
        }
        assert_eq!(std::fs::read(&old).unwrap(), b"kept");
        assert!(!new.exists());
        assert!(check_writable(folder.path()).is_err());
        assert!(check_writable(&old.join("below")).is_err());
    }

    #[test]
    fn tables_must_fit() {
        assert_eq!(table_size("64M"), Ok(64));
        assert_eq!(table_size("1G"), Ok(1024));
        for bad in ["0", "64", "1k", "99999999M"] {
            assert!(table_size(bad).is_err(), "{bad}");
        }
    }
}

//! Backups: a whole course as one file, made while it is open.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File, Permissions};
use std::io::{self, BufReader, BufWriter, Read};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use referee::{private_file, private_folder};
use rusqlite::backup::Backup;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use sha2::{Digest, Sha256};

use super::versions::folder;
use crate::open_course::{FINALS, STORE, VERSIONS};

/// The description of a course, in its folder.
const DESCRIPTION: &str = "course.toml";

/// The first file of a backup: SHA-256 of all others, as `sha256sum` writes them.
const LIST: &str = "SHA256SUMS";

/// The list of a backup is not larger.
const LONGEST_LIST: u64 = 256 << 20;

/// Why a backup was not made or not restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Disk {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A database cannot be copied.
    #[error("{}: {error}", path.display())]
    Database {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: rusqlite::Error,
    },
    /// There is something already where it should go.
    #[error("{} is there already: choose a new place", .0.display())]
    There(PathBuf),
    /// The file is no backup of a course.
    #[error("{}: {reason}", path.display())]
    Content {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

fn disk(path: &Path) -> impl Fn(io::Error) -> BackupError + '_ {
    move |error| BackupError::Disk {
        path: path.into(),
        error,
    }
}

/// What could be held against what at a restore.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// Every file against the list of the backup.
    All,
    /// The backup is of an earlier version, which wrote no list: only that the databases can be read,
    /// and what was handed in.
    WithoutList,
}

/// A file of a backup: its name there, and where its content is.
struct Entry {
    name: PathBuf,
    path: PathBuf,
}

/// Writes the course in a folder into one file: a list of SHA-256, its description, its databases by
/// SQLite's own online backup, then the files of all versions. Versions that come meanwhile may be
/// left out; none that the copied database knows is.
pub fn backup(course: &Path, file: &Path) -> Result<(), BackupError> {
    if file.exists() {
        return Err(BackupError::There(file.into()));
    }
    // Beside the file, so that it only has to be renamed, and under a name that nobody else has.
    let beside = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    private_folder(beside).map_err(disk(file))?;
    let scratch = tempfile::Builder::new()
        .prefix("ludex-backup-")
        .permissions(Permissions::from_mode(0o700))
        .tempdir_in(beside)
        .map_err(|error| disk(file)(error.kind().into()))?;
    let entries = entries(course, scratch.path(), file)?;
    let whole = scratch.path().join("whole");
    let out = private_file(&whole).map_err(disk(file))?;
    write(&entries, out, file)?;
    fs::rename(&whole, file).map_err(disk(file))
}

/// All files of a backup. What changes while a course is open is copied into the scratch folder, so
/// that it is the same each time that it is read.
fn entries(course: &Path, scratch: &Path, file: &Path) -> Result<Vec<Entry>, BackupError> {
    let description = course.join(DESCRIPTION);
    let text = fs::read(&description).map_err(disk(&description))?;
    let copied = |name: &str| Entry {
        name: name.into(),
        path: scratch.join(name),
    };
    fs::write(scratch.join(DESCRIPTION), text).map_err(disk(file))?;
    let mut entries = vec![copied(DESCRIPTION)];
    for name in [STORE, FINALS] {
        let database = course.join(name);
        if database.exists() {
            copy_database(&database, &scratch.join(name), file)?;
            entries.push(copied(name));
        }
    }
    for version in folders(&scratch.join(STORE))? {
        let folder = Path::new(VERSIONS).join(&version.folder);
        add_files(course, &folder.join("sources"), &mut entries)?;
        // What is being built, or could not be built again, is built again.
        let built = ["built", "built.json"].map(|part| folder.join(part));
        if version.built && built.iter().all(|part| course.join(part).exists()) {
            for part in &built {
                add_files(course, part, &mut entries)?;
            }
        }
    }
    Ok(entries)
}

/// A file, or those in a folder.
fn add_files(course: &Path, name: &Path, entries: &mut Vec<Entry>) -> Result<(), BackupError> {
    let path = course.join(name);
    if !path.is_dir() {
        entries.push(Entry {
            name: name.into(),
            path,
        });
        return Ok(());
    }
    let read = || -> io::Result<Vec<_>> { fs::read_dir(&path)?.collect() };
    let mut below = read().map_err(disk(&path))?;
    below.sort_by_key(fs::DirEntry::file_name);
    for entry in below {
        add_files(course, &name.join(entry.file_name()), entries)?;
    }
    Ok(())
}

fn write(entries: &[Entry], out: File, file: &Path) -> Result<(), BackupError> {
    let mut list = String::new();
    for Entry { name, path } in entries {
        let hash = hash(path).map_err(disk(path))?;
        list += &format!("{hash}  {}\n", listed(name));
    }
    let mut archive = tar::Builder::new(BufWriter::new(out));
    // Plain files, whatever the file system says of zeros in them.
    archive.sparse(false);
    let mut header = tar::Header::new_gnu();
    header.set_size(list.len() as u64);
    header.set_mode(0o600);
    let added = archive.append_data(&mut header, LIST, list.as_bytes());
    added.map_err(disk(file))?;
    for Entry { name, path } in entries {
        let mut content = File::open(path).map_err(disk(path))?;
        // It has been read just now: what fails is the writing.
        let added = archive.append_file(name, &mut content);
        added.map_err(disk(file))?;
    }
    let out = archive.into_inner().map_err(disk(file))?;
    let out = out.into_inner().map_err(io::IntoInnerError::into_error);
    out.and_then(|out| out.sync_all()).map_err(disk(file))
}

/// A path as the list has it: in one line, whatever a build has called its files.
fn listed(path: &Path) -> String {
    let name = path.as_os_str().as_encoded_bytes();
    name.escape_ascii().to_string()
}

/// SHA-256 of a file.
fn hash(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut part = vec![0; 1 << 16];
    loop {
        match file.read(&mut part)? {
            0 => return Ok(referee::hex(&hash.finalize())),
            count => hash.update(&part[..count]),
        }
    }
}

/// A version as a copied store knows it.
struct Kept {
    folder: String,
    hash: String,
    built: bool,
}

/// All versions that a copied store knows.
fn folders(store: &Path) -> Result<Vec<Kept>, BackupError> {
    let read = || -> rusqlite::Result<Vec<Kept>> {
        let store = open_copy(store)?;
        let sql = "SELECT v.id, v.hash, EXISTS (SELECT 1 FROM step s \
            WHERE s.version = v.id AND s.name = 'built' AND s.ok) FROM version v ORDER BY v.id";
        let mut statement = store.prepare(sql)?;
        let rows = statement.query_map((), |row| {
            let hash: String = row.get(1)?;
            Ok(Kept {
                folder: folder(row.get(0)?, &hash),
                hash,
                built: row.get(2)?,
            })
        })?;
        rows.collect()
    };
    read().map_err(|error| BackupError::Database {
        path: store.into(),
        error,
    })
}

/// A database that nobody works on.
fn open_copy(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

/// Copies a database beside a file, which is named when there is no room for the copy.
fn copy_database(from: &Path, to: &Path, file: &Path) -> Result<(), BackupError> {
    let failed = |error: rusqlite::Error| BackupError::Database {
        path: match error.sqlite_error_code() {
            // Reading needs no room.
            Some(ErrorCode::DiskFull) => file.into(),
            _ => from.into(),
        },
        error,
    };
    private_file(to).map_err(disk(file))?;
    let source = Connection::open(from).map_err(failed)?;
    let mut target = Connection::open(to).map_err(failed)?;
    {
        let copy = Backup::new(&source, &mut target).map_err(failed)?;
        copy.run_to_completion(1000, Duration::from_millis(5), None)
            .map_err(failed)?;
    }
    // One file holds everything.
    target
        .pragma_update(None, "journal_mode", "delete")
        .map_err(failed)
}

/// Makes a course of a backup, in a folder that is not there or empty. What is in it is for its owner
/// alone. When it fails, nothing is left of it.
pub fn restore(file: &Path, folder: &Path) -> Result<Checked, BackupError> {
    let empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !empty {
        return Err(BackupError::There(folder.into()));
    }
    let was_there = folder.exists();
    let restored = unpack(file, folder).and_then(|backup| check(file, folder, &backup));
    if restored.is_err() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let _ = match path.is_dir() {
                true => fs::remove_dir_all(path),
                false => fs::remove_file(path),
            };
        }
        if !was_there {
            let _ = fs::remove_dir(folder);
        }
    }
    restored
}

/// SHA-256 by the names of files.
type List = BTreeMap<String, String>;

/// What a backup holds.
#[derive(Default)]
struct Unpacked {
    /// The list, if there is one.
    list: Option<List>,
    /// The files by their names in a list.
    files: BTreeMap<String, PathBuf>,
}

fn content(file: &Path, reason: impl Into<String>) -> BackupError {
    BackupError::Content {
        path: file.into(),
        reason: reason.into(),
    }
}

fn unpack(file: &Path, folder: &Path) -> Result<Unpacked, BackupError> {
    let bad = |error: io::Error| content(file, error.to_string());
    let input = File::open(file).map_err(disk(file))?;
    let mut archive = tar::Archive::new(BufReader::new(input));
    archive.set_mask(0o077);
    private_folder(folder).map_err(disk(folder))?;
    let mut backup = Unpacked::default();
    for (number, entry) in archive.entries().map_err(bad)?.enumerate() {
        let mut entry = entry.map_err(|error| match error.raw_os_error() {
            None if number == 0 => content(file, "this is no backup of a course"),
            _ => bad(error),
        })?;
        let path = entry.path().map_err(bad)?.into_owned();
        if number == 0 && path == Path::new(LIST) {
            backup.list = Some(read_list(entry).map_err(bad)?);
            continue;
        }
        let inside = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let ours = [STORE, FINALS, DESCRIPTION]
            .iter()
            .any(|name| path == Path::new(name))
            || path.starts_with(VERSIONS);
        let kind = entry.header().entry_type();
        // Earlier versions left out zeros that the file system did not hold.
        let is_file = kind.is_file() || kind.is_gnu_sparse();
        if !(inside && ours && (is_file || kind.is_dir())) {
            let reason = format!("{} does not belong into a course", path.display());
            return Err(content(file, reason));
        }
        // The same path may be written in several ways.
        let path: PathBuf = path.components().collect();
        let place = folder.join(&path);
        let above = place.parent().unwrap_or(folder);
        private_folder(above).map_err(disk(above))?;
        if is_file && place.exists() {
            let reason = format!("{} is in it twice", path.display());
            return Err(content(file, reason));
        }
        entry
            .unpack_in(folder)
            .map_err(|error| not_unpacked(file, &place, &error))?;
        if is_file {
            backup.files.insert(listed(&path), path);
        }
    }
    Ok(backup)
}

/// Why a file could not be unpacked: the disk that it goes to, or the archive.
fn not_unpacked(file: &Path, place: &Path, error: &io::Error) -> BackupError {
    let mut cause: &dyn Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    let code = cause.downcast_ref().and_then(io::Error::raw_os_error);
    match code {
        Some(code) => disk(place)(io::Error::from_raw_os_error(code)),
        None => content(file, format!("{}: {cause}", place.display())),
    }
}

fn read_list(entry: impl Read) -> io::Result<List> {
    let mut text = String::new();
    entry.take(LONGEST_LIST).read_to_string(&mut text)?;
    let line = |(number, line): (usize, &str)| match line.split_once("  ") {
        Some((hash, path)) => Ok((path.into(), hash.into())),
        None => {
            let reason = format!(
                "{LIST}:{}: not a SHA-256, two blanks and a path",
                number + 1
            );
            Err(io::Error::other(reason))
        }
    };
    text.lines().enumerate().map(line).collect()
}

/// Whether what was unpacked is what was written.
fn check(file: &Path, folder: &Path, backup: &Unpacked) -> Result<Checked, BackupError> {
    for needed in [STORE, DESCRIPTION] {
        if !backup.files.contains_key(needed) {
            let reason = format!("this is no backup of a course: {needed} is missing");
            return Err(content(file, reason));
        }
    }
    if let Some(list) = &backup.list {
        check_list(file, folder, list, &backup.files)?;
    }
    for name in [STORE, FINALS] {
        if backup.files.contains_key(name) {
            check_database(&folder.join(name))
                .map_err(|problem| content(file, format!("{name} is damaged: {problem}")))?;
        }
    }
    for mut version in folders(&folder.join(STORE))? {
        // A list says whether the backup has what was built.
        version.built &= backup.list.is_none();
        check_version(file, folder, &version)?;
    }
    Ok(match backup.list {
        Some(_) => Checked::All,
        None => Checked::WithoutList,
    })
}

fn check_list(
    file: &Path,
    folder: &Path,
    list: &List,
    files: &BTreeMap<String, PathBuf>,
) -> Result<(), BackupError> {
    if let Some(name) = files.keys().find(|name| !list.contains_key(*name)) {
        return Err(content(file, format!("{name} is not in its list, {LIST}")));
    }
    for (name, wanted) in list {
        let Some(path) = files.get(name) else {
            return Err(content(file, format!("{name} is missing")));
        };
        let path = folder.join(path);
        if hash(&path).map_err(disk(&path))? != *wanted {
            let reason = format!("{name} is damaged: it has another SHA-256 than in {LIST}");
            return Err(content(file, reason));
        }
    }
    Ok(())
}

/// What is wrong with a database, if anything.
fn check_database(path: &Path) -> Result<(), String> {
    let ask = || -> rusqlite::Result<String> {
        let database = open_copy(path)?;
        database.query_row("PRAGMA integrity_check(1)", (), |row| row.get(0))
    };
    match ask() {
        Ok(answer) if answer == "ok" => Ok(()),
        Ok(answer) => Err(answer.lines().collect::<Vec<_>>().join(" ")),
        Err(error) => Err(error.to_string()),
    }
}

/// Whether the files of a version are there, and its sources those that were handed in.
fn check_version(file: &Path, folder: &Path, version: &Kept) -> Result<(), BackupError> {
    let name = Path::new(VERSIONS).join(&version.folder);
    let sources = handin::hash(&folder.join(&name).join("sources"));
    let built = folder.join(&name).join("built.json").is_file();
    let what = match sources {
        Err(_) => "sources: these files are missing",
        Ok(hash) if hash != version.hash => "sources: these are not the files that were handed in",
        Ok(_) if version.built && !built => "built.json: this file is missing",
        Ok(_) => return Ok(()),
    };
    Err(content(file, format!("{}/{what}", name.display())))
}

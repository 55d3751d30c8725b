//! Backups: a whole course as one file, made while it is open.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use referee::{private_file, private_folder};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use thiserror::Error;

use super::versions::folder;
use crate::open_course::{FINALS, STORE, VERSIONS};

/// Why a backup was not made or not restored.
#[derive(Debug, Error)]
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

/// Writes the course in a folder into one file: its description, its databases by SQLite's own
/// online backup, then the files of all versions. Versions that come meanwhile may be left out;
/// none that the copied database knows is.
pub fn backup(course: &Path, file: &Path) -> Result<(), BackupError> {
    if file.exists() {
        return Err(BackupError::There(file.into()));
    }
    let partial = file.with_extension("partial");
    // One that was left by a machine that stopped is nobody's.
    let _ = fs::remove_file(&partial);
    let out = private_file(&partial).map_err(disk(&partial))?;
    let mut archive = tar::Builder::new(BufWriter::new(out));
    archive.follow_symlinks(false);
    let scratch = file.with_extension("copy");
    let written = (|| {
        let description = course.join("course.toml");
        archive
            .append_path_with_name(&description, "course.toml")
            .map_err(disk(&description))?;
        let mut versions = Vec::new();
        for name in [STORE, FINALS] {
            let database = course.join(name);
            if database.exists() {
                copy_database(&database, &scratch)?;
                archive
                    .append_path_with_name(&scratch, name)
                    .map_err(disk(&database))?;
            }
            if name == STORE {
                versions = folders(&scratch)?;
            }
        }
        for (version, built) in &versions {
            // What is being built is built again.
            let parts = ["sources", "built", "built.json"];
            for part in &parts[..if *built { 3 } else { 1 }] {
                let name = Path::new(VERSIONS).join(version).join(part);
                let path = course.join(&name);
                let added = match path.is_dir() {
                    true => archive.append_dir_all(&name, &path),
                    false => archive.append_path_with_name(&path, &name),
                };
                added.map_err(disk(&path))?;
            }
        }
        let out = archive.into_inner().map_err(disk(&partial))?;
        let out = out
            .into_inner()
            .map_err(|error| disk(&partial)(error.into_error()))?;
        out.sync_all().map_err(disk(&partial))?;
        fs::rename(&partial, file).map_err(disk(file))
    })();
    let _ = fs::remove_file(&scratch);
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

/// The folders of all versions that a copied store knows, and whether each has been built.
fn folders(store: &Path) -> Result<Vec<(String, bool)>, BackupError> {
    let read = || -> rusqlite::Result<Vec<(String, bool)>> {
        let store = Connection::open(store)?;
        let sql = "SELECT v.id, v.hash, EXISTS (SELECT 1 FROM step s \
            WHERE s.version = v.id AND s.name = 'built' AND s.ok) FROM version v ORDER BY v.id";
        let mut statement = store.prepare(sql)?;
        let rows = statement.query_map((), |row| {
            let hash: String = row.get(1)?;
            Ok((folder(row.get(0)?, &hash), row.get(2)?))
        })?;
        rows.collect()
    };
    read().map_err(|error| BackupError::Database {
        path: store.into(),
        error,
    })
}

fn copy_database(from: &Path, to: &Path) -> Result<(), BackupError> {
    let failed = |error| BackupError::Database {
        path: from.into(),
        error,
    };
    let _ = fs::remove_file(to);
    private_file(to).map_err(disk(to))?;
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
pub fn restore(file: &Path, folder: &Path) -> Result<(), BackupError> {
    let empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if !empty {
        return Err(BackupError::There(folder.into()));
    }
    let was_there = folder.exists();
    let restored = unpack(file, folder);
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

fn unpack(file: &Path, folder: &Path) -> Result<(), BackupError> {
    let bad = |reason: String| BackupError::Content {
        path: file.into(),
        reason,
    };
    let input = File::open(file).map_err(disk(file))?;
    let mut archive = tar::Archive::new(BufReader::new(input));
    archive.set_mask(0o077);
    let mut found = false;
    private_folder(folder).map_err(disk(folder))?;
    let entries = archive.entries().map_err(|error| bad(error.to_string()))?;
    for entry in entries {
        let mut entry = entry.map_err(|error| bad(error.to_string()))?;
        let path = entry.path().map_err(|error| bad(error.to_string()))?;
        let path = path.into_owned();
        let inside = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let ours = [STORE, FINALS, "course.toml"]
            .iter()
            .any(|name| path == Path::new(name))
            || path.starts_with(VERSIONS);
        let kind = entry.header().entry_type();
        if !(inside && ours && (kind.is_file() || kind.is_dir())) {
            return Err(bad(format!(
                "{} does not belong into a course",
                path.display()
            )));
        }
        found |= path == Path::new(STORE);
        let place = folder.join(&path);
        let above = place.parent().unwrap_or(folder);
        private_folder(above).map_err(disk(above))?;
        entry
            .unpack_in(folder)
            .map_err(|error| bad(error.to_string()))?;
    }
    match found {
        true => Ok(()),
        false => Err(bad("this is no backup of a course".into())),
    }
}

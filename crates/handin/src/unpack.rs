//! From uploads to a folder of sources.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::archive;
use crate::limits::ArchiveLimits;
use crate::refusal::Refusal;
use crate::sources::Sources;

/// One posted file: a source, or an archive of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Upload {
    /// The name under which it was posted.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// What was in the uploads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unpacked {
    /// Paths and contents, in the order of the paths.
    pub files: Vec<(String, Vec<u8>)>,
    /// What was left out since nobody hands it in on purpose.
    pub skipped: Vec<String>,
}

/// Unpacks uploads into a folder that is not there yet, for its owner alone. When it returns, everything is on the disk;
/// when it fails, the folder is not there.
///
/// # Errors
/// If something is wrong with what was handed in, or the machine fails.
pub fn unpack(uploads: &[Upload], into: &Path, limits: &ArchiveLimits) -> Result<Sources, Refusal> {
    let found = archive::read(uploads, limits)?;
    let sources = Sources::from_files(&found.files, found.skipped);
    let failed = |error: &io::Error| Refusal::machine(into, error);
    into_new_folder(into, |folder| {
        let mut files = found.files.iter();
        files.try_for_each(|(path, content)| write(&folder.join(path), content))
    })
    .map_err(|error| failed(&error))?;
    Ok(sources)
}

/// Fills a new folder, which is there only once it is full and on the disk.
pub(crate) fn into_new_folder<T>(
    into: &Path,
    fill: impl FnOnce(&Path) -> io::Result<T>,
) -> io::Result<T> {
    let mut name = into.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let part = into.with_file_name(name);
    if into.exists() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    match fs::remove_dir_all(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    referee::private_folder(&part)?;
    let filled = fill(&part).and_then(|filled| {
        sync(&part)?;
        fs::rename(&part, into)?;
        files::sync_name(into)?;
        Ok(filled)
    });
    if filled.is_err() {
        // Should that fail, the next try removes it.
        let _ = fs::remove_dir_all(&part);
    }
    filled
}

/// Writes a new file, and the folders above it.
fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        referee::private_folder(folder)?;
    }
    let mode = if referee::is_runnable(content) {
        0o700
    } else {
        0o600
    };
    let mut options = fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(content)
}

/// Makes sure that all files and folders, and their names, are on the disk.
fn sync(top: &Path) -> io::Result<()> {
    let mut left: Vec<PathBuf> = vec![top.into()];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                left.push(entry?.path());
            }
        }
        fs::File::open(&path)?.sync_all()?;
    }
    Ok(())
}

//! The folder of a worker: which nobody else uses, and which is there again after a restart.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use nix::sys::statvfs::statvfs;
use nix::unistd::geteuid;

use crate::error::{ClusterError, Result, file};

/// A worker with less room takes no work.
const ROOM: u64 = 64 << 20;

/// So many workers may share a place.
const MOST: usize = 10_000;

/// A folder that is locked as long as this lives.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) folder: PathBuf,
    /// The number of the folder among those of one place.
    pub(crate) number: usize,
    _lock: File,
}

impl State {
    /// The first folder in a place that no other worker uses.
    pub(crate) fn claim(place: &Path) -> Result<State> {
        private_folder(place)?;
        for number in 0..MOST {
            let folder = place.join(number.to_string());
            private_folder(&folder)?;
            if let Some(lock) = lock(&folder.join("lock"))? {
                for part in ["programs", "spool", "unpacked"] {
                    private_folder(&folder.join(part))?;
                }
                // What a process that is gone has unpacked.
                clear(&folder.join("unpacked"));
                return Ok(State {
                    folder,
                    number,
                    _lock: lock,
                });
            }
        }
        let what = format!("{}: more than {MOST} workers", place.display());
        Err(ClusterError::Other(what))
    }

    /// Writes something, and removes it.
    pub(crate) fn try_to_write(&self) -> Result<()> {
        let path = self.folder.join("programs/probe");
        write_file(&path, &[0; 4096])?;
        fs::remove_file(&path).map_err(file(&path))
    }

    /// Why nothing more can be written here.
    pub(crate) fn trouble(&self) -> Option<String> {
        let room = statvfs(&self.folder).ok()?;
        let free = room.blocks_available() as u64 * room.fragment_size() as u64;
        (free < ROOM).then(|| {
            let free = free >> 20;
            format!(
                "the disk is full: {free} MB are left in {}",
                self.folder.display()
            )
        })
    }
}

/// Where workers keep their folders.
#[must_use]
pub(crate) fn usual_place() -> PathBuf {
    // On the machine itself: a home may be shared by all machines of a laboratory.
    PathBuf::from(format!("/var/tmp/ludex-worker-{}", geteuid()))
}

/// A core of this machine that no other worker uses, as long as this lives.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) number: usize,
    _lock: File,
}

/// Takes up to so many of these cores.
pub(crate) fn claim_cores(cores: &[usize], most: usize) -> Result<Vec<Core>> {
    let place = std::env::temp_dir().join(format!("ludex-cores-{}", geteuid()));
    private_folder(&place)?;
    let mut claimed = Vec::new();
    for &number in cores {
        if claimed.len() == most {
            break;
        }
        if let Some(lock) = lock(&place.join(number.to_string()))? {
            claimed.push(Core {
                number,
                _lock: lock,
            });
        }
    }
    Ok(claimed)
}

/// Locks a file, unless another process has.
fn lock(path: &Path) -> Result<Option<File>> {
    let open = File::options().create(true).append(true).open(path);
    let lock = open.map_err(file(path))?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(file(path)(error)),
    }
}

/// A folder that only we can list.
fn private_folder(path: &Path) -> Result<()> {
    // Started as root, programs are users of their own, and walk through to their own files.
    let mode = if geteuid().is_root() { 0o711 } else { 0o700 };
    let mut builder = fs::DirBuilder::new();
    let made = builder.recursive(true).mode(mode).create(path);
    made.map_err(file(path))?;
    let data = fs::symlink_metadata(path).map_err(file(path))?;
    let is_ours = std::os::unix::fs::MetadataExt::uid(&data) == geteuid().as_raw();
    match data.is_dir() && is_ours {
        true => Ok(()),
        false => Err(ClusterError::Other(format!(
            "{} belongs to somebody else",
            path.display()
        ))),
    }
}

/// Removes everything in a folder.
pub(crate) fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let _ = match path.is_dir() && !path.is_symlink() {
            true => fs::remove_dir_all(&path),
            false => fs::remove_file(&path),
        };
    }
}

/// Writes a file that is whole or not there. It need not outlive the machine: what is lost is
/// fetched or played again.
pub(crate) fn write_file(path: &Path, content: &[u8]) -> Result<()> {
    files::write_parts(path, files::NEVER, |open| open.write_all(content)).map_err(file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_has_a_folder_of_its_own_and_finds_it_again() {
        let home = tempfile::tempdir().unwrap();
        let first = State::claim(home.path()).unwrap();
        let second = State::claim(home.path()).unwrap();
        assert_eq!((first.number, second.number), (0, 1));
        fs::write(first.folder.join("spool/a"), "kept").unwrap();
        fs::write(first.folder.join("unpacked/a"), "not kept").unwrap();
        drop(first);
        let again = State::claim(home.path()).unwrap();
        assert_eq!(again.number, 0);
        assert!(again.folder.join("spool/a").exists());
        assert!(!again.folder.join("unpacked/a").exists());
    }
}

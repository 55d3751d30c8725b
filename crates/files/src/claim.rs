//! Claims on files and folders.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file or folder that no other process works on as long as this lives.
///
/// The claim is a lock on a file of its own, since what is claimed may be replaced as a whole. The
/// system gives the lock up when the process ends, however it ends; a lock file that is left after
/// a kill claims nothing.
///
/// ```
/// use files::Claim;
///
/// let folder = tempfile::tempdir()?;
/// let claim = Claim::folder(folder.path())?;
/// let other = Claim::folder(folder.path());
/// assert_eq!(other.unwrap_err().to_string(), "another process is working on it");
/// drop(claim);
/// Claim::folder(folder.path())?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    _lock: File,
}

impl Claim {
    /// Claims a file, which need not be there; an error of the kind [`ErrorKind::WouldBlock`] if
    /// another process has.
    pub fn file(path: &Path) -> io::Result<Claim> {
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        Claim::locked(lock.into())
    }

    /// Claims a folder that is there, in the same way.
    pub fn folder(path: &Path) -> io::Result<Claim> {
        Claim::locked(path.join("lock"))
    }

    fn locked(path: PathBuf) -> io::Result<Claim> {
        loop {
            let lock = File::options().create(true).append(true).open(&path)?;
            match lock.try_lock() {
                Ok(()) if is_at(&lock, &path)? => return Ok(Claim { path, _lock: lock }),
                // Whoever had it removed the file before this lock.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let busy = "another process is working on it";
                    return Err(io::Error::new(ErrorKind::WouldBlock, busy));
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

/// Whether an open file is the one at this path.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    match fs::metadata(path) {
        Ok(there) => Ok((open.dev(), open.ino()) == (there.dev(), there.ino())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // While the lock is held, so that nobody else's file is removed.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn a_claim_leaves_nothing_behind_and_takes_over_what_was_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        fs::write(folder.path().join("book.lock"), "").unwrap();
        let claim = Claim::file(&path).unwrap();
        assert_eq!(
            Claim::file(&path).unwrap_err().kind(),
            ErrorKind::WouldBlock
        );
        // What is claimed can be replaced, and others can be claimed.
        crate::write_whole(&path, b"new").unwrap();
        assert!(Claim::file(&path).is_err());
        Claim::file(&folder.path().join("another")).unwrap();
        drop(claim);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn there_is_never_more_than_one_claim() {
        let folder = tempfile::tempdir().unwrap();
        let (holders, claims) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while claims.load(Ordering::Relaxed) < 200 {
                        let Ok(_claim) = Claim::folder(folder.path()) else {
                            continue;
                        };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        claims.fetch_add(1, Ordering::Relaxed);
                        holders.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
    }
}

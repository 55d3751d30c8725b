//! Hashes of files, computed once for as long as the files stay as they are.
//!
//! A tournament wants the hash of the same programs with every game, and programs may be large.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::hash;

/// So many hashes are kept; with more files, all are computed anew.
const MOST: usize = 256;

/// What the system says about times is this coarse, at most. A file that was changed later than so
/// long ago may change again, and nothing but its content would say so.
const COARSE: Duration = Duration::from_secs(5);

/// SHA-256 of a file, in hex.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn of_file(path: &Path) -> io::Result<String> {
    static SUMS: Sums = Sums(Mutex::new(BTreeMap::new()));
    SUMS.of(path, SystemTime::now())
}

/// What the system says about a file. Whoever changes the file changes this: the time of the last
/// change is the system's, and nobody can set it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State {
    device: u64,
    number: u64,
    length: u64,
    /// When the content was changed, and when anything was: seconds and nanoseconds.
    content: (i64, i64),
    changed: (i64, i64),
}

impl State {
    fn of(data: &Metadata) -> State {
        State {
            device: data.dev(),
            number: data.ino(),
            length: data.len(),
            content: (data.mtime(), data.mtime_nsec()),
            changed: (data.ctime(), data.ctime_nsec()),
        }
    }

    /// Whether the last change was so long ago that another one will be seen.
    fn is_settled(&self, now: SystemTime) -> bool {
        let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
        let sure = since.saturating_sub(COARSE).as_secs();
        self.changed.0 < i64::try_from(sure).unwrap_or(i64::MAX)
    }
}

/// Hashes of files that were read.
struct Sums(Mutex<BTreeMap<State, String>>);

impl Sums {
    fn of(&self, path: &Path, now: SystemTime) -> io::Result<String> {
        let mut file = File::open(path)?;
        let data = file.metadata()?;
        let state = State::of(&data);
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sum) = known().get(&state) {
            return Ok(sum.clone());
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        let sum = hash(&content);
        let stayed = State::of(&file.metadata()?) == state;
        if data.is_file() && stayed && state.is_settled(now) {
            let mut known = known();
            if known.len() >= MOST {
                known.clear();
            }
            known.insert(state, sum.clone());
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    /// What is kept, and a file in a folder that goes when the test ends.
    fn new() -> (Sums, tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        std::fs::write(&path, "first").unwrap();
        (Sums(Mutex::default()), folder, path)
    }

    #[test]
    fn a_file_is_read_once_while_it_stays() {
        let (mut sums, folder, path) = new();
        let later = SystemTime::now() + HOUR;
        assert_eq!(sums.of(&path, later).unwrap(), hash(b"first"));
        let known = sums.0.get_mut().unwrap();
        known.values_mut().for_each(|sum| *sum = "kept".into());
        assert_eq!(sums.of(&path, later).unwrap(), "kept");
        std::fs::write(&path, "longer").unwrap();
        assert_eq!(sums.of(&path, later).unwrap(), hash(b"longer"));
        // Another file of the same length takes its place.
        let other = folder.path().join("other");
        std::fs::write(&other, "secret").unwrap();
        std::fs::rename(&other, &path).unwrap();
        assert_eq!(sums.of(&path, later).unwrap(), hash(b"secret"));
    }

    #[test]
    fn what_was_just_written_is_read_again() {
        let (mut sums, _folder, path) = new();
        assert_eq!(sums.of(&path, SystemTime::now()).unwrap(), hash(b"first"));
        assert!(sums.0.get_mut().unwrap().is_empty());
    }

    #[test]
    fn no_more_are_kept_than_there_is_room_for() {
        let (mut sums, _folder, path) = new();
        let later = SystemTime::now() + HOUR;
        for length in 0..=MOST {
            std::fs::write(&path, vec![b'a'; length]).unwrap();
            sums.of(&path, later).unwrap();
            assert!(sums.0.get_mut().unwrap().len() <= MOST);
        }
        assert_eq!(sums.0.get_mut().unwrap().len(), 1);
    }
}

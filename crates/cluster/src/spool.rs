//! Results on a worker's disk, until the coordinator has them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::state::write_file;

/// Results that nobody has asked for so long are forgotten.
const OLDEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// Which piece of work: its tournament and its name there.
pub(crate) type Key = (String, String);

/// A result that is not accepted yet.
#[derive(Clone, Debug)]
struct Waiting {
    /// The packed outcome, if it could not be written to the disk.
    bytes: Option<Vec<u8>>,
    /// When it was last sent.
    sent: Option<Instant>,
}

/// The results of a worker that are not accepted yet.
#[derive(Debug)]
pub(crate) struct Spool {
    folder: PathBuf,
    waiting: Mutex<BTreeMap<Key, Waiting>>,
}

impl Spool {
    /// What an earlier process has left, too.
    pub(crate) fn open(folder: PathBuf) -> Spool {
        let mut waiting = BTreeMap::new();
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some((tournament, unit)) = name.split_once('+') else {
                let _ = fs::remove_file(entry.path());
                continue;
            };
            let written = entry.metadata().and_then(|data| data.modified());
            let age = written
                .ok()
                .and_then(|at| SystemTime::now().duration_since(at).ok());
            if unit.ends_with(".unfinished") || age.is_some_and(|age| age > OLDEST) {
                let _ = fs::remove_file(entry.path());
                continue;
            }
            let nothing = Waiting {
                bytes: None,
                sent: None,
            };
            waiting.insert((tournament.into(), unit.into()), nothing);
        }
        Spool {
            folder,
            waiting: Mutex::new(waiting),
        }
    }

    fn path(&self, (tournament, unit): &Key) -> PathBuf {
        self.folder.join(format!("{tournament}+{unit}"))
    }

    /// Keeps a result; in memory, and why, if the disk does not take it.
    pub(crate) fn add(&self, key: &Key, bytes: Vec<u8>) -> Option<String> {
        let written = write_file(&self.path(key), &bytes);
        let trouble = written.err().map(|error| error.to_string());
        let bytes = trouble.is_some().then_some(bytes);
        let waiting = Waiting { bytes, sent: None };
        self.lock().insert(key.clone(), waiting);
        trouble
    }

    /// The result of a piece of work, if it waits here.
    pub(crate) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let waiting = self.lock().get(key).cloned()?;
        waiting.bytes.or_else(|| fs::read(self.path(key)).ok())
    }

    /// It is on its way.
    pub(crate) fn sent(&self, key: &Key) {
        if let Some(waiting) = self.lock().get_mut(key) {
            waiting.sent = Some(Instant::now());
        }
    }

    /// The coordinator has it.
    pub(crate) fn accepted(&self, key: &Key) {
        if self.lock().remove(key).is_some() {
            let _ = fs::remove_file(self.path(key));
        }
    }

    /// What was not sent, or sent so long ago that something may have happened to it.
    pub(crate) fn due(&self, after: Duration) -> Vec<Key> {
        let lock = self.lock();
        let due = lock
            .iter()
            .filter(|(_, waiting)| waiting.sent.is_none_or(|sent| sent.elapsed() >= after));
        due.map(|(key, _)| key.clone()).collect()
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<Key, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(unit: &str) -> Key {
        ("cup-1234".into(), unit.into())
    }

    #[test]
    fn results_wait_over_a_restart() {
        let home = tempfile::tempdir().unwrap();
        let spool = Spool::open(home.path().into());
        assert_eq!(spool.add(&key("1-1-1x2"), b"one".to_vec()), None);
        assert_eq!(spool.add(&key("1-2-1x2"), b"two".to_vec()), None);
        spool.accepted(&key("1-1-1x2"));
        let spool = Spool::open(home.path().into());
        assert_eq!(spool.get(&key("1-1-1x2")), None);
        assert_eq!(spool.get(&key("1-2-1x2")).unwrap(), b"two");
        let hour = Duration::from_secs(3600);
        assert_eq!(spool.due(hour), [key("1-2-1x2")]);
        spool.sent(&key("1-2-1x2"));
        assert_eq!(spool.due(hour), []);
        assert_eq!(spool.due(Duration::ZERO), [key("1-2-1x2")]);
    }

    /// A disk that takes nothing: the result waits in memory.
    #[test]
    fn a_full_disk_loses_nothing() {
        let home = tempfile::tempdir().unwrap();
        let spool = Spool::open(home.path().join("not there"));
        assert!(spool.add(&key("1-1-1x2"), b"one".to_vec()).is_some());
        assert_eq!(spool.get(&key("1-1-1x2")).unwrap(), b"one");
        spool.accepted(&key("1-1-1x2"));
        assert_eq!(spool.len(), 0);
    }
}

//! Results on a worker's disk, until the coordinator has them.

use std::collections::BTreeMap;
use std::fs::{self, DirEntry};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::protocol::Outcome;
use crate::state::write_file;
use crate::wire;

/// Results that nobody has taken for so long are forgotten.
const OLDEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// After this time a result that nobody has accepted is sent again.
const AGAIN: Duration = Duration::from_secs(30);

/// Each time after twice as much, and never after more than this: whoever ran the tournament may be
/// gone for good.
const SELDOM: Duration = Duration::from_secs(3600);

/// Which piece of work: its tournament and its name there.
pub(crate) type Key = (String, String);

/// A result that is not accepted yet.
#[derive(Clone, Debug)]
struct Waiting {
    /// The packed outcome, if it could not be written to the disk.
    bytes: Option<Vec<u8>>,
    /// Since when it is kept.
    since: Instant,
    /// When it was last sent.
    sent: Option<Instant>,
    /// After how long it is sent again.
    pause: Duration,
}

impl Waiting {
    fn new(bytes: Option<Vec<u8>>, since: Instant) -> Waiting {
        Waiting {
            bytes,
            since,
            sent: None,
            pause: AGAIN,
        }
    }

    fn is_due(&self, now: Instant) -> bool {
        self.sent
            .is_none_or(|sent| now.duration_since(sent) >= self.pause)
    }
}

/// The results of a worker that are not accepted yet.
#[derive(Debug)]
pub(crate) struct Spool {
    folder: PathBuf,
    waiting: Mutex<BTreeMap<Key, Waiting>>,
}

impl Spool {
    /// What an earlier process has left, too: what is too old, or no result, is removed. The machine
    /// may have stopped before all of a file was on the disk; that work is done again.
    pub(crate) fn open(folder: PathBuf) -> Spool {
        let mut waiting = BTreeMap::new();
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let written = entry.metadata().and_then(|data| data.modified());
            let age = written
                .ok()
                .and_then(|at| SystemTime::now().duration_since(at).ok());
            match result_of(&entry) {
                Some(key) if age.is_none_or(|age| age <= OLDEST) => {
                    let now = Instant::now();
                    let since = age.and_then(|age| now.checked_sub(age)).unwrap_or(now);
                    waiting.insert(key, Waiting::new(None, since));
                }
                _ => drop(fs::remove_file(entry.path())),
            }
        }
        Spool {
            folder,
            waiting: Mutex::new(waiting),
        }
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(file_name(key))
    }

    /// Keeps a result; in memory, and why, if the disk does not take it.
    pub(crate) fn add(&self, key: &Key, bytes: Vec<u8>) -> Option<String> {
        let written = write_file(&self.path(key), &bytes);
        let trouble = written.err().map(|error| error.to_string());
        let bytes = trouble.is_some().then_some(bytes);
        let waiting = Waiting::new(bytes, Instant::now());
        self.lock().insert(key.clone(), waiting);
        trouble
    }

    /// The result of a piece of work, if it waits here.
    pub(crate) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let waiting = self.lock().get(key).cloned()?;
        waiting.bytes.or_else(|| fs::read(self.path(key)).ok())
    }

    /// It is on its way.
    pub(crate) fn sent(&self, key: &Key, now: Instant) {
        if let Some(waiting) = self.lock().get_mut(key)
            && waiting.sent.replace(now).is_some()
        {
            waiting.pause = (2 * waiting.pause).min(SELDOM);
        }
    }

    /// Nobody needs it here any more: the coordinator has it, or wants no more results.
    pub(crate) fn forget(&self, key: &Key) {
        if self.lock().remove(key).is_some() {
            let _ = fs::remove_file(self.path(key));
        }
    }

    /// Somebody is there who may want results.
    pub(crate) fn hurry(&self) {
        for waiting in self.lock().values_mut() {
            waiting.pause = AGAIN;
        }
    }

    /// What was not sent, or sent so long ago that something may have happened to it.
    pub(crate) fn due(&self, now: Instant) -> Vec<Key> {
        let lock = self.lock();
        let due = lock.iter().filter(|(_, waiting)| waiting.is_due(now));
        due.map(|(key, _)| key.clone()).collect()
    }

    /// What has been kept for too long.
    pub(crate) fn old(&self, now: Instant) -> Vec<Key> {
        let lock = self.lock();
        let is_old = |waiting: &Waiting| now.duration_since(waiting.since) > OLDEST;
        let old = lock.iter().filter(|(_, waiting)| is_old(waiting));
        old.map(|(key, _)| key.clone()).collect()
    }

    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<Key, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of which work this file is the result, if it is one.
fn result_of(entry: &DirEntry) -> Option<Key> {
    let bytes = fs::read(entry.path()).ok()?;
    let outcome: Outcome = wire::unpack("a result", &bytes).ok()?;
    let key = (outcome.tournament, outcome.unit);
    (*entry.file_name() == *file_name(&key)).then_some(key)
}

fn file_name((tournament, unit): &Key) -> String {
    format!("{tournament}+{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(unit: &str) -> Vec<u8> {
        let (tournament, unit) = key(unit);
        wire::pack(&Outcome {
            tournament,
            unit,
            games: Vec::new(),
            report: None,
        })
    }

    fn key(unit: &str) -> Key {
        ("cup-1234".into(), unit.into())
    }

    #[test]
    fn results_wait_over_a_restart() {
        let home = tempfile::tempdir().unwrap();
        let spool = Spool::open(home.path().into());
        for unit in ["1-1-1x2", "1-2-1x2"] {
            assert_eq!(spool.add(&key(unit), result(unit)), None);
        }
        spool.forget(&key("1-1-1x2"));
        let spool = Spool::open(home.path().into());
        assert_eq!(spool.get(&key("1-1-1x2")), None);
        assert_eq!(spool.get(&key("1-2-1x2")).unwrap(), result("1-2-1x2"));
        assert_eq!(spool.due(Instant::now()), [key("1-2-1x2")]);
    }

    /// What a machine that stopped has left of a file is no result: the work would never be done.
    #[test]
    fn what_is_damaged_is_forgotten() {
        let home = tempfile::tempdir().unwrap();
        let whole = result("1-1-1x2");
        for (name, bytes) in [
            ("cup-1234+1-1-1x2", &whole[..]),
            ("cup-1234+1-2-1x2", &[][..]),
            ("cup-1234+1-3-1x2", &vec![0; whole.len()][..]),
            ("cup-1234+1-4-1x2", &whole[..whole.len() / 2]),
            ("cup-1234+1-5-1x2", &whole[..]),
            ("cup-1234+1-1-1x2.part", &whole[..]),
            ("nothing", &b"x"[..]),
        ] {
            fs::write(home.path().join(name), bytes).unwrap();
        }
        let spool = Spool::open(home.path().into());
        assert_eq!(spool.due(Instant::now()), [key("1-1-1x2")]);
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }

    /// A result of a tournament that nobody runs any more is sent seldom, and not for ever.
    #[test]
    fn what_nobody_takes_is_sent_less_and_less_often() {
        let home = tempfile::tempdir().unwrap();
        let spool = Spool::open(home.path().into());
        let result = key("1-1-1x2");
        let only = std::slice::from_ref(&result);
        assert_eq!(spool.add(&result, b"one".to_vec()), None);
        let begin = Instant::now();
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        let sends_until = |seconds: &mut u64, end: u64| {
            let mut sends = Vec::new();
            while *seconds < end {
                if spool.due(at(*seconds)) == only {
                    spool.sent(&result, at(*seconds));
                    sends.push(*seconds);
                }
                *seconds += 1;
            }
            sends
        };
        let mut clock = 0;
        let first = sends_until(&mut clock, 1000);
        assert_eq!(first, [0, 30, 90, 210, 450, 930]);
        let day = sends_until(&mut clock, 24 * 3600).len();
        assert!((23..=27).contains(&day), "{day}");
        // When a coordinator says that it is there, nobody waits for an hour.
        spool.sent(&result, at(clock));
        spool.hurry();
        assert_eq!(spool.due(at(clock + 29)), []);
        assert_eq!(spool.due(at(clock + 30)), only);
        let month = 30 * 24 * 3600;
        assert_eq!(spool.old(at(month - 60)), []);
        assert_eq!(spool.old(at(month + 60)), only);
    }

    /// A disk that takes nothing: the result waits in memory.
    #[test]
    fn a_full_disk_loses_nothing() {
        let home = tempfile::tempdir().unwrap();
        let spool = Spool::open(home.path().join("not there"));
        assert!(spool.add(&key("1-1-1x2"), b"one".to_vec()).is_some());
        assert_eq!(spool.get(&key("1-1-1x2")).unwrap(), b"one");
        spool.forget(&key("1-1-1x2"));
        assert_eq!(spool.len(), 0);
    }
}

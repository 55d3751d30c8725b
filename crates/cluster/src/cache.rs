//! Programs on a worker: fetched once, verified whenever they are unpacked, removed by age.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::sync::Mutex;

use crate::bundle;
use crate::error::{ClusterError, Result, file};
use crate::link::Link;
use crate::objects;
use crate::protocol::streams;
use crate::state::write_file;

/// Whoever has asked for a program plays with it for no longer than this.
const IN_USE: Duration = Duration::from_secs(24 * 3600);

/// Where an archive is unpacked, and when that was last asked for.
type Place = Arc<Mutex<Option<(PathBuf, SystemTime)>>>;

/// The programs of a worker.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    /// Where archives are unpacked, by their names; one lock each, so that it is done once.
    unpacked: Mutex<HashMap<String, Place>>,
    /// What was not used for so long is removed.
    keep: Duration,
}

impl Cache {
    /// The programs in the folder of a worker.
    pub(crate) fn new(folder: PathBuf, keep: Duration) -> Cache {
        let cache = Cache {
            folder,
            unpacked: Mutex::default(),
            keep,
        };
        cache.remove_old(SystemTime::now());
        cache
    }

    fn archive(&self, name: &str) -> PathBuf {
        self.folder.join("programs").join(name)
    }

    /// Where the archive with this SHA-256 is unpacked.
    pub(crate) async fn get(&self, link: &Link, name: &str) -> Result<PathBuf> {
        if name.len() != 64 || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ClusterError::Other(format!("{name:?} is no SHA-256")));
        }
        let place = self
            .unpacked
            .lock()
            .await
            .entry(name.into())
            .or_default()
            .clone();
        let mut place = place.lock().await;
        if let Some((path, used)) = &mut *place {
            *used = SystemTime::now();
            return Ok(path.clone());
        }
        let archive = self.fetch(link, name).await?;
        let into = self.folder.join("unpacked").join(name);
        let path = into.clone();
        let unpacked = tokio::task::spawn_blocking(move || bundle::unpack(&archive, &path)).await;
        unpacked.map_err(|error| ClusterError::Other(error.to_string()))??;
        *place = Some((into.clone(), SystemTime::now()));
        // Each new one may be the last that there is room for.
        self.remove_unpacked(SystemTime::now()).await;
        Ok(into)
    }

    /// An archive from the disk, or else from the object store.
    async fn fetch(&self, link: &Link, name: &str) -> Result<Vec<u8>> {
        let path = self.archive(name);
        if let Ok(content) = fs::read(&path) {
            if objects::check(name, &content).is_ok() {
                touch(&path);
                return Ok(content);
            }
            // Whatever has happened to it, there is a good one.
            fs::remove_file(&path).map_err(file(&path))?;
        }
        let content = objects::get(link, streams::PROGRAMS, name).await?;
        let missing = || ClusterError::Other(format!("the program {name} is not there any more"));
        let content = content.ok_or_else(missing)?;
        write_file(&path, &content)?;
        self.remove_old(SystemTime::now());
        Ok(content)
    }

    /// Removes what was unpacked and not used for long.
    async fn remove_unpacked(&self, now: SystemTime) {
        let keep = self.keep.max(IN_USE);
        self.unpacked.lock().await.retain(|_, place| {
            // Nobody else comes by it while all are locked.
            let Some(alone) = Arc::get_mut(place) else {
                return true;
            };
            let old = alone.get_mut().take_if(|(_, used)| {
                let age = now.duration_since(*used);
                age.is_ok_and(|age| age > keep)
            });
            match old {
                Some((path, _)) => fs::remove_dir_all(path).is_err(),
                None => true,
            }
        });
    }

    /// Removes archives that were not used for long.
    pub(crate) fn remove_old(&self, now: SystemTime) {
        for entry in fs::read_dir(self.folder.join("programs"))
            .into_iter()
            .flatten()
            .flatten()
        {
            let used = entry.metadata().and_then(|data| data.modified());
            let age = used.ok().and_then(|used| now.duration_since(used).ok());
            if age.is_some_and(|age| age > self.keep) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Says that a file was used now.
fn touch(path: &std::path::Path) {
    if let Ok(file) = fs::File::options().append(true).open(path) {
        let _ = file.set_modified(SystemTime::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_nobody_uses_are_removed() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("programs")).unwrap();
        let day = Duration::from_secs(24 * 3600);
        let cache = Cache::new(home.path().into(), 7 * day);
        fs::write(cache.archive("old"), "x").unwrap();
        cache.remove_old(SystemTime::now() + 6 * day);
        assert!(cache.archive("old").exists());
        cache.remove_old(SystemTime::now() + 8 * day);
        assert!(!cache.archive("old").exists());
    }

    #[tokio::test]
    async fn programs_are_unpacked_for_as_long_as_they_are_used() {
        let home = tempfile::tempdir().unwrap();
        let day = Duration::from_secs(24 * 3600);
        let now = SystemTime::now();
        let cache = Cache::new(home.path().into(), Duration::ZERO);
        for (name, age) in [("new", Duration::ZERO), ("old", 2 * day), ("used", 2 * day)] {
            let path = home.path().join(name);
            fs::create_dir_all(path.join("folder")).unwrap();
            let place = Arc::new(Mutex::new(Some((path, now - age))));
            cache.unpacked.lock().await.insert(name.into(), place);
        }
        let used = cache.unpacked.lock().await["used"].clone();
        cache.remove_unpacked(now).await;
        let there = ["new", "old", "used"].map(|name| home.path().join(name).exists());
        assert_eq!(there, [true, false, true]);
        assert_eq!(cache.unpacked.lock().await.len(), 2);
        drop(used);
        cache.remove_unpacked(now).await;
        assert!(!home.path().join("used").exists());
    }
}

//! The tables of solved variants: opened when somebody first asks, and made on request.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use gipf::Variant;
use gipf_engine::tables::{self, Progress, Settings, Table, solve};

use crate::fault::Fault;
use crate::{Config, fresh_id};

/// What is solved on the spot: a moment's work each.
const SMALL: [&str; 3] = ["2 3 5 5", "2 2 5 5", "3 3 4 4"];

/// What is solved when somebody asks: some seconds to a minute each.
const OFFERED: [&str; 2] = ["2 2 12 12", "3 3 5 5"];

/// How much memory solving may take.
const MEMORY: u64 = 512 << 20;

/// All tables.
#[derive(Default)]
pub(crate) struct Library {
    tables: OnceLock<Mutex<Vec<Arc<Table>>>>,
    work: Mutex<Work>,
    /// Where tables lie that are forgotten at the end.
    passing: OnceLock<PathBuf>,
}

impl Drop for Library {
    fn drop(&mut self) {
        if let Some(folder) = self.passing.get() {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// The variant that is being solved; one at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    /// Its name; empty if there is none.
    pub(crate) variant: String,
    pub(crate) progress: Arc<Progress>,
    /// Why the last one failed.
    pub(crate) problem: Option<String>,
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library")
            .field("work", &self.work)
            .finish_non_exhaustive()
    }
}

impl Library {
    /// The tables there are. The first call opens them, which takes a moment.
    pub(crate) fn all(&self, config: &Config) -> Vec<Arc<Table>> {
        let tables = self.tables.get_or_init(|| {
            let tables = open(config, &self.folder(config));
            tables.iter().for_each(|table| share(config, table));
            Mutex::new(tables)
        });
        lock(tables).clone()
    }

    /// What is being solved.
    pub(crate) fn work(&self) -> Work {
        lock(&self.work).clone()
    }

    /// The variants that could be solved here and are not yet.
    pub(crate) fn offered(&self, config: &Config) -> Vec<&'static str> {
        let all = self.all(config);
        let known = |text: &str| all.iter().any(|t| t.variant().to_string() == text);
        OFFERED.into_iter().filter(|text| !known(text)).collect()
    }

    /// Solves one of the offered variants, unless that is done or another one is under way;
    /// returns when the table is there.
    pub(crate) fn solve(&self, config: &Config, text: &str) -> Result<(), Fault> {
        let offered = OFFERED.into_iter().find(|offered| *offered == text);
        let text = offered.ok_or_else(|| Fault::bad(format!("{text:?} is not offered")))?;
        let variant: Variant = text.parse().map_err(Fault::ours)?;
        // To open them takes a moment, for which nobody is to wait at the lock.
        self.all(config);
        let progress = {
            let mut work = lock(&self.work);
            if !self.offered(config).contains(&text) {
                return Ok(());
            }
            if !work.variant.is_empty() {
                return Err(Fault::refused(format!("{} is being solved", work.variant)));
            }
            *work = Work {
                variant: text.into(),
                ..Work::default()
            };
            work.progress.clone()
        };
        let made = make(
            variant,
            &self.folder(config).join(name(&variant)),
            &progress,
        );
        let mut work = lock(&self.work);
        match made {
            Ok(table) => {
                let table = Arc::new(table);
                share(config, &table);
                if let Some(tables) = self.tables.get() {
                    lock(tables).push(table);
                }
            }
            Err(problem) => work.problem = Some(problem),
        }
        work.variant.clear();
        Ok(())
    }

    /// Where tables that are made here lie: beside the store, if there is one.
    fn folder(&self, config: &Config) -> PathBuf {
        match &config.database {
            Some(path) => path.with_extension("tables"),
            None => {
                let passing = || std::env::temp_dir().join(format!("ludex-{}", fresh_id()));
                self.passing.get_or_init(passing).clone()
            }
        }
    }
}

/// Lets bots, hints and analyses use a table too: what these pages prove, they say.
fn share(config: &Config, table: &Arc<Table>) {
    let shared = config
        .resources
        .open(|folders| tables::Library::new(folders));
    shared.add(table.clone());
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A variant as it stands in addresses and names of folders.
pub(super) fn name(variant: &Variant) -> String {
    variant.to_string().replace(' ', "-")
}

/// Opens every table in the owner's folders and our own, and makes the small ones.
fn open(config: &Config, own: &Path) -> Vec<Arc<Table>> {
    let mut tables: Vec<Table> = Vec::new();
    for folder in config.tables.iter().map(PathBuf::as_path).chain([own]) {
        tables.extend(Table::open(folder).ok());
        let inner = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut inner: Vec<_> = inner.map(|entry| entry.path()).collect();
        inner.sort();
        tables.extend(inner.iter().filter_map(|path| Table::open(path).ok()));
    }
    for text in SMALL {
        let known = |table: &Table| table.variant().to_string() == text;
        if let (Ok(variant), false) = (text.parse(), tables.iter().any(known)) {
            let folder = own.join(name(&variant));
            tables.extend(make(variant, &folder, &Progress::default()));
        }
    }
    tables.sort_by_key(|table| table.manifest().positions());
    let mut seen = Vec::new();
    tables.retain(|table| {
        let new = !seen.contains(&table.variant());
        seen.push(table.variant());
        new
    });
    tables.into_iter().map(Arc::new).collect()
}

/// Solves a variant, or goes on where that was left.
fn make(variant: Variant, folder: &Path, progress: &Progress) -> Result<Table, String> {
    let settings = Settings {
        threads: 1,
        memory: MEMORY,
        resume: true,
    };
    let never = AtomicBool::new(false);
    solve(variant, folder, settings, &never, progress).map_err(|e| e.to_string())?;
    Table::open(folder).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_solved_is_not_solved_again() {
        let (library, config) = (Library::default(), Config::default());
        let text = OFFERED[0];
        for _ in 0..2 {
            library.solve(&config, text).unwrap();
        }
        let all = library.all(&config);
        let same = all.iter().filter(|t| t.variant().to_string() == text);
        assert_eq!(same.count(), 1);
        assert!(library.solve(&config, "9 9 9 9").is_err());
    }
}

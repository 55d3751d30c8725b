//! What a program did to its folder.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::dir::{Dir, NAME, Status};
use super::given::Given;
use crate::Verdict;

/// More new names in one folder are not listed: one is enough for a verdict.
const ENOUGH: usize = 100_000;

/// What identifies the content of an entry without reading it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Trace {
    mode: u32,
    /// Inode, size and time of change; nothing for folders, whose entries count instead.
    file: Option<(u64, i64, i64, i64)>,
}

impl Trace {
    fn of(status: &Status) -> Trace {
        Trace {
            mode: status.mode(),
            file: (!status.is_dir()).then(|| status.version()),
        }
    }
}

/// What a folder holds at one moment: what was given, and whatever else lies beside it.
/// What lies deeper in folders that were not given is not looked at.
#[derive(Debug, Default)]
pub(crate) struct Snapshot(BTreeMap<PathBuf, Trace>);

impl Snapshot {
    /// Looks at everything in the folder but the file that may change.
    pub(super) fn of(dir: &Dir, given: &Given, but: &CStr) -> Snapshot {
        let mut found = Snapshot::default();
        found.look(dir, given, Path::new(""), but);
        found
    }

    fn look(&mut self, dir: &Dir, given: &Given, path: &Path, but: &CStr) {
        let Ok(status) = dir.status(c".") else { return };
        // A folder that was removed while we hold it open is still there for us.
        if status.links() == 0 {
            return;
        }
        self.0.insert(path.into(), Trace::of(&status));
        let names = dir.names(ENOUGH).unwrap_or_default();
        for name in given.names().map(CStr::to_owned).chain(names) {
            let inner = path.join(OsStr::from_bytes(name.as_bytes()));
            if inner.as_os_str().as_bytes() == but.to_bytes() || self.0.contains_key(&inner) {
                continue;
            }
            let Ok(status) = dir.status(&name) else {
                continue;
            };
            match (given.inside(&name), dir.dir(&name)) {
                (Some(given), Ok(dir)) => self.look(&dir, given, &inner, but),
                _ => {
                    self.0.insert(inner, Trace::of(&status));
                }
            }
        }
    }

    /// The first difference to a later snapshot.
    pub(super) fn changed(&self, later: &Snapshot) -> Option<Verdict> {
        let shown = |path: &Path| match path.to_string_lossy() {
            name if name.is_empty() => "its folder".into(),
            name => crate::printable(&name),
        };
        for (path, trace) in &self.0 {
            match later.0.get(path) {
                None => return Some(Verdict::Removed { path: shown(path) }),
                Some(now) if now != trace => return Some(Verdict::Changed { path: shown(path) }),
                Some(_) => {}
            }
        }
        let new = later.0.keys().find(|path| !self.0.contains_key(*path))?;
        Some(Verdict::Created { path: shown(new) })
    }
}

/// The size of everything below a folder, in bytes on the disk and for the names; more than `most`
/// is not counted to the end. The folder may change meanwhile, and be of any depth: one handle walks
/// down and up again.
pub(crate) fn size(top: &Dir, most: u64) -> u64 {
    let mut sum = 0;
    let _ = add_size(top, most, &mut sum);
    sum
}

/// A folder on the way down: which one, and what is left to visit in it.
struct Level {
    identity: (u64, u64),
    left: Vec<CString>,
}

fn add_size(top: &Dir, most: u64, sum: &mut u64) -> io::Result<()> {
    // More names than that have passed the limit.
    let enough = |sum: u64| (most.saturating_sub(sum) / NAME).saturating_add(1) as usize;
    let mut here = top.dir(c".")?;
    let status = here.status(c".")?;
    *sum += status.size();
    let mut way = vec![Level {
        identity: status.identity(),
        left: here.names(enough(*sum))?,
    }];
    while let Some(level) = way.last_mut()
        && *sum <= most
    {
        let Some(name) = level.left.pop() else {
            way.pop();
            if let Some(above) = way.last() {
                here = here.dir(c"..")?;
                // Moved elsewhere while we were inside: the next look counts again.
                if here.status(c".")?.identity() != above.identity {
                    return Ok(());
                }
            }
            continue;
        };
        let Ok(status) = here.status(&name) else {
            continue;
        };
        *sum += status.size() + NAME;
        if !status.is_dir() {
            continue;
        }
        let inner = here.dir(&name).or_else(|_| {
            here.unlock(&name);
            here.dir(&name)
        });
        if let Ok(inner) = inner {
            let identity = inner.status(c".")?.identity();
            let left = inner.names(enough(*sum)).unwrap_or_default();
            way.push(Level { identity, left });
            here = inner;
        }
    }
    Ok(())
}

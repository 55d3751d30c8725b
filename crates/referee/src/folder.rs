//! Folders: one for every run of the referee, in it one for every player, and what a
//! program did to its own.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Verdict;

/// The folder of one game; it and everything in it is removed in the end.
#[derive(Debug)]
pub(crate) struct RunFolder {
    /// All referees' folders on this machine lie in here.
    parent: PathBuf,
    path: PathBuf,
}

impl RunFolder {
    /// A new empty folder. What referees that were killed have left behind is removed.
    pub(crate) fn new() -> io::Result<RunFolder> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        // SAFETY: only reads who we are.
        let user = unsafe { libc::geteuid() };
        let parent = std::env::temp_dir().join(format!("ludex-{user}"));
        private_folder(&parent)?;
        // The real path: walls are built around it, and a link would lead around them.
        let parent = parent.canonicalize()?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        if count == 0 {
            remove_stale(&parent);
        }
        let path = parent.join(format!("{}-{count}", std::process::id()));
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(RunFolder { parent, path })
    }

    /// What programs must not see.
    pub(crate) fn hidden(&self) -> &Path {
        &self.parent
    }

    /// Makes a player's folder, with a copy of what is in `from`.
    pub(crate) fn player(&self, name: &str, from: Option<&Path>) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        if let Some(from) = from {
            copy_folder(from, &path)?;
        }
        Ok(path)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        remove_folder(&self.path);
    }
}

/// A folder that only we can enter; one that is there must be ours.
pub(crate) fn private_folder(path: &Path) -> io::Result<()> {
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        result => return result,
    }
    // SAFETY: only reads who we are.
    let user = unsafe { libc::geteuid() };
    let found = fs::symlink_metadata(path)?;
    if found.is_dir() && found.uid() == user {
        return Ok(());
    }
    let what = format!("{} belongs to somebody else", path.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, what))
}

/// Removes folders of processes that are gone.
fn remove_stale(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.split('-').next());
        if let Some(process) = process.and_then(|text| text.parse::<u32>().ok())
            && !Path::new(&format!("/proc/{process}")).exists()
        {
            remove_folder(&entry.path());
        }
    }
}

/// Removes a folder, also if the program took its rights away.
fn remove_folder(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if fs::remove_dir_all(path).is_ok() {
        return;
    }
    for entry in walk(path) {
        if entry.1.is_dir() {
            let _ = fs::set_permissions(&entry.0, fs::Permissions::from_mode(0o700));
        }
    }
    // Nothing more can be done; the next referee tries again.
    let _ = fs::remove_dir_all(path);
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir(&target)?;
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

/// Everything below a folder, the folder itself first; links are not followed.
fn walk(path: &Path) -> Vec<(PathBuf, Metadata)> {
    let mut found = Vec::new();
    let mut next = vec![path.to_path_buf()];
    while let Some(path) = next.pop() {
        let Ok(data) = fs::symlink_metadata(&path) else {
            continue;
        };
        if data.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            next.extend(entries.map(|entry| entry.path()));
        }
        found.push((path, data));
    }
    found
}

/// The size of everything below a folder, in bytes on the disk.
pub(crate) fn size(path: &Path) -> u64 {
    walk(path).iter().map(|(_, data)| data.blocks() * 512).sum()
}

/// What identifies the content of a file without reading it: the time of its last
/// change is the kernel's own, and cannot be set back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Trace {
    mode: u32,
    /// Inode, size and time of change; nothing for folders, whose entries count instead.
    file: Option<(u64, u64, i64, i64)>,
}

/// What a folder holds at one moment.
#[derive(Debug)]
pub(crate) struct Snapshot(BTreeMap<PathBuf, Trace>);

impl Snapshot {
    /// Looks at everything in the folder but the file that may change.
    pub(crate) fn of(folder: &Path, but: &str) -> Snapshot {
        let traces = walk(folder)
            .into_iter()
            .filter_map(|(path, data)| {
                let name = path.strip_prefix(folder).ok()?.to_path_buf();
                let file = (!data.is_dir())
                    .then(|| (data.ino(), data.size(), data.ctime(), data.ctime_nsec()));
                let mode = data.mode();
                (name != Path::new(but)).then_some((name, Trace { mode, file }))
            })
            .collect();
        Snapshot(traces)
    }

    /// The first difference to a later snapshot.
    pub(crate) fn changed(&self, later: &Snapshot) -> Option<Verdict> {
        let shown = |path: &Path| match path.to_string_lossy() {
            name if name.is_empty() => "its folder".into(),
            name => name.into_owned(),
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

/// What became of a file that a program may rewrite.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum FileRead {
    /// Its content, at most so many bytes and one.
    Content(Vec<u8>),
    /// It is not there.
    Missing,
    /// It is a folder, a link, a pipe or the like.
    NotAFile,
}

/// Reads a file that a program left: follows no link, waits for no pipe, and reads no
/// more than `most` bytes and one.
pub(crate) fn read_file(path: &Path, most: u64) -> FileRead {
    let file = fs::OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path);
    let Ok(file) = file else {
        return match fs::symlink_metadata(path) {
            Err(_) => FileRead::Missing,
            Ok(_) => FileRead::NotAFile,
        };
    };
    let mut content = Vec::new();
    match file.metadata() {
        Ok(data) if data.is_file() => {}
        _ => return FileRead::NotAFile,
    }
    match file.take(most + 1).read_to_end(&mut content) {
        Ok(_) => FileRead::Content(content),
        Err(_) => FileRead::NotAFile,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(action: impl FnOnce(&Path), expected: Option<&str>) {
        let run = RunFolder::new().unwrap();
        let folder = run.player("p", None).unwrap();
        fs::write(folder.join("matrix.txt"), "m").unwrap();
        fs::write(folder.join("notes.txt"), "n").unwrap();
        fs::create_dir(folder.join("sub")).unwrap();
        fs::write(folder.join("sub/deep.txt"), "d").unwrap();
        let before = Snapshot::of(&folder, "matrix.txt");
        action(&folder);
        let verdict = before.changed(&Snapshot::of(&folder, "matrix.txt"));
        assert_eq!(verdict.map(|v| v.to_string()).as_deref(), expected);
        let path = run.path.clone();
        drop(run);
        assert!(!path.exists());
    }

    #[test]
    fn every_change_is_found() {
        check(|_| (), None);
        check(|f| fs::write(f.join("matrix.txt"), "other").unwrap(), None);
        check(
            |f| fs::write(f.join("notes.txt"), "n").unwrap(),
            Some("changed notes.txt"),
        );
        check(
            |f| fs::write(f.join("sub/new.txt"), "").unwrap(),
            Some("created sub/new.txt"),
        );
        check(
            |f| fs::remove_file(f.join("sub/deep.txt")).unwrap(),
            Some("removed sub/deep.txt"),
        );
        check(
            |f| fs::remove_dir_all(f).unwrap(),
            Some("removed its folder"),
        );
        check(
            |f| std::os::unix::fs::symlink("/etc/passwd", f.join("link")).unwrap(),
            Some("created link"),
        );
    }

    #[test]
    fn only_plain_files_are_read() {
        let run = RunFolder::new().unwrap();
        let folder = run.player("p", None).unwrap();
        let path = folder.join("x");
        assert_eq!(read_file(&path, 9), FileRead::Missing);
        fs::create_dir(&path).unwrap();
        assert_eq!(read_file(&path, 9), FileRead::NotAFile);
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert_eq!(read_file(&path, 9), FileRead::NotAFile);
        fs::remove_file(&path).unwrap();
        fs::write(&path, "0123456789").unwrap();
        assert_eq!(read_file(&path, 3), FileRead::Content(b"0123".to_vec()));
    }
}

//! A program's folder: made afresh for every run, looked at afterwards, and removed
//! without a trace.
//!
//! Behind namespaces the folder is a small file system of its own, which vanishes with the
//! last handle of it ([`Dir`]). Otherwise it lies in a [`RunFolder`] on the disk.

mod dir;
mod given;
mod names;
mod snapshot;
mod sums;

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) use self::dir::{Dir, FileRead, NAME, no_file_is_written};
pub(crate) use self::given::{Found, Given};
pub use self::given::{LONGEST_PATH, hash, hex, is_runnable};
use self::names::Names;
pub(crate) use self::snapshot::{Snapshot, size};
pub(crate) use self::sums::of_file as sum_of_file;
use crate::Verdict;
use crate::process::User;

/// The only file that a program may change.
pub(crate) const FILE: &CStr = c"matrix.txt";

/// The folder of one program on the disk, for walls that cannot make one of their own.
/// It and everything in it is removed in the end.
#[derive(Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
    user: User,
}

/// The program's folder inside of its [`RunFolder`].
const OWN: &CStr = c"folder";

impl RunFolder {
    /// A new empty folder. What referees that were killed have left behind is removed.
    pub(crate) fn new(user: User) -> io::Result<RunFolder> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let own = User::own().uid;
        // All referees' folders on this machine lie in here.
        let parent = std::env::temp_dir().join(format!("ludex-{own}"));
        let programs_are_others = own == 0;
        private_folder(&parent, programs_are_others)?;
        // The real path: walls are built around it, and a link would lead around them.
        let parent = parent.canonicalize()?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        if count == 0 {
            remove_stale(&parent);
        }
        let path = parent.join(format!("{}-{count}", std::process::id()));
        private_folder(&path, user.is_other())?;
        Ok(RunFolder { path, user })
    }

    /// Where the program's folder lies.
    pub(crate) fn place(&self) -> PathBuf {
        self.path.join(Path::new("folder"))
    }

    /// The program's folder, new and empty.
    pub(crate) fn renew(&self) -> io::Result<Dir> {
        let above = Dir::open(&self.path)?;
        match above.remove_all(OWN) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let dir = above.make_dir(OWN, 0o700)?;
        if self.user.is_other() {
            dir.give_to(self.user.uid, self.user.gid)?;
        }
        Ok(dir)
    }
}

impl Drop for RunFolder {
    fn drop(&mut self) {
        remove_folder(&self.path);
    }
}

/// A folder that only we can list; one that is there must be ours. Programs of other users may
/// walk through it to their own where there are some.
fn private_folder(path: &Path, others: bool) -> io::Result<()> {
    let mode = if others { 0o711 } else { 0o700 };
    match fs::DirBuilder::new().mode(mode).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = fs::symlink_metadata(path)?;
    if found.is_dir() && found.uid() == User::own().uid {
        return fs::set_permissions(path, fs::Permissions::from_mode(mode));
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

/// Removes a folder. Should that fail, the next referee tries again.
fn remove_folder(path: &Path) {
    if let Some(parent) = path.parent()
        && let Some(name) = path.file_name()
        && let (Ok(parent), Ok(name)) = (Dir::open(parent), CString::new(name.as_bytes()))
    {
        let _ = parent.remove_all(&name);
    }
}

/// A program's folder from the moment before its start.
#[derive(Debug)]
pub(crate) struct Watched {
    dir: Dir,
    given: Rc<Given>,
    /// The name that may change: only where such a file was given. No name is empty.
    but: &'static CStr,
    before: Snapshot,
    /// What comes and goes meanwhile, where one file and no other may change.
    names: Option<Names>,
    user: User,
}

impl Watched {
    /// Fills a new folder with what the program is given.
    pub(crate) fn fill(
        dir: Dir,
        given: &Rc<Given>,
        file: Option<&[u8]>,
        user: User,
    ) -> io::Result<Watched> {
        let as_program = user.act();
        given.put(&dir)?;
        if let Some(content) = file {
            // One of that name among the given files makes room.
            let _ = dir.remove_all(FILE);
            dir.make_file(FILE, 0o644, content)?;
        }
        let but = if file.is_some() { FILE } else { c"" };
        let before = Snapshot::of(&dir, given, but);
        drop(as_program);
        Ok(Watched {
            before,
            names: file.and_then(|_| Names::of(&dir)),
            given: Rc::clone(given),
            dir,
            but,
            user,
        })
    }

    /// The handle.
    pub(crate) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Everything that is in the folder now, but for links and the like.
    pub(crate) fn content(&self) -> io::Result<Given> {
        let _as_program = self.user.act();
        Given::of(&self.dir)
    }

    /// What the program did to files other than [`FILE`], and what became of that one.
    pub(crate) fn outcome(&self) -> Outcome {
        let _as_program = self.user.act();
        let after = Snapshot::of(&self.dir, &self.given, self.but);
        let passing = || self.names.as_ref()?.first_but(self.but);
        Outcome {
            changed: self.before.changed(&after).or_else(passing),
            file: self.dir.read(FILE, games::LONGEST_FILE),
        }
    }
}

/// What a program did to its folder.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// To files other than [`FILE`].
    pub(crate) changed: Option<Verdict>,
    /// To that file.
    pub(crate) file: FileRead,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_folder() -> (RunFolder, PathBuf) {
        let run = RunFolder::new(User::own()).unwrap();
        let place = run.place();
        (run, place)
    }

    #[track_caller]
    fn check(action: impl FnOnce(&Path), expected: Option<&str>) {
        let source = tempfile::tempdir().unwrap();
        fs::write(source.path().join("notes.txt"), "n").unwrap();
        fs::create_dir(source.path().join("sub")).unwrap();
        fs::write(source.path().join("sub/deep.txt"), "d").unwrap();
        let given = Rc::new(Given::read(source.path()).unwrap());
        let (run, folder) = run_folder();
        let file = Some(&b"m"[..]);
        let watched = Watched::fill(run.renew().unwrap(), &given, file, run.user).unwrap();
        action(&folder);
        let verdict = watched.outcome().changed;
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

    /// Referees share the folder above: one whose program is no other user must not lock out the
    /// programs of another.
    #[test]
    fn programs_can_walk_to_their_folders_whatever_other_referees_do() {
        let of_program = RunFolder::new(User::of_program()).unwrap();
        let _own = run_folder();
        let above = of_program.path.parent().unwrap();
        let mode = fs::metadata(above).unwrap().permissions().mode() & 0o777;
        let wanted = if of_program.user.is_other() {
            0o711
        } else {
            0o700
        };
        assert_eq!(mode, wanted, "{mode:o}");
    }

    /// Only the notices of the kernel show these.
    #[test]
    fn names_that_come_and_go_are_found() {
        let gone = Some("created matrix.tmp, which is gone again");
        check(
            |f| {
                fs::write(f.join("matrix.tmp"), "other").unwrap();
                fs::rename(f.join("matrix.tmp"), f.join("matrix.txt")).unwrap();
            },
            gone,
        );
        check(
            |f| {
                fs::write(f.join("matrix.tmp"), "other").unwrap();
                fs::remove_file(f.join("matrix.tmp")).unwrap();
            },
            gone,
        );
        check(
            |f| {
                fs::remove_file(f.join("matrix.txt")).unwrap();
                fs::write(f.join("matrix.txt"), "other").unwrap();
            },
            None,
        );
    }

    /// The one file that may change is moved to and fro, until nobody hears of another one.
    #[test]
    fn more_than_the_kernel_keeps_notices_of_is_found() {
        let most = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap();
        let most: u32 = most.trim().parse().unwrap();
        check(
            |f| {
                for _ in 0..=most / 2 {
                    fs::remove_file(f.join("matrix.txt")).unwrap();
                    fs::write(f.join("matrix.txt"), "other").unwrap();
                }
                fs::write(f.join("matrix.tmp"), "other").unwrap();
                fs::remove_file(f.join("matrix.tmp")).unwrap();
            },
            Some("changed its folder too often to be followed"),
        );
    }

    #[test]
    fn only_plain_files_are_read() {
        let (run, folder) = run_folder();
        let dir = run.renew().unwrap();
        let path = folder.join("matrix.txt");
        let read = |most| dir.read(FILE, most);
        assert_eq!(read(9), FileRead::Missing);
        fs::create_dir(&path).unwrap();
        assert_eq!(read(9), FileRead::NotAFile);
        fs::remove_dir(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert_eq!(read(9), FileRead::NotAFile);
        fs::remove_file(&path).unwrap();
        fs::write(&path, "0123456789").unwrap();
        assert_eq!(read(3), FileRead::Content(b"0123".to_vec()));
        fs::hard_link(&path, folder.join("second-name")).unwrap();
        assert_eq!(read(3), FileRead::NotAFile);
    }

    /// Deeper than any path can name, with as many levels as there may be open files, and
    /// without permissions.
    #[test]
    fn every_folder_can_be_counted_and_removed() {
        let (run, _) = run_folder();
        let top = run.renew().unwrap();
        let mut dir = top.dir(c".").unwrap();
        let name = CString::new("d".repeat(200)).unwrap();
        for _ in 0..3000 {
            dir = dir.make_dir(&name, 0o700).unwrap();
        }
        dir.make_file(c"big", 0o600, &[1; 1 << 20]).unwrap();
        let whole = size(&top, u64::MAX);
        assert!(whole > (1 << 20) + 3000 * NAME, "{whole}");
        // Who has seen enough looks no further.
        let enough = size(&top, 100 * NAME);
        assert!(enough > 100 * NAME && enough < whole / 2, "{enough}");
        let locked = top.make_dir(c"locked", 0o700).unwrap();
        locked.make_file(c"file", 0, b"x").unwrap();
        let path = run.place().join("locked");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        run.renew().unwrap();
        assert_eq!(fs::read_dir(run.place()).unwrap().count(), 0);
    }

    #[test]
    fn links_among_given_files_are_not_followed() {
        let source = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/passwd", source.path().join("book")).unwrap();
        let given = Rc::new(Given::read(source.path()).unwrap());
        let (run, folder) = run_folder();
        let _watched = Watched::fill(run.renew().unwrap(), &given, None, run.user).unwrap();
        let copy = fs::symlink_metadata(folder.join("book")).unwrap();
        assert!(copy.is_symlink());
    }
}

//! The file system behind namespaces: a root of its own, in which there is nothing but a
//! [`View`] to read, a few devices, an own `/proc`, and three folders to write.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_int};
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};

use super::plan::{c_path, c_string};
use super::syscalls::{
    NO_DEVICES, NO_SET_UID, READ_ONLY, become_root, become_user, check, make_file, mount,
    move_mount, open_tree, set_attributes, tmpfs,
};
use super::user::User;
use super::view::{DEVICES, View};
use crate::Limits;
use crate::folder::NAME;

/// Where the program's folder lies behind the walls.
pub(super) const HOME: &str = "/player";
/// The program's user and group there.
pub(super) const INSIDE: u32 = 1000;

/// Where the new root is put together: a folder of every system.
const SITE: &CStr = c"/tmp";

/// What the program may write, by its name in the small file system for it and its place.
/// Together they have the size of the limit, and all of it is gone with the program.
const WRITABLE: [(&CStr, &CStr, libc::mode_t); 3] = [
    (c"run/own", c"player", 0o700),
    (c"run/tmp", c"tmp", 0o1777),
    (c"run/shm", c"dev/shm", 0o1777),
];

/// Folders that every root has.
const FOLDERS: [&str; 7] = ["/proc", "/run", HOME, "/tmp", "/dev", "/dev/shm", "/etc"];

/// Links that programs expect.
const LINKS: [(&str, &str); 5] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
    ("/var/tmp", "/tmp"),
];

/// Files that say nothing about this machine.
const FILES: [(&CStr, &[u8]); 3] = [
    (
        c"etc/passwd",
        b"root:x:0:0::/:/bin/false\nplayer:x:1000:1000::/player:/bin/sh\n",
    ),
    (c"etc/group", b"root:x:0:\nplayer:x:1000:\n"),
    (
        c"etc/nsswitch.conf",
        b"passwd: files\ngroup: files\nhosts: files\n",
    ),
];

/// Bytes that the writable part may hold where no limit is set, and names in any case.
const ROOMY: u64 = 1 << 30;
const MOST_FILES: u64 = 100_000;
/// Room beyond the limit: who needs it has passed the limit, and is seen to have done so.
pub(super) const SLACK: u64 = 256 << 10;

/// Whether a root has something of its own at this path or below it, so that nothing else can be
/// shown there.
pub(super) fn is_own(path: &Path) -> bool {
    let links = LINKS.into_iter().map(|(link, _)| link);
    let mut own = FOLDERS.into_iter().chain(links);
    own.any(|own| Path::new(own).starts_with(path))
}

/// A root to be built.
pub(super) struct Root {
    /// Folders to make, outer ones first.
    folders: Vec<CString>,
    shown: Vec<Shown>,
    /// The same for what lies below the writable `/tmp`, and so comes after it.
    late_folders: Vec<CString>,
    late: Vec<Shown>,
    devices: Vec<Shown>,
    /// Links: to what, and where.
    links: Vec<(CString, CString)>,
    /// Options of the writable file system.
    writable: CString,
    /// Whether we are root and must become somebody else.
    drop_root: bool,
}

/// A file or folder that is shown.
struct Shown {
    from: CString,
    to: CString,
    is_file: bool,
}

impl Shown {
    fn new(path: &Path) -> Shown {
        Shown {
            from: c_path(path),
            to: inside(path),
            is_file: !path.is_dir(),
        }
    }
}

impl Root {
    /// A root with this view for a program of this user.
    pub(super) fn new(view: &View, limits: &Limits, user: User) -> Root {
        let is_late = |path: &&PathBuf| path.starts_with("/tmp");
        let (late, early): (Vec<&PathBuf>, Vec<&PathBuf>) = view.paths.iter().partition(is_late);
        let mut folders = above(early.iter().map(|path| path.as_path()));
        folders.extend(FOLDERS.map(PathBuf::from));
        let usual = LINKS
            .iter()
            .map(|(link, target)| (link.into(), target.into()));
        let mut links: Vec<(PathBuf, PathBuf)> = usual.chain(view.links.iter().cloned()).collect();
        links.retain(|(link, _)| !folders.contains(link));
        folders.extend(above(links.iter().map(|(link, _)| link.as_path())));
        let mut late_folders = above(late.iter().map(|path| path.as_path()));
        late_folders.retain(|path| !folders.contains(path));
        let size = limits.disk.map_or(ROOMY, |limit| limit.0) + SLACK;
        let files = MOST_FILES.min(size / NAME);
        Root {
            folders: folders.iter().map(|path| inside(path)).collect(),
            shown: early.into_iter().map(|path| Shown::new(path)).collect(),
            late_folders: late_folders.iter().map(|path| inside(path)).collect(),
            late: late.into_iter().map(|path| Shown::new(path)).collect(),
            devices: DEVICES.map(|path| Shown::new(Path::new(path))).into(),
            links: links
                .iter()
                .map(|(link, target)| (c_path(target), inside(link)))
                .collect(),
            writable: c_string(format!("size={size},nr_inodes={files},mode=755")),
            drop_root: user.is_other(),
        }
    }

    /// Builds it and moves in; returns a handle of the program's folder.
    ///
    /// # Safety
    /// Runs between fork and exec, as the first process of new namespaces whose user map is
    /// written: system calls only.
    pub(super) unsafe fn build(&self) -> Result<RawFd, c_int> {
        // SAFETY: system calls with prepared strings.
        unsafe {
            mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
            // As ourselves, who may go where the program may not.
            let shown = open_trees(&self.shown);
            let late = open_trees(&self.late);
            let devices = open_trees(&self.devices);
            if self.drop_root {
                become_user(INSIDE, INSIDE)?;
            }
            libc::umask(0o022);
            tmpfs(SITE, c"size=1m,mode=755")?;
            check(libc::chdir(SITE.as_ptr()))?;
            make_folders(&self.folders)?;
            make_places(&self.shown)?;
            make_places(&self.devices)?;
            for (target, link) in &self.links {
                check(libc::symlink(target.as_ptr(), link.as_ptr()))?;
            }
            for (path, content) in FILES {
                make_file(path, content)?;
            }
            put(&shown, &self.shown)?;
            proc()?;
            set_attributes(c".", READ_ONLY | NO_SET_UID | NO_DEVICES)?;
            // What is written to them arrives all the same; their times, which every program sees,
            // cannot be set.
            put(&devices, &self.devices)?;
            set_all(&devices, &self.devices, READ_ONLY | NO_SET_UID)?;
            self.make_writable()?;
            make_folders(&self.late_folders)?;
            make_places(&self.late)?;
            put(&late, &self.late)?;
            set_all(&late, &self.late, READ_ONLY | NO_SET_UID | NO_DEVICES)?;
            let flags = libc::O_DIRECTORY | libc::O_CLOEXEC;
            let own = check(libc::open(c"player".as_ptr(), flags))?;
            become_root()?;
            Ok(own)
        }
    }

    /// Mounts the writable part, in pieces.
    unsafe fn make_writable(&self) -> Result<(), c_int> {
        // SAFETY: system calls with prepared strings.
        unsafe {
            tmpfs(c"run", &self.writable)?;
            for (name, place, mode) in WRITABLE {
                check(libc::mkdir(name.as_ptr(), 0o700))?;
                check(libc::chmod(name.as_ptr(), mode))?;
                move_mount(open_tree(name)?, place)?;
            }
            check(libc::umount2(c"run".as_ptr(), libc::MNT_DETACH)).map(drop)
        }
    }
}

/// A view has at most this many paths.
pub(super) const MOST_SHOWN: usize = 64;

/// Copies of what is shown; -1 for what we cannot see ourselves.
unsafe fn open_trees(list: &[Shown]) -> [RawFd; MOST_SHOWN] {
    let mut trees = [-1; MOST_SHOWN];
    for (tree, shown) in trees.iter_mut().zip(list) {
        // SAFETY: the string is prepared.
        *tree = unsafe { open_tree(&shown.from) }.unwrap_or(-1);
    }
    trees
}

unsafe fn make_folders(folders: &[CString]) -> Result<(), c_int> {
    folders.iter().try_for_each(|folder| {
        // SAFETY: the string is prepared.
        check(unsafe { libc::mkdir(folder.as_ptr(), 0o755) }).map(drop)
    })
}

/// Files and folders to put copies on.
unsafe fn make_places(list: &[Shown]) -> Result<(), c_int> {
    list.iter().try_for_each(|shown| {
        // SAFETY: the strings are prepared.
        unsafe {
            if shown.is_file {
                make_file(&shown.to, b"")
            } else {
                check(libc::mkdir(shown.to.as_ptr(), 0o755)).map(drop)
            }
        }
    })
}

/// Puts copies in their places.
unsafe fn put(trees: &[RawFd], list: &[Shown]) -> Result<(), c_int> {
    for (tree, shown) in trees.iter().zip(list) {
        if *tree >= 0 {
            // SAFETY: the string is prepared.
            unsafe { move_mount(*tree, &shown.to)? };
        }
    }
    Ok(())
}

/// Adds attributes to the copies that were put in their places.
unsafe fn set_all(trees: &[RawFd], list: &[Shown], attributes: u64) -> Result<(), c_int> {
    for (tree, shown) in trees.iter().zip(list) {
        if *tree >= 0 {
            // SAFETY: the string is prepared.
            unsafe { set_attributes(&shown.to, attributes)? };
        }
    }
    Ok(())
}

/// An own `/proc` with nothing but the program's processes, not to be written. In a
/// container it may be forbidden; the outer one shows more than it should, so nothing is
/// better.
unsafe fn proc() -> Result<(), c_int> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
    // SAFETY: system calls with constant strings.
    unsafe {
        let (proc, at) = (Some(c"proc"), c"proc");
        if mount(proc, at, proc, flags, Some(c"subset=pid,hidepid=invisible")).is_ok() {
            return Ok(());
        }
        // Kernels before 5.8 know no subsets.
        if mount(proc, at, proc, flags, None).is_ok() {
            return tmpfs(c"proc/sys", c"size=4k,mode=555");
        }
        Ok(())
    }
}

/// A path as seen from the place where the root is put together.
fn inside(path: &Path) -> CString {
    c_path(path.strip_prefix("/").unwrap_or(path))
}

/// All folders above these paths but the root, outer ones first.
fn above<'a>(paths: impl Iterator<Item = &'a Path>) -> BTreeSet<PathBuf> {
    paths
        .flat_map(|path| path.ancestors().skip(1))
        .filter(|path| *path != Path::new("/"))
        .map(PathBuf::from)
        .collect()
}

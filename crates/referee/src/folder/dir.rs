//! Directory handles: everything the referee does in a program's folder is relative to one.
//!
//! No operation follows a link, waits for a pipe or opens anything but plain files and
//! folders, whatever the program has left there.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

/// An open folder.
#[derive(Debug)]
pub(crate) struct Dir(OwnedFd);

/// What became of a file that a program may rewrite.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum FileRead {
    /// Its content, at most so many bytes and one.
    Content(Vec<u8>),
    /// It is not there.
    #[default]
    Missing,
    /// It is a folder, a link, a pipe or the like.
    NotAFile,
}

/// What a name counts for on the disk, or in memory: the system keeps as much for it at least, be
/// there anything in the file or not.
pub(crate) const NAME: u64 = 512;

/// Names that a file system has which the walls have made for a program: its top, and the three
/// folders in it.
const OWN_NAMES: u64 = 4;

/// Never through a link, never waiting, never kept by a child.
const CAREFUL: i32 = libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC | libc::O_NOCTTY;

/// Held for reading by threads that write files, for writing by one that forks. A child inherits
/// what is open at the fork, until it executes its own program; and no system executes a file that
/// somebody can write to.
static WRITING: RwLock<()> = RwLock::new(());

/// Waits until no thread writes a file, and lets none begin.
pub(crate) fn no_file_is_written() -> RwLockWriteGuard<'static, ()> {
    WRITING.write().unwrap_or_else(PoisonError::into_inner)
}

impl Dir {
    /// Opens a folder by its path.
    pub(crate) fn open(path: &Path) -> io::Result<Dir> {
        let path = CString::new(path.as_os_str().as_bytes())?;
        open_at(libc::AT_FDCWD, &path, libc::O_DIRECTORY, 0).map(Dir)
    }

    /// Opens a folder in this one; `.` opens another handle of this one, `..` the one above.
    pub(super) fn dir(&self, name: &CStr) -> io::Result<Dir> {
        open_at(self.fd(), name, libc::O_DIRECTORY, 0).map(Dir)
    }

    /// Makes a folder in this one.
    pub(super) fn make_dir(&self, name: &CStr, mode: u32) -> io::Result<Dir> {
        // SAFETY: the name lives for the call.
        check(unsafe { libc::mkdirat(self.fd(), name.as_ptr(), 0o700) })?;
        let made = self.dir(name)?;
        // The mask of the process must not decide.
        // SAFETY: the descriptor is open.
        check(unsafe { libc::fchmod(made.fd(), mode | 0o700) })?;
        Ok(made)
    }

    /// Makes a file that is not there yet.
    pub(super) fn make_file(&self, name: &CStr, mode: u32, content: &[u8]) -> io::Result<()> {
        let _no_fork = WRITING.read().unwrap_or_else(PoisonError::into_inner);
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
        let mut file = File::from(open_at(self.fd(), name, flags, 0o600)?);
        file.write_all(content)?;
        // SAFETY: the descriptor is open.
        check(unsafe { libc::fchmod(file.as_raw_fd(), mode & 0o777) })?;
        Ok(())
    }

    /// Makes a symbolic link.
    pub(super) fn make_link(&self, name: &CStr, target: &CStr) -> io::Result<()> {
        // SAFETY: both strings live for the call.
        check(unsafe { libc::symlinkat(target.as_ptr(), self.fd(), name.as_ptr()) }).map(drop)
    }

    /// Where a symbolic link leads.
    pub(super) fn link_target(&self, name: &CStr) -> io::Result<CString> {
        let mut bytes = vec![0_u8; libc::PATH_MAX as usize];
        // SAFETY: the name and the buffer live for the call, which knows the buffer's length.
        let length = unsafe {
            let start = bytes.as_mut_ptr().cast();
            libc::readlinkat(self.fd(), name.as_ptr(), start, bytes.len())
        };
        bytes.truncate(usize::try_from(length).map_err(|_| io::Error::last_os_error())?);
        Ok(CString::new(bytes)?)
    }

    /// Reads a plain file with one name: no more than `most` bytes and one.
    pub(crate) fn read(&self, name: &CStr, most: u64) -> FileRead {
        self.read_with_links(name, most, 1)
    }

    /// Reads a plain file that has so many names.
    pub(super) fn read_with_links(&self, name: &CStr, most: u64, links: u64) -> FileRead {
        let file = match open_at(self.fd(), name, libc::O_RDONLY, 0) {
            Ok(file) => File::from(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return FileRead::Missing,
            Err(_) => return FileRead::NotAFile,
        };
        // A second name may be outside of the folder, where it does not vanish with it.
        match Status::of(file.as_raw_fd()) {
            Ok(status) if status.kind() == libc::S_IFREG && status.links() == links => {}
            _ => return FileRead::NotAFile,
        }
        let mut content = Vec::new();
        match file.take(most + 1).read_to_end(&mut content) {
            Ok(_) => FileRead::Content(content),
            Err(_) => FileRead::NotAFile,
        }
    }

    /// What is known of an entry, or of this folder itself (`.`).
    pub(super) fn status(&self, name: &CStr) -> io::Result<Status> {
        let mut status = Status::zero();
        // SAFETY: the name lives for the call, which fills the structure in.
        check(unsafe {
            let flags = libc::AT_SYMLINK_NOFOLLOW;
            libc::fstatat(self.fd(), name.as_ptr(), &raw mut status.0, flags)
        })?;
        Ok(status)
    }

    /// The names in this folder, at most `most` of them, in the system's order.
    pub(super) fn names(&self, most: usize) -> io::Result<Vec<CString>> {
        // Reading moves a position that handles share, so it needs one of its own.
        let own = self.dir(c".")?.0.into_raw_fd();
        let mut names = Vec::new();
        // SAFETY: the descriptor is given away to the stream, which is closed once; an
        // entry is read before the next call.
        unsafe {
            let stream = libc::fdopendir(own);
            if stream.is_null() {
                let error = io::Error::last_os_error();
                libc::close(own);
                return Err(error);
            }
            while names.len() < most {
                let entry = libc::readdir64(stream);
                if entry.is_null() {
                    break;
                }
                let name = CStr::from_ptr((*entry).d_name.as_ptr());
                if name != c"." && name != c".." {
                    names.push(name.to_owned());
                }
            }
            libc::closedir(stream);
        }
        Ok(names)
    }

    /// Removes a file, or an empty folder.
    fn remove(&self, name: &CStr, folder: bool) -> io::Result<()> {
        let flags = if folder { libc::AT_REMOVEDIR } else { 0 };
        // SAFETY: the name lives for the call.
        check(unsafe { libc::unlinkat(self.fd(), name.as_ptr(), flags) }).map(drop)
    }

    /// Removes an entry and everything below it, however deep and whatever its rights.
    ///
    /// Folders found inside are moved up beside the first one before they are emptied, so
    /// that no path grows long and only two handles are open.
    pub(super) fn remove_all(&self, name: &CStr) -> io::Result<()> {
        if self.status(name)?.kind() != libc::S_IFDIR {
            return self.remove(name, false);
        }
        // No two threads may move folders to one name.
        static MOVED: AtomicU64 = AtomicU64::new(0);
        let mut left = vec![name.to_owned()];
        while let Some(name) = left.pop() {
            self.unlock(&name);
            let inner = self.dir(&name)?;
            // Many entries are taken in pieces: the listing need not fit into memory.
            loop {
                let names = inner.names(4096)?;
                if names.is_empty() {
                    break;
                }
                for name in names {
                    if inner.status(&name)?.kind() != libc::S_IFDIR {
                        inner.remove(&name, false)?;
                        continue;
                    }
                    inner.unlock(&name);
                    let up = loop {
                        let moved = MOVED.fetch_add(1, Ordering::Relaxed);
                        let up = CString::new(format!(".removed-{}-{moved}", std::process::id()))?;
                        if self.status(&up).is_err() {
                            break up;
                        }
                    };
                    // SAFETY: both names live for the call.
                    check(unsafe {
                        libc::renameat(inner.fd(), name.as_ptr(), self.fd(), up.as_ptr())
                    })?;
                    left.push(up);
                }
            }
            self.remove(&name, true)?;
        }
        Ok(())
    }

    /// Gives ourselves all rights on a folder in this one. Should that fail, so does what
    /// comes next.
    pub(super) fn unlock(&self, name: &CStr) {
        // Changing rights by name would follow a link that is put there just now; the way
        // over a handle without any rights cannot.
        if let Ok(handle) = open_at(self.fd(), name, libc::O_PATH | libc::O_DIRECTORY, 0) {
            let all = std::os::unix::fs::PermissionsExt::from_mode(0o700);
            let _ = std::fs::set_permissions(Dir(handle).by_number(), all);
        }
    }

    /// A path that leads to this very folder while it is open, for calls that want a path.
    pub(crate) fn by_number(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.fd()))
    }

    /// Makes this folder another user's.
    pub(super) fn give_to(&self, user: u32, group: u32) -> io::Result<()> {
        // SAFETY: the descriptor is open.
        check(unsafe { libc::fchown(self.fd(), user, group) }).map(drop)
    }

    /// Bytes in use on the file system of this folder, with what its names cost.
    pub(crate) fn file_system_used(&self) -> io::Result<u64> {
        // SAFETY: all-zero is a valid structure, and the call fills it in.
        unsafe {
            let mut found = std::mem::zeroed::<libc::statfs>();
            check(libc::fstatfs(self.fd(), &raw mut found))?;
            let bytes = (found.f_blocks - found.f_bfree) * found.f_bsize as u64;
            Ok(bytes + (found.f_files - found.f_ffree).saturating_sub(OWN_NAMES) * NAME)
        }
    }

    fn fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

impl From<OwnedFd> for Dir {
    fn from(handle: OwnedFd) -> Dir {
        Dir(handle)
    }
}

/// What the system knows of a file.
pub(super) struct Status(libc::stat);

impl Status {
    fn zero() -> Status {
        // SAFETY: all-zero is a valid structure.
        Status(unsafe { std::mem::zeroed() })
    }

    fn of(file: RawFd) -> io::Result<Status> {
        let mut status = Status::zero();
        // SAFETY: the call fills the structure in.
        check(unsafe { libc::fstat(file, &raw mut status.0) })?;
        Ok(status)
    }

    /// `S_IFREG`, `S_IFDIR`, …
    pub(super) fn kind(&self) -> u32 {
        self.0.st_mode & libc::S_IFMT
    }

    pub(super) fn is_dir(&self) -> bool {
        self.kind() == libc::S_IFDIR
    }

    pub(super) fn mode(&self) -> u32 {
        self.0.st_mode
    }

    /// Device and inode.
    pub(super) fn identity(&self) -> (u64, u64) {
        (self.0.st_dev, self.0.st_ino)
    }

    /// Inode, size and time of change, which is the kernel's own and cannot be set back.
    pub(super) fn version(&self) -> (u64, i64, i64, i64) {
        let status = &self.0;
        let (seconds, nanos) = (status.st_ctime, status.st_ctime_nsec);
        (status.st_ino, status.st_size, seconds, nanos)
    }

    /// How many names it has; none if it was removed while somebody holds it open.
    pub(super) fn links(&self) -> u64 {
        self.0.st_nlink
    }

    /// Bytes on the disk.
    pub(super) fn size(&self) -> u64 {
        self.0.st_blocks as u64 * 512
    }
}

fn open_at(dir: RawFd, name: &CStr, flags: i32, mode: u32) -> io::Result<OwnedFd> {
    // SAFETY: the name lives for the call; a new descriptor is nobody else's.
    unsafe {
        let fd = check(libc::openat(dir, name.as_ptr(), flags | CAREFUL, mode))?;
        Ok(OwnedFd::from_raw_fd(fd))
    }
}

fn check(result: i32) -> io::Result<i32> {
    if result >= 0 {
        Ok(result)
    } else {
        Err(io::Error::last_os_error())
    }
}

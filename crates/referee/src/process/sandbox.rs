//! The walls around a program: namespaces, or Landlock, or none.

use std::ffi::{CStr, CString, c_int, c_long, c_ulong, c_void};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::path::Path;
use std::ptr;

use super::landlock;
use super::plan::{c_path, c_string};

/// How the program is walled in; prepared before the fork, built after it.
pub(super) enum Walls {
    /// Only process group, session and resource limits.
    None,
    /// Own namespaces of users, processes, mounts, network and the like.
    Namespaces(Box<Mounts>),
    /// A Landlock ruleset, ready to be applied.
    Landlock(OwnedFd),
}

/// The file system that the program sees: everything read-only, the referee's folders
/// hidden but for the program's own, a bare `/dev`, a `/proc` of its own.
pub(super) struct Mounts {
    /// Maps of our user and group: `1000 OUR 1`.
    users: CString,
    groups: CString,
    /// The folder that holds all players' folders; hidden.
    hidden: CString,
    /// The folders to make inside it, down to the player's own.
    inside: Vec<CString>,
}

/// Devices that programs expect.
const DEVICES: [&CStr; 5] = [
    c"/dev/null",
    c"/dev/zero",
    c"/dev/full",
    c"/dev/random",
    c"/dev/urandom",
];

/// Links in `/dev` that programs expect.
const LINKS: [(&CStr, &CStr); 4] = [
    (c"/proc/self/fd", c"/dev/fd"),
    (c"/proc/self/fd/0", c"/dev/stdin"),
    (c"/proc/self/fd/1", c"/dev/stdout"),
    (c"/proc/self/fd/2", c"/dev/stderr"),
];

impl Mounts {
    /// Walls for a player whose `folder` lies somewhere below `hidden`.
    pub(super) fn new(hidden: &Path, folder: &Path) -> Mounts {
        // SAFETY: these two only read our own identity.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        let mut inside: Vec<CString> = folder
            .ancestors()
            .take_while(|path| *path != hidden && path.starts_with(hidden))
            .map(c_path)
            .collect();
        inside.reverse();
        Mounts {
            // Not root inside, so that the program starts without any privilege.
            users: c_string(format!("1000 {user} 1")),
            groups: c_string(format!("1000 {group} 1")),
            hidden: c_path(hidden),
            inside,
        }
    }

    /// Builds the view.
    ///
    /// # Safety
    /// Runs between fork and exec: system calls only.
    unsafe fn build(&self, folder: &CStr) -> Result<(), c_int> {
        // SAFETY: system calls with prepared strings.
        unsafe {
            write_file(c"/proc/self/setgroups", c"deny")?;
            write_file(c"/proc/self/uid_map", &self.users)?;
            write_file(c"/proc/self/gid_map", &self.groups)?;
            mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
            let own = open_tree(folder)?;
            let mut devices = [-1; DEVICES.len()];
            for (device, path) in devices.iter_mut().zip(DEVICES) {
                *device = open_tree(path).unwrap_or(-1);
            }
            set_attributes(c"/", READ_ONLY | NO_SET_UID | NO_DEVICES, true)?;

            tmpfs(&self.hidden, c"size=64k,mode=755")?;
            for path in &self.inside {
                check(libc::mkdir(path.as_ptr(), 0o755))?;
            }
            move_mount(own, folder)?;
            set_attributes(folder, NO_SET_UID | NO_DEVICES, false)?;
            set_attributes(&self.hidden, READ_ONLY, false)?;

            tmpfs(c"/dev", c"size=16m,mode=755")?;
            for (device, path) in devices.into_iter().zip(DEVICES) {
                if device >= 0 {
                    let file = libc::open(path.as_ptr(), libc::O_CREAT | libc::O_CLOEXEC, 0o444);
                    libc::close(check(file)?);
                    move_mount(device, path)?;
                }
            }
            for (target, link) in LINKS {
                check(libc::symlink(target.as_ptr(), link.as_ptr()))?;
            }
            check(libc::mkdir(c"/dev/shm".as_ptr(), 0o777))?;
            // Sockets of services live there, and a read-only mount does not guard those.
            let _ = tmpfs(c"/run", c"size=4k,mode=755");
            // In a container a fresh /proc may be forbidden; the old one shows more than
            // it should, so nothing is better.
            let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
            mount(Some(c"proc"), c"/proc", Some(c"proc"), flags, None)
                .or_else(|_| tmpfs(c"/proc", c"size=4k,mode=755"))?;
            Ok(())
        }
    }
}

impl Walls {
    /// The namespaces to fork into.
    pub(super) fn clone_flags(&self) -> c_int {
        match self {
            Walls::Namespaces(_) => {
                libc::CLONE_NEWUSER
                    | libc::CLONE_NEWNS
                    | libc::CLONE_NEWPID
                    | libc::CLONE_NEWNET
                    | libc::CLONE_NEWIPC
                    | libc::CLONE_NEWUTS
            }
            Walls::None | Walls::Landlock(_) => 0,
        }
    }

    /// Whether the supervisor is process 1 of a space of its own.
    pub(super) fn own_process_space(&self) -> bool {
        matches!(self, Walls::Namespaces(_))
    }

    /// What must stay open in the child besides its pipes: nothing, or the ruleset.
    pub(super) fn ruleset(&self) -> Option<RawFd> {
        match self {
            Walls::Landlock(ruleset) => Some(ruleset.as_raw_fd()),
            Walls::None | Walls::Namespaces(_) => None,
        }
    }

    /// What the supervisor does before it starts the program.
    ///
    /// # Safety
    /// Runs between fork and exec: system calls only.
    pub(super) unsafe fn build(&self, folder: &CStr) -> Result<(), c_int> {
        match self {
            // SAFETY: the caller's promise is the same.
            Walls::Namespaces(mounts) => unsafe { mounts.build(folder) },
            Walls::None | Walls::Landlock(_) => Ok(()),
        }
    }

    /// What the program's own process does before it becomes the program.
    ///
    /// # Safety
    /// Runs between fork and exec: system calls only.
    pub(super) unsafe fn enter(&self, ruleset: RawFd) -> Result<(), c_int> {
        // SAFETY: system calls only.
        unsafe {
            if let Walls::None = self {
                return Ok(());
            }
            check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
            match self {
                Walls::Landlock(_) => landlock::restrict_self(ruleset),
                Walls::None | Walls::Namespaces(_) => Ok(()),
            }
        }
    }
}

fn check(result: c_int) -> Result<c_int, c_int> {
    if result >= 0 {
        Ok(result)
    } else {
        // SAFETY: the address is of this thread's own variable.
        Err(unsafe { *libc::__errno_location() })
    }
}

unsafe fn write_file(path: &CStr, text: &CStr) -> Result<(), c_int> {
    // SAFETY: both strings live for the calls.
    unsafe {
        let file = check(libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC))?;
        let bytes = text.to_bytes();
        let written = libc::write(file, bytes.as_ptr().cast(), bytes.len());
        let result = check(written as c_int).map(drop);
        libc::close(file);
        result
    }
}

unsafe fn mount(
    source: Option<&CStr>,
    target: &CStr,
    kind: Option<&CStr>,
    flags: c_ulong,
    options: Option<&CStr>,
) -> Result<(), c_int> {
    let pointer = |text: Option<&CStr>| text.map_or(ptr::null(), CStr::as_ptr);
    // SAFETY: all strings live for the call; null is allowed where it is passed.
    check(unsafe {
        libc::mount(
            pointer(source),
            target.as_ptr(),
            pointer(kind),
            flags,
            pointer(options).cast::<c_void>(),
        )
    })
    .map(drop)
}

unsafe fn tmpfs(target: &CStr, options: &CStr) -> Result<(), c_int> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    // SAFETY: as for `mount`.
    unsafe { mount(Some(c"tmpfs"), target, Some(c"tmpfs"), flags, Some(options)) }
}

/// A copy of the mount at `path`, not yet anywhere.
unsafe fn open_tree(path: &CStr) -> Result<RawFd, c_int> {
    const OPEN_TREE_CLONE: c_long = 1;
    const AT: c_long = libc::AT_FDCWD as c_long;
    let flags = OPEN_TREE_CLONE | c_long::from(libc::O_CLOEXEC);
    // SAFETY: the path lives for the call.
    check(unsafe { libc::syscall(libc::SYS_open_tree, AT, path.as_ptr(), flags) } as c_int)
}

/// Puts such a copy in its place.
unsafe fn move_mount(tree: RawFd, target: &CStr) -> Result<(), c_int> {
    const MOVE_MOUNT_F_EMPTY_PATH: c_long = 4;
    // SAFETY: both strings live for the call.
    unsafe {
        check(libc::syscall(
            libc::SYS_move_mount,
            c_long::from(tree),
            c"".as_ptr(),
            c_long::from(libc::AT_FDCWD),
            target.as_ptr(),
            MOVE_MOUNT_F_EMPTY_PATH,
        ) as c_int)?;
        libc::close(tree);
        Ok(())
    }
}

const READ_ONLY: u64 = 1;
const NO_SET_UID: u64 = 2;
const NO_DEVICES: u64 = 4;

/// Adds attributes to the mount at `path`, and to all below it if `deep`.
unsafe fn set_attributes(path: &CStr, attributes: u64, deep: bool) -> Result<(), c_int> {
    #[repr(C)]
    struct Attributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    const AT_RECURSIVE: c_long = 0x8000;
    let change = Attributes {
        set: attributes,
        clear: 0,
        propagation: 0,
        user_namespace: 0,
    };
    // SAFETY: the kernel reads a live structure of the given size.
    check(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            c_long::from(libc::AT_FDCWD),
            path.as_ptr(),
            if deep { AT_RECURSIVE } else { 0 },
            &raw const change,
            size_of::<Attributes>(),
        )
    } as c_int)
    .map(drop)
}

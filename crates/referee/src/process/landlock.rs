//! Landlock: rights on files that a process gives up for itself and its children.

use std::ffi::{c_int, c_long, c_ulong};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;

use super::plan::c_path;
use super::view::{DEVICES, View};

/// Rights on files, in the order in which versions of Landlock learned them.
const EXECUTE: u64 = 1 << 0;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
/// All rights of version 1; linking between folders, truncating and device control
/// came with versions 2, 3 and 5.
const VERSION_1: u64 = (1 << 13) - 1;
const LINK: u64 = 1 << 13;
const TRUNCATE: u64 = 1 << 14;
const DEVICE: u64 = 1 << 15;
/// Rights that apply to files, not folders.
const OF_FILES: u64 = EXECUTE | READ_FILE | (1 << 1) | TRUNCATE | DEVICE;

const NET_BIND_AND_CONNECT: u64 = 3;
const SCOPE_SIGNALS: u64 = 2;
const SCOPE_SOCKETS_AND_SIGNALS: u64 = 1 | SCOPE_SIGNALS;

/// The version of Landlock that this kernel has; 0 for none.
pub(super) fn version() -> u32 {
    const GET_VERSION: c_long = 1;
    // SAFETY: with this flag no structure is read.
    let version = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<u8>(),
            0 as c_long,
            GET_VERSION,
        )
    };
    u32::try_from(version).unwrap_or(0)
}

/// What a kernel with this version of Landlock cannot enforce.
pub(super) fn missing(version: u32) -> Vec<String> {
    let mut missing = Vec::new();
    if version < 3 {
        missing.push("files can be cut short".into());
    }
    if version < 6 {
        missing.push("other processes can be sent signals".into());
    }
    missing
}

/// What a ruleset decides about.
#[repr(C)]
struct Handled {
    files: u64,
    network: u64,
    scope: u64,
}

/// A ruleset that takes nothing from a program but block devices, and signals to others where that
/// can be taken: a filter cannot tell the threads of the referee, each of which leads to it, from
/// other processes. It sets the program apart all the same: it cannot look into processes that do
/// not have it, such as the referee.
pub(super) fn apart() -> Option<OwnedFd> {
    const MAKE_BLOCK_DEVICE: u64 = 1 << 11;
    let version = version();
    let handled = Handled {
        files: MAKE_BLOCK_DEVICE,
        network: 0,
        scope: if version >= 6 { SCOPE_SIGNALS } else { 0 },
    };
    (version > 0).then(|| create(&handled, version).ok())?
}

fn create(handled: &Handled, version: u32) -> io::Result<OwnedFd> {
    let size = match version {
        ..4 => 8,
        4..6 => 16,
        _ => size_of::<Handled>(),
    };
    // SAFETY: the kernel reads a live structure, of which it knows `size` bytes.
    unsafe {
        let fd = libc::syscall(
            libc::SYS_landlock_create_ruleset,
            &raw const *handled,
            size,
            0 as c_long,
        );
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(OwnedFd::from_raw_fd(fd as RawFd))
    }
}

/// A ruleset: what is in view may be read, `folder` may be written.
pub(super) fn ruleset(version: u32, view: &View, folder: &Path) -> io::Result<OwnedFd> {
    let mut files = VERSION_1;
    for (since, right) in [(2, LINK), (3, TRUNCATE), (5, DEVICE)] {
        if version >= since {
            files |= right;
        }
    }
    let handled = Handled {
        files,
        network: if version >= 4 {
            NET_BIND_AND_CONNECT
        } else {
            0
        },
        scope: if version >= 6 {
            SCOPE_SOCKETS_AND_SIGNALS
        } else {
            0
        },
    };
    let ruleset = create(&handled, version)?;
    allow(&ruleset, folder, files)?;
    for device in DEVICES {
        let _ = allow(&ruleset, Path::new(device), files & OF_FILES);
    }
    for path in &view.paths {
        let rights = if path.is_dir() {
            EXECUTE | READ_FILE | READ_DIR
        } else {
            EXECUTE | READ_FILE
        };
        // What we may not open ourselves the program may not either. Links lead to what is
        // in view by itself.
        let _ = allow(&ruleset, path, rights);
    }
    Ok(ruleset)
}

fn allow(ruleset: &OwnedFd, path: &Path, rights: u64) -> io::Result<()> {
    #[repr(C, packed)]
    struct PathRule {
        allowed: u64,
        parent: RawFd,
    }
    const PATH_BENEATH: c_long = 1;
    let path = c_path(path);
    // SAFETY: the path lives for the call, the new descriptor is nobody else's.
    let parent = unsafe {
        let fd = libc::open(path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        OwnedFd::from_raw_fd(fd)
    };
    let rule = PathRule {
        allowed: rights,
        parent: parent.as_raw_fd(),
    };
    // SAFETY: the kernel reads a live structure.
    let result = unsafe {
        libc::syscall(
            libc::SYS_landlock_add_rule,
            c_long::from(ruleset.as_raw_fd()),
            PATH_BENEATH,
            &raw const rule,
            0 as c_ulong,
        )
    };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Applies a ruleset to the calling process for ever.
///
/// # Safety
/// Runs between fork and exec: one system call.
pub(super) unsafe fn restrict_self(ruleset: RawFd) -> Result<(), c_int> {
    // SAFETY: the call takes two numbers.
    unsafe {
        if libc::syscall(
            libc::SYS_landlock_restrict_self,
            c_long::from(ruleset),
            0 as c_long,
        ) < 0
        {
            return Err(*libc::__errno_location());
        }
    }
    Ok(())
}

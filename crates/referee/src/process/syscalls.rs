//! System calls of mounting, for use between fork and exec: no allocation, no locks.

use std::ffi::{CStr, c_int, c_long, c_ulong, c_void};
use std::os::fd::RawFd;
use std::ptr;

/// The result of a call, or the system's error.
pub(super) fn check(result: c_int) -> Result<c_int, c_int> {
    if result >= 0 {
        Ok(result)
    } else {
        Err(errno())
    }
}

/// The error of the last call.
pub(super) fn errno() -> c_int {
    // SAFETY: the address is of this thread's own variable.
    unsafe { *libc::__errno_location() }
}

/// Makes a file with this content.
pub(super) unsafe fn make_file(path: &CStr, content: &[u8]) -> Result<(), c_int> {
    // SAFETY: path and content live for the calls.
    unsafe {
        let flags = libc::O_CREAT | libc::O_WRONLY | libc::O_CLOEXEC;
        let file = check(libc::open(path.as_ptr(), flags, 0o644))?;
        let written = libc::write(file, content.as_ptr().cast(), content.len());
        let result = check(written as c_int).map(drop);
        libc::close(file);
        result
    }
}

/// Mounts something.
pub(super) unsafe fn mount(
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

/// Mounts a new file system in memory.
pub(super) unsafe fn tmpfs(target: &CStr, options: &CStr) -> Result<(), c_int> {
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    // SAFETY: as for `mount`.
    unsafe { mount(Some(c"tmpfs"), target, Some(c"tmpfs"), flags, Some(options)) }
}

const AT: c_long = libc::AT_FDCWD as c_long;
const AT_RECURSIVE: c_long = 0x8000;

/// A copy of what is mounted at `path` and below, not yet anywhere.
pub(super) unsafe fn open_tree(path: &CStr) -> Result<RawFd, c_int> {
    const OPEN_TREE_CLONE: c_long = 1;
    let flags = OPEN_TREE_CLONE | AT_RECURSIVE | c_long::from(libc::O_CLOEXEC);
    // SAFETY: the path lives for the call.
    check(unsafe { libc::syscall(libc::SYS_open_tree, AT, path.as_ptr(), flags) } as c_int)
}

/// Puts such a copy in its place.
pub(super) unsafe fn move_mount(tree: RawFd, target: &CStr) -> Result<(), c_int> {
    const MOVE_MOUNT_F_EMPTY_PATH: c_long = 4;
    // SAFETY: both strings live for the call.
    unsafe {
        check(libc::syscall(
            libc::SYS_move_mount,
            c_long::from(tree),
            c"".as_ptr(),
            AT,
            target.as_ptr(),
            MOVE_MOUNT_F_EMPTY_PATH,
        ) as c_int)?;
        libc::close(tree);
        Ok(())
    }
}

pub(super) const READ_ONLY: u64 = 1;
pub(super) const NO_SET_UID: u64 = 2;
pub(super) const NO_DEVICES: u64 = 4;

/// Adds attributes to what is mounted at `path` and below.
pub(super) unsafe fn set_attributes(path: &CStr, attributes: u64) -> Result<(), c_int> {
    #[repr(C)]
    struct Attributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
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
            AT,
            path.as_ptr(),
            AT_RECURSIVE,
            &raw const change,
            size_of::<Attributes>(),
        )
    } as c_int)
    .map(drop)
}

/// Makes the current folder, which must be a mount, the root; the old root is gone.
pub(super) unsafe fn become_root() -> Result<(), c_int> {
    // SAFETY: constant strings.
    unsafe {
        check(libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) as c_int)?;
        check(libc::umount2(c".".as_ptr(), libc::MNT_DETACH))?;
        check(libc::chdir(c"/".as_ptr())).map(drop)
    }
}

/// Makes the calling process another user with one group. Not by the C library: its calls
/// speak to all threads of a process, and those of our parent's are not here.
pub(super) unsafe fn become_user(uid: u32, gid: u32) -> Result<(), c_int> {
    let (uid, gid) = (c_long::from(uid), c_long::from(gid));
    // SAFETY: numbers, and no groups at all.
    unsafe {
        check(libc::syscall(libc::SYS_setgroups, 0, ptr::null::<u8>()) as c_int)?;
        check(libc::syscall(libc::SYS_setresgid, gid, gid, gid) as c_int)?;
        check(libc::syscall(libc::SYS_setresuid, uid, uid, uid) as c_int).map(drop)
    }
}

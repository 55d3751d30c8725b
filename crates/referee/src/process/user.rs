//! Who a program runs as: ourselves, or a user without any rights if we are root.

use std::io;
use std::os::fd::BorrowedFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A user that owns nothing but the folder of one program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct User {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// Numbers that no account has: far above those that systems give to people, services and
/// containers.
const FIRST: u32 = 1_910_000_000;
const COUNT: u32 = 1 << 20;
/// The account without rights of every system, where high numbers are not to be had.
const NOBODY: u32 = 65534;

impl User {
    /// Ourselves.
    pub(crate) fn own() -> User {
        // SAFETY: these two only read our own identity.
        let (uid, gid) = unsafe { (libc::geteuid(), libc::getegid()) };
        User { uid, gid }
    }

    /// A user for one program: one of its own if we are root, so that programs cannot reach
    /// each other either.
    pub(crate) fn of_program() -> User {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let own = User::own();
        if own.uid != 0 {
            return own;
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let number = std::process::id().wrapping_mul(997).wrapping_add(number) % COUNT;
        let id = if high_numbers() {
            FIRST + number
        } else {
            NOBODY
        };
        User { uid: id, gid: id }
    }

    /// Whether this is somebody else than ourselves.
    pub(crate) fn is_other(self) -> bool {
        self != User::own()
    }

    /// Whether nobody else runs as this user: what the kernel counts by user is the program's.
    pub(crate) fn is_alone(self) -> bool {
        (FIRST..FIRST + COUNT).contains(&self.uid)
    }

    /// Lets this thread act on files as this user until the result is dropped.
    pub(crate) fn act(self) -> Acting {
        let own = User::own();
        if self.is_other() {
            become_for_files(self);
        }
        Acting(own)
    }
}

/// A thread that acts on files as somebody else.
pub(crate) struct Acting(User);

impl Drop for Acting {
    fn drop(&mut self) {
        become_for_files(self.0);
    }
}

fn become_for_files(user: User) {
    // SAFETY: changes only how this thread is seen by file systems. The group goes first:
    // afterwards the right to change it may be gone.
    unsafe {
        if user.uid == 0 {
            libc::setfsuid(user.uid);
            libc::setfsgid(user.gid);
        } else {
            libc::setfsgid(user.gid);
            libc::setfsuid(user.uid);
        }
    }
}

/// Whether our own user namespace knows high numbers: in a container it may not.
fn high_numbers() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        ["/proc/self/uid_map", "/proc/self/gid_map"]
            .iter()
            .all(|map| {
                let text = std::fs::read_to_string(map).unwrap_or_default();
                text.lines().any(|line| {
                    let numbers: Vec<u64> = line.split_whitespace().flat_map(str::parse).collect();
                    matches!(numbers[..], [first, _, count]
                    if first <= u64::from(FIRST) && u64::from(FIRST + COUNT) <= first + count)
                })
            })
    })
}

/// Makes an open file another user's.
pub(super) fn give(file: BorrowedFd<'_>, user: User) -> io::Result<()> {
    std::os::unix::fs::fchown(file, Some(user.uid), Some(user.gid))
}

/// Lets a process in a user namespace of its own be `user` out here and `inside` in there.
/// Only who has the right to (we, its parent) can write this down.
pub(super) fn write_maps(process: libc::pid_t, user: User, inside: u32) -> io::Result<()> {
    let write = |name: &str, text: String| std::fs::write(format!("/proc/{process}/{name}"), text);
    if !user.is_other() {
        // Without that right nobody may give up groups.
        write("setgroups", "deny".into())?;
    }
    write("uid_map", format!("{inside} {} 1", user.uid))?;
    write("gid_map", format!("{inside} {} 1", user.gid))
}

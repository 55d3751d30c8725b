//! The walls around a program: namespaces, or Landlock, or none; and what all of them
//! have in common.

use std::ffi::{c_int, c_ulong};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use super::child::FILES;
use super::filter::Filter;
use super::landlock;
use super::root::Root;
use super::syscalls::{become_user, check};
use super::user::User;

/// How the program is walled in; prepared before the fork, built after it.
pub(super) enum Walls {
    /// Only process group, session, filter and resource limits, and a ruleset of Landlock, if
    /// there is one, that sets the program apart from the referee.
    None(Option<OwnedFd>),
    /// Own namespaces of users, processes, mounts, network and the like.
    Namespaces(Box<Root>),
    /// A Landlock ruleset, ready to be applied.
    Landlock(OwnedFd),
    /// The program `bwrap` builds them, applies the filters in these files, and notes in the last
    /// one what became of the program.
    Bwrap([OwnedFd; FILES.len()]),
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
                    | libc::CLONE_NEWCGROUP
            }
            Walls::None(_) | Walls::Landlock(_) | Walls::Bwrap(_) => 0,
        }
    }

    /// Whether the supervisor is process 1 of a space of its own.
    pub(super) fn own_process_space(&self) -> bool {
        matches!(self, Walls::Namespaces(_))
    }

    /// What must stay open in the child besides its pipes.
    pub(super) fn files(&self) -> [Option<RawFd>; FILES.len()] {
        match self {
            Walls::Landlock(ruleset) | Walls::None(Some(ruleset)) => {
                [Some(ruleset.as_raw_fd()), None, None]
            }
            Walls::Bwrap(files) => files.each_ref().map(|file| Some(file.as_raw_fd())),
            Walls::None(None) | Walls::Namespaces(_) => [None; FILES.len()],
        }
    }

    /// What `bwrap` notes, to be read when it has ended.
    pub(super) fn notes(&self) -> io::Result<Option<File>> {
        let Walls::Bwrap([.., notes]) = self else {
            return Ok(None);
        };
        notes.try_clone().map(|notes| Some(notes.into()))
    }

    /// What the supervisor does before it starts the program; a handle of the program's
    /// folder if these walls make one.
    ///
    /// # Safety
    /// Runs between fork and exec: system calls only.
    pub(super) unsafe fn build(&self) -> Result<Option<RawFd>, c_int> {
        match self {
            // SAFETY: the caller's promise is the same.
            Walls::Namespaces(root) => unsafe { root.build() }.map(Some),
            Walls::None(_) | Walls::Landlock(_) | Walls::Bwrap(_) => Ok(None),
        }
    }

    /// What the program's own process does before it becomes the program: from here on it
    /// is `user`, without any privilege, and cannot get one.
    ///
    /// # Safety
    /// Runs between fork and exec: system calls only.
    pub(super) unsafe fn enter(
        &self,
        file: RawFd,
        user: Option<User>,
        filter: &Filter,
    ) -> Result<(), c_int> {
        // SAFETY: system calls only.
        unsafe {
            // What is not allowed has been given up already.
            for capability in 0..64 {
                libc::prctl(libc::PR_CAPBSET_DROP, capability as c_ulong, 0, 0, 0);
            }
            if let Some(user) = user.filter(|_| !self.own_process_space()) {
                become_user(user.uid, user.gid)?;
            }
            // `bwrap` may need to be privileged, and does the rest itself.
            if let Walls::Bwrap(_) = self {
                return Ok(());
            }
            drop_capabilities()?;
            check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
            if let Walls::Landlock(_) | Walls::None(Some(_)) = self {
                landlock::restrict_self(file)?;
            }
            filter.apply()
        }
    }
}

/// Gives up every capability.
unsafe fn drop_capabilities() -> Result<(), c_int> {
    #[repr(C)]
    struct Header {
        version: u32,
        process: c_int,
    }
    const VERSION_3: u32 = 0x2008_0522;
    let header = Header {
        version: VERSION_3,
        process: 0,
    };
    let none = [0_u32; 6];
    // SAFETY: the kernel reads the header and two times three numbers.
    check(unsafe {
        libc::prctl(
            libc::PR_CAP_AMBIENT,
            libc::PR_CAP_AMBIENT_CLEAR_ALL,
            0,
            0,
            0,
        );
        libc::syscall(libc::SYS_capset, &raw const header, none.as_ptr())
    } as c_int)
    .map(drop)
}

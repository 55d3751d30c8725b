//! The line between the referee and the supervisor.
//!
//! The referee says when the user map is written; the supervisor builds the walls and hands
//! over the program's folder and clock; the referee fills the folder and lets it go. Afterwards
//! nobody says anything more: the line breaks when the referee is gone.

use std::ffi::c_int;
use std::io;
use std::mem;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

/// What the supervisor hands over.
#[derive(Debug, Default)]
pub(super) struct Handles {
    /// The program's folder, if the walls have made one.
    pub(super) folder: Option<OwnedFd>,
    /// The counter of processor time, if the kernel has one for us.
    pub(super) clock: Option<OwnedFd>,
}

/// Two ends: the referee's and the supervisor's.
pub(super) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [-1; 2];
    let kind = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC;
    // SAFETY: the array takes two descriptors, which are nobody else's.
    unsafe {
        if libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

/// Lets the supervisor go on. One that has died shows in its report.
pub(super) fn go_on(end: &OwnedFd) {
    // SAFETY: one byte of a constant; no signal if nobody listens.
    unsafe {
        libc::send(end.as_raw_fd(), b"!".as_ptr().cast(), 1, libc::MSG_NOSIGNAL);
    }
}

/// Waits for that; `false` if the referee is gone.
///
/// # Safety
/// Runs between fork and exec: one system call.
pub(super) unsafe fn wait(end: RawFd) -> bool {
    let mut byte = 0_u8;
    // SAFETY: the byte is ours.
    unsafe { libc::read(end, (&raw mut byte).cast(), 1) == 1 }
}

/// Room for a control message with two descriptors.
#[repr(C, align(8))]
struct Ancillary([u8; 64]);

/// Hands over descriptors; -1 for one that there is not.
///
/// # Safety
/// Runs between fork and exec: one system call.
pub(super) unsafe fn hand_over(end: RawFd, folder: RawFd, clock: RawFd) -> Result<(), c_int> {
    let mut which = u8::from(folder >= 0) | u8::from(clock >= 0) << 1;
    let list = if folder >= 0 {
        [folder, clock]
    } else {
        [clock, -1]
    };
    let count = which.count_ones() as usize;
    let mut room = Ancillary([0; 64]);
    // SAFETY: all structures live for the call, and the room is large enough and aligned.
    unsafe {
        let mut part = libc::iovec {
            iov_base: (&raw mut which).cast(),
            iov_len: 1,
        };
        let mut message: libc::msghdr = mem::zeroed();
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        if count > 0 {
            let bytes = (count * size_of::<RawFd>()) as u32;
            message.msg_control = room.0.as_mut_ptr().cast();
            message.msg_controllen = libc::CMSG_SPACE(bytes) as _;
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(bytes) as _;
            let data = libc::CMSG_DATA(header).cast::<RawFd>();
            for (index, fd) in list.iter().take(count).enumerate() {
                data.add(index).write_unaligned(*fd);
            }
        }
        super::syscalls::check(libc::sendmsg(end, &raw const message, libc::MSG_NOSIGNAL) as c_int)
            .map(drop)
    }
}

/// Takes what the supervisor hands over; `None` if it died or took too long.
pub(super) fn take_over(end: &OwnedFd, patience: Duration) -> Option<Handles> {
    let mut poll = libc::pollfd {
        fd: end.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    let mut which = 0_u8;
    let mut room = Ancillary([0; 64]);
    // SAFETY: all structures live for the calls; new descriptors are nobody else's.
    unsafe {
        while libc::poll(&raw mut poll, 1, patience.as_millis() as c_int) == -1
            && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
        {}
        let mut part = libc::iovec {
            iov_base: (&raw mut which).cast(),
            iov_len: 1,
        };
        let mut message: libc::msghdr = mem::zeroed();
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = room.0.as_mut_ptr().cast();
        message.msg_controllen = room.0.len() as _;
        let flags = libc::MSG_DONTWAIT | libc::MSG_CMSG_CLOEXEC;
        if libc::recvmsg(end.as_raw_fd(), &raw mut message, flags) != 1 {
            return None;
        }
        let mut list = Vec::new();
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        if !header.is_null() && (*header).cmsg_type == libc::SCM_RIGHTS {
            let data = libc::CMSG_DATA(header).cast::<RawFd>();
            for index in 0..which.count_ones() as usize {
                list.push(OwnedFd::from_raw_fd(data.add(index).read_unaligned()));
            }
        }
        let mut list = list.into_iter();
        Some(Handles {
            folder: (which & 1 != 0).then(|| list.next()).flatten(),
            clock: (which & 2 != 0).then(|| list.next()).flatten(),
        })
    }
}

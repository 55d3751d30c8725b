//! The processor time of a whole tree of processes, also of those that nobody waited for.
//!
//! A counter of the kernel (`perf_event_open`) that children inherit: what a process has
//! used is added when it ends, however it ends. Polling `/proc` would miss children that
//! are reaped automatically.

use std::fs::File;
use std::io::Read;
use std::os::fd::{OwnedFd, RawFd};
use std::time::Duration;

/// A counter of processor time.
#[derive(Debug)]
pub(super) struct TreeClock {
    counter: File,
    /// What the supervisor itself had used when the program started.
    before: Duration,
}

impl TreeClock {
    pub(super) fn new(counter: OwnedFd) -> TreeClock {
        TreeClock {
            counter: counter.into(),
            before: Duration::ZERO,
        }
    }

    /// From now on the program's time is counted.
    pub(super) fn start(&mut self) {
        self.before = self.total();
    }

    /// Processor time since the start.
    pub(super) fn used(&self) -> Duration {
        self.total().saturating_sub(self.before)
    }

    fn total(&self) -> Duration {
        let mut bytes = [0; 8];
        match (&self.counter).read_exact(&mut bytes) {
            Ok(()) => Duration::from_nanos(u64::from_ne_bytes(bytes)),
            Err(_) => Duration::ZERO,
        }
    }
}

/// Processor time of the calling thread so far.
pub(crate) fn of_this_thread() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a live timespec, which the call fills in.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    match result {
        0 => Duration::new(time.tv_sec as u64, time.tv_nsec as u32),
        _ => Duration::ZERO,
    }
}

/// Opens a counter for the calling process and all its future children; -1 if the kernel
/// does not let us.
///
/// # Safety
/// Runs between fork and exec: one system call.
pub(super) unsafe fn open() -> RawFd {
    /// The beginning of the kernel's structure; the rest is zero.
    #[repr(C)]
    struct Attributes {
        kind: u32,
        size: u32,
        config: u64,
        unused: [u64; 3],
        flags: u64,
        rest: [u64; 8],
    }
    const SOFTWARE: u32 = 1;
    const TASK_CLOCK: u64 = 1;
    const INHERIT: u64 = 1 << 1;
    // Time in the kernel counts all the same; without these only root might ask.
    const EXCLUDE_KERNEL: u64 = 1 << 5;
    const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
    let attributes = Attributes {
        kind: SOFTWARE,
        size: size_of::<Attributes>() as u32,
        config: TASK_CLOCK,
        unused: [0; 3],
        flags: INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
        rest: [0; 8],
    };
    const CLOSE_ON_EXEC: u64 = 1 << 3;
    // SAFETY: the kernel reads a live structure of the given size.
    unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            0,
            -1,
            -1,
            CLOSE_ON_EXEC,
        ) as RawFd
    }
}

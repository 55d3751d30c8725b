//! What happens after the fork: the supervisor, and the program below it.
//!
//! The supervisor is the first process of the program's own world. It starts the
//! program, waits for its end, kills whatever is left of its tree, and reports. With
//! namespaces it is process 1 of its own process namespace, so that its death is the
//! death of the whole tree; without them it is the "subreaper" to whom orphans fall, and
//! outlives a referee that is killed just long enough to sweep.
//!
//! Between fork and exec in a process with threads only system calls are allowed: no
//! allocation, no locks. Everything is therefore prepared in a [`Plan`] beforehand.

use std::ffi::{CString, c_char, c_int, c_long, c_void};
use std::mem::MaybeUninit;
use std::os::fd::RawFd;
use std::ptr;
#[cfg(target_env = "gnu")]
use std::sync::Once;

use super::filter::Filter;
use super::sandbox::Walls;
use super::syscalls::errno;
use super::user::User;
use super::{clock, control};

/// Everything the child needs, ready made.
pub(super) struct Plan {
    /// The program.
    pub(super) path: CString,
    /// Its arguments, the program's name first.
    pub(super) args: Pointers,
    /// Its environment.
    pub(super) env: Pointers,
    /// The folder to run in.
    pub(super) folder: CString,
    /// Resource limits: which, and how much.
    pub(super) rlimits: Vec<(Resource, u64)>,
    /// How the program is walled in.
    pub(super) walls: Walls,
    /// Who it runs as, if that is somebody else.
    pub(super) user: Option<User>,
    /// What it may not ask of the kernel.
    pub(super) filter: Filter,
}

/// The type of a resource's name differs between C libraries.
#[cfg(target_env = "gnu")]
pub(super) type Resource = libc::__rlimit_resource_t;
/// The type of a resource's name differs between C libraries.
#[cfg(not(target_env = "gnu"))]
pub(super) type Resource = c_int;

/// How often a program is started whose file is busy: two seconds in all.
const BUSY_TRIES: u32 = 2_000;

/// How long to wait between two tries.
const BUSY_MICROSECONDS: u32 = 1_000;

/// A list of C strings, ended by a null pointer, as `execve` wants it.
pub(super) struct Pointers {
    pointers: Vec<*const c_char>,
    _strings: Vec<CString>,
}

impl Pointers {
    pub(super) fn new(strings: Vec<CString>) -> Pointers {
        let pointers = strings
            .iter()
            .map(|string| string.as_ptr())
            .chain([ptr::null()])
            .collect();
        Pointers {
            pointers,
            _strings: strings,
        }
    }
}

/// What the supervisor reports to the referee, and the program's process before it is the program:
/// one message after the other.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    /// Which of the messages this is.
    pub(super) kind: u32,
    /// The program's process number ([`STARTED`]), how it ended ([`ENDED`], [`SWEPT`]),
    /// or the system's error ([`FAILED`]).
    pub(super) code: i32,
    /// Monotonic clock in nanoseconds at the program's start or end.
    pub(super) clock: u64,
    /// Processor time in microseconds: the supervisor's own ([`STARTED`]), or that of
    /// the program and all its children ([`SWEPT`]).
    pub(super) cpu: u64,
    /// Most memory in bytes: what the fork itself counts for ([`STARTED`]), or the
    /// largest of the program and its children ([`SWEPT`]).
    pub(super) memory: u64,
}

/// The program runs.
pub(super) const STARTED: u32 = 1;
/// The program has ended, but somebody is left of its tree.
pub(super) const ENDED: u32 = 2;
/// The program has ended, and nothing is left of its tree.
pub(super) const SWEPT: u32 = 3;
/// It could not be started; the message's clock says in which [`Step`].
pub(super) const FAILED: u32 = 4;

/// Where a start failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Building the walls.
    Walls = 1,
    /// Starting the program itself.
    Exec = 2,
}

/// The ends of pipes that the child inherits.
#[derive(Clone, Copy)]
pub(super) struct Ends {
    pub(super) stdin: RawFd,
    pub(super) stdout: RawFd,
    pub(super) stderr: RawFd,
    pub(super) report: RawFd,
    pub(super) control: RawFd,
}

/// Where the supervisor keeps the reporting end, the line to the referee, and then what the
/// walls need.
const REPORT: RawFd = 3;
const CONTROL: RawFd = 4;
pub(super) const FILES: [RawFd; 3] = [5, 6, 7];

/// Forks the supervisor, into a control group if there is one; returns its process number to
/// the referee.
pub(super) fn fork(plan: &Plan, ends: Ends, group: Option<RawFd>) -> std::io::Result<libc::pid_t> {
    // SAFETY: the child goes straight into `supervise`, which makes system calls only,
    // never returns, and touches nothing but the plan and its own stack.
    unsafe {
        match clone(plan.walls.clone_flags(), group) {
            -1 => Err(std::io::Error::last_os_error()),
            0 => supervise(plan, ends),
            pid => Ok(pid),
        }
    }
}

/// Lets the C library give freed memory back to the system soon. Every start of a program copies
/// the page tables of all that the referee holds, and a site frees megabytes at every login.
pub(super) fn keep_little_free_memory() {
    #[cfg(target_env = "gnu")]
    {
        const LARGE_BLOCK: c_int = 1 << 20;
        const KEPT: c_int = 4 << 20;
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // SAFETY: both numbers only say when memory is asked for and given back.
            unsafe {
                libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BLOCK);
                libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
            }
        });
    }
}

/// A fork that runs no handlers of the C library (they may wait for locks that no
/// thread of the child will ever release).
unsafe fn clone(flags: c_int, group: Option<RawFd>) -> libc::pid_t {
    const INTO_GROUP: u64 = 0x2_0000_0000;
    #[repr(C)]
    struct Arguments {
        flags: u64,
        pidfd: u64,
        child_tid: u64,
        parent_tid: u64,
        exit_signal: u64,
        stack: u64,
        stack_size: u64,
        tls: u64,
        set_tid: u64,
        set_tid_size: u64,
        group: u64,
    }
    let arguments = Arguments {
        flags: flags as u64 | group.map_or(0, |_| INTO_GROUP),
        pidfd: 0,
        child_tid: 0,
        parent_tid: 0,
        exit_signal: libc::SIGCHLD as u64,
        stack: 0,
        stack_size: 0,
        tls: 0,
        set_tid: 0,
        set_tid_size: 0,
        group: group.unwrap_or(0) as u64,
    };
    // SAFETY: the kernel reads a live structure of the given size; without a stack of
    // its own the child goes on with a copy of ours, as after a fork.
    unsafe {
        libc::syscall(
            libc::SYS_clone3,
            &raw const arguments,
            size_of::<Arguments>(),
        ) as libc::pid_t
    }
}

/// The supervisor's whole life.
unsafe fn supervise(plan: &Plan, ends: Ends) -> ! {
    // SAFETY: system calls on our own descriptors and on prepared strings only.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        libc::setsid();
        reset_signals();
        take_ends(ends, plan.walls.files());
        if !control::wait(CONTROL) {
            libc::_exit(127);
        }
        let folder = match plan.walls.build() {
            Ok(folder) => folder.unwrap_or(-1),
            Err(error) => fail(Step::Walls, error),
        };
        // Becoming somebody else has undone these.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        let counter = clock::open();
        if let Err(error) = control::hand_over(CONTROL, folder, counter) {
            fail(Step::Walls, error);
        }
        libc::close(folder);
        libc::close(counter);
        if !control::wait(CONTROL) {
            libc::_exit(127);
        }
        // Whoever is killed cannot sweep. From here on the line tells of the referee's end.
        if !plan.walls.own_process_space() {
            libc::prctl(libc::PR_SET_PDEATHSIG, 0);
        }
        let program = match start(plan) {
            -1 => fail(Step::Exec, errno()),
            pid => pid,
        };
        for end in 0..REPORT {
            libc::close(end);
        }
        let Some(status) = wait_for(program) else {
            sweep(program, plan.walls.own_process_space());
            libc::_exit(127);
        };
        let clock = now();
        // Every message wakes the referee, so one must do where nobody is left to sweep.
        if has_children() {
            send(Message {
                kind: ENDED,
                code: status,
                clock,
                cpu: 0,
                memory: 0,
            });
            sweep(program, plan.walls.own_process_space());
        }
        let usage = rusage(libc::RUSAGE_CHILDREN);
        send(Message {
            kind: SWEPT,
            code: status,
            clock,
            cpu: cpu_of(&usage),
            memory: memory_of(&usage),
        });
        libc::_exit(0)
    }
}

/// What the process that turns into the program has to begin with.
struct Start<'a> {
    plan: &'a Plan,
    /// What the supervisor had used by then.
    used: libc::rusage,
}

/// Stack for what happens before the program has memory of its own.
const STACK: usize = 64 << 10;

/// Starts the program; -1 if there can be no process. Its process works in the supervisor's memory,
/// on a stack of its own, until it has turned into the program; so long the supervisor waits. A
/// copy of the memory would cost the more the larger the referee is, and be thrown away at once.
unsafe fn start(plan: &Plan) -> libc::pid_t {
    extern "C" fn run(start: *mut c_void) -> c_int {
        // SAFETY: the structure lives in the frame of the supervisor, which waits. What follows
        // makes system calls only and never returns.
        unsafe {
            let Start { plan, used } = &*start.cast::<Start<'_>>();
            // The program's clock runs from here, however long its file cannot be opened.
            send(Message {
                kind: STARTED,
                code: libc::getpid(),
                clock: now(),
                cpu: cpu_of(used),
                memory: memory_of(used),
            });
            become_program(plan)
        }
    }
    #[repr(align(16))]
    struct Stack(MaybeUninit<[u8; STACK]>);
    let mut stack = Stack(MaybeUninit::uninit());
    let mut start = Start {
        plan,
        used: rusage(libc::RUSAGE_SELF),
    };
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the stack, which grows downwards, and the structure outlive the use of our memory:
    // the call returns when the other process has its own memory, or is gone.
    unsafe {
        let top = stack.0.as_mut_ptr().cast::<u8>().add(STACK);
        libc::clone(run, top.cast(), flags, (&raw mut start).cast())
    }
}

/// Waits for the program's end and buries its orphans meanwhile; how it ended. `None` if the referee
/// is gone, whose end closes the line, however it ends.
unsafe fn wait_for(program: libc::pid_t) -> Option<c_int> {
    extern "C" fn wake(_: c_int) {}
    // SAFETY: as above; the sets and the list live for the calls, and the handler does nothing.
    unsafe {
        // A child that ends just before we sleep must wake us, too: its signal gets through only
        // while we sleep.
        let mut none = std::mem::zeroed::<libc::sigset_t>();
        libc::sigemptyset(&raw mut none);
        let mut of_children = none;
        libc::sigaddset(&raw mut of_children, libc::SIGCHLD);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const of_children, ptr::null_mut());
        let mut action = std::mem::zeroed::<libc::sigaction>();
        action.sa_sigaction = wake as extern "C" fn(c_int) as usize;
        libc::sigaction(libc::SIGCHLD, &raw const action, ptr::null_mut());
        let mut status = 0;
        loop {
            let flags = libc::WNOHANG | libc::__WALL;
            match libc::wait4(-1, &raw mut status, flags, ptr::null_mut()) {
                0 => {
                    let mut line = libc::pollfd {
                        fd: CONTROL,
                        events: 0,
                        revents: 0,
                    };
                    libc::ppoll(&raw mut line, 1, ptr::null(), &raw const none);
                    if line.revents != 0 {
                        return None;
                    }
                }
                -1 if errno() != libc::EINTR => return Some(status),
                pid if pid == program => return Some(status),
                _ => {}
            }
        }
    }
}

/// Whether the program left anybody behind: its orphans have become our children.
unsafe fn has_children() -> bool {
    let mut status = 0;
    // SAFETY: the status is ours; nobody is waited for.
    unsafe {
        loop {
            let flags = libc::WNOHANG | libc::__WALL;
            match libc::wait4(-1, &raw mut status, flags, ptr::null_mut()) {
                0 => return true,
                -1 => return errno() != libc::ECHILD,
                // One that had ended already is buried now.
                _ => {}
            }
        }
    }
}

/// Turns the process into the program.
unsafe fn become_program(plan: &Plan) -> ! {
    // SAFETY: as above.
    unsafe {
        libc::setsid();
        libc::umask(0o022);
        for &(resource, limit) in &plan.rlimits {
            let mut both = libc::rlimit {
                rlim_cur: limit,
                rlim_max: limit,
            };
            let mut old = both;
            libc::getrlimit(resource, &raw mut old);
            both.rlim_max = both.rlim_max.min(old.rlim_max);
            both.rlim_cur = both.rlim_cur.min(both.rlim_max);
            libc::setrlimit(resource, &raw const both);
        }
        libc::fcntl(REPORT, libc::F_SETFD, libc::FD_CLOEXEC);
        libc::fcntl(CONTROL, libc::F_SETFD, libc::FD_CLOEXEC);
        if let Err(error) = plan.walls.enter(FILES[0], plan.user, &plan.filter) {
            fail(Step::Walls, error);
        }
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::chdir(plan.folder.as_ptr()) != 0 {
            fail(Step::Walls, errno());
        }
        if !matches!(plan.walls, Walls::Bwrap(_)) {
            for file in FILES {
                libc::close(file);
            }
        }
        // The file of a program that was just built or copied by somebody else is busy while a
        // process that was started in that moment still holds it open.
        for _ in 0..BUSY_TRIES {
            libc::execve(
                plan.path.as_ptr(),
                plan.args.pointers.as_ptr(),
                plan.env.pointers.as_ptr(),
            );
            if errno() != libc::ETXTBSY {
                break;
            }
            libc::usleep(BUSY_MICROSECONDS);
        }
        fail(Step::Exec, errno())
    }
}

/// Kills all that the program left behind and waits until it is gone.
unsafe fn sweep(program: libc::pid_t, own_process_space: bool) {
    // SAFETY: as above; process 1 of its own space reaches nobody outside with -1.
    unsafe {
        loop {
            if own_process_space {
                libc::kill(-1, libc::SIGKILL);
            } else {
                libc::kill(-program, libc::SIGKILL);
                kill_children();
            }
            // One dies at least; bury with it all that are dead, so that a thousand
            // processes do not take a thousand rounds of killing.
            let mut status = 0;
            let pid = libc::wait4(-1, &raw mut status, libc::__WALL, ptr::null_mut());
            if pid == -1 && errno() == libc::ECHILD || !has_children() {
                return;
            }
        }
    }
}

/// Kills our children; theirs become ours, and are found in the next round.
unsafe fn kill_children() {
    // SAFETY: as above; the buffer is ours.
    unsafe {
        let file = libc::open(
            c"/proc/thread-self/children".as_ptr(),
            libc::O_RDONLY | libc::O_CLOEXEC,
        );
        if file < 0 {
            return;
        }
        let mut buffer = [0_u8; 4096];
        let mut pid: libc::pid_t = 0;
        loop {
            let count = libc::read(file, buffer.as_mut_ptr().cast(), buffer.len());
            if count <= 0 {
                break;
            }
            for &byte in &buffer[..count as usize] {
                if byte.is_ascii_digit() {
                    pid = pid
                        .wrapping_mul(10)
                        .wrapping_add(libc::pid_t::from(byte - b'0'));
                } else if pid > 1 {
                    libc::kill(pid, libc::SIGKILL);
                    pid = 0;
                }
            }
        }
        libc::close(file);
    }
}

/// Moves our ends to 0, 1, 2, [`REPORT`], [`CONTROL`] and [`FILES`], and closes everything
/// else: other programs' pipes must not stay open because we hold them.
unsafe fn take_ends(ends: Ends, files: [Option<RawFd>; FILES.len()]) {
    // SAFETY: as above.
    unsafe {
        let [first, second, third] = files.map(|file| file.unwrap_or(ends.report));
        let Ends {
            stdin,
            stdout,
            stderr,
            report,
            control,
        } = ends;
        let mut moved = [stdin, stdout, stderr, report, control, first, second, third];
        // First out of the way: one of them may sit where another has to go.
        for end in &mut moved {
            *end = libc::fcntl(*end, libc::F_DUPFD_CLOEXEC, 16);
        }
        for (to, end) in (0..).zip(moved) {
            libc::dup2(end, to);
        }
        for (file, to) in files.iter().zip(FILES) {
            if file.is_none() {
                libc::close(to);
            }
        }
        libc::syscall(
            libc::SYS_close_range,
            c_long::from(FILES[2] + 1),
            c_long::from(u32::MAX),
            c_long::from(0),
        );
    }
}

/// Signals as a fresh program expects them: all with their usual effect, none blocked.
unsafe fn reset_signals() {
    // SAFETY: the set is ours; setting a default handler runs no code.
    unsafe {
        for signal in 1..32 {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut none = std::mem::zeroed::<libc::sigset_t>();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
    }
}

/// Reports a failure and ends.
unsafe fn fail(step: Step, error: c_int) -> ! {
    // SAFETY: as above.
    unsafe {
        send(Message {
            kind: FAILED,
            code: error,
            clock: step as u64,
            cpu: 0,
            memory: 0,
        });
        libc::_exit(127)
    }
}

/// Messages are far smaller than what a pipe takes in one piece.
unsafe fn send(message: Message) {
    // SAFETY: the message is plain data on our stack.
    unsafe {
        libc::write(REPORT, (&raw const message).cast(), size_of::<Message>());
    }
}

/// Monotonic clock in nanoseconds.
pub(super) fn now() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a live timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn rusage(who: c_int) -> libc::rusage {
    // SAFETY: all-zero is a valid rusage, and the call fills it in.
    unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(who, &raw mut usage);
        usage
    }
}

/// Processor time in microseconds.
pub(super) fn cpu_of(usage: &libc::rusage) -> u64 {
    let micros = |time: libc::timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
    micros(usage.ru_utime) + micros(usage.ru_stime)
}

/// Most memory in bytes.
pub(super) fn memory_of(usage: &libc::rusage) -> u64 {
    usage.ru_maxrss as u64 * 1024
}

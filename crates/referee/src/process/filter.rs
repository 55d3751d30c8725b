//! The system-call filter of programs: what no player needs is refused.
//!
//! Refused calls fail with an error instead of killing, so that runtimes which only try
//! them go on. A call of another processor architecture kills.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_long};
use std::sync::OnceLock;

use libc::sock_filter;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};

use super::syscalls::check;
use crate::IsolationMode;

/// Calls that are refused altogether.
#[rustfmt::skip]
const REFUSED: &[c_long] = &[
    // Keys, which outlive the program.
    libc::SYS_add_key, libc::SYS_keyctl, libc::SYS_request_key,
    // Namespaces and mounts.
    libc::SYS_unshare, libc::SYS_setns, libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root,
    libc::SYS_chroot, libc::SYS_fsopen, libc::SYS_fsconfig, libc::SYS_fsmount, libc::SYS_fspick,
    libc::SYS_open_tree, libc::SYS_move_mount, libc::SYS_mount_setattr, OPEN_TREE_ATTR,
    // Other processes.
    libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev,
    libc::SYS_process_madvise, libc::SYS_kcmp, libc::SYS_pidfd_getfd, libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // The kernel's own.
    libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_userfaultfd, libc::SYS_kexec_load,
    libc::SYS_init_module, libc::SYS_finit_module, libc::SYS_delete_module, libc::SYS_reboot,
    libc::SYS_swapon, libc::SYS_swapoff, libc::SYS_acct, libc::SYS_quotactl, libc::SYS_quotactl_fd,
    libc::SYS_syslog,
    libc::SYS_settimeofday, libc::SYS_clock_settime, libc::SYS_adjtimex, libc::SYS_clock_adjtime,
    libc::SYS_sethostname, libc::SYS_setdomainname, libc::SYS_vhangup, libc::SYS_fanotify_init,
    libc::SYS_lookup_dcookie, libc::SYS_nfsservctl, libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // Memory that no process holds, and what outlives processes.
    libc::SYS_shmget, libc::SYS_shmat, libc::SYS_shmctl, libc::SYS_shmdt, libc::SYS_semget,
    libc::SYS_semop, libc::SYS_semctl, libc::SYS_semtimedop, libc::SYS_msgget, libc::SYS_msgsnd,
    libc::SYS_msgrcv, libc::SYS_msgctl, libc::SYS_mq_open, libc::SYS_mq_unlink,
    libc::SYS_memfd_secret,
    // Filters of its own, which the kernel keeps, and which write what they like into its log.
    libc::SYS_seccomp,
    // Everybody's files are written when they are.
    libc::SYS_sync, libc::SYS_syncfs,
    // Timers that send any signal, and so continue a program that was halted, or kill the one whose
    // end continues it. Those of `setitimer`, `alarm` and `timerfd` only ring.
    libc::SYS_timer_create,
    // What the whole machine, or all of a user, have a fixed number of.
    libc::SYS_io_setup, libc::SYS_inotify_init1,
    #[cfg(target_arch = "x86_64")] libc::SYS_inotify_init,
    // Notes on files.
    libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, libc::SYS_removexattr,
    libc::SYS_lremovexattr, libc::SYS_fremovexattr, SETXATTRAT, REMOVEXATTRAT, FILE_SETATTR,
    // Where and when it runs is the referee's affair.
    libc::SYS_sched_setaffinity, libc::SYS_sched_setscheduler, libc::SYS_sched_setparam,
    libc::SYS_sched_setattr, libc::SYS_setpriority, libc::SYS_ioprio_set,
    #[cfg(target_arch = "x86_64")] libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")] libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")] libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")] libc::SYS_modify_ldt,
    #[cfg(target_arch = "x86_64")] libc::SYS_uselib,
];

const FIOSETOWN: u32 = 0x8901;
const SIOCSPGRP: u32 = 0x8902;
/// Flags and extended flags of a file, which stay with it.
const FS_IOC_SETFLAGS: u32 = 0x4008_6602;
const FS_IOC_FSSETXATTR: u32 = 0x401c_5820;
const F_SETSIG: u32 = 10;
const F_SETOWN_EX: u32 = 15;
/// Right of the owner to read a file.
const OWNER_READS: u32 = 0o400;

/// The limit of core files; its type differs between C libraries.
const RLIMIT_CORE: u32 = 4;

/// Keeps others off the other half of a processor core.
const PR_SCHED_CORE: u32 = 62;

/// Newer than the C library's list; the same number on every architecture.
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;
/// The first number that had no call when this was written: what comes with newer kernels is not
/// there for programs until somebody has thought about it.
const UNKNOWN: u32 = 470;

/// Calls by which a program could change rights and owners of files, which Landlock does not guard
/// if they can be seen or are the program's own, or speak to services by their sockets, which it
/// does not guard.
const UNGUARDED: &[c_long] = &[
    libc::SYS_socket,
    // Open files that are on their way in a socket are in no list of any process.
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    FCHMODAT2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
];

/// Calls that set times of files: everybody may set those of devices, where they stay for other
/// programs to see. Landlock does not guard them, and `bwrap` cannot show devices read-only.
const TIMES: &[c_long] = &[
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Calls that do not exist for a program, so that runtimes take the older or plainer way.
/// The arguments of `clone3` lie in memory, where a filter cannot see namespaces.
/// Those of `openat2` do, too, and hold the rights of a new file. A pipe that is filled by
/// `vmsplice` keeps pages alive that no process has any more, huge ones as a whole. The kernel keeps
/// as many rules of Landlock as a program likes, in memory that nobody counts.
const ABSENT: [c_long; 10] = [
    libc::SYS_clone3,
    libc::SYS_openat2,
    libc::SYS_memfd_create,
    libc::SYS_vmsplice,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
];

/// Calls that put pages of files into pipes, where nobody counts them: they stay when the file is
/// gone, and a pipe may hold on to millions of bytes by each of its small pieces. Runtimes copy
/// where a file is not made for these.
const UNSUITED: [c_long; 3] = [libc::SYS_splice, libc::SYS_tee, libc::SYS_sendfile];

/// The processes that a program without a process space of its own must not send signals
/// to. The supervisor's number is known only after the fork, and so stands for itself here.
const SUPERVISOR: u32 = 0x7e57_0001;
/// As well as the negative number of the program's own group.
const OWN_GROUP: u32 = 0x7e57_0002;

/// Filters, all of which hold.
#[derive(Clone)]
pub(super) struct Filter([BpfProgram; 2]);

impl Filter {
    /// The filter of a program behind these walls.
    pub(super) fn new(mode: IsolationMode) -> Result<Filter, String> {
        static MADE: [OnceLock<Result<Filter, String>>; 4] = [const { OnceLock::new() }; 4];
        let number = match mode {
            IsolationMode::Namespaces => 0,
            IsolationMode::Bwrap => 1,
            IsolationMode::Landlock => 2,
            IsolationMode::None | IsolationMode::Auto => 3,
        };
        MADE[number]
            .get_or_init(|| make(mode).map_err(|error| error.to_string()))
            .clone()
    }

    /// The filters as the kernel reads them.
    pub(super) fn bytes(&self) -> [Vec<u8>; 2] {
        let bytes = |program: &BpfProgram| {
            program
                .iter()
                .flat_map(|step| {
                    let [a, b] = step.code.to_ne_bytes();
                    let [c, d, e, f] = step.k.to_ne_bytes();
                    [a, b, step.jt, step.jf, c, d, e, f]
                })
                .collect()
        };
        self.0.each_ref().map(bytes)
    }

    /// Puts the filter on the calling process for ever.
    ///
    /// # Safety
    /// Runs between fork and exec, after privileges are given up: system calls, and writes
    /// into the child's own copy of the filter.
    pub(super) unsafe fn apply(&self) -> Result<(), c_int> {
        // SAFETY: the filter lives for the calls. Nobody else has this copy of our memory.
        unsafe {
            let (supervisor, own_group) = (libc::getppid() as u32, (-libc::getpid()) as u32);
            for program in &self.0 {
                let first = program.as_ptr().cast_mut();
                for index in 0..program.len() {
                    let number = &raw mut (*first.add(index)).k;
                    match *number {
                        SUPERVISOR => *number = supervisor,
                        OWN_GROUP => *number = own_group,
                        _ => {}
                    }
                }
                let list = libc::sock_fprog {
                    len: program.len() as u16,
                    filter: first.cast::<sock_filter>(),
                };
                const SET_MODE_FILTER: c_long = 1;
                let none: c_long = 0;
                check(
                    libc::syscall(libc::SYS_seccomp, SET_MODE_FILTER, none, &raw const list)
                        as c_int,
                )?;
            }
            Ok(())
        }
    }
}

fn make(mode: IsolationMode) -> Result<Filter, BackendError> {
    let own_process_space = matches!(mode, IsolationMode::Namespaces | IsolationMode::Bwrap);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in REFUSED {
        rules.insert(*call, Vec::new());
    }
    for (call, list) in partly(own_process_space)? {
        rules.insert(call, list);
    }
    if matches!(mode, IsolationMode::Landlock | IsolationMode::Bwrap) {
        rules.extend(TIMES.iter().map(|call| (*call, Vec::new())));
    }
    if mode == IsolationMode::Landlock {
        for call in UNGUARDED {
            rules.insert(*call, Vec::new());
        }
        // A socket for single messages can send them to any name.
        let pairs = rules.entry(libc::SYS_socketpair).or_default();
        for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
            let op = SeccompCmpOp::MaskedEq(0xf);
            let kind = SeccompCondition::new(1, SeccompCmpArgLen::Dword, op, kind as u64)?;
            pairs.push(SeccompRule::new(vec![kind])?);
        }
    }
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let refused = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?;
    Ok(Filter([absent(), refused.try_into()?]))
}

type Rules = Vec<SeccompRule>;

/// Calls that are refused with some arguments; without any rule, always.
fn partly(own_process_space: bool) -> Result<Vec<(c_long, Rules)>, BackendError> {
    use SeccompCmpOp::{Eq, Ge, MaskedEq, Ne};
    let when = |number: u8, op: SeccompCmpOp, value: u32| {
        SeccompCondition::new(number, SeccompCmpArgLen::Dword, op, value.into())
    };
    let rule = |conditions: Vec<SeccompCondition>| SeccompRule::new(conditions);
    let namespaces = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let mut in_clone = Vec::new();
    for flag in namespaces {
        let flag = flag as u32;
        in_clone.push(rule(vec![when(0, MaskedEq(flag.into()), flag)?])?);
    }
    // Each process has one list of open files and of locks, which are looked at.
    let (thread, files) = (libc::CLONE_THREAD as u32, libc::CLONE_FILES as u32);
    for alone in [thread, files] {
        let shared = MaskedEq((thread | files).into());
        in_clone.push(rule(vec![when(0, shared, alone)?])?);
    }
    let own_files = rule(vec![when(
        2,
        MaskedEq(libc::CLOSE_RANGE_UNSHARE.into()),
        libc::CLOSE_RANGE_UNSHARE,
    )?])?;
    let not_local = || rule(vec![when(0, Ne, libc::AF_UNIX as u32)?]);
    let odd = rule(vec![when(0, Ne, 0)?, when(0, Ne, u32::MAX)?])?;
    // Typing into a terminal, and signals to whom one names as the owner of a file.
    let mut controls = Vec::new();
    for request in [
        libc::TIOCSTI as u32,
        FIOSETOWN,
        SIOCSPGRP,
        FS_IOC_SETFLAGS,
        FS_IOC_FSSETXATTR,
    ] {
        controls.push(rule(vec![when(1, Eq, request)?])?);
    }
    let mut owners = Vec::new();
    // Whoever opens a file with a lease on it waits; so would the referee.
    let leases = [libc::F_SETLEASE as u32, libc::F_NOTIFY as u32];
    let signals = [libc::F_SETOWN as u32, F_SETOWN_EX, F_SETSIG];
    // Locks that are nobody's by name, and so cannot be counted.
    let locks = [libc::F_OFD_SETLK as u32, libc::F_OFD_SETLKW as u32];
    for command in signals.into_iter().chain(leases).chain(locks) {
        owners.push(rule(vec![when(1, Eq, command)?])?);
    }
    // How much the kernel keeps for a socket is bounded, and so countable, only as long as nobody
    // asks for more.
    let mut buffers = Vec::new();
    for option in [libc::SO_SNDBUF, libc::SO_RCVBUF] {
        let level = when(1, Eq, libc::SOL_SOCKET as u32)?;
        buffers.push(rule(vec![level, when(2, Eq, option as u32)?])?);
    }
    let others_limits = rule(vec![when(0, Ne, 0)?])?;
    // Only with the limit that the program has got no helper of the system is started for its core.
    let core_limit = rule(vec![
        when(1, Eq, RLIMIT_CORE)?,
        SeccompCondition::new(2, SeccompCmpArgLen::Qword, Ne, 0)?,
    ])?;
    let own_core_limit = rule(vec![when(0, Eq, RLIMIT_CORE)?])?;
    // A process that others cannot look into cannot be measured: it says so itself, or it runs a
    // file that nobody can read.
    let hidden = rule(vec![
        when(0, Eq, libc::PR_SET_DUMPABLE as u32)?,
        when(1, Ne, 1)?,
    ])?;
    let own_filter = rule(vec![when(0, Eq, libc::PR_SET_SECCOMP as u32)?])?;
    let core_sharing = rule(vec![when(0, Eq, PR_SCHED_CORE)?])?;
    let unreadable = |mode: u8| rule(vec![when(mode, MaskedEq(OWNER_READS.into()), 0)?]);
    let created = |flags: u8| {
        let by = |flag: c_int| {
            let flag = flag as u32;
            rule(vec![
                when(flags, MaskedEq(flag.into()), flag)?,
                when(flags + 1, MaskedEq(OWNER_READS.into()), 0)?,
            ])
        };
        Ok::<_, BackendError>(vec![by(libc::O_CREAT)?, by(libc::O_TMPFILE)?])
    };
    let masked = rule(vec![when(0, MaskedEq(OWNER_READS.into()), OWNER_READS)?])?;
    let mut list = vec![
        (libc::SYS_clone, in_clone),
        (libc::SYS_close_range, vec![own_files]),
        (libc::SYS_socket, vec![not_local()?]),
        (libc::SYS_socketpair, vec![not_local()?]),
        (libc::SYS_setsockopt, buffers),
        (libc::SYS_personality, vec![odd]),
        (libc::SYS_ioctl, controls),
        (libc::SYS_fcntl, owners),
        (libc::SYS_prlimit64, vec![others_limits, core_limit]),
        (libc::SYS_setrlimit, vec![own_core_limit]),
        (libc::SYS_prctl, vec![hidden, core_sharing, own_filter]),
        (libc::SYS_fchmod, vec![unreadable(1)?]),
        (libc::SYS_fchmodat, vec![unreadable(2)?]),
        (FCHMODAT2, vec![unreadable(2)?]),
        (libc::SYS_mknodat, vec![unreadable(2)?]),
        (libc::SYS_openat, created(2)?),
        (libc::SYS_umask, vec![masked]),
    ];
    #[cfg(target_arch = "x86_64")]
    list.extend([
        (libc::SYS_chmod, vec![unreadable(1)?]),
        (libc::SYS_open, created(1)?),
        (libc::SYS_creat, vec![unreadable(1)?]),
        (libc::SYS_mknod, vec![unreadable(1)?]),
    ]);
    if !own_process_space {
        let referee = std::process::id();
        let group = vec![when(0, Ge, 1 << 31)?, when(0, Ne, OWN_GROUP)?];
        let kill = vec![
            rule(vec![when(0, Eq, SUPERVISOR)?])?,
            rule(vec![when(0, Eq, referee)?])?,
            rule(group)?,
        ];
        let of_threads = vec![
            rule(vec![when(0, Eq, SUPERVISOR)?])?,
            rule(vec![when(0, Eq, referee)?])?,
        ];
        list.push((libc::SYS_kill, kill));
        list.push((libc::SYS_tgkill, of_threads));
        for call in [
            libc::SYS_tkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
            libc::SYS_pidfd_send_signal,
        ] {
            list.push((call, Vec::new()));
        }
    }
    Ok(list)
}

/// The filter for [`ABSENT`], [`UNSUITED`] and for [`UNKNOWN`] calls, among them the second set of calls of
/// x86-64, which has numbers of its own for everything.
fn absent() -> BpfProgram {
    const LOAD_NUMBER: (u16, u32) = (0x20, 0);
    const IF_EQUAL: u16 = 0x15;
    const IF_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    let step = |code, jt, jf, k| seccompiler::sock_filter { code, jt, jf, k };
    let mut program = vec![step(LOAD_NUMBER.0, 0, 0, LOAD_NUMBER.1)];
    // The answers stand behind all questions: that all is well, that there is no such call, and that
    // it does not suit these files.
    let all_is_well = ABSENT.len() + UNSUITED.len() + 2;
    let (missing, unsuited) = (all_is_well + 1, all_is_well + 2);
    let mut ask = |question, number, answer: usize| {
        let skipped = answer - program.len() - 1;
        program.push(step(question, skipped as u8, 0, number));
    };
    for call in ABSENT {
        ask(IF_EQUAL, call as u32, missing);
    }
    for call in UNSUITED {
        ask(IF_EQUAL, call as u32, unsuited);
    }
    ask(IF_AT_LEAST, UNKNOWN, missing);
    program.push(step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
    for error in [libc::ENOSYS, libc::EINVAL] {
        program.push(step(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | error as u32));
    }
    program
}

//! Programs under watch: started behind walls, read and written without blocking,
//! stopped at their limits, and gone without a trace afterwards.

mod child;
mod clock;
mod control;
mod filter;
mod group;
mod landlock;
mod plan;
mod rest;
mod root;
mod sandbox;
mod syscalls;
mod tools;
mod tree;
mod user;
mod view;
mod walls;
mod watch;

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::mem;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use thiserror::Error;

use child::{Ends, Step};
use clock::TreeClock;
pub(crate) use clock::of_this_thread as thread_time;
use control::Handles;
use group::Group;
pub(crate) use group::home as group_home;
pub(crate) use plan::{Launch, find_program};
pub use tools::find_tool;
use tree::Tree;
pub(crate) use user::User;
pub use view::check_read;
pub use view::is_shown_to_all;
pub(crate) use walls::resolve;

use crate::folder::{Dir, Given, Outcome, RunFolder, Watched, no_file_is_written};
use crate::{Blob, IsolationMode, Limits};

/// How much of standard error is kept.
const KEPT_STDERR: usize = 16 << 10;
/// How much of the end of it.
const KEPT_STDERR_END: usize = 4 << 10;
/// How much output is read where no limit is set.
const MOST_OUTPUT: u64 = 64 << 20;

/// A fork of the referee below this size does not blur the memory of programs.
const SMALL_FORK: u64 = 16 << 20;

/// Why the referee stopped a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// Out of wall time.
    Wall,
    /// Out of processor time.
    Cpu,
    /// Too much memory.
    Memory,
    /// Too much on standard output.
    Output,
    /// Too many processes.
    Processes,
    /// Too much in its folder: so many bytes.
    Disk(u64),
    /// The game was stopped, or the program is not needed any more.
    Stopped,
}

/// Why a program could not be started.
#[derive(Debug, Error)]
#[error("{error}")]
pub(crate) struct StartError {
    pub(crate) error: io::Error,
    /// Whether that says nothing against the program: any other would have fared alike.
    pub(crate) machine: bool,
}

/// What goes wrong around a program is the machine's fault, unless it is found to be the program's.
impl From<io::Error> for StartError {
    fn from(error: io::Error) -> StartError {
        let machine = true;
        StartError { error, machine }
    }
}

impl StartError {
    /// A step failed with this error of the system. What was to be executed comes with the machine
    /// or from the player.
    fn of_step(step: u64, code: i32, comes_with_machine: bool) -> StartError {
        let error = io::Error::from_raw_os_error(code);
        if step == Step::Walls as u64 {
            return io::Error::other(format!("isolation: {error}")).into();
        }
        let machine = match code {
            // Its arguments are too long.
            libc::E2BIG => false,
            libc::ETXTBSY => true,
            // All others say what is wrong with the file.
            _ => is_shortage(&error) || comes_with_machine,
        };
        StartError { error, machine }
    }

    /// The program never began, and nobody said why.
    fn silent() -> StartError {
        io::Error::other("its walls were not built in time").into()
    }
}

/// Whether the system had too little of something at that moment, whatever it was asked for.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        Some(libc::EAGAIN | libc::ENOMEM | libc::EMFILE | libc::ENFILE)
    )
}

/// What came of waiting for a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// What was waited for is there.
    Ready,
    /// The program has ended.
    Ended,
    /// It was stopped, and its whole tree with it.
    Stopped(Cause),
}

/// Time allowed from some moment on; `None` counts from the program's start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Allowance {
    /// Wall time.
    pub(crate) wall: Option<Duration>,
    /// Processor time.
    pub(crate) cpu: Option<Duration>,
    /// That moment.
    pub(crate) since: Option<Moment>,
}

/// What was used up to some moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moment {
    /// The monotonic clock, in nanoseconds.
    pub(crate) clock: u64,
    /// Processor time.
    pub(crate) cpu: Duration,
    /// How long the program has waited for a processor, whoever had it.
    delay: Duration,
    /// Processor time of the referee's own thread, which has that processor, too.
    own: Duration,
}

impl Moment {
    /// How long the machine has kept the program waiting since an earlier moment. What the referee
    /// has computed meanwhile, as programs can make it do, is no excuse.
    pub(crate) fn delay_since(&self, earlier: &Moment) -> Duration {
        let own = self.own.saturating_sub(earlier.own);
        self.delay.saturating_sub(earlier.delay).saturating_sub(own)
    }
}

impl Allowance {
    /// The times of these limits, from the program's start on.
    pub(crate) fn of(limits: &Limits) -> Allowance {
        Allowance {
            wall: limits.wall.map(|limit| limit.0),
            cpu: limits.cpu.map(|limit| limit.0),
            since: None,
        }
    }
}

/// What a program did, from its start to its end.
#[derive(Debug, Default)]
pub(crate) struct Exit {
    /// The system's word for how it ended; `None` if we ended it, or never heard.
    pub(crate) status: Option<i32>,
    /// Why we ended it, if we did.
    pub(crate) cause: Option<Cause>,
    /// Why it could not be started.
    pub(crate) failure: Option<StartError>,
    /// Wall time.
    pub(crate) wall: Duration,
    /// Processor time of the whole tree.
    pub(crate) cpu: Duration,
    /// How long the machine kept it waiting for a processor.
    pub(crate) delay: Duration,
    /// Most memory that was seen.
    pub(crate) memory: u64,
    /// Standard output that nobody took yet.
    pub(crate) stdout: Vec<u8>,
    /// Standard error.
    pub(crate) stderr: Blob,
    /// The end of it.
    pub(crate) stderr_end: Vec<u8>,
    /// What it did to its folder.
    pub(crate) folder: Outcome,
    /// What could not be measured, each as a short sentence.
    pub(crate) unmeasured: Vec<String>,
}

/// A running program.
pub(crate) struct Process {
    mode: IsolationMode,
    /// Whether the program comes with the machine, not from the player.
    comes_with_machine: bool,
    /// What `bwrap` notes, if it builds the walls.
    notes: Option<File>,
    supervisor: Supervisor,
    stdin: Option<PipeWriter>,
    stdout: Option<PipeReader>,
    stderr: Option<PipeReader>,
    report: Option<PipeReader>,
    /// Standard input that the pipe did not take yet.
    unsent: Vec<u8>,
    /// Whether standard input ends after that.
    closing: bool,
    /// Standard output that nobody took yet.
    output: Vec<u8>,
    errors: Blob,
    /// The end of standard error.
    last_errors: Vec<u8>,
    limits: Limits,
    /// The program's folder; none if its walls never stood.
    folder: Option<Watched>,
    /// Its processor time as the kernel counts it, if it does.
    clock: Option<TreeClock>,
    /// The control group around it, if it has one.
    group: Option<Group>,
    /// Its processes as they were seen last.
    tree: Tree,
    life: Life,
    /// The last look at what its processes share.
    shared: Shared,
    /// When to look at the processes and at the folder next.
    next_look: u64,
    next_folder: u64,
    /// What was used when it was halted, while it rests.
    rested: Option<Moment>,
}

/// The process that watches over the program.
struct Supervisor {
    pid: libc::pid_t,
    /// The program's own process number.
    program: Option<libc::pid_t>,
    /// Whether the supervisor's death is the death of all.
    one_kill: bool,
    /// Our end of the line to it: it ends all when that is closed.
    line: OwnedFd,
    reaped: Option<libc::rusage>,
}

/// What is known of the program's life so far; clocks in nanoseconds.
#[derive(Default)]
struct Life {
    forked: u64,
    started: Option<u64>,
    ended: Option<u64>,
    /// Processor time and memory of the supervisor itself at the start.
    own: (Duration, u64),
    /// Processor time and memory that it counted at the end.
    counted: Option<(Duration, u64)>,
    status: Option<i32>,
    failure: Option<StartError>,
    cause: Option<Cause>,
    /// Most memory and processor time that were seen from outside.
    seen: (u64, Duration),
    /// The longest that one of its processes waited for a processor, and what the referee's own
    /// thread had used by then, and at the start.
    delay: Duration,
    own_time: Duration,
    own_time_before: Duration,
}

/// Memory with shared pages divided, which takes long to find out.
#[derive(Clone, Copy, Default)]
struct Shared {
    /// The quick sum then, and the fair one.
    sums: (u64, u64),
    /// When to find it out again at the latest.
    next: u64,
}

/// How long building the walls may take before something is wrong.
const SET_UP: Duration = Duration::from_secs(60);

impl Process {
    /// Starts a program. That it cannot be executed shows at its end.
    pub(crate) fn start(launch: &Launch) -> Result<Process, StartError> {
        // What an earlier run has left is gone before there are walls around its place.
        let place = launch.place.map(RunFolder::renew).transpose()?;
        let plan = launch.plan()?;
        let (stdin_read, stdin) = io::pipe()?;
        let (stdout, stdout_write) = io::pipe()?;
        let (stderr, stderr_write) = io::pipe()?;
        let (report, report_write) = io::pipe()?;
        let (line, line_other) = control::pair()?;
        let ours = [
            stdin.as_raw_fd(),
            stdout.as_raw_fd(),
            stderr.as_raw_fd(),
            report.as_raw_fd(),
        ];
        for end in ours {
            set_nonblocking(end)?;
        }
        // A program may open its own ends by name (`/dev/stderr`), so they must be its own.
        if launch.user.is_other() {
            user::give(stdin_read.as_fd(), launch.user)?;
            user::give(stdout_write.as_fd(), launch.user)?;
            user::give(stderr_write.as_fd(), launch.user)?;
        }
        let ends = Ends {
            stdin: stdin_read.as_raw_fd(),
            stdout: stdout_write.as_raw_fd(),
            stderr: stderr_write.as_raw_fd(),
            report: report_write.as_raw_fd(),
            control: line_other.as_raw_fd(),
        };
        let notes = plan.walls.notes()?;
        let group = Group::new(launch.limits, launch.mode);
        child::keep_little_free_memory();
        let forked = child::now();
        let pid = {
            let _no_writer = no_file_is_written();
            child::fork(&plan, ends, group.as_ref().map(Group::handle))?
        };
        let one_kill = plan.walls.own_process_space();
        let mut process = Process {
            mode: launch.mode,
            comes_with_machine: launch.comes_with_machine(),
            notes,
            supervisor: Supervisor {
                pid,
                program: None,
                one_kill,
                line,
                reaped: None,
            },
            stdin: Some(stdin),
            stdout: Some(stdout),
            stderr: Some(stderr),
            report: Some(report),
            unsent: Vec::new(),
            closing: false,
            output: Vec::new(),
            errors: Blob::default(),
            last_errors: Vec::new(),
            limits: *launch.limits,
            folder: None,
            clock: None,
            group,
            tree: Tree::default(),
            life: Life {
                forked,
                ..Life::default()
            },
            shared: Shared::default(),
            next_look: forked + 3_000_000,
            next_folder: forked + 100_000_000,
            rested: None,
        };
        // Whoever keeps the other ends keeps the pipes from ending.
        drop((
            stdin_read,
            stdout_write,
            stderr_write,
            report_write,
            line_other,
        ));
        if one_kill {
            user::write_maps(pid, launch.user, root::INSIDE)?;
        }
        control::go_on(&process.supervisor.line);
        // A supervisor that failed says why in its report. One that is merely slow must not start
        // the program in a folder that nobody has filled: it ends when this line does.
        if let Some(handles) = control::take_over(&process.supervisor.line, SET_UP) {
            process.prepare(launch, place, handles)?;
            process.life.own_time_before = clock::of_this_thread();
            control::go_on(&process.supervisor.line);
        }
        Ok(process)
    }

    /// Fills the program's folder and starts its clock.
    fn prepare(
        &mut self,
        launch: &Launch,
        place: Option<Dir>,
        handles: Handles,
    ) -> Result<(), StartError> {
        let on_disk = place.is_some();
        let Some(dir) = place.or(handles.folder.map(Dir::from)) else {
            return Ok(());
        };
        let watched = Watched::fill(dir, launch.given, launch.file, launch.user);
        self.folder = Some(watched.map_err(|error| match error.kind() {
            // A file system that the walls have made has the size of the limit.
            io::ErrorKind::StorageFull if !on_disk => StartError {
                error: io::Error::other("its folder is larger than what it may write"),
                machine: false,
            },
            _ => error.into(),
        })?);
        self.clock = handles.clock.map(TreeClock::new);
        if let Some(clock) = &mut self.clock {
            clock.start();
        }
        if let Some(group) = &mut self.group {
            group.start();
        }
        Ok(())
    }

    /// Runs a program from start to end on this standard input.
    pub(crate) fn run(
        launch: &Launch,
        input: &[u8],
        stop: &AtomicBool,
    ) -> Result<Exit, StartError> {
        let mut process = Process::start(launch)?;
        process.send(input);
        process.close_stdin();
        process.wait(&mut |_| false, &Allowance::of(launch.limits), stop);
        Ok(process.finish())
    }

    /// Runs a program from start to end without input; also what is in its folder then.
    pub(crate) fn run_and_keep(
        launch: &Launch,
        stop: &AtomicBool,
    ) -> Result<(Exit, io::Result<Given>), StartError> {
        let mut process = Process::start(launch)?;
        process.close_stdin();
        process.wait(&mut |_| false, &Allowance::of(launch.limits), stop);
        process.end(Cause::Stopped);
        let kept = process.folder.as_ref().map(Watched::content);
        Ok((
            process.finish(),
            kept.unwrap_or_else(|| Ok(Given::default())),
        ))
    }

    /// Queues bytes for standard input.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.unsent.extend_from_slice(bytes);
        self.write();
    }

    /// Ends standard input after what is queued.
    pub(crate) fn close_stdin(&mut self) {
        self.closing = true;
        self.write();
    }

    /// The output that nobody took yet.
    pub(crate) fn output(&self) -> &[u8] {
        &self.output
    }

    /// Takes `count` bytes of the output.
    pub(crate) fn take(&mut self, count: usize) -> Vec<u8> {
        let rest = self.output.split_off(count.min(self.output.len()));
        mem::replace(&mut self.output, rest)
    }

    /// Takes what came on standard error so far.
    pub(crate) fn take_errors(&mut self) -> Blob {
        mem::take(&mut self.errors)
    }

    /// The most memory seen so far.
    pub(crate) fn memory(&self) -> u64 {
        self.life.seen.0
    }

    /// The clock now.
    pub(crate) fn now() -> u64 {
        child::now()
    }

    /// What was used until now, for an [`Allowance`].
    pub(crate) fn moment(&mut self) -> Moment {
        self.sample();
        Moment {
            clock: child::now(),
            cpu: self.life.seen.1,
            delay: self.life.delay,
            own: self.life.own_time,
        }
    }

    /// Looks at the processes of the program.
    fn sample(&mut self) -> tree::Sample {
        let sample = self.tree.sample(self.supervisor.pid, self.limits.processes);
        let used = self.counted();
        let (memory, cpu) = &mut self.life.seen;
        // Right after the fork the program is still a copy of the referee.
        if sample.peak > self.life.own.1 {
            *memory = (*memory).max(sample.peak);
        }
        *cpu = (*cpu).max(billed(used, sample.cpu));
        if sample.tasks > 0 {
            self.life.delay = self.life.delay.max(sample.delay);
            self.life.own_time = clock::of_this_thread();
        }
        sample
    }

    /// The processor time of the whole tree, if the kernel counts it.
    fn counted(&self) -> Option<Duration> {
        let clock = self.clock.as_ref().map(TreeClock::used);
        clock.max(self.group.as_ref().map(Group::used))
    }

    /// Why `bwrap` did not get to execute the program, which it notes when that has ended. Nobody
    /// else could have said anything.
    fn refused_by_bwrap(&self) -> Option<StartError> {
        let mut notes = [0; 1024];
        let count = self.notes.as_ref()?.read_at(&mut notes, 0).unwrap_or(0);
        if String::from_utf8_lossy(&notes[..count]).contains("exit-code") {
            return None;
        }
        let said = match self.errors.text().trim() {
            "" => "bwrap was killed".to_string(),
            said => rules::beginning(said),
        };
        let machine = self.comes_with_machine || !said.starts_with("bwrap: execvp");
        let error = io::Error::other(said);
        Some(StartError { error, machine })
    }

    /// Ends the program, whatever it is doing, and says what it did.
    pub(crate) fn finish(mut self) -> Exit {
        self.end(Cause::Stopped);
        let life = mem::take(&mut self.life);
        let from = life.started.unwrap_or(life.forked);
        let until = life.ended.unwrap_or_else(child::now);
        // What a large fork itself had already reached says nothing about the program;
        // of a small one it is at least a bound.
        let (cpu, memory) = life.counted.unwrap_or_else(|| {
            let reaped = self.supervisor.reaped.as_ref();
            let cpu = reaped.map_or(0, child::cpu_of);
            let cpu = Duration::from_micros(cpu).saturating_sub(life.own.0);
            (cpu, reaped.map_or(0, child::memory_of))
        });
        let memory = if memory > life.own.1 || life.own.1 < SMALL_FORK {
            memory
        } else {
            0
        };
        let wrapped = self.mode == IsolationMode::Bwrap;
        let counted = self.counted();
        let folder = self.folder.take().map(|folder| folder.outcome());
        let failure = match life.cause {
            None if life.started.is_none() => Some(StartError::silent()),
            None => self.refused_by_bwrap(),
            Some(_) => None,
        };
        Exit {
            status: life.status.map(|s| if wrapped { unwrapped(s) } else { s }),
            cause: life.cause,
            failure: life.failure.or(failure),
            wall: Duration::from_nanos(until.saturating_sub(from)),
            cpu: billed(counted, cpu).max(life.seen.1),
            delay: life
                .delay
                .saturating_sub(life.own_time.saturating_sub(life.own_time_before)),
            memory: memory.max(life.seen.0),
            stdout: mem::take(&mut self.output),
            stderr: mem::take(&mut self.errors),
            stderr_end: mem::take(&mut self.last_errors),
            folder: folder.unwrap_or_default(),
            unmeasured: match counted {
                Some(_) => Vec::new(),
                None => {
                    vec!["processor time of children that nobody waits for is estimated".into()]
                }
            },
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Cause::Stopped);
    }
}

/// The processor time of a program: what the kernel counted for the whole tree, unless its
/// processes themselves show clearly more. They show the making of the walls, too, and are read in
/// ticks; but a counter can be lost on the way, and must not make time free.
fn billed(counted: Option<Duration>, shown: Duration) -> Duration {
    const UNCLEAR: Duration = Duration::from_millis(100);
    match counted {
        Some(counted) if shown <= counted + UNCLEAR => counted,
        _ => shown,
    }
}

/// The status of the program itself: `bwrap` ends with 128 and its signal, as shells do.
fn unwrapped(status: i32) -> i32 {
    match libc::WEXITSTATUS(status) {
        code @ 129..160 if libc::WIFEXITED(status) => code - 128,
        _ => status,
    }
}

fn set_nonblocking(end: RawFd) -> io::Result<()> {
    // SAFETY: the descriptor is open for as long as its owner lives, which is our caller.
    let result = unsafe {
        let flags = libc::fcntl(end, libc::F_GETFL);
        libc::fcntl(end, libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    if result == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_referee_computes_is_no_delay_of_the_machine() {
        let ms = Duration::from_millis;
        let moment = |delay, own| Moment {
            delay: ms(delay),
            own: ms(own),
            ..Moment::default()
        };
        let from = moment(100, 1000);
        for (later, expected) in [
            (moment(600, 1000), 500),
            (moment(600, 1300), 200),
            // It had another processor, or the program did not want this one.
            (moment(200, 1900), 0),
        ] {
            assert_eq!(later.delay_since(&from), ms(expected), "{later:?}");
        }
    }

    /// A referee whose own thread computes while a program waits for the processor of both.
    #[test]
    fn the_time_of_the_referee_itself_is_seen() {
        let user = User::own();
        let place = RunFolder::new(user).unwrap();
        let mut process = Process::start(&Launch {
            command: &["/bin/sh", "-c", "while :; do :; done"].map(String::from),
            given: &std::rc::Rc::default(),
            file: None,
            place: Some(&place),
            read: &[],
            tools: &[],
            limits: &Limits::default(),
            mode: IsolationMode::None,
            user,
        })
        .unwrap();
        let (before, own) = (process.moment(), thread_time());
        while thread_time() < own + Duration::from_millis(50) {}
        let used = process.moment().own.saturating_sub(before.own);
        assert!(used >= Duration::from_millis(50), "{used:?}");
    }

    #[test]
    fn the_machine_is_to_blame_for_what_any_program_would_meet() {
        for (step, code, own, with_machine) in [
            (Step::Walls, libc::EPERM, true, true),
            (Step::Walls, libc::ENOSPC, true, true),
            (Step::Exec, libc::EAGAIN, true, true),
            (Step::Exec, libc::ENOMEM, true, true),
            (Step::Exec, libc::ENOENT, false, true),
            (Step::Exec, libc::EACCES, false, true),
            (Step::Exec, libc::ENOEXEC, false, true),
            (Step::Exec, libc::E2BIG, false, false),
        ] {
            let of = |comes| StartError::of_step(step as u64, code, comes).machine;
            assert_eq!(of(false), own, "{step:?} {code} of a player's program");
            assert_eq!(of(true), with_machine, "{step:?} {code} of an interpreter");
        }
    }
}

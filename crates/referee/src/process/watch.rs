//! Waiting for a program: its pipes, its messages, its limits.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::child::{self, Message};
use super::group::Group;
use super::tree::Tree;
use super::{
    Allowance, Cause, Event, KEPT_STDERR, KEPT_STDERR_END, MOST_OUTPUT, Moment, Process, SET_UP,
    Shared, StartError, tree,
};
use crate::{IsolationMode, folder};

/// Between two looks at the tree of processes, at first and later.
const LOOK_EARLY: u64 = 5_000_000;
const LOOK_LATE: u64 = 20_000_000;
/// Between two looks at the folder.
const LOOK_FOLDER: u64 = 100_000_000;
/// Output that is left in the pipes of a dead program: more than a pipe can hold.
const LEFT: usize = 4 << 20;

/// When to look again after a look that began at `from`: the more there is to look at, the longer it
/// takes, and who looks all the while keeps the program from the processor that both may share.
fn after_look(from: u64, pause: u64) -> u64 {
    const SHARE: u64 = 4;
    let until = child::now();
    until.max(from + pause).max(until + SHARE * (until - from))
}

impl Process {
    /// Waits until `ready` says so of the output, the program ends, or a limit is passed.
    pub(crate) fn wait(
        &mut self,
        ready: &mut dyn FnMut(&[u8]) -> bool,
        allowance: &Allowance,
        stop: &AtomicBool,
    ) -> Event {
        loop {
            if ready(&self.output) {
                return Event::Ready;
            }
            if self.report.is_none() {
                self.end(Cause::Stopped);
                return match self.life.cause {
                    Some(cause) => Event::Stopped(cause),
                    None => Event::Ended,
                };
            }
            if let Some(cause) = self.over(allowance, stop) {
                self.end(cause);
                return Event::Stopped(cause);
            }
            self.poll(self.next_wake(allowance));
            self.write();
            self.read_output();
            self.read_errors();
            self.read_report();
        }
    }

    /// The limit that is passed now, if any.
    fn over(&mut self, allowance: &Allowance, stop: &AtomicBool) -> Option<Cause> {
        if stop.load(Ordering::Relaxed) {
            return Some(Cause::Stopped);
        }
        if self.life.ended.is_some() {
            // Only the sweeping is left, which is ours.
            return None;
        }
        if self.wrote_too_much() {
            return Some(Cause::Output);
        }
        let now = child::now();
        let Some(started) = self.life.started else {
            let patience = 2 * SET_UP.as_nanos() as u64;
            return (now - self.life.forked > patience).then(|| {
                self.life.failure.get_or_insert_with(StartError::silent);
                Cause::Stopped
            });
        };
        let since = allowance.since.unwrap_or(Moment {
            clock: started,
            ..Moment::default()
        });
        if let Some(wall) = allowance.wall
            && now.saturating_sub(since.clock) > wall.as_nanos() as u64
        {
            // Who is late may have been kept waiting.
            self.sample();
            return Some(Cause::Wall);
        }
        if now >= self.next_look {
            let early = now - started < 20 * LOOK_EARLY;
            let cause = self.look(allowance.cpu.map(|limit| limit + since.cpu));
            let pause = if early { LOOK_EARLY } else { LOOK_LATE };
            self.next_look = after_look(now, pause);
            if cause.is_some() {
                return cause;
            }
        }
        if now >= self.next_folder {
            let cause = self.look_at_files();
            self.next_folder = after_look(now, LOOK_FOLDER);
            return cause;
        }
        None
    }

    /// A look at what it has written, and at what the kernel keeps for its files.
    fn look_at_files(&self) -> Option<Cause> {
        if self.limits.memory.is_some() && self.tree.locks_pass() {
            return Some(Cause::Memory);
        }
        let limit = self.limits.disk?.0;
        let used = self.disk_used(limit);
        (used > limit).then_some(Cause::Disk(used))
    }

    /// What the program has written: all of its own file system, or what lies in its folder
    /// and what it has removed but holds. More than `most` is not counted to the end.
    fn disk_used(&self, most: u64) -> u64 {
        let Some(folder) = &self.folder else { return 0 };
        let dir = folder.dir();
        if self.mode == IsolationMode::Namespaces {
            return dir.file_system_used().unwrap_or(0);
        }
        let place = fs::read_link(dir.by_number()).unwrap_or_default();
        let largest = self.limits.file.map_or(most, |limit| limit.0);
        folder::size(dir, most) + self.tree.removed_but_held(&place, largest)
    }

    /// A look at the tree of processes.
    fn look(&mut self, cpu: Option<Duration>) -> Option<Cause> {
        let sample = self.sample();
        if cpu.is_some_and(|limit| self.life.seen.1 > limit) {
            return Some(Cause::Cpu);
        }
        if self
            .limits
            .processes
            .is_some_and(|most| sample.tasks > most)
        {
            return Some(Cause::Processes);
        }
        if self.group.as_ref().is_some_and(Group::is_out_of_memory) {
            return Some(Cause::Memory);
        }
        let limit = self.limits.memory?.0;
        let over = sample.memory > limit && self.fair_memory(sample.memory, limit) > limit;
        (over || self.tree.buffers_pass(limit)).then_some(Cause::Memory)
    }

    /// Memory with shared pages divided. It is not found out anew if it cannot have passed the limit
    /// but by what it has long been found out for.
    fn fair_memory(&mut self, quick: u64, limit: u64) -> u64 {
        let now = child::now();
        let Shared { sums, next } = self.shared;
        let at_most = sums.1.saturating_add(quick.saturating_sub(sums.0));
        if now < next && at_most <= limit {
            return at_most;
        }
        let fair = self.tree.fair_memory();
        self.shared = Shared {
            sums: (quick, fair),
            next: after_look(now, LOOK_LATE),
        };
        fair
    }

    /// When to wake at the latest.
    fn next_wake(&self, allowance: &Allowance) -> u64 {
        let mut wake = self.next_look;
        if let (Some(wall), Some(started)) = (allowance.wall, self.life.started) {
            let since = allowance.since.map_or(started, |since| since.clock);
            wake = wake.min(since + wall.as_nanos() as u64 + 100_000);
        }
        wake
    }

    /// Sleeps until a pipe wants attention or the clock says `wake`.
    fn poll(&self, wake: u64) {
        let mut list = [libc::pollfd {
            fd: -1,
            events: 0,
            revents: 0,
        }; 4];
        let reading = [&self.report, &self.stdout, &self.stderr];
        for (entry, pipe) in list.iter_mut().zip(reading) {
            if let Some(pipe) = pipe {
                entry.fd = pipe.as_raw_fd();
                entry.events = libc::POLLIN;
            }
        }
        if let Some(pipe) = &self.stdin
            && !self.unsent.is_empty()
        {
            list[3].fd = pipe.as_raw_fd();
            list[3].events = libc::POLLOUT;
        }
        let left = wake.saturating_sub(child::now()).max(50_000);
        let timeout = libc::timespec {
            tv_sec: (left / 1_000_000_000) as libc::time_t,
            tv_nsec: (left % 1_000_000_000) as libc::c_long,
        };
        // SAFETY: the list and the timeout live for the call; no signal mask is given.
        unsafe {
            libc::ppoll(
                list.as_mut_ptr(),
                list.len() as libc::nfds_t,
                &raw const timeout,
                ptr::null(),
            );
        }
    }

    /// Gives the program as much of its input as the pipe takes.
    pub(super) fn write(&mut self) {
        while let Some(pipe) = &mut self.stdin
            && !self.unsent.is_empty()
        {
            match pipe.write(&self.unsent) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A program need not read its input.
                Err(_) => {
                    self.stdin = None;
                    self.unsent.clear();
                }
            }
        }
        if self.closing {
            self.stdin = None;
        }
    }

    fn wrote_too_much(&self) -> bool {
        let limit = self.limits.output.map_or(MOST_OUTPUT, |limit| limit.0);
        self.output.len() as u64 > limit
    }

    /// Reads what is there of standard output, up to a little more than the limit.
    fn read_output(&mut self) {
        let mut buffer = [0; 16 << 10];
        while !self.wrote_too_much()
            && let Some(count) = read_some(&mut self.stdout, &mut buffer)
        {
            self.output.extend_from_slice(&buffer[..count]);
        }
    }

    /// Reads what is there of standard error and keeps the beginning.
    fn read_errors(&mut self) {
        let mut buffer = [0; 16 << 10];
        // A program that never stops writing must not keep us here.
        for _ in 0..64 {
            let Some(count) = read_some(&mut self.stderr, &mut buffer) else {
                return;
            };
            let room = KEPT_STDERR.saturating_sub(self.errors.bytes.len());
            let kept = count.min(room);
            self.errors.bytes.extend_from_slice(&buffer[..kept]);
            self.errors.omitted += (count - kept) as u64;
            self.last_errors.extend_from_slice(&buffer[..count]);
            let over = self.last_errors.len().saturating_sub(KEPT_STDERR_END);
            self.last_errors.drain(..over);
        }
    }

    /// Reads the supervisor's messages.
    fn read_report(&mut self) {
        const SIZE: usize = size_of::<Message>();
        let mut buffer = [0; SIZE];
        while let Some(count) = read_some(&mut self.report, &mut buffer) {
            if count == SIZE {
                // SAFETY: a message is plain numbers, written in one piece by our own child.
                let message = unsafe { ptr::read_unaligned(buffer.as_ptr().cast::<Message>()) };
                self.hear(&message);
            }
        }
    }

    fn hear(&mut self, message: &Message) {
        let used = (Duration::from_micros(message.cpu), message.memory);
        let life = &mut self.life;
        match message.kind {
            child::STARTED => {
                life.started = Some(message.clock);
                life.own = used;
                self.supervisor.program = (message.code > 0).then_some(message.code);
            }
            // One that we have stopped ended when we did so.
            child::ENDED | child::SWEPT => {
                life.ended.get_or_insert(message.clock);
                life.status = Some(message.code);
                if message.kind == child::SWEPT {
                    life.counted = Some(used);
                }
            }
            child::FAILED => {
                // What we execute ourselves may be `bwrap`.
                let of_machine = self.comes_with_machine || self.notes.is_some();
                let error = StartError::of_step(message.clock, message.code, of_machine);
                life.failure.get_or_insert(error);
            }
            _ => {}
        }
    }

    /// Ends the program and all its tree, reads what is left, and forgets the pipes.
    /// `cause` counts if the program had not ended by itself.
    pub(super) fn end(&mut self, cause: Cause) {
        if self.supervisor.reaped.is_some() {
            return;
        }
        self.read_report();
        if self.life.ended.is_none() && self.report.is_some() {
            self.life.cause = Some(cause);
            self.life.ended = Some(child::now());
            self.kill();
        }
        // The supervisor ends when nothing is left of the tree. Then everything the
        // program wrote is in the pipes, and nobody holds the other ends any more.
        let stuck = self.supervisor.reap();
        self.read_report();
        if self.life.ended.is_none() || stuck {
            self.supervisor.avenge(&self.tree);
        }
        self.life.seen.1 = self.life.seen.1.max(self.counted().unwrap_or_default());
        if self.group.as_ref().is_some_and(Group::is_out_of_memory) {
            self.life.cause.get_or_insert(Cause::Memory);
        }
        // Who fills the disk and ends before we look has filled it all the same.
        if let Some(limit) = self.limits.disk
            && self.mode == IsolationMode::Namespaces
            && let used = self.disk_used(limit.0)
            && used > limit.0
        {
            self.life.cause.get_or_insert(Cause::Disk(used));
        }
        self.read_output();
        // Who writes too much and ends before we look has written too much all the same.
        if self.wrote_too_much() {
            self.life.cause.get_or_insert(Cause::Output);
        }
        if self.life.cause.is_some() {
            self.life.status = None;
        }
        for _ in 0..LEFT / KEPT_STDERR / 64 {
            self.read_errors();
        }
        self.stdin = None;
        self.stdout = None;
        self.stderr = None;
        self.report = None;
    }

    fn kill(&self) {
        // SAFETY: the supervisor is our own child and not yet reaped, so its number is
        // its own; the program's group is below it and not yet swept.
        unsafe {
            match self.supervisor.program {
                // The supervisor sees the program die, and sweeps the rest.
                Some(program) if !self.supervisor.one_kill => {
                    libc::kill(-program, libc::SIGKILL);
                    libc::kill(program, libc::SIGKILL);
                }
                _ => {
                    libc::kill(self.supervisor.pid, libc::SIGKILL);
                }
            }
        }
    }
}

/// How long a supervisor may take to sweep before it is killed as well.
const SWEEP: Duration = Duration::from_secs(5);

/// How long processes may take to die that were killed; a thousand of them on a busy machine take
/// their time.
const DYING: Duration = Duration::from_secs(60);

impl super::Supervisor {
    /// Waits for the supervisor's end; whether it had to be killed. A program without walls
    /// may have stopped it, so it is not waited for without bound.
    fn reap(&mut self) -> bool {
        let until = child::now() + SWEEP.as_nanos() as u64;
        let mut pause = Duration::from_micros(50);
        let mut killed = false;
        loop {
            let flags = libc::__WALL | if killed { 0 } else { libc::WNOHANG };
            let mut status = 0;
            // SAFETY: all-zero is a valid rusage; status and usage live for the call; the
            // supervisor is our own child and not yet reaped.
            unsafe {
                let mut usage = std::mem::zeroed::<libc::rusage>();
                match libc::wait4(self.pid, &raw mut status, flags, &raw mut usage) {
                    0 if child::now() > until => {
                        libc::kill(self.pid, libc::SIGKILL);
                        killed = true;
                    }
                    0 => {
                        // One that was stopped goes on.
                        libc::kill(self.pid, libc::SIGCONT);
                        std::thread::sleep(pause);
                        pause = (pause * 2).min(Duration::from_millis(5));
                    }
                    -1 if std::io::Error::last_os_error().kind() == ErrorKind::Interrupted => {}
                    _ => {
                        self.reaped = Some(usage);
                        return killed;
                    }
                }
            }
        }
    }
}

impl super::Supervisor {
    /// The supervisor itself was killed, which only a program without walls can do. The
    /// program dies with it (it asked the kernel for that); make sure of the rest.
    fn avenge(&self, tree: &Tree) {
        let Some(program) = self.program.filter(|_| !self.one_kill) else {
            return;
        };
        let mut rest = tree::descendants(program);
        rest.extend(tree.pids());
        rest.push(program);
        let until = child::now() + DYING.as_nanos() as u64;
        loop {
            // SAFETY: signals to the program's own group and tree.
            unsafe {
                libc::kill(-program, libc::SIGKILL);
                for pid in &rest {
                    libc::kill(*pid, libc::SIGKILL);
                }
            }
            rest.retain(|pid| tree::is_alive(*pid));
            let gone = rest.is_empty() && !tree::is_group_alive(program);
            if gone || child::now() > until {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Reads once; `None` when nothing is there now. At the end the pipe is dropped.
fn read_some(pipe: &mut Option<impl Read>, buffer: &mut [u8]) -> Option<usize> {
    loop {
        return match pipe.as_mut()?.read(buffer) {
            Ok(0) => {
                *pipe = None;
                None
            }
            Ok(count) => Some(count),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == ErrorKind::WouldBlock => None,
            Err(_) => {
                *pipe = None;
                None
            }
        };
    }
}

//! What all programs have in common: how they are started, and what their end means.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use nix::sys::signal::Signal;

use super::was_held_up;
use crate::folder::{Found, Given, RunFolder};
use crate::process::{Cause, Exit, Launch, Process, StartError, User};
use crate::{Input, IsolationMode, Limits, PlayerSpec, RefereeError, Size, Span, Verdict};

/// How much of an answer is kept in the record.
pub(crate) const KEPT_ANSWER: usize = 4 << 10;

/// A program, ready to be started. It finds the same folder every time.
pub(crate) struct Program {
    command: Vec<String>,
    given: Rc<Given>,
    /// Its folder on the disk; none where its walls make one.
    place: Option<RunFolder>,
    read: Vec<PathBuf>,
    tools: Vec<PathBuf>,
    mode: IsolationMode,
    user: User,
}

impl Program {
    /// Reads what the program is given.
    pub(crate) fn new(spec: &PlayerSpec, mode: IsolationMode) -> Result<Program, RefereeError> {
        let failed = |path: &Path, error| RefereeError::Folder {
            path: path.display().to_string(),
            error,
        };
        let given = match &spec.folder {
            Some(folder) => Given::read(folder).map_err(|error| failed(folder, error))?,
            None => Given::default(),
        };
        Program::with(spec, Rc::new(given), mode)
    }

    /// The same with a folder that is at hand.
    pub(crate) fn with(
        spec: &PlayerSpec,
        given: Rc<Given>,
        mode: IsolationMode,
    ) -> Result<Program, RefereeError> {
        let failed = |path: &Path, error| RefereeError::Folder {
            path: path.display().to_string(),
            error,
        };
        let user = User::of_program();
        let place = match mode {
            IsolationMode::Namespaces => None,
            _ => {
                let made = RunFolder::new(user);
                Some(made.map_err(|error| failed(&std::env::temp_dir(), error))?)
            }
        };
        Ok(Program {
            command: spec.command.0.clone(),
            given,
            place,
            read: spec.read.clone(),
            tools: Vec::new(),
            mode,
            user,
        })
    }

    /// The same with programs that it starts by their names.
    pub(crate) fn with_tools(mut self, tools: Vec<PathBuf>) -> Program {
        self.tools = tools;
        self
    }

    /// The size of the program itself, in bytes.
    pub(crate) fn size(&self) -> Option<u64> {
        match self.given.program(self.command.first()?).ok()? {
            Found::Inside { content, .. } => Some(content.len() as u64),
            Found::Outside(path) => Some(path.metadata().ok()?.len()),
        }
    }

    /// Starts it and lets it run.
    pub(crate) fn start(&self, limits: &Limits) -> Result<Process, StartError> {
        Process::start(&self.launch(&self.command, None, limits))
    }

    /// Runs it from start to end on this input.
    pub(crate) fn run(&self, input: &Input, limits: &Limits, stop: &AtomicBool) -> Exit {
        let command = [self.command.as_slice(), &input.args].concat();
        let [stdin, file] =
            [&input.stdin, &input.file].map(|blob| blob.as_ref().map(|blob| blob.bytes.as_slice()));
        let launch = self.launch(&command, file, limits);
        Process::run(&launch, stdin.unwrap_or_default(), stop).unwrap_or_else(failed)
    }

    /// Runs it from start to end; also what is in its folder then, if that can be kept.
    pub(crate) fn run_and_keep(
        &self,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> (Exit, std::io::Result<Given>) {
        let launch = self.launch(&self.command, None, limits);
        Process::run_and_keep(&launch, stop)
            .unwrap_or_else(|error| (failed(error), Ok(Given::default())))
    }

    fn launch<'a>(
        &'a self,
        command: &'a [String],
        file: Option<&'a [u8]>,
        limits: &'a Limits,
    ) -> Launch<'a> {
        Launch {
            command,
            given: &self.given,
            file,
            place: self.place.as_ref(),
            read: &self.read,
            tools: &self.tools,
            limits,
            mode: self.mode,
            user: self.user,
        }
    }
}

/// The end of a program that never began.
pub(crate) fn failed(error: StartError) -> Exit {
    Exit {
        failure: Some(error),
        ..Exit::default()
    }
}

impl From<&StartError> for Verdict {
    fn from(error: &StartError) -> Verdict {
        let reason = error.to_string();
        match error.machine {
            true => Verdict::NotStarted { reason },
            false => Verdict::CannotStart { reason },
        }
    }
}

/// What the way a program ended says against it, or against the machine.
pub(crate) fn fault(exit: &Exit, limits: &Limits) -> Option<Verdict> {
    if let Some(failure) = &exit.failure {
        return Some(failure.into());
    }
    if let Some(cause) = exit.cause {
        return Some(stopped(cause, exit, limits));
    }
    let Some(status) = exit.status else {
        return Some(Verdict::KilledParent);
    };
    if status == 0 {
        return None;
    }
    if let Some(limit) = limits.memory
        && died_of_memory(exit, limit)
    {
        return Some(Verdict::OutOfMemory { limit });
    }
    if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        return Some(match (signal, limits.file) {
            (libc::SIGXFSZ, Some(limit)) => Verdict::FileTooLarge { limit },
            (libc::SIGXCPU, _) => stopped(Cause::Cpu, exit, limits),
            _ => Verdict::Killed {
                signal: signal_name(signal),
            },
        });
    }
    Some(Verdict::ExitStatus {
        status: libc::WEXITSTATUS(status),
    })
}

fn stopped(cause: Cause, exit: &Exit, limits: &Limits) -> Verdict {
    let span = Span::Move;
    match cause {
        Cause::Wall => {
            let (used, limit) = (exit.wall.into(), limits.wall.unwrap_or_default());
            let cpu = exit.cpu.into();
            match was_held_up(exit.wall, exit.cpu, exit.delay, limit.0) {
                true => Verdict::HeldUp { used, cpu, limit },
                false => Verdict::WallTime { used, limit, span },
            }
        }
        Cause::Cpu => Verdict::ProcessorTime {
            used: exit.cpu.into(),
            limit: limits.cpu.unwrap_or_default(),
            span,
        },
        Cause::Memory => Verdict::OutOfMemory {
            limit: limits.memory.unwrap_or_default(),
        },
        Cause::Output => Verdict::TooMuchOutput {
            limit: limits.output.unwrap_or_default(),
        },
        Cause::Processes => Verdict::TooManyProcesses {
            limit: limits.processes.unwrap_or_default(),
        },
        Cause::Disk(used) => Verdict::DiskFull {
            used: Size(used),
            limit: limits.disk.unwrap_or_default(),
        },
        Cause::Stopped => Verdict::NoOutput,
    }
}

/// Whether a program that failed did so because it got no more memory. The kernel only
/// refuses; what the program makes of that is its own affair, so look for the usual words.
fn died_of_memory(exit: &Exit, limit: Size) -> bool {
    const WORDS: [&str; 7] = [
        "memory allocation of",
        "bad_alloc",
        "out of memory",
        "MemoryError",
        "OutOfMemoryError",
        "annot allocate memory",
        "memory exhausted",
    ];
    let words = exit.stderr.text();
    exit.memory >= limit.0 / 10 * 9 || WORDS.iter().any(|word| words.contains(word))
}

/// A signal as people write it.
fn signal_name(signal: i32) -> String {
    Signal::try_from(signal).map_or_else(|_| format!("signal {signal}"), |name| name.to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Seconds;

    #[test]
    fn who_is_late_is_judged_by_the_limit_that_was_passed() {
        let exit = Exit {
            cause: Some(Cause::Wall),
            wall: Duration::from_secs(5),
            cpu: Duration::from_millis(100),
            delay: Duration::from_millis(4900),
            ..Exit::default()
        };
        for (limit, kind) in [(5, "held-up"), (10, "wall-time")] {
            let limits = Limits {
                wall: Some(Seconds::from_secs(limit)),
                ..Limits::default()
            };
            let verdict = fault(&exit, &limits).unwrap();
            assert_eq!(verdict.kind(), kind);
            assert_eq!(verdict.is_fault(), kind == "wall-time");
        }
    }
}

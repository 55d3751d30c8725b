//! Building a program: behind the same walls as the program itself, in a copy of its folder.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use crate::check::ending;
use crate::folder::{Dir, Given};
use crate::player::program::{Program, fault};
use crate::player::was_held_up;
use crate::process::{Cause, Exit, User, find_tool, resolve};
use crate::{Blob, IsolationMode, Kind, Limits, PlayerSpec, RefereeError, Seconds, Size};

/// What is built, and how.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// The command, run in a copy of the folder.
    pub command: &'a [String],
    /// The sources; they are not changed.
    pub folder: &'a Path,
    /// Programs that the command starts by their names, beside its first word.
    pub needs: &'a [String],
    /// Files and folders that the build may read besides its own and the system's.
    pub read: &'a [PathBuf],
    /// What it may use.
    pub limits: Limits,
    /// How it is walled in.
    pub isolation: IsolationMode,
}

/// What a build command said, and what it left in its folder.
pub struct Built {
    exit: Exit,
    limits: Limits,
    given: Rc<Given>,
    /// Why what it left cannot be kept.
    unkept: Option<String>,
}

/// What a compiler may use.
#[must_use]
pub fn build_limits() -> Limits {
    Limits {
        wall: Some(Seconds::from_secs(300)),
        memory: Some(Size::gb(2)),
        output: Some(Size::mb(64)),
        file: Some(Size::mb(256)),
        disk: Some(Size::mb(512)),
        processes: Some(128),
        ..Limits::default()
    }
}

impl Build<'_> {
    /// Runs the command.
    ///
    /// # Errors
    /// If the folder cannot be read, or the machine is too busy. A build that fails is no
    /// error.
    pub fn run(&self, stop: &AtomicBool) -> Result<Built, RefereeError> {
        let mut command = self.command.to_vec();
        let mut tools = Vec::new();
        if let Some(first) = command.first_mut().filter(|first| !first.contains('/')) {
            // A program that is not there shows when it is started.
            if let Ok(tool) = find_tool(first) {
                *first = tool.display().to_string();
                tools.push(tool);
            }
        }
        tools.extend(self.needs.iter().filter_map(|name| find_tool(name).ok()));
        let spec = PlayerSpec {
            folder: Some(self.folder.to_path_buf()),
            read: self.read.to_vec(),
            ..PlayerSpec::program(Kind::Argv, command)
        };
        let mode = resolve(self.isolation)?.mode;
        // Only walls of our own carry files over folders that a program's user may not enter.
        if mode != IsolationMode::Namespaces
            && User::of_program().is_other()
            && let Some(tool) = tools.iter().find(|tool| !is_for_all(tool))
        {
            return Err(RefereeError::Player {
                name: self.command.first().cloned().unwrap_or_default(),
                reason: format!("{} cannot be run by other users", tool.display()),
            });
        }
        let program = Program::new(&spec, mode)?.with_tools(tools);
        let (exit, given) = program.run_and_keep(&self.limits, stop);
        let late = self.limits.wall.filter(|_| exit.cause == Some(Cause::Wall));
        if late.is_some_and(|limit| was_held_up(exit.wall, exit.cpu, exit.delay, limit.0)) {
            return Err(RefereeError::Busy { times: 1 });
        }
        let (given, unkept) = match given {
            Ok(given) => (given, None),
            Err(error) => (Given::default(), Some(error.to_string())),
        };
        Ok(Built {
            exit,
            limits: self.limits,
            given: Rc::new(given),
            unkept,
        })
    }
}

/// Whether every user can start a program: it can be run by all, and so can its folders be entered.
fn is_for_all(program: &Path) -> bool {
    let mode = |path: &Path| path.metadata().map_or(0, |data| data.permissions().mode());
    program.ancestors().all(|path| mode(path) & 0o001 != 0)
}

impl Built {
    /// Why the build failed, if it did.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        let fault = fault(&self.exit, &self.limits).map(|verdict| verdict.to_string());
        let unkept = self.unkept.as_ref();
        fault.or_else(|| unkept.map(|why| format!("what it left cannot be kept: {why}")))
    }

    /// Whether it was never begun: its command is not to be had, or its walls were not built.
    #[must_use]
    pub fn never_began(&self) -> bool {
        self.exit.failure.is_some() || self.exit.cause == Some(Cause::SetUp)
    }

    /// The end of what the build said on standard error.
    #[must_use]
    pub fn said(&self) -> String {
        ending(&self.exit)
    }

    /// What it wrote to standard output.
    #[must_use]
    pub fn output(&self) -> &[u8] {
        &self.exit.stdout
    }

    /// The beginning of what it wrote to standard error, and the end of it.
    #[must_use]
    pub fn errors(&self) -> (&Blob, &[u8]) {
        (&self.exit.stderr, &self.exit.stderr_end)
    }

    /// How long it took.
    #[must_use]
    pub fn wall(&self) -> Seconds {
        self.exit.wall.into()
    }

    /// Puts what is in the folder of the build into an empty folder: plain files and folders only.
    /// A link to a file in there becomes a copy of the file; other links are named and left out.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, into: &Path) -> io::Result<Vec<String>> {
        self.given.write(&Dir::open(into)?)
    }

    pub(crate) fn given(&self) -> Rc<Given> {
        Rc::clone(&self.given)
    }
}

//! Building a program: behind the same walls as the program itself, in a copy of its folder.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::AtomicBool;

use crate::check::ending;
use crate::folder::{Dir, Given};
use crate::player::program::{Program, fault};
use crate::process::{Exit, User, find_tool, is_shortage, resolve};
use crate::{Blob, IsolationMode, Kind, Limits, PlayerSpec, RefereeError, Seconds, Size, Verdict};

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
    given: Rc<Given>,
    failure: Option<String>,
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
    /// If the folder cannot be read, or if the machine is to blame: it was too busy, or could not
    /// start the command. A build that fails is no error.
    pub fn run(&self, stop: &AtomicBool) -> Result<Built, RefereeError> {
        let mut command = self.command.to_vec();
        let mut tools = Vec::new();
        if let Some(first) = command.first_mut().filter(|first| !first.contains('/')) {
            // One that is not there shows when it is started.
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
        let fault = match fault(&exit, &self.limits) {
            Some(Verdict::HeldUp { .. }) => return Err(RefereeError::Busy { times: 1 }),
            Some(Verdict::NotStarted { reason }) => {
                return Err(RefereeError::NotStarted { reason });
            }
            fault => fault.map(|verdict| verdict.to_string()),
        };
        let (given, unkept) = match given {
            Ok(given) => (given, None),
            Err(error) if is_shortage(&error) => {
                let path = self.folder.display().to_string();
                return Err(RefereeError::Folder { path, error });
            }
            Err(error) => (Given::default(), Some(error)),
        };
        let unkept = unkept.map(|why| format!("what it left cannot be kept: {why}"));
        Ok(Built {
            failure: fault.or(unkept),
            exit,
            given: Rc::new(given),
        })
    }
}

/// Whether every user can start a program: it can be run by all, and so can its folders be entered.
fn is_for_all(program: &Path) -> bool {
    let mode = |path: &Path| path.metadata().map_or(0, |data| data.permissions().mode());
    program.ancestors().all(|path| mode(path) & 0o001 != 0)
}

impl Built {
    /// Why the build failed, if it did: the sources are to blame.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
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

//! From a command line to everything the child needs.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::child::{Plan, Pointers, Resource};
use super::filter::Filter;
use super::user::User;
use super::view::View;
use super::{StartError, root, tree, walls};
use crate::folder::{Found, Given, RunFolder};
use crate::{IsolationMode, Limits};

/// What to start, where, and how.
#[derive(Clone, Copy)]
pub(crate) struct Launch<'a> {
    /// The program and its arguments.
    pub(crate) command: &'a [String],
    /// What it finds in its folder.
    pub(crate) given: &'a Rc<Given>,
    /// The file that it may change, if it gets one.
    pub(crate) file: Option<&'a [u8]>,
    /// Its folder on the disk; none if the walls make one.
    pub(crate) place: Option<&'a RunFolder>,
    /// What it may read besides what everybody may.
    pub(crate) read: &'a [PathBuf],
    /// Programs that it starts by their names, wherever they are installed.
    pub(crate) tools: &'a [PathBuf],
    /// What it may use.
    pub(crate) limits: &'a Limits,
    /// How it is walled in; not [`IsolationMode::Auto`].
    pub(crate) mode: IsolationMode,
    /// Who it runs as.
    pub(crate) user: User,
}

impl Launch<'_> {
    /// The program's name as the command has it.
    fn name(&self) -> &str {
        self.command.first().map_or("", String::as_str)
    }

    /// Whether the program comes with the machine: one that a player with a folder has not brought
    /// along, such as an interpreter.
    pub(super) fn comes_with_machine(&self) -> bool {
        self.given.leaves_to_machine(self.name())
    }

    /// Everything the child needs.
    pub(super) fn plan(&self) -> Result<Plan, StartError> {
        let name = self.name();
        let folder = match self.place {
            Some(place) => place.place(),
            None => root::HOME.into(),
        };
        let found = self.given.program(name).map_err(|error| StartError {
            error,
            machine: self.comes_with_machine(),
        })?;
        let view = View::of(&found, self.command, self.read, self.tools);
        let program = match found {
            Found::Inside { .. } => folder.join(name.strip_prefix("./").unwrap_or(name)),
            Found::Outside(path) => path,
        };
        if view.paths.len() > root::MOST_SHOWN {
            let what = format!("{name}: more than {} paths to read", root::MOST_SHOWN);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what).into());
        }
        let mut words: Vec<CString> = vec![c_path(&program)];
        words.extend(self.command.iter().skip(1).map(c_string));
        let mut path = c_path(&program);
        if self.mode == IsolationMode::Bwrap {
            path = c_path(&find_program("bwrap")?);
            let mut all = vec![path.clone()];
            all.extend(walls::bwrap_arguments(&view, &folder, self.limits));
            all.append(&mut words);
            words = all;
        }
        let search = search_path(self.tools);
        let temporary = match self.mode {
            IsolationMode::Namespaces | IsolationMode::Bwrap => "/tmp".into(),
            _ => folder.display().to_string(),
        };
        let folder_name = folder.display();
        let env = [
            format!("PATH={search}"),
            format!("HOME={folder_name}"),
            format!("TMPDIR={temporary}"),
            format!("PWD={folder_name}"),
            "LANG=C.UTF-8".into(),
        ];
        let filter = Filter::new(self.mode).map_err(io::Error::other)?;
        Ok(Plan {
            path,
            args: Pointers::new(words),
            env: Pointers::new(env.into_iter().map(c_string).collect()),
            folder: c_path(&folder),
            rlimits: self.rlimits(),
            walls: walls::prepare(self, &view, &folder, &filter)?,
            user: self.user.is_other().then_some(self.user),
            filter,
        })
    }

    /// What the kernel itself enforces. These are the outer fence: the watching above
    /// is exact, but looks only now and then.
    fn rlimits(&self) -> Vec<(Resource, u64)> {
        let mut list = vec![
            // No file is written for so little. With 0 the core would still go to a program of the
            // system, where it has one for that.
            (libc::RLIMIT_CORE, 1),
            (libc::RLIMIT_NOFILE, 256),
            (libc::RLIMIT_MSGQUEUE, 0),
            // Timers count here, and all of a user have them together.
            (libc::RLIMIT_SIGPENDING, 1024),
            (libc::RLIMIT_MEMLOCK, 64 << 10),
            (libc::RLIMIT_NICE, 0),
            (libc::RLIMIT_RTPRIO, 0),
        ];
        let limits = self.limits;
        if let Some(memory) = limits.memory {
            list.push((libc::RLIMIT_DATA, memory.0));
        }
        if let Some(file) = limits.file {
            list.push((libc::RLIMIT_FSIZE, file.0));
        }
        if let Some(cpu) = limits.cpu {
            list.push((libc::RLIMIT_CPU, cpu.0.as_secs() + 2));
        }
        if let Some(most) = limits.processes {
            // The program's own shell or `bwrap` count, too; and a process too many must be seen
            // to be told.
            let more = match self.mode {
                IsolationMode::Namespaces => Some(2),
                IsolationMode::Bwrap if self.user.is_alone() => Some(4),
                // `bwrap` itself would not start while a bomb of the same user is swept up. What
                // runs behind it is a space of processes of its own and dies at once.
                IsolationMode::Bwrap => None,
                _ if self.user.is_alone() => Some(2),
                // This counts all processes of the user, and others come and go: it is only to keep
                // a bomb from growing faster than it can be swept up.
                _ => Some(ROOM_FOR_OTHERS + tree::tasks_of(self.user.uid)),
            };
            if let Some(more) = more {
                list.push((libc::RLIMIT_NPROC, u64::from(most) + more));
            }
        }
        list
    }
}

/// Processes that others of the same user may start while a program runs.
const ROOM_FOR_OTHERS: u64 = 1_000;

/// The search path of a program that finds these tools.
fn search_path(tools: &[PathBuf]) -> String {
    let usual = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".into());
    let mut path = String::new();
    for folder in tools.iter().filter_map(|tool| tool.parent()) {
        let folder = folder.display().to_string();
        // Where it is found anyway, the order of the path stays as it is.
        let known = [&usual, &path].map(|list| list.split(':').any(|part| part == folder));
        if known == [false, false] {
            path = format!("{path}{folder}:");
        }
    }
    path + &usual
}

/// The file that a shell would start from here.
pub(crate) fn find_program(name: &str) -> io::Result<PathBuf> {
    let found = if name.contains('/') {
        real_place(Path::new(name)).filter(|path| path.is_file())
    } else {
        search(name)
    };
    found.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("{name}: no such program")))
}

/// The path of a file without links and `..` in the folders before it, as it is behind walls. The
/// name itself stays: many a program goes by the name under which it is called.
fn real_place(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let (folder, name) = (path.parent()?, path.file_name()?);
    Some(folder.canonicalize().ok()?.join(name))
}

/// The file that a bare name means along the search path.
pub(super) fn search(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|place| place.join(name))
        .find(|path| path.is_file())
}

/// A C string; what lies behind a NUL byte cannot be passed to a program.
pub(super) fn c_string(text: impl AsRef<str>) -> CString {
    let bytes = text.as_ref().bytes().take_while(|byte| *byte != 0);
    CString::new(bytes.collect::<Vec<_>>()).unwrap_or_default()
}

/// A path as a C string.
pub(super) fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}

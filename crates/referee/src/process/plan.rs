//! From a command line to everything the child needs.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::child::{Plan, Pointers, Resource};
use super::walls;
use crate::{IsolationMode, Limits};

/// What to start, where, and how.
#[derive(Clone, Copy)]
pub(crate) struct Launch<'a> {
    /// The program and its arguments.
    pub(crate) command: &'a [String],
    /// The program's own folder, somewhere below `hidden`.
    pub(crate) folder: &'a Path,
    /// The folder with all players' folders, out of the program's sight.
    pub(crate) hidden: &'a Path,
    /// What it may use.
    pub(crate) limits: &'a Limits,
    /// How it is walled in; not [`IsolationMode::Auto`].
    pub(crate) mode: IsolationMode,
}

impl Launch<'_> {
    /// Everything the child needs.
    pub(super) fn plan(&self) -> io::Result<Plan> {
        let name = self.command.first().map_or("", String::as_str);
        let program = find_program(name, self.folder)?;
        let mut words: Vec<CString> = vec![c_path(&program)];
        words.extend(self.command.iter().skip(1).map(c_string));
        let mut path = c_path(&program);
        if self.mode == IsolationMode::Bwrap {
            let bwrap = find_program("bwrap", self.folder)?;
            path = c_path(&bwrap);
            let mut all = vec![path.clone()];
            all.extend(walls::bwrap_arguments(self.hidden, self.folder));
            all.append(&mut words);
            words = all;
        }
        let search = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".into());
        let folder = self.folder.display();
        let env = [
            format!("PATH={search}"),
            format!("HOME={folder}"),
            format!("TMPDIR={folder}"),
            format!("PWD={folder}"),
            "LANG=C.UTF-8".into(),
        ];
        Ok(Plan {
            path,
            args: Pointers::new(words),
            env: Pointers::new(env.into_iter().map(c_string).collect()),
            folder: c_path(self.folder),
            rlimits: self.rlimits(),
            walls: walls::prepare(self.mode, self.hidden, self.folder)?,
        })
    }

    /// What the kernel itself enforces. These are the outer fence: the watching above
    /// is exact, but looks only now and then.
    fn rlimits(&self) -> Vec<(Resource, u64)> {
        let mut list = vec![(libc::RLIMIT_CORE, 0), (libc::RLIMIT_NOFILE, 256)];
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
        // Outside a namespace this would count all processes of the user.
        if let (Some(most), IsolationMode::Namespaces) = (limits.processes, self.mode) {
            list.push((libc::RLIMIT_NPROC, u64::from(most) + 2));
        }
        list
    }
}

/// The file that a shell would start: in the player's own folder, else where we are,
/// else along the search path.
pub(crate) fn find_program(name: &str, folder: &Path) -> io::Result<PathBuf> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, format!("{name}: no such program"));
    if name.contains('/') {
        let own = folder.join(name);
        return if own.is_file() {
            Ok(own)
        } else {
            std::path::absolute(name)
                .ok()
                .filter(|path| path.is_file())
                .ok_or_else(missing)
        };
    }
    let search = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&search)
        .map(|place| place.join(name))
        .find(|path| path.is_file())
        .ok_or_else(missing)
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

//! What a program sees of the file system besides its own folder.
//!
//! An allow-list: the system's programs and libraries, a few files of `/etc`, the program's
//! own file, what its command names, its interpreter, and what its player's `read` adds.
//! Namespaces, `bwrap` and Landlock all build the same view.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::plan::search;

/// Folders with programs and libraries.
const FOLDERS: [&str; 9] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];

/// What programs and interpreters read of `/etc`; of those with a star all that begin so.
const ETC: [&str; 9] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/locale.alias",
    "/etc/java*",
    "/etc/python*",
    "/etc/perl*",
];

/// Devices that programs expect.
pub(super) const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Where a path is never shown from: walls have their own, or none.
const NEVER: [&str; 4] = ["/proc", "/sys", "/dev", "/run"];

/// Paths that can be read, and links that lead to them.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    /// Files and whole folders; none lies below another.
    pub(super) paths: Vec<PathBuf>,
    /// Links: where, and to what.
    pub(super) links: Vec<(PathBuf, PathBuf)>,
}

impl View {
    /// The part that is the same for every program.
    fn system() -> &'static View {
        static SYSTEM: OnceLock<View> = OnceLock::new();
        SYSTEM.get_or_init(|| {
            let mut view = View::default();
            for path in FOLDERS.into_iter().chain(ETC) {
                match path.strip_suffix('*') {
                    None => view.add_system(Path::new(path)),
                    Some(start) => beginning_with(start)
                        .iter()
                        .for_each(|path| view.add_system(path)),
                }
            }
            view
        })
    }

    fn add_system(&mut self, path: &Path) {
        match fs::symlink_metadata(path) {
            Ok(data) if data.is_symlink() => {
                if let Ok(target) = fs::read_link(path) {
                    self.links.push((path.into(), target));
                }
            }
            Ok(_) => self.paths.push(path.into()),
            Err(_) => {}
        }
    }

    /// The view of a program that is started by these words.
    pub(super) fn of(program: &Path, command: &[String], read: &[PathBuf]) -> View {
        let mut view = View::system().clone();
        view.add_program(program, 0);
        for word in command.iter().skip(1) {
            let path = Path::new(word);
            if path.is_absolute() && path.exists() {
                view.add(path);
            }
        }
        for path in read {
            view.add(path);
        }
        view.paths.sort();
        let all = std::mem::take(&mut view.paths);
        for path in all {
            // Sorted, a folder stands before everything in it.
            if !view.shows(&path) {
                view.paths.push(path);
            }
        }
        view
    }

    /// Adds a program with what it needs to start: its interpreter, and the folder that an
    /// interpreter is installed in.
    fn add_program(&mut self, program: &Path, depth: u32) {
        self.add(program);
        for file in [Some(program.to_path_buf()), program.canonicalize().ok()] {
            if let Some(home) = file.as_deref().and_then(installation) {
                self.add(&home);
            }
        }
        // An interpreter may be a script itself.
        if depth < 4
            && let Some(interpreter) = interpreter(program)
        {
            self.add_program(&interpreter, depth + 1);
        }
    }

    /// Adds a path, and what it leads to if it is a link.
    fn add(&mut self, path: &Path) {
        let real = path.canonicalize();
        for path in [plain(path), real.ok()].into_iter().flatten() {
            let never = NEVER.iter().any(|never| path.starts_with(never));
            if path != Path::new("/") && !never && !self.shows(&path) {
                self.paths.push(path);
            }
        }
    }

    fn shows(&self, path: &Path) -> bool {
        self.paths.iter().any(|shown| path.starts_with(shown))
    }
}

/// The path without `..` and links in the folders on the way.
fn plain(path: &Path) -> Option<PathBuf> {
    let folder = path.parent()?.canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

/// The entries of a folder that begin like this path.
fn beginning_with(start: &str) -> Vec<PathBuf> {
    let folder = Path::new(start).parent().unwrap_or(Path::new("/"));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().starts_with(start))
        .collect()
}

/// The interpreter that the first line of a script names, directly or through `env`.
fn interpreter(script: &Path) -> Option<PathBuf> {
    let mut start = Vec::new();
    let file = fs::File::open(script).ok()?;
    file.take(256).read_to_end(&mut start).ok()?;
    let line = start
        .strip_prefix(b"#!")?
        .split(|byte| *byte == b'\n')
        .next()?;
    let line = String::from_utf8_lossy(line).into_owned();
    let mut words = line.split_whitespace();
    let first = PathBuf::from(words.next()?);
    if first.file_name()? != "env" {
        return Some(first);
    }
    let name = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    search(name)
}

/// The folder in which an interpreter is installed with its library, if `program` is one
/// (`FOLDER/bin/python3`): it cannot do without. A home folder is never one.
fn installation(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?.parent()?;
    let has = |name: &str| folder.join(name).exists();
    let library = fs::read_dir(folder.join("lib"))
        .into_iter()
        .flatten()
        .flatten();
    let python = library.into_iter().any(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with("python") && entry.path().is_dir()
    });
    let known = python
        || has("pyvenv.cfg")
        || has("lib/modules")
        || (has("versions") && has("shims"))
        || has("lib/node_modules");
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let someones = home.is_some_and(|home| home.starts_with(folder))
        || folder
            .parent()
            .is_none_or(|above| above == Path::new("/home"))
        || std::env::temp_dir().starts_with(folder);
    (known && !someones).then(|| folder.into())
}

/// What is wrong with a path that a player's `read` names.
pub(crate) fn check_read(path: &Path) -> Result<(), String> {
    let shown = path.display();
    if !path.is_absolute() {
        return Err(format!("read: {shown} is not an absolute path"));
    }
    let Ok(real) = path.canonicalize() else {
        return Err(format!("read: {shown} is not there"));
    };
    let never = NEVER.iter().any(|never| real.starts_with(never));
    if never || std::env::temp_dir().starts_with(&real) {
        return Err(format!("read: {shown} cannot be shown to a program"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreters_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("bot");
        for (line, expected) in [
            ("#!/bin/sh -e\n", Some("/bin/sh")),
            (
                "#! /usr/bin/env -S LANG=C sh -e\n",
                search("sh").unwrap().to_str(),
            ),
            ("\x7fELF", None),
            ("#!", None),
        ] {
            fs::write(&script, line).unwrap();
            assert_eq!(
                interpreter(&script),
                expected.map(PathBuf::from),
                "{line:?}"
            );
        }
    }

    #[test]
    fn only_what_is_needed_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["venv/bin/python3", "venv/pyvenv.cfg", "bots/mine", "secret"] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let view = View::of(&root.join("bots/mine"), &[], &[]);
        assert!(view.shows(&root.join("bots/mine")));
        assert!(!view.shows(&root.join("bots")));
        assert!(!view.shows(&root.join("secret")));
        let view = View::of(&root.join("venv/bin/python3"), &[], &[root.join("bots")]);
        assert!(view.shows(&root.join("venv/pyvenv.cfg")));
        assert!(view.shows(&root.join("bots/mine")));
        assert!(!view.shows(&root.join("secret")));
        let command = ["x".to_string(), root.join("secret").display().to_string()];
        assert!(View::of(Path::new("/usr/bin/env"), &command, &[]).shows(&root.join("secret")));
    }
}

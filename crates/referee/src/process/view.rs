//! What a program sees of the file system besides its own folder.
//!
//! An allow-list: the system's programs and libraries, a few files of `/etc`, the program's
//! own file, what its command names, its interpreter, and what its player's `read` adds.
//! Namespaces, `bwrap` and Landlock all build the same view.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::root::is_own;
use crate::folder::Found;

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

/// How much of a script's first line the kernel looks at.
const FIRST_LINE: u64 = 256;

/// Interpreters that a script may ask for; others are named by the player's `read`.
const INTERPRETERS: [&str; 26] = [
    "awk", "bash", "bun", "dash", "deno", "fish", "gawk", "guile", "java", "julia", "ksh", "lua",
    "luajit", "mawk", "node", "nodejs", "perl", "php", "pypy", "python", "racket", "Rscript",
    "ruby", "runghc", "sh", "zsh",
];

/// Compilers that need what they are installed with.
const COMPILERS: [&str; 3] = ["cargo", "javac", "rustc"];

/// What interpreters are installed with, beside the folder of the program: where the first
/// is there, the others are shown. The libraries of Python (`lib/python3.13`) come to these.
const BESIDE: [&[&str]; 6] = [
    &["pyvenv.cfg", "pyvenv.cfg"],
    &["lib/modules", "lib", "conf"],
    &["lib/node_modules", "lib/node_modules"],
    &["lib/ruby", "lib/ruby"],
    &["lib/rustlib", "bin", "lib", "libexec"],
    &[
        "shims", "shims", "versions", "version", "bin", "libexec", "plugins",
    ],
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
    pub(super) fn of(
        program: &Found,
        command: &[String],
        read: &[PathBuf],
        tools: &[PathBuf],
    ) -> View {
        let mut view = View::system().clone();
        match program {
            // Its folder is there anyway; a link in it is not followed.
            Found::Inside { content, .. } => view.add_interpreter(content, 0),
            Found::Outside(path) => view.add_program(path, 0),
        }
        for word in command.iter().skip(1) {
            let path = Path::new(word);
            if path.is_absolute() && path.exists() {
                view.add(path);
            }
        }
        for path in read {
            view.add(path);
        }
        for tool in tools {
            view.add_program(tool, 0);
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

    /// Adds a program with what it needs to start: its interpreter, and what an interpreter
    /// is installed with.
    fn add_program(&mut self, program: &Path, depth: u32) {
        self.add(program);
        for file in [Some(program.to_path_buf()), program.canonicalize().ok()] {
            for part in file.as_deref().map(installation).unwrap_or_default() {
                self.add(&part);
            }
        }
        let mut start = Vec::new();
        if let Ok(file) = fs::File::open(program)
            && file.take(FIRST_LINE).read_to_end(&mut start).is_ok()
        {
            self.add_interpreter(&start, depth);
        }
    }

    /// Adds the interpreter of a script, which may be a script itself.
    fn add_interpreter(&mut self, script: &[u8], depth: u32) {
        if depth < 4
            && let Some(interpreter) = interpreter(script)
        {
            self.add_program(&interpreter, depth + 1);
        }
    }

    /// Adds a path, and every file that it leads to if it is a link.
    fn add(&mut self, path: &Path) {
        let mut steps = vec![path.to_path_buf()];
        while steps.len() < 16
            && let Some(link) = steps.last().filter(|step| step.is_symlink())
            && let (Ok(target), Some(folder)) = (fs::read_link(link), link.parent())
        {
            steps.push(folder.join(target));
        }
        let real = path.canonicalize().ok();
        for path in steps.iter().filter_map(|step| plain(step)).chain(real) {
            if !is_never_shown(&path) && !self.shows(&path) {
                self.paths.push(path);
            }
        }
    }

    fn shows(&self, path: &Path) -> bool {
        self.paths.iter().any(|shown| path.starts_with(shown))
    }
}

/// Whether every program sees this file.
#[must_use]
pub fn is_shown_to_all(file: &Path) -> bool {
    let real = file.canonicalize();
    real.is_ok_and(|real| View::system().shows(&real))
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

/// The interpreter that the first line of a script names, directly or through `env`, if it
/// is one of the machine's: a known interpreter in a folder of the search path.
///
/// The line is written by a stranger. It may choose among interpreters and must never make
/// another file readable, nor have another player's program play in its place.
fn interpreter(script: &[u8]) -> Option<PathBuf> {
    let start = &script[..script.len().min(FIRST_LINE as usize)];
    let line = start
        .strip_prefix(b"#!")?
        .split(|byte| *byte == b'\n')
        .next()?;
    let line = str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace();
    let mut named = Path::new(words.next()?);
    if named.file_name()? == "env" {
        let is_setting = |word: &&str| matches!(*word, "-S" | "-i" | "-") || word.contains('=');
        named = Path::new(words.find(|word| !is_setting(word))?);
    }
    let name = named
        .file_name()?
        .to_str()
        .filter(|name| is_interpreter(name))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_bare = named.as_os_str() == name;
    std::env::split_paths(&path)
        .map(|place| place.join(name))
        .find(|file| (is_bare || file == named) && is_executable(file))
}

/// Whether a file name is that of an interpreter, with or without its version.
fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.iter().any(|known| {
        let version = name.strip_prefix(known);
        version.is_some_and(|rest| {
            rest.chars()
                .all(|c| c.is_ascii_digit() || "._-".contains(c))
        })
    })
}

fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// What lies beside an interpreter that is installed in a folder of its own
/// (`FOLDER/bin/python3`) and what it cannot do without: its libraries, never the whole
/// folder, which may be somebody's.
fn installation(program: &Path) -> Vec<PathBuf> {
    let name = program.file_name().and_then(|name| name.to_str());
    let Some(folder) = program.parent().and_then(Path::parent) else {
        return Vec::new();
    };
    let is_known = |name: &str| is_interpreter(name) || COMPILERS.contains(&name);
    if !name.is_some_and(is_known) || folder == Path::new("/") {
        return Vec::new();
    }
    let kinds = BESIDE.iter().filter(|parts| folder.join(parts[0]).exists());
    let parts = kinds.flat_map(|parts| &parts[1..]);
    let python = beginning_with(&folder.join("lib/python").to_string_lossy());
    let parts = parts.map(|part| folder.join(part)).chain(python);
    parts.filter(|part| part.exists()).collect()
}

/// Whether walls have their own at this path, or nothing.
fn is_never_shown(path: &Path) -> bool {
    is_own(path) || NEVER.iter().any(|never| path.starts_with(never))
}

/// What is wrong with a path that a player's `read` names.
pub fn check_read(path: &Path) -> Result<(), String> {
    let shown = path.display();
    if !path.is_absolute() {
        return Err(format!("read: {shown} is not an absolute path"));
    }
    let Ok(real) = path.canonicalize() else {
        return Err(format!("read: {shown} is not there"));
    };
    let named = plain(path).is_none_or(|path| is_never_shown(&path));
    if named || is_never_shown(&real) || std::env::temp_dir().starts_with(&real) {
        return Err(format!("read: {shown} cannot be shown to a program"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::plan::search;
    use super::*;

    #[test]
    fn interpreters_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("python3");
        fs::write(&secret, "").unwrap();
        fs::set_permissions(&secret, fs::Permissions::from_mode(0o755)).unwrap();
        let secret = secret.display();
        let sh = search("sh");
        for (line, expected) in [
            ("#!/usr/bin/sh -e\n".into(), Some("/usr/bin/sh".into())),
            ("#! /usr/bin/env -S LANG=C sh -e\n".into(), sh.clone()),
            ("#!/usr/bin/env sh\n".into(), sh),
            ("#!/usr/bin/env ls\n".into(), None),
            (format!("#!{secret}\n"), None),
            (format!("#!/usr/bin/env {secret}\n"), None),
            (format!("#!/usr/bin/env -S -u {secret} sh\n"), None),
            (format!("#!/usr/bin/env -S --chdir {secret} sh\n"), None),
            (format!("#!/usr/bin/env ../../../..{secret}\n"), None),
            ("\x7fELF".into(), None),
            ("#!".into(), None),
        ] {
            assert_eq!(interpreter(line.as_bytes()), expected, "{line:?}");
        }
    }

    #[test]
    fn versions_belong_to_the_name_of_an_interpreter() {
        for (name, expected) in [
            ("python3.13", true),
            ("python", true),
            ("pypy3", true),
            ("node-22", true),
            ("pythonic", false),
            ("ludex", false),
            ("shadow", false),
        ] {
            assert_eq!(is_interpreter(name), expected, "{name}");
        }
    }

    #[test]
    fn what_walls_have_of_their_own_is_not_shown() {
        for path in [
            "/",
            "/etc",
            "/var",
            "/var/tmp",
            "/tmp",
            "/dev",
            "/proc/self",
        ] {
            let said = format!("read: {path} cannot be shown to a program");
            assert_eq!(check_read(Path::new(path)), Err(said));
            let command = ["x".to_string(), path.to_string()];
            let program = Found::Outside("/usr/bin/env".into());
            let view = View::of(&program, &command, &[], &[]);
            assert!(!view.paths.iter().any(|shown| shown == Path::new(path)));
        }
        for path in ["/etc/passwd", "/usr", "/var/lib"] {
            assert_eq!(check_read(Path::new(path)), Ok(()));
        }
    }

    #[test]
    fn only_what_is_needed_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in [
            "venv/bin/python3",
            "venv/pyvenv.cfg",
            "bots/mine",
            "secret",
            "rust/bin/rustc",
            "rust/lib/rustlib/x",
            "rust/secret",
        ] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let outside = |path: &str| Found::Outside(root.join(path));
        let view = View::of(&outside("bots/mine"), &[], &[], &[]);
        assert!(view.shows(&root.join("bots/mine")));
        assert!(!view.shows(&root.join("bots")));
        assert!(!view.shows(&root.join("secret")));
        let view = View::of(&outside("venv/bin/python3"), &[], &[root.join("bots")], &[]);
        assert!(view.shows(&root.join("venv/pyvenv.cfg")));
        assert!(view.shows(&root.join("bots/mine")));
        assert!(!view.shows(&root.join("secret")));
        let tools = [root.join("rust/bin/rustc")];
        let view = View::of(&outside("bots/mine"), &[], &[], &tools);
        assert!(view.shows(&root.join("rust/lib/rustlib/x")));
        assert!(!view.shows(&root.join("rust/secret")));
        let command = ["x".to_string(), root.join("secret").display().to_string()];
        let view = View::of(&outside("/usr/bin/env"), &command, &[], &[]);
        assert!(view.shows(&root.join("secret")));
    }
}

//! What a program finds in its folder when it starts.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};

use super::dir::{Dir, FileRead};
use crate::process::find_program;

/// No folder with more is given to a program: it is copied for every move.
const LARGEST: u64 = 1 << 30;
/// Folders in folders in folders.
const DEEPEST: usize = 64;
/// Bytes in the path of a file or folder from the top: with the place where it is kept, no system
/// takes much longer ones.
pub const LONGEST_PATH: usize = 1024;

/// The content of a player's `folder`, read once, so that a program finds the very same
/// before every move.
#[derive(Debug, Default)]
pub(crate) struct Given {
    entries: BTreeMap<CString, Entry>,
    /// Whether there is such a folder at all.
    is_there: bool,
}

/// Where the program of a command is.
#[derive(Debug)]
pub(crate) enum Found<'a> {
    /// In the player's folder.
    Inside { mode: u32, content: &'a [u8] },
    /// On this machine.
    Outside(PathBuf),
}

#[derive(Debug)]
enum Entry {
    Folder {
        mode: u32,
        inside: Given,
    },
    File {
        mode: u32,
        content: Vec<u8>,
    },
    /// A link is copied as it is and never followed: it may lead anywhere.
    Link(CString),
}

impl Given {
    /// Reads a folder.
    pub(crate) fn read(folder: &Path) -> io::Result<Given> {
        let mut room = LARGEST;
        if !fs::metadata(folder)?.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        read(folder, folder, &mut room, 0)
    }

    /// Reads a folder that a program may have filled: by handles, without links.
    pub(super) fn of(dir: &Dir) -> io::Result<Given> {
        let mut names = Names::default();
        names.count(dir, 0, 0)?;
        let mut room = LARGEST;
        let given = read_handle(dir, &mut room, &names, 0)?;
        match given.size_written(&given, Path::new("")) > LARGEST {
            true => Err(too_much("the folder is larger than 1 GB")),
            false => Ok(given),
        }
    }

    /// Bytes of all files in a folder of this one as they are written, with copies for links.
    fn size_written(&self, here: &Given, way: &Path) -> u64 {
        let size = |(name, entry): (&CString, &Entry)| {
            let path = way.join(OsStr::from_bytes(name.as_bytes()));
            match entry {
                Entry::Folder { inside, .. } => self.size_written(inside, &path),
                Entry::File { content, .. } => content.len() as u64,
                Entry::Link(_) => self
                    .file(&path)
                    .map_or(0, |(_, content)| content.len() as u64),
            }
        };
        here.entries.iter().map(size).sum()
    }

    /// Puts everything into a folder.
    pub(super) fn put(&self, dir: &Dir) -> io::Result<()> {
        for (name, entry) in &self.entries {
            match entry {
                Entry::File { mode, content } => dir.make_file(name, *mode, content)?,
                Entry::Link(target) => dir.make_link(name, target)?,
                Entry::Folder { mode, inside } => inside.put(&dir.make_dir(name, *mode)?)?,
            }
        }
        Ok(())
    }

    /// Writes files and folders into an empty folder. A link to a file in here becomes a copy of
    /// the file; other links are left out and named.
    pub(crate) fn write(&self, dir: &Dir) -> io::Result<Vec<String>> {
        let mut left_out = Vec::new();
        self.write_below(self, Path::new(""), dir, &mut left_out)?;
        Ok(left_out)
    }

    fn write_below(
        &self,
        here: &Given,
        way: &Path,
        dir: &Dir,
        left_out: &mut Vec<String>,
    ) -> io::Result<()> {
        for (name, entry) in &here.entries {
            let path = way.join(OsStr::from_bytes(name.as_bytes()));
            let file = match entry {
                Entry::Folder { inside, .. } => {
                    let dir = dir.make_dir(name, 0o700)?;
                    self.write_below(inside, &path, &dir, left_out)?;
                    continue;
                }
                Entry::File { mode, content } => Some((*mode, content.as_slice())),
                Entry::Link(_) => self.file(&path),
            };
            match file {
                Some((mode, content)) => dir.make_file(name, plain_mode(mode, content), content)?,
                None => left_out.push(path.display().to_string()),
            }
        }
        Ok(())
    }

    /// Finds the program that a command names. Where a player has a folder, a relative path
    /// means a file in it and nothing else: the folder may be a stranger's, and a program
    /// that is missing there must not become one of the same name that lies here.
    ///
    /// # Errors
    /// If there is no such program.
    pub(crate) fn program(&self, name: &str) -> io::Result<Found<'_>> {
        if !self.is_to_have(name) {
            return find_program(name).map(Found::Outside);
        }
        let found = self.file(Path::new(name));
        let missing = || {
            let what = format!("{name}: no such file in the player's folder");
            io::Error::new(io::ErrorKind::NotFound, what)
        };
        found
            .map(|(mode, content)| Found::Inside { mode, content })
            .ok_or_else(missing)
    }

    /// Whether this is a player's folder in which a program of this name is to be.
    fn is_to_have(&self, name: &str) -> bool {
        self.is_there && name.contains('/') && !Path::new(name).is_absolute()
    }

    /// Whether there is a player's folder, and a program of this name comes with the machine.
    pub(crate) fn leaves_to_machine(&self, name: &str) -> bool {
        self.is_there && !self.is_to_have(name)
    }

    /// The file with this path: its mode and its content. Links are followed as long as they
    /// stay in here.
    fn file(&self, path: &Path) -> Option<(u32, &[u8])> {
        /// No more links are followed, as in the kernel.
        const MOST: usize = 40;
        let mut path = inside(Path::new(""), path)?;
        for _ in 0..MOST {
            match self.entry(&path)? {
                Ok((mode, content)) => return Some((mode, content)),
                Err(other) => path = other,
            }
        }
        None
    }

    /// The file with this path, or the path to which a link on the way leads.
    fn entry(&self, path: &Path) -> Option<Result<(u32, &[u8]), PathBuf>> {
        let mut here = self;
        let mut way = PathBuf::new();
        let mut parts = path.iter();
        loop {
            let part = parts.next()?;
            let entry = here.entries.get(&CString::new(part.as_bytes()).ok()?)?;
            let rest = parts.as_path();
            match entry {
                Entry::File { mode, content } if rest == Path::new("") => {
                    return Some(Ok((*mode, content)));
                }
                Entry::File { .. } => return None,
                Entry::Folder { inside, .. } => here = inside,
                Entry::Link(target) => {
                    let target = Path::new(OsStr::from_bytes(target.as_bytes()));
                    return inside(&way, &target.join(rest)).map(Err);
                }
            }
            way.push(part);
        }
    }

    /// Every file with its hash, by its path.
    pub(crate) fn hashes(&self) -> Vec<(String, String)> {
        let mut list = Vec::new();
        for (name, entry) in &self.entries {
            let name = name.to_string_lossy().into_owned();
            match entry {
                Entry::File { content, .. } => list.push((name, hash(content))),
                Entry::Link(target) => list.push((name, hash(target.as_bytes()))),
                Entry::Folder { inside, .. } => {
                    let below = inside.hashes().into_iter();
                    list.extend(below.map(|(path, sum)| (format!("{name}/{path}"), sum)));
                }
            }
        }
        list
    }

    /// The names at the top.
    pub(super) fn names(&self) -> impl Iterator<Item = &CStr> {
        self.entries.keys().map(CString::as_c_str)
    }

    /// The folder inside with this name.
    pub(super) fn inside(&self, wanted: &CStr) -> Option<&Given> {
        match self.entries.get(wanted)? {
            Entry::Folder { inside, .. } => Some(inside),
            _ => None,
        }
    }
}

/// The rights of a file that is kept, for its owner alone: what can be run may be run. Not all walls
/// let a program say that a file can be.
fn plain_mode(mode: u32, content: &[u8]) -> u32 {
    match mode & 0o111 != 0 || is_runnable(content) {
        true => 0o700,
        false => 0o600,
    }
}

/// Whether a file is a program by its first bytes: an executable file of this system, or a script that
/// names its interpreter.
#[must_use]
pub fn is_runnable(content: &[u8]) -> bool {
    content.starts_with(b"\x7fELF") || content.starts_with(b"#!")
}

/// The path from the top, without `.` and `..`; none if it leads out.
fn inside(from: &Path, path: &Path) -> Option<PathBuf> {
    let mut way = from.to_path_buf();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(name) => way.push(name),
            Component::ParentDir if way.pop() => {}
            _ => return None,
        }
    }
    Some(way)
}

/// SHA-256 in hex.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a folder at or below `top`.
fn read(top: &Path, folder: &Path, room: &mut u64, depth: usize) -> io::Result<Given> {
    let wrong = |path: &Path, what: &str| {
        let what = match path.strip_prefix(top) {
            Ok(inner) if inner != Path::new("") => format!("{}: {what}", inner.display()),
            _ => what.to_string(),
        };
        io::Error::new(io::ErrorKind::InvalidInput, what)
    };
    if depth > DEEPEST {
        return Err(wrong(folder, "folders are nested too deep"));
    }
    let mut entries = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        let name = CString::new(name.as_bytes())?;
        let data = fs::symlink_metadata(&path)?;
        let mode = data.mode();
        let entry = if data.is_dir() {
            let inside = read(top, &path, room, depth + 1)?;
            Entry::Folder { mode, inside }
        } else if data.is_symlink() {
            Entry::Link(CString::new(fs::read_link(&path)?.as_os_str().as_bytes())?)
        } else if data.is_file() {
            *room = room
                .checked_sub(data.len())
                .ok_or_else(|| wrong(top, "the folder is larger than 1 GB"))?;
            let content = fs::read(&path)?;
            Entry::File { mode, content }
        } else {
            return Err(wrong(
                &path,
                match data.mode() & libc::S_IFMT {
                    libc::S_IFIFO => "a pipe cannot be copied",
                    libc::S_IFSOCK => "a socket cannot be copied",
                    _ => "a device cannot be copied",
                },
            ));
        };
        entries.insert(name, entry);
    }
    Ok(Given {
        entries,
        is_there: true,
    })
}

/// No folder that a program has filled is read with more names in it and in the folders in it.
const MOST_NAMES: usize = 10_000;

/// The names in a folder and below.
#[derive(Default)]
struct Names {
    count: usize,
    /// How many names files have in there, by their identity.
    of_files: HashMap<(u64, u64), u64>,
}

fn too_much(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what.to_string())
}

impl Names {
    /// Counts those in a folder, whose own path has so many bytes.
    fn count(&mut self, dir: &Dir, depth: usize, length: usize) -> io::Result<()> {
        if depth > DEEPEST {
            return Err(too_much("folders are nested too deep"));
        }
        for name in dir.names(MOST_NAMES + 1)? {
            self.count += 1;
            if self.count > MOST_NAMES {
                return Err(too_much("the folder has more than 10000 files and folders"));
            }
            let length = length + name.count_bytes();
            if length > LONGEST_PATH {
                return Err(too_much("a path is longer than 1024 bytes"));
            }
            let status = dir.status(&name)?;
            if status.is_dir() {
                // With the slash behind it.
                self.count(&dir.dir(&name)?, depth + 1, length + 1)?;
            } else {
                *self.of_files.entry(status.identity()).or_default() += 1;
            }
        }
        Ok(())
    }
}

/// Reads what a program made. A file may have several names, as compilers give them, if all are in
/// here.
fn read_handle(dir: &Dir, room: &mut u64, known: &Names, depth: usize) -> io::Result<Given> {
    if depth > DEEPEST {
        return Err(too_much("folders are nested too deep"));
    }
    let mut entries = BTreeMap::new();
    for name in dir.names(MOST_NAMES)? {
        let status = dir.status(&name)?;
        let mode = status.mode();
        if status.is_dir() {
            let inside = read_handle(&dir.dir(&name)?, room, known, depth + 1)?;
            entries.insert(name, Entry::Folder { mode, inside });
        } else if let Ok(target) = dir.link_target(&name) {
            entries.insert(name, Entry::Link(target));
        } else if let FileRead::Content(content) = {
            let names = known.of_files.get(&status.identity()).copied();
            dir.read_with_links(&name, *room, names.unwrap_or(1))
        } {
            *room = room
                .checked_sub(content.len() as u64)
                .ok_or_else(|| too_much("the folder is larger than 1 GB"))?;
            entries.insert(name, Entry::File { mode, content });
        }
    }
    Ok(Given {
        entries,
        is_there: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_path_means_the_players_folder() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        fs::write(folder.path().join("bin/bot"), "mine").unwrap();
        for (target, name) in [
            ("/bin/sh", "link"),
            ("bin/bot", "near"),
            ("../near", "bin/up"),
            ("../../x", "bin/out"),
            ("ring", "ring"),
        ] {
            std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
        }
        let given = Given::read(folder.path()).unwrap();
        let shell = format!(
            "outside {}",
            Path::new("/bin")
                .canonicalize()
                .unwrap()
                .join("sh")
                .display()
        );
        let dots = format!(
            "{}/../{}/bin/bot",
            folder.path().display(),
            folder.path().file_name().unwrap().display()
        );
        let bot = format!(
            "outside {}",
            folder
                .path()
                .canonicalize()
                .unwrap()
                .join("bin/bot")
                .display()
        );
        for (name, expected) in [
            ("bin/bot", "inside mine"),
            ("./bin/bot", "inside mine"),
            ("./bot", "./bot: no such file in the player's folder"),
            ("./link", "./link: no such file in the player's folder"),
            (
                "./Cargo.toml",
                "./Cargo.toml: no such file in the player's folder",
            ),
            ("../bot", "../bot: no such file in the player's folder"),
            ("./near", "inside mine"),
            ("bin/up", "inside mine"),
            ("bin/../near", "inside mine"),
            ("bin/out", "bin/out: no such file in the player's folder"),
            ("./ring", "./ring: no such file in the player's folder"),
            ("/bin/sh", &shell),
            (&dots, &bot),
            ("/bin/no-such", "/bin/no-such: no such program"),
            ("no-such", "no-such: no such program"),
        ] {
            let found = match given.program(name) {
                Ok(Found::Inside { content, .. }) => {
                    format!("inside {}", String::from_utf8_lossy(content))
                }
                Ok(Found::Outside(path)) => format!("outside {}", path.display()),
                Err(error) => error.to_string(),
            };
            assert_eq!(found, expected, "{name}");
        }
        // Without a folder a path counts from here.
        let nothing = Given::default();
        let found = nothing.program("./Cargo.toml");
        assert!(matches!(found, Ok(Found::Outside(_))), "{found:?}");
    }

    #[test]
    fn what_comes_with_the_machine_is_told_from_what_a_player_brings() {
        let folder = tempfile::tempdir().unwrap();
        let given = Given::read(folder.path()).unwrap();
        for (name, expected) in [
            ("./bot", false),
            ("bin/bot", false),
            ("python3", true),
            ("/usr/bin/python3", true),
        ] {
            assert_eq!(given.leaves_to_machine(name), expected, "{name}");
            // Who has no folder names its own program, wherever that is.
            assert!(!Given::default().leaves_to_machine(name), "{name}");
        }
    }

    /// By handles folders can be nested so that no path leads to the innermost.
    #[test]
    fn what_no_path_leads_to_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let top = Dir::open(folder.path()).unwrap();
        let name = CString::new("d".repeat(250)).unwrap();
        let mut dir = top.dir(c".").unwrap();
        for _ in 0..4 {
            dir = dir.make_dir(&name, 0o700).unwrap();
        }
        assert!(Given::of(&top).is_ok());
        for _ in 4..20 {
            dir = dir.make_dir(&name, 0o700).unwrap();
        }
        let error = Given::of(&top).unwrap_err();
        assert_eq!(error.to_string(), "a path is longer than 1024 bytes");
        top.remove_all(&name).unwrap();
    }

    /// In one folder, or in many.
    #[test]
    fn more_names_than_anybody_needs_are_not_kept() {
        for (folders, files) in [(1, 10_000), (100, 100)] {
            let folder = tempfile::tempdir().unwrap();
            let at = |folder_number: u32, file: u32| {
                folder.path().join(format!("{folder_number}/{file}"))
            };
            for number in 0..folders {
                fs::create_dir(folder.path().join(number.to_string())).unwrap();
                (0..files).for_each(|file| fs::write(at(number, file), "").unwrap());
            }
            let dir = Dir::open(folder.path()).unwrap();
            let error = Given::of(&dir).unwrap_err().to_string();
            assert_eq!(error, "the folder has more than 10000 files and folders");
            (0..folders).for_each(|file| fs::remove_file(at(0, file)).unwrap());
            assert!(Given::of(&dir).is_ok(), "{folders} folders");
        }
    }

    /// A link to a file becomes a copy of it.
    #[test]
    fn links_are_as_large_as_what_they_lead_to() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), vec![0; 1 << 20]).unwrap();
        let dir = Dir::open(folder.path()).unwrap();
        let link = |number: u32| {
            let name = CString::new(format!("link-{number}")).unwrap();
            dir.make_link(&name, c"file").unwrap();
        };
        (0..1023).for_each(link);
        assert!(Given::of(&dir).is_ok());
        link(1023);
        let error = Given::of(&dir).unwrap_err();
        assert_eq!(error.to_string(), "the folder is larger than 1 GB");
    }

    /// Compilers give their result a second name; a second name elsewhere is another matter.
    #[test]
    fn what_a_build_linked_inside_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join("run").join(name);
        fs::create_dir_all(at("target/deps")).unwrap();
        fs::write(at("target/deps/bot-1"), "built").unwrap();
        fs::hard_link(at("target/deps/bot-1"), at("bot")).unwrap();
        fs::write(folder.path().join("outside"), "secret").unwrap();
        fs::hard_link(folder.path().join("outside"), at("stolen")).unwrap();
        std::os::unix::fs::symlink("target/deps/bot-1", at("soft")).unwrap();
        let dir = Dir::open(&folder.path().join("run")).unwrap();
        let given = Given::of(&dir).unwrap();
        let content = |name: &str| given.file(Path::new(name)).map(|(_, content)| content);
        assert_eq!(content("bot"), Some(&b"built"[..]));
        assert_eq!(content("soft"), Some(&b"built"[..]));
        assert_eq!(content("stolen"), None);
    }
}

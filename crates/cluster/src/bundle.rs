//! What a program is made of, as one archive: itself, files that its command names, its folder.
//!
//! The same files always make the same archive, which is called by its SHA-256. What belongs to
//! the system (interpreters, their libraries) is not in it: workers must have it.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Component, Path, PathBuf};

use referee::{PlayerSpec, is_shown_to_all};
use tar::{Builder, EntryType, Header};

use crate::error::{ClusterError, Result, file};

/// No folder with more is sent.
const LARGEST: u64 = 1 << 30;
/// Folders in folders.
const DEEPEST: usize = 64;

/// Where the folder of a program is in its archive.
const FOLDER: &str = "folder";
/// Where words of its command are that name files.
const WORDS: &str = "words";

/// The archive of a player's program, and the player with paths inside of it. Nothing for a
/// player that needs no files.
pub(crate) fn pack(player: &PlayerSpec) -> Result<(PlayerSpec, Option<Vec<u8>>)> {
    let mut spec = player.clone();
    if !player.kind.is_program() {
        return Ok((spec, None));
    }
    let mut archive = Builder::new(Vec::new());
    let mut room = LARGEST;
    let mut some = false;
    if let Some(folder) = &player.folder {
        add_folder(&mut archive, Path::new(FOLDER), folder, &mut room, 0)?;
        spec.folder = Some(FOLDER.into());
        some = true;
    }
    for (number, word) in player.command.0.iter().enumerate() {
        let Some(path) = own_file(player, number, word)? else {
            continue;
        };
        let name = path.file_name().unwrap_or(OsStr::new("program"));
        let place = Path::new(WORDS).join(number.to_string()).join(name);
        add_file(&mut archive, &place, &path, &mut room)?;
        spec.command.0[number] = place.to_string_lossy().into();
        some = true;
    }
    let bytes = archive.into_inner().map_err(file("an archive"))?;
    Ok((spec, some.then_some(bytes)))
}

/// The file that a word of a command names, if it is neither in the player's folder nor the
/// system's.
fn own_file(player: &PlayerSpec, number: usize, word: &str) -> Result<Option<PathBuf>> {
    let path = Path::new(word);
    let is_program = number == 0;
    let named = match is_program {
        // With a folder, a relative path means a file in it.
        true => word.contains('/') && (path.is_absolute() || player.folder.is_none()),
        false => path.is_absolute() && path.is_file(),
    };
    if !named {
        return Ok(None);
    }
    let path = match is_program {
        true => player.command.program().map_err(file(path))?,
        false => path.into(),
    };
    Ok((!is_shown_to_all(&path)).then_some(path))
}

fn header(kind: EntryType, mode: u32, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(0);
    header.set_uid(0);
    header.set_gid(0);
    header
}

fn add_file(
    archive: &mut Builder<Vec<u8>>,
    place: &Path,
    path: &Path,
    room: &mut u64,
) -> Result<()> {
    let data = fs::metadata(path).map_err(file(path))?;
    *room = room.checked_sub(data.len()).ok_or_else(|| {
        ClusterError::Other(format!(
            "{}: the folder is larger than 1 GB",
            path.display()
        ))
    })?;
    let content = fs::read(path).map_err(file(path))?;
    // Whether it can be run is all that a program sees of a file's mode.
    let mode = data.permissions().mode() & 0o777;
    let mut header = header(EntryType::Regular, mode, content.len() as u64);
    let added = archive.append_data(&mut header, place, content.as_slice());
    added.map_err(file(path))
}

fn add_folder(
    archive: &mut Builder<Vec<u8>>,
    place: &Path,
    folder: &Path,
    room: &mut u64,
    depth: usize,
) -> Result<()> {
    if depth > DEEPEST {
        let what = format!("{}: folders are nested too deep", folder.display());
        return Err(ClusterError::Other(what));
    }
    let data = fs::metadata(folder).map_err(file(folder))?;
    let mode = data.permissions().mode() & 0o777;
    let mut header = header(EntryType::Directory, mode, 0);
    let added = archive.append_data(&mut header, place, io::empty());
    added.map_err(file(folder))?;
    let mut names: Vec<_> = fs::read_dir(folder)
        .map_err(file(folder))?
        .map(|entry| entry.map(|entry| entry.file_name()))
        .collect::<io::Result<_>>()
        .map_err(file(folder))?;
    names.sort();
    for name in names {
        let (path, place) = (folder.join(&name), place.join(&name));
        let data = fs::symlink_metadata(&path).map_err(file(&path))?;
        if data.is_dir() {
            add_folder(archive, &place, &path, room, depth + 1)?;
        } else if data.is_symlink() {
            let target = fs::read_link(&path).map_err(file(&path))?;
            let mut header = self::header(EntryType::Symlink, 0o777, 0);
            let added = archive.append_link(&mut header, &place, &target);
            added.map_err(file(&path))?;
        } else if data.is_file() {
            add_file(archive, &place, &path, room)?;
        } else {
            let what = format!("{}: only files can be sent", path.display());
            return Err(ClusterError::Other(what));
        }
    }
    Ok(())
}

/// Unpacks an archive into a folder that is made for it: whole, or not at all.
pub(crate) fn unpack(archive: &[u8], into: &Path) -> Result<()> {
    let parent = into.parent().unwrap_or(Path::new("."));
    let name = into.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = parent.join(format!("{name}.unfinished"));
    // Neither is anybody's: what could not be removed before, perhaps.
    for left in [&*unfinished, into] {
        let _ = fs::remove_dir_all(left);
    }
    fs::create_dir_all(&unfinished).map_err(file(&unfinished))?;
    let written = write_all(archive, &unfinished);
    let written = written.and_then(|()| fs::rename(&unfinished, into).map_err(file(into)));
    if written.is_err() {
        let _ = fs::remove_dir_all(&unfinished);
    }
    written
}

fn write_all(archive: &[u8], into: &Path) -> Result<()> {
    let broken = |error: io::Error| ClusterError::Message {
        what: "an archive".into(),
        why: error.to_string(),
    };
    // Nothing is written through a link, and folders are closed when all is in them.
    let (mut links, mut folders) = (Vec::new(), Vec::new());
    let mut archive = tar::Archive::new(archive);
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let name = entry.path_bytes().into_owned();
        let name = Path::new(OsStr::from_bytes(&name));
        if !name
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
        {
            return Err(broken(io::Error::other(format!(
                "it has the path {name:?}"
            ))));
        }
        let path = into.join(name);
        let mode = entry.header().mode().map_err(broken)? & 0o777;
        match entry.header().entry_type() {
            EntryType::Directory => {
                fs::create_dir_all(&path).map_err(file(&path))?;
                folders.push((path, mode));
            }
            EntryType::Regular => {
                let parent = path.parent().unwrap_or(into);
                fs::create_dir_all(parent).map_err(file(parent))?;
                let mut content = Vec::new();
                entry.read_to_end(&mut content).map_err(broken)?;
                fs::write(&path, content).map_err(file(&path))?;
                let mode = fs::Permissions::from_mode(mode | 0o400);
                fs::set_permissions(&path, mode).map_err(file(&path))?;
            }
            EntryType::Symlink => {
                let target = entry.link_name_bytes().map(|name| name.into_owned());
                let target = target.unwrap_or_default();
                links.push((path, PathBuf::from(OsStr::from_bytes(&target))));
            }
            other => {
                let what = format!("it has an entry of the kind {other:?}");
                return Err(broken(io::Error::other(what)));
            }
        }
    }
    for (path, target) in links {
        symlink(target, &path).map_err(file(&path))?;
    }
    for (path, mode) in folders.into_iter().rev() {
        let mode = fs::Permissions::from_mode(mode | 0o700);
        fs::set_permissions(&path, mode).map_err(file(&path))?;
    }
    Ok(())
}

/// The player with paths in the folder that its archive was unpacked into.
pub(crate) fn placed(spec: &PlayerSpec, folder: &Path) -> PlayerSpec {
    let mut spec = spec.clone();
    if let Some(inside) = &mut spec.folder {
        *inside = folder.join(&*inside);
    }
    let words = format!("{WORDS}/");
    for (number, word) in spec.command.0.iter_mut().enumerate() {
        // As it was packed: other words may begin so, too.
        if word.starts_with(&format!("{words}{number}/")) && folder.join(&*word).is_file() {
            *word = folder.join(&*word).to_string_lossy().into();
        }
    }
    spec
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::Kind;

    fn tree(folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![folder.to_path_buf()];
        while let Some(here) = open.pop() {
            for entry in fs::read_dir(here).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                let data = fs::symlink_metadata(&path).unwrap();
                if data.is_symlink() {
                    found.push(format!(
                        "{name} -> {}",
                        fs::read_link(&path).unwrap().display()
                    ));
                } else if data.is_dir() {
                    open.push(path);
                } else {
                    let mode = data.permissions().mode() & 0o777;
                    found.push(format!(
                        "{name} {mode:o} {}",
                        fs::read_to_string(path).unwrap()
                    ));
                }
            }
        }
        found.sort();
        found
    }

    /// A player with a folder and a program elsewhere comes out as it went in.
    #[test]
    fn a_program_with_its_folder_travels() {
        let home = tempfile::tempdir().unwrap();
        let at = |name: &str| home.path().join(name);
        fs::create_dir_all(at("mine/data")).unwrap();
        fs::write(at("mine/data/book.txt"), "e2e4").unwrap();
        fs::write(at("mine/bot"), "#!/bin/sh\n").unwrap();
        fs::set_permissions(at("mine/bot"), fs::Permissions::from_mode(0o755)).unwrap();
        symlink("data/book.txt", at("mine/book")).unwrap();
        symlink("/etc/passwd", at("mine/far")).unwrap();
        fs::write(at("weights"), "1 2 3").unwrap();
        let words = ["./bot", "--weights", &at("weights").display().to_string()];
        let mut player = PlayerSpec::program(Kind::Argv, words.map(String::from).to_vec());
        player.folder = Some(at("mine"));
        let (spec, archive) = pack(&player).unwrap();
        let archive = archive.unwrap();
        assert_eq!(
            pack(&player).unwrap().1.unwrap(),
            archive,
            "the same files, the same archive"
        );
        assert_eq!(spec.command.0[..2], ["./bot", "--weights"]);
        let text = serde_json::to_string(&spec).unwrap();
        assert!(!text.contains(&home.path().display().to_string()), "{text}");

        let place = at("unpacked");
        unpack(&archive, &place).unwrap();
        assert_eq!(
            tree(&place),
            [
                "folder/book -> data/book.txt",
                "folder/bot 755 #!/bin/sh\n",
                "folder/data/book.txt 644 e2e4",
                "folder/far -> /etc/passwd",
                "words/2/weights 644 1 2 3",
            ]
        );
        let there = placed(&spec, &place);
        there.check_files().unwrap();
        assert_eq!(there.folder.as_deref(), Some(&*place.join("folder")));
        assert_eq!(
            there.command.0[2],
            place.join("words/2/weights").display().to_string()
        );
    }

    #[test]
    fn what_the_system_has_stays_there() {
        for command in [vec!["sh", "-c", "true"], vec!["/bin/sh"]] {
            let words: Vec<String> = command.iter().map(|word| (*word).into()).collect();
            let player = PlayerSpec::program(Kind::Argv, words.clone());
            let (spec, archive) = pack(&player).unwrap();
            assert_eq!((spec.command.0, archive), (words, None));
        }
        let bot: PlayerSpec = "greedy".parse().unwrap();
        assert_eq!(pack(&bot).unwrap(), (bot, None));
    }

    #[test]
    fn archives_of_strangers_stay_in_their_folder() {
        let home = tempfile::tempdir().unwrap();
        for name in ["../out", "/out", "a/../../out"] {
            let mut archive = Builder::new(Vec::new());
            let mut entry = header(EntryType::Regular, 0o644, 1);
            let bytes = &mut entry.as_old_mut().name;
            bytes[..name.len()].copy_from_slice(name.as_bytes());
            entry.set_cksum();
            archive.append(&entry, &b"x"[..]).unwrap();
            let archive = archive.into_inner().unwrap();
            let error = unpack(&archive, &home.path().join("in")).unwrap_err();
            assert!(error.to_string().contains("it has the path"), "{error}");
        }
        // A link that is written through by a later entry.
        let mut archive = Builder::new(Vec::new());
        let mut link = header(EntryType::Symlink, 0o777, 0);
        archive.append_link(&mut link, "a", "/tmp").unwrap();
        let mut entry = header(EntryType::Regular, 0o644, 1);
        archive
            .append_data(&mut entry, "a/ludex-escaped", &b"x"[..])
            .unwrap();
        let archive = archive.into_inner().unwrap();
        assert!(unpack(&archive, &home.path().join("in")).is_err());
        assert!(!Path::new("/tmp/ludex-escaped").exists());
        assert_eq!(
            fs::read_dir(home.path()).unwrap().count(),
            0,
            "nothing is left behind"
        );
    }
}

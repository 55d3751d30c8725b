//! A course as one file, and back.

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use course::store::{Checked, State, VersionRow, backup, restore};
use course::{Course, FINALS, OpenCourse, STORE};

use crate::Class;

#[test]
fn a_course_comes_back_whole() {
    let class = Class::new();
    let version = class.hand_in("a", "good.c").unwrap();
    class.judge();
    let other = tempfile::tempdir().unwrap();
    let file = other.path().join("course.tar");
    // The course is open all the while.
    backup(class.folder.path(), &file).unwrap();
    let there = backup(class.folder.path(), &file).unwrap_err();
    assert!(
        there
            .to_string()
            .ends_with("is there already: choose a new place")
    );
    let folder = other.path().join("again");
    assert_eq!(restore(&file, &folder).unwrap(), Checked::All);
    assert!(restore(&file, &folder).is_err());
    let course = Course::open(&folder).unwrap();
    let open_course = class.block_on(OpenCourse::open(course)).unwrap();
    let same = open_course.store.version(version.id).unwrap().unwrap();
    assert_eq!(
        (same.state, same.hash.as_str()),
        (State::Passed, version.hash.as_str())
    );
    assert_eq!(
        handin::hash(&open_course.folder(&same).join("sources")).unwrap(),
        version.hash
    );
    let left: Vec<_> = std::fs::read_dir(other.path()).unwrap().collect();
    assert_eq!(left.len(), 2, "{left:?}");
    // People and what they have handed in are in them: nobody else on the machine gets at anything.
    let own = ["versions", "incoming", STORE, FINALS].map(|name| class.folder.path().join(name));
    for top in own.iter().chain([&folder, &file]) {
        assert_eq!(open_to_others(top), Vec::<PathBuf>::new());
    }
    // What was made before is taken from others, too.
    drop(open_course);
    for name in ["versions", "incoming", STORE] {
        let all = Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.join(name), all).unwrap();
    }
    let course = Course::open(&folder).unwrap();
    drop(class.block_on(OpenCourse::open(course)).unwrap());
    assert_eq!(open_to_others(&folder), Vec::<PathBuf>::new());
}

#[test]
fn a_version_that_cannot_be_built_again_stops_no_backup() {
    let class = Class::new();
    let version = class.passed("a", "broken.c");
    let other = tempfile::tempdir().unwrap();
    let (file, folder) = (other.path().join("course.tar"), other.path().join("again"));
    backup(class.folder.path(), &file).unwrap();
    assert_eq!(restore(&file, &folder).unwrap(), Checked::All);
    let sources = folder
        .join("versions")
        .join(version.folder())
        .join("sources");
    assert_eq!(handin::hash(&sources).unwrap(), version.hash);
}

/// All files and folders here that others than their owner may read, write or enter.
fn open_to_others(top: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![top.to_path_buf()];
    while let Some(path) = left.pop() {
        let data = path.symlink_metadata().unwrap();
        if data.permissions().mode() & 0o077 != 0 {
            found.push(path.clone());
        }
        if data.is_dir() {
            left.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found
}

/// A version that has been built.
fn build(class: &Class) -> VersionRow {
    let version = class.hand_in("a", "good.c").unwrap();
    class.work_until("built", |open_course| {
        let steps = open_course.store.steps(version.id).unwrap();
        steps.iter().any(|step| step.ok)
    });
    version
}

/// The files of a backup, with their names.
fn files_of(backup: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = tar::Archive::new(std::fs::File::open(backup).unwrap());
    let file = |entry: std::io::Result<tar::Entry<std::fs::File>>| {
        let mut entry = entry.unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        (entry.path().unwrap().display().to_string(), content)
    };
    archive.entries().unwrap().map(file).collect()
}

fn archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in files {
        add(&mut archive, name, content);
    }
    archive.into_inner().unwrap()
}

fn add(archive: &mut tar::Builder<Vec<u8>>, name: &str, content: &[u8]) {
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o600);
    archive.append_data(&mut header, name, content).unwrap();
}

#[test]
fn a_damaged_backup_is_refused_whatever_is_damaged() {
    let class = Class::new();
    build(&class);
    let top = tempfile::tempdir().unwrap();
    let file = top.path().join("course.tar");
    backup(class.folder.path(), &file).unwrap();
    let whole = files_of(&file);
    let folder = top.path().join("again");
    let restored = |files: &[(String, Vec<u8>)]| {
        std::fs::write(&file, archive(files)).unwrap();
        let restored = restore(&file, &folder).map_err(|error| error.to_string());
        assert_eq!(folder.exists(), restored.is_ok());
        let _ = std::fs::remove_dir_all(&folder);
        restored
    };
    assert_eq!(restored(&whole), Ok(Checked::All));
    // Any file damaged, missing, or there again.
    for (number, (name, content)) in whole.iter().enumerate() {
        for place in [0, content.len() / 2, content.len() - 1] {
            let mut damaged = whole.clone();
            damaged[number].1[place] ^= 1;
            let error = restored(&damaged).unwrap_err();
            assert!(error.starts_with(&file.display().to_string()), "{error}");
        }
        let mut again = whole.clone();
        again.push((name.clone(), b"junk".to_vec()));
        restored(&again).unwrap_err();
        let mut fewer = whole.clone();
        fewer.remove(number);
        if number > 0 {
            restored(&fewer).unwrap_err();
        }
    }
    let mut more = whole.clone();
    more.push(("versions/more".into(), b"x".to_vec()));
    let error = restored(&more).unwrap_err();
    assert!(
        error.ends_with("versions/more is not in its list, SHA256SUMS"),
        "{error}"
    );

    // One that is cut off.
    let bytes = archive(&whole);
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let error = restore(&file, &folder).unwrap_err().to_string();
    assert!(error.starts_with(&file.display().to_string()), "{error}");
    assert!(!folder.exists());

    // Backups of earlier versions have no list; what is checked without it.
    let earlier = &whole[1..];
    assert_eq!(restored(earlier), Ok(Checked::WithoutList));
    for (number, (name, content)) in earlier.iter().enumerate() {
        let known = name == "course.db" || name.contains("/sources/");
        if known {
            let mut damaged = earlier.to_vec();
            let place = content.len() / 2;
            damaged[number].1[place..].fill(0x55);
            restored(&damaged).unwrap_err();
        }
        let mut again = earlier.to_vec();
        again.push((name.clone(), content.clone()));
        let error = restored(&again).unwrap_err();
        assert!(
            error.ends_with(&format!("{name} is in it twice")),
            "{error}"
        );
    }
}

/// Zeros that a file system does not hold are zeros in a backup, too.
#[test]
fn a_file_with_holes_comes_back() {
    let class = Class::new();
    let version = build(&class);
    let name = Path::new("versions")
        .join(version.folder())
        .join("built/holes");
    let holes = class.folder.path().join(&name);
    let open = std::fs::File::create(&holes).unwrap();
    open.write_all_at(b"x", 1 << 20).unwrap();
    let top = tempfile::tempdir().unwrap();
    let file = top.path().join("course.tar");
    backup(class.folder.path(), &file).unwrap();
    let mut archive = tar::Archive::new(std::fs::File::open(&file).unwrap());
    for entry in archive.entries().unwrap() {
        assert!(entry.unwrap().header().entry_type().is_file());
    }
    // As earlier versions wrote it.
    let mut earlier = tar::Builder::new(Vec::new());
    for (inside, content) in files_of(&file) {
        if Path::new(&inside) == name {
            earlier.append_path_with_name(&holes, &name).unwrap();
        } else {
            add(&mut earlier, &inside, &content);
        }
    }
    std::fs::write(
        top.path().join("earlier.tar"),
        earlier.into_inner().unwrap(),
    )
    .unwrap();
    for (number, file) in ["course.tar", "earlier.tar"].iter().enumerate() {
        let folder = top.path().join(number.to_string());
        let restored = restore(&top.path().join(file), &folder).unwrap();
        assert_eq!(restored, Checked::All);
        let same = std::fs::read(folder.join(&name)).unwrap() == std::fs::read(&holes).unwrap();
        assert!(same, "{file}");
    }
}

#[test]
fn a_file_that_a_build_called_oddly_comes_back() {
    let class = Class::new();
    let version = build(&class);
    let odd = Path::new("built").join(OsStr::from_bytes(b"two\nlines \xff"));
    std::fs::write(class.open_course.folder(&version).join(&odd), "x").unwrap();
    let top = tempfile::tempdir().unwrap();
    let (file, folder) = (top.path().join("course.tar"), top.path().join("again"));
    backup(class.folder.path(), &file).unwrap();
    assert_eq!(restore(&file, &folder).unwrap(), Checked::All);
    let place = folder.join("versions").join(version.folder()).join(odd);
    assert_eq!(std::fs::read(place).unwrap(), b"x");
}

/// Whatever stands beside a backup is somebody's, and every name is one for a backup.
#[test]
fn what_stands_beside_a_backup_stays() {
    let class = Class::new();
    let top = tempfile::tempdir().unwrap();
    let at = |name: &str| top.path().join(name);
    std::fs::create_dir(at("games.copy")).unwrap();
    let others = ["games.copy/mine", "games.partial"].map(at);
    for path in &others {
        std::fs::write(path, "mine").unwrap();
    }
    for name in ["games.tar", "games.zip", "x.partial", "x.copy"] {
        backup(class.folder.path(), &at(name)).unwrap();
        let again = at("again");
        assert_eq!(restore(&at(name), &again).unwrap(), Checked::All, "{name}");
        std::fs::remove_dir_all(again).unwrap();
    }
    // One that fails leaves nothing.
    std::fs::remove_file(class.folder.path().join("course.toml")).unwrap();
    backup(class.folder.path(), &at("failed.tar")).unwrap_err();
    for path in &others {
        assert_eq!(std::fs::read(path).unwrap(), b"mine");
    }
    assert_eq!(std::fs::read_dir(top.path()).unwrap().count(), 6);
}

#[test]
fn what_is_no_backup_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.tar");
    std::fs::write(&file, "nonsense").unwrap();
    let error = restore(&file, &folder.path().join("y"))
        .unwrap_err()
        .to_string();
    assert!(error.starts_with(&file.display().to_string()), "{error}");
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(1);
    header.set_cksum();
    archive
        .append_data(&mut header, "elsewhere/x", &b"x"[..])
        .unwrap();
    std::fs::write(&file, archive.into_inner().unwrap()).unwrap();
    let error = restore(&file, &folder.path().join("z"))
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("elsewhere/x does not belong into a course"),
        "{error}"
    );
    // Nothing is left that would be in the way of the right one.
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

//! A course as one file, and back.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use course::store::{State, backup, restore};
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
    restore(&file, &folder).unwrap();
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

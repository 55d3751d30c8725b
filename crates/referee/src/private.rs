//! Files and folders for nobody but their owner, whatever mask the process has.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// Makes a file for its owner alone.
///
/// # Errors
/// If there is one already: it is not even opened. Closing a database beside those who work on it
/// would end their locks.
pub fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(0o600);
    options.open(path)
}

/// Makes a folder, and those above it, for their owner alone. Those that are there keep their rights.
pub fn private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Takes the rights of all others from a file or folder.
pub fn keep_private(path: &Path) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode() & 0o7777;
    match mode & 0o077 {
        0 => Ok(()),
        _ => fs::set_permissions(path, Permissions::from_mode(mode & 0o700)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn what_is_private_is_for_its_owner() {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("a/b");
        private_folder(&folder).unwrap();
        private_folder(&folder).unwrap();
        let file = folder.join("x");
        fs::write(&file, "").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
        let there = private_file(&file).unwrap_err();
        assert_eq!(there.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(mode(&file), 0o755);
        keep_private(&file).unwrap();
        drop(private_file(&folder.join("y")).unwrap());
        assert_eq!(
            ["a", "a/b", "a/b/x", "a/b/y"].map(|name| mode(&top.path().join(name))),
            [0o700, 0o700, 0o700, 0o600]
        );
    }
}

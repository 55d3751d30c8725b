//! Files that are whole or not there.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// For [`write_parts`]: no file is so large that it waits for the disk.
pub const NEVER: u64 = u64::MAX;

/// Writes a file that appears whole or not at all, whatever is killed or crashes; one of the same
/// name stays until then, and leaves its rights to the new one. A link stays a link, and what is no
/// plain file (`/dev/stdout`) is written where it is.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_parts(path, 0, |file| file.write_all(bytes))
}

/// The same for a file that only its owner reads, whoever could read the one of the same name.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, 0, Some(0o600), |file| file.write_all(bytes))
}

/// The same for a file that is written bit by bit. A smaller one than `sync_from` bytes does not
/// wait for the disk: only a crash of the machine can spoil it.
pub fn write_parts(
    path: &Path,
    sync_from: u64,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    replace(path, sync_from, None, content)
}

/// Waits until the name of a file or folder is on the disk.
pub fn sync_name(path: &Path) -> io::Result<()> {
    let above = path.parent().filter(|above| *above != Path::new(""));
    File::open(above.unwrap_or(Path::new(".")))?.sync_all()
}

/// Writes a file with these rights, or those of the one that was there.
fn replace(
    path: &Path,
    sync_from: u64,
    mode: Option<u32>,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let old = fs::metadata(path).ok();
    let written = |file: File| {
        let mut file = BufWriter::with_capacity(1 << 16, file);
        content(&mut file)?;
        Ok::<File, io::Error>(file.into_inner()?)
    };
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return written(File::options().write(true).open(path)?).map(drop);
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let write = || {
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        let file = options.mode(mode.unwrap_or(0o666)).open(&part)?;
        if let Some(mode) = mode {
            // One that was left by a kill may have others.
            file.set_permissions(Permissions::from_mode(mode))?;
        }
        let file = written(file)?;
        if let (None, Some(old)) = (mode, old) {
            file.set_permissions(old.permissions())?;
        }
        let waits = file.metadata()?.len() >= sync_from;
        // The name must not reach the disk before the content.
        if waits {
            file.sync_all()?;
        }
        fs::rename(&part, path)?;
        if waits { sync_name(path) } else { Ok(()) }
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, symlink};

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.b");
        for (sync_from, text) in [(0, "old"), (NEVER, "new")] {
            write_parts(&path, sync_from, |file| file.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let failed = write_parts(&path, 0, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_whole(&path.join("below"), b"").is_err());
    }

    /// Who has the old file open, or another name of it, keeps the whole of it.
    #[test]
    fn a_private_file_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let (file, old) = (folder.path().join("file"), folder.path().join("old"));
        fs::write(&file, "longer than what comes").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.path().join("file.part"), "left by a kill").unwrap();
        fs::hard_link(&file, &old).unwrap();
        write_private(&file, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::read(&old).unwrap(), b"longer than what comes");
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn links_rights_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640);
        // Nothing has room there, and nothing is put in its place.
        let full = folder.path().join("full");
        symlink("/dev/full", &full).unwrap();
        let error = write_whole(&full, b"new").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(!fs::metadata(&full).unwrap().is_file());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}

//! Files that are whole or not there.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// For [`write_parts`]: no file is so large that it waits for the disk.
pub const NEVER: u64 = u64::MAX;

/// Writes a file that appears whole or not at all, whatever is killed or crashes; one of the same
/// name stays until then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_parts(path, 0, |file| file.write_all(bytes))
}

/// The same for a file that is written bit by bit. A smaller one than `sync_from` bytes does not
/// wait for the disk: only a crash of the machine can spoil it.
pub fn write_parts(
    path: &Path,
    sync_from: u64,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let write = || {
        let mut file = BufWriter::with_capacity(1 << 16, File::create(&part)?);
        content(&mut file)?;
        let file = file.into_inner()?;
        // The name must not reach the disk before the content.
        if file.metadata()?.len() >= sync_from {
            file.sync_all()?;
        }
        fs::rename(&part, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

#[cfg(test)]
mod tests {
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
}

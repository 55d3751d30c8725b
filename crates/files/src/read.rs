//! Files that are read whole, unless they have no end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// More bytes than any text that makes sense.
pub const MOST: u64 = 256 << 20;

/// The content of a file; an error of the kind [`ErrorKind::FileTooLarge`] if it is larger than so
/// many bytes, as what has no end is (`/dev/zero`).
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_from(File::open(path)?, most)
}

/// The same for a text.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    text.map_err(|_| io::Error::new(ErrorKind::InvalidData, "not a text in UTF-8"))
}

/// The same for what is open already.
pub fn read_from(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("larger than {} MB", most >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_read_for_ever() {
        let endless = read(Path::new("/dev/zero"), 3 << 20).unwrap_err();
        assert_eq!(endless.kind(), ErrorKind::FileTooLarge);
        assert_eq!(endless.to_string(), "larger than 3 MB");
        assert_eq!(read_from(&b"four"[..], 4).unwrap(), b"four");
        assert!(read_from(&b"fours"[..], 4).is_err());
        assert!(read_text(Path::new("/dev/null"), 0).unwrap().is_empty());
    }
}

//! Zip archives.

use std::io::Cursor;

use zip::{CompressionMethod, ZipArchive};

use super::Reader;
use crate::refusal::Refusal;

/// What kind of file an entry is, as Unix says.
const KIND: u32 = 0o170_000;
const FILE: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;
const LINK: u32 = 0o120_000;

impl Reader<'_> {
    /// Reads a zip archive by its directory, which stands at its end.
    pub(super) fn zip(&mut self) -> Result<(), Refusal> {
        let bytes = &self.upload.bytes[..];
        if !bytes.starts_with(b"PK") {
            return Err(self.refusal("not a zip archive"));
        }
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| self.damaged(&e))?;
        if archive.len() > self.limits.entries {
            let most = self.limits.entries;
            return Err(self.refusal(format!("more than {most} files and folders")));
        }
        if archive.has_duplicate_names() {
            return Err(self.refusal("two files in it have the same name"));
        }
        let overlap = archive.has_overlapping_entries();
        if overlap.map_err(|e| self.damaged(&e))? {
            return Err(self.refusal("files in it overlap"));
        }
        for number in 0..archive.len() {
            let data = archive
                .by_index_data(number)
                .map_err(|e| self.damaged(&e))?;
            let name = data.name_raw().to_vec();
            let kind = data.unix_mode().unwrap_or(0) & KIND;
            let (is_dir, encrypted) = (data.is_dir(), data.encrypted());
            let plain = matches!(
                data.compression(),
                CompressionMethod::Stored | CompressionMethod::Deflated
            );
            match kind {
                0 | FILE | FOLDER => {}
                LINK => return Err(self.refused(&name, "a link; hand in the file itself")),
                _ => return Err(self.refused(&name, "neither a file nor a folder")),
            }
            if encrypted {
                return Err(self.refused(&name, "encrypted"));
            }
            if !plain {
                let what = "compressed in an unusual way; make the archive with deflate";
                return Err(self.refused(&name, what));
            }
            if is_dir || kind == FOLDER {
                self.folder(&name)?;
                continue;
            }
            let mut file = archive.by_index(number).map_err(|e| self.damaged(&e))?;
            self.entry(&name, &mut file)?;
        }
        Ok(())
    }
}

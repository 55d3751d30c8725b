//! Tar archives, compressed by gzip or not.

use std::io::{self, Read};

use flate2::read::MultiGzDecoder;
use tar::{Archive, EntryType};

use super::{Bounded, Reader};
use crate::refusal::Refusal;

/// What headers and padding take for an entry, and for the end.
const HEADERS: u64 = 4 * 512;
const END: u64 = 1 << 20;

impl Reader<'_> {
    /// Reads a tar archive that is compressed by gzip.
    pub(super) fn tar_gz(&mut self) -> Result<(), Refusal> {
        let bytes = &self.upload.bytes[..];
        if !bytes.starts_with(b"\x1f\x8b") {
            return Err(self.refusal("not a gzip archive"));
        }
        self.tar(MultiGzDecoder::new(bytes))
    }

    /// Reads a tar archive.
    pub(super) fn tar(&mut self, bytes: impl Read) -> Result<(), Refusal> {
        let room = self.room.min(self.limits.size.0);
        let headers = HEADERS * self.limits.entries as u64 + END;
        let left = room.saturating_add(headers);
        let before = self.used.entries;
        let mut archive = Archive::new(Bounded { inner: bytes, left });
        let entries = archive.entries().map_err(|e| self.damaged(&e))?;
        for entry in entries {
            let mut entry = entry.map_err(|error| self.broken(&error, before))?;
            let name = entry.path_bytes().into_owned();
            match entry.header().entry_type() {
                EntryType::Regular | EntryType::Continuous => self.entry(&name, &mut entry)?,
                EntryType::Directory => self.folder(&name)?,
                // The note of a version control system about the whole archive.
                EntryType::XGlobalHeader => self.count()?,
                EntryType::Symlink | EntryType::Link => {
                    return Err(self.refused(&name, "a link; hand in the file itself"));
                }
                EntryType::GNUSparse => {
                    return Err(self.refused(&name, "a file with holes"));
                }
                _ => return Err(self.refused(&name, "neither a file nor a folder")),
            }
        }
        Ok(())
    }

    fn broken(&self, error: &io::Error, before: usize) -> Refusal {
        match error.kind() {
            io::ErrorKind::QuotaExceeded => self.too_much(None),
            // What the library quotes of it are bytes.
            _ if self.used.entries == before => self.refusal("not a tar archive"),
            _ => self.damaged(error),
        }
    }
}

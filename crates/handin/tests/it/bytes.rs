//! Archives byte by byte: no library would write some of them.

use std::io::Write;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};

/// An entry of a zip archive.
pub(crate) struct Entry {
    pub(crate) name: Vec<u8>,
    pub(crate) content: Vec<u8>,
    /// Type and rights as Unix writes them.
    pub(crate) mode: u32,
    pub(crate) flags: u16,
    pub(crate) method: u16,
    /// Where its data is said to be, if not where it is.
    pub(crate) at: Option<u32>,
    /// The checksum, if not the right one.
    pub(crate) sum: Option<u32>,
}

impl Entry {
    pub(crate) fn new(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Entry {
        Entry {
            name: name.as_ref().to_vec(),
            content: content.as_ref().to_vec(),
            mode: 0o100_644,
            flags: 0,
            method: 8,
            at: None,
            sum: None,
        }
    }
}

/// A zip archive of these entries.
pub(crate) fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut body, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let mut sum = Crc::new();
        sum.update(&entry.content);
        let packed = match entry.method {
            8 => {
                let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
                packer.write_all(&entry.content).unwrap();
                packer.finish().unwrap()
            }
            _ => entry.content.clone(),
        };
        let at = entry.at.unwrap_or(body.len() as u32);
        let mut common = Vec::new();
        for number in [20, entry.flags, entry.method, 0, 0x21] {
            common.extend(number.to_le_bytes());
        }
        for number in [
            entry.sum.unwrap_or(sum.sum()),
            packed.len() as u32,
            entry.content.len() as u32,
        ] {
            common.extend(number.to_le_bytes());
        }
        common.extend((entry.name.len() as u16).to_le_bytes());
        common.extend(0_u16.to_le_bytes());
        if entry.at.is_none() {
            body.extend(b"PK\x03\x04");
            body.extend(&common);
            body.extend(&entry.name);
            body.extend(&packed);
        }
        directory.extend(b"PK\x01\x02");
        directory.extend([20, 3]);
        directory.extend(&common);
        directory.extend([0; 6]);
        directory.extend((entry.mode << 16).to_le_bytes());
        directory.extend(at.to_le_bytes());
        directory.extend(&entry.name);
    }
    let (count, start, size) = (
        entries.len() as u16,
        body.len() as u32,
        directory.len() as u32,
    );
    body.extend(directory);
    body.extend(b"PK\x05\x06");
    body.extend([0; 4]);
    body.extend(count.to_le_bytes());
    body.extend(count.to_le_bytes());
    body.extend(size.to_le_bytes());
    body.extend(start.to_le_bytes());
    body.extend([0; 2]);
    body
}

/// A tar archive: names, types and contents.
pub(crate) fn tar(entries: &[(&[u8], u8, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, kind, content) in entries {
        let mut header = match kind {
            b'S' => tar::Header::new_gnu(),
            _ => tar::Header::new_ustar(),
        };
        header.as_mut_bytes()[..name.len()].copy_from_slice(name);
        header.set_entry_type(tar::EntryType::new(*kind));
        header.set_mode(0o644);
        header.set_size(content.len() as u64);
        if matches!(kind, b'1' | b'2') {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        bytes.extend(header.as_bytes());
        bytes.extend(*content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

/// The bytes compressed by gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

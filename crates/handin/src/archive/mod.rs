//! What is in uploads: files, and archives of files, all of them within bounds.
//!
//! Everything is read into memory first, so that nothing is written of what is refused. Sizes that
//! archives state about themselves are not believed: bytes are counted as they come.

mod tar;
mod zip;

use std::io::{self, Read};

use referee::Size;

use crate::limits::ArchiveLimits;
use crate::names::{self, Name, Paths};
use crate::refusal::{Refusal, shown};
use crate::unpack::{Unpacked, Upload};

/// An archive may hold this much, however small it is.
const LITTLE: u64 = 4 << 20;

/// Archives that others unpack.
const UNKNOWN: [&str; 12] = [
    ".7z", ".rar", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz", ".tar.zst", ".tzst", ".tar.lz",
    ".zipx", ".lzh",
];

/// Reads uploads, all of them or none.
///
/// # Errors
/// If something is wrong with what was handed in.
pub fn read(uploads: &[Upload], limits: &ArchiveLimits) -> Result<Unpacked, Refusal> {
    let posted: u64 = uploads.iter().map(|upload| upload.bytes.len() as u64).sum();
    if posted > limits.upload.0 {
        return Err(Refusal::new(format!(
            "{} handed in, {} are the most",
            Size(posted),
            limits.upload
        )));
    }
    let mut all = Unpacked::default();
    let mut paths = Paths::default();
    let mut used = Used::default();
    for upload in uploads {
        let mut reader = Reader::new(upload, limits, &mut used);
        reader.read()?;
        let Reader { files, skipped, .. } = reader;
        for (path, content) in files {
            paths.add(&path)?;
            all.files.push((path, content));
        }
        all.skipped.extend(skipped);
    }
    all.files.sort();
    match (all.files.is_empty(), all.skipped.first()) {
        (false, _) => Ok(all),
        (true, None) => Err(Refusal::new("nothing was handed in")),
        (true, Some(hidden)) => Err(Refusal::of(hidden, "nothing else was handed in")),
    }
}

/// What the uploads have used so far.
#[derive(Default)]
struct Used {
    entries: usize,
    bytes: u64,
}

/// Reads one upload.
struct Reader<'a> {
    upload: &'a Upload,
    limits: &'a ArchiveLimits,
    used: &'a mut Used,
    /// How much this archive may hold.
    room: u64,
    files: Vec<(String, Vec<u8>)>,
    skipped: Vec<String>,
}

impl<'a> Reader<'a> {
    fn new(upload: &'a Upload, limits: &'a ArchiveLimits, used: &'a mut Used) -> Reader<'a> {
        let posted = upload.bytes.len() as u64;
        Reader {
            upload,
            limits,
            used,
            room: posted.saturating_mul(limits.ratio).max(LITTLE),
            files: Vec::new(),
            skipped: Vec::new(),
        }
    }

    fn read(&mut self) -> Result<(), Refusal> {
        let name = self.upload.name.to_lowercase();
        let ends = |ending: &&str| name.ends_with(*ending);
        if let Some(ending) = UNKNOWN.iter().find(|ending| ends(ending)) {
            let what =
                format!("archives are unpacked if they end in .zip or .tar.gz, not {ending}");
            return Err(self.refusal(what));
        }
        if ends(&".zip") {
            self.zip()?;
        } else if ends(&".tar.gz") || ends(&".tgz") {
            self.tar_gz()?;
        } else if ends(&".tar") {
            self.tar(&self.upload.bytes[..])?;
        } else {
            let upload = self.upload;
            return self.entry(upload.name.as_bytes(), &mut &upload.bytes[..]);
        }
        self.strip();
        Ok(())
    }

    /// Something is wrong with this upload.
    fn refusal(&self, what: impl std::fmt::Display) -> Refusal {
        Refusal::of(&self.upload.name, what)
    }

    /// Something is wrong with an entry of it.
    fn refused(&self, entry: &[u8], what: &str) -> Refusal {
        let entry = shown(&String::from_utf8_lossy(entry));
        self.refusal(format!("{entry}: {what}"))
    }

    /// The archive cannot be read.
    fn damaged(&self, error: &impl std::fmt::Display) -> Refusal {
        let error = error.to_string();
        let error = match error.strip_prefix("invalid Zip archive: ") {
            // It stands at the end of every archive of this kind.
            Some(what) if what.contains("EOCD") => "its end is missing",
            what => what.unwrap_or(&error),
        };
        self.refusal(format!("the archive cannot be read: {}", shown(error)))
    }

    /// Counts one more entry.
    fn count(&mut self) -> Result<(), Refusal> {
        self.used.entries += 1;
        match self.used.entries > self.limits.entries {
            true => Err(self.refusal(format!(
                "more than {} files and folders",
                self.limits.entries
            ))),
            false => Ok(()),
        }
    }

    /// Reads a file.
    fn entry(&mut self, raw: &[u8], content: &mut dyn Read) -> Result<(), Refusal> {
        self.count()?;
        let path = match names::read(raw, self.limits.depth)? {
            Name::Path(path) => path,
            Name::Top => return Err(self.refused(raw, "a file without a name")),
            Name::Noise(path) => {
                self.skipped.push(path);
                return Ok(());
            }
        };
        let left = self.limits.size.0.saturating_sub(self.used.bytes);
        let most = left.min(self.room).min(self.limits.file.0);
        let mut bytes = Vec::new();
        let read = content.take(most.saturating_add(1)).read_to_end(&mut bytes);
        if let Err(error) = read {
            return Err(match error.kind() {
                io::ErrorKind::QuotaExceeded => self.too_much(None),
                _ => self.damaged(&error),
            });
        }
        let size = bytes.len() as u64;
        if size > most {
            return Err(self.too_much(Some(&path)));
        }
        self.used.bytes += size;
        self.room -= size;
        self.files.push((path, bytes));
        Ok(())
    }

    /// A folder: only its name can be wrong.
    fn folder(&mut self, raw: &[u8]) -> Result<(), Refusal> {
        self.count()?;
        names::read(raw, self.limits.depth).map(drop)
    }

    /// Which limit was passed, by a file or by all of them.
    fn too_much(&self, path: Option<&str>) -> Refusal {
        let limits = self.limits;
        let left = limits.size.0.saturating_sub(self.used.bytes);
        match path {
            Some(path) if limits.file.0 <= left.min(self.room) => {
                self.refused(path.as_bytes(), &format!("larger than {}", limits.file))
            }
            _ if left <= self.room => {
                self.refusal(format!("more than {} when unpacked", limits.size))
            }
            _ => {
                let ratio = limits.ratio;
                self.refusal(format!("unpacks to more than {ratio} times its size"))
            }
        }
    }

    /// A single folder around everything is taken off.
    fn strip(&mut self) {
        let first = self
            .files
            .first()
            .and_then(|(path, _)| path.split_once('/'));
        let Some((top, _)) = first else { return };
        let top = format!("{top}/");
        if self.files.iter().all(|(path, _)| path.starts_with(&top)) {
            for (path, _) in &mut self.files {
                path.drain(..top.len());
            }
        }
    }
}

/// Bytes as they come out of a compressed stream; too many are an error.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(io::ErrorKind::QuotaExceeded.into()),
        }
        Ok(count)
    }
}

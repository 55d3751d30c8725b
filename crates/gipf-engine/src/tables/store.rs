//! Tables on disk: a folder with one file of values per tier and a list of them.
//!
//! A file is written under another name and renamed when it is whole, and the list names
//! only whole files, with their checksums; so whatever happens, what the list names is good.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use files::Claim;
use gipf::Variant;
use memmap2::Mmap;
use rules::Side;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::index::Tier;

/// The form of the files; a change makes older tables unreadable.
const FORMAT: u32 = 2;
const MANIFEST: &str = "manifest.json";
const REACHED: &str = "reached";
/// Files of this size are on the disk before they get their name.
const SYNC_FROM: u64 = 1 << 20;

/// Why there is no table.
#[derive(Debug, Error)]
pub enum TableError {
    /// The board is too large to number all positions.
    #[error("variant {0}: tables are for boards of size 2 and 3 with at most 60 stones a side")]
    TooLarge(Variant),
    /// It would need more memory than allowed.
    #[error(
        "variant {variant} needs about {needed} MB of memory, more than the {allowed} MB allowed"
    )]
    Memory {
        /// The variant.
        variant: Variant,
        /// What it needs.
        needed: u64,
        /// What is allowed.
        allowed: u64,
    },
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}: {reason}", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// There is a table, and nobody said that it should go on.
    #[error("{}: there is a table already; --resume goes on with it", .0.display())]
    Exists(PathBuf),
    /// The table is not finished.
    #[error("{}: the table is not finished; solve it with --resume", .0.display())]
    Unfinished(PathBuf),
    /// Somebody wanted to stop; what is done is kept.
    #[error("stopped; --resume goes on")]
    Stopped,
    /// A distance is longer than a table can hold.
    #[error("variant {0}: a win takes longer than a table can hold")]
    TooLong(Variant),
    /// A value does not follow from those of its successors.
    #[error("tier {}-{}, number {number}: {reason}", tier.own, tier.other)]
    Wrong {
        /// The tier of the position.
        tier: Tier,
        /// Its number in the tier.
        number: u32,
        /// What is wrong.
        reason: String,
    },
    /// The position is not one of the variant's.
    #[error("a position of variant {found} is not in a table of {table}")]
    OtherVariant {
        /// The variant of the table.
        table: Variant,
        /// The variant of the position.
        found: Variant,
    },
}

impl TableError {
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> TableError {
        let path = path.to_owned();
        move |source| TableError::File { path, source }
    }
}

/// What is known about one tier.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TierFacts {
    /// Stones of the player to move.
    pub own: u8,
    /// Stones of the opponent.
    pub other: u8,
    /// Positions that can arise.
    pub positions: u64,
    /// Those that the player to move wins.
    pub wins: u64,
    /// Those that the player to move loses.
    pub losses: u64,
    /// The longest distance to the end, in plies.
    pub longest: u32,
    /// Bytes of the file.
    pub bytes: u64,
    /// Its checksum (XXH3, 64 bits).
    pub checksum: String,
}

/// The list of a table's parts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// The variant: `S K GW GB`.
    pub variant: String,
    /// Tiers that are solved.
    pub tiers: Vec<TierFacts>,
    /// Whether all are.
    pub finished: bool,
    /// Seconds spent so far, over all runs.
    pub seconds: f64,
}

impl Manifest {
    /// Positions that can arise.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.positions).sum()
    }

    /// The longest distance to the end, in plies.
    #[must_use]
    pub fn longest(&self) -> u32 {
        self.tiers
            .iter()
            .map(|tier| tier.longest)
            .max()
            .unwrap_or(0)
    }
}

/// The folder of a table.
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
}

impl Folder {
    pub(crate) fn create(path: &Path) -> Result<Folder, TableError> {
        fs::create_dir_all(path).map_err(TableError::file(path))?;
        Ok(Folder {
            path: path.to_owned(),
        })
    }

    /// Nobody else solves into this folder as long as the claim lives.
    pub(crate) fn claim(&self) -> Result<Claim, TableError> {
        Claim::folder(&self.path).map_err(TableError::file(&self.path))
    }

    pub(crate) fn tier_file(&self, tier: Tier) -> PathBuf {
        self.path.join(format!("tier-{}-{}", tier.own, tier.other))
    }

    pub(crate) fn new_manifest(variant: Variant) -> Manifest {
        Manifest {
            format: FORMAT,
            variant: variant.to_string(),
            tiers: Vec::new(),
            finished: false,
            seconds: 0.0,
        }
    }

    /// The list, if there is one.
    pub(crate) fn manifest(&self) -> Result<Option<(Manifest, Variant)>, TableError> {
        let path = self.path.join(MANIFEST);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(TableError::file(&path)(e)),
        };
        let damaged = |reason: String| TableError::Damaged {
            path: path.clone(),
            reason,
        };
        let manifest: Manifest = serde_json::from_str(&text).map_err(|e| damaged(e.to_string()))?;
        if manifest.format != FORMAT {
            return Err(damaged(format!("format {}, not {FORMAT}", manifest.format)));
        }
        let variant: Variant = manifest
            .variant
            .parse()
            .map_err(|e| damaged(format!("variant {:?}: {e}", manifest.variant)))?;
        if variant.size() > 3 || Side::BOTH.iter().any(|&side| variant.stones(side) > 60) {
            return Err(damaged(format!("variant {variant} has no table")));
        }
        Ok(Some((manifest, variant)))
    }

    pub(crate) fn write_manifest(&self, manifest: &Manifest) -> Result<(), TableError> {
        let text = serde_json::to_vec_pretty(manifest).expect("plain data can be written");
        write_parts(&self.path.join(MANIFEST), |file| file.write_all(&text))
    }

    /// The list says something else about a tier than what was counted.
    pub(crate) fn miscounted(&self, counted: &TierFacts) -> TableError {
        let TierFacts {
            own,
            other,
            positions,
            wins,
            losses,
            longest,
            ..
        } = counted;
        TableError::Damaged {
            path: self.path.join(MANIFEST),
            reason: format!(
                "tier {own}-{other} has {positions} positions, {wins} of them won and {losses} lost, \
                 the longest in {longest}: the list differs"
            ),
        }
    }

    /// Writes the values of a tier and gives back its checksum.
    pub(crate) fn write_tier(&self, tier: Tier, values: &[u8]) -> Result<String, TableError> {
        write_parts(&self.tier_file(tier), |file| file.write_all(values))?;
        Ok(checksum(values))
    }

    /// The values of a tier; with `check`, only if the checksum is right.
    pub(crate) fn open_tier(&self, facts: &TierFacts, check: bool) -> Result<Mmap, TableError> {
        let tier = Tier {
            own: facts.own,
            other: facts.other,
        };
        let path = self.tier_file(tier);
        let file = File::open(&path).map_err(TableError::file(&path))?;
        let values = map(&file).map_err(TableError::file(&path))?;
        if values.len() as u64 != facts.bytes {
            return Err(TableError::Damaged {
                path,
                reason: format!("{} bytes, not {}", values.len(), facts.bytes),
            });
        }
        if check {
            self.check(&path, &values, &facts.checksum)?;
        }
        Ok(values)
    }

    pub(crate) fn check(
        &self,
        path: &Path,
        bytes: &[u8],
        expected: &str,
    ) -> Result<(), TableError> {
        let found = checksum(bytes);
        if found == expected {
            return Ok(());
        }
        Err(TableError::Damaged {
            path: path.to_owned(),
            reason: format!("checksum {found}, not {expected}"),
        })
    }

    /// Keeps the sets of positions that can arise, one after another, and how many pairs of
    /// tiers are closed. The file carries its own checksum, so that it may be written anew
    /// at any time.
    pub(crate) fn write_reached(
        &self,
        closed: usize,
        words: impl Iterator<Item = u64>,
    ) -> Result<(), TableError> {
        write_parts(&self.path.join(REACHED), |file| {
            let mut sum = Xxh3::new();
            for word in std::iter::once(closed as u64).chain(words) {
                sum.update(&word.to_le_bytes());
                file.write_all(&word.to_le_bytes())?;
            }
            file.write_all(&sum.digest().to_le_bytes())
        })
    }

    /// The number of closed pairs and the sets, if they have been kept: so many words.
    pub(crate) fn read_reached(
        &self,
        words: usize,
    ) -> Result<Option<(usize, Vec<u64>)>, TableError> {
        let path = self.path.join(REACHED);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(TableError::file(&path)(e)),
        };
        let expected = (words + 2) * 8;
        if bytes.len() != expected {
            return Err(TableError::Damaged {
                path,
                reason: format!("{} bytes, not {expected}", bytes.len()),
            });
        }
        let (body, sum) = bytes.split_at(expected - 8);
        self.check(&path, body, &format!("{:016x}", word(sum)))?;
        let (closed, sets) = body.split_at(8);
        let sets = sets.chunks_exact(8).map(word).collect();
        Ok(Some((word(closed) as usize, sets)))
    }

    /// Removes what only an unfinished table needs.
    pub(crate) fn tidy(&self) {
        for left in [REACHED.into(), format!("{REACHED}.part")] {
            let _ = fs::remove_file(self.path.join(left));
        }
    }
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

/// Eight bytes as a number.
fn word(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Small parts cost less to do again after a crash of the machine than to wait for the disk each
/// time; a kill of the process loses nothing.
fn write_parts(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), TableError> {
    files::write_parts(path, SYNC_FROM, content).map_err(TableError::file(path))
}

fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the files of a table are written whole and never changed afterwards; whoever
    // changes one from outside while it is read gets wrong values, at worst a signal.
    unsafe { Mmap::map(file) }
}

//! Files of trained numbers: a page of text that says what they are, then the numbers.
//!
//! The first [`HEADER`] bytes are lines of text, padded with line ends, so that
//! `head` shows them. In a file of weights then come the distinct weights of each phase, from
//! the last phase of a game to the first, each packed for itself: so many bytes (32 bits, low
//! byte first) of deflated data, which are the low bytes of all weights (signed, 16 bits) and then
//! the high bytes. Most high bytes are equal, so that is half of the size.

use std::fmt::Write as _;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use thiserror::Error;

use super::PHASES;
use super::pattern::{COUNT, Distinct};

/// The size of the text at the start.
pub const HEADER: usize = 4096;

/// The first line of every file of weights that this version can read.
const FORMAT: &str = "ludex othello weights 2";

/// Why some bytes are no weights, or no network.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FileError {
    /// The first line is another one.
    #[error("the file starts with {found:?}, not {wanted:?}")]
    Format {
        /// The start of the first line.
        found: String,
        /// The first line of the files that this version can read.
        wanted: &'static str,
    },
    /// A line of the header is missing or says something unexpected.
    #[error("the header's line {line:?} is {found}, not {wanted}")]
    Line {
        /// The first word of the line.
        line: &'static str,
        /// What is in its place.
        found: String,
        /// What this version needs.
        wanted: String,
    },
    /// There are too many or too few numbers.
    #[error("{found} bytes of numbers, not {wanted}")]
    Size {
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// A phase cannot be unpacked.
    #[error("phase {phase} is damaged")]
    Packed {
        /// Which one.
        phase: usize,
    },
    /// Embeddings cannot be unpacked.
    #[error("the embeddings are damaged")]
    Embeddings,
    /// The numbers are not the ones that were written.
    #[error("the checksum is {found:016x}, but the header says {wanted:016x}")]
    Checksum {
        /// The sum of what is there.
        found: u64,
        /// The sum in the header.
        wanted: u64,
    },
}

/// What a file says about itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// All its lines.
    pub text: String,
    checksum: u64,
}

impl Header {
    /// Compares the checksum with that of the numbers.
    pub fn check(&self, distinct: &[u8]) -> Result<(), FileError> {
        let (found, wanted) = (checksum(distinct), self.checksum);
        if found == wanted {
            Ok(())
        } else {
            Err(FileError::Checksum { found, wanted })
        }
    }
}

impl Header {
    /// The fits of the phases, read from the lines.
    #[must_use]
    pub fn fits(&self) -> Vec<Fit> {
        let fit = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let [
                "phase",
                _,
                "positions",
                positions,
                "error",
                error,
                "held-out",
                held_out,
                "error",
                held_out_error,
            ] = words[..]
            else {
                return None;
            };
            Some(Fit {
                positions: positions.parse().ok()?,
                error: error.parse().ok()?,
                held_out: held_out.parse().ok()?,
                held_out_error: held_out_error.parse().ok()?,
            })
        };
        self.text.lines().filter_map(fit).collect()
    }
}

/// How a fit of one phase went.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// Positions that it was fitted to.
    pub positions: u64,
    /// Mean absolute error on them, in discs.
    pub error: f64,
    /// Positions of other games, kept apart.
    pub held_out: u64,
    /// Mean absolute error on those, in discs.
    pub held_out_error: f64,
}

/// The bytes of a file: distinct weights by phase, how they were made, how each fit went.
#[must_use]
pub fn write(phases: &[Vec<i16>], recipe: &str, fits: &[Fit]) -> Vec<u8> {
    let mut body = Vec::new();
    for phase in phases {
        let packed = pack(phase);
        body.extend((packed.len() as u32).to_le_bytes());
        body.extend(packed);
    }
    let mut lines = String::new();
    for (phase, fit) in fits.iter().enumerate() {
        let _ = writeln!(
            lines,
            "phase {phase} positions {} error {:.3} held-out {} error {:.3}",
            fit.positions, fit.error, fit.held_out, fit.held_out_error
        );
    }
    close(FORMAT, &counts(), recipe, &lines, &body)
}

/// What the header of a file of weights counts.
fn counts() -> [(&'static str, usize); 3] {
    [
        ("patterns", COUNT),
        ("phases", PHASES),
        ("weights", Distinct::get().count()),
    ]
}

/// How hard to pack: the hardest takes ten times as long and saves a thousandth.
const PACKING: u8 = 6;

fn pack(weights: &[i16]) -> Vec<u8> {
    let bytes = weights.iter().map(|weight| weight.to_le_bytes());
    let low = bytes.clone().map(|[low, _]| low);
    let planes: Vec<u8> = low.chain(bytes.map(|[_, high]| high)).collect();
    compress_to_vec(&planes, PACKING)
}

/// The weights of a packed phase.
pub(super) fn unpack(packed: &[u8]) -> Option<Vec<i16>> {
    let count = Distinct::get().count();
    let planes = decompress_to_vec_with_limit(packed, 2 * count).ok()?;
    let (low, high) = planes.split_at_checked(count)?;
    let pairs = low.iter().zip(high);
    let weights: Vec<i16> = pairs.map(|(&l, &h)| i16::from_le_bytes([l, h])).collect();
    (weights.len() == count).then_some(weights)
}

/// The packed phases of a file.
pub(super) type Phases<'a> = [&'a [u8]; PHASES];

/// Parts header, weights and phases, and checks that this version can use them.
pub(super) fn split(bytes: &[u8]) -> Result<(Header, &[u8], Phases<'_>), FileError> {
    let (header, body) = open(bytes, FORMAT, &counts())?;
    let mut phases = [&body[..0]; PHASES];
    let mut at = 0;
    for phase in &mut phases {
        let length = body.get(at..).and_then(<[u8]>::first_chunk::<4>);
        let length = length.map_or(0, |length| u32::from_le_bytes(*length) as usize);
        *phase = body.get(at + 4..at + 4 + length).unwrap_or_default();
        at += 4 + length;
    }
    check_size(body, at)?;
    Ok((header, body, phases))
}

/// Parts header and numbers of a file. Its first line must be `format`, and it must count
/// what this version counts.
pub(super) fn open<'a>(
    bytes: &'a [u8],
    format: &'static str,
    counts: &[(&'static str, usize)],
) -> Result<(Header, &'a [u8]), FileError> {
    let (head, numbers) = bytes.split_at(bytes.len().min(HEADER));
    let text = String::from_utf8_lossy(head).trim_end().to_owned();
    let first = text.lines().next().unwrap_or_default();
    if first != format {
        return Err(FileError::Format {
            found: first.chars().take(40).collect(),
            wanted: format,
        });
    }
    let line = |name: &'static str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines
            .find(|(word, _)| *word == name)
            .map_or("missing", |(_, rest)| rest)
    };
    for &(name, wanted) in counts {
        if line(name) != wanted.to_string() {
            return Err(FileError::Line {
                line: name,
                found: line(name).to_owned(),
                wanted: wanted.to_string(),
            });
        }
    }
    let checksum = u64::from_str_radix(line("checksum"), 16).map_err(|_| FileError::Line {
        line: "checksum",
        found: line("checksum").to_owned(),
        wanted: "a hexadecimal number".to_owned(),
    })?;
    Ok((Header { text, checksum }, numbers))
}

/// Checks that there are as many bytes of numbers as there must be.
pub(super) fn check_size(numbers: &[u8], wanted: usize) -> Result<(), FileError> {
    let found = numbers.len();
    if found == wanted {
        Ok(())
    } else {
        Err(FileError::Size { found, wanted })
    }
}

/// The bytes of a file: its format, what it counts, how it was made, further lines, the numbers.
pub(super) fn close(
    format: &str,
    counts: &[(&'static str, usize)],
    recipe: &str,
    lines: &str,
    numbers: &[u8],
) -> Vec<u8> {
    let mut text = format!("{format}\n");
    for (name, count) in counts {
        let _ = writeln!(text, "{name} {count}");
    }
    let _ = writeln!(text, "checksum {:016x}\nrecipe {recipe}", checksum(numbers));
    text += lines;
    let mut bytes = text.into_bytes();
    bytes.resize(HEADER, b'\n');
    bytes.extend(numbers);
    bytes
}

/// FNV-1a over 64 bits: enough against accidents.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let count = Distinct::get().count();
        let phases: Vec<Vec<i16>> = (0..PHASES)
            .map(|p| (0..count).map(|i| (i * 31 + p) as i16).collect())
            .collect();
        write(&phases, "test", &[])
    }

    #[test]
    fn what_is_written_is_read() {
        let weights = crate::eval::Weights::read(sample()).expect("a whole file");
        assert!(weights.header().text.contains("\nrecipe test"));
        assert_eq!(weights.distinct(2)[3], 95);
    }

    #[test]
    fn fits_are_read_back() {
        let fits: Vec<Fit> = (0..PHASES as u64)
            .map(|n| Fit {
                positions: n * 1000,
                error: n as f64 / 8.0,
                held_out: n,
                held_out_error: n as f64 / 4.0,
            })
            .collect();
        let phases = vec![vec![0; Distinct::get().count()]; PHASES];
        let weights = crate::eval::Weights::read(write(&phases, "test", &fits)).expect("whole");
        assert_eq!(weights.header().fits(), fits);
    }

    #[test]
    fn damage_is_reported() {
        let error = |bytes: &[u8]| match crate::eval::Weights::read(bytes.to_vec()) {
            Ok(_) => panic!("damaged bytes were read"),
            Err(error) => error,
        };
        let good = sample();
        assert!(matches!(error(b"hello"), FileError::Format { .. }));
        assert!(matches!(error(&good[..9000]), FileError::Size { found, .. } if found == 4904));
        let short = [good.as_slice(), b"more"].concat();
        assert!(matches!(error(&short), FileError::Size { found, wanted } if found == wanted + 4));
        let mut bad = good.clone();
        bad[HEADER + 77] ^= 4;
        assert!(matches!(error(&bad), FileError::Checksum { .. }));
        let bad = close(FORMAT, &counts(), "test", "", &[0; 4 * PHASES]);
        assert_eq!(error(&bad), FileError::Packed { phase: 0 });
        let mut bad = good;
        let at = FORMAT.len() + 1 + "patterns 1".len();
        bad[at] = b'9';
        assert!(matches!(
            error(&bad),
            FileError::Line {
                line: "patterns",
                ..
            }
        ));
    }
}

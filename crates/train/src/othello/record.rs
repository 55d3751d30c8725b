//! Labelled positions, and the files that hold them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use reversi::{Board, Discs};
use thiserror::Error;

/// A position and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The discs, seen by the player to move.
    pub board: Board,
    /// The label: the value for the player to move, in parts of a disc.
    pub value: i16,
    /// The number of its game, as far as it fits.
    pub game: u16,
}

/// The size of a record in a file.
const SIZE: usize = 20;

/// One game in this many is kept out of every fit.
const HELD_OUT: u16 = 16;

impl Record {
    /// Whether its game is kept out of every fit, to measure fits by.
    #[must_use]
    pub fn is_held_out(&self) -> bool {
        self.game.is_multiple_of(HELD_OUT)
    }

    fn to_bytes(self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&self.board.own.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.board.other.0.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.value.to_le_bytes());
        bytes[18..].copy_from_slice(&self.game.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; SIZE]) -> Record {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        Record {
            board: Board {
                own: Discs(word(0)),
                other: Discs(word(8)),
            },
            value: i16::from_le_bytes([bytes[16], bytes[17]]),
            game: u16::from_le_bytes([bytes[18], bytes[19]]),
        }
    }
}

/// What can go wrong with files of records.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The operating system says no.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
    /// The file does not end where a record ends.
    #[error("{}: {size} bytes are not a whole number of {SIZE}-byte records", path.display())]
    Cut {
        /// The file.
        path: PathBuf,
        /// Its size.
        size: usize,
    },
}

impl RecordError {
    pub(crate) fn io(path: &Path, error: io::Error) -> RecordError {
        RecordError::Io {
            path: path.to_owned(),
            error,
        }
    }
}

/// Writes a file of records; it appears whole or not at all.
pub fn write(path: &Path, records: &[Record]) -> Result<(), RecordError> {
    let bytes: Vec<u8> = records.iter().flat_map(|r| r.to_bytes()).collect();
    files::write_whole(path, &bytes).map_err(|error| RecordError::io(path, error))
}

/// Reads a file of records.
pub fn read(path: &Path) -> Result<Vec<Record>, RecordError> {
    let bytes = fs::read(path).map_err(|error| RecordError::io(path, error))?;
    let (records, rest) = bytes.as_chunks::<SIZE>();
    if !rest.is_empty() {
        return Err(RecordError::Cut {
            path: path.to_owned(),
            size: bytes.len(),
        });
    }
    Ok(records.iter().map(Record::from_bytes).collect())
}

/// All records of some folders, sorted by how many squares are empty.
pub struct Library {
    by_empties: Vec<Vec<Record>>,
}

impl Library {
    /// Reads the records of folders, in the order of the folders and their files.
    pub fn read(folders: &[PathBuf]) -> Result<Library, RecordError> {
        let mut paths = Vec::new();
        for folder in folders {
            paths.extend(files(folder)?);
        }
        let mut by_empties = vec![Vec::new(); 61];
        // A few hundred files at a time, so that they are not all held twice.
        for paths in paths.chunks(256) {
            let parts: Result<Vec<_>, _> = paths.par_iter().map(|path| read(path)).collect();
            for record in parts?.into_iter().flatten() {
                by_empties[record.board.empty().len() as usize].push(record);
            }
        }
        Ok(Library { by_empties })
    }

    /// The positions with this many empty squares.
    #[must_use]
    pub fn with_empties(&self, empties: u32) -> &[Record] {
        &self.by_empties[empties as usize]
    }
}

/// The files of records in a folder, in the order of their names.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, RecordError> {
    files_named(folder, "records")
}

/// The files in a folder whose names end in this way, in the order of their names.
pub(crate) fn files_named(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, RecordError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| RecordError::io(folder, error))? {
        let path = entry
            .map_err(|error| RecordError::io(folder, error))?
            .path();
        if path.extension().is_some_and(|e| e == extension) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

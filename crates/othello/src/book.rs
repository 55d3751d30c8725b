//! An opening book: moves thought over long before the game.
//!
//! A book is a sorted list of positions, one image standing for all eight symmetric ones,
//! each with the move to play. It is read where it lies, without being unpacked.

use reversi::{Board, Move, Position, Square};
use rules::{Game, Side, Symmetric};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

const MAGIC: &[u8; 8] = b"LUDEXBK1";
/// Magic, number of entries, checksum of the entries.
const HEADER: usize = 8 + 4 + 8;
/// Own discs, the opponent's, move, value, depth.
const ENTRY: usize = 8 + 8 + 1 + 1 + 1;

/// The book that comes with the engine, built by it.
static EMBEDDED: &[u8] = include_bytes!("../data/othello.book");

/// What the book knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The move to play.
    pub mv: Move,
    /// The final disc difference to expect, seen by the player to move.
    pub value: i32,
    /// Plies that were looked ahead.
    pub depth: u32,
}

/// Why bytes are no book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BookError {
    /// They do not begin like one.
    #[error("not an opening book of this program")]
    Foreign,
    /// There are fewer or more than the header says.
    #[error("{found} bytes, not {expected}")]
    Length {
        /// What the header says.
        expected: usize,
        /// What there is.
        found: usize,
    },
    /// They have changed since they were written.
    #[error("the checksum is wrong")]
    Checksum,
}

/// A book, as bytes.
#[derive(Clone, Copy, Debug)]
pub struct Book<'a> {
    entries: &'a [[u8; ENTRY]],
}

impl Book<'static> {
    /// The book that comes with the engine.
    #[must_use]
    pub fn embedded() -> Book<'static> {
        // A test reads it with all checks.
        Book {
            entries: EMBEDDED.get(HEADER..).unwrap_or_default().as_chunks().0,
        }
    }
}

impl<'a> Book<'a> {
    /// Reads a book, checking everything.
    pub fn read(bytes: &'a [u8]) -> Result<Book<'a>, BookError> {
        let (header, entries) = bytes.split_at_checked(HEADER).ok_or(BookError::Foreign)?;
        if header[..8] != MAGIC[..] {
            return Err(BookError::Foreign);
        }
        let count = u32::from_le_bytes(header[8..12].try_into().expect("four bytes"));
        let expected = HEADER + count as usize * ENTRY;
        if bytes.len() != expected {
            let found = bytes.len();
            return Err(BookError::Length { expected, found });
        }
        if header[12..] != xxh3_64(entries).to_le_bytes() {
            return Err(BookError::Checksum);
        }
        let entries = entries.as_chunks().0;
        Ok(Book { entries })
    }

    /// How many positions it knows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it knows none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What it knows about the position.
    #[must_use]
    pub fn advice(&self, position: &Position) -> Option<Advice> {
        let (image, symmetry) = canonical(position.board());
        let at = self
            .entries
            .binary_search_by_key(&(image.own.0, image.other.0), key)
            .ok()?;
        let entry = &self.entries[at];
        let square = Square::new(entry[16]);
        let image = Position::new(image, Side::First);
        let mv = image.transform_move(square.into(), inverse(symmetry));
        // Whatever the bytes say, advice is legal.
        position.is_legal(mv).then_some(Advice {
            mv,
            value: i32::from(entry[17].cast_signed()),
            depth: u32::from(entry[18]),
        })
    }
}

/// The bytes of a book with these positions; of several images of one position the first
/// counts.
#[must_use]
pub fn write(entries: &[(Board, Advice)]) -> Vec<u8> {
    let mut packed: Vec<[u8; ENTRY]> = entries
        .iter()
        .filter_map(|(board, advice)| {
            let (image, symmetry) = canonical(*board);
            let position = Position::new(*board, Side::First);
            let square = position.transform_move(advice.mv, symmetry).square()?;
            let mut entry = [0; ENTRY];
            entry[..8].copy_from_slice(&image.own.0.to_le_bytes());
            entry[8..16].copy_from_slice(&image.other.0.to_le_bytes());
            entry[16] = square.index() as u8;
            entry[17] = (advice.value.clamp(-64, 64) as i8).cast_unsigned();
            entry[18] = advice.depth.min(255) as u8;
            Some(entry)
        })
        .collect();
    packed.sort_by_key(key);
    packed.dedup_by_key(|entry| key(entry));
    let entries = packed.concat();
    let mut bytes = MAGIC.to_vec();
    bytes.extend((packed.len() as u32).to_le_bytes());
    bytes.extend(xxh3_64(&entries).to_le_bytes());
    bytes.extend(entries);
    bytes
}

fn key(entry: &[u8; ENTRY]) -> (u64, u64) {
    let word = |at: usize| u64::from_le_bytes(entry[at..at + 8].try_into().expect("eight bytes"));
    (word(0), word(8))
}

/// The image of a board that stands for all, and the symmetry that leads to it.
#[must_use]
pub fn canonical(board: Board) -> (Board, usize) {
    let position = Position::new(board, Side::First);
    (0..position.symmetries())
        .map(|index| (position.transform(index).board(), index))
        .min()
        .unwrap_or((board, 0))
}

/// The symmetry that undoes another: exchanging columns and rows exchanges the mirrors.
fn inverse(symmetry: usize) -> usize {
    if symmetry & 4 != 0 {
        4 | (symmetry & 1) << 1 | (symmetry & 2) >> 1
    } else {
        symmetry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_book() -> (Vec<u8>, Vec<(Board, Advice)>) {
        let mut entries = Vec::new();
        let mut position = Position::start();
        for depth in 0..20 {
            let moves = position.moves();
            let mv = moves[depth as usize % moves.len()];
            let value = depth as i32 - 10;
            entries.push((position.board(), Advice { mv, value, depth }));
            position.play_unchecked(mv);
        }
        (write(&entries), entries)
    }

    #[test]
    fn every_image_of_a_position_finds_the_image_of_its_move() {
        let (bytes, entries) = some_book();
        let book = Book::read(&bytes).unwrap();
        assert_eq!(book.len(), entries.len());
        for (board, advice) in entries {
            let position = Position::new(board, Side::First);
            let mut after = position;
            after.play_unchecked(advice.mv);
            for index in 0..8 {
                let image = position.transform(index);
                let found = book.advice(&image).unwrap();
                assert_eq!((found.value, found.depth), (advice.value, advice.depth));
                // The move may be another one of a symmetric position, but leads to an image.
                let mut found_after = image;
                found_after.play(found.mv).unwrap();
                assert_eq!(canonical(found_after.board()).0, canonical(after.board()).0);
            }
        }
    }

    #[test]
    fn damage_is_noticed() {
        let (mut bytes, _) = some_book();
        assert_eq!(Book::read(&bytes[..7]).unwrap_err(), BookError::Foreign);
        assert_eq!(
            Book::read(b"something else, quite long").unwrap_err(),
            BookError::Foreign
        );
        let (expected, found) = (bytes.len(), bytes.len() - 1);
        let error = Book::read(&bytes[..found]).unwrap_err();
        assert_eq!(error, BookError::Length { expected, found });
        *bytes.last_mut().unwrap() ^= 1;
        assert_eq!(Book::read(&bytes).unwrap_err(), BookError::Checksum);
    }

    #[test]
    fn the_embedded_book_is_whole_and_knows_the_start() {
        let book = Book::read(EMBEDDED).unwrap();
        assert_eq!(book.len(), Book::embedded().len());
        assert!(book.advice(&Position::start()).is_some());
    }
}

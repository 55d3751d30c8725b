//! The file of a book.
//!
//! A header; the entries, all of one size and sorted, so that they are searched by halves;
//! the searched values of all moves, one byte each, those of a position in the order of its
//! squares; start positions that still wait to be looked at. Numbers are little-endian.

use reversi::{Board, Discs};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::{Recipe, canonical};

const MAGIC: &[u8; 8] = b"LUDEXBK2";
/// What the magic of every version begins with.
const FAMILY: &[u8; 7] = b"LUDEXBK";
/// Magic, checksum of all that follows it, numbers of entries, values and waiting starts,
/// the three numbers of the recipe, a zero.
const HEADER: usize = 8 + 8 + 3 * 4 + 3 + 1;
/// Where what the checksum is about begins.
const CHECKED: usize = 16;
/// Own discs and the opponent's.
const BOARD: usize = 8 + 8;
/// The board, where its values begin, value of the position, flags.
const ENTRY: usize = BOARD + 4 + 1 + 1;

/// The position is one from which the book grows.
const START: u8 = 1;
/// The position belongs to the batch that is under way.
const UNDER_WAY: u8 = 2;

/// The book that comes with the engine, grown by it.
static EMBEDDED: &[u8] = include_bytes!("../../data/othello.book");

/// A position of a book, as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The position: its [`canonical`] image, in which there is a move.
    pub board: Board,
    /// What the search said about its moves, in the order of their squares.
    pub searched: Vec<i8>,
    /// Its value by those of the positions that it leads to.
    pub value: i8,
    /// Whether the book grows from it.
    pub is_start: bool,
    /// Whether it belongs to a batch of positions that is not finished, so that it does not
    /// yet count for what is looked at next.
    pub under_way: bool,
}

/// Why bytes are no book.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BookError {
    /// They do not begin like one.
    #[error("not an opening book of this program")]
    Foreign,
    /// They begin like one of another version.
    #[error("an opening book of another version of this program, which must be grown anew")]
    Version,
    /// There are fewer or more than the header says.
    #[error("a damaged opening book: {found} bytes, not {expected}")]
    Length {
        /// What the header says.
        expected: u64,
        /// What there is.
        found: u64,
    },
    /// They have changed since they were written.
    #[error("a damaged opening book: its checksum is wrong")]
    Checksum,
    /// A part of them means nothing.
    #[error("a damaged opening book: {0}")]
    Nonsense(String),
}

/// A book, as bytes.
#[derive(Clone, Copy, Debug)]
pub struct Book<'a> {
    recipe: Recipe,
    entries: &'a [[u8; ENTRY]],
    values: &'a [u8],
    waiting: &'a [[u8; BOARD]],
}

impl Book<'static> {
    /// The book that comes with the engine.
    #[must_use]
    pub fn embedded() -> Book<'static> {
        // A test reads it with all checks.
        Book::parts(EMBEDDED).expect("a book is embedded")
    }
}

impl<'a> Book<'a> {
    /// Reads a book, checking everything.
    pub fn read(bytes: &'a [u8]) -> Result<Book<'a>, BookError> {
        let book = Book::parts(bytes)?;
        if bytes[8..CHECKED] != xxh3_64(&bytes[CHECKED..]).to_le_bytes() {
            return Err(BookError::Checksum);
        }
        book.check(bytes[HEADER - 1])?;
        Ok(book)
    }

    /// The parts of a book, by the numbers in its header.
    fn parts(bytes: &'a [u8]) -> Result<Book<'a>, BookError> {
        match bytes.first_chunk() {
            Some(MAGIC) => {}
            Some(other) if other.starts_with(FAMILY) => return Err(BookError::Version),
            _ => return Err(BookError::Foreign),
        }
        let found = bytes.len() as u64;
        let (header, rest) = bytes.split_at_checked(HEADER).ok_or(BookError::Length {
            expected: HEADER as u64,
            found,
        })?;
        let [entries, values, waiting] = [16, 20, 24].map(|at| u64::from(word(header, at)));
        let expected = HEADER as u64 + entries * ENTRY as u64 + values + waiting * BOARD as u64;
        if found != expected {
            return Err(BookError::Length { expected, found });
        }
        let (entries, rest) = rest.split_at(entries as usize * ENTRY);
        let (values, waiting) = rest.split_at(values as usize);
        Ok(Book {
            recipe: Recipe {
                depth: header[28],
                width: header[29],
                loss: header[30],
            },
            entries: entries.as_chunks().0,
            values,
            waiting: waiting.as_chunks().0,
        })
    }

    /// Whether everything means something.
    fn check(&self, reserved: u8) -> Result<(), BookError> {
        let nonsense = |text: String| Err(BookError::Nonsense(text));
        let recipe = self.recipe;
        if !(1..=60).contains(&recipe.depth) || recipe.width > 128 || reserved != 0 {
            return nonsense("its header means nothing".into());
        }
        let usable = |board: Board| {
            board.own.0 & board.other.0 == 0
                && !board.moves().is_empty()
                && canonical(board).0 == board
        };
        let mut offset = 0;
        let mut before = None;
        for (number, entry) in (1..).zip(self.entries) {
            let board = board(entry);
            let right = usable(board)
                && before < Some(board)
                && word(entry, BOARD) == offset
                && entry[BOARD + 5] <= START | UNDER_WAY;
            if !right {
                return nonsense(format!("position {number} means nothing"));
            }
            offset += board.moves().len();
            before = Some(board);
        }
        if offset as usize != self.values.len() {
            return nonsense("its values are not those of its moves".into());
        }
        let mut before = None;
        for (number, entry) in (1..).zip(self.waiting) {
            let board = board(entry);
            if !usable(board) || before >= Some(board) || self.find(board).is_some() {
                return nonsense(format!("start position {number} means nothing"));
            }
            before = Some(board);
        }
        Ok(())
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

    /// How it was grown.
    #[must_use]
    pub fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// All that it knows, sorted by positions.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + 'a {
        let book = *self;
        self.entries.iter().map(move |entry| {
            let values = book.values_of(entry).unwrap_or_default();
            Entry {
                board: board(entry),
                searched: values.iter().map(|value| value.cast_signed()).collect(),
                value: entry[BOARD + 4].cast_signed(),
                is_start: entry[BOARD + 5] & START != 0,
                under_way: entry[BOARD + 5] & UNDER_WAY != 0,
            }
        })
    }

    /// Start positions that it does not know yet.
    pub fn waiting(&self) -> impl Iterator<Item = Board> + 'a {
        self.waiting.iter().map(|entry| board(entry))
    }

    /// The searched values of the moves of a position, in the order of their squares.
    pub(super) fn searched(&self, image: Board) -> Option<&'a [u8]> {
        self.values_of(self.find(image)?)
    }

    /// The value of a position.
    pub(super) fn value(&self, image: Board) -> Option<i32> {
        let entry = self.find(image)?;
        Some(i32::from(entry[BOARD + 4].cast_signed()))
    }

    fn find(&self, image: Board) -> Option<&'a [u8; ENTRY]> {
        let at = self.entries.binary_search_by_key(&image, |e| board(e));
        Some(&self.entries[at.ok()?])
    }

    fn values_of(&self, entry: &[u8; ENTRY]) -> Option<&'a [u8]> {
        let from = word(entry, BOARD) as usize;
        self.values
            .get(from..)?
            .get(..board(entry).moves().len() as usize)
    }
}

/// The bytes of a book with these positions and start positions that wait, each given once.
#[must_use]
pub fn write(recipe: Recipe, mut entries: Vec<Entry>, mut waiting: Vec<Board>) -> Vec<u8> {
    entries.sort_by_key(|entry| entry.board);
    waiting.sort();
    let values: Vec<u8> = entries
        .iter()
        .flat_map(|entry| entry.searched.iter().map(|value| value.cast_unsigned()))
        .collect();
    let mut body = Vec::new();
    for count in [entries.len(), values.len(), waiting.len()] {
        body.extend((count as u32).to_le_bytes());
    }
    body.extend([recipe.depth, recipe.width, recipe.loss, 0]);
    let mut offset = 0;
    for entry in &entries {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(entry.is_start, START) | flag(entry.under_way, UNDER_WAY);
        body.extend(board_bytes(entry.board));
        body.extend((offset as u32).to_le_bytes());
        body.extend([entry.value.cast_unsigned(), flags]);
        offset += entry.searched.len();
    }
    body.extend(values);
    body.extend(waiting.into_iter().flat_map(board_bytes));
    let mut bytes = MAGIC.to_vec();
    bytes.extend(xxh3_64(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn board(bytes: &[u8]) -> Board {
    let discs = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    Board {
        own: Discs(discs(0)),
        other: Discs(discs(8)),
    }
}

fn board_bytes(board: Board) -> [u8; BOARD] {
    let mut bytes = [0; BOARD];
    bytes[..8].copy_from_slice(&board.own.0.to_le_bytes());
    bytes[8..].copy_from_slice(&board.other.0.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use reversi::Position;

    #[test]
    fn the_embedded_book_is_whole_and_knows_the_start() {
        let book = Book::read(EMBEDDED).unwrap();
        assert_eq!(book.len(), Book::embedded().len());
        assert!(book.advice(&Position::start()).is_some());
    }
}

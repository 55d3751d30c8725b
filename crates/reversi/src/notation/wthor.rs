//! WTHOR, the base of tournament games: files of games (`.wtb`) by year, one of players
//! (`.jou`) and one of tournaments (`.trn`).
//!
//! Numbers are little-endian. Every file starts with 16 bytes that say when it was made
//! and how many entries follow. A game names its players and tournament by number.

use rules::{Game, MoveError};
use thiserror::Error;

use super::Record;
use crate::{Move, Position, Square};

/// The bytes before the first entry of every file.
const HEADER: usize = 16;
/// The bytes of a game: three numbers, two scores, sixty moves.
const GAME: usize = 68;
/// The bytes of a player's name.
const PLAYER: usize = 20;
/// The bytes of a tournament's name.
const TOURNAMENT: usize = 26;

/// Why some bytes are no WTHOR file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WthorError {
    /// There are more or fewer bytes than the header says.
    #[error("{found} bytes, but a header and {entries} entries of {size} take {wanted}")]
    Size {
        /// How many bytes there are.
        found: usize,
        /// How many entries the header announces.
        entries: usize,
        /// The size of one.
        size: usize,
        /// How many bytes there should be.
        wanted: usize,
    },
    /// The games were played on another board.
    #[error("games on a board of {0} × {0} squares, not 8 × 8")]
    Board(u8),
    /// A move that cannot be read or played.
    #[error("game {game}, move {number}: {source}")]
    Move {
        /// Which game, counted from 1.
        game: usize,
        /// Which ply of it, counted from 1, passes included.
        number: usize,
        /// What is wrong with it.
        source: MoveError,
    },
}

/// A file of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Games {
    /// The year in which they were played.
    pub year: u16,
    /// How many empties the positions had that [`Entry::perfect`] was worked out from.
    pub depth: u8,
    /// The games, in the order of the file.
    pub entries: Vec<Entry>,
}

/// A game and what its file says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number of the tournament.
    pub tournament: u16,
    /// The number of the player with the black discs.
    pub black: u16,
    /// The number of the player with the white discs.
    pub white: u16,
    /// Black's discs at the end; empties count for the winner.
    pub score: u8,
    /// Black's discs if both had played perfectly from [`Games::depth`] empties on.
    pub perfect: u8,
    /// The moves.
    pub record: Record,
}

/// The games of a `.wtb` file. Every move is checked.
pub fn games(bytes: &[u8]) -> Result<Games, WthorError> {
    let entries = entries::<GAME>(bytes)?;
    // Old files leave the size of the board out.
    if let size @ (1..=7 | 9..) = bytes[12] {
        return Err(WthorError::Board(size));
    }
    let entries = entries
        .iter()
        .enumerate()
        .map(|(number, entry)| game(entry, number + 1))
        .collect::<Result<_, _>>()?;
    Ok(Games {
        year: u16::from_le_bytes([bytes[10], bytes[11]]),
        depth: bytes[14],
        entries,
    })
}

/// How many games a `.wtb` file says that it holds, if its length agrees. None of them is read.
#[must_use]
pub fn count(bytes: &[u8]) -> Option<usize> {
    entries::<GAME>(bytes).ok().map(<[_]>::len)
}

/// The names of a `.jou` file, by player number.
pub fn players(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    Ok(entries::<PLAYER>(bytes)?.iter().map(|e| name(e)).collect())
}

/// The names of a `.trn` file, by tournament number.
pub fn tournaments(bytes: &[u8]) -> Result<Vec<String>, WthorError> {
    let entries = entries::<TOURNAMENT>(bytes)?;
    Ok(entries.iter().map(|e| name(e)).collect())
}

impl Entry {
    /// Puts the names for the numbers into the record, as far as they are known.
    pub fn name(&mut self, players: &[String], tournaments: &[String]) {
        let find = |names: &[String], number: u16| names.get(usize::from(number)).cloned();
        self.record.black = find(players, self.black);
        self.record.white = find(players, self.white);
        self.record.event = find(tournaments, self.tournament);
    }
}

/// The entries of a file, after its header.
fn entries<const SIZE: usize>(bytes: &[u8]) -> Result<&[[u8; SIZE]], WthorError> {
    let word = |at: usize| bytes.get(at).map_or(0, |&byte| usize::from(byte));
    let long = (4..8).rev().fold(0, |sum, at| sum << 8 | word(at));
    let short = word(9) << 8 | word(8);
    // Games are counted in the long number, names in the short one.
    let count = if SIZE == GAME { long } else { short };
    let wanted = HEADER + count * SIZE;
    if bytes.len() != wanted {
        return Err(WthorError::Size {
            found: bytes.len(),
            entries: count,
            size: SIZE,
            wanted,
        });
    }
    Ok(bytes[HEADER..].as_chunks().0)
}

fn game(entry: &[u8; GAME], number: usize) -> Result<Entry, WthorError> {
    let word = |at: usize| u16::from_le_bytes([entry[at], entry[at + 1]]);
    let mut position = Position::start();
    let mut record = Record::new(position);
    for &code in entry[8..].iter().take_while(|&&code| code != 0) {
        if position.is_legal(Move::PASS) {
            position.play_unchecked(Move::PASS);
            record.moves.push(Move::PASS);
        }
        let mv = read_move(&position, code).map_err(|source| WthorError::Move {
            game: number,
            number: record.moves.len() + 1,
            source,
        })?;
        position.play_unchecked(mv);
        record.moves.push(mv);
    }
    Ok(Entry {
        tournament: word(0),
        black: word(2),
        white: word(4),
        score: entry[6],
        perfect: entry[7],
        record,
    })
}

/// Ten times the row plus the column, both from 1.
fn read_move(position: &Position, code: u8) -> Result<Move, MoveError> {
    let (column, row) = ((code % 10).wrapping_sub(1), (code / 10).wrapping_sub(1));
    let square = Square::at(column, row).ok_or_else(|| {
        MoveError::unreadable(
            code.to_string(),
            "ten times the row plus the column is wanted",
        )
    })?;
    position.parse_move(&square.to_string())
}

/// Text up to the first zero; one byte per letter, as in Latin-1.
fn name(bytes: &[u8]) -> String {
    bytes
        .iter()
        .take_while(|&&byte| byte != 0)
        .map(|&byte| char::from(byte))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(count: [u8; 6], entries: &[&[u8]]) -> Vec<u8> {
        let mut bytes = vec![20, 26, 1, 1];
        bytes.extend(count);
        bytes.resize(HEADER, 0);
        entries.iter().for_each(|entry| bytes.extend(*entry));
        bytes
    }

    fn one_game(moves: &[u8]) -> Vec<u8> {
        let mut entry = vec![1, 0, 2, 1, 3, 0, 33, 31];
        entry.extend(moves);
        entry.resize(GAME, 0);
        file([1, 0, 0, 0, 0, 0], &[&entry])
    }

    #[test]
    fn a_game_is_read() {
        let mut bytes = one_game(&[56, 64, 33]);
        bytes[10..15].copy_from_slice(&[0xe9, 7, 8, 0, 24]);
        let mut games = games(&bytes).expect("a good file");
        assert_eq!((games.year, games.depth), (2025, 24));
        let game = &mut games.entries[0];
        assert_eq!((game.tournament, game.black, game.white), (1, 258, 3));
        assert_eq!((game.score, game.perfect), (33, 31));
        assert_eq!(super::super::transcript::write(&game.record), "f5d6c3");
        let names: Vec<String> = (0..4).map(|n| format!("n{n}")).collect();
        game.name(&names, &names);
        assert_eq!(game.record.event.as_deref(), Some("n1"));
        assert_eq!(game.record.white.as_deref(), Some("n3"));
        assert_eq!(game.record.black, None);
    }

    #[test]
    fn names_are_read() {
        let mut entry = b"Andr\xe9 X".to_vec();
        entry.resize(PLAYER, 0);
        let bytes = file([0, 0, 0, 0, 2, 0], &[&entry, &entry]);
        assert_eq!(
            players(&bytes),
            Ok(vec!["André X".into(), "André X".into()])
        );
        entry.resize(TOURNAMENT, 0);
        let bytes = file([0, 0, 0, 0, 1, 0], &[&entry]);
        assert_eq!(tournaments(&bytes), Ok(vec!["André X".into()]));
    }

    #[test]
    fn bad_files_are_told() {
        #[track_caller]
        fn check(bytes: &[u8], message: &str) {
            assert_eq!(games(bytes).expect_err("bad bytes").to_string(), message);
        }
        check(b"bad", "3 bytes, but a header and 0 entries of 68 take 16");
        check(
            &one_game(&[56])[..80],
            "80 bytes, but a header and 1 entries of 68 take 84",
        );
        check(
            &one_game(&[56, 99]),
            "game 1, move 2: \"99\" is not a move: ten times the row plus the column is wanted",
        );
        check(
            &one_game(&[56, 11]),
            "game 1, move 2: illegal move a1 (not adjacent to a black disc)",
        );
        let mut other_board = one_game(&[]);
        other_board[12] = 10;
        check(
            &other_board,
            "games on a board of 10 × 10 squares, not 8 × 8",
        );
    }
}

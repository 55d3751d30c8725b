//! The file `matrix.txt` through which two programs play: its text, read with tolerance
//! and written exactly.
//!
//! ```
//! use mmpawns::matrix::{Mark, Matrix};
//!
//! let text = "A 1 U\n0 30\n0 30.00\n--------\n-A------\n--------\n--------\n\
//!             --------\n--------\n------B-\n--------\n";
//! let matrix = Matrix::read(text.as_bytes())?;
//! let mv = rules::Game::moves(&matrix.position)[1];
//! let after = matrix.after(mv, 1.25);
//! assert_eq!(after.result, Mark::A);
//! assert!(after.write().starts_with(b"B 2 A\n0 28.75\n0 30.00\n-A------\n"));
//! # Ok::<(), mmpawns::matrix::MatrixError>(())
//! ```

use rules::{Game, Outcome, Side, beginning};
use thiserror::Error;

use crate::text::{Rows, read_turn};
use crate::{Move, Position, Square};

/// What is wrong with a file, and in which line of it.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {what}")]
pub struct MatrixError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// The third field of the file: who has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Player A has won.
    A,
    /// Player B has won.
    B,
    /// The game is drawn.
    D,
    /// The game goes on.
    U,
}

impl Mark {
    /// What the rules say about a position.
    #[must_use]
    pub fn of(outcome: Option<Outcome>) -> Mark {
        match outcome {
            Some(Outcome::Win(Side::First)) => Mark::A,
            Some(Outcome::Win(Side::Second)) => Mark::B,
            Some(Outcome::Draw) => Mark::D,
            None => Mark::U,
        }
    }

    /// The letter in the file.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Mark::A => 'A',
            Mark::B => 'B',
            Mark::D => 'D',
            Mark::U => 'U',
        }
    }
}

/// One player's line: score and clock.
#[derive(Clone, PartialEq, Debug)]
pub struct Account {
    /// The line as it stands in the file, without its end.
    pub line: Vec<u8>,
    /// The score as text; the game always has it at 0.
    pub score: String,
    /// Seconds left for the whole game.
    pub seconds: f64,
}

impl Account {
    /// A fresh account in the usual form.
    #[must_use]
    pub fn new(score: &str, seconds: f64) -> Account {
        let seconds = seconds.max(0.0);
        Account {
            line: format!("{score} {seconds:.2}").into_bytes(),
            score: score.to_owned(),
            seconds,
        }
    }
}

/// The whole file.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    /// The position, with player and ply number.
    pub position: Position,
    /// The result that the file names.
    pub result: Mark,
    /// Score and clock of A and of B.
    pub accounts: [Account; 2],
}

impl Matrix {
    /// A file in which both players have this much time.
    #[must_use]
    pub fn new(position: Position, seconds: f64) -> Matrix {
        Matrix {
            position,
            result: Mark::of(position.outcome()),
            accounts: [Account::new("0", seconds), Account::new("0", seconds)],
        }
    }

    /// The file after the player to move has played this and used so many seconds. The
    /// opponent's line stays as it is.
    #[must_use]
    pub fn after(&self, mv: Move, used: f64) -> Matrix {
        let mut next = self.clone();
        next.position.play_unchecked(mv);
        next.result = Mark::of(next.position.outcome());
        let own = &mut next.accounts[self.position.side_to_move().index()];
        *own = Account::new(&own.score, own.seconds - used);
        next
    }

    /// The bytes of the file: plain ASCII, every line ended by a line feed. (Only a
    /// line kept from a file that was read may hold something else.)
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let side = Position::side_name(self.position.side_to_move());
        let (number, result) = (self.position.number(), self.result.letter());
        let mut bytes = format!("{side} {number} {result}\n").into_bytes();
        for account in &self.accounts {
            bytes.extend_from_slice(&account.line);
            bytes.push(b'\n');
        }
        for square in Square::all() {
            bytes.push(self.position.symbol(square) as u8);
            if square.column() == 7 {
                bytes.push(b'\n');
            }
        }
        bytes
    }

    /// Reads a file: any run of blanks between fields, LF or CRLF, a missing last line
    /// end, any decimal number, and the Cyrillic А, В, Д (UTF-8 or CP1251) for A, B, D.
    pub fn read(bytes: &[u8]) -> Result<Matrix, MatrixError> {
        let mut lines = Lines::new(bytes);
        let [player, number, result] = lines.fields("player, half-move number and result")?;
        let number = read_turn(&player, &number).map_err(|e| lines.error(e))?;
        let result = [Mark::A, Mark::B, Mark::D, Mark::U]
            .into_iter()
            .find(|mark| result == mark.letter().to_string())
            .ok_or_else(|| {
                lines.error(format!(
                    "result {:?} is not A, B, D or U",
                    beginning(&result)
                ))
            })?;
        let accounts = [lines.account("A")?, lines.account("B")?];
        let mut rows = Rows::default();
        for _ in 0..8 {
            let [row] = lines.fields("a row of the board")?;
            rows.push(row.as_bytes()).map_err(|e| lines.error(e))?;
        }
        lines.end()?;
        let position = Position::new(rows.pawns, rows.field, number).map_err(|e| MatrixError {
            line: e.square().map_or(1, |square| 4 + usize::from(square.row())),
            what: e.to_string(),
        })?;
        Ok(Matrix {
            position,
            result,
            accounts,
        })
    }
}

/// The lines of a file, and which one is being read.
struct Lines<'a> {
    rest: Option<&'a [u8]>,
    number: usize,
}

impl<'a> Lines<'a> {
    fn new(bytes: &'a [u8]) -> Lines<'a> {
        Lines {
            rest: Some(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)),
            number: 0,
        }
    }

    fn error(&self, what: impl Into<String>) -> MatrixError {
        MatrixError {
            line: self.number,
            what: what.into(),
        }
    }

    /// The next line without its end; `None` after the last one.
    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest.filter(|rest| !rest.is_empty())?;
        self.number += 1;
        let line = match rest.iter().position(|&c| c == b'\n') {
            Some(end) => {
                self.rest = Some(&rest[end + 1..]);
                &rest[..end]
            }
            None => {
                self.rest = None;
                rest
            }
        };
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The next line, which must be there.
    fn line(&mut self, what: &str) -> Result<&'a [u8], MatrixError> {
        match self.next() {
            Some(line) => Ok(line),
            None => {
                self.number += 1;
                Err(self.error(format!("the file ends before {what}")))
            }
        }
    }

    /// The `N` fields of the next line, Latin.
    fn fields<const N: usize>(&mut self, what: &str) -> Result<[String; N], MatrixError> {
        let line = self.line(what)?;
        self.split(line, what)
    }

    fn split<const N: usize>(&self, line: &[u8], what: &str) -> Result<[String; N], MatrixError> {
        let text = latin(line);
        let fields: Vec<String> = text
            .split([' ', '\t'])
            .filter(|field| !field.is_empty())
            .map(str::to_owned)
            .collect();
        let count = fields.len();
        fields.try_into().map_err(|_| {
            let wanted = if N == 1 {
                "one field is".into()
            } else {
                format!("{N} fields are")
            };
            self.error(format!("{wanted} wanted ({what}), not {count}"))
        })
    }

    /// The next line as score and time of this player.
    fn account(&mut self, player: &str) -> Result<Account, MatrixError> {
        let what = format!("score and time of {player}");
        let line = self.line(&what)?;
        let [score, seconds] = self.split(line, &what)?;
        decimal(&score)
            .ok_or_else(|| self.error(format!("score {:?} is not a number", beginning(&score))))?;
        let seconds = decimal(&seconds).ok_or_else(|| {
            self.error(format!(
                "time {:?} is not a decimal number",
                beginning(&seconds)
            ))
        })?;
        Ok(Account {
            line: line.to_owned(),
            score,
            seconds,
        })
    }

    /// Nothing but blank lines may follow.
    fn end(&mut self) -> Result<(), MatrixError> {
        while let Some(line) = self.next() {
            // A Control-Z once marked the end of a text.
            if line.iter().any(|c| !b" \t\r\x1a".contains(c)) {
                let text = String::from_utf8_lossy(line);
                return Err(self.error(format!("{:?} follows the last row", beginning(&text))));
            }
        }
        Ok(())
    }
}

/// The line as text, with the letters А, В and Д of either encoding as A, B and D.
fn latin(line: &[u8]) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let [first, tail @ ..] = rest {
        rest = tail;
        let byte = match (first, tail) {
            // UTF-8: the letters А to Я are D0 90 to D0 AF.
            (0xd0, [second @ (0x90 | 0x92 | 0x94), tail @ ..]) => {
                rest = tail;
                second + 0x30
            }
            (byte, _) => *byte,
        };
        text.push(match byte {
            // CP1251: they are C0 to DF.
            0xc0 => 'A',
            0xc2 => 'B',
            0xc4 => 'D',
            byte if byte.is_ascii() => char::from(byte),
            _ => char::REPLACEMENT_CHARACTER,
        });
    }
    text
}

/// Reads a decimal number as C++ streams write it: `2`, `2.01`, `.5`, `1e-05`.
fn decimal(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|c| b"0123456789+-.eE".contains(&c));
    text.parse().ok().filter(|x: &f64| plain && x.is_finite())
}

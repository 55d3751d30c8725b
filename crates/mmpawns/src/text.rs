//! The one-line text of a position: player, ply number, eight rows.

use std::fmt;
use std::str::FromStr;

use rules::{Game, PositionError, Side, beginning};

use crate::{Position, Square, Squares};

impl Position {
    /// What a square shows: `A`, `B`, `-` for empty, `*` for no field.
    #[must_use]
    pub fn symbol(&self, square: Square) -> char {
        if self.pawns(Side::First).contains(square) {
            'A'
        } else if self.pawns(Side::Second).contains(square) {
            'B'
        } else if self.field().contains(square) {
            '-'
        } else {
            '*'
        }
    }
}

impl fmt::Display for Position {
    /// `A 21 --------/--B-----/…`, the top row first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = Position::side_name(self.side_to_move());
        write!(f, "{side} {} ", self.number())?;
        for square in Square::all() {
            if square.column() == 0 && square.row() > 0 {
                f.write_str("/")?;
            }
            write!(f, "{}", self.symbol(square))?;
        }
        Ok(())
    }
}

/// The board while it is read, row by row.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) pawns: [Squares; 2],
    pub(crate) field: Squares,
    count: u8,
}

impl Rows {
    /// Adds the next row; the error says what is wrong with it.
    pub(crate) fn push(&mut self, row: &[u8]) -> Result<(), String> {
        debug_assert!(self.count < 8, "eight rows at most");
        if row.len() != 8 {
            let text = beginning(&String::from_utf8_lossy(row));
            return Err(format!("row {text:?} is not of 8 squares"));
        }
        for (column, &symbol) in (0..).zip(row) {
            let bit = 1 << (self.count * 8 + column);
            match symbol {
                b'A' => self.pawns[0].0 |= bit,
                b'B' => self.pawns[1].0 |= bit,
                b'-' | b'*' => {}
                _ => {
                    let symbol = char::from(symbol);
                    return Err(format!(
                        "{symbol:?} in column {} is not A, B, - or *",
                        column + 1
                    ));
                }
            }
            if symbol != b'*' {
                self.field.0 |= bit;
            }
        }
        self.count += 1;
        Ok(())
    }
}

/// Reads the player to move and the number, which must belong together.
pub(crate) fn read_turn(player: &str, number: &str) -> Result<u32, String> {
    let side = Side::BOTH
        .into_iter()
        .find(|&side| Position::side_name(side) == player)
        .ok_or_else(|| format!("player {:?} is not A or B", beginning(player)))?;
    let digits = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
    let number: u32 = number
        .parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| format!("half-move number {:?} is not a number", beginning(number)))?;
    let turn = Side::BOTH[(number as usize + 1) % 2];
    if turn != side {
        let turn = Position::side_name(turn);
        return Err(format!(
            "half-move {number} is {turn}'s, but the player is {player}"
        ));
    }
    Ok(number)
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Position, PositionError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[player, number, board] = fields.as_slice() else {
            return Err(PositionError::new(format!(
                "3 fields are wanted (player, half-move number, board), not {}",
                fields.len()
            )));
        };
        let number = read_turn(player, number).map_err(PositionError::new)?;
        let lines: Vec<&str> = board.split('/').collect();
        if lines.len() != 8 {
            return Err(PositionError::new(format!("{} rows, not 8", lines.len())));
        }
        let mut rows = Rows::default();
        for (index, line) in (1..).zip(lines) {
            rows.push(line.as_bytes())
                .map_err(|e| PositionError::new(format!("row {index}: {e}")))?;
        }
        Ok(Position::new(rows.pawns, rows.field, number)?)
    }
}

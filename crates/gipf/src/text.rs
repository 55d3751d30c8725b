//! The board as the GIPF program reads and prints it, over several lines.
//!
//! ```
//! use gipf::text;
//!
//! let position = text::load("2 3 5 5", "2 2 W", &[" W B", "B _ W", " W B"])?;
//! assert_eq!(text::print(&position), "2 3 5 5\n2 2 W\n W B  \nB _ W \n W B \n");
//! # Ok::<(), text::LoadError>(())
//! ```

use std::fmt::Write as _;

use rules::{Game, PositionError, Side};
use thiserror::Error;

use crate::game::letter;
use crate::variant::number;
use crate::{Fault, Geometry, Position, Setup, Variant};

/// Why lines are not a board. The errors of the board print as the GIPF program answers.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LoadError {
    /// The line of the variant or the line of the reserves cannot be read.
    #[error(transparent)]
    Header(#[from] PositionError),
    /// A row has the wrong number of points, or a row is missing or too many.
    #[error("WRONG_BOARD_ROW_LENGTH")]
    RowLength,
    /// White has more stones than the variant gives.
    #[error("WRONG_WHITE_PAWNS_NUMBER")]
    WhiteStones,
    /// Black has more stones than the variant gives.
    #[error("WRONG_BLACK_PAWNS_NUMBER")]
    BlackStones,
    /// So many rows should have been taken off.
    #[error("ERROR_FOUND_{0}_ROW{plural}_OF_LENGTH_K", plural = if *.0 == 1 { "" } else { "S" })]
    Rows(u32),
}

/// Reads the line `S K GW GB`; a further word is ignored.
pub fn read_variant(line: &str) -> Result<Variant, PositionError> {
    let words: Vec<&str> = line.split_whitespace().take(4).collect();
    words.join(" ").parse()
}

/// Reads the line `RW RB P`.
fn read_reserves(line: &str) -> Result<([u16; 2], Side), PositionError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[white, black, side] = words.as_slice() else {
        return Err(PositionError::new(format!(
            "{line:?} is not the two reserves and the player to move"
        )));
    };
    let reserves = [
        number(white, "white reserve")?,
        number(black, "black reserve")?,
    ];
    match side {
        "W" => Ok((reserves, Side::First)),
        "B" => Ok((reserves, Side::Second)),
        _ => Err(PositionError::new(format!(
            "player to move {side:?} is not W or B"
        ))),
    }
}

/// Whether a line can only be a row of a board: points `W`, `B`, `_` and blanks.
#[must_use]
pub fn is_row(line: &str) -> bool {
    let mut points = line.chars().filter(|c| !c.is_whitespace()).peekable();
    points.peek().is_some() && points.all(|c| matches!(c, 'W' | 'B' | '_'))
}

/// Reads a board: the variant, the reserves with the player to move, and the rows.
/// Blanks around the points do not count.
pub fn load(
    variant: &str,
    reserves: &str,
    rows: &[impl AsRef<str>],
) -> Result<Position, LoadError> {
    let variant = read_variant(variant)?;
    let (reserves, side) = read_reserves(reserves)?;
    let geometry = Geometry::of(variant.size());
    let mut stones = [0; 2];
    if rows.len() != geometry.rows().count() {
        return Err(LoadError::RowLength);
    }
    for (row, points) in rows.iter().zip(geometry.rows()) {
        let row: Vec<char> = row
            .as_ref()
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect();
        if row.len() != points.len() {
            return Err(LoadError::RowLength);
        }
        for (c, &point) in row.into_iter().zip(points) {
            match c {
                'W' => stones[0] |= 1 << point,
                'B' => stones[1] |= 1 << point,
                '_' => {}
                _ => return Err(LoadError::RowLength),
            }
        }
    }
    let setup = Setup {
        variant,
        reserves,
        side,
        stones,
    };
    Position::try_from(setup).map_err(|fault| match fault {
        Fault::TooManyStones {
            side: Side::First, ..
        } => LoadError::WhiteStones,
        Fault::TooManyStones { .. } => LoadError::BlackStones,
        Fault::Rows { found, .. } => LoadError::Rows(found),
        Fault::Overlap(_) => LoadError::RowLength,
    })
}

/// The board over several lines, each with a line end: the variant, the reserves with the
/// player to move, and the rows with the blanks that the GIPF program prints.
#[must_use]
pub fn print(position: &Position) -> String {
    let geometry = position.geometry();
    let size = usize::from(geometry.size());
    let mut text = String::with_capacity(16 + 4 * geometry.points());
    let (white, black) = (
        position.reserve(Side::First),
        position.reserve(Side::Second),
    );
    let side = letter(position.side_to_move());
    let _ = writeln!(text, "{}\n{white} {black} {side}", position.variant());
    for (index, row) in geometry.rows().enumerate() {
        let row_number = index + 1;
        text.extend(std::iter::repeat_n(' ', size.abs_diff(row_number)));
        for (i, &point) in row.iter().enumerate() {
            if i > 0 {
                text.push(' ');
            }
            text.push(position.stone(point).map_or('_', letter));
        }
        let trailing = size.saturating_sub(row_number) + 1;
        text.extend(std::iter::repeat_n(' ', trailing));
        text.push('\n');
    }
    text
}

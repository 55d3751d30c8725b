//! OBF: one position a line, perhaps with the values of moves: `BOARD X; d3:+2; c4:-6;`.

use rules::{Game, PositionError};

use crate::notation::NotationError;
use crate::{Move, Position};

/// A line of OBF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The position.
    pub position: Position,
    /// Moves and their values in discs for the side to move, as far as the line has them.
    pub values: Vec<(Move, i32)>,
}

/// Reads every line; `%` starts a comment, blank lines are skipped.
pub fn read(text: &str) -> Result<Vec<Entry>, NotationError> {
    text.lines()
        .enumerate()
        .map(|(number, line)| (number, line.split('%').next().unwrap_or_default().trim()))
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| {
            read_line(line).map_err(|source| NotationError::Line {
                line: number + 1,
                source: Box::new(source),
            })
        })
        .collect()
}

fn read_line(line: &str) -> Result<Entry, NotationError> {
    let mut fields = line.split(';').map(str::trim);
    let position: Position = fields.next().unwrap_or_default().parse()?;
    let mut values = Vec::new();
    for field in fields.filter(|field| !field.is_empty()) {
        let (mv, value) = field.split_once(':').unwrap_or((field, "0"));
        let mv = position
            .parse_move(mv.trim())
            .map_err(|source| NotationError::Move { number: 1, source })?;
        let value = value
            .trim()
            .parse()
            .map_err(|_| PositionError::new(format!("{value:?} is not the value of a move")))?;
        values.push((mv, value));
    }
    Ok(Entry { position, values })
}

/// One line of OBF.
#[must_use]
pub fn write(entry: &Entry) -> String {
    let mut line = format!("{};", entry.position);
    for (mv, value) in &entry.values {
        line += &format!(" {mv}:{value:+};");
    }
    line
}

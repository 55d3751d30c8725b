//! Transcripts: the moves one after another, `f5d6c3…`.

use crate::Position;
use crate::notation::{NotationError, Record};

/// Reads a transcript from the start position: squares in small or capital letters, with
/// or without blanks, move numbers (`12.`) and passes between them.
pub fn read(text: &str) -> Result<Record, NotationError> {
    read_from(Position::start(), text)
}

/// The same, from another position.
pub fn read_from(start: Position, text: &str) -> Result<Record, NotationError> {
    let mut record = Record::new(start);
    let mut position = record.start;
    for word in text.split(|c: char| c.is_whitespace() || c == ',') {
        // A move number sticks to its move or stands alone: `1.f5`, `1. f5`, `1) f5`.
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let mut rest = match word[digits..].strip_prefix(['.', ')', ':']) {
            Some(rest) if digits > 0 => rest,
            _ => word,
        };
        while !rest.is_empty() {
            let length = if rest
                .get(..4)
                .is_some_and(|w| w.eq_ignore_ascii_case("pass"))
            {
                4
            } else {
                rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at)
            };
            let (text, after) = rest.split_at(length);
            record.push(&mut position, text)?;
            rest = after;
        }
    }
    if record.moves.is_empty() {
        return Err(NotationError::Empty);
    }
    Ok(record)
}

/// Reads a transcript, or several, one on each line.
pub fn read_all(text: &str) -> Result<Vec<Record>, NotationError> {
    let whole = read(text);
    let lines = || {
        (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty())
    };
    // The second line says whether the others are games too.
    if whole.is_ok()
        || lines()
            .nth(1)
            .is_none_or(|(_, second)| read(second).is_err())
    {
        return Ok(vec![whole?]);
    }
    let each = lines().map(|(line, text)| {
        read(text).map_err(|source| NotationError::Line {
            line,
            source: Box::new(source),
        })
    });
    each.collect()
}

/// The moves without passes, the way transcripts usually come.
#[must_use]
pub fn write(record: &Record) -> String {
    record
        .moves
        .iter()
        .filter_map(|mv| mv.square())
        .map(|square| square.to_string())
        .collect()
}

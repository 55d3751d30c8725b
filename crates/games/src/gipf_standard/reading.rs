//! Games and positions of published GIPF in texts.

use gipf_standard::record::Record;
use gipf_standard::{Position, Rules, Style, boardspace};
use rules::Game;

use super::drawing;
use crate::drawn::Drawn;
use crate::transcript::read_with;
use crate::{GIPF_STANDARD, Transcript};

/// A position, a game that begins with its rules, a file of Boardspace, or a drawn board.
pub(super) fn looks_like(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    Rules::ALL.iter().any(|rules| rules.name() == first)
        || is_boardspace(text)
        || Drawn::read(text).is_some_and(|drawn| {
            let says = |note: &String| note.contains(" game. In reserve:");
            drawn.notes.iter().any(says)
        })
}

/// A tree of properties that names rules of GIPF.
fn is_boardspace(text: &str) -> bool {
    text.trim_start().starts_with('(') && text.to_ascii_lowercase().contains("su[gipf")
}

/// Game files of Boardspace, drawn boards, positions and whole games.
pub(super) fn read(text: &str) -> Result<Vec<Transcript>, String> {
    if is_boardspace(text) {
        let boardspace::File { record, players } =
            boardspace::read(text).map_err(|error| error.to_string())?;
        let names: Vec<String> = players.into_iter().flatten().collect();
        return Ok(vec![Transcript {
            title: names.join(" – "),
            ..transcript(&record)
        }]);
    }
    if let Some(drawn) = Drawn::read(text) {
        return drawing::read(&drawn).map(|position| vec![Transcript::alone(position)]);
    }
    read_with(GIPF_STANDARD, text, |start, moves| {
        let start = match start {
            Some(start) => *start
                .downcast_ref()
                .ok_or_else(|| start.game().to_string())?,
            // Only the tournament game begins with a GIPF-piece.
            None if begins_with_gipf(moves) => Position::start(Rules::Tournament),
            None => Position::start(Rules::Standard),
        };
        let record = Record::read(moves, start).map_err(|error| error.to_string())?;
        Ok(transcript(&record))
    })
}

fn begins_with_gipf(moves: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || c == '.' || c.is_whitespace();
    let mut first = moves.trim_start_matches(number).chars();
    // The letter of a column stands before a digit.
    matches!(first.next(), Some('G' | 'g')) && first.next().is_some_and(char::is_alphabetic)
}

/// A game with its moves in complete notation.
fn transcript(record: &Record) -> Transcript {
    let mut now = record.start;
    let mut moves = Vec::with_capacity(record.moves.len());
    for &mv in &record.moves {
        moves.push(now.notation(mv, Style::Complete));
        now.play_unchecked(mv);
    }
    Transcript {
        moves,
        ..Transcript::alone(record.start)
    }
}

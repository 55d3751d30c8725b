//! Games and positions of published GIPF in texts.

use gipf_standard::record::{Record, rules_of};
use gipf_standard::{Move, Position, Rules, Style, boardspace};
use rules::Game;

use super::drawing;
use crate::drawn::Drawn;
use crate::transcript::read_each;
use crate::{Form, GIPF_STANDARD, Transcript};

/// A position, a game that begins with its rules or with a GIPF-piece, a file of Boardspace, or a drawn board.
pub(super) fn looks_like(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    Rules::ALL.iter().any(|rules| rules.name() == first)
        || rules_of(text) == Some(Rules::Tournament)
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
    read_each(GIPF_STANDARD, text, read_one)
}

/// One position or game: moves may stand in the line of the position.
fn read_one(text: &str) -> Result<Transcript, String> {
    let record = match begins_with_position(text) {
        Some((start, moves)) => Record::read(moves, start),
        None if rules_of(text).is_some() => Record::read_by_first_move(text),
        None => {
            let first = text.lines().next().unwrap_or_default();
            let read = first.parse::<Position>().map(Transcript::alone);
            return read.map_err(|error| error.to_string());
        }
    };
    let record = record.map_err(|error| error.to_string())?;
    Ok(transcript(&record))
}

/// The position at the beginning of a text, and what follows it: a line end or a move.
fn begins_with_position(text: &str) -> Option<(Position, &str)> {
    const MOST_WORDS: usize = 6;
    let (line, _) = text.split_once('\n').unwrap_or((text, ""));
    let ends = line.char_indices().filter(|&(at, c)| {
        let next = line[at + c.len_utf8()..].chars().next();
        !c.is_whitespace() && next.is_none_or(char::is_whitespace)
    });
    let ends: Vec<usize> = ends
        .map(|(at, c)| at + c.len_utf8())
        .take(MOST_WORDS)
        .collect();
    ends.into_iter().rev().find_map(|end| {
        let (position, rest) = text.split_at(end);
        let position = position.parse().ok()?;
        let is_whole_line = end == line.trim_end().len();
        (is_whole_line || rules_of(rest).is_some()).then_some((position, rest))
    })
}

/// A game as it is noted down: its rules, or the position if it is another than their start, then
/// the moves.
pub(super) fn write(start: Position, moves: Vec<Move>, form: Form) -> String {
    let style = match form {
        Form::Complete => Style::Complete,
        Form::Short => Style::Short,
    };
    let heading = match start == Position::start(start.rules()) {
        true => start.rules().to_string(),
        false => start.to_string(),
    };
    let record = Record { start, moves };
    format!("{heading}\n{}", record.write(style))
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

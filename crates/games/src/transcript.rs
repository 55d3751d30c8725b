//! Games and positions read from texts, whatever their form.

use rules::MoveError;

use crate::{AnyPosition, GameName};

/// A start position and moves from it; a lone position has no moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transcript {
    /// The first position.
    pub start: AnyPosition,
    /// The moves, as the game writes them.
    pub moves: Vec<String>,
    /// Who played, where that is known.
    pub title: String,
}

/// Why a file was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// The game knows no files but texts.
    NotMine,
    /// What is wrong with the file.
    Malformed(String),
}

impl Transcript {
    /// A lone position.
    pub fn alone(position: impl Into<AnyPosition>) -> Transcript {
        Transcript {
            start: position.into(),
            moves: Vec::new(),
            title: String::new(),
        }
    }

    /// Reads games from a text of this game, or of any if none is named.
    pub fn read(game: Option<GameName>, text: &str) -> Result<Vec<Transcript>, String> {
        if text.trim().is_empty() {
            return Err("there is nothing to read".into());
        }
        let mut errors = Vec::new();
        for candidate in GameName::all().filter(|one| game.is_none_or(|game| game == *one)) {
            match candidate.read(text) {
                Ok(found) => return Ok(found),
                Err(error) if candidate.looks_like(text) => return Err(error),
                Err(error) => errors.push(format!("as {candidate}: {error}")),
            }
        }
        Err(errors.join("; "))
    }

    /// Reads games from a file: a form of its own that some game knows, or a text.
    pub fn read_file(bytes: &[u8]) -> Result<Vec<Transcript>, String> {
        let mut problem = None;
        for game in GameName::all() {
            match game.read_file(bytes) {
                Ok(found) => return Ok(found),
                Err(Unread::Malformed(error)) => problem = problem.or(Some(error)),
                Err(Unread::NotMine) => {}
            }
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Transcript::read(None, text),
            Err(error) => Err(problem.unwrap_or_else(|| error.to_string())),
        }
    }

    /// Every position, the first one first; the error has the number of the move.
    pub fn positions(&self) -> Result<Vec<AnyPosition>, String> {
        replay(&self.start, &self.moves)
            .map_err(|(number, error)| format!("move {number}: {error}"))
    }
}

/// Every position of a game; the error has the number of the move.
fn replay(start: &AnyPosition, moves: &[String]) -> Result<Vec<AnyPosition>, (usize, MoveError)> {
    let mut positions = vec![start.clone()];
    for (i, mv) in moves.iter().enumerate() {
        let mut next = positions[i].clone();
        next.play(mv).map_err(|error| (i + 1, error))?;
        positions.push(next);
    }
    Ok(positions)
}

/// Reads a position in one line and moves after it; or moves alone, from the usual start.
pub(crate) fn read_plain(game: GameName, text: &str) -> Result<Vec<Transcript>, String> {
    let text = text.trim();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (start, moves) = match AnyPosition::parse(game, first) {
        Ok(position) => (position, rest),
        // A line without a dash or a jump is no move, so it was meant as a position.
        Err(error) if !first.contains(['-', 'x']) || first.contains('/') => {
            return Err(error.to_string());
        }
        Err(_) => (game.start(), text),
    };
    let transcript = Transcript {
        start,
        moves: split_moves(moves),
        title: String::new(),
    };
    transcript.positions()?;
    Ok(vec![transcript])
}

/// Moves between blanks, commas and line ends; `w: b2 d4` goes with the move before it.
fn split_moves(text: &str) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',' || c == ';') {
        if word.is_empty() || word.trim_end_matches('.').parse::<u32>().is_ok() {
            continue;
        }
        match moves.last_mut() {
            Some(last) if !word.contains(['-', 'x']) && word != "pass" => {
                last.push(' ');
                last.push_str(word);
            }
            _ => moves.push(word.to_string()),
        }
    }
    moves
}

/// The first two bytes of a text, by which games tell their texts apart.
pub(crate) fn beginning(text: &str) -> Option<(u8, u8)> {
    let mut bytes = text.trim_start().bytes();
    Some((bytes.next()?, bytes.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_of_rows_stays_with_its_move() {
        assert_eq!(
            split_moves("1. a1-b2 w: b2 d4, i5-h5"),
            ["a1-b2 w: b2 d4", "i5-h5"]
        );
    }
}

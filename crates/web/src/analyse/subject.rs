//! What is analysed: a game in any form that the readers know.

use bots::{AnyPosition, GameName};
use reversi::notation;
use rules::Game;
use serde::{Deserialize, Serialize};

use crate::play::game::replay;
use crate::query::query;

/// A start position and moves from it; a lone position has no moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// The game's name.
    pub(crate) game: String,
    /// The text of the first position.
    pub(crate) start: String,
    pub(crate) moves: Vec<String>,
    /// Who played, where that is known.
    pub(crate) title: String,
}

impl Subject {
    /// Every position; fails only for what was not read by [`read`].
    pub(crate) fn positions(&self) -> Result<Vec<AnyPosition>, String> {
        replay(&self.game, &self.start, &self.moves)
    }

    /// The address under which this can be found without being kept.
    pub(crate) fn address(&self) -> String {
        let moves = self.moves.join(",");
        let pairs = [
            ("game", self.game.as_str()),
            ("start", &self.start),
            ("moves", &moves),
            ("title", &self.title),
        ];
        format!("/analyse/game{}", query(&pairs))
    }
}

/// Reads games from a text; `hint` is the name of the game, or empty to find out.
pub(crate) fn read(hint: &str, text: &str) -> Result<Vec<Subject>, String> {
    if text.trim().is_empty() {
        return Err("there is nothing to read".into());
    }
    let games: Vec<GameName> = match hint {
        "" | "auto" => GameName::ALL.to_vec(),
        name => vec![name.parse().map_err(|e: bots::UnknownGame| e.to_string())?],
    };
    let likely = likely(text);
    let mut errors = Vec::new();
    for &game in &games {
        let result = match game {
            GameName::Reversi => read_reversi(text),
            GameName::Gipf => {
                read_gipf(text).or_else(|e| read_plain(game, text).map_err(|f| e.unwrap_or(f)))
            }
            GameName::Mmpawns => {
                read_mmpawns(text).or_else(|e| read_plain(game, text).map_err(|f| e.unwrap_or(f)))
            }
        };
        match result {
            Ok(subjects) => return Ok(subjects),
            Err(error) if likely == Some(game) => return Err(error),
            Err(error) => errors.push(format!("as {game}: {error}")),
        }
    }
    Err(errors.join("; "))
}

/// What a text looks like at first sight, so that only one error need be told.
fn likely(text: &str) -> Option<GameName> {
    let text = text.trim_start();
    let mut letters = text.bytes();
    let (first, second) = (letters.next()?, letters.next()?);
    let squares = (b'1'..=b'8').contains(&second) && !text.contains(['-', 'x']);
    match first {
        b'(' => Some(GameName::Reversi),
        b'a'..=b'h' if squares => Some(GameName::Reversi),
        b'2'..=b'9' if second == b' ' => Some(GameName::Gipf),
        b'L' => Some(GameName::Gipf),
        b'A' | b'B' if second == b' ' => Some(GameName::Mmpawns),
        _ => None,
    }
}

/// Transcripts, GGF, OBF, boards.
fn read_reversi(text: &str) -> Result<Vec<Subject>, String> {
    let records = notation::read(text).map_err(|e| e.to_string())?;
    Ok(records.iter().map(of_record).collect())
}

/// A record of Reversi.
pub(crate) fn of_record(record: &notation::Record) -> Subject {
    let players: Vec<&str> = [&record.black, &record.white]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    let mut title = players.join(" – ");
    if let Some(event) = &record.event {
        title = if title.is_empty() {
            event.clone()
        } else {
            format!("{title} ({event})")
        };
    }
    Subject {
        game: reversi::Position::NAME.into(),
        start: record.start.to_string(),
        moves: record.moves.iter().map(ToString::to_string).collect(),
        title,
    }
}

/// A lone position.
fn alone(game: GameName, position: &impl ToString) -> Vec<Subject> {
    vec![Subject {
        game: game.to_string(),
        start: position.to_string(),
        moves: Vec::new(),
        title: String::new(),
    }]
}

/// A board over several lines, as the GIPF program prints it. `None` if it is not like one.
fn read_gipf(text: &str) -> Result<Vec<Subject>, Option<String>> {
    let mut lines = text
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty());
    let mut first = lines.next().ok_or(None)?;
    if first == "LOAD_GAME_BOARD" {
        first = lines.next().ok_or(None)?;
    }
    let second = lines.next().ok_or(None)?;
    let rows: Vec<&str> = lines.collect();
    if rows.is_empty() || !rows.iter().all(|row| gipf::text::is_row(row)) {
        return Err(None);
    }
    gipf::text::load(first, second, &rows)
        .map(|position| alone(GameName::Gipf, &position))
        .map_err(|e| Some(e.to_string()))
}

/// A file `matrix.txt`. `None` if it is not like one.
fn read_mmpawns(text: &str) -> Result<Vec<Subject>, Option<String>> {
    if text.lines().count() < 11 {
        return Err(None);
    }
    mmpawns::matrix::Matrix::read(text.as_bytes())
        .map(|matrix| alone(GameName::Mmpawns, &matrix.position))
        .map_err(|e| Some(e.to_string()))
}

/// A position in one line, and moves after it; or moves alone, from the usual start.
fn read_plain(game: GameName, text: &str) -> Result<Vec<Subject>, String> {
    let text = text.trim();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (start, moves) = match AnyPosition::parse(game, first) {
        Ok(position) => (position, rest),
        // A line without a dash or a jump is no move, so it was meant as a position.
        Err(error) if !first.contains(['-', 'x']) || first.contains('/') => {
            return Err(error.to_string());
        }
        Err(_) => (AnyPosition::start(game), text),
    };
    let moves = split_moves(moves);
    replay(game.name(), &start.to_string(), &moves)?;
    Ok(vec![Subject {
        game: game.to_string(),
        start: start.to_string(),
        moves,
        title: String::new(),
    }])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(hint: &str, text: &str, game: &str, moves: usize) {
        let subjects = read(hint, text).unwrap();
        assert_eq!(subjects[0].game, game);
        assert_eq!(subjects[0].moves.len(), moves);
        assert_eq!(subjects[0].positions().unwrap().len(), moves + 1);
    }

    #[test]
    fn games_are_told_apart() {
        check("", "f5d6c3d3c4", "reversi", 5);
        check("", "4 4 15 15", "gipf", 0);
        check("auto", "4 4 15 15\na1-b2 i5-h5", "gipf", 2);
        check(
            "",
            "LOAD_GAME_BOARD\n2 3 5 5\n2 2 W\n W B\nB _ W\n W B\n",
            "gipf",
            0,
        );
        let field = "A 1 -B-B----/--------/--------/--------/--------/--------/A-A-----/--------";
        check("", field, "mmpawns", 0);
        check("", &format!("{field}\n1. a7-a6, b1-b2"), "mmpawns", 2);
    }

    #[test]
    fn only_the_likely_error_is_told() {
        let error = read("", "f5d6a1").unwrap_err();
        assert!(error.contains("a1") && !error.contains("gipf"), "{error}");
        let error = read("", "9 4 15 15").unwrap_err();
        assert!(!error.contains("reversi"), "{error}");
        assert!(read("", "what?").unwrap_err().contains("as reversi"));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let error = read("reversi", "f5d6a1").unwrap_err();
        assert!(error.contains("a1"), "{error}");
        assert!(read("", "").is_err());
        assert!(read("chess", "e4").unwrap_err().contains("chess"));
    }

    #[test]
    fn a_choice_of_rows_stays_with_its_move() {
        assert_eq!(
            split_moves("1. a1-b2 w: b2 d4, i5-h5"),
            ["a1-b2 w: b2 d4", "i5-h5"]
        );
    }
}

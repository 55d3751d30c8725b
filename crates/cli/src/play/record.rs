//! A game so far, and its file.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use games::{AnyPosition, GameName, HEADING};
use rules::MoveError;

use crate::error::bad_input;
use crate::input::read_text;

/// All positions of a game and the moves between them.
pub(crate) struct Record {
    /// One more than there are moves.
    positions: Vec<AnyPosition>,
    moves: Vec<String>,
}

impl Record {
    pub(crate) fn new(start: AnyPosition) -> Record {
        Record {
            positions: vec![start],
            moves: Vec::new(),
        }
    }

    pub(crate) fn position(&self) -> &AnyPosition {
        self.positions.last().expect("the start at least")
    }

    pub(crate) fn game(&self) -> GameName {
        self.position().game()
    }

    /// Plies made.
    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The last move and the position before it.
    pub(crate) fn last(&self) -> Option<(&AnyPosition, &str)> {
        let mv = self.moves.last()?;
        Some((&self.positions[self.moves.len() - 1], mv))
    }

    /// Plays a move; returns its usual text.
    pub(crate) fn play(&mut self, mv: &str) -> Result<&str, MoveError> {
        let mut next = self.position().clone();
        self.moves.push(next.play(mv)?);
        self.positions.push(next);
        Ok(&self.moves[self.moves.len() - 1])
    }

    /// Takes the last move back; false if there is none.
    pub(crate) fn undo(&mut self) -> bool {
        let some = self.moves.pop().is_some();
        if some {
            self.positions.pop();
        }
        some
    }

    /// Begins again from the same start.
    pub(crate) fn restart(&mut self) {
        self.moves.clear();
        self.positions.truncate(1);
    }

    /// `ludex GAME`, the start position, then one move per line.
    fn text(&self) -> String {
        let mut text = format!("{HEADING} {}\n{}\n", self.game(), self.positions[0]);
        for mv in &self.moves {
            let _ = writeln!(text, "{mv}");
        }
        text
    }

    /// Reads what `text` writes; the error says in which line and what.
    fn read(text: &str, game: GameName) -> Result<Record, (usize, String)> {
        let mut lines = (1..).zip(text.lines());
        let (_, head) = lines.next().unwrap_or((1, ""));
        let named = head.strip_prefix(HEADING).map(str::trim);
        let named: GameName = named
            .ok_or_else(|| (1, format!("{head:?} is not \"{HEADING} GAME\"")))?
            .parse()
            .map_err(|error: games::UnknownGame| (1, error.to_string()))?;
        if named != game {
            return Err((1, format!("a game of {named}, not {game}")));
        }
        let (number, start) = lines.next().unwrap_or((2, ""));
        let start = AnyPosition::parse(game, start).map_err(|error| (number, error.to_string()))?;
        let mut record = Record::new(start);
        for (number, line) in lines {
            if !line.trim().is_empty() {
                record
                    .play(line.trim())
                    .map_err(|error| (number, error.to_string()))?;
            }
        }
        Ok(record)
    }

    pub(crate) fn save(&self, path: &Path) -> anyhow::Result<()> {
        files::write_whole(path, self.text().as_bytes()).with_context(|| path.display().to_string())
    }

    pub(crate) fn load(path: &Path, game: GameName) -> anyhow::Result<Record> {
        let text = read_text(path)?;
        Record::read(&text, game)
            .map_err(|(line, error)| bad_input(format!("{}:{line}: {error}", path.display())))
    }
}

#[cfg(test)]
mod tests {
    use games::Transcript;

    use super::*;

    fn played() -> Record {
        let mut record = Record::new(AnyPosition::start(games::REVERSI));
        for mv in ["d3", "C3", "c4"] {
            record.play(mv).unwrap();
        }
        record
    }

    #[test]
    fn a_game_survives_its_text() {
        let record = played();
        let again = Record::read(&record.text(), games::REVERSI).unwrap();
        assert_eq!(again.text(), record.text());
        assert_eq!(again.position(), record.position());
        assert!(record.text().ends_with("X\nd3\nc3\nc4\n"));
    }

    /// Every reader of games reads what was saved, in every game.
    #[test]
    fn what_is_saved_is_read_by_all() {
        for game in GameName::all() {
            for plies in [0, 1, 12] {
                let mut record = Record::new(AnyPosition::random_start(game, 5));
                for _ in 0..plies {
                    let moves = record.position().moves();
                    if let Some(mv) = moves.get(moves.len() / 2) {
                        record.play(mv).unwrap();
                    }
                }
                for named in [None, Some(game)] {
                    let read = Transcript::read(named, &record.text()).unwrap();
                    assert_eq!(read[0].start, record.positions[0], "{game}");
                    assert_eq!(read[0].moves, record.moves, "{game}");
                }
            }
        }
    }

    #[test]
    fn moves_are_taken_back() {
        let mut record = played();
        assert_eq!(record.last().unwrap().1, "c4");
        assert!(record.undo() && record.undo());
        assert_eq!(record.len(), 1);
        assert!(record.play("a1").is_err());
        assert_eq!(record.len(), 1);
        assert!(record.undo() && !record.undo());
        assert_eq!(
            record.text(),
            Record::new(AnyPosition::start(games::REVERSI)).text()
        );
    }

    #[track_caller]
    fn check_bad(text: &str, line: usize, expected: &str) {
        let error = Record::read(text, games::REVERSI).map(|_| ()).unwrap_err();
        assert_eq!(error, (line, expected.to_string()));
    }

    #[test]
    fn bad_files_say_where() {
        check_bad("", 1, "\"\" is not \"ludex GAME\"");
        check_bad("ludex gipf\n", 1, "a game of gipf, not reversi");
        check_bad("ludex reversi\nXX\n", 2, "2 squares, not 64");
        check_bad(
            "ludex reversi\nstart\nd3\n\nd3\n",
            5,
            "illegal move d3 (the square is taken)",
        );
    }
}

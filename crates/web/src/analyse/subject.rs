//! What is analysed: a game in any form that the readers know.

use games::{AnyPosition, GameName, Transcript};
use serde::{Deserialize, Serialize};

use crate::play::game::replay;
use crate::query::{joined, query};

/// A start position and moves from it; a lone position has no moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Subject {
    /// The game.
    pub(crate) game: GameName,
    /// The text of the first position.
    pub(crate) start: String,
    pub(crate) moves: Vec<String>,
    /// Who played, where that is known.
    pub(crate) title: String,
}

impl Subject {
    /// Every position; fails only for what was not read by [`read`].
    pub(crate) fn positions(&self) -> Result<Vec<AnyPosition>, String> {
        replay(self.game, &self.start, &self.moves)
    }

    /// The address under which this can be found without being kept.
    pub(crate) fn address(&self) -> String {
        let moves = joined(&self.moves);
        let pairs = [
            ("game", self.game.name()),
            ("start", &self.start),
            ("moves", &moves),
            ("title", &self.title),
        ];
        format!("/analyse/game{}", query(&pairs))
    }
}

impl From<Transcript> for Subject {
    fn from(transcript: Transcript) -> Subject {
        Subject {
            game: transcript.start.game(),
            start: transcript.start.to_string(),
            moves: transcript.moves,
            title: transcript.title,
        }
    }
}

/// Reads games from a text; `hint` is the name of the game, or empty to find out.
pub(crate) fn read(hint: &str, text: &str) -> Result<Vec<Subject>, String> {
    let game = match hint {
        "" | "auto" => None,
        name => Some(name.parse::<GameName>().map_err(|e| e.to_string())?),
    };
    subjects(Transcript::read(game, text)?)
}

/// Reads games from files that belong together.
pub(crate) fn read_files(files: &[Vec<u8>]) -> Result<Vec<Subject>, String> {
    check_count(Transcript::games_in(files))?;
    subjects(Transcript::read_files(files)?)
}

/// Collections with more games are for the library, which searches them without reading them all.
pub(crate) const MOST_GAMES: usize = 20_000;

fn check_count(count: usize) -> Result<(), String> {
    match count > MOST_GAMES {
        true => Err(format!(
            "these are {count} games, of which {MOST_GAMES} can be listed: put them into the library (ludex library import)"
        )),
        false => Ok(()),
    }
}

fn subjects(found: Vec<Transcript>) -> Result<Vec<Subject>, String> {
    check_count(found.len())?;
    Ok(found.into_iter().map(Subject::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(hint: &str, text: &str, game: &str, moves: usize) {
        let subjects = read(hint, text).unwrap();
        assert_eq!(subjects[0].game.name(), game);
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
        let error = read("", "what?").unwrap_err();
        assert!(error.contains("\"what?\" is no game"), "{error}");
        assert!(!error.contains("reversi"), "{error}");
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let error = read("reversi", "f5d6a1").unwrap_err();
        assert!(error.contains("a1"), "{error}");
        assert!(read("", "").is_err());
        assert!(read("chess", "e4").unwrap_err().contains("chess"));
    }

    #[test]
    fn large_collections_are_for_the_library() {
        let games = |count: usize| read("reversi", &"f5\n".repeat(count));
        assert_eq!(games(MOST_GAMES).unwrap().len(), MOST_GAMES);
        let error = games(MOST_GAMES + 1).unwrap_err();
        assert!(error.starts_with("these are 20001 games"), "{error}");
        assert!(error.contains("library"), "{error}");
        // A file that says how many it holds is not read for that: none of these can be.
        let count = MOST_GAMES as u32 + 1;
        let mut file = vec![0; 16 + count as usize * 68];
        file[4..8].copy_from_slice(&count.to_le_bytes());
        file[16 + 8..].fill(99);
        let error = read_files(&[file]).unwrap_err();
        assert!(error.starts_with("these are 20001 games"), "{error}");
    }
}

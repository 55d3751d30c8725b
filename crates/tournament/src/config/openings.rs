//! Where games start.

use std::path::Path;

use games::{AnyPosition, GameName};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::{ConfigError, Part, mix, wrong};

/// Where games start. Every number has its position, the same for all players.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Openings {
    /// Where the position comes from.
    pub source: OpeningSource,
    /// How many random plies are played on from there.
    #[serde(default)]
    pub plies: u32,
}

/// Where a start position comes from before any random plies.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSource {
    /// The usual start of the game.
    Start,
    /// The game's own generator: random openings of Othello, random fields of MMPawns,
    /// random openings of GIPF.
    #[default]
    Random,
    /// One after the other from this list, then from its beginning again. Each is a position, or
    /// moves that lead to one, in any form in one line that the game knows.
    List(Vec<String>),
}

/// Longer random openings leave too little of a game.
const MOST_PLIES: u32 = 40;

const EMPTY_LIST: &str = "the list of positions is empty";

/// Positions cannot come from two places.
pub(super) const ONE_SOURCE: &str = "only one of from, positions and file can be given";

impl Openings {
    /// Always the usual start.
    #[must_use]
    pub fn start() -> Openings {
        Openings {
            source: OpeningSource::Start,
            plies: 0,
        }
    }

    /// As people write them: `random` or `start`, or a list of positions, and how many random
    /// plies on.
    pub fn read(
        from: Option<&str>,
        positions: Option<Vec<String>>,
        plies: u32,
    ) -> Result<Openings, ConfigError> {
        let source = match (from, positions) {
            (None | Some("random"), None) => OpeningSource::Random,
            (Some("start"), None) => OpeningSource::Start,
            (None, Some(list)) => OpeningSource::List(list),
            (Some(from), None) => {
                let message = format!("from = {from:?} is not \"start\" or \"random\"");
                return Err(wrong(Part::Openings, message));
            }
            (Some(_), Some(_)) => return Err(wrong(Part::Openings, ONE_SOURCE)),
        };
        Ok(Openings { source, plies })
    }

    /// The positions of a text, one on each line; `#` begins a comment.
    #[must_use]
    pub fn lines(text: &str) -> Vec<String> {
        numbered(text).map(|(_, line)| line.into()).collect()
    }

    /// The positions of a file, one on each line; `#` begins a comment. An error names the file
    /// and, where one is bad, the line.
    pub fn read_file(game: GameName, path: &Path) -> Result<Vec<String>, String> {
        let text = files::read(path, files::MOST);
        let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
        let text = String::from_utf8_lossy(&text);
        for (number, line) in numbered(&text) {
            opening(game, line).map_err(|error| format!("{}:{number}: {error}", path.display()))?;
        }
        let list = Openings::lines(&text);
        match list.is_empty() {
            true => Err(format!("{}: {EMPTY_LIST}", path.display())),
            false => Ok(list),
        }
    }

    pub(super) fn check(&self, game: GameName) -> Result<(), ConfigError> {
        if self.plies > MOST_PLIES {
            return Err(wrong(
                Part::Plies,
                format!("plies = {} is more than {MOST_PLIES}", self.plies),
            ));
        }
        let OpeningSource::List(list) = &self.source else {
            return Ok(());
        };
        if list.is_empty() {
            return Err(wrong(Part::Openings, EMPTY_LIST));
        }
        for (number, text) in (1..).zip(list) {
            opening(game, text)
                .map_err(|error| wrong(Part::Openings, format!("position {number}: {error}")))?;
        }
        Ok(())
    }

    /// Start position `number` for a tournament with this seed.
    ///
    /// # Panics
    /// If the openings have not been checked for this game.
    #[must_use]
    pub fn position(&self, game: GameName, seed: u64, number: u32) -> AnyPosition {
        let seed = mix(mix(seed, 0x6f70_656e), u64::from(number));
        let base = match &self.source {
            OpeningSource::Start => AnyPosition::start(game),
            OpeningSource::Random => AnyPosition::random_start(game, seed),
            OpeningSource::List(list) => {
                let text = &list[number as usize % list.len()];
                opening(game, text).expect("checked positions can be read")
            }
        };
        random_moves(&base, self.plies, seed).unwrap_or(base)
    }
}

/// The lines of a text that are not empty and no comments, with their numbers.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The position that a line gives, or to which the moves in it lead.
fn opening(game: GameName, line: &str) -> Result<AnyPosition, String> {
    let position = match AnyPosition::parse(game, line) {
        Ok(position) => position,
        Err(_) => AnyPosition::after_moves(game, line)?,
    };
    match position.outcome() {
        Some(_) => Err("the game is over".into()),
        None => Ok(position),
    }
}

/// Plays random plies; `None` if the game always seems to be over before.
fn random_moves(base: &AnyPosition, plies: u32, seed: u64) -> Option<AnyPosition> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..1000).find_map(|_| {
        let mut position = base.clone();
        for _ in 0..plies {
            let moves = position.moves();
            if moves.is_empty() {
                return None;
            }
            let mv = &moves[rng.random_range(0..moves.len())];
            position.play(mv).ok()?;
        }
        position.outcome().is_none().then_some(position)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_game_has_its_start_positions() {
        for game in GameName::all() {
            let openings = Openings::default();
            let mut seen = BTreeSet::new();
            for number in 0..50 {
                let position = openings.position(game, 7, number);
                assert_eq!(position, openings.position(game, 7, number));
                assert_eq!(position.outcome(), None, "{position}");
                seen.insert(position.to_string());
            }
            assert!(seen.len() > 25, "{game}: only {} differ", seen.len());
            let start = Openings::start().position(game, 7, 3);
            assert_eq!(start, AnyPosition::start(game));
        }
    }

    #[test]
    fn lists_go_round_and_can_be_played_on() {
        let start = AnyPosition::start(games::REVERSI);
        let mut second = start.clone();
        second.play("d3").unwrap();
        let list = vec![start.to_string(), second.to_string()];
        let mut openings = Openings {
            source: OpeningSource::List(list),
            plies: 0,
        };
        assert_eq!(openings.check(games::REVERSI), Ok(()));
        assert_eq!(openings.position(games::REVERSI, 1, 0), start);
        assert_eq!(openings.position(games::REVERSI, 1, 3), second);
        openings.plies = 4;
        let on = openings.position(games::REVERSI, 1, 0).to_string();
        assert_eq!(on.matches(['X', 'O']).count(), 8 + 1, "{on}");
    }

    #[test]
    fn bad_lists_are_refused() {
        let refused = |list: Vec<String>| {
            let openings = Openings {
                source: OpeningSource::List(list),
                plies: 0,
            };
            openings.check(games::REVERSI).unwrap_err().message
        };
        assert_eq!(refused(vec![]), EMPTY_LIST);
        let message = refused(vec!["start".into(), "XXO".into()]);
        assert!(message.starts_with("position 2: "), "{message}");
        let over = refused(vec![format!("{} X", "X".repeat(64))]);
        assert_eq!(over, "position 1: the game is over");
    }

    #[track_caller]
    fn leads_to(game: GameName, line: &str, moves: &[&str]) {
        let mut expected = AnyPosition::start(game);
        for mv in moves {
            expected.play(mv).unwrap();
        }
        assert_eq!(opening(game, line), Ok(expected), "{line}");
    }

    #[test]
    fn a_line_is_a_position_or_moves() {
        let board = "-".repeat(19) + "X" + &"-".repeat(7) + "XX------XO" + &"-".repeat(27) + " O";
        leads_to(games::REVERSI, &board, &["d3"]);
        leads_to(games::REVERSI, "start", &[]);
        leads_to(games::REVERSI, "d3c5", &["d3", "c5"]);
        leads_to(games::REVERSI, "F5 d6 C3", &["f5", "d6", "c3"]);
        let ggf = format!(
            "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 {} *]B[d3//1]W[c3];)",
            "-".repeat(27) + "O*------*O" + &"-".repeat(27)
        );
        leads_to(games::REVERSI, &ggf, &["d3", "c3"]);
        leads_to(games::GIPF, "a1-b2 i5-h5", &["a1-b2", "i5-h5"]);
        leads_to(games::GIPF_STANDARD, "1. e1-e2 e9-e8", &["e1-e2", "e9-e8"]);
        leads_to(games::GIPF_STANDARD, "standard", &[]);
        leads_to(games::MMPAWNS, "a8-a7 a1-a2", &["a8-a7", "a1-a2"]);
        for game in GameName::all() {
            let position = AnyPosition::random_start(game, 5);
            assert_eq!(opening(game, &position.to_string()), Ok(position));
        }
    }

    #[track_caller]
    fn refused_file(content: &[u8], expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.txt");
        std::fs::write(&path, content).unwrap();
        let error = Openings::read_file(games::REVERSI, &path).unwrap_err();
        let error = error.replace(&folder.path().display().to_string(), "");
        assert!(error.starts_with(expected), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }

    #[test]
    fn bad_files_are_refused_with_the_line() {
        refused_file(b"", "/openings.txt: the list of positions is empty");
        refused_file(
            b"# none\n\n",
            "/openings.txt: the list of positions is empty",
        );
        refused_file(b"f5\n\n# two\nf5a1\n", "/openings.txt:4: move 2: ");
        refused_file(b"f5\nnonsense\n", "/openings.txt:2: ");
        refused_file(b"\xff\xfe\n", "/openings.txt:1: ");
        refused_file(b"(;GM[Othello];)(;GM[Othello];)", "/openings.txt:1: ");
        let over = format!("\n{} X\n", "X".repeat(64));
        refused_file(over.as_bytes(), "/openings.txt:2: the game is over");
        let missing = Openings::read_file(games::REVERSI, Path::new("no/such")).unwrap_err();
        assert_eq!(missing, "no/such: No such file or directory (os error 2)");
    }

    #[test]
    fn files_are_read_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.txt");
        std::fs::write(&path, "# two\r\nf5d6\r\n\r\n  start  \r\n").unwrap();
        let read = Openings::read_file(games::REVERSI, &path);
        assert_eq!(read, Ok(vec!["f5d6".into(), "start".into()]));
    }
}

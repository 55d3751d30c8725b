//! Games of a library: who played what, where and when, with keys by which positions are found.

use rules::Game;

use crate::{AnyPosition, Definition, GameName, Transcript};

/// A game for a library.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recorded {
    /// The text of the first position; empty for the usual start.
    pub start: String,
    /// The moves, between blanks.
    pub moves: String,
    /// Who played, the first side first; empty where that is not known.
    pub players: [String; 2],
    /// Where it was played; empty where that is not known.
    pub event: String,
    /// When; 0 where that is not known.
    pub year: u16,
    /// The day and the hour, where more than the year is known: `2031-05-09 14:03`; otherwise empty.
    pub date: String,
    /// 1, 0 or -1 as the first side won, drew or lost; `None` for a game without an end.
    pub result: Option<i8>,
    /// The result in figures: `40–24`; empty where there are none.
    pub score: String,
    /// The [key](Definition::symmetric_key) of every position, the first one first.
    pub keys: Vec<u64>,
    /// For every position, how many plies more than [at least](Definition::plies_to) it took.
    pub delays: Vec<u8>,
}

impl Recorded {
    /// A game as it was read from a text, or played; plays it through once.
    pub fn of(transcript: &Transcript) -> Result<Recorded, String> {
        let positions = transcript.positions()?;
        let game = transcript.start.game();
        let usual = transcript.start == game.start();
        let last = positions.last();
        let outcome = last.and_then(|position| position.outcome());
        Ok(Recorded {
            start: if usual {
                String::new()
            } else {
                transcript.start.to_string()
            },
            moves: transcript.moves.join(" "),
            event: transcript.title.clone(),
            result: outcome.map(|outcome| outcome.sign_for(rules::Side::First) as i8),
            keys: positions.iter().map(|p| p.symmetric_key()).collect(),
            delays: (0..)
                .zip(&positions)
                .map(|(ply, p)| delay(ply, *p.plies_to().start()))
                .collect(),
            ..Recorded::default()
        })
    }

    /// Says where the game was played, if that is not known.
    pub fn name_event(&mut self, event: &str) {
        if self.event.is_empty() {
            self.event = event.into();
        }
    }

    /// The game as it can be shown and analysed.
    pub fn transcript(&self, game: GameName) -> Result<Transcript, String> {
        let start = match self.start.as_str() {
            "" => game.start(),
            text => AnyPosition::parse(game, text).map_err(|e| e.to_string())?,
        };
        Ok(Transcript {
            start,
            moves: split(&self.moves),
            title: self.title(),
        })
    }

    /// The same as one of many, told apart by its score too.
    pub(crate) fn listed(&self, game: GameName) -> Result<Transcript, String> {
        let mut transcript = self.transcript(game)?;
        if !self.score.is_empty() {
            transcript.title = format!("{}, {}", transcript.title, self.score);
        }
        Ok(transcript)
    }

    /// `Anna – Ben, Cup 2009`
    #[must_use]
    pub fn title(&self) -> String {
        let [first, second] = &self.players;
        let mut title = match (first.as_str(), second.as_str()) {
            ("", "") => String::new(),
            (first, second) => format!("{first} – {second}"),
        };
        for part in [self.event.as_str(), &self.when()] {
            if !part.is_empty() {
                title += if title.is_empty() { "" } else { ", " };
                title += part;
            }
        }
        title
    }

    /// When it was played, as far as that is known: `2009`, `2031-05-09 14:03`, or nothing.
    #[must_use]
    pub fn when(&self) -> String {
        match (self.date.as_str(), self.year) {
            ("", 0) => String::new(),
            ("", year) => year.to_string(),
            (date, _) => date.into(),
        }
    }
}

/// How many plies more than at least a position took.
pub(crate) fn delay(ply: usize, least: usize) -> u8 {
    ply.saturating_sub(least).try_into().unwrap_or(u8::MAX)
}

/// Moves between blanks; a choice that belongs to the move before it begins with a word and a colon,
/// and goes on up to the next dash.
fn split(moves: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for word in moves.split_whitespace() {
        // `w: b2 d4` goes with its push.
        let chosen = list.last().is_some_and(|last| last.contains(':'));
        let goes_on = word.ends_with(':') || (chosen && !word.contains('-'));
        match list.last_mut() {
            Some(last) if goes_on && word != "pass" => {
                last.push(' ');
                last.push_str(word);
            }
            _ => list.push(word.to_string()),
        }
    }
    list
}

/// The key of a position that all its symmetric images share.
pub(crate) fn default_key<D: Definition>(position: &D::Position) -> u64 {
    rules::Hashed::hash(&D::canonical(position))
}

/// Reads texts as games for a library.
pub(crate) fn read_texts<D: Definition>(files: &[Vec<u8>]) -> Result<Vec<Recorded>, String> {
    let mut games = Vec::new();
    for bytes in files {
        let text = std::str::from_utf8(bytes).map_err(|_| "the file is no text".to_string())?;
        let found = Transcript::read(Some(GameName::of::<D>()), text)?;
        for transcript in &found {
            games.push(Recorded::of(transcript)?);
        }
    }
    debug_assert!(!D::Position::NAME.is_empty());
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GIPF, REVERSI};

    #[test]
    fn texts_become_games_of_a_library() {
        let games = REVERSI.read_library(&[b"f5d6c3d3c4".to_vec()]).unwrap();
        assert_eq!(games[0].moves, "f5 d6 c3 d3 c4");
        assert_eq!((games[0].keys.len(), games[0].result), (6, None));
        let transcript = games[0].transcript(REVERSI).unwrap();
        assert_eq!(transcript.moves.len(), 5);
        let games = GIPF.read_library(&[b"3 3 6 6\na1-b2\n".to_vec()]).unwrap();
        assert!(games[0].start.starts_with("3 3 6 6"));
        assert_eq!(games[0].transcript(GIPF).unwrap().moves, ["a1-b2"]);
    }

    #[track_caller]
    fn check_players(recorded: &Recorded, title: &str, players: Option<[&str; 2]>) {
        let transcript = recorded.listed(REVERSI).unwrap();
        assert_eq!((&*transcript.title, transcript.players()), (title, players));
    }

    #[test]
    fn titles_begin_with_the_players() {
        let mut game = Recorded {
            event: "Cup".into(),
            year: 2009,
            score: "40–24".into(),
            ..Recorded::default()
        };
        check_players(&game, "Cup, 2009, 40–24", None);
        game.players = ["Anna", "Ben"].map(String::from);
        let players = Some(["Anna", "Ben"]);
        check_players(&game, "Anna – Ben, Cup, 2009, 40–24", players);
        game = Recorded {
            players: game.players,
            ..Recorded::default()
        };
        check_players(&game, "Anna – Ben", players);
        let file = "(;GM[Othello]PB[Anna]PW[Ben]PC[Cup]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)";
        let read = Transcript::read(Some(REVERSI), file).unwrap();
        assert_eq!(read[0].players(), players, "{}", read[0].title);
    }

    #[test]
    fn symmetric_games_have_the_same_keys() {
        let keys = |text: &str| REVERSI.read_library(&[text.into()]).unwrap().remove(0).keys;
        let first = keys("f5d6c3d3c4");
        for other in ["d3c5f6f5e6", "e6f4c3c4d3", "c4e3f6e6f5"] {
            assert_eq!(keys(other), first, "{other}");
        }
        assert_ne!(keys("f5f6e6f4e3"), first);
    }

    #[test]
    fn choices_of_rows_stay_with_their_push() {
        assert_eq!(split("a1-b2 w: b2 d4 i5-h5"), ["a1-b2 w: b2 d4", "i5-h5"]);
        assert_eq!(split("f5 d6 pass c3"), ["f5", "d6", "pass", "c3"]);
        assert_eq!(split("b3-a4 a5xa3 b8-b7"), ["b3-a4", "a5xa3", "b8-b7"]);
    }
}

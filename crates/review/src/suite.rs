//! Positions with the moves that keep their value: mistakes as regression tests.
//!
//! A text with one position on each line: the position, what is to be kept (a margin only where
//! that was given away), the moves that keep that, the moves that nothing is proven of, and where
//! it comes from, separated by tabs; moves are separated by `; `, with the blank: a move may have
//! semicolons of its own. The first line names the game, and lines that begin with `#` are comments.

use std::fmt;
use std::str::FromStr;

use games::{AnyPosition, GameName, Proof};
use thiserror::Error;

use crate::mistake::Mistake;

/// One position of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The position.
    pub position: AnyPosition,
    /// What is to be kept: a result, or a margin.
    pub worth: Proof,
    /// The moves that keep that.
    pub keeps: Vec<String>,
    /// The moves that nothing is proven of.
    pub open: Vec<String>,
    /// Where the position comes from.
    pub source: String,
}

/// Positions of one game with the moves that keep their value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suite {
    /// The game.
    pub game: GameName,
    /// The positions.
    pub cases: Vec<Case>,
}

/// Why a text is no suite.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{line}: {what}")]
pub struct SuiteError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// Stands between moves, some of which have parts that a semicolon alone separates.
const BETWEEN: &str = "; ";

/// Begins the line that names the game.
const GAME: &str = "game ";

impl Suite {
    /// The positions of mistakes that some move would have avoided, each position once; with
    /// every mistake comes the name of the game it was made in.
    pub fn new<'a>(
        game: GameName,
        mistakes: impl IntoIterator<Item = (&'a str, &'a Mistake)>,
    ) -> Suite {
        let mut cases: Vec<Case> = Vec::new();
        for (source, mistake) in mistakes {
            let Ok(position) = AnyPosition::parse(game, &mistake.position) else {
                continue;
            };
            if mistake.kept.is_empty() || cases.iter().any(|case| case.position == position) {
                continue;
            }
            cases.push(Case {
                position,
                worth: mistake.at_stake(),
                keeps: mistake.kept.iter().map(|worth| worth.mv.clone()).collect(),
                open: mistake.open.clone(),
                source: format!("{source} turn {}, played {}", mistake.turn, mistake.played),
            });
        }
        Suite { game, cases }
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{GAME}{}", self.game)?;
        writeln!(
            f,
            "# position, worth, moves that keep it, moves not proven, source"
        )?;
        for case in &self.cases {
            let [keeps, open] = [&case.keeps, &case.open].map(|moves| moves.join(BETWEEN));
            let source = case.source.replace(['\t', '\n', '\r'], " ");
            writeln!(
                f,
                "{}\t{}\t{keeps}\t{open}\t{source}",
                case.position, case.worth
            )?;
        }
        Ok(())
    }
}

impl FromStr for Suite {
    type Err = SuiteError;

    fn from_str(text: &str) -> Result<Suite, SuiteError> {
        let wrong = |line: usize, what: String| SuiteError { line, what };
        let mut lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let (number, first) = lines
            .next()
            .ok_or_else(|| wrong(1, "a line `game NAME` is wanted".into()))?;
        let game = first
            .strip_prefix(GAME)
            .ok_or_else(|| wrong(number, "a line `game NAME` is wanted first".into()))?
            .trim()
            .parse::<GameName>()
            .map_err(|error| wrong(number, error.to_string()))?;
        let cases =
            lines.map(|(number, line)| case(game, line).map_err(|what| wrong(number, what)));
        Ok(Suite {
            game,
            cases: cases.collect::<Result<_, _>>()?,
        })
    }
}

/// Reads one line.
fn case(game: GameName, line: &str) -> Result<Case, String> {
    let mut parts = line.split('\t');
    let mut part = || parts.next().unwrap_or_default().trim();
    let position = AnyPosition::parse(game, part()).map_err(|error| error.to_string())?;
    let worth = part().parse()?;
    let legal = |text: &str| -> Result<Vec<String>, String> {
        let text = text.trim_end_matches(';');
        let moves = text.split(BETWEEN).map(str::trim);
        let moves = moves.filter(|mv| !mv.is_empty());
        moves
            .map(|mv| position.clone().play(mv).map_err(|error| error.to_string()))
            .collect()
    };
    let (keeps, open) = (legal(part())?, legal(part())?);
    if keeps.is_empty() {
        return Err("no move that keeps the value".into());
    }
    let source = part().to_string();
    Ok(Case {
        position,
        worth,
        keeps,
        open,
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, error: &str) {
        assert_eq!(text.parse::<Suite>().unwrap_err().to_string(), error);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut position = AnyPosition::start(GameName::default());
        let moves = position.moves();
        position.play(&moves[0]).unwrap();
        let suite = Suite {
            game: position.game(),
            cases: vec![Case {
                keeps: position.moves()[..2].to_vec(),
                open: position.moves()[2..].to_vec(),
                position,
                worth: Proof::with_margin(6),
                source: "nowhere turn 2".into(),
            }],
        };
        assert_eq!(suite.to_string().parse(), Ok(suite));
    }

    #[test]
    fn moves_of_several_parts_are_read_again() {
        let texts = [
            (
                games::GIPF_STANDARD,
                "standard 3 5 W B___/___w_/___w__/_wwWw__/__w___/_____/___W",
            ),
            (games::GIPF, "3 3 9 9 5 9 W _WW/W___/W____/____/___"),
        ];
        for (game, text) in texts {
            let position = AnyPosition::parse(game, text).unwrap();
            let moves = position.moves();
            let parted = |mv: &&String| mv.contains([';', ' ']);
            assert!(moves.iter().any(|mv| parted(&mv)), "{moves:?}");
            let suite = Suite {
                game,
                cases: vec![Case {
                    keeps: moves[..2].to_vec(),
                    open: moves[2..].to_vec(),
                    position,
                    worth: Proof::of(search::Score::Draw).unwrap(),
                    source: "nowhere".into(),
                }],
            };
            assert_eq!(suite.to_string().parse(), Ok(suite));
        }
    }

    #[test]
    fn errors_name_the_line() {
        check("", "1: a line `game NAME` is wanted");
        check("# x\nstart\n", "2: a line `game NAME` is wanted first");
        check(
            "game reversi\n\nstart\twin\t\n",
            "3: no move that keeps the value",
        );
        let error = "game reversi\nstart\twon\td3\n"
            .parse::<Suite>()
            .unwrap_err();
        assert!(error.what.starts_with("\"won\" is no worth"), "{error}");
        let error = "game reversi\nstart\twin\ta1\n"
            .parse::<Suite>()
            .unwrap_err();
        assert_eq!(error.line, 2);
    }
}

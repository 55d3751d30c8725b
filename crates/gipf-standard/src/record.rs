//! Whole games in the notation of moves.
//!
//! ```
//! use gipf_standard::{Position, Rules, Style, record::Record};
//!
//! let start = Position::start(Rules::Tournament);
//! let record = Record::read("1. Ge1-e2 Ge9-e8 2. d2 e9-e7", start)?;
//! assert_eq!(record.moves.len(), 4);
//! assert_eq!(record.write(Style::Short), "1. Ge1-e2 Ge9-e8\n2. d1-d2 e9-e8\n");
//! # Ok::<(), gipf_standard::record::RecordError>(())
//! ```

use std::fmt::Write as _;

use rules::{Game, Side};
use thiserror::Error;

use crate::notation::{Mark, Part};
use crate::points::Points;
use crate::{Move, Position, Style};

/// A game: where it began and what was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position before the first move.
    pub start: Position,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Why a text is no game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("turn {turn}: {text:?}: {reason}")]
pub struct RecordError {
    /// The number of the ply, from 1.
    pub turn: usize,
    /// What stands there.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A part and where it stands.
struct Token<'a> {
    text: &'a str,
    part: Part,
}

impl Record {
    /// Reads the moves of a game from a position.
    ///
    /// Moves stand behind each other, separated by blanks, new lines, `/` or `;`. Numbers of moves
    /// and counts of the reserve are passed over. What the opponent takes off after a push may be
    /// written behind that push or before the opponent's own: both are the same list.
    pub fn read(text: &str, start: Position) -> Result<Record, RecordError> {
        let tokens = read_tokens(text)?;
        let mut record = Record {
            start,
            moves: Vec::new(),
        };
        let mut now = start;
        let mut rest = tokens.as_slice();
        let mut before = take_removals(&mut rest);
        while let [token, tail @ ..] = rest {
            rest = tail;
            let after = take_removals(&mut rest);
            let turn = record.moves.len() + 1;
            let error = |reason: String| RecordError {
                turn,
                text: token.text.to_string(),
                reason,
            };
            // The lists behind a push are the mover's and then the opponent's.
            let splits = (0..=after.len()).map(|mine| {
                let (mine, theirs) = after.split_at(mine);
                play(&now, &before, token, mine).and_then(|(mv, next)| {
                    let last = rest.is_empty() && theirs.is_empty();
                    if last || next.outcome().is_some() && theirs.is_empty() {
                        return Ok((mv, next, theirs));
                    }
                    next.begin().read_removal(theirs)?;
                    Ok((mv, next, theirs))
                })
            });
            let mut reason = None;
            let mut played = None;
            for split in splits {
                match split {
                    Ok(found) => {
                        played = Some(found);
                        break;
                    }
                    Err(why) => reason = Some(why),
                }
            }
            let (mv, next, theirs) = played.ok_or_else(|| error(reason.unwrap_or_default()))?;
            record.moves.push(mv);
            now = next;
            before = theirs.to_vec();
        }
        if !before.is_empty() {
            record.finish(now, &before)?;
        }
        Ok(record)
    }

    /// The last lists, after which nothing is brought in: they must end the game.
    fn finish(&mut self, now: Position, before: &[Vec<Mark>]) -> Result<(), RecordError> {
        let error = |reason: &str| RecordError {
            turn: self.moves.len() + 1,
            text: "x".to_string(),
            reason: reason.to_string(),
        };
        let taken = now
            .begin()
            .read_removal(before)
            .map_err(|why| error(&why))?;
        let mv = Move {
            before: taken,
            push: None,
            after: Points::EMPTY,
        };
        if !now.is_legal(mv) {
            return Err(error("the record ends before a piece is brought in"));
        }
        self.moves.push(mv);
        Ok(())
    }

    /// The moves in lines of one turn of either side; complete ones with the reserve after each.
    #[must_use]
    pub fn write(&self, style: Style) -> String {
        let (mut text, mut now) = (String::new(), self.start);
        let first = now.side().index();
        for (number, &mv) in self.moves.iter().enumerate() {
            let place = number + first;
            if place.is_multiple_of(2) {
                let _ = write!(text, "{}. ", place / 2 + 1);
            } else if number == 0 {
                text += "1. ... ";
            }
            let side: Side = now.side();
            text += &now.notation(mv, style);
            now.play_unchecked(mv);
            if style == Style::Complete {
                let _ = write!(text, "({})", now.reserve(side));
            }
            let last = number + 1 == self.moves.len();
            text.push(if place % 2 == 1 || last { '\n' } else { ' ' });
        }
        text
    }
}

fn read_tokens(text: &str) -> Result<Vec<Token<'_>>, RecordError> {
    let mut tokens = Vec::new();
    let mut pushes = 0;
    for word in crate::notation::words(text).flat_map(|word| word.split('/')) {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = word.trim_start_matches('.');
        if word.is_empty() || word.starts_with(')') {
            continue;
        }
        let part = Part::read(word).map_err(|reason| RecordError {
            turn: pushes + 1,
            text: word.to_string(),
            reason,
        })?;
        pushes += usize::from(matches!(part, Part::Push(_)));
        tokens.push(Token { text: word, part });
    }
    Ok(tokens)
}

/// The lists at the front.
fn take_removals(rest: &mut &[Token<'_>]) -> Vec<Vec<Mark>> {
    let mut lists = Vec::new();
    while let [
        Token {
            part: Part::Removal(marks),
            ..
        },
        tail @ ..,
    ] = rest
    {
        lists.push(marks.clone());
        *rest = tail;
    }
    lists
}

/// Plays one turn.
fn play(
    now: &Position,
    before: &[Vec<Mark>],
    push: &Token<'_>,
    after: &[Vec<Mark>],
) -> Result<(Move, Position), String> {
    let Part::Push(written) = &push.part else {
        return Err("a piece is brought in here".to_string());
    };
    if now.outcome().is_some() {
        return Err("the game is over".to_string());
    }
    let mut next = now.begin();
    let before = next.read_removal(before)?;
    next.take(before);
    let entry = next.read_entry(written)?;
    next.push(entry);
    let after = next.read_removal(after)?;
    let mv = Move {
        before,
        push: Some(entry),
        after,
    };
    let mut played = *now;
    played.play(mv).map_err(|error| error.to_string())?;
    Ok((mv, played))
}

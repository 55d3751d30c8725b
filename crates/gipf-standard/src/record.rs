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

use crate::points::Points;
use crate::written::{Written, WrittenTurn, parts};
use crate::{Move, Piece, Position, Rules, Style};

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

/// The rules of a game whose text does not name them, by its first move: only the tournament game
/// begins with a GIPF-piece. `None` if the text does not begin with a move.
#[must_use]
pub fn rules_of(text: &str) -> Option<Rules> {
    // What follows need not be a move.
    let mut words = text.split_whitespace();
    let number = |c: char| c.is_ascii_digit() || c == '.';
    let is_number = |word: &str| word.trim_matches(number).is_empty();
    let word = words.find(|word| !is_number(word))?;
    let first = word.split([';', '/', ',']).next()?;
    let parts = parts(first).ok()?;
    Some(match parts.first()?.push() {
        Some(push) if push.named.piece == Some(Piece::Gipf) => Rules::Tournament,
        _ => Rules::Standard,
    })
}

impl Record {
    /// Reads the moves of a game from a position.
    ///
    /// Moves stand behind each other, separated by blanks, new lines, `/` or `;`. Numbers of moves
    /// are passed over; a reserve in brackets must be right. What the opponent takes off after a
    /// push may be written behind that push or before the opponent's own: both are the same list.
    /// A basic game may begin with the pieces that are on the board at its start.
    pub fn read(text: &str, start: Position) -> Result<Record, RecordError> {
        let parts = read_parts(text)?;
        let is_start = Position::start(Rules::Basic).with_limit(start.limit()) == start;
        match without_start(&parts) {
            Some(rest) if is_start => Record::play(start, rest),
            _ => Record::play(start, &parts),
        }
    }

    /// Reads the moves of a game that does not say by which rules it was played: the basic game
    /// if it begins with the six pieces of its start, the tournament game if it begins with a
    /// GIPF-piece, the standard game otherwise.
    pub fn read_by_first_move(text: &str) -> Result<Record, RecordError> {
        if without_start(&read_parts(text)?).is_some() {
            return Record::read(text, Position::start(Rules::Basic));
        }
        let rules = rules_of(text).unwrap_or(Rules::Standard);
        let mut read = Record::read(text, Position::start(rules));
        if let Err(error) = &mut read {
            let others = Rules::ALL.into_iter().filter(|&other| other != rules);
            let fits = |&other: &Rules| Record::read(text, Position::start(other)).is_ok();
            if let [only] = others.filter(fits).collect::<Vec<_>>()[..] {
                error.reason += &format!(
                    "; it reads as a {only} game: begin it with {:?}",
                    only.name()
                );
            }
        }
        read
    }

    fn play(start: Position, mut rest: &[Written]) -> Result<Record, RecordError> {
        let mut record = Record {
            start,
            moves: Vec::new(),
        };
        let mut now = start;
        let mut before = take_lists(&mut rest);
        while let [push, tail @ ..] = rest {
            rest = tail;
            let after = take_lists(&mut rest);
            let mut reason = None;
            // The lists behind a push are the mover's and then the opponent's.
            let played = (0..=after.len()).find_map(|mine| {
                let (mine, theirs) = after.split_at(mine);
                let turn = WrittenTurn {
                    before,
                    push: Some(push),
                    after: mine,
                };
                let is_last = rest.is_empty() && theirs.is_empty();
                match play_turn(&now, &turn, theirs, is_last) {
                    Ok((mv, next)) => Some((mv, next, theirs)),
                    Err(why) => {
                        reason = Some(why);
                        None
                    }
                }
            });
            let (mv, next, theirs) = played.ok_or_else(|| RecordError {
                turn: record.moves.len() + 1,
                text: push.text.clone(),
                reason: reason.unwrap_or_default(),
            })?;
            record.moves.push(mv);
            (now, before) = (next, theirs);
        }
        if !before.is_empty() {
            record.finish(now, before)?;
        }
        Ok(record)
    }

    /// The last lists, after which nothing is brought in: they must end the game.
    fn finish(&mut self, now: Position, before: &[Written]) -> Result<(), RecordError> {
        let turn = WrittenTurn {
            before,
            push: None,
            after: &[],
        };
        let mv = now.read_turn(&turn).map_err(|reason| RecordError {
            turn: self.moves.len() + 1,
            text: before.iter().map(|list| list.text.as_str()).collect(),
            reason,
        })?;
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

fn read_parts(text: &str) -> Result<Vec<Written>, RecordError> {
    parts(text).map_err(|(before, word, reason)| RecordError {
        turn: before.iter().filter(|part| !part.is_removal()).count() + 1,
        text: word,
        reason,
    })
}

/// What follows the six pieces of the start, if a text puts them on the board one by one, with
/// their colours, as if they were moves.
fn without_start(parts: &[Written]) -> Option<&[Written]> {
    let (placed, rest) = parts.split_at_checked(6)?;
    let start = Position::start(Rules::Basic);
    let mut pieces = [Points::EMPTY; 2];
    for part in placed {
        let push = part.push()?;
        push.dot?;
        if push.named.piece == Some(Piece::Gipf) {
            return None;
        }
        pieces[push.named.side?.index()] |= Points::of(push.named.point);
    }
    (pieces == Side::BOTH.map(|side| start.pieces(side))).then_some(rest)
}

/// The lists at the front.
fn take_lists<'a>(rest: &mut &'a [Written]) -> &'a [Written] {
    let count = rest.iter().take_while(|part| part.is_removal()).count();
    let (lists, tail) = rest.split_at(count);
    *rest = tail;
    lists
}

/// Plays one turn, behind which the opponent's lists may stand.
fn play_turn(
    now: &Position,
    turn: &WrittenTurn<'_>,
    theirs: &[Written],
    is_last: bool,
) -> Result<(Move, Position), String> {
    if now.outcome().is_some() {
        return Err("the game is over".to_string());
    }
    let mv = now.read_turn(turn)?;
    let mut next = *now;
    next.play(mv).map_err(|error| error.to_string())?;
    let ends = next.outcome().is_some() && theirs.is_empty();
    if !is_last && !ends {
        next.begin().read_removal(theirs)?;
    }
    Ok((mv, next))
}

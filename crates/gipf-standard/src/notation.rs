//! The notation of moves.
//!
//! A move is `e1-e2`, the dot and the point onto which the piece is pushed; `Ge1-e2` brings in a
//! GIPF-piece. What the mover takes off stands after `x`, before the push or after it, joined by
//! `;`: `xb5,c6,d7,e8*;e1-e2`. `G` marks a GIPF-piece, `*` a captured piece of the opponent, and
//! `=` a GIPF-piece that stays. The short form leaves the list out where no choice was made.

use rules::{MoveError, Side};

use crate::board::Entry;
use crate::points::{Point, Points, SIZE};
use crate::{Move, Piece, Position, Push, Removal};

/// How much is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// Every piece that is taken off, and every GIPF-piece that is kept.
    Complete,
    /// A bare `x` where everything that goes can be told: one way of taking off, or all own
    /// GIPF-pieces are kept and all of the opponent's taken.
    Short,
}

/// One part of a move as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// Pieces after `x`; a bare `x` has none.
    Removal(Vec<Mark>),
    /// A piece is brought in.
    Push(WrittenPush),
}

/// One piece of a list after `x`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark {
    point: Point,
    gipf: bool,
    captured: bool,
    kept: bool,
}

/// A push as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WrittenPush {
    text: String,
    side: Option<Side>,
    piece: Option<Piece>,
    /// The dot, unless only the point was written.
    dot: Option<gipf::Field>,
    /// The neighbour of the dot, or where the furthest pushed piece goes.
    to: Point,
}

/// Why a part does not fit: a reason without the text of the move.
type Reason = String;

impl Part {
    /// Reads one part; the reason says what is wrong with it.
    pub(crate) fn read(text: &str) -> Result<Part, Reason> {
        if let Some(list) = text.strip_prefix(['x', 'X']) {
            let marks = list.split(',').filter(|word| !word.is_empty());
            return marks
                .map(read_mark)
                .collect::<Result<_, _>>()
                .map(Part::Removal);
        }
        read_push(text).map(Part::Push)
    }
}

fn read_mark(word: &str) -> Result<Mark, Reason> {
    let (kept, rest) = strip(word, word.strip_prefix('='));
    let (captured, rest) = strip(rest, rest.strip_suffix('*'));
    let (gipf, rest) = strip(rest, rest.strip_prefix('G'));
    let label = rest.strip_prefix(['W', 'K', 'B']).unwrap_or(rest);
    let point = Point::from_label(label).ok_or(format!("{word:?} is not a point"))?;
    Ok(Mark {
        point,
        gipf,
        captured,
        kept,
    })
}

/// Whether a mark was there, and the text without it.
fn strip<'a>(text: &'a str, stripped: Option<&'a str>) -> (bool, &'a str) {
    (stripped.is_some(), stripped.unwrap_or(text))
}

fn read_push(text: &str) -> Result<WrittenPush, Reason> {
    let (mut rest, mut side, mut piece) = (text, None, None);
    // A letter before a letter is no column: G or g, n, and the colours W, B or K.
    while rest.chars().nth(1).is_some_and(char::is_alphabetic) {
        match rest.chars().next() {
            Some('G' | 'g') => piece = Some(Piece::Gipf),
            Some('n') => piece = Some(Piece::Single),
            Some('W') => side = Some(Side::First),
            Some('K' | 'B') => side = Some(Side::Second),
            _ => return Err(format!("{rest:?} does not begin with a dot")),
        }
        rest = &rest[1..];
    }
    let (dot, to) = match rest.split_once('-') {
        Some((dot, to)) => {
            let field = gipf::Field::from_label(dot, SIZE).filter(|f| !f.is_point(SIZE));
            (Some(field.ok_or(format!("{dot:?} is not a dot"))?), to)
        }
        None => (None, rest),
    };
    let to = Point::from_label(to).ok_or(format!("{to:?} is not a point"))?;
    Ok(WrittenPush {
        text: text.to_string(),
        side,
        piece,
        dot,
        to,
    })
}

impl Position {
    /// The text of a legal move.
    #[must_use]
    pub fn notation(&self, mv: Move, style: Style) -> String {
        let mut now = self.begin();
        let mut parts: Vec<String> = now.removal_text(mv.before, style).into_iter().collect();
        now.take(mv.before);
        if let Some(push) = mv.push {
            parts.push(push_text(push));
            if now.may_bring(push.piece) && now.push(push) {
                parts.extend(now.removal_text(mv.after, style));
            }
        }
        parts.join(";")
    }

    /// What is written of a look; nothing if there was no row.
    fn removal_text(&self, taken: Points, style: Style) -> Option<String> {
        let all = if self.has_rows() {
            self.removals()
        } else if taken.is_empty() {
            return None;
        } else {
            Vec::new()
        };
        if style == Style::Short && self.usual(&all).is_some_and(|usual| usual.taken == taken) {
            return Some("x".to_string());
        }
        let found = all.iter().find(|removal| removal.taken == taken);
        let kept = found.map_or(Points::EMPTY, |removal| removal.kept);
        let taken = taken.by_label().into_iter().map(|point| {
            let piece = self.piece_text(point);
            let captured = self.pieces(!self.side()).contains(point);
            format!("{piece}{}", if captured { "*" } else { "" })
        });
        let kept = kept.by_label().into_iter();
        let kept = kept.map(|point| format!("={}", self.piece_text(point)));
        let words: Vec<String> = taken.chain(kept).collect();
        Some(format!("x{}", words.join(",")))
    }

    fn piece_text(&self, point: Point) -> String {
        let gipf = matches!(self.at(point), Some((_, Piece::Gipf)));
        format!("{}{}", if gipf { "G" } else { "" }, point.label())
    }

    /// What a bare `x` stands for: the only way of taking off, or the one that keeps all own
    /// GIPF-pieces and takes all of the opponent's.
    fn usual(&self, all: &[Removal]) -> Option<Removal> {
        let own = self.gipf(self.side());
        let usual =
            |removal: &&Removal| !removal.taken.intersects(own) && own.contains_all(removal.kept);
        let mut candidates = match all {
            [only] => return Some(*only),
            _ => all.iter().filter(usual),
        };
        let first = candidates.next().copied();
        first.filter(|_| candidates.next().is_none())
    }

    /// Reads a move; the error says what is wrong with it.
    pub(crate) fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let illegal = |reason: Reason| MoveError::illegal(text, reason);
        if self.ended().is_some() {
            return Err(illegal("the game is over".to_string()));
        }
        let mut before: Vec<Vec<Mark>> = Vec::new();
        let (mut push, mut after) = (None, Vec::new());
        for word in words(text) {
            let part = Part::read(word).map_err(|reason| MoveError::unreadable(text, reason))?;
            match part {
                Part::Removal(marks) if push.is_none() => before.push(marks),
                Part::Removal(marks) => after.push(marks),
                Part::Push(written) if push.is_none() => push = Some(written),
                Part::Push(second) => {
                    let reason = format!("{} is a second piece", second.text);
                    return Err(MoveError::unreadable(text, reason));
                }
            }
        }
        let mut now = self.begin();
        let before = now.read_removal(&before).map_err(illegal)?;
        now.take(before);
        let Some(written) = push else {
            if now.is_decided() {
                return Ok(Move {
                    before,
                    push: None,
                    after: Points::EMPTY,
                });
            }
            return Err(MoveError::unreadable(text, "no piece is brought in"));
        };
        if now.is_decided() {
            return Err(illegal(
                "the game is over before the piece is brought in".into(),
            ));
        }
        let push = now.read_entry(&written).map_err(illegal)?;
        now.push(push);
        let after = now.read_removal(&after).map_err(illegal)?;
        Ok(Move {
            before,
            push: Some(push),
            after,
        })
    }

    /// The entry and the piece that were written; the push is possible.
    pub(crate) fn read_entry(&self, written: &WrittenPush) -> Result<Push, Reason> {
        if written.side.is_some_and(|side| side != self.side()) {
            return Err(format!(
                "it is the turn of {}",
                crate::position::name(self.side())
            ));
        }
        let piece = written.piece.unwrap_or(Piece::Single);
        if !self.may_bring(piece) {
            return Err(match piece {
                _ if self.reserve(self.side()) < piece.cost() => {
                    format!("{} in reserve", self.reserve(self.side()))
                }
                Piece::Single => "the first piece must be a GIPF-piece".to_string(),
                Piece::Gipf => "no GIPF-piece may be brought in".to_string(),
            });
        }
        let occupied = self.board().occupied();
        let label = written.to.label();
        let entry = match written.dot {
            Some(dot) => {
                let mut entries = Entry::all().filter(|entry| entry.dot() == dot);
                let entry = entries.find(|entry| entry.ray().contains(written.to));
                entry.ok_or(format!("{label} is not on a line from {}", dot.label(SIZE)))?
            }
            None if occupied.contains(written.to) => {
                return Err(format!("{label} is occupied: the dot must be named"));
            }
            None => {
                let entry = Entry::all().find(|entry| entry.target() == written.to);
                entry.ok_or(format!("{label} is not beside a dot"))?
            }
        };
        let gap = entry
            .gap(occupied)
            .ok_or("every point of the line is occupied")?;
        if written.to != entry.target() && written.to != gap {
            return Err(format!(
                "the furthest piece goes to {}, not to {label}",
                gap.label()
            ));
        }
        let entry = entry.canonical(occupied);
        Ok(Push { entry, piece })
    }

    /// The pieces that are taken off, if the lists say so; several lists are one.
    pub(crate) fn read_removal(&self, lists: &[Vec<Mark>]) -> Result<Points, Reason> {
        if !self.has_rows() {
            let reason = || format!("{} has no row", crate::position::name(self.side()));
            return lists.is_empty().then_some(Points::EMPTY).ok_or_else(reason);
        }
        let all = self.removals();
        let which = "say which pieces are taken off, as in xb5,c6,Gd7*,=Ge8";
        let marks: Vec<Mark> = lists.iter().flatten().copied().collect();
        if marks.is_empty() {
            let nothing = all.iter().find(|removal| removal.taken.is_empty());
            let found = match nothing {
                Some(nothing) if lists.is_empty() => Some(*nothing),
                _ => self.usual(&all),
            };
            return found.map(|removal| removal.taken).ok_or(which.to_string());
        }
        for mark in &marks {
            let label = mark.point.label();
            match self.at(mark.point) {
                None => return Err(format!("{label} is empty")),
                Some((_, piece)) if mark.gipf && piece != Piece::Gipf => {
                    return Err(format!("{label} has no GIPF-piece"));
                }
                Some((side, _)) if mark.captured && side == self.side() => {
                    return Err(format!("{label} has a piece of the mover"));
                }
                Some(_) => {}
            }
        }
        let set = |kept: bool| -> Points {
            let marks = marks.iter().filter(|mark| mark.kept == kept);
            marks.map(|mark| mark.point).collect()
        };
        let (taken, kept) = (set(false), set(true));
        let fits = |removal: &&Removal| removal.taken == taken && !removal.taken.intersects(kept);
        let found = all.iter().find(fits).map(|removal| removal.taken);
        found.ok_or_else(|| format!("the rows are not taken off like that: {which}"))
    }
}

/// The parts of a move: what stands between `;` and blanks, without a count of the reserve.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == ';' || c.is_whitespace())
        .map(|word| match word.split_once('(') {
            Some((word, _)) => word,
            None => word,
        })
        .filter(|word| !word.is_empty())
}

fn push_text(push: Push) -> String {
    let gipf = if push.piece == Piece::Gipf { "G" } else { "" };
    let dot = push.entry.dot().label(SIZE);
    format!("{gipf}{dot}-{}", push.entry.target().label())
}

//! The notation of moves.
//!
//! A move is `e1-e2`, the dot and the point onto which the piece is pushed; `Ge1-e2` brings in a
//! GIPF-piece. What the mover takes off stands after `x`, before the push or after it, joined by
//! `;`: `xb5,c6,d7,e8*;e1-e2`. `G` marks a GIPF-piece, `*` a captured piece of the opponent, and
//! `=` a GIPF-piece that stays. The short form leaves the list out where no choice was made.

use rules::MoveError;

use crate::board::Entry;
use crate::points::{Point, Points, SIZE};
use crate::position::name;
use crate::removal::rows;
use crate::written::{self, Mark, Named, Reason, Written, WrittenPush, WrittenTurn};
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
        if !self.has_rows() && taken.is_empty() {
            return None;
        }
        let is_usual = || {
            self.usual(&self.removals())
                .is_some_and(|usual| usual.taken == taken)
        };
        if style == Style::Short && is_usual() {
            return Some("x".to_string());
        }
        let kept = self.removal_of(taken).unwrap_or_default().kept;
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
        if self.ended().is_some() {
            return Err(MoveError::illegal(text, "the game is over"));
        }
        let parts = written::parts(text).map_err(|(.., reason)| reason);
        let parts = parts.and_then(written::one_turn);
        let parts = parts.map_err(|reason| MoveError::unreadable(text, reason))?;
        let piece = parts.iter().position(|part| !part.is_removal());
        let (before, rest) = parts.split_at(piece.unwrap_or(parts.len()));
        let turn = WrittenTurn {
            before,
            push: rest.first(),
            after: rest.get(1..).unwrap_or_default(),
        };
        self.read_turn(&turn)
            .map_err(|reason| MoveError::illegal(text, reason))
    }

    /// The move that was written; the game is not over.
    pub(crate) fn read_turn(&self, turn: &WrittenTurn<'_>) -> Result<Move, Reason> {
        let mut now = self.begin();
        let before = now.read_removal(turn.before)?;
        now.take(before);
        now.check_reserve(turn.before.last())?;
        let Some(written) = turn.push else {
            return match now.is_decided() {
                true => Ok(Move {
                    before,
                    push: None,
                    after: Points::EMPTY,
                }),
                false => Err("no piece is brought in".to_string()),
            };
        };
        if now.is_decided() {
            return Err("the game is over before the piece is brought in".to_string());
        }
        let push = written.push().ok_or("a piece is brought in here")?;
        let push = now.read_entry(push)?;
        now.push(push);
        let pushed = now;
        let after = now.read_removal(turn.after)?;
        now.take(after);
        // Behind a push before a list stands the reserve before or after taking off.
        if turn.after.is_empty() || pushed.check_reserve(Some(written)).is_err() {
            now.check_reserve(Some(written))?;
        }
        now.check_reserve(turn.after.last())?;
        Ok(Move {
            before,
            push: Some(push),
            after,
        })
    }

    /// Compares the reserve of the mover with what stands behind a part.
    fn check_reserve(&self, part: Option<&Written>) -> Result<(), Reason> {
        let found = self.reserve(self.side());
        match part.and_then(|part| part.reserve) {
            Some(wrong) if wrong != u32::from(found) => {
                Err(format!("the reserve is then {found}, not {wrong}"))
            }
            _ => Ok(()),
        }
    }

    /// The entry and the piece that were written; the push is possible.
    pub(crate) fn read_entry(&self, written: &WrittenPush) -> Result<Push, Reason> {
        let Named { side, piece, point } = written.named;
        if side.is_some_and(|side| side != self.side()) {
            return Err(format!("it is the turn of {}", name(self.side())));
        }
        let piece = piece.unwrap_or(Piece::Single);
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
        let label = point.label();
        let entry = match written.dot {
            Some(dot) => {
                let mut entries = Entry::all().filter(|entry| entry.dot() == dot);
                let entry = entries.find(|entry| entry.ray().contains(point));
                entry.ok_or(format!("{label} is not on a line from {}", dot.label(SIZE)))?
            }
            None if occupied.contains(point) => {
                return Err(format!("{label} is occupied: the dot must be named"));
            }
            None => {
                let entry = Entry::all().find(|entry| entry.target() == point);
                entry.ok_or(format!("{label} is not beside a dot"))?
            }
        };
        let gap = entry
            .gap(occupied)
            .ok_or("every point of the line is occupied")?;
        if point != entry.target() && point != gap {
            return Err(format!(
                "the furthest piece goes to {}, not to {label}",
                gap.label()
            ));
        }
        let entry = entry.canonical(occupied);
        Ok(Push { entry, piece })
    }

    /// The pieces that are taken off, if the lists say so; several lists are one.
    pub(crate) fn read_removal(&self, lists: &[Written]) -> Result<Points, Reason> {
        if !self.has_rows() {
            let reason = || format!("{} has no row", name(self.side()));
            return lists.is_empty().then_some(Points::EMPTY).ok_or_else(reason);
        }
        let which = "say which pieces are taken off, as in xb5,c6,Gd7*,=Ge8";
        let marks = written::marks(lists);
        if marks.is_empty() {
            let nothing = lists.is_empty().then(|| self.removal_of(Points::EMPTY));
            let found = nothing.flatten().or_else(|| self.usual(&self.removals()));
            return found.map(|removal| removal.taken).ok_or(which.to_string());
        }
        for mark in &marks {
            self.check_mark(mark)?;
        }
        let set = |kept: bool| -> Points {
            let marks = marks.iter().filter(|mark| mark.kept == kept);
            marks.map(|mark| mark.named.point).collect()
        };
        let (taken, kept) = (set(false), set(true));
        let fits = !taken.intersects(kept) && self.removal_of(taken).is_some();
        fits.then_some(taken)
            .ok_or_else(|| format!("the rows are not taken off like that: {which}"))
    }

    /// Whether a piece is what was written of it.
    fn check_mark(&self, mark: &Mark) -> Result<(), Reason> {
        let Named { side, piece, point } = mark.named;
        let label = point.label();
        let Some((owner, found)) = self.at(point) else {
            return Err(format!("{label} is empty"));
        };
        if piece.is_some_and(|piece| piece != found) {
            return Err(match found {
                Piece::Single => format!("{label} has no GIPF-piece"),
                Piece::Gipf => format!("{label} has a GIPF-piece"),
            });
        }
        if side.is_some_and(|side| side != owner) {
            return Err(format!("{label} has a piece of {}", name(owner)));
        }
        if mark.captured && owner == self.side() {
            return Err(format!("{label} has a piece of the mover"));
        }
        // No row comes up while pieces are taken off.
        let rows = rows(self.board(), self.side().index());
        if mark.kept && !rows.iter().any(|row| row.pieces.contains(point)) {
            return Err(format!("{label} is in no row"));
        }
        Ok(())
    }
}

fn push_text(push: Push) -> String {
    let gipf = if push.piece == Piece::Gipf { "G" } else { "" };
    let dot = push.entry.dot().label(SIZE);
    format!("{gipf}{dot}-{}", push.entry.target().label())
}

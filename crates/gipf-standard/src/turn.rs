//! A move made one decision after the other: for pages and other hands.

use rules::Game;
use thiserror::Error;

use crate::board::Entry;
use crate::points::Points;
use crate::removal::{Look, Row};
use crate::{Move, Piece, Position, Push, Removal};

/// What must be decided next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Rows of the mover cross: which is dealt with next?
    Row(Vec<Row>),
    /// Which GIPF-pieces of the row stay?
    Keep(Row),
    /// What is brought in, and from where?
    Push,
    /// Nothing: the move is complete.
    Done(Move),
}

/// Why an answer does not fit.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TurnError {
    /// The answer is to another question.
    #[error("that is not asked now")]
    NotAsked,
    /// There is no such row to choose.
    #[error("no row of the mover lies there")]
    NoRow,
    /// The pieces are not GIPF-pieces of the row.
    #[error("only GIPF-pieces of the row may stay")]
    NotGipf,
    /// The piece may not be brought in now.
    #[error("this kind of piece may not be brought in now")]
    NotAllowed,
    /// Every point of the line is occupied.
    #[error("every point of the line is occupied")]
    Full,
    /// The mover would keep the whole row and have nothing to bring in.
    #[error("a GIPF-piece must be taken, or no piece is left to bring in")]
    NothingLeft,
}

/// A turn under way.
///
/// ```
/// use gipf_standard::{Ask, Entry, Piece, Point, Position, Rules, Turn};
///
/// let mut turn = Turn::new(Position::start(Rules::Basic));
/// assert_eq!(turn.ask(), &Ask::Push);
/// let onto = Point::from_label("e5").unwrap();
/// assert!(Entry::all().all(|entry| entry.target() != onto));
/// let entry = Entry::all().next().unwrap();
/// turn.push(entry, Piece::Single)?;
/// assert!(matches!(turn.ask(), Ask::Done(_)));
/// # Ok::<(), gipf_standard::TurnError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The position with the pieces that are on the board now.
    now: Position,
    look: Look,
    before: Option<Removal>,
    push: Option<Push>,
    /// The row that was chosen, or needed no choice.
    row: Option<Row>,
    ask: Ask,
}

impl Turn {
    /// The turn of the side to move; the game must not be over.
    #[must_use]
    pub fn new(position: Position) -> Turn {
        debug_assert!(position.outcome().is_none(), "{position}");
        // The ply is not counted before it is made.
        let mut turn = Turn {
            look: Look::new(*position.board(), position.side().index()),
            now: position,
            before: None,
            push: None,
            row: None,
            ask: Ask::Push,
        };
        turn.advance();
        turn
    }

    /// What must be decided next.
    #[must_use]
    pub fn ask(&self) -> &Ask {
        &self.ask
    }

    /// The position as the pieces lie now; it is still the turn of the same side.
    #[must_use]
    pub fn now(&self) -> &Position {
        &self.now
    }

    /// What was taken off and kept before the push, so far.
    #[must_use]
    pub fn before(&self) -> Removal {
        self.before.unwrap_or_else(|| self.look.removal())
    }

    /// Chooses among crossing rows: the one that takes off these pieces.
    pub fn choose(&mut self, pieces: Points) -> Result<(), TurnError> {
        let Ask::Row(rows) = &self.ask else {
            return Err(TurnError::NotAsked);
        };
        let row = rows.iter().find(|row| row.pieces == pieces);
        self.row = Some(*row.ok_or(TurnError::NoRow)?);
        self.advance();
        Ok(())
    }

    /// Says which GIPF-pieces of the row stay; all others go.
    pub fn keep(&mut self, kept: Points) -> Result<(), TurnError> {
        let Ask::Keep(row) = self.ask else {
            return Err(TurnError::NotAsked);
        };
        if !row.gipf.contains_all(kept) {
            return Err(TurnError::NotGipf);
        }
        let mut next = self.clone();
        next.take(&row, kept);
        next.advance();
        if next.ask == Ask::Push && next.now.reserve(next.now.side()) == 0 {
            return Err(TurnError::NothingLeft);
        }
        *self = next;
        Ok(())
    }

    /// Brings a piece in.
    pub fn push(&mut self, entry: Entry, piece: Piece) -> Result<(), TurnError> {
        if self.ask != Ask::Push {
            return Err(TurnError::NotAsked);
        }
        if !self.now.may_bring(piece) {
            return Err(TurnError::NotAllowed);
        }
        let entry = entry.canonical(self.now.board().occupied());
        let push = Push { entry, piece };
        if !self.now.push(push) {
            return Err(TurnError::Full);
        }
        self.push = Some(push);
        self.look = Look::new(*self.now.board(), self.now.side().index());
        self.advance();
        Ok(())
    }

    fn take(&mut self, row: &Row, kept: Points) {
        self.look.take(row, kept);
        self.now.take(row.pieces & !kept);
        self.row = None;
    }

    /// Takes off what needs no decision, and finds the next question.
    fn advance(&mut self) {
        self.ask = loop {
            if let Some(row) = self.row {
                if !row.gipf.is_empty() {
                    break Ask::Keep(row);
                }
                self.take(&row, Points::EMPTY);
                continue;
            }
            let rows = self.look.rows();
            match Look::lone(&rows) {
                Some(lone) => self.row = Some(*lone),
                None if !rows.is_empty() => break Ask::Row(rows),
                None => break self.looked(),
            }
        };
    }

    /// What follows when all rows have been dealt with.
    fn looked(&mut self) -> Ask {
        let removal = self.look.removal();
        let before = *self.before.get_or_insert(removal);
        let done = |after: Points| {
            Ask::Done(Move {
                before: before.taken,
                push: self.push,
                after,
            })
        };
        match self.push {
            Some(_) => done(removal.taken),
            None if self.now.is_decided() => done(Points::EMPTY),
            None => Ask::Push,
        }
    }
}

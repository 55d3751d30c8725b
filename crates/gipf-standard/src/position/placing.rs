//! What a turn does: rows are taken off, a piece is brought in, rows are taken off again.

use std::ops::ControlFlow;

use super::Position;
use crate::board::Entry;
use crate::moves::{Move, Piece, Push};
use crate::points::Points;
use crate::removal::{self, Pieces, Removal};
use crate::variant::{DrawLimit, Stage};

impl Position {
    /// Whether the side to move may bring in a piece of this kind.
    #[inline]
    #[must_use]
    pub fn may_bring(&self, piece: Piece) -> bool {
        self.reserve(self.side) >= piece.cost()
            && match self.stage(self.side) {
                Stage::First => piece == Piece::Gipf,
                Stage::Gipf => true,
                Stage::Single => piece == Piece::Single,
            }
    }

    /// Takes pieces off for the side to move: its own go back to the reserve, the others are
    /// captured.
    #[inline]
    pub(crate) fn take(&mut self, taken: Points) {
        if taken.is_empty() {
            return;
        }
        let own = self.pieces(self.side) & taken;
        self.reserves[self.side.index()] += (own.len() + (own & self.pieces.gipf).len()) as u8;
        if own != taken {
            self.quiet = 0;
        }
        self.pieces.clear(taken);
    }

    /// Brings a piece in; `false` if every point of the line is occupied. It must be one that
    /// the side may bring in.
    #[inline]
    pub(crate) fn push(&mut self, push: Push) -> bool {
        let Some(gap) = push.entry.gap(self.pieces.occupied()) else {
            return false;
        };
        let step = push.entry.step();
        let target = Points::of(push.entry.target());
        // What lies on the ray before the gap moves one step on.
        let below = Points::from_bits(Points::of(gap).bits() - 1);
        let before_gap = if step.is_upward() {
            below
        } else {
            !(below | Points::of(gap))
        };
        let moved = push.entry.ray() & before_gap;
        let shift = |set: Points| (set & !moved) | (set & moved).step(step);
        let Pieces { of, gipf } = self.pieces;
        self.pieces = Pieces {
            of: of.map(shift),
            gipf: shift(gipf),
        };
        let i = self.side.index();
        self.pieces.of[i] |= target;
        if push.piece == Piece::Gipf {
            self.pieces.gipf |= target;
        }
        self.reserves[i] -= push.piece.cost();
        self.stages[i] = match push.piece {
            Piece::Gipf => Stage::Gipf,
            Piece::Single => Stage::Single,
        };
        true
    }

    /// The turn passes to the other side.
    #[inline]
    fn pass(&mut self) {
        self.side = !self.side;
    }

    /// Every way of taking off the rows of the side to move.
    pub(crate) fn removals(&self) -> Vec<Removal> {
        removal::removals(&self.pieces, self.side.index())
    }

    /// The way of taking off the rows of the side to move by which just these pieces go.
    pub(crate) fn removal_of(&self, taken: Points) -> Option<Removal> {
        removal::find(&self.pieces, self.side.index(), taken)
    }

    /// Calls `visit` with every legal move and the position after it, until it breaks: for
    /// searches, which would otherwise push every piece twice.
    #[inline]
    pub fn visit_successors<B>(
        &self,
        mut visit: impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.ended().is_some() {
            return ControlFlow::Continue(());
        }
        let begun = self.begin();
        if !self.has_rows() {
            return begun.visit_pushes(Points::EMPTY, &mut visit);
        }
        for removal in self.removals() {
            let mut next = begun;
            next.take(removal.taken);
            if next.is_decided() {
                next.pass();
                let mv = Move {
                    before: removal.taken,
                    push: None,
                    after: Points::EMPTY,
                };
                visit(mv, next)?;
            } else {
                next.visit_pushes(removal.taken, &mut visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The position with the ply counted, if anything depends on it.
    #[inline]
    pub(crate) fn begin(&self) -> Position {
        let counted = u8::from(self.limit != DrawLimit::NEVER);
        Position {
            quiet: self.quiet.saturating_add(counted),
            ..*self
        }
    }

    #[inline]
    fn visit_pushes<B>(
        &self,
        before: Points,
        visit: &mut impl FnMut(Move, Position) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let occupied = self.pieces.occupied();
        for piece in Piece::ALL {
            if !self.may_bring(piece) {
                continue;
            }
            for entry in Entry::all() {
                if entry.canonical(occupied) != entry {
                    continue;
                }
                let push = Push { entry, piece };
                let mut next = *self;
                if !next.push(push) {
                    continue;
                }
                let turn = |after| Move {
                    before,
                    push: Some(push),
                    after,
                };
                if removal::has_four(next.pieces(self.side)) {
                    for removal in next.removals() {
                        let mut taken = next;
                        taken.take(removal.taken);
                        taken.pass();
                        visit(turn(removal.taken), taken)?;
                    }
                } else {
                    next.pass();
                    visit(turn(Points::EMPTY), next)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The position after a legal move; `None` if it is not one.
    pub(crate) fn after(&self, mv: Move) -> Option<Position> {
        if self.ended().is_some() || !self.takes(mv.before) {
            return None;
        }
        let mut next = self.begin();
        next.take(mv.before);
        match mv.push {
            None => (next.is_decided() && mv.after.is_empty()).then_some(())?,
            Some(push) => {
                let standing = push.entry.canonical(next.pieces.occupied());
                let allowed = !next.is_decided() && standing == push.entry;
                if !(allowed && next.may_bring(push.piece) && next.push(push)) {
                    return None;
                }
                if !next.takes(mv.after) {
                    return None;
                }
                next.take(mv.after);
            }
        }
        next.pass();
        Some(next)
    }

    /// The position in the middle of a legal move: the piece has been brought in, and the mover's
    /// rows have not been taken off yet. `None` if none is brought in.
    #[must_use]
    pub fn pushed(&self, mv: Move) -> Option<Position> {
        let mut next = self.begin();
        next.take(mv.before);
        let push = mv.push?;
        (next.may_bring(push.piece) && next.push(push)).then_some(next)
    }

    /// Whether taking off just these pieces deals with all rows of the side to move.
    #[inline]
    fn takes(&self, taken: Points) -> bool {
        if self.has_rows() {
            self.removal_of(taken).is_some()
        } else {
            taken.is_empty()
        }
    }
}

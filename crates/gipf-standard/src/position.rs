//! A position, a move, and what a turn does.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use rules::{PositionError, Side};
use thiserror::Error;

use crate::board::Entry;
use crate::points::{Point, Points};
use crate::removal::{self, Pieces, Removal};

/// Which of the three published games is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rules {
    /// 15 pieces each, no GIPF-pieces; three pieces of each side start on the corners.
    Basic,
    /// 18 pieces each; three GIPF-pieces of each side start on the corners.
    Standard,
    /// 18 pieces each, an empty board; the players bring in as many GIPF-pieces as they like.
    Tournament,
}

impl Rules {
    /// All three, from the simplest.
    pub const ALL: [Rules; 3] = [Rules::Basic, Rules::Standard, Rules::Tournament];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rules::Basic => "basic",
            Rules::Standard => "standard",
            Rules::Tournament => "tournament",
        }
    }

    /// How many single pieces each side owns, a GIPF-piece counting as two.
    #[must_use]
    pub const fn total(self) -> u8 {
        match self {
            Rules::Basic => 15,
            Rules::Standard | Rules::Tournament => 18,
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Rules {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Rules, PositionError> {
        let found = Rules::ALL.into_iter().find(|rules| rules.name() == text);
        found.ok_or_else(|| {
            PositionError::new(format!(
                "rules {text:?} are not basic, standard or tournament"
            ))
        })
    }
}

/// What a side may bring in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// Nothing was brought in yet: the first piece must be a GIPF-piece.
    First,
    /// Only GIPF-pieces were brought in: a GIPF-piece or a single piece may follow.
    Gipf,
    /// Single pieces only.
    Single,
}

/// A single piece or two stacked ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Piece {
    /// One piece.
    Single,
    /// Two pieces, one on top of the other, which count as one on the board.
    Gipf,
}

impl Piece {
    /// Both kinds.
    pub const ALL: [Piece; 2] = [Piece::Single, Piece::Gipf];

    /// How many pieces of the reserve it takes.
    #[inline]
    #[must_use]
    pub const fn cost(self) -> u8 {
        match self {
            Piece::Single => 1,
            Piece::Gipf => 2,
        }
    }
}

/// Bringing a piece in: the way and the piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Push {
    /// The dot and the direction.
    pub entry: Entry,
    /// The kind of piece.
    pub piece: Piece,
}

/// One turn: the mover's rows that lie on the board are taken off, a piece is brought in, and the
/// mover's rows are taken off once more.
///
/// The opponent's rows are left to the opponent's turn. Two ways of taking rows off that take the
/// same pieces are one move. There is no push if taking off has ended the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    /// The pieces that are taken off before the push.
    pub before: Points,
    /// What is brought in, and from where.
    pub push: Option<Push>,
    /// The pieces that are taken off after the push.
    pub after: Points,
}

const _: () = assert!(size_of::<Move>() <= 24);

/// After how many plies without a captured piece a game is drawn.
///
/// The published rules know no draw, and play that only returns pieces to their owners can go on
/// for ever; so the limit is a parameter of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DrawLimit(u8);

impl DrawLimit {
    /// The game is never drawn, as in the published text.
    pub const NEVER: DrawLimit = DrawLimit(0);
    /// What is played if nothing else is said.
    pub const DEFAULT: DrawLimit = DrawLimit(100);

    /// Drawn after so many plies; 0 is never.
    #[must_use]
    pub const fn new(half_moves: u8) -> DrawLimit {
        DrawLimit(half_moves)
    }

    /// The number of plies, 0 for never.
    #[must_use]
    pub const fn half_moves(self) -> u8 {
        self.0
    }

    #[inline]
    fn is_reached(self, quiet: u8) -> bool {
        self.0 != 0 && quiet >= self.0
    }
}

/// A position at the beginning of a turn.
///
/// Rows of the side to move may lie on the board, made by the opponent's push; of the other side
/// only rows of GIPF-pieces alone, all of which were kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pieces: Pieces,
    reserves: [u8; 2],
    stages: [Stage; 2],
    rules: Rules,
    side: Side,
    quiet: u8,
    limit: DrawLimit,
}

const _: () = assert!(size_of::<Position>() <= 32);

/// What a position is made of, before it is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The rules.
    pub rules: Rules,
    /// The pieces of White and of Black on the board.
    pub pieces: [Points; 2],
    /// Those of them that are GIPF-pieces.
    pub gipf: Points,
    /// The single pieces in reserve, White's first.
    pub reserves: [u8; 2],
    /// What White and Black may bring in.
    pub stages: [Stage; 2],
    /// Who is to move.
    pub side: Side,
    /// Half-moves since a piece was last captured.
    pub quiet: u8,
    /// When a game is drawn.
    pub limit: DrawLimit,
}

/// Why pieces and reserves make no position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// A point has pieces of both sides.
    #[error("{0:?} has a piece of either side")]
    Overlap(Point),
    /// A GIPF-piece lies where no side has a piece.
    #[error("the GIPF-piece on {0:?} has no colour")]
    Colourless(Point),
    /// A side has more pieces than the game gives it.
    #[error("{} has {found} pieces on the board and in reserve, but the game has {total}", name(*.side))]
    TooMany {
        /// Whose pieces.
        side: Side,
        /// How many were counted, a GIPF-piece as two.
        found: u32,
        /// How many there are.
        total: u8,
    },
    /// The basic game has no GIPF-pieces.
    #[error("the basic game has no GIPF-pieces, but one is on {0:?}")]
    GipfInBasic(Point),
    /// Only in the tournament game are GIPF-pieces brought in.
    #[error("{} brings in GIPF-pieces, but the game is {rules}", name(*.side))]
    Stage {
        /// Who.
        side: Side,
        /// The rules.
        rules: Rules,
    },
    /// A side that has brought in nothing, or GIPF-pieces alone, has other pieces on the board.
    #[error("{} has not brought in the piece on {point:?} yet", name(*.side))]
    Early {
        /// Whose piece.
        side: Side,
        /// Where it is.
        point: Point,
    },
    /// A side that must bring in a GIPF-piece has not enough pieces for one.
    #[error("{} must bring in a GIPF-piece, but has {reserve} in reserve", name(*.side))]
    Stuck {
        /// Who.
        side: Side,
        /// How many pieces it has.
        reserve: u8,
    },
    /// Rows that should have been taken off lie on the board.
    #[error("{found} rows of {}, who has just moved, lie on the board", name(*.side))]
    Rows {
        /// Whose rows.
        side: Side,
        /// How many.
        found: usize,
    },
}

/// White or Black.
pub(crate) const fn name(side: Side) -> &'static str {
    match side {
        Side::First => "White",
        Side::Second => "Black",
    }
}

impl TryFrom<Setup> for Position {
    type Error = Fault;

    fn try_from(setup: Setup) -> Result<Position, Fault> {
        let pieces = Pieces {
            of: setup.pieces,
            gipf: setup.gipf,
        };
        if let Some(point) = (setup.pieces[0] & setup.pieces[1]).first() {
            return Err(Fault::Overlap(point));
        }
        if let Some(point) = (setup.gipf & !pieces.occupied()).first() {
            return Err(Fault::Colourless(point));
        }
        if let (Rules::Basic, Some(point)) = (setup.rules, setup.gipf.first()) {
            return Err(Fault::GipfInBasic(point));
        }
        let rules = setup.rules;
        for side in Side::BOTH {
            let i = side.index();
            let own = setup.pieces[i];
            let found = own.len() + (own & setup.gipf).len() + u32::from(setup.reserves[i]);
            let total = rules.total();
            if found > u32::from(total) {
                return Err(Fault::TooMany { side, found, total });
            }
            let early = match setup.stages[i] {
                Stage::First => own,
                Stage::Gipf => own & !setup.gipf,
                Stage::Single => Points::EMPTY,
            };
            if setup.stages[i] != Stage::Single && rules != Rules::Tournament {
                return Err(Fault::Stage { side, rules });
            }
            if let Some(point) = early.first() {
                return Err(Fault::Early { side, point });
            }
            let reserve = setup.reserves[i];
            if setup.stages[i] == Stage::First && reserve < Piece::Gipf.cost() {
                return Err(Fault::Stuck { side, reserve });
            }
        }
        let side = !setup.side;
        match removal::overdue(&pieces, side.index()) {
            0 => Ok(Position {
                pieces,
                reserves: setup.reserves,
                stages: setup.stages,
                rules,
                side: setup.side,
                quiet: setup.quiet,
                limit: setup.limit,
            }),
            found => Err(Fault::Rows { side, found }),
        }
    }
}

impl Position {
    /// The start of a game: White moves, and has a corner at the dot `e1`.
    #[must_use]
    pub fn start(rules: Rules) -> Position {
        let corners =
            |labels: [&str; 3]| labels.into_iter().filter_map(Point::from_label).collect();
        let mut of = [corners(["b5", "e2", "h5"]), corners(["b2", "e8", "h2"])];
        let (mut gipf, mut stage, mut reserve) = (Points::EMPTY, Stage::Single, 12);
        match rules {
            Rules::Basic => {}
            Rules::Standard => gipf = of[0] | of[1],
            Rules::Tournament => {
                (of, stage, reserve) = ([Points::EMPTY; 2], Stage::First, rules.total());
            }
        }
        Position {
            pieces: Pieces { of, gipf },
            reserves: [reserve; 2],
            stages: [stage; 2],
            rules,
            side: Side::First,
            quiet: 0,
            limit: DrawLimit::DEFAULT,
        }
    }

    /// The same position, drawn after another number of plies.
    #[must_use]
    pub const fn with_limit(self, limit: DrawLimit) -> Position {
        Position { limit, ..self }
    }

    /// The same position in a game that is never drawn.
    #[inline]
    #[must_use]
    pub const fn never_drawn(self) -> Position {
        Position {
            quiet: 0,
            limit: DrawLimit::NEVER,
            ..self
        }
    }

    /// What the position is made of.
    #[must_use]
    pub const fn setup(&self) -> Setup {
        Setup {
            rules: self.rules,
            pieces: self.pieces.of,
            gipf: self.pieces.gipf,
            reserves: self.reserves,
            stages: self.stages,
            side: self.side,
            quiet: self.quiet,
            limit: self.limit,
        }
    }

    /// The rules that are played.
    #[inline]
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Who is to move.
    #[inline]
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The pieces of one side, single or stacked.
    #[inline]
    #[must_use]
    pub const fn pieces(&self, side: Side) -> Points {
        self.pieces.of[side.index()]
    }

    /// The GIPF-pieces of one side.
    #[inline]
    #[must_use]
    pub fn gipf(&self, side: Side) -> Points {
        self.pieces(side) & self.pieces.gipf
    }

    /// What lies on a point.
    #[must_use]
    pub fn at(&self, point: Point) -> Option<(Side, Piece)> {
        let side = Side::BOTH
            .into_iter()
            .find(|&side| self.pieces(side).contains(point))?;
        let piece = Piece::ALL[usize::from(self.pieces.gipf.contains(point))];
        Some((side, piece))
    }

    /// How many single pieces one side has in reserve.
    #[inline]
    #[must_use]
    pub const fn reserve(&self, side: Side) -> u8 {
        self.reserves[side.index()]
    }

    /// How many pieces one side has lost to the other, a GIPF-piece counting as two.
    #[must_use]
    pub fn captured(&self, side: Side) -> u8 {
        let own = self.pieces(side).len() + self.gipf(side).len();
        self.rules.total() - self.reserve(side) - own as u8
    }

    /// What one side may bring in.
    #[inline]
    #[must_use]
    pub const fn stage(&self, side: Side) -> Stage {
        self.stages[side.index()]
    }

    /// Half-moves since a piece was last captured.
    #[inline]
    #[must_use]
    pub const fn quiet(&self) -> u8 {
        self.quiet
    }

    /// When the game is drawn.
    #[inline]
    #[must_use]
    pub const fn limit(&self) -> DrawLimit {
        self.limit
    }

    /// Whether rows of the side to move lie on the board.
    #[inline]
    #[must_use]
    pub fn has_rows(&self) -> bool {
        removal::has_four(self.pieces(self.side))
    }

    #[inline]
    pub(crate) const fn board(&self) -> &Pieces {
        &self.pieces
    }

    /// Whether a side has lost because none of its GIPF-pieces is on the board: in the tournament
    /// game from its first move on.
    #[inline]
    #[must_use]
    pub fn is_without_gipf(&self, side: Side) -> bool {
        self.rules != Rules::Basic && self.stage(side) != Stage::First && self.gipf(side).is_empty()
    }

    /// Whether taking pieces off has decided the game.
    #[inline]
    pub(crate) fn is_decided(&self) -> bool {
        self.is_without_gipf(self.side) || self.is_without_gipf(!self.side)
    }

    /// The end of the game: the winner, or nobody in a draw. Pieces are taken off before the
    /// reserve is looked at, and both come before the draw.
    #[inline]
    pub(crate) fn ended(&self) -> Option<Option<Side>> {
        for side in [self.side, !self.side] {
            if self.is_without_gipf(side) {
                return Some(Some(!side));
            }
        }
        if self.reserve(self.side) == 0 && !self.has_rows() {
            return Some(Some(!self.side));
        }
        self.limit.is_reached(self.quiet).then_some(None)
    }

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
            self.removals().iter().any(|removal| removal.taken == taken)
        } else {
            taken.is_empty()
        }
    }

    /// The position seen through a symmetry of the board.
    pub(crate) fn mapped(&self, map: impl Fn(Points) -> Points) -> Position {
        Position {
            pieces: Pieces {
                of: self.pieces.of.map(&map),
                gipf: map(self.pieces.gipf),
            },
            ..*self
        }
    }
}

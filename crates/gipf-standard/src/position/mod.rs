//! A position: what lies where, whose turn it is, and whether the game is over.

mod placing;
mod setup;

pub(crate) use setup::name;
pub use setup::{Fault, Setup};

use rules::Side;

use crate::moves::Piece;
use crate::points::{Point, Points};
use crate::removal::{self, Pieces};
use crate::variant::{DrawLimit, Rules, Stage};

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

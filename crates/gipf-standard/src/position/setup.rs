//! What a position is made of, and what makes none.

use std::ops::ControlFlow;

use rules::Side;
use thiserror::Error;

use super::Position;
use crate::moves::Piece;
use crate::points::{Point, Points};
use crate::removal::{self, Pieces};
use crate::variant::{DrawLimit, Rules, Stage};

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
    #[error("{} has just moved and left rows on the board: {found}", name(*.side))]
    Rows {
        /// Whose rows.
        side: Side,
        /// How many.
        found: usize,
    },
    /// GIPF-pieces in rows that cross may go or stay in more ways than anybody can list.
    #[error("the side to move has more than {MOST_MOVES} moves")]
    Moves,
}

/// How many moves the side to move of a position that is set up may have. Games get nowhere near
/// it; GIPF-pieces laid out on purpose make millions.
const MOST_MOVES: usize = 100_000;

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
        let found = removal::overdue(&pieces, side.index());
        if found > 0 {
            return Err(Fault::Rows { side, found });
        }
        let position = Position {
            pieces,
            reserves: setup.reserves,
            stages: setup.stages,
            rules,
            side: setup.side,
            quiet: setup.quiet,
            limit: setup.limit,
        };
        let mut moves = 0;
        let counted = position.never_drawn().visit_successors(|_, _| {
            moves += 1;
            match moves > MOST_MOVES {
                true => ControlFlow::Break(Fault::Moves),
                false => ControlFlow::Continue(()),
            }
        });
        counted.break_value().map_or(Ok(position), Err)
    }
}

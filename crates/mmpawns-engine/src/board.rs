//! The pawns as the engine sees them: the player to move always goes up.

use mmpawns::{Move, Position, Square};
use rules::{Game, Side};

/// The row that the player to move wants to reach.
pub(crate) const TOP: u64 = 0xff;
/// The row that the opponent wants to reach.
pub(crate) const BOTTOM: u64 = 0xff << 56;

const NOT_LEFT: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_RIGHT: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Squares one row up from `set`: to the left, straight, to the right.
#[inline]
pub(crate) const fn up(set: u64) -> [u64; 3] {
    [(set & NOT_LEFT) >> 9, set >> 8, (set & NOT_RIGHT) >> 7]
}

/// Squares one row down from `set`: to the left, straight, to the right.
#[inline]
pub(crate) const fn down(set: u64) -> [u64; 3] {
    [(set & NOT_LEFT) << 7, set << 8, (set & NOT_RIGHT) << 9]
}

/// All squares one row up from `set`, in the three directions.
#[inline]
pub(crate) const fn up_all(set: u64) -> u64 {
    let [left, straight, right] = up(set);
    left | straight | right
}

/// All squares one row down from `set`, in the three directions.
#[inline]
pub(crate) const fn down_all(set: u64) -> u64 {
    let [left, straight, right] = down(set);
    left | straight | right
}

/// The same squares on a board turned upside down.
#[inline]
pub(crate) const fn flip(set: u64) -> u64 {
    set.swap_bytes()
}

/// The pawns of both players, turned so that the player to move goes up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Board {
    /// Pawns of the player to move.
    pub(crate) own: u64,
    /// Pawns of the opponent.
    pub(crate) other: u64,
}

/// A move and the board after it, turned for the opponent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) board: Board,
    pub(crate) from: u8,
    pub(crate) to: u8,
}

impl Child {
    /// The move on the board as people see it; `side` made it.
    pub(crate) fn to_move(self, side: Side) -> Move {
        let turn = [0, 56][side.index()];
        Move {
            from: Square::new(self.from ^ turn),
            to: Square::new(self.to ^ turn),
        }
    }
}

/// No position has more moves: eight pawns, three directions.
pub(crate) const MOST_MOVES: usize = 24;

impl Board {
    pub(crate) fn of(position: &Position) -> Board {
        let side = position.side_to_move();
        let turn = |set: mmpawns::Squares| match side {
            Side::First => set.0,
            Side::Second => flip(set.0),
        };
        Board {
            own: turn(position.pawns(side)),
            other: turn(position.pawns(!side)),
        }
    }

    /// Squares of `field` without a pawn.
    #[inline]
    pub(crate) const fn free(self, field: u64) -> u64 {
        field & !(self.own | self.other)
    }

    /// Whether the player to move has no move (and so has won).
    #[inline]
    pub(crate) const fn is_stuck(self, field: u64) -> bool {
        let free = self.free(field);
        let ahead = up(self.own);
        if (ahead[0] | ahead[1] | ahead[2]) & free != 0 {
            return false;
        }
        let jumps = up(ahead[0] & self.other)[0]
            | up(ahead[1] & self.other)[1]
            | up(ahead[2] & self.other)[2];
        jumps & free == 0
    }

    /// Whether the opponent's last move brought a pawn to the edge.
    #[inline]
    pub(crate) const fn has_arrived(self) -> bool {
        self.other & BOTTOM != 0
    }

    /// The board after own pawns `own` and the opponent's `other`, turned.
    #[inline]
    pub(crate) const fn turned(own: u64, other: u64) -> Board {
        Board {
            own: flip(other),
            other: flip(own),
        }
    }

    /// The board after the pawn of one square, given as a bit, has gone to another, turned;
    /// `None` if it cannot. The squares must be those of some move on some board.
    pub(crate) fn after(self, field: u64, [from, to]: [u64; 2]) -> Option<Board> {
        if self.own & from == 0 || self.free(field) & to == 0 {
            return None;
        }
        let distance = from.trailing_zeros() - to.trailing_zeros();
        let over = if distance > 9 {
            to << (distance / 2)
        } else {
            0
        };
        (self.other & over == over).then(|| Board::turned(self.own ^ from ^ to, self.other ^ over))
    }

    /// The squares of the move, as bits, after which the opponent sees `next`.
    pub(crate) fn move_to(self, next: Board) -> [u64; 2] {
        let own = flip(next.other);
        [self.own & !own, own & !self.own]
    }

    /// Calls `visit` with every move; the order is jumps first, then pawns far ahead.
    #[inline]
    pub(crate) fn each_child(self, field: u64, mut visit: impl FnMut(Child)) {
        let free = self.free(field);
        let ahead = up(self.own);
        for (direction, back) in [(0, 9u8), (1, 8), (2, 7)] {
            let mut jumps = up(ahead[direction] & self.other)[direction] & free;
            while jumps != 0 {
                let to = jumps.trailing_zeros() as u8;
                jumps &= jumps - 1;
                let (over, from) = (to + back, to + 2 * back);
                let own = self.own ^ (1 << to) ^ (1 << from);
                let board = Board::turned(own, self.other ^ (1 << over));
                visit(Child { board, from, to });
            }
        }
        for (direction, back) in [(1, 8u8), (0, 9), (2, 7)] {
            let mut steps = ahead[direction] & free;
            while steps != 0 {
                let to = steps.trailing_zeros() as u8;
                steps &= steps - 1;
                let from = to + back;
                let own = self.own ^ (1 << to) ^ (1 << from);
                let board = Board::turned(own, self.other);
                visit(Child { board, from, to });
            }
        }
    }

    /// Own and the opponent's moves that are left at most before a pawn arrives.
    #[inline]
    pub(crate) fn moves_left(self) -> [u32; 2] {
        // Rows to go, less the one move that arrives: summed by bits of the row number.
        const ROW_BITS: [u64; 3] = [
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        const fn left(set: u64) -> u32 {
            let ones = (set & ROW_BITS[0]).count_ones();
            let twos = (set & ROW_BITS[1]).count_ones();
            let fours = (set & ROW_BITS[2]).count_ones();
            (ones + 2 * twos + 4 * fours).wrapping_sub(set.count_ones())
        }
        [left(self.own), left(flip(self.other))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::{Spread, random_start};

    /// Whatever can be played on one board can be played on another if that says so.
    #[test]
    fn moves_carry_over_where_they_are_legal() {
        let (mut can, mut cannot) = (0, 0);
        for seed in 0..400 {
            let [one, another] = [seed, seed + 1000].map(|seed| {
                let start = random_start(Spread::Anywhere, 8, 0, seed);
                (Board::of(&start), start.field().0)
            });
            one.0.each_child(one.1, |child| {
                let mv = one.0.move_to(child.board);
                assert_eq!(mv, [1 << child.from, 1 << child.to]);
                assert_eq!(one.0.after(one.1, mv), Some(child.board));
                let mut there = None;
                another.0.each_child(another.1, |other| {
                    if (other.from, other.to) == (child.from, child.to) {
                        there = Some(other.board);
                    }
                });
                assert_eq!(another.0.after(another.1, mv), there, "{seed}: {child:?}");
                can += u32::from(there.is_some());
                cannot += u32::from(there.is_none());
            });
        }
        assert!(can > 100 && cannot > 100, "{can} {cannot}");
    }
}

//! Boards of sizes 2 and 3, with the moves that tablebases are made with.

use std::ops::ControlFlow;
use std::sync::Arc;

use gipf::{Position, Variant};
use rules::Game;

use super::Rules;
use crate::tables::board::Shape;
use crate::tables::index::Views;
use crate::tables::moves::Stones;

/// The rules of a variant of size 2 or 3, whatever the numbers of stones.
#[derive(Clone)]
pub(crate) struct Small {
    pub(crate) views: Arc<Views>,
}

/// The stones on a small board, and those that the player to move and the opponent have in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SmallBoard {
    pub(crate) stones: Stones,
    pub(crate) totals: [u8; 2],
}

impl SmallBoard {
    /// The largest size of a small board.
    pub(crate) const LARGEST: u8 = 3;

    /// Positions in which a side has more stones are left to the general rules.
    const MOST_STONES: u16 = 200;

    /// The position on a small board; `None` if it is too large.
    pub(crate) fn new(position: &Position) -> Option<SmallBoard> {
        let side = position.side_to_move();
        let totals = [side, !side].map(|side| position.material(side));
        let fits = totals.iter().all(|&total| total <= SmallBoard::MOST_STONES);
        (position.variant().size() <= SmallBoard::LARGEST && fits).then(|| SmallBoard {
            stones: Stones {
                own: position.stones(side) as u32,
                other: position.stones(!side) as u32,
            },
            totals: totals.map(|total| total as u8),
        })
    }
}

impl Small {
    /// The rules of this size and run length.
    pub(crate) fn new(variant: Variant) -> Small {
        Small {
            views: Arc::new(Views::new(Shape::new(variant))),
        }
    }

    /// The lines and moves of the board.
    #[inline]
    pub(crate) fn shape(&self) -> &Shape {
        &self.views.shape
    }
}

impl Rules for Small {
    type Board = SmallBoard;

    #[inline(always)]
    fn visit_children(
        &self,
        board: &SmallBoard,
        mut visit: impl FnMut(SmallBoard) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [own, other] = board.totals;
        let mut list = Vec::with_capacity(48);
        self.shape().successors(board.stones, &mut list);
        // Which image stands for each is in a large table: asked for together, they are waited for
        // together.
        for next in &list {
            self.views.prefetch(next.stones);
        }
        for next in &list {
            visit(SmallBoard {
                stones: next.stones,
                totals: [other - next.lost[1], own - next.lost[0]],
            })?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn canonical(&self, board: &SmallBoard) -> SmallBoard {
        SmallBoard {
            stones: self.views.canonical(board.stones),
            ..*board
        }
    }

    #[inline(always)]
    fn key(&self, board: &SmallBoard, attacking: bool) -> u64 {
        let SmallBoard { stones, totals } = board;
        let word = u64::from(stones.own)
            | u64::from(stones.other) << 19
            | u64::from(totals[0]) << 38
            | u64::from(totals[1]) << 46
            | u64::from(attacking) << 54
            | 1 << 55;
        // Multiplying by an odd number and folding are both one to one.
        let mixed = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }

    #[inline(always)]
    fn is_over(&self, board: &SmallBoard) -> bool {
        let SmallBoard { stones, totals } = board;
        stones.own.count_ones() == u32::from(totals[0])
            || stones.own | stones.other == self.shape().full
    }

    #[inline(always)]
    fn wins_in_one(&self, board: &SmallBoard) -> bool {
        let SmallBoard { stones, totals } = board;
        let shape = self.shape();
        let empty = shape.full & !(stones.own | stones.other);
        let spent = stones.other.count_ones() == u32::from(totals[1]);
        if !spent && empty & empty.wrapping_sub(1) != 0 || self.is_over(board) {
            return false;
        }
        // Mostly the opponent is left without a stone to play.
        spent && shape.has_quiet_move(*stones) || self.some_move_ends(board)
    }

    /// Who is to move with one stone in reserve, and can make no row, has none left after the next
    /// ply. The opponent then has a stone to put onto a free point of the rim, if there are two of
    /// them now: that moves no stone, so it makes no row of the other's, who has lost.
    ///
    /// Where the opponent has one stone in reserve, the player to move puts one onto the rim, if
    /// there is a point where that leaves the opponent no row to make; then it is as above.
    #[inline(always)]
    fn plain_winner(&self, board: &SmallBoard) -> Option<bool> {
        let SmallBoard { stones, totals } = *board;
        let shape = self.shape();
        let reserve = |total: u8, set: u32| u32::from(total).wrapping_sub(set.count_ones());
        let reserves = [
            reserve(totals[0], stones.own),
            reserve(totals[1], stones.other),
        ];
        match reserves {
            [1, other] if other > 0 => {
                let free = shape.rim & !(stones.own | stones.other);
                let two = free & free.wrapping_sub(1) != 0;
                if two && !shape.can_make_row(stones) {
                    return Some(false);
                }
            }
            [own, 1] if own > 1 => {
                let free = shape.rim & !(stones.own | stones.other);
                if free.count_ones() > 2 && shape.can_keep_from_rows(stones) {
                    return Some(true);
                }
            }
            _ => {}
        }
        self.wins_in_one(board).then_some(true)
    }

    #[inline(always)]
    fn reserves(&self, board: &SmallBoard) -> [i32; 2] {
        let [own, other] = self.stones(board);
        [
            i32::from(board.totals[0]) - own,
            i32::from(board.totals[1]) - other,
        ]
    }

    #[inline(always)]
    fn stones(&self, board: &SmallBoard) -> [i32; 2] {
        [board.stones.own, board.stones.other].map(|set| set.count_ones() as i32)
    }

    #[inline(always)]
    fn points(&self) -> i32 {
        self.shape().points as i32
    }
}

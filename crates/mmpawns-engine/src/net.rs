//! A small network for the part of the estimate that no sum over single squares can say.
//!
//! Every pawn and every hole adds its row of weights to the hidden sums; each sum counts
//! between zero and one, with a weight of its own. A move changes two or three rows.

use crate::board::Board;

/// Hidden sums.
pub(crate) const HIDDEN: usize = 32;
/// Own pawns, the opponent's and holes, by square, and one that always counts.
pub(crate) const INPUTS: usize = 3 * 64 + 1;

/// Where the inputs of each kind begin.
pub(crate) const OWN: usize = 0;
pub(crate) const OTHER: usize = 64;
const HOLES: usize = 128;
const ALWAYS: usize = 192;

/// What stands for one in the hidden sums, so that weights up to two fit in a byte, and in
/// the weights of the result (hundredths of a logit).
pub(crate) const ONE: i16 = 60;
pub(crate) const RESULT_ONE: i16 = 16;

/// The hidden sums of a position.
pub(crate) type Sums = [i16; HIDDEN];

/// What one input adds to them.
pub(crate) type Row = [i8; HIDDEN];

/// The weights.
pub(crate) struct Net {
    pub(crate) rows: [Row; INPUTS],
    pub(crate) results: [i16; HIDDEN],
}

/// Calls `visit` with every input that counts here.
#[inline(always)]
pub(crate) fn inputs(board: Board, field: u64, mut visit: impl FnMut(usize)) {
    for (first, mut set) in [(OWN, board.own), (OTHER, board.other), (HOLES, !field)] {
        while set != 0 {
            visit(first + set.trailing_zeros() as usize);
            set &= set - 1;
        }
    }
    visit(ALWAYS);
}

impl Net {
    /// The hidden sums of a position.
    #[inline(always)]
    pub(crate) fn sums(&self, board: Board, field: u64) -> Sums {
        let mut sums = [0; HIDDEN];
        inputs(board, field, |input| {
            for (sum, &weight) in sums.iter_mut().zip(&self.rows[input]) {
                *sum += i16::from(weight);
            }
        });
        sums
    }

    /// The sums after one input has given way to another, and a third, if any, has gone.
    #[inline(always)]
    pub(crate) fn moved(&self, sums: &Sums, from: usize, to: usize, gone: Option<usize>) -> Sums {
        let mut sums = *sums;
        let (from, to) = (&self.rows[from], &self.rows[to]);
        for i in 0..HIDDEN {
            sums[i] += i16::from(to[i]) - i16::from(from[i]);
        }
        if let Some(gone) = gone {
            for (sum, &weight) in sums.iter_mut().zip(&self.rows[gone]) {
                *sum -= i16::from(weight);
            }
        }
        sums
    }

    /// What the network adds to the estimate.
    #[inline(always)]
    pub(crate) fn result(&self, sums: &Sums) -> i32 {
        let mut result = 0;
        for (&sum, &weight) in sums.iter().zip(&self.results) {
            result += i32::from(sum.clamp(0, ONE)) * i32::from(weight);
        }
        result / (i32::from(ONE) * i32::from(RESULT_ONE))
    }
}

//! An estimate of who wins, from what can be counted on the board.

use crate::board::{Board, down, down_all, flip, up, up_all};

/// How many things are counted.
pub(crate) const FEATURES: usize = 16;

/// What is counted on a board, each as own minus the opponent's (but for the first,
/// which is the right to move).
#[inline]
pub(crate) fn features(board: Board, field: u64) -> [i32; FEATURES] {
    let own = counts(board.own, board.other, field);
    let other = counts(flip(board.other), flip(board.own), flip(field));
    let mut result = [0; FEATURES];
    result[0] = 1;
    for i in 1..FEATURES {
        result[i] = own[i] - other[i];
    }
    result
}

/// The same for one side, which goes up.
#[inline(always)]
fn counts(own: u64, other: u64, field: u64) -> [i32; FEATURES] {
    let count = |set: u64| set.count_ones() as i32;
    let free = field & !(own | other);
    let ahead = up(own);
    let steps = ahead.map(|set| set & free);
    let jumps = [0, 1, 2].map(|d| up(ahead[d] & other)[d] & free);
    // Own pawns that can be taken at once.
    let from_above = down(other);
    let below = [
        (free & 0x7f7f_7f7f_7f7f_7f7f) >> 7,
        free >> 8,
        (free & 0xfefe_fefe_fefe_fefe) >> 9,
    ];
    let taken =
        own & (from_above[0] & below[0] | from_above[1] & below[1] | from_above[2] & below[2]);
    let stuck = own & !down_all(free);
    let supported = own & (up_all(own) | (own << 1 & !LEFT) | (own >> 1 & !RIGHT));
    // Squares before which no enemy pawn can come any more.
    let mut shadow = down_all(other);
    shadow |= down_all(shadow);
    shadow |= down_all(down_all(shadow));
    shadow |= down_all(shadow);
    let past = own & !(shadow | other);
    let nearest = |set: u64| {
        if set == 0 {
            8
        } else {
            (set.trailing_zeros() / 8) as i32
        }
    };
    [
        0,
        count(own & ROW),
        count(own & ROW << 8),
        count(own & ROW << 16),
        count(own & ROW << 24),
        count(own & ROW << 32),
        count(own & ROW << 40),
        count(own & ROW << 48),
        count(own & ROW << 56),
        nearest(own),
        nearest(past),
        count(steps[0]) + count(steps[1]) + count(steps[2]),
        count(jumps[0]) + count(jumps[1]) + count(jumps[2]),
        count(taken),
        count(stuck),
        count(supported),
    ]
}

const ROW: u64 = 0xff;
const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// Weights in hundredths of a logit.
const WEIGHTS: [i32; FEATURES] = [
    40, 0, 160, 140, 125, 115, 108, 104, 100, -40, -40, 4, 10, -20, -5, 5,
];

/// The estimate for the player to move, in hundredths of a logit.
#[inline]
pub(crate) fn estimate(board: Board, field: u64) -> i32 {
    let counted = features(board, field);
    (0..FEATURES).map(|i| counted[i] * WEIGHTS[i]).sum()
}

//! An estimate of who wins: things counted on the board, with trained weights, and what a
//! small network makes of it.
//!
//! The estimate is a logit in hundredths: 0 is an even chance for the player to move,
//! 100 about 73 %.

use crate::batch::{LANES, Lanes};
use crate::board::{Board, down_all, flip, up};
use crate::net::{self, Sums};
use crate::race;
use crate::weights::{NET, PAWNS, WEIGHTS};

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// Where the weights of each kind begin.
pub(crate) const SQUARES: usize = 0;
pub(crate) const COUNTS: usize = SQUARES + 32;
pub(crate) const PAST: usize = COUNTS + 6;
pub(crate) const NEAREST: usize = PAST + 81;
pub(crate) const MATERIAL: usize = NEAREST + 81;
pub(crate) const SAFE: usize = MATERIAL + 81;
/// How many weights there are.
pub(crate) const SIZE: usize = SAFE + 81;

/// Sets of squares of one side, which goes up: the pawns or moves that each of the
/// counted weights is for, then the pawns that no enemy can meet any more.
#[inline(always)]
fn sets(own: u64, other: u64, field: u64) -> [u64; 7] {
    let free = field & !(own | other);
    let ahead = up(own);
    let jumps = up(ahead[0] & other)[0] | up(ahead[1] & other)[1] | up(ahead[2] & other)[2];
    // Own pawns with an enemy before them and a free square behind.
    let before = [(other & !LEFT) << 7, other << 8, (other & !RIGHT) << 9];
    let behind = [(free & !RIGHT) >> 7, free >> 8, (free & !LEFT) >> 9];
    let taken = before[0] & behind[0] | before[1] & behind[1] | before[2] & behind[2];
    // Squares that an enemy pawn can still come to stand before.
    let mut shadow = down_all(other);
    shadow |= down_all(shadow);
    shadow |= down_all(down_all(shadow));
    shadow |= down_all(shadow);
    [
        own & own << 1 & !LEFT,
        own & own << 8,
        (ahead[0] | ahead[1] | ahead[2]) & free,
        jumps & free,
        own & taken,
        own & !down_all(free),
        own & !shadow,
    ]
}

/// Rows to go for the foremost of these pawns; 8 if there are none.
#[inline(always)]
const fn foremost(pawns: u64) -> usize {
    (pawns.trailing_zeros() / 8) as usize
}

/// The weights of the pawns of one row, for every way to occupy it.
#[inline(always)]
fn squares(own: u64) -> i32 {
    (0..8)
        .map(|row| i32::from(PAWNS[row][(own >> (8 * row)) as usize & 0xff]))
        .sum()
}

/// The part of the estimate that depends on how pawns stand to each other; `a` and `b`
/// are the [`sets`] of both sides, `safe` the squares that they can come to safely.
#[inline(always)]
fn relations(own: u64, their_own: u64, a: [u64; 7], b: [u64; 7], safe: [u64; 2]) -> i32 {
    let weight = |index: usize| i32::from(WEIGHTS[index]);
    let count = |set: u64| set.count_ones() as i32;
    let mut sum = 0;
    let mut i = 0;
    while i < 6 {
        sum += weight(COUNTS + i) * (count(a[i]) - count(b[i]));
        i += 1;
    }
    sum + weight(PAST + 9 * foremost(a[6]) + foremost(b[6]))
        + weight(SAFE + 9 * foremost(safe[0]) + foremost(safe[1]))
        + weight(NEAREST + 9 * foremost(own) + foremost(their_own))
        + weight(MATERIAL + 9 * count(own) as usize + count(their_own) as usize)
}

/// The estimate for the player to move, in hundredths of a logit.
#[inline]
pub(crate) fn estimate(board: Board, field: u64) -> i32 {
    let Board { own, other } = board;
    let (their_own, their_other) = (flip(other), flip(own));
    let a = sets(own, other, field);
    let b = sets(their_own, their_other, flip(field));
    let counted = relations(own, their_own, a, b, safe(board, field));
    squares(own) - squares(their_own) + counted + NET.result(&NET.sums(board, field))
}

/// The squares that both players can come to safely, each as he sees the board.
fn safe(board: Board, field: u64) -> [u64; 2] {
    let Board { own, other } = board;
    [
        race::safe_squares(&[own], &[other], field, true)[0],
        race::safe_squares(&[flip(other)], &[flip(own)], flip(field), false)[0],
    ]
}

/// Estimates of the positions after each move of one position.
pub(crate) struct Estimator {
    field: u64,
    /// The squares of all pawns before the move, counted for the opponent.
    squares: i32,
    /// The hidden sums before the move, as he sees the board.
    sums: Sums,
}

impl Estimator {
    /// For the moves on this board, after which the opponent sees `field`.
    #[inline(always)]
    pub(crate) fn new(board: Board, field: u64) -> Estimator {
        let turned = Board::turned(board.own, board.other);
        Estimator {
            field,
            squares: squares(turned.own) - squares(board.own),
            sums: NET.sums(turned, field),
        }
    }

    /// The part of squares and of the network after a pawn has gone from one square to
    /// another, and taken the one that it went over, if any.
    #[inline(always)]
    pub(crate) fn after(&self, from: u8, to: u8, over: Option<u8>) -> i32 {
        let [from_there, to_there] = [from, to].map(|square| usize::from(square ^ 56));
        let gone = over.map(|square| net::OWN + usize::from(square ^ 56));
        let sums = NET.moved(
            &self.sums,
            net::OTHER + from_there,
            net::OTHER + to_there,
            gone,
        );
        let taken = over.map_or(0, |square| weight_of(square ^ 56));
        self.squares + weight_of(from) - weight_of(to) - taken + NET.result(&sums)
    }

    /// Adds the rest to the estimates of the boards in the lanes, and counts the squares
    /// that their players can step to.
    #[inline(always)]
    pub(crate) fn add(
        &self,
        [own, other]: [&Lanes; 2],
        safe: &[Lanes; 2],
        estimates: &mut [i32],
        steps: &mut [u8],
    ) {
        let (field, flipped) = (self.field, flip(self.field));
        let (mut a, mut b) = ([[0; LANES]; 7], [[0; LANES]; 7]);
        let mut their_own = [0; LANES];
        for i in 0..LANES {
            their_own[i] = flip(other[i]);
            let [sets_a, sets_b] = [
                sets(own[i], other[i], field),
                sets(their_own[i], flip(own[i]), flipped),
            ];
            for k in 0..7 {
                a[k][i] = sets_a[k];
                b[k][i] = sets_b[k];
            }
        }
        for (i, estimate) in estimates.iter_mut().take(LANES).enumerate() {
            steps[i] = a[2][i].count_ones() as u8;
            let [a, b] = [&a, &b].map(|sets| std::array::from_fn(|k| sets[k][i]));
            *estimate += relations(own[i], their_own[i], a, b, [safe[0][i], safe[1][i]]);
        }
    }
}

#[inline(always)]
fn weight_of(square: u8) -> i32 {
    i32::from(WEIGHTS[SQUARES + square_index(usize::from(square))])
}

/// Calls `visit` with the index of every weight that counts here, and how often.
pub(crate) fn features(board: Board, field: u64, mut visit: impl FnMut(usize, i32)) {
    let Board { own, other } = board;
    let sides = [
        (own, other, field, 1),
        (flip(other), flip(own), flip(field), -1),
    ];
    let [a, b] = sides.map(|(own, other, field, sign)| {
        for square in 0..64 {
            if own >> square & 1 != 0 {
                visit(SQUARES + square_index(square), sign);
            }
        }
        let sets = sets(own, other, field);
        for (i, set) in sets[..6].iter().enumerate() {
            visit(COUNTS + i, sign * set.count_ones() as i32);
        }
        [foremost(sets[6]), foremost(own)]
    });
    visit(PAST + 9 * a[0] + b[0], 1);
    let safe = safe(board, field).map(foremost);
    visit(SAFE + 9 * safe[0] + safe[1], 1);
    visit(NEAREST + 9 * a[1] + b[1], 1);
    let [own, other] = [own, other].map(|set| set.count_ones() as usize);
    visit(MATERIAL + 9 * own + other, 1);
}

/// The weight of a square: left and right are alike.
pub(crate) const fn square_index(square: usize) -> usize {
    let column = square % 8;
    let from_edge = if column < 4 { column } else { 7 - column };
    square / 8 * 4 + from_edge
}

/// The tables of whole rows that [`squares`] reads.
pub(crate) const fn row_tables(weights: &[i16; SIZE]) -> [[i16; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut row = 0;
    while row < 8 {
        let mut set = 0;
        while set < 256 {
            let mut column = 0;
            while column < 8 {
                if set >> column & 1 != 0 {
                    tables[row][set] += weights[SQUARES + square_index(8 * row + column)];
                }
                column += 1;
            }
            set += 1;
        }
        row += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::{Spread, random_start};

    #[test]
    fn the_fast_sum_is_the_sum_of_the_features() {
        for seed in 0..200 {
            let pawns = 1 + seed as u32 % 8;
            let position = random_start(Spread::Anywhere, pawns, pawns, seed);
            let (board, field) = (Board::of(&position), position.field().0);
            let mut sum = NET.result(&NET.sums(board, field));
            features(board, field, |i, n| sum += n * i32::from(WEIGHTS[i]));
            assert_eq!(estimate(board, field), sum, "{position}");
        }
    }
}

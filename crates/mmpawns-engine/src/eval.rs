//! An estimate of who wins: things counted on the board, with trained weights.
//!
//! The estimate is a logit in hundredths: 0 is an even chance for the player to move,
//! 100 about 73 %.

use crate::board::{Board, down_all, flip, up};
use crate::weights::{PAWNS, WEIGHTS};

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// Where the weights of each kind begin.
pub(crate) const SQUARES: usize = 0;
pub(crate) const COUNTS: usize = SQUARES + 32;
pub(crate) const PAST: usize = COUNTS + 6;
pub(crate) const NEAREST: usize = PAST + 81;
pub(crate) const MATERIAL: usize = NEAREST + 81;
/// How many weights there are.
pub(crate) const SIZE: usize = MATERIAL + 81;

/// Things that depend on how the pawns stand to each other, own minus the opponent's.
struct Counts {
    numbers: [i32; 6],
    /// Rows to go for the foremost pawn that no enemy can meet any more; 8 if none.
    past: usize,
    /// Rows to go for the foremost pawn.
    nearest: usize,
}

/// What is counted for one side, which goes up.
#[inline(always)]
fn count(own: u64, other: u64, field: u64) -> Counts {
    let number = |set: u64| set.count_ones() as i32;
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
    let past = own & !shadow;
    Counts {
        numbers: [
            number(own & own << 1 & !LEFT),
            number(own & own << 8),
            number((ahead[0] | ahead[1] | ahead[2]) & free),
            number(jumps & free),
            number(own & taken),
            number(own & !down_all(free)),
        ],
        past: if past == 0 {
            8
        } else {
            (past.trailing_zeros() / 8) as usize
        },
        nearest: if own == 0 {
            8
        } else {
            (own.trailing_zeros() / 8) as usize
        },
    }
}

/// The weights of the pawns of one row, for every way to occupy it.
#[inline(always)]
fn squares(own: u64) -> i32 {
    (0..8)
        .map(|row| i32::from(PAWNS[row][(own >> (8 * row)) as usize & 0xff]))
        .sum()
}

/// The estimate for the player to move, in hundredths of a logit.
#[inline]
pub(crate) fn estimate(board: Board, field: u64) -> i32 {
    let Board { own, other } = board;
    let (their_own, their_other) = (flip(other), flip(own));
    let a = count(own, other, field);
    let b = count(their_own, their_other, flip(field));
    let weight = |index: usize| i32::from(WEIGHTS[index]);
    let mut sum = squares(own) - squares(their_own);
    let mut i = 0;
    while i < 6 {
        sum += weight(COUNTS + i) * (a.numbers[i] - b.numbers[i]);
        i += 1;
    }
    let [own, other] = [own.count_ones() as usize, other.count_ones() as usize];
    sum + weight(PAST + 9 * a.past + b.past)
        + weight(NEAREST + 9 * a.nearest + b.nearest)
        + weight(MATERIAL + 9 * own + other)
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
        let counts = count(own, other, field);
        for (i, number) in counts.numbers.iter().enumerate() {
            visit(COUNTS + i, sign * number);
        }
        counts
    });
    visit(PAST + 9 * a.past + b.past, 1);
    visit(NEAREST + 9 * a.nearest + b.nearest, 1);
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
            let mut sum = 0;
            features(board, field, |i, n| sum += n * i32::from(WEIGHTS[i]));
            assert_eq!(estimate(board, field), sum, "{position}");
        }
    }
}

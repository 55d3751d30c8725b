//! The evaluation of the published game, for variants in which rows of four are taken off a board
//! of its size: the same patterns of lines, the same few pieces in reserve.

use gipf::{Position, Variant};
use gipf_standard::{Points, SIZE};
use gipf_standard_engine::{View, Weights};
use rules::{Game, Side};

/// Stones that make a row in the published game.
const RUN: u8 = 4;

/// The most stones that a side has in the games by which the weights were trained.
const STONES: u16 = 15;

/// Whether the weights know what happens in this variant.
pub(super) fn fit(variant: Variant) -> bool {
    variant.size() == SIZE
        && variant.run() == RUN
        && Side::BOTH
            .iter()
            .all(|&side| variant.stones(side) <= STONES)
}

/// The estimate from the view of the player to move.
#[inline]
pub(super) fn evaluate(weights: &Weights, position: &Position) -> i32 {
    let sides = [position.side_to_move(), !position.side_to_move()];
    weights.evaluate(View::basic(
        sides.map(|side| points(position.stones(side))),
        sides.map(|side| position.reserve(side).min(STONES) as u8),
    ))
}

/// The rows of the board: how many points they have, and where they begin in the grid of
/// [`Points`], whose rows are eight apart.
const ROWS: [(u32, u32); 7] = [(4, 0), (5, 8), (6, 16), (7, 24), (6, 33), (5, 42), (4, 51)];

/// The same stones in the grid: here points are numbered row by row without gaps.
#[inline]
fn points(stones: u128) -> Points {
    let mut left = stones as u64;
    let mut bits = 0;
    for (length, start) in ROWS {
        bits |= (left & ((1 << length) - 1)) << start;
        left >>= length;
    }
    Points::from_bits(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_where_they_lie_in_the_published_game() {
        let geometry = Position::start(Variant::ORIGINAL).geometry();
        for (number, point) in Points::ALL.enumerate() {
            assert_eq!(geometry.point(point.field()), Some(number as u8));
            assert_eq!(points(1 << number), Points::of(point));
        }
    }

    #[test]
    fn positions_are_worth_what_they_are_in_the_basic_game() {
        let board = "b_wb/ww__b/b_w_b_/b_w_bbw/w_b_w_/_w___/w_w_";
        let weights = Weights::default();
        for side in ["W", "B"] {
            let stones = board.to_uppercase();
            let here: Position = format!("4 4 15 15 4 3 {side} {stones}").parse().unwrap();
            let there: gipf_standard::Position =
                format!("basic 4 3 {side} {board}").parse().unwrap();
            assert_eq!(evaluate(&weights, &here), weights.evaluate(&there));
        }
    }

    #[test]
    fn other_variants_are_left_alone() {
        let known = |text: &str| fit(text.parse().unwrap());
        assert!(known("4 4 15 15") && known("4 4 12 12") && known("4 4 15 9"));
        assert!(!known("4 4 16 15") && !known("4 3 15 15") && !known("5 4 15 15"));
    }
}

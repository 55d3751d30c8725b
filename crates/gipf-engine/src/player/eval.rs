//! What a position seems to be worth.
//!
//! The estimate is linear in a handful of numbers, each the difference between the two
//! sides, so that their weights can be fitted to the results of games.

use gipf::{Geometry, Position};
use rules::{Game, Side};
use search::PROVEN;

/// What is counted, in the order of [`Features`].
pub const NAMES: [&str; COUNT] = [
    "reserve",
    "reserve up to 6",
    "reserve up to 3",
    "stones on the board",
    "centre",
    "runs one short of a row",
    "runs two short of a row",
    "rows with one gap",
    "movable stones",
    "to move",
];

const COUNT: usize = 10;

/// The numbers of a position, from the view of the player to move.
pub type Features = [i32; COUNT];

/// What one unit of each feature is worth, 400 being odds of e to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights(pub [i32; COUNT]);

impl Default for Weights {
    /// Fitted to games of the player against itself, by `ludex train gipf`.
    fn default() -> Weights {
        Weights([360, 49, 67, 316, 17, 85, 24, 1, 9, 23])
    }
}

impl Weights {
    /// The estimate from the view of the player to move.
    #[inline]
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> i32 {
        let features = features(position);
        let terms = self.0.iter().zip(features);
        let sum: i32 = terms.map(|(weight, feature)| weight * feature).sum();
        // Thousands of stones more are no proof.
        sum.clamp(1 - PROVEN, PROVEN - 1)
    }
}

/// Counts everything on one side's account.
#[derive(Clone, Copy, Default)]
struct Lines {
    one_short: i32,
    two_short: i32,
    gaps: i32,
    movable: i32,
}

/// The features of a position in which the game goes on.
#[must_use]
pub fn features(position: &Position) -> Features {
    let geometry = position.geometry();
    let mover = position.side_to_move();
    let lines = count_lines(position, geometry);
    let mut features = [0; COUNT];
    for side in [mover, !mover] {
        let reserve = i32::from(position.reserve(side));
        let stones = position.stones(side);
        let Lines {
            one_short,
            two_short,
            gaps,
            movable,
        } = lines[side.index()];
        let own = [
            reserve,
            reserve.min(6),
            reserve.min(3),
            stones.count_ones() as i32,
            centre(stones, geometry),
            one_short,
            two_short,
            gaps,
            movable,
            1,
        ];
        let sign = if side == mover { 1 } else { -1 };
        for (sum, value) in features.iter_mut().zip(own) {
            *sum += sign * value;
        }
    }
    features[COUNT - 1] = 1;
    features
}

/// How near the stones are to the middle, added up.
fn centre(mut stones: u128, geometry: &Geometry) -> i32 {
    let mut sum = 0;
    while stones != 0 {
        sum += i32::from(geometry.depth(stones.trailing_zeros() as u8));
        stones &= stones - 1;
    }
    sum
}

/// Looks along every line once.
fn count_lines(position: &Position, geometry: &Geometry) -> [Lines; 2] {
    let run = usize::from(position.variant().run());
    let [white, black] = Side::BOTH.map(|side| position.stones(side));
    let mut counts = [Lines::default(); 2];
    for line in geometry.lines() {
        // The last `run` points, as bits, and the length of the current run.
        let mut recent = [0u32; 2];
        let mut length = [0usize; 2];
        let window = (1u32 << run) - 1;
        // Stones in the unbroken stretch from the near end.
        let mut stretch = [0; 2];
        let mut from_end = true;
        let mut open = false;
        for (i, &point) in line.iter().enumerate() {
            let here = [white >> point & 1 != 0, black >> point & 1 != 0];
            let empty = !here[0] && !here[1];
            for side in 0..2 {
                recent[side] = (recent[side] << 1 | u32::from(here[side])) & window;
                if here[side] {
                    length[side] += 1;
                    stretch[side] += 1;
                } else if length[side] > 0 {
                    counts[side].end_of_run(length[side], run);
                    length[side] = 0;
                }
            }
            for side in 0..2 {
                let own = recent[side].count_ones() as usize;
                let gap = i + 1 >= run && own + 1 == run && recent[1 - side] == 0;
                counts[side].gaps += i32::from(gap);
            }
            if empty {
                if from_end {
                    for side in 0..2 {
                        counts[side].movable += stretch[side];
                    }
                    from_end = false;
                }
                stretch = [0; 2];
                open = true;
            }
        }
        for side in 0..2 {
            counts[side].end_of_run(length[side], run);
            if open {
                counts[side].movable += stretch[side];
            }
        }
    }
    counts
}

impl Lines {
    fn end_of_run(&mut self, length: usize, run: usize) {
        self.one_short += i32::from(length + 1 == run);
        self.two_short += i32::from(length + 2 == run && length > 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, name: &str, expected: i32) {
        let position: Position = text.parse().unwrap();
        let index = NAMES.iter().position(|n| *n == name).unwrap();
        assert_eq!(features(&position)[index], expected, "{name} of {text}");
    }

    #[test]
    fn thousands_of_stones_are_no_proof() {
        let position: Position =
            "4 4 9999 9999 3 9000 W ____/_____/______/_______/______/_____/____"
                .parse()
                .unwrap();
        assert_eq!(Weights::default().evaluate(&position), 1 - PROVEN);
    }

    #[test]
    fn features_count_what_they_say() {
        let text = "4 4 15 15 9 4 W ____/_____/______/BWWW_B_/______/_____/____";
        check(text, "reserve", 5);
        check(text, "reserve up to 6", 2);
        check(text, "reserve up to 3", 0);
        check(text, "stones on the board", 1);
        // White on c3, d4, e5: 1 + 2 + 3; Black on b2 and g5: 0 + 1.
        check(text, "centre", 5);
        check(text, "runs one short of a row", 1);
        check(text, "rows with one gap", 1);
        // Along this line b2, c3, d4 and e5 can be pushed from a1; b2 also down its column
        // and its diagonal.
        check(text, "movable stones", 0);
        check(text, "to move", 1);
        let flipped = text.replace(" W ", " B ");
        check(&flipped, "reserve", -5);
        check(&flipped, "rows with one gap", -1);
        check(&flipped, "to move", 1);
    }
}

//! The risk that two neighbouring lines tell of.

use super::super::super::tables::board::{Axes, Shape};
use super::super::super::tables::index::Tier;

/// Lines of each axis of a board of size 3.
const LINES: usize = 5;

/// Contents of lines of five, four and three points, each point free or either side's.
const FIVE: usize = 243;
const FOUR: usize = 81;
const THREE: usize = 27;

/// Weights of one class: pairs of five and four points, and of four and three.
pub(super) const CLASS: usize = FIVE * FOUR + FOUR * THREE;

/// Positions in which the attacker has more stones in all are another matter.
pub(super) const CLASSES: usize = 2;

/// Pairs of each position: four for each axis.
pub(super) const PAIRS: usize = 12;

/// The weights of pairs of neighbouring lines on a board of size 3.
pub(super) struct Pairs {
    /// What stands on a line, by [`Shape::content`], as a number in base three.
    ternary: Vec<Vec<u16>>,
    weights: Vec<i16>,
}

impl Pairs {
    /// From weights of two bytes each, class by class.
    pub(super) fn new(bytes: &[u8]) -> Pairs {
        let (words, _) = bytes.as_chunks();
        let weights: Vec<i16> = words.iter().copied().map(i16::from_le_bytes).collect();
        assert_eq!(weights.len(), CLASSES * CLASS, "a weight for each pair");
        Pairs {
            ternary: (0..=LINES).map(ternary).collect(),
            weights,
        }
    }

    /// The places of a position's weights; lines are those of [`Shape::axes`].
    #[inline(always)]
    pub(super) fn places(
        &self,
        shape: &Shape,
        tier: Tier,
        [own, other]: [Axes; 2],
    ) -> [usize; PAIRS] {
        let class = usize::from(tier.own > tier.other) * CLASS;
        let narrow = class + FIVE * FOUR;
        let mut places = [0; PAIRS];
        for (lines, places) in shape.lines.chunks(LINES).zip(places.chunks_mut(4)) {
            let line = |at: usize| {
                let line = &lines[at];
                let content = shape.content(line, own, other);
                usize::from(self.ternary[line.length as usize][content])
            };
            let [rim, next, middle, last, end] = [line(0), line(1), line(2), line(3), line(4)];
            places.copy_from_slice(&[
                narrow + next * THREE + rim,
                class + middle * FOUR + next,
                class + middle * FOUR + last,
                narrow + last * THREE + end,
            ]);
        }
        places
    }

    #[inline(always)]
    pub(super) fn risk(&self, shape: &Shape, tier: Tier, axes: [Axes; 2]) -> i32 {
        let places = self.places(shape, tier, axes);
        places.iter().map(|&at| i32::from(self.weights[at])).sum()
    }
}

/// The contents of a line of this length in base three.
fn ternary(length: usize) -> Vec<u16> {
    (0..1usize << (2 * length))
        .map(|content| {
            (0..length).fold(0, |number, at| {
                let own = content >> at & 1;
                let other = content >> (length + at) & 1;
                3 * number + (own + 2 * other) as u16
            })
        })
        .collect()
}

/// The place of the same pair seen from the other end of its lines.
pub(super) fn mirror(place: usize) -> usize {
    let (class, within) = (place / CLASS * CLASS, place % CLASS);
    match within.checked_sub(FIVE * FOUR) {
        None => class + reverse(within / FOUR, 5) * FOUR + reverse(within % FOUR, 4),
        Some(narrow) => {
            class + FIVE * FOUR + reverse(narrow / THREE, 4) * THREE + reverse(narrow % THREE, 3)
        }
    }
}

/// A number in base three with its digits in the opposite order.
fn reverse(mut number: usize, digits: u32) -> usize {
    (0..digits).fold(0, |reversed, _| {
        let digit = number % 3;
        number /= 3;
        3 * reversed + digit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_go_back() {
        assert_eq!(reverse(2, 4), 54);
        let all = 0..CLASSES * CLASS;
        assert!(all.clone().all(|place| mirror(mirror(place)) == place));
        assert!(all.clone().any(|place| mirror(place) != place));
    }
}

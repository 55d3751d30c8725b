//! Two neighbouring lines of a board of size 3, as a number.

use crate::tables::board::{Axes, MAX_POINTS, Shape, bits};
use crate::tables::moves::Stones;

/// Contents of lines of five, four and three points, each point free or either side's.
const FIVE: usize = 243;
const FOUR: usize = 81;
const THREE: usize = 27;

/// Pairs of five and four points come first, then those of four and three.
const WIDE: usize = FIVE * FOUR;
pub(crate) const CONTENTS: usize = WIDE + FOUR * THREE;

/// Pairs on a board: four along each axis.
pub(crate) const ON_BOARD: usize = 12;

/// What the stones of one side add to the number of a pair; the other side's add it twice. The
/// lines of an axis follow each other in a word, so two neighbours are one stretch of bits.
pub(crate) struct Pairs {
    wide: [[u16; 1 << 9]; 2],
    narrow: [[u16; 1 << 7]; 2],
    /// What is added to the numbers of all pairs if the digit at a point (1 for a stone of the first
    /// side, 2 for one of the other) changes by -2, -1, 0, 1 and 2.
    points: [[Numbers; 5]; MAX_POINTS],
}

/// The numbers of a board's pairs, and places that are not used, so that they fill a vector.
pub(crate) type Numbers = [u16; 16];

/// A position and its pairs, from which those of positions follow that differ in a few points.
pub(crate) struct Near {
    stones: Stones,
    numbers: Numbers,
}

impl Pairs {
    /// For the lines of a board of size 3.
    pub(crate) fn new(shape: &Shape) -> Pairs {
        let wide = |four: usize, five: usize| (ternary(five, 5) * FOUR + ternary(four, 4)) as u16;
        let narrow =
            |three: usize, four: usize| (ternary(four, 4) * THREE + ternary(three, 3)) as u16;
        let mut pairs = Pairs {
            points: [[[0; 16]; 5]; MAX_POINTS],
            wide: [
                std::array::from_fn(|bits| wide(bits & 15, bits >> 4)),
                std::array::from_fn(|bits| wide(bits >> 5, bits & 31)),
            ],
            narrow: [
                std::array::from_fn(|bits| narrow(bits & 7, bits >> 3)),
                std::array::from_fn(|bits| narrow(bits >> 4, bits & 15)),
            ],
        };
        let empty = pairs.of(0, 0);
        for point in 0..MAX_POINTS {
            let one = pairs.of(shape.axes(1 << point), 0);
            for (at, (one, empty)) in one.iter().zip(empty).enumerate() {
                let added = (one - empty) as u16;
                for (numbers, change) in pairs.points[point].iter_mut().zip([-2i16, -1, 0, 1, 2]) {
                    numbers[at] = added.wrapping_mul(change as u16);
                }
            }
        }
        pairs
    }

    /// A position that others are near to.
    #[inline(always)]
    pub(crate) fn near(&self, shape: &Shape, stones: Stones) -> Near {
        let mut numbers = [0; 16];
        let found = self.of(shape.axes(stones.own), shape.axes(stones.other));
        for (number, found) in numbers.iter_mut().zip(found) {
            *number = found as u16;
        }
        Near { stones, numbers }
    }

    /// The numbers of a position's pairs, from those of one near to it.
    #[inline(always)]
    pub(crate) fn from(&self, near: &Near, stones: Stones) -> Numbers {
        let mut numbers = near.numbers;
        let changed = near.stones.own ^ stones.own | near.stones.other ^ stones.other;
        // One loop for all that changed: how often it runs is foreseen better than how often each
        // of several does.
        for point in bits(changed) {
            let digit = |stones: Stones| {
                (stones.own >> point & 1) as usize + 2 * (stones.other >> point & 1) as usize
            };
            let added = &self.points[point as usize][2 + digit(stones) - digit(near.stones)];
            for (number, added) in numbers.iter_mut().zip(added) {
                *number = number.wrapping_add(*added);
            }
        }
        numbers
    }

    /// The numbers of a board's pairs; lines of 3, 4, 5, 4 and 3 points make up an axis.
    #[inline(always)]
    pub(crate) fn of(&self, own: Axes, other: Axes) -> [usize; ON_BOARD] {
        let mut numbers = [0; ON_BOARD];
        for (axis, numbers) in numbers.chunks_exact_mut(4).enumerate() {
            let shift = axis * MAX_POINTS;
            let sets = [own >> shift, other >> shift];
            let wide = |table: &[u16; 1 << 9], at: u32| {
                let [own, other] = sets.map(|set| usize::from(table[(set >> at & 511) as usize]));
                own + 2 * other
            };
            let narrow = |table: &[u16; 1 << 7], at: u32| {
                let [own, other] = sets.map(|set| usize::from(table[(set >> at & 127) as usize]));
                WIDE + own + 2 * other
            };
            numbers.copy_from_slice(&[
                narrow(&self.narrow[0], 0),
                wide(&self.wide[0], 3),
                wide(&self.wide[1], 7),
                narrow(&self.narrow[1], 12),
            ]);
        }
        numbers
    }
}

/// The contents of the lines of a pair, the longer one first.
pub(crate) fn lines(pair: usize) -> [Content; 2] {
    let content = |length: usize, number: usize| Content { length, number };
    match pair.checked_sub(WIDE) {
        None => [content(5, pair / FOUR), content(4, pair % FOUR)],
        Some(narrow) => [content(4, narrow / THREE), content(3, narrow % THREE)],
    }
}

/// The number of the same pair seen from the other end of its lines.
pub(crate) fn mirror(pair: usize) -> usize {
    let [long, short] = lines(pair).map(|line| reverse(line.number, line.length));
    match pair < WIDE {
        true => long * FOUR + short,
        false => WIDE + long * THREE + short,
    }
}

/// What stands on a line of some length, in base three.
#[derive(Clone, Copy)]
pub(crate) struct Content {
    pub(crate) length: usize,
    pub(crate) number: usize,
}

/// Stones of one side on a line, in base three.
fn ternary(stones: usize, length: usize) -> usize {
    (0..length).fold(0, |number, at| 3 * number + (stones >> at & 1))
}

/// A number in base three with its digits in the opposite order.
fn reverse(mut number: usize, digits: usize) -> usize {
    (0..digits).fold(0, |reversed, _| {
        let digit = number % 3;
        number /= 3;
        3 * reversed + digit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a line's points in its order: 1 for own stones, 2 for the other side's.
    fn slow(points: impl Iterator<Item = usize>) -> usize {
        points.fold(0, |number, point| 3 * number + point)
    }

    #[test]
    fn numbers_are_those_of_the_lines() {
        let shape = Shape::new("3 3 7 7".parse().unwrap());
        let pairs = Pairs::new(&shape);
        for step in 1..2000u32 {
            let mixed = step.wrapping_mul(0x9e37_79b9);
            let own = mixed & shape.full;
            let other = mixed >> 13 & shape.full & !own;
            let (own, other) = (shape.axes(own), shape.axes(other));
            let content = |line: &crate::tables::board::Line| {
                slow(
                    (line.shift..line.shift + line.length)
                        .map(|at| (own >> at & 1) as usize + 2 * (other >> at & 1) as usize),
                )
            };
            let mut expected = Vec::new();
            for axis in shape.lines.chunks(5) {
                let all: Vec<usize> = axis.iter().map(content).collect();
                expected.extend([
                    WIDE + all[1] * THREE + all[0],
                    all[2] * FOUR + all[1],
                    all[2] * FOUR + all[3],
                    WIDE + all[3] * THREE + all[4],
                ]);
            }
            assert_eq!(pairs.of(own, other).to_vec(), expected);
        }
    }

    #[test]
    fn numbers_follow_from_those_of_another_position() {
        let shape = Shape::new("3 3 7 7".parse().unwrap());
        let pairs = Pairs::new(&shape);
        let position = |step: u32| {
            let mixed = step.wrapping_mul(0x9e37_79b9);
            let own = mixed & shape.full;
            let other = mixed >> 13 & shape.full & !own;
            Stones { own, other }
        };
        for step in 1..2000 {
            let stones = position(step);
            let near = pairs.near(&shape, position(step / 2));
            let expected = pairs.of(shape.axes(stones.own), shape.axes(stones.other));
            let found = pairs.from(&near, stones)[..ON_BOARD].to_vec();
            assert_eq!(found, expected.map(|number| number as u16));
        }
    }

    #[test]
    fn mirrors_go_back() {
        assert_eq!(reverse(2, 4), 54);
        assert!((0..CONTENTS).all(|pair| mirror(mirror(pair)) == pair));
        assert!((0..CONTENTS).any(|pair| mirror(pair) != pair));
    }
}

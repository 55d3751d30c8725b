//! The indices of all lanes for one board, kept up to date move by move.

use isa::{Isa, Kernel, Portable};
use reversi::{Board, Discs, Square};

use super::pattern::{LANES, LAYOUT, MOBILITY, mobility};

/// What one player's discs add up to in each lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
struct Sums([u16; LANES]);

impl Sums {
    #[inline(always)]
    fn add(&mut self, square: Square) {
        for (sum, add) in self.0.iter_mut().zip(&LAYOUT.add[square.index()]) {
            *sum += add;
        }
    }
}

/// The lanes of a board, seen by the player to move.
///
/// The two players' discs are summed apart, so that changing sides is an exchange;
/// the index of a lane is own + 2 × other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    own: Sums,
    other: Sums,
}

const _: () = assert!(size_of::<Features>() == 256);

impl Features {
    /// Works them out afresh.
    #[must_use]
    pub fn new(board: Board) -> Features {
        Features {
            own: sum(board.own),
            other: sum(board.other),
        }
    }

    /// The features after a disc on `square` that flips `flips`, seen by the
    /// opponent, whose turn it then is. Undoing is keeping the old ones.
    #[inline]
    #[must_use]
    pub fn played(&self, square: Square, flips: Discs) -> Features {
        let played = Played(self, square, flips);
        #[cfg(target_arch = "x86_64")]
        if let Some(isa) = isa::Avx2::detect() {
            return isa.call(played);
        }
        Portable.call(played)
    }

    /// The same discs with the other player to move.
    #[inline]
    #[must_use]
    pub fn passed(&self) -> Features {
        Features {
            own: self.other,
            other: self.own,
        }
    }

    /// The same, for kernels: compiled for the instruction set of the caller.
    #[inline(always)]
    pub(crate) fn played_inline(&self, square: Square, flips: Discs) -> Features {
        let flipped = sum(flips);
        let mut put = flipped;
        put.add(square);
        let mut next = self.passed();
        for (own, flipped) in next.own.0.iter_mut().zip(&flipped.0) {
            *own -= flipped;
        }
        for (other, put) in next.other.0.iter_mut().zip(&put.0) {
            *other += put;
        }
        next
    }

    /// The index of every lane, that of the mobility as given.
    #[inline(always)]
    pub(crate) fn indices(&self, mobility: u16) -> [u16; LANES] {
        let mut indices: [u16; LANES] =
            std::array::from_fn(|lane| self.own.0[lane] + 2 * self.other.0[lane]);
        indices[MOBILITY] = mobility;
        indices
    }

    /// What the values of all moves start from.
    #[inline(always)]
    pub(crate) fn before_reply(&self) -> Reply {
        Reply(std::array::from_fn(|lane| {
            self.other.0[lane] + 2 * self.own.0[lane]
        }))
    }

    /// The slots whose weights make the value of the board, one for each lane in use.
    pub fn slots(board: Board) -> impl Iterator<Item = u32> {
        let indices = Features::new(board).indices(mobility_of(board));
        (0..=MOBILITY).map(move |lane| LAYOUT.offset[lane] + u32::from(indices[lane]))
    }
}

/// [`Features::played`] as a kernel.
struct Played<'a>(&'a Features, Square, Discs);

impl Kernel for Played<'_> {
    type Output = Features;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Features {
        let Played(before, square, flips) = self;
        before.played_inline(square, flips)
    }
}

/// The index of the mobility's lane for a board.
#[inline]
pub(crate) fn mobility_of(board: Board) -> u16 {
    mobility(board.moves().0, board.pass().moves().0)
}

/// The indices of a board seen by the opponent: all that is needed to value the positions
/// after each of the moves, without carrying features along.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Reply([u16; LANES]);

impl Reply {
    /// The indices of all lanes after a disc on `square` that flips `flips`, that of
    /// the mobility as given.
    #[inline(always)]
    pub(crate) fn after(&self, square: u32, flips: u64, mobility: u16) -> [u16; LANES] {
        // A disc that changes sides counts one for two: two added, one taken away.
        let mut indices = self.0;
        for disc in Discs(flips) {
            for (index, add) in indices.iter_mut().zip(&LAYOUT.add[disc.index()]) {
                *index += add;
            }
        }
        for (index, add) in indices.iter_mut().zip(&LAYOUT.add[square as usize & 63]) {
            *index += 2 * add;
        }
        indices[MOBILITY] = mobility;
        indices
    }
}

#[inline(always)]
fn sum(discs: Discs) -> Sums {
    let mut sums = Sums([0; LANES]);
    for square in discs {
        sums.add(square);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::pattern::SLOTS;

    /// Plays pseudo-random games and compares the updated features with fresh ones.
    #[test]
    fn updated_features_are_the_fresh_ones() {
        let mut seed = 1u64;
        for _ in 0..200 {
            let mut board = reversi::Position::start().board();
            let mut features = Features::new(board);
            loop {
                let moves = board.moves();
                if moves.is_empty() {
                    if board.pass().moves().is_empty() {
                        break;
                    }
                    (board, features) = (board.pass(), features.passed());
                    continue;
                }
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let nth = (seed >> 33) as usize % moves.len() as usize;
                let square = moves.into_iter().nth(nth).expect("fewer than the moves");
                let flips = board.flips(square);
                assert_eq!(
                    features.played(square, flips),
                    features.played_inline(square, flips)
                );
                let index = square.index() as u32;
                let after = features.before_reply().after(index, flips.0, 7);
                features = features.played(square, flips);
                assert_eq!(after, features.indices(7));
                board = board.play(square);
                assert_eq!(features, Features::new(board));
            }
        }
    }

    #[test]
    fn an_index_has_one_digit_per_square() {
        // Own discs on a1 and b1, the opponent's on h1: the first lane is the upper edge.
        let board = Board {
            own: Discs(0b11),
            other: Discs(0x80),
        };
        let index = Features::slots(board).next();
        assert_eq!(index, Some(1 + 3 + 2 * 3u32.pow(7)));
    }

    #[test]
    fn the_last_slot_is_the_mobility() {
        let mobility_slot = |board| Features::slots(board).last();
        let start = reversi::Position::start().board();
        // Four moves for either; after one of them three for the opponent.
        assert_eq!(
            mobility_slot(start),
            Some((SLOTS - 576 + 4 * 24 + 4) as u32)
        );
        let after = start.play(start.moves().next().expect("four moves"));
        let (own, other) = (after.moves().len(), after.pass().moves().len());
        let wanted = SLOTS as u32 - 576 + own * 24 + other;
        assert_eq!(mobility_slot(after), Some(wanted));
    }
}

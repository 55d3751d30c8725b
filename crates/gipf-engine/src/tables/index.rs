//! Numbers for positions, up to the symmetries of the board.
//!
//! What stones a player has in all, on the board and in reserve, never grows; so the
//! positions fall into tiers, one for each pair of totals, and within a tier the board
//! alone says everything. A board gets its number in its tier from the number of stones of
//! both sides (its section), the mover's stones up to symmetry, and the opponent's stones
//! among the points that are left. Numbers that no position has are few.

use super::board::{MAX_POINTS, Set, Shape, bits};
use super::moves::Stones;

/// How many stones the player to move and the opponent have, on the board and in reserve.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Tier {
    /// The player to move.
    pub own: u8,
    /// The opponent.
    pub other: u8,
}

impl Tier {
    /// The tier of the same stones when the other player is to move.
    #[must_use]
    pub fn flip(self) -> Tier {
        Tier {
            own: self.other,
            other: self.own,
        }
    }
}

/// A set of points as one of its images under the symmetries.
#[derive(Clone, Copy, Default)]
struct Canon {
    /// The number of the image among those of its size.
    rank: u32,
    /// The symmetry that leads to the image.
    symmetry: u8,
    /// Whether other symmetries keep the image.
    symmetric: bool,
}

/// The numbering of boards of one size.
pub(crate) struct Index {
    pub(crate) shape: Shape,
    /// For every set of points.
    canon: Vec<Canon>,
    /// The images that stand for all, by size and rank, with the symmetries that keep them.
    images: Vec<Vec<(Set, u16)>>,
    /// The rank of a set among those of its size, in the order of their numbers.
    rank: Vec<u32>,
    /// The sets of each size in that order.
    sets: Vec<Vec<Set>>,
    choose: [[u32; MAX_POINTS + 1]; MAX_POINTS + 1],
}

impl Index {
    pub(crate) fn new(shape: Shape) -> Index {
        let points = shape.points;
        let count = 1usize << points;
        let mut choose = [[0; MAX_POINTS + 1]; MAX_POINTS + 1];
        for n in 0..=points {
            choose[n][0] = 1;
            for k in 1..=n {
                choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            }
        }
        let mut rank = vec![0; count];
        let mut sets = vec![Vec::new(); points + 1];
        for set in 0..count as Set {
            let same: &mut Vec<Set> = &mut sets[set.count_ones() as usize];
            rank[set as usize] = same.len() as u32;
            same.push(set);
        }
        let mut canon = vec![Canon::default(); count];
        let mut images: Vec<Vec<(Set, u16)>> = vec![Vec::new(); points + 1];
        for set in 0..count as Set {
            let (image, symmetry) = (0..12)
                .map(|symmetry| (shape.image(set, symmetry), symmetry as u8))
                .min()
                .expect("there are symmetries");
            let same = &mut images[set.count_ones() as usize];
            if image == set {
                let kept = (0..12)
                    .filter(|&symmetry| shape.image(set, symmetry) == set)
                    .fold(0, |kept, symmetry| kept | 1 << symmetry);
                canon[set as usize] = Canon {
                    rank: same.len() as u32,
                    symmetry: 0,
                    symmetric: kept != 1,
                };
                same.push((set, kept));
            } else {
                // The smallest image has been numbered before.
                canon[set as usize] = Canon {
                    symmetry,
                    ..canon[image as usize]
                };
            }
        }
        Index {
            shape,
            canon,
            images,
            rank,
            sets,
            choose,
        }
    }

    /// The sections of a tier and where each begins.
    pub(crate) fn layout(&self, tier: Tier) -> Layout {
        let points = self.shape.points;
        let (most_own, most_other) = (
            usize::from(tier.own).min(points),
            usize::from(tier.other).min(points),
        );
        let mut sections = Vec::new();
        let mut starts = vec![u32::MAX; (most_own + 1) * (most_other + 1)];
        let mut size: u64 = 0;
        // Few stones first: most moves add one, so a sweep meets them in order.
        for total in 0..=(most_own + most_other).min(points) {
            for own in total.saturating_sub(most_other)..=total.min(most_own) {
                let other = total - own;
                let width = self.choose[points - own][other];
                starts[own * (most_other + 1) + other] = size as u32;
                sections.push(Section {
                    start: size as u32,
                    own,
                    other,
                    width,
                });
                size += u64::from(width) * self.images[own].len() as u64;
            }
        }
        Layout {
            tier,
            size: size as usize,
            sections,
            starts,
            most_other,
        }
    }

    /// The number of the stones in the tier that the layout is of.
    #[inline(always)]
    pub(crate) fn number<B: Bits>(&self, layout: &Layout, stones: Stones) -> u32 {
        let canon = self.canon[stones.own as usize];
        let own_count = stones.own.count_ones() as usize;
        let other_count = stones.other.count_ones() as usize;
        let mut other = self.shape.image(stones.other, usize::from(canon.symmetry));
        let (image, kept) = self.images[own_count][canon.rank as usize];
        if canon.symmetric {
            other = bits(u32::from(kept))
                .map(|symmetry| self.shape.image(other, symmetry as usize))
                .min()
                .unwrap_or(other);
        }
        let place = self.rank[B::compress(other, self.shape.full & !image) as usize];
        let width = self.choose[self.shape.points - own_count][other_count];
        layout.starts[own_count * (layout.most_other + 1) + other_count]
            + canon.rank * width
            + place
    }

    /// The stones with this number.
    #[inline(always)]
    pub(crate) fn stones<B: Bits>(&self, section: &Section, number: u32) -> Stones {
        let within = number - section.start;
        let (own, _) = self.images[section.own][(within / section.width) as usize];
        let place = self.sets[section.other][(within % section.width) as usize];
        Stones {
            own,
            other: B::spread(place, self.shape.full & !own),
        }
    }

    /// How many symmetries keep these stones, which must come from [`Index::stones`].
    #[inline]
    pub(crate) fn symmetries(&self, stones: Stones) -> u32 {
        let canon = self.canon[stones.own as usize];
        if !canon.symmetric {
            return 1;
        }
        let (_, kept) = self.images[stones.own.count_ones() as usize][canon.rank as usize];
        bits(u32::from(kept))
            .filter(|&symmetry| self.shape.image(stones.other, symmetry as usize) == stones.other)
            .count() as u32
    }
}

/// Boards with the same numbers of stones: a stretch of a tier's numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub(crate) start: u32,
    pub(crate) own: usize,
    pub(crate) other: usize,
    width: u32,
}

/// How the numbers of a tier are laid out.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) tier: Tier,
    /// The numbers go from 0 to below this.
    pub(crate) size: usize,
    /// In the order of their starts.
    pub(crate) sections: Vec<Section>,
    /// By stones of the mover and of the opponent.
    starts: Vec<u32>,
    most_other: usize,
}

impl Layout {
    /// The section that a number lies in.
    pub(crate) fn section(&self, number: u32) -> usize {
        self.sections
            .partition_point(|section| section.start <= number)
            - 1
    }
}

/// Packing the bits under a mask together, and back: one instruction on many processors.
pub(crate) trait Bits: Copy + Send + Sync + 'static {
    /// The bits of `set` at the places of `mask`, packed together.
    fn compress(set: u32, mask: u32) -> u32;
    /// The opposite.
    fn spread(set: u32, mask: u32) -> u32;
}

/// Bit by bit, for any processor.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Bits for Portable {
    #[inline]
    fn compress(set: u32, mask: u32) -> u32 {
        bits(mask)
            .enumerate()
            .fold(0, |packed, (at, bit)| packed | (set >> bit & 1) << at)
    }

    #[inline]
    fn spread(set: u32, mask: u32) -> u32 {
        bits(mask)
            .enumerate()
            .fold(0, |spread, (at, bit)| spread | (set >> at & 1) << bit)
    }
}

//! Numbers for positions, up to the symmetries of the board.
//!
//! What stones a player has in all, on the board and in reserve, never grows; so the
//! positions fall into tiers, one for each pair of totals, and within a tier the board
//! alone says everything. A board gets its number in its tier from the number of stones of
//! both sides (its section), the mover's stones up to symmetry, and the opponent's stones
//! among the points that are left. Stones of the mover that hold a row get no number;
//! other numbers that no position has are few.

use std::ops::Range;

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

/// A set of points as one of its images under the symmetries, in one word: this table is
/// large, and looked into for every move.
#[derive(Clone, Copy)]
struct Canon(u32);

impl Canon {
    /// A set with a row, which no board holds when a player is to move.
    const ROW: Canon = Canon(u32::MAX);

    fn new(rank: usize, symmetry: u8, symmetric: bool) -> Canon {
        Canon((rank as u32) << 5 | u32::from(symmetric) << 4 | u32::from(symmetry))
    }

    /// The number of the image among those of its size.
    #[inline]
    fn rank(self) -> u32 {
        self.0 >> 5
    }

    /// The symmetry that leads to the image.
    #[inline]
    fn symmetry(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Whether other symmetries keep the image.
    #[inline]
    fn symmetric(self) -> bool {
        self.0 & 16 != 0
    }
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
        let mut canon = vec![Canon::ROW; count];
        let mut images: Vec<Vec<(Set, u16)>> = vec![Vec::new(); points + 1];
        for set in 0..count as Set {
            // Views of an earlier set have been dealt with together with it.
            if canon[set as usize].0 != Canon::ROW.0 || shape.has_row(&shape.axes(set)) {
                continue;
            }
            let views: [Set; 12] = std::array::from_fn(|symmetry| shape.image(set, symmetry));
            let kept = (0..12)
                .filter(|&symmetry| views[symmetry] == set)
                .fold(0, |kept, symmetry| kept | 1 << symmetry);
            let same = &mut images[set.count_ones() as usize];
            for (symmetry, &view) in views.iter().enumerate() {
                canon[view as usize] = Canon::new(same.len(), shape.inverse[symmetry], kept != 1);
            }
            same.push((set, kept));
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

    /// The same stones as all their views; the mover's must be free of rows.
    #[inline(always)]
    pub(crate) fn canonical(&self, stones: Stones) -> Stones {
        let canon = self.canon[stones.own as usize];
        let other = self.shape.image(stones.other, canon.symmetry());
        let own = stones.own.count_ones() as usize;
        let (own, kept) = self.images[own][canon.rank() as usize];
        Stones {
            own,
            other: self.least(canon, kept, other),
        }
    }

    /// The least image of the other side's stones under the symmetries that keep the mover's.
    #[inline(always)]
    fn least(&self, canon: Canon, kept: u16, other: Set) -> Set {
        if !canon.symmetric() {
            return other;
        }
        bits(u32::from(kept))
            .map(|symmetry| self.shape.image(other, symmetry as usize))
            .min()
            .unwrap_or(other)
    }

    /// Whether a player to move can have these stones: no row is among them.
    #[inline]
    pub(crate) fn is_free(&self, own: Set) -> bool {
        self.canon[own as usize].0 != Canon::ROW.0
    }

    /// The number of the stones in the tier that the layout is of; the mover's must be free
    /// of rows.
    #[inline(always)]
    pub(crate) fn number<B: Bits>(&self, layout: &Layout, stones: Stones) -> u32 {
        let canon = self.canon[stones.own as usize];
        let own_count = stones.own.count_ones() as usize;
        let other_count = stones.other.count_ones() as usize;
        let (image, kept) = self.images[own_count][canon.rank() as usize];
        let other = self.shape.image(stones.other, canon.symmetry());
        let other = self.least(canon, kept, other);
        let place = self.rank[B::compress(other, self.shape.full & !image) as usize];
        let width = self.choose[self.shape.points - own_count][other_count];
        layout.starts[own_count * (layout.most_other + 1) + other_count]
            + canon.rank() * width
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
        if !canon.symmetric() {
            return 1;
        }
        let (_, kept) = self.images[stones.own.count_ones() as usize][canon.rank() as usize];
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
    /// In the order of their starts, which is that of the stones on the board.
    pub(crate) sections: Vec<Section>,
    /// By stones of the mover and of the opponent.
    starts: Vec<u32>,
    most_other: usize,
}

impl Layout {
    /// The numbers of a section.
    pub(crate) fn numbers(&self, section: usize) -> Range<usize> {
        let end = self
            .sections
            .get(section + 1)
            .map(|next| next.start as usize);
        self.sections[section].start as usize..end.unwrap_or(self.size)
    }

    /// The section with these numbers of stones, if there is one.
    pub(crate) fn find(&self, own: usize, other: usize) -> Option<usize> {
        let stones = |section: &Section| (section.own, section.other);
        self.sections
            .iter()
            .position(|section| stones(section) == (own, other))
    }

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

//! Numbers for positions, up to the symmetries of the board.
//!
//! What stones a player has in all, on the board and in reserve, never grows; so the
//! positions fall into tiers, one for each pair of totals, and within a tier the board
//! alone says everything. A board gets its number in its tier from the number of stones of
//! both sides (its section), the mover's stones up to symmetry, and the opponent's stones
//! among the points that are left. Stones of the mover that hold a row get no number;
//! other numbers that no position has are few.

use std::ops::Range;
use std::sync::Arc;

pub(crate) use isa::Portable;

pub(crate) use super::bits::Bits;
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

    fn new(class: usize, symmetry: u8, symmetric: bool) -> Canon {
        Canon((class as u32) << 5 | u32::from(symmetric) << 4 | u32::from(symmetry))
    }

    /// The number of the image.
    #[inline(always)]
    fn class(self) -> usize {
        (self.0 >> 5) as usize
    }

    /// The symmetry that leads to the image.
    #[inline(always)]
    fn symmetry(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Whether other symmetries keep the image.
    #[inline(always)]
    fn symmetric(self) -> bool {
        self.0 & 16 != 0
    }
}

/// A set that stands for all its images, and the symmetries that keep it.
#[derive(Clone, Copy)]
struct Image {
    set: Set,
    kept: u16,
    /// Its number among those of its size.
    rank: u16,
}

/// A board whose views count as the same.
pub(crate) struct Views {
    pub(crate) shape: Shape,
    /// For every set of points.
    canon: Vec<Canon>,
    images: Vec<Image>,
}

impl Views {
    pub(crate) fn new(shape: Shape) -> Views {
        let mut canon = vec![Canon::ROW; 1 << shape.points];
        let mut images: Vec<Image> = Vec::new();
        let mut ranks = [0; MAX_POINTS + 1];
        for set in 0..=shape.full {
            // Views of an earlier set have been dealt with together with it.
            if canon[set as usize].0 != Canon::ROW.0 || shape.has_row(shape.axes(set)) {
                continue;
            }
            let views: [Set; 12] = std::array::from_fn(|symmetry| shape.image(set, symmetry));
            let kept = (0..12)
                .filter(|&symmetry| views[symmetry] == set)
                .fold(0, |kept, symmetry| kept | 1 << symmetry);
            for (symmetry, &view) in views.iter().enumerate() {
                canon[view as usize] = Canon::new(images.len(), shape.inverse[symmetry], kept != 1);
            }
            let rank: &mut u16 = &mut ranks[set.count_ones() as usize];
            images.push(Image {
                set,
                kept,
                rank: *rank,
            });
            *rank += 1;
        }
        Views {
            shape,
            canon,
            images,
        }
    }

    /// The same stones as all their views; the mover's must be free of rows.
    #[inline(always)]
    pub(crate) fn canonical(&self, stones: Stones) -> Stones {
        let (image, other) = self.view(stones);
        Stones {
            own: image.set,
            other,
        }
    }

    /// The image of these stones will be asked for soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, stones: Stones) {
        isa::prefetch(&self.canon[stones.own as usize]);
    }

    /// The image of the mover's stones, which must be free of rows, and what becomes of the
    /// other side's: the least that the symmetries which keep the former make of them.
    #[inline(always)]
    fn view(&self, stones: Stones) -> (Image, Set) {
        let canon = self.canon[stones.own as usize];
        let image = self.images[canon.class()];
        let other = self.shape.image(stones.other, canon.symmetry());
        let other = match canon.symmetric() {
            true => self.least(image.kept, other),
            false => other,
        };
        (image, other)
    }

    /// The least image under some symmetries.
    fn least(&self, symmetries: u16, set: Set) -> Set {
        bits(u32::from(symmetries))
            .map(|symmetry| self.shape.image(set, symmetry as usize))
            .min()
            .unwrap_or(set)
    }

    /// Whether a player to move can have these stones: no row is among them.
    #[inline(always)]
    pub(crate) fn is_free(&self, own: Set) -> bool {
        self.canon[own as usize].0 != Canon::ROW.0
    }

    /// How many symmetries keep these stones, which must come from [`Index::stones`].
    #[inline(always)]
    pub(crate) fn symmetries(&self, stones: Stones) -> u32 {
        let canon = self.canon[stones.own as usize];
        if !canon.symmetric() {
            return 1;
        }
        bits(u32::from(self.images[canon.class()].kept))
            .filter(|&symmetry| self.shape.image(stones.other, symmetry as usize) == stones.other)
            .count() as u32
    }
}

/// How the points of a set are split to find its rank.
const LOW: usize = 10;
const HIGH: usize = MAX_POINTS - LOW;

/// The rank of a set among those of its size, in the order of their numbers. It is a sum
/// over the points of a set, so two small tables do.
struct Ranks {
    low: [u32; 1 << LOW],
    /// By the number of points among the low ones.
    high: [[u32; 1 << HIGH]; LOW + 1],
}

impl Ranks {
    fn new(choose: &Choose) -> Box<Ranks> {
        let sum = |set: usize, first: usize, before: usize| {
            bits(set as u32)
                .zip(before + 1..)
                .map(|(point, at)| choose[first + point as usize][at.min(MAX_POINTS)])
                .sum()
        };
        Box::new(Ranks {
            low: std::array::from_fn(|set| sum(set, 0, 0)),
            high: std::array::from_fn(|before| std::array::from_fn(|set| sum(set, LOW, before))),
        })
    }

    #[inline(always)]
    fn of(&self, set: Set) -> u32 {
        let low = set as usize % (1 << LOW);
        let high = (set >> LOW) as usize % (1 << HIGH);
        self.low[low] + self.high[low.count_ones() as usize][high]
    }
}

/// Ways to choose so many of so many.
type Choose = [[u32; MAX_POINTS + 1]; MAX_POINTS + 1];

fn choose() -> Choose {
    let mut choose = [[0; MAX_POINTS + 1]; MAX_POINTS + 1];
    for n in 0..=MAX_POINTS {
        choose[n][0] = 1;
        for k in 1..=n {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
        }
    }
    choose
}

/// The numbering of boards of one size.
pub(crate) struct Index {
    pub(crate) views: Arc<Views>,
    /// The images by size and rank.
    images: Vec<Vec<Set>>,
    ranks: Box<Ranks>,
    /// The sets of each size by rank.
    sets: Vec<Vec<Set>>,
    choose: Choose,
}

impl Index {
    pub(crate) fn new(views: Arc<Views>) -> Index {
        let points = views.shape.points;
        let choose = choose();
        let mut sets = vec![Vec::new(); points + 1];
        for set in 0..=views.shape.full {
            sets[set.count_ones() as usize].push(set);
        }
        let mut images = vec![Vec::new(); points + 1];
        for image in &views.images {
            images[image.set.count_ones() as usize].push(image.set);
        }
        Index {
            views,
            images,
            ranks: Ranks::new(&choose),
            sets,
            choose,
        }
    }

    /// The lines and moves of the board.
    #[inline(always)]
    pub(crate) fn shape(&self) -> &Shape {
        &self.views.shape
    }

    /// The sections of a tier and where each begins.
    pub(crate) fn layout(&self, tier: Tier) -> Layout {
        let points = self.shape().points;
        let (most_own, most_other) = (
            usize::from(tier.own).min(points),
            usize::from(tier.other).min(points),
        );
        let mut sections = Vec::new();
        let mut places = vec![Place::default(); (most_own + 1) * (most_other + 1)];
        let mut size: u64 = 0;
        // Few stones first: most moves add one, so a sweep meets them in order.
        for total in 0..=(most_own + most_other).min(points) {
            for own in total.saturating_sub(most_other)..=total.min(most_own) {
                let other = total - own;
                let width = self.choose[points - own][other];
                let start = size as u32;
                places[own * (most_other + 1) + other] = Place { start, width };
                sections.push(Section {
                    start,
                    own,
                    other,
                    width,
                });
                size += u64::from(width) * self.images[own].len() as u64;
            }
        }
        let hint = |number: u64| {
            let before = |section: &Section| u64::from(section.start) <= number;
            (sections.partition_point(before) - 1) as u8
        };
        Layout {
            tier,
            size: size as usize,
            hints: (0..size).step_by(HINT).map(hint).collect(),
            sections,
            places,
            most_other,
        }
    }

    /// The number of the stones in the tier that the layout is of; the mover's must be free
    /// of rows.
    #[inline(always)]
    pub(crate) fn number<B: Bits>(&self, layout: &Layout, stones: Stones) -> u32 {
        self.placed::<B>(layout, stones).0
    }

    /// The number of the stones, and what [`Index::stones`] makes of it.
    #[inline(always)]
    pub(crate) fn placed<B: Bits>(&self, layout: &Layout, stones: Stones) -> (u32, Stones) {
        let (image, other) = self.views.view(stones);
        let rank = self
            .ranks
            .of(B::compress(other, self.shape().full & !image.set));
        let own_count = stones.own.count_ones() as usize;
        let other_count = stones.other.count_ones() as usize;
        let Place { start, width } =
            layout.places[own_count * (layout.most_other + 1) + other_count];
        let canonical = Stones {
            own: image.set,
            other,
        };
        (start + u32::from(image.rank) * width + rank, canonical)
    }

    /// The stones with this number.
    #[inline(always)]
    pub(crate) fn stones<B: Bits>(&self, section: &Section, number: u32) -> Stones {
        let within = number - section.start;
        let own = self.images[section.own][(within / section.width) as usize];
        let place = self.sets[section.other][(within % section.width) as usize];
        Stones {
            own,
            other: B::spread(place, self.shape().full & !own),
        }
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

/// Where a section starts, and how many boards there are for each image of the mover's
/// stones.
#[derive(Clone, Copy, Default, Debug)]
struct Place {
    start: u32,
    width: u32,
}

/// Numbers between two of those whose section is written down. Sections are fewer than 256.
const HINT: usize = 1 << 13;

/// How the numbers of a tier are laid out.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) tier: Tier,
    /// The numbers go from 0 to below this.
    pub(crate) size: usize,
    /// In the order of their starts, which is that of the stones on the board.
    pub(crate) sections: Vec<Section>,
    /// The section of every number that is a multiple of [`HINT`].
    hints: Vec<u8>,
    /// By stones of the mover and of the opponent.
    places: Vec<Place>,
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
    #[inline]
    pub(crate) fn section(&self, number: u32) -> usize {
        let mut at = usize::from(self.hints[number as usize / HINT]);
        while let Some(next) = self.sections.get(at + 1)
            && next.start <= number
        {
            at += 1;
        }
        at
    }
}

//! All tiers of a variant, and which positions in them can arise.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use gipf::{Position, Variant};
use rules::{Game, Side};

use super::Progress;
use super::board::Shape;
use super::index::{Bits, Index, Layout, Tier};
use super::moves::Stones;
use super::parallel::{self, Work};

/// One word of a tier's set of positions stands for so many of them.
const WORD: usize = 64;
/// Words that a thread takes at a time.
const CHUNK: usize = 256;

/// The tiers of a variant.
pub(crate) struct Space {
    pub(crate) variant: Variant,
    pub(crate) index: Index,
    /// The larger and the smaller number of stones that sides start with.
    most: [u8; 2],
    layouts: Vec<OnceLock<Layout>>,
}

impl Space {
    pub(crate) fn new(variant: Variant) -> Space {
        let mut most = Side::BOTH.map(|side| variant.stones(side) as u8);
        most.sort_unstable_by(|a, b| b.cmp(a));
        let side = usize::from(most[0]) + 1;
        Space {
            variant,
            index: Index::new(Shape::new(variant)),
            most,
            layouts: (0..side * side).map(|_| OnceLock::new()).collect(),
        }
    }

    /// All pairs of totals, larger first, in the order in which captures lead through them.
    pub(crate) fn pairs(&self) -> Vec<Tier> {
        let [most, least] = self.most;
        let mut pairs: Vec<Tier> = (0..=most)
            .flat_map(|own| (0..=own.min(least)).map(move |other| Tier { own, other }))
            .collect();
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.own + pair.other));
        pairs
    }

    /// The one or two tiers with these totals.
    pub(crate) fn tiers(&self, pair: Tier) -> Vec<Tier> {
        if pair.own == pair.other {
            vec![pair]
        } else {
            vec![pair, pair.flip()]
        }
    }

    pub(crate) fn slot(&self, tier: Tier) -> usize {
        usize::from(tier.own) * (usize::from(self.most[0]) + 1) + usize::from(tier.other)
    }

    pub(crate) fn slots(&self) -> usize {
        self.layouts.len()
    }

    #[inline]
    pub(crate) fn layout(&self, tier: Tier) -> &Layout {
        self.layouts[self.slot(tier)].get_or_init(|| self.index.layout(tier))
    }

    /// Tier and stones of a position of this board.
    pub(crate) fn locate(&self, position: &Position) -> (Tier, Stones) {
        let side = position.side_to_move();
        let tier = Tier {
            own: position.material(side) as u8,
            other: position.material(!side) as u8,
        };
        let stones = Stones {
            own: position.stones(side) as u32,
            other: position.stones(!side) as u32,
        };
        (tier, stones)
    }
}

/// The positions that can arise from the start, tier by tier.
pub(crate) struct Reach<'a> {
    space: &'a Space,
    sets: Vec<OnceLock<Vec<AtomicU64>>>,
}

impl<'a> Reach<'a> {
    /// Nothing at all.
    pub(crate) fn empty(space: &'a Space) -> Reach<'a> {
        Reach {
            space,
            sets: (0..space.slots()).map(|_| OnceLock::new()).collect(),
        }
    }

    /// Nothing but the start position.
    pub(crate) fn new(space: &'a Space) -> Reach<'a> {
        let reach = Reach::empty(space);
        let (tier, stones) = space.locate(&Position::start(space.variant));
        let number = space
            .index
            .number::<super::index::Portable>(space.layout(tier), stones);
        reach.mark(tier, number);
        reach
    }

    /// The set of a tier, if anything in it has been reached.
    pub(crate) fn set(&self, tier: Tier) -> Option<&[AtomicU64]> {
        self.sets[self.space.slot(tier)].get().map(Vec::as_slice)
    }

    /// Puts back what was saved.
    pub(crate) fn restore(&self, tier: Tier, words: Vec<u64>) {
        let words = words.into_iter().map(AtomicU64::new).collect();
        let _ = self.sets[self.space.slot(tier)].set(words);
    }

    #[inline]
    fn mark(&self, tier: Tier, number: u32) {
        let set = self.sets[self.space.slot(tier)].get_or_init(|| {
            let words = self.space.layout(tier).size.div_ceil(WORD);
            (0..words).map(|_| AtomicU64::new(0)).collect()
        });
        let (word, bit) = (number as usize / WORD, 1 << (number as usize % WORD));
        // Most are known already: look before writing.
        if set[word].load(Ordering::Relaxed) & bit == 0 {
            set[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Follows all moves from what is known of these tiers, to the last new position in
    /// them; what lies in lower tiers is marked there.
    pub(crate) fn close(&self, pair: Tier, threads: usize, stop: &AtomicBool, progress: &Progress) {
        let tiers = self.space.tiers(pair);
        let done: Vec<Vec<AtomicU64>> = tiers
            .iter()
            .map(|&tier| {
                let words = self.set(tier).map_or(0, <[AtomicU64]>::len);
                (0..words.max(self.space.layout(tier).size.div_ceil(WORD)))
                    .map(|_| AtomicU64::new(0))
                    .collect()
            })
            .collect();
        loop {
            let mut found = 0;
            for (&tier, done) in tiers.iter().zip(&done) {
                if self.set(tier).is_none() {
                    continue;
                }
                let sweep = Sweep {
                    reach: self,
                    layout: self.space.layout(tier),
                    done,
                    progress,
                };
                let chunks = done.len().div_ceil(CHUNK);
                found += parallel::run(&sweep, chunks, threads, stop)
                    .iter()
                    .sum::<u64>();
            }
            if found == 0 || stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }
}

/// One pass over a tier: every position that is reached but not done.
struct Sweep<'a> {
    reach: &'a Reach<'a>,
    layout: &'a Layout,
    done: &'a [AtomicU64],
    progress: &'a Progress,
}

impl Work for Sweep<'_> {
    type Local = u64;

    #[inline(always)]
    fn chunk<B: Bits>(&self, chunk: usize, found: &mut u64) {
        let space = self.reach.space;
        let (index, shape) = (&space.index, &space.index.shape);
        let Some(set) = self.reach.set(self.layout.tier) else {
            return;
        };
        let words = chunk * CHUNK..((chunk + 1) * CHUNK).min(set.len());
        let mut section = self.layout.section((words.start * WORD) as u32);
        let mut count = 0;
        for word in words {
            loop {
                let new =
                    set[word].load(Ordering::Relaxed) & !self.done[word].load(Ordering::Relaxed);
                if new == 0 {
                    break;
                }
                self.done[word].fetch_or(new, Ordering::Relaxed);
                for bit in (0..64).filter(|bit| new >> bit & 1 != 0) {
                    let number = (word * WORD + bit) as u32;
                    let sections = &self.layout.sections;
                    while section + 1 < sections.len() && sections[section + 1].start <= number {
                        section += 1;
                    }
                    // A word may straddle sections, and be gone over again.
                    if sections[section].start > number {
                        section = self.layout.section(number);
                    }
                    count += 1;
                    let Tier { own, other } = self.layout.tier;
                    if sections[section].own == usize::from(own) {
                        continue; // no stone in reserve: the game is over
                    }
                    let stones = index.stones::<B>(&sections[section], number);
                    shape.successors(stones, |next| {
                        let tier = Tier {
                            own: other - next.lost[1],
                            other: own - next.lost[0],
                        };
                        let number = index.number::<B>(space.layout(tier), next.stones);
                        self.reach.mark(tier, number);
                    });
                }
            }
        }
        *found += count;
        self.progress.add(count);
    }
}

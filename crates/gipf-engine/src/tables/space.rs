//! All tiers of a variant, and which positions in them can arise.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use gipf::{Position, Variant};
use rules::{Game, Side};

use super::Progress;
use super::board::Shape;
use super::index::{Bits, Index, Layout, Section, Tier, Views};
use super::moves::{Stones, Successor};
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
            index: Index::new(Arc::new(Views::new(Shape::new(variant)))),
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

    /// Whether the tier is one of the variant's.
    pub(crate) fn has(&self, tier: Tier) -> bool {
        let [most, least] = self.most;
        tier.own.max(tier.other) <= most && tier.own.min(tier.other) <= least
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

    /// How many positions of a tier have been reached.
    pub(crate) fn count(&self, tier: Tier) -> u64 {
        self.set(tier)
            .map_or(0, |set| count(set, 0..set.len() * WORD))
    }

    /// Puts back what was saved.
    pub(crate) fn restore(&self, tier: Tier, words: &[u64]) {
        let words = words.iter().copied().map(AtomicU64::new).collect();
        let _ = self.sets[self.space.slot(tier)].set(words);
    }

    #[inline]
    fn mark(&self, tier: Tier, number: u32) {
        let set = self.touch(tier);
        let (word, bit) = (number as usize / WORD, 1 << (number as usize % WORD));
        // Most are known already: look before writing.
        if set[word].load(Ordering::Relaxed) & bit == 0 {
            set[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Follows all moves from what is known of these tiers, to the last new position in
    /// them; what lies in lower tiers is marked there.
    ///
    /// Goes through the sections from few stones to many, as a move without collection adds
    /// one, until nothing new turns up. The positions after such moves all lie in one
    /// section: where many are new, it is quicker to ask every position of that section
    /// that is not yet known whether a move back from it leads to one that is.
    pub(crate) fn close(&self, pair: Tier, threads: usize, stop: &AtomicBool, progress: &Progress) {
        let tiers = self.space.tiers(pair);
        let layouts: Vec<&Layout> = tiers.iter().map(|&tier| self.space.layout(tier)).collect();
        let sets: Vec<&[AtomicU64]> = tiers.iter().map(|&tier| self.touch(tier)).collect();
        let done: Vec<Vec<AtomicU64>> = sets.iter().map(|set| empty(set.len())).collect();
        let stones = |(which, section): (usize, usize)| {
            let section: &Section = &layouts[which].sections[section];
            section.own + section.other
        };
        let mut sections: Vec<(usize, usize)> = (0..tiers.len())
            .flat_map(|which| (0..layouts[which].sections.len()).map(move |at| (which, at)))
            .collect();
        sections.sort_by_key(|&section| stones(section));
        let mut found = 0;
        loop {
            let mut asked = HashSet::new();
            let mut new_ones = 0;
            for &(which, at) in &sections {
                let other = tiers.len() - 1 - which;
                let run = |way: Way| {
                    let sweep = Sweep {
                        reach: self,
                        layout: layouts[which],
                        section: at,
                        set: sets[which],
                        done: &done[which],
                        before: (layouts[other], sets[other]),
                        way,
                        progress,
                    };
                    let words = layouts[which].numbers(at).len().div_ceil(WORD) + 1;
                    parallel::run(&sweep, words.div_ceil(CHUNK), threads, stop);
                };
                if asked.contains(&(which, at)) {
                    run(Way::Ask);
                }
                let numbers = layouts[which].numbers(at);
                let new = count(sets[which], numbers.clone()) - count(&done[which], numbers);
                if new == 0 {
                    continue;
                }
                new_ones += new;
                let section = &layouts[which].sections[at];
                // The opponent is to move next.
                let next = layouts[other].find(section.other, section.own + 1);
                let unknown = next.map_or(0, |next| {
                    let numbers = layouts[other].numbers(next);
                    numbers.len() as u64 - count(sets[other], numbers)
                });
                match next {
                    Some(next) if ASKING_PAYS * new > unknown => {
                        asked.insert((other, next));
                        run(Way::Collect);
                    }
                    _ => run(Way::Follow),
                }
                if stop.load(Ordering::Relaxed) {
                    return;
                }
            }
            found += new_ones;
            if new_ones == 0 {
                break;
            }
        }
        // The numbers that no position has are dealt with, too.
        let size: usize = layouts.iter().map(|layout| layout.size).sum();
        progress.add(size as u64 - found);
    }

    /// The set of a tier, empty if nothing in it has been reached.
    pub(crate) fn touch(&self, tier: Tier) -> &[AtomicU64] {
        self.sets[self.space.slot(tier)]
            .get_or_init(|| empty(self.space.layout(tier).size.div_ceil(WORD)))
    }
}

/// Following moves from one position costs about as much as asking so many others.
const ASKING_PAYS: u64 = 6;

fn empty(words: usize) -> Vec<AtomicU64> {
    (0..words).map(|_| AtomicU64::new(0)).collect()
}

/// The bits of a word that stand for numbers in a range.
fn mask(word: usize, numbers: &Range<usize>) -> u64 {
    let low = numbers.start.saturating_sub(word * WORD);
    let high = numbers.end.saturating_sub(word * WORD).min(WORD);
    if low >= high {
        return 0;
    }
    (u64::MAX >> (WORD - (high - low))) << low
}

/// How many of these numbers are in a set.
fn count(set: &[AtomicU64], numbers: Range<usize>) -> u64 {
    (numbers.start / WORD..numbers.end.div_ceil(WORD))
        .map(|word| set[word].load(Ordering::Relaxed) & mask(word, &numbers))
        .map(|word| u64::from(word.count_ones()))
        .sum()
}

/// What a sweep does.
#[derive(Clone, Copy)]
enum Way {
    /// Follows all moves of new positions.
    Follow,
    /// Follows only those that take rows off.
    Collect,
    /// Looks for a way back from unknown positions to known ones.
    Ask,
}

/// One pass over a section.
struct Sweep<'a> {
    reach: &'a Reach<'a>,
    layout: &'a Layout,
    section: usize,
    set: &'a [AtomicU64],
    done: &'a [AtomicU64],
    /// Where moves without collection come from.
    before: (&'a Layout, &'a [AtomicU64]),
    way: Way,
    progress: &'a Progress,
}

/// Lists of moves that a thread uses again and again.
#[derive(Default)]
struct Lists {
    after: Vec<Successor>,
    before: Vec<Stones>,
}

impl Work for Sweep<'_> {
    type Local = Lists;

    #[inline(always)]
    fn chunk<B: Bits>(&self, chunk: usize, lists: &mut Lists) {
        let numbers = self.layout.numbers(self.section);
        let first = numbers.start / WORD + chunk * CHUNK;
        let mut count = 0;
        for word in first..(first + CHUNK).min(numbers.end.div_ceil(WORD)) {
            let known = self.set[word].load(Ordering::Relaxed);
            let mut left = mask(word, &numbers);
            match self.way {
                Way::Ask => left &= !known,
                Way::Follow | Way::Collect => {
                    left &= known & !self.done[word].load(Ordering::Relaxed);
                    self.done[word].fetch_or(left, Ordering::Relaxed);
                    count += u64::from(left.count_ones());
                }
            }
            let mut found = 0;
            while left != 0 {
                let bit = left & left.wrapping_neg();
                left ^= bit;
                let number = (word * WORD) as u32 + bit.trailing_zeros();
                match self.way {
                    Way::Ask if self.comes_from_known::<B>(number, &mut lists.before) => {
                        found |= bit;
                    }
                    Way::Ask => {}
                    Way::Follow | Way::Collect => self.expand::<B>(number, &mut lists.after),
                }
            }
            if found != 0 {
                self.set[word].fetch_or(found, Ordering::Relaxed);
            }
        }
        self.progress.add(count);
    }
}

impl Sweep<'_> {
    /// Marks what moves lead to: all moves, or only those that take rows off.
    #[inline(always)]
    fn expand<B: Bits>(&self, number: u32, list: &mut Vec<Successor>) {
        let space = self.reach.space;
        let section = &self.layout.sections[self.section];
        let Tier { own, other } = self.layout.tier;
        if section.own == usize::from(own) {
            return; // no stone in reserve: the game is over
        }
        let stones = space.index.stones::<B>(section, number);
        match self.way {
            Way::Collect => {
                space.index.shape().collections(stones, list);
            }
            Way::Ask | Way::Follow => space.index.shape().successors(stones, list),
        }
        for next in list {
            let tier = Tier {
                own: other - next.lost[1],
                other: own - next.lost[0],
            };
            let number = space.index.number::<B>(space.layout(tier), next.stones);
            self.reach.mark(tier, number);
        }
    }

    /// Whether a move without collection leads here from a position that is known.
    #[inline(always)]
    fn comes_from_known<B: Bits>(&self, number: u32, list: &mut Vec<Stones>) -> bool {
        let index = &self.reach.space.index;
        let stones = index.stones::<B>(&self.layout.sections[self.section], number);
        // Some numbers are those of rows, or of boards that have another number.
        if !index.views.is_free(stones.other) || index.number::<B>(self.layout, stones) != number {
            return false;
        }
        let (layout, set) = self.before;
        index.shape().predecessors(stones, list);
        for &before in &*list {
            if index.views.is_free(before.own) {
                let number = index.number::<B>(layout, before) as usize;
                if set[number / WORD].load(Ordering::Relaxed) >> (number % WORD) & 1 != 0 {
                    return true;
                }
            }
        }
        false
    }
}

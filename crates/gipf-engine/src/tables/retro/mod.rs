//! Values of the positions of one pair of tiers, from the end backwards.
//!
//! Level by level: first everything that is lost or won in 0 plies, then in 1, and so
//! on. A position is won at the level after its first lost successor, and lost after its
//! last successor is known to be won; so a lost position has an even distance and a won
//! one an odd distance, and what is never reached is a draw.
//!
//! Moves that take no row off are taken back when they are needed; those that do are kept
//! in a list by their target. A position that some symmetry keeps would be counted wrongly
//! by taking moves back, so its successors are looked at anew each time.

mod passes;
mod sources;

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use passes::{Begin, Fill, FillKept, First, Spread};
use sources::{SOURCE, Sources};

use super::Progress;
use super::index::{Bits, Layout, Portable, Tier};
use super::moves::{Stones, Successor};
use super::parallel;
use super::space::{Reach, Space};

/// A value in a table: the distance plus one, or one of these.
pub(crate) const DRAW: u8 = 0;
/// The number stands for no position that can arise.
pub(crate) const UNREACHED: u8 = u8::MAX;
/// The longest distance that a table can hold.
const LONGEST: u8 = 252;

/// Counts of successors that are not yet known to be won for the opponent: some are marks.
const WILL_WIN: u8 = u8::MAX;
const LOOK_ANEW: u8 = u8::MAX - 1;
const MOST_MOVES: u8 = u8::MAX - 2;

/// Numbers that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// Numbers that share a note of the levels at which something happens among them.
const BLOCK: usize = 1 << 7;

const NOW: Ordering = Ordering::Relaxed;

/// Why a pair of tiers could not be solved.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Some distance does not fit a table.
    TooLong,
    /// The moves that take rows off need so many bytes.
    Memory(u64),
    /// Somebody wants to stop.
    Stopped,
}

/// Finished values of lower tiers.
pub(crate) trait Lower: Sync {
    /// The value of a number in a tier.
    fn value(&self, tier: Tier, number: u32) -> u8;
}

/// Bytes for each number of a pair: value, count, level, the end of a list; the result.
pub(crate) const PER_NUMBER: u64 = 1 + 1 + 1 + 4 + 1;

/// The values of the tiers of a pair, in the order of [`Space::tiers`]. Beyond
/// [`PER_NUMBER`], lists take at most `memory` bytes.
#[expect(
    clippy::too_many_arguments,
    reason = "all of them are what it works on"
)]
pub(crate) fn solve(
    space: &Space,
    pair: Tier,
    reach: &Reach,
    lower: &impl Lower,
    memory: u64,
    threads: usize,
    stop: &AtomicBool,
    progress: &Progress,
) -> Result<Vec<Vec<u8>>, Failure> {
    let tiers = space.tiers(pair);
    let layouts: Vec<&Layout> = tiers.iter().map(|&tier| space.layout(tier)).collect();
    let size: usize = layouts.iter().map(|layout| layout.size).sum();
    let cells = |value: u8| (0..size).map(|_| AtomicU8::new(value)).collect::<Vec<_>>();
    let mut board = Tiers {
        space,
        values: cells(UNREACHED),
        counts: cells(0),
        later: cells(0),
        levels: (0..size.div_ceil(BLOCK))
            .map(|_| AtomicU64::new(0))
            .collect(),
        sources: Sources::new(size),
        layouts,
        last_pending: AtomicU8::new(0),
        too_long: AtomicBool::new(false),
    };
    let mut start = 0;
    for (&tier, layout) in tiers.iter().zip(&board.layouts) {
        if let Some(set) = reach.set(tier) {
            for number in 0..layout.size {
                if set[number / 64].load(NOW) >> (number % 64) & 1 != 0 {
                    board.values[start + number].store(DRAW, NOW);
                }
            }
        }
        start += layout.size;
    }
    let chunks = size.div_ceil(CHUNK);
    let first = First::new(&board, lower, progress, memory);
    let kept = parallel::run(&first, chunks, threads, stop);
    let all_kept = first.keeps();
    let room = SOURCE * board.sources.total();
    if room > memory {
        return Err(Failure::Memory(room));
    }
    board.sources.make_room();
    if all_kept {
        let fill = FillKept {
            board: &board,
            kept: kept.into_iter().map(|local| local.kept).collect(),
        };
        parallel::run(&fill, fill.kept.len(), threads, stop);
    } else {
        drop(kept);
        parallel::run(&Fill { board: &board }, chunks, threads, stop);
    }

    let mut level = 0;
    loop {
        if stop.load(NOW) {
            return Err(Failure::Stopped);
        }
        if board.too_long.load(NOW) || level > LONGEST {
            return Err(Failure::TooLong);
        }
        let begin = Begin {
            board: &board,
            level,
        };
        parallel::run(&begin, chunks, threads, stop);
        let spread = Spread {
            board: &board,
            level,
            lower,
        };
        let spread = parallel::run(&spread, chunks, threads, stop);
        let found: u64 = spread.iter().map(|local| local.found).sum();
        if found == 0 && level >= board.last_pending.load(NOW) {
            break;
        }
        level += 1;
    }
    // Make room for the result.
    (board.counts, board.later) = (Vec::new(), Vec::new());
    board.sources = Sources::new(0);
    let mut values = board.values.into_iter().map(AtomicU8::into_inner);
    Ok(board
        .layouts
        .iter()
        .map(|layout| values.by_ref().take(layout.size).collect())
        .collect())
}

/// The work on one pair of tiers. Numbers go through both tiers.
struct Tiers<'a> {
    space: &'a Space,
    layouts: Vec<&'a Layout>,
    values: Vec<AtomicU8>,
    /// Successors not yet known to be won for the opponent, or a mark.
    counts: Vec<AtomicU8>,
    /// The level at which a win in a lower tier is known, of a position that will win;
    /// otherwise the latest of a successor there which the opponent wins.
    later: Vec<AtomicU8>,
    /// For every block, the levels (modulo 64) at which some of its positions are decided,
    /// as far as is known: the others need not be gone through.
    levels: Vec<AtomicU64>,
    sources: Sources,
    /// The last level at which something from lower tiers becomes known.
    last_pending: AtomicU8,
    too_long: AtomicBool,
}

impl<'a> Tiers<'a> {
    /// The layout that a number belongs to, and the number before its first.
    fn place(&self, number: u32) -> (&'a Layout, u32) {
        let first = self.layouts[0];
        if (number as usize) < first.size {
            (first, 0)
        } else {
            (self.layouts[1], first.size as u32)
        }
    }

    /// Where the numbers of a tier start, if it is one of these.
    #[inline]
    fn start(&self, tier: Tier) -> Option<u32> {
        if tier == self.layouts[0].tier {
            Some(0)
        } else if self
            .layouts
            .get(1)
            .is_some_and(|layout| layout.tier == tier)
        {
            Some(self.layouts[0].size as u32)
        } else {
            None
        }
    }

    #[inline(always)]
    fn stones<B: Bits>(&self, number: u32) -> (Tier, Stones) {
        let (layout, start) = self.place(number);
        let section = &layout.sections[layout.section(number - start)];
        (
            layout.tier,
            self.space.index.stones::<B>(section, number - start),
        )
    }

    /// The number of stones, and whether they lie in these tiers (then it goes through both).
    #[inline(always)]
    fn successor<B: Bits>(&self, tier: Tier, next: &Successor) -> (Tier, u32, bool) {
        let to = Tier {
            own: tier.other - next.lost[1],
            other: tier.own - next.lost[0],
        };
        let number = self
            .space
            .index
            .number::<B>(self.space.layout(to), next.stones);
        match self.start(to) {
            Some(start) => (to, start + number, true),
            None => (to, number, false),
        }
    }

    /// Notes that something happens in the block of this number at a level.
    #[inline]
    fn note(&self, number: usize, level: u8) {
        let (levels, bit) = (&self.levels[number / BLOCK], 1 << (level % 64));
        if levels.load(NOW) & bit == 0 {
            levels.fetch_or(bit, NOW);
        }
    }

    /// The numbers of the blocks of a chunk in which something happens at a level.
    fn noted(&self, chunk: usize, level: u8) -> impl Iterator<Item = Range<usize>> {
        let size = self.values.len();
        let blocks =
            chunk * (CHUNK / BLOCK)..((chunk + 1) * (CHUNK / BLOCK)).min(self.levels.len());
        blocks
            .filter(move |&block| self.levels[block].load(NOW) >> (level % 64) & 1 != 0)
            .map(move |block| block * BLOCK..((block + 1) * BLOCK).min(size))
    }

    /// The position is decided at the level.
    #[inline]
    fn decide(&self, number: usize, level: u8) {
        self.values[number].store(level + 1, NOW);
        self.note(number, level);
    }

    /// A successor is lost: this position is won, one level on.
    #[inline]
    fn win(&self, number: u32, level: u8) {
        let at = number as usize;
        if self.values[at].load(NOW) == DRAW {
            self.decide(at, level + 1);
        }
    }

    /// `times` of its successors are won for the opponent: perhaps that was the last.
    #[inline]
    fn count_down(&self, number: u32, times: u8, level: u8, lower: &impl Lower) {
        let at = number as usize;
        if self.values[at].load(NOW) != DRAW {
            return;
        }
        match self.counts[at].load(NOW) {
            // Decided already, only not yet at its level.
            WILL_WIN | 0 => {}
            LOOK_ANEW => self.look_anew(number, level, lower),
            _ => {
                if self.counts[at].fetch_sub(times, NOW) == times {
                    self.lose(number, level);
                }
            }
        }
    }

    /// Every successor is won for the opponent, in these tiers by this level.
    fn lose(&self, number: u32, level: u8) {
        let at = number as usize;
        let later = self.later[at].load(NOW);
        if later <= level {
            self.decide(at, level + 1);
        } else {
            self.counts[at].store(0, NOW);
            self.note(at, later + 1);
        }
    }

    #[cold]
    fn look_anew(&self, number: u32, level: u8, lower: &impl Lower) {
        let (tier, stones) = self.stones::<Portable>(number);
        let mut all_won = true;
        let mut list = Vec::new();
        self.space.index.shape().successors(stones, &mut list);
        for next in &list {
            let (to, number, here) = self.successor::<Portable>(tier, next);
            let value = if here {
                // What this level adds is not to be looked at yet.
                let value = self.values[number as usize].load(NOW);
                if value > level + 1 { DRAW } else { value }
            } else {
                lower.value(to, number)
            };
            all_won &= is_win(value);
        }
        if all_won {
            self.lose(number, level);
        }
    }
}

/// Whether a value says that the player to move wins.
#[inline]
pub(crate) fn is_win(value: u8) -> bool {
    value != DRAW && value.is_multiple_of(2)
}

/// Whether a value says that the player to move loses.
#[inline]
pub(crate) fn is_loss(value: u8) -> bool {
    !value.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the tiers that are done.
    struct Done<'a> {
        space: &'a Space,
        values: Vec<Vec<u8>>,
    }

    impl Lower for Done<'_> {
        fn value(&self, tier: Tier, number: u32) -> u8 {
            self.values[self.space.slot(tier)][number as usize]
        }
    }

    #[test]
    fn little_memory_changes_nothing() {
        let space = Space::new("2 2 6 5".parse().unwrap());
        let (stop, progress) = (AtomicBool::new(false), Progress::default());
        let reach = Reach::new(&space);
        for pair in space.pairs() {
            reach.close(pair, 1, &stop, &progress);
        }
        let mut done = Done {
            space: &space,
            values: vec![Vec::new(); space.slots()],
        };
        let mut found_twice = 0;
        for pair in space.pairs().into_iter().rev() {
            let with = |memory| solve(&space, pair, &reach, &done, memory, 2, &stop, &progress);
            let values = with(u64::MAX).unwrap();
            if let Err(Failure::Memory(room)) = with(0) {
                // Room for the lists alone, but not for keeping the moves as well.
                assert_eq!(with(room).unwrap(), values, "{pair:?}");
                found_twice += 1;
            }
            for (tier, values) in space.tiers(pair).into_iter().zip(values) {
                done.values[space.slot(tier)] = values;
            }
        }
        assert!(found_twice > 3);
    }
}

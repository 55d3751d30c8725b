//! Values of the positions of one pair of tiers, from the end backwards.
//!
//! Level by level: first everything that is lost or won in 0 half-moves, then in 1, and so
//! on. A position is won at the level after its first lost successor, and lost after its
//! last successor is known to be won; so a lost position has an even distance and a won
//! one an odd distance, and what is never reached is a draw.
//!
//! Moves that take no row off are taken back when they are needed; those that do are kept
//! in a list by their target. A position that some symmetry keeps would be counted wrongly
//! by taking moves back, so its successors are looked at anew each time.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};

use super::Progress;
use super::index::{Bits, Layout, Portable, Tier};
use super::moves::{Stones, Successor};
use super::parallel::{self, Work};
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
    let first = First {
        board: &board,
        lower,
        progress,
        kept: AtomicU64::new(0),
        most_kept: memory / (SOURCE + size_of::<Collection>() as u64),
    };
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

/// Bytes of a move in [`Sources`].
const SOURCE: u64 = 4;

/// Moves that take rows off, by their target. They are counted first and filled in then, so
/// that they take no more room than they need.
struct Sources {
    /// Where the list of each target ends; before that is known, the number of its sources.
    ends: Vec<AtomicU32>,
    sources: Vec<AtomicU32>,
}

impl Sources {
    fn new(size: usize) -> Sources {
        Sources {
            ends: (0..size).map(|_| AtomicU32::new(0)).collect(),
            sources: Vec::new(),
        }
    }

    fn count(&self, target: u32) {
        self.ends[target as usize].fetch_add(1, NOW);
    }

    /// All are counted: how many there are.
    fn total(&self) -> u64 {
        self.ends
            .iter()
            .map(|count| u64::from(count.load(NOW)))
            .sum()
    }

    /// Makes room for them. For now every list ends where it begins.
    fn make_room(&mut self) {
        let mut start = 0;
        for end in &mut self.ends {
            let count = std::mem::replace(end.get_mut(), start);
            start += count;
        }
        self.sources = (0..start).map(|_| AtomicU32::new(0)).collect();
    }

    fn add(&self, target: u32, source: u32) {
        let at = self.ends[target as usize].fetch_add(1, NOW);
        self.sources[at as usize].store(source, NOW);
    }

    fn of(&self, target: u32) -> impl Iterator<Item = u32> {
        let end = |target: usize| self.ends[target].load(NOW) as usize;
        let target = target as usize;
        let start = if target == 0 { 0 } else { end(target - 1) };
        self.sources[start..end(target)]
            .iter()
            .map(|source| source.load(NOW))
    }
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

/// Visits those of the numbers whose value is wanted, with the stones.
#[inline(always)]
fn each<B: Bits>(
    board: &Tiers,
    numbers: Range<usize>,
    wanted: impl Fn(u8) -> bool,
    mut visit: impl FnMut(u32, Tier, bool, Stones),
) {
    let Range { start: mut at, end } = numbers;
    while at < end {
        let (layout, start) = board.place(at as u32);
        let section = layout.section(at as u32 - start);
        let stop = end.min(start as usize + layout.numbers(section).end);
        let section = &layout.sections[section];
        let over = section.own == usize::from(layout.tier.own);
        for number in at..stop {
            if wanted(board.values[number].load(NOW)) {
                let stones = board
                    .space
                    .index
                    .stones::<B>(section, number as u32 - start);
                visit(number as u32, layout.tier, over, stones);
            }
        }
        at = stop;
    }
}

/// A move that takes rows off and stays in these tiers.
#[derive(Clone, Copy)]
struct Collection {
    source: u32,
    target: u32,
}

/// The first pass: ends of the game, counts of moves, what lower tiers say.
struct First<'a, L> {
    board: &'a Tiers<'a>,
    lower: &'a L,
    progress: &'a Progress,
    /// Moves that are kept, so that they need not be found again; none if they are too many.
    kept: AtomicU64,
    most_kept: u64,
}

impl<L> First<'_, L> {
    /// Whether there is room for all moves so far.
    fn keeps(&self) -> bool {
        self.kept.load(NOW) <= self.most_kept
    }
}

/// What a thread of the first pass has found.
#[derive(Default)]
struct Found {
    list: Vec<Successor>,
    kept: Vec<Collection>,
}

impl<L: Lower> Work for First<'_, L> {
    type Local = Found;

    #[inline(always)]
    fn chunk<B: Bits>(&self, chunk: usize, found: &mut Found) {
        let board = self.board;
        let mut done = 0;
        let Found { list, kept } = found;
        let keeps = self.keeps();
        if !keeps {
            *kept = Vec::new();
        }
        let kept_before = kept.len();
        each::<B>(
            board,
            chunk * CHUNK..((chunk + 1) * CHUNK).min(board.values.len()),
            |value| value != UNREACHED,
            |number, tier, over, stones| {
                done += 1;
                let at = number as usize;
                if over {
                    board.decide(at, 0);
                    return;
                }
                let (mut won, mut lost) = (None::<u8>, 0u8);
                let mut count = board.space.index.shape().collections(stones, list);
                let any = count > 0 || !list.is_empty();
                for next in &*list {
                    let (to, target, here) = board.successor::<B>(tier, next);
                    if here {
                        count += 1;
                        board.sources.count(target);
                        if keeps {
                            kept.push(Collection {
                                source: number,
                                target,
                            });
                        }
                        continue;
                    }
                    match self.lower.value(to, target) {
                        DRAW => count += 1,
                        value if is_loss(value) => {
                            won = Some(won.map_or(value, |sooner| sooner.min(value)));
                        }
                        value => lost = lost.max(value - 1),
                    }
                }
                let count = u8::try_from(count).unwrap_or(u8::MAX);
                let later = won.unwrap_or(lost);
                if later >= LONGEST || count > MOST_MOVES {
                    board.too_long.store(true, NOW);
                    return;
                }
                if !any {
                    board.decide(at, 0);
                    return;
                }
                let count = match won {
                    Some(_) => WILL_WIN,
                    None if count > 0 && board.space.index.views.symmetries(stones) > 1 => {
                        LOOK_ANEW
                    }
                    None => count,
                };
                board.counts[at].store(count, NOW);
                board.later[at].store(later, NOW);
                if won.is_some() || count == 0 {
                    board.note(at, if won.is_some() { later } else { later + 1 });
                }
                if board.last_pending.load(NOW) < later + 1 {
                    board.last_pending.fetch_max(later + 1, NOW);
                }
            },
        );
        self.kept.fetch_add((kept.len() - kept_before) as u64, NOW);
        self.progress.add(done);
    }
}

/// Fills in the moves that were kept.
struct FillKept<'a> {
    board: &'a Tiers<'a>,
    kept: Vec<Vec<Collection>>,
}

impl Work for FillKept<'_> {
    type Local = ();

    #[inline(always)]
    fn chunk<B: Bits>(&self, chunk: usize, (): &mut ()) {
        for &Collection { source, target } in &self.kept[chunk] {
            self.board.sources.add(target, source);
        }
    }
}

/// Finds the moves that take rows off and stay in these tiers again, and fills them in.
struct Fill<'a> {
    board: &'a Tiers<'a>,
}

impl Work for Fill<'_> {
    type Local = Vec<Successor>;

    #[inline(always)]
    fn chunk<B: Bits>(&self, chunk: usize, list: &mut Vec<Successor>) {
        let board = self.board;
        each::<B>(
            board,
            chunk * CHUNK..((chunk + 1) * CHUNK).min(board.values.len()),
            |value| value != UNREACHED,
            |number, tier, over, stones| {
                if over {
                    return;
                }
                board.space.index.shape().collections(stones, list);
                for next in list.iter().filter(|next| next.lost == [0; 2]) {
                    let (_, target, _) = board.successor::<B>(tier, next);
                    board.sources.add(target, number);
                }
            },
        );
    }
}

/// The beginning of a level: what lower tiers decide at it.
struct Begin<'a> {
    board: &'a Tiers<'a>,
    level: u8,
}

impl Work for Begin<'_> {
    type Local = ();

    #[inline(always)]
    fn chunk<B: Bits>(&self, chunk: usize, (): &mut ()) {
        let board = self.board;
        for at in board.noted(chunk, self.level).flatten() {
            if board.values[at].load(NOW) != DRAW {
                continue;
            }
            let (later, count) = (board.later[at].load(NOW), board.counts[at].load(NOW));
            let now = match count {
                WILL_WIN => later == self.level,
                0 => later + 1 == self.level,
                _ => false,
            };
            if now {
                board.decide(at, self.level);
            }
        }
    }
}

/// The rest of a level: what follows from the positions that are decided at it.
struct Spread<'a, L> {
    board: &'a Tiers<'a>,
    level: u8,
    lower: &'a L,
}

/// What a thread knows and uses while a level spreads.
#[derive(Default)]
struct Spreading {
    /// Positions of this level.
    found: u64,
    stones: Vec<Stones>,
    before: Vec<u32>,
}

impl<L: Lower> Work for Spread<'_, L> {
    type Local = Spreading;

    #[inline(always)]
    fn chunk<B: Bits>(&self, chunk: usize, local: &mut Spreading) {
        let board = self.board;
        let index = &board.space.index;
        let level = self.level;
        let Spreading {
            found,
            stones: list,
            before,
        } = local;
        for numbers in board.noted(chunk, level) {
            each::<B>(
                board,
                numbers,
                |value| value == level + 1,
                |number, tier, _, stones| {
                    *found += 1;
                    let from = tier.flip();
                    let start = board.start(from).unwrap_or_default();
                    let layout = board.space.layout(from);
                    before.clear();
                    index.shape().predecessors(stones, list);
                    for &stones in &*list {
                        if index.views.is_free(stones.own) {
                            before.push(start + index.number::<B>(layout, stones));
                        }
                    }
                    if level.is_multiple_of(2) {
                        for source in before.iter().copied().chain(board.sources.of(number)) {
                            board.win(source, level);
                        }
                        return;
                    }
                    let symmetries = index.views.symmetries(stones);
                    if symmetries == 1 {
                        for &source in &*before {
                            board.count_down(source, 1, level, self.lower);
                        }
                    } else {
                        // Each way back is there once for every symmetry that keeps the stones.
                        before.sort_unstable();
                        for same in before.chunk_by(|a, b| a == b) {
                            let times = (same.len() as u32 / symmetries).max(1) as u8;
                            board.count_down(same[0], times, level, self.lower);
                        }
                    }
                    for source in board.sources.of(number) {
                        board.count_down(source, 1, level, self.lower);
                    }
                },
            );
        }
    }
}

/// How many positions of a tier have been reached.
pub(crate) fn count(set: &[AtomicU64]) -> u64 {
    set.iter()
        .map(|word| u64::from(word.load(NOW).count_ones()))
        .sum()
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

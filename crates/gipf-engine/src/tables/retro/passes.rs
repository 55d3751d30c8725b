//! The passes over all numbers of a pair of tiers, each shared between threads.

use std::ops::Range;
use std::sync::atomic::AtomicU64;

use super::sources::SOURCE;
use super::{
    CHUNK, DRAW, LONGEST, LOOK_ANEW, Lower, MOST_MOVES, NOW, Tiers, UNREACHED, WILL_WIN, is_loss,
};
use crate::tables::Progress;
use crate::tables::index::{Bits, Tier};
use crate::tables::moves::{Stones, Successor};
use crate::tables::parallel::Work;

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
pub(super) struct Collection {
    source: u32,
    target: u32,
}

/// The first pass: ends of the game, counts of moves, what lower tiers say.
pub(super) struct First<'a, L> {
    board: &'a Tiers<'a>,
    lower: &'a L,
    progress: &'a Progress,
    /// Moves that are kept, so that they need not be found again; none if they are too many.
    kept: AtomicU64,
    most_kept: u64,
}

impl<'a, L> First<'a, L> {
    /// Keeps moves as long as they, and the lists made of them, take at most `memory` bytes.
    pub(super) fn new(
        board: &'a Tiers<'a>,
        lower: &'a L,
        progress: &'a Progress,
        memory: u64,
    ) -> Self {
        First {
            board,
            lower,
            progress,
            kept: AtomicU64::new(0),
            most_kept: memory / (SOURCE + size_of::<Collection>() as u64),
        }
    }

    /// Whether there is room for all moves so far.
    pub(super) fn keeps(&self) -> bool {
        self.kept.load(NOW) <= self.most_kept
    }
}

/// What a thread of the first pass has found.
#[derive(Default)]
pub(super) struct Found {
    list: Vec<Successor>,
    pub(super) kept: Vec<Collection>,
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
pub(super) struct FillKept<'a> {
    pub(super) board: &'a Tiers<'a>,
    pub(super) kept: Vec<Vec<Collection>>,
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
pub(super) struct Fill<'a> {
    pub(super) board: &'a Tiers<'a>,
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
pub(super) struct Begin<'a> {
    pub(super) board: &'a Tiers<'a>,
    pub(super) level: u8,
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
pub(super) struct Spread<'a, L> {
    pub(super) board: &'a Tiers<'a>,
    pub(super) level: u8,
    pub(super) lower: &'a L,
}

/// What a thread knows and uses while a level spreads.
#[derive(Default)]
pub(super) struct Spreading {
    /// Positions of this level.
    pub(super) found: u64,
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

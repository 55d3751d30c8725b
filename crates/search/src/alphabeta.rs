//! Alpha–beta: deeper and deeper, leaving out what cannot matter.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use rules::{Evaluate, Game, Hashed, WIN};

use crate::order::{History, KILLER, KNOWN_BEST, Ply};
use crate::{
    Bound, Clock, DepthTable, Limits, PROVEN, Report, Score, Store, answers, from_table, to_table,
};

/// No search looks further ahead than this.
pub const DEEPEST: u32 = 128;

/// Negamax with alpha–beta and iterative deepening. It keeps its table from search to
/// search, so one that follows a game gets quicker.
///
/// Within one depth the value is exactly that of [`minimax`](crate::minimax); only
/// fewer positions are looked at.
///
/// ```
/// use reversi::Position;
/// use search::{AlphaBeta, Limits};
///
/// let mut search = AlphaBeta::new();
/// let report = search.search(&Position::start(), &Limits::default().with_depth(4));
/// assert_eq!(report.depth, 4);
/// assert!(report.best.is_some());
/// ```
#[derive(Clone, Debug)]
pub struct AlphaBeta<G: Game> {
    table: DepthTable<Results<G::Move>>,
    history: History,
    plies: Vec<Ply<G::Move>>,
    /// Whether some line was cut at the horizon, so that more depth could find more.
    horizon: bool,
}

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry<M> {
    /// The move that was best, or good enough.
    mv: M,
    /// As seen from this position: a win in `n` plies from here is `WIN − n`.
    value: i32,
    bound: Bound,
    /// Plies looked ahead from here, or [`EXHAUSTED`].
    depth: u8,
}

/// The depth of an entry below which every line was followed to the end of the game.
const EXHAUSTED: u8 = u8::MAX;

/// How entries are kept, with their hashes.
struct Results<M>(PhantomData<M>);

impl<M: Copy> Store for Results<M> {
    type Entry = Option<(u64, Entry<M>)>;
    const FREE: Self::Entry = None;

    #[inline]
    fn is_of(entry: &Self::Entry, key: u64) -> bool {
        entry.is_some_and(|(hash, _)| hash == key)
    }

    #[inline]
    fn depth(entry: &Self::Entry) -> u8 {
        entry.map_or(0, |(_, entry)| entry.depth)
    }
}

/// Entries of the table by default: a few megabytes.
const TABLE_BITS: u32 = 18;

impl<G: Hashed + Evaluate> Default for AlphaBeta<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Hashed + Evaluate> AlphaBeta<G> {
    /// A search with a table of a few megabytes.
    #[must_use]
    pub fn new() -> Self {
        Self::with_table_bits(TABLE_BITS)
    }

    /// A search with a table of `2^bits` entries.
    #[must_use]
    pub fn with_table_bits(bits: u32) -> Self {
        AlphaBeta {
            table: DepthTable::new(bits),
            history: History::new(),
            plies: Vec::new(),
            horizon: false,
        }
    }

    /// Forgets everything learned.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history.clear();
        self.plies.clear();
    }

    /// Searches until a limit is reached, the value is proven, or [`DEEPEST`]. There is
    /// always a legal move in the report, unless the game is over.
    pub fn search(&mut self, position: &G, limits: &Limits) -> Report<G::Move> {
        self.search_with(position, limits, |_| {})
    }

    /// The same, and passes on the report of every finished depth on the way.
    pub fn search_with(
        &mut self,
        position: &G,
        limits: &Limits,
        mut progress: impl FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let mut clock = Clock::start(limits);
        let mut report = Report::before_search(position);
        if report.best.is_none() {
            return report;
        }
        self.history.fade();
        for ply in &mut self.plies {
            ply.killers = [None; 2];
        }
        for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            self.plies.resize_with(depth as usize + 2, Ply::new);
            self.horizon = false;
            let value = self.visit(position, &mut clock, [-WIN, WIN], depth, 0);
            // A depth that was cut short still counts if its first move, which was best
            // before, has been looked at: whatever replaced it was better.
            if let Some(&best) = self.plies[0].line.first() {
                report.best = Some(best);
                report.line.clone_from(&self.plies[0].line);
                report.note(value, depth, !clock.stopped());
                if !self.horizon && !clock.stopped() && value == 0 {
                    report.score = Score::Draw;
                }
            }
            report.nodes = clock.nodes();
            report.time = clock.elapsed();
            if clock.stopped() {
                break;
            }
            report.depth = depth;
            progress(&report);
            if report.score.is_proven() {
                break;
            }
        }
        report
    }

    /// The value of a position `ply` plies below the root, if it lies inside the
    /// window; otherwise a bound on the same side of it. Leaves the best line in
    /// `self.plies[ply]`. Once the clock has stopped, only what is left there at the
    /// root means anything.
    fn visit(
        &mut self,
        position: &G,
        clock: &mut Clock,
        [mut alpha, beta]: [i32; 2],
        depth: u32,
        ply: usize,
    ) -> i32 {
        self.plies[ply].line.clear();
        if clock.tick() {
            return alpha;
        }
        if depth == 0 {
            return match position.outcome() {
                Some(outcome) => outcome.sign_for(position.side_to_move()) * (WIN - ply as i32),
                None => {
                    self.horizon = true;
                    position.evaluate()
                }
            };
        }
        let hash = position.hash();
        let known = self.table.get(hash).flatten().map(|(_, entry)| entry);
        if ply > 0
            && let Some(entry) = known
            && let Some(value) = usable(entry, [alpha, beta], depth, ply)
        {
            self.horizon |= entry.depth != EXHAUSTED && value.abs() < PROVEN;
            return value;
        }
        if !self.list_moves(position, ply, known.map(|entry| entry.mv)) {
            let sign = position
                .outcome()
                .map_or(0, |outcome| outcome.sign_for(position.side_to_move()));
            return sign * (WIN - ply as i32);
        }

        let before = std::mem::replace(&mut self.horizon, false);
        let floor = alpha;
        let mut value = -WIN;
        let mut best = self.plies[ply].moves[0].1;
        let mut tried = 0;
        while let Some(mv) = self.plies[ply].pick(tried) {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let narrow = [-alpha - 1, -alpha];
            let full = [-beta, -alpha];
            let mut score;
            if tried == 0 {
                best = mv;
                score = -self.visit(&next, clock, full, depth - 1, ply + 1);
            } else {
                // Later moves only have to show that they are no better.
                score = -self.visit(&next, clock, narrow, depth - 1, ply + 1);
                if score > alpha && score < beta && !clock.stopped() {
                    score = -self.visit(&next, clock, full, depth - 1, ply + 1);
                }
            }
            if clock.stopped() {
                return value;
            }
            tried += 1;
            if score > value {
                value = score;
                best = mv;
                if score > alpha {
                    self.keep_line(mv, ply);
                }
                alpha = alpha.max(score);
                if alpha >= beta {
                    self.learn(position, ply, tried, depth);
                    break;
                }
            }
        }
        let bound = Bound::of(value, [floor, beta]);
        let entry = Entry {
            mv: best,
            value: to_table(value, ply),
            bound,
            depth: if self.horizon { depth as u8 } else { EXHAUSTED },
        };
        self.table.put(hash, Some((hash, entry)));
        self.horizon |= before;
        value
    }

    /// Lists the moves with their scores; false if there are none.
    #[inline]
    fn list_moves(&mut self, position: &G, ply: usize, known: Option<G::Move>) -> bool {
        let Ply { moves, killers, .. } = &mut self.plies[ply];
        let side = position.side_to_move();
        moves.clear();
        let _ = position.visit_moves(|mv| {
            let score = if known == Some(mv) {
                KNOWN_BEST
            } else if killers[0] == Some(mv) {
                KILLER + 1
            } else if killers[1] == Some(mv) {
                KILLER
            } else {
                self.history.score(side, mv)
            };
            moves.push((score, mv));
            ControlFlow::<()>::Continue(())
        });
        !moves.is_empty()
    }

    /// The last of the moves tried refuted what came before; the others did not.
    #[inline]
    fn learn(&mut self, position: &G, ply: usize, tried: usize, depth: u32) {
        let side = position.side_to_move();
        let here = &mut self.plies[ply];
        let Some(((_, refuted), rest)) = here.moves[..tried].split_last() else {
            return;
        };
        self.history.reward(side, *refuted, depth);
        for (_, mv) in rest {
            self.history.punish(side, *mv, depth);
        }
        let refuted = *refuted;
        here.remember_killer(refuted);
    }

    /// The best line is this move and what is best after it.
    #[inline]
    fn keep_line(&mut self, mv: G::Move, ply: usize) {
        let [here, below] = &mut self.plies[ply..=ply + 1] else {
            return;
        };
        here.line.clear();
        here.line.push(mv);
        here.line.extend_from_slice(&below.line);
    }
}

/// The value of a table entry, if it answers the question.
#[inline]
fn usable<M>(entry: Entry<M>, [alpha, beta]: [i32; 2], depth: u32, ply: usize) -> Option<i32> {
    let value = from_table(entry.value, ply);
    let deep = u32::from(entry.depth) >= depth;
    answers(value, entry.bound, deep, [alpha, beta]).then_some(value)
}

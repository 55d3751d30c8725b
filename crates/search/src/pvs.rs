//! Principal variation search for engines that make positions rather than moves.
//!
//! The first successor of a position gets the whole window. The others only have to show that they
//! are no better, late quiet ones less deeply; whichever is better after all is searched again.
//! An engine says what it knows of its game as a [`Guide`], and asks for one depth after the other.

use rules::{Game, WIN};

use crate::successors::{
    Child, KNOWN_BEST, NO_MOVE, NumberedEntries, NumberedEntry, QuietMoves, expected_line, pick,
};
use crate::{Bound, Clock, DepthTable, PROVEN, answers, from_table, to_table};

/// What an engine knows of its game.
pub trait Guide {
    /// The positions.
    type Position: Game + Copy;
    /// What the order of the successors of a position is measured from.
    type Before;

    /// Plies that [`extended`](Guide::extended) may add to a line.
    const MOST_EXTENSIONS: usize = 0;

    /// A hash of all that the value of a position depends on.
    fn key(&self, position: &Self::Position) -> u64;

    /// The estimate from the view of the player to move.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// Calls `each` with every move and the position after it, always in the same order.
    fn visit(
        &self,
        position: &Self::Position,
        each: impl FnMut(<Self::Position as Game>::Move, Self::Position),
    );

    /// What [`order`](Guide::order) has to know of the position before a move.
    fn before(&self, position: &Self::Position) -> Self::Before;

    /// The kind of a move among those of its side, below
    /// [`KINDS`](crate::successors::KINDS): what refuted one position may refute others.
    fn kind(&self, mv: <Self::Position as Game>::Move) -> u8;

    /// When to look at a move that leads to `next`: the largest first. `quiet` is what is known of
    /// its kind.
    fn order(&self, before: &Self::Before, next: &Self::Position, quiet: i32) -> i32;

    /// How many plies less deeply a move is looked at first, after so many others; less than
    /// `depth`.
    fn reduction(&self, tried: usize, depth: i32, order: i32) -> i32;

    /// The depth of a search of this position: more than `depth` if no estimate of it means
    /// anything.
    fn extended(&self, position: &Self::Position, depth: i32) -> i32 {
        let _ = position;
        depth
    }

    /// How far the estimate of a position must be above a null window to be taken for the value;
    /// `None` to search it anyway.
    fn margin(&self, position: &Self::Position, depth: i32, ply: usize) -> Option<i32> {
        let _ = (position, depth, ply);
        None
    }

    /// Plies until the game is drawn, as far as keys say nothing of that: a longer win from the
    /// table is none.
    fn plies_to_draw(&self, position: &Self::Position) -> i32 {
        let _ = position;
        i32::MAX
    }
}

type MoveOf<G> = <<G as Guide>::Position as Game>::Move;
type ChildOf<G> = Child<<G as Guide>::Position, MoveOf<G>>;

/// The search. It keeps its table from position to position.
#[derive(Clone)]
pub struct Pvs<G: Guide> {
    /// What is known of the game.
    pub guide: G,
    table: DepthTable<NumberedEntries>,
    /// The successors of the position at each ply.
    children: Vec<Vec<ChildOf<G>>>,
    quiet: QuietMoves,
    best: Option<MoveOf<G>>,
}

impl<G: Guide> Pvs<G> {
    /// A search with a table of `2^table_bits` entries.
    #[must_use]
    pub fn new(guide: G, table_bits: u32) -> Pvs<G> {
        Pvs {
            guide,
            table: DepthTable::new(table_bits),
            children: Vec::new(),
            quiet: QuietMoves::default(),
            best: None,
        }
    }

    /// Forgets everything learned.
    pub fn clear(&mut self) {
        self.table.clear();
        self.quiet = QuietMoves::default();
    }

    /// Another position is searched.
    pub fn begin(&mut self) {
        self.table.begin_search();
        self.quiet.fade();
        self.best = None;
    }

    /// The value of a position after so many plies if it is inside the window, or a bound on the same
    /// side of it. Once the clock has stopped only [`take_best`](Pvs::take_best) means anything.
    pub fn value(
        &mut self,
        position: &G::Position,
        clock: &mut Clock,
        window: [i32; 2],
        depth: u32,
    ) -> i32 {
        let plies = depth as usize + G::MOST_EXTENSIONS + 2;
        self.children.resize_with(plies, Vec::new);
        self.quiet.resize(plies);
        self.visit(position, clock, window, depth as i32, 0)
    }

    /// The best move of the position that was searched, since it was last asked for. It is one even
    /// after a search that was stopped: the first move looked at was best before, and whatever has
    /// replaced it was better.
    pub fn take_best(&mut self) -> Option<MoveOf<G>> {
        self.best.take()
    }

    /// This move and what is expected after it.
    #[must_use]
    pub fn line(&self, position: &G::Position, best: Option<MoveOf<G>>) -> Vec<MoveOf<G>> {
        expected_line(position, best, |at| {
            self.table.get(self.guide.key(at)).map(|entry| entry.best)
        })
    }

    fn visit(
        &mut self,
        position: &G::Position,
        clock: &mut Clock,
        [mut alpha, beta]: [i32; 2],
        mut depth: i32,
        ply: usize,
    ) -> i32 {
        if clock.tick() {
            return alpha;
        }
        let side = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return outcome.sign_for(side) * (WIN - ply as i32);
        }
        let last = ply + 1 >= self.children.len();
        if !last {
            depth = self.guide.extended(position, depth);
        }
        if depth <= 0 || last {
            return self.guide.evaluate(position);
        }
        // Not even a win by the next move can help.
        let most = WIN - ply as i32 - 1;
        if most <= alpha {
            return most;
        }
        let key = self.guide.key(position);
        let known = self.table.get(key);
        if ply > 0
            && let Some(entry) = known
            && let Some(value) = self.usable(entry, position, [alpha, beta], depth, ply)
        {
            return value;
        }
        if beta - alpha == 1
            && beta.abs() < PROVEN
            && let Some(margin) = self.guide.margin(position, depth, ply)
        {
            let estimate = self.guide.evaluate(position);
            if estimate - margin >= beta {
                return estimate;
            }
        }
        self.list(position, ply, known.map_or(NO_MOVE, |entry| entry.best));

        let floor = alpha;
        let (mut value, mut best) = (-WIN, NO_MOVE);
        let mut tried = 0;
        while let Some(child) = pick(&mut self.children[ply], tried) {
            let next = &child.position;
            let mut score;
            if tried == 0 {
                score = -self.visit(next, clock, [-beta, -alpha], depth - 1, ply + 1);
            } else {
                let less = self.guide.reduction(tried, depth, child.order);
                let null = [-alpha - 1, -alpha];
                score = -self.visit(next, clock, null, depth - 1 - less, ply + 1);
                if score > alpha && less > 0 && !clock.stopped() {
                    score = -self.visit(next, clock, null, depth - 1, ply + 1);
                }
                if score > alpha && score < beta && !clock.stopped() {
                    score = -self.visit(next, clock, [-beta, -alpha], depth - 1, ply + 1);
                }
            }
            if clock.stopped() {
                return value;
            }
            tried += 1;
            if score > value {
                value = score;
                best = child.number;
                if ply == 0 && (score > floor || self.best.is_none()) {
                    self.best = Some(child.mv);
                }
                alpha = alpha.max(score);
                if alpha >= beta {
                    let kind = self.guide.kind(child.mv);
                    self.quiet.reward(side, ply, kind, depth);
                    break;
                }
            }
        }
        let bound = Bound::of(value, [floor, beta]);
        let depth = depth.min(u8::MAX.into()) as u8;
        let entry = NumberedEntry::new(key, to_table(value, ply), bound, best, depth);
        self.table.put(key, entry);
        value
    }

    /// The value of an entry, seen from the root, if it answers a question with this window.
    #[inline]
    fn usable(
        &self,
        entry: NumberedEntry,
        position: &G::Position,
        window: [i32; 2],
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let value = from_table(entry.value, ply);
        let deep = i32::from(entry.depth) >= depth;
        let proven = entry.value.abs() >= PROVEN;
        let in_time = !proven || WIN - entry.value.abs() <= self.guide.plies_to_draw(position);
        (in_time && answers(value, entry.bound(), deep, window)).then_some(value)
    }

    /// Lists the successors at a ply with their order.
    #[inline]
    fn list(&mut self, position: &G::Position, ply: usize, known: u16) {
        let guide = &self.guide;
        let quiet = self.quiet.at(position.side_to_move(), ply);
        let before = guide.before(position);
        let children = &mut self.children[ply];
        children.clear();
        let mut number = 0;
        guide.visit(position, |mv, next| {
            let order = if number == known && number != NO_MOVE {
                KNOWN_BEST
            } else {
                guide.order(&before, &next, quiet.of(guide.kind(mv)))
            };
            children.push(Child {
                position: next,
                mv,
                number,
                order,
            });
            // Moves beyond these many have no number: the table knows nothing of them.
            number = number.saturating_add(1);
        });
    }
}

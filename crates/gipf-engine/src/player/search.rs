//! The search of the player.

use std::ops::ControlFlow;
use std::sync::Arc;

use gipf::{Move, Position};
use rules::{Game, Hashed, WIN};
use search::{Bound, Clock, DepthTable, Limits, Report, Score, answers, from_table, to_table};

use super::Weights;
use super::table::{Entries, Entry};
use crate::tables::{Library, Value};

/// No search looks further ahead than this.
const DEEPEST: u32 = 64;

/// Searches of this depth look at every move in full.
const FULL_WIDTH: u32 = 2;

/// Entries of the table: 16 bytes each.
const TABLE_BITS: u32 = 20;

/// A successor in the list of its ply.
#[derive(Clone, Copy)]
struct Child {
    position: Position,
    mv: Move,
    number: u16,
    /// Larger is searched earlier.
    order: i32,
}

/// The order of the move that the table knows to be best.
const KNOWN_BEST: i32 = i32::MAX;
/// A stone that changes hands or comes back is worth this much in the order.
const CAPTURE: i32 = 1 << 20;
/// Moves that refuted a sister.
const KILLER: i32 = 1 << 19;

/// The strongest player of GIPF. It keeps its table from search to search.
#[derive(Clone)]
pub struct Player {
    weights: Weights,
    table: DepthTable<Entries>,
    /// The successors of the position at each ply.
    children: Vec<Vec<Child>>,
    killers: Vec<[u8; 2]>,
    /// How often a push from each entry was good, for either side.
    history: [[i32; 128]; 2],
    line: Vec<Move>,
    /// Solved variants.
    solved: Arc<Library>,
}

impl std::fmt::Debug for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player")
            .field("weights", &self.weights)
            .finish_non_exhaustive()
    }
}

impl Default for Player {
    fn default() -> Player {
        Player::new(Weights::default(), TABLE_BITS)
    }
}

impl Player {
    /// A player with these weights and a table of `2^table_bits` entries.
    #[must_use]
    pub fn new(weights: Weights, table_bits: u32) -> Player {
        Player {
            weights,
            table: DepthTable::new(table_bits),
            children: Vec::new(),
            killers: Vec::new(),
            history: [[0; 128]; 2],
            line: Vec::new(),
            solved: Arc::default(),
        }
    }

    /// The same player with these tables; without them it has none.
    #[must_use]
    pub fn with_tables(self, solved: Arc<Library>) -> Player {
        Player { solved, ..self }
    }

    /// Forgets everything learned.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history = [[0; 128]; 2];
    }

    /// Looks the position up in its tables, and searches if none has it or neither side wins. There is always a legal move in the report, unless the game
    /// is over.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        let clock = Clock::start(limits);
        let Some(moves) = self.solved.moves(position) else {
            return self.think(position, limits);
        };
        let (best, value) = moves[0];
        let known = Report {
            best: Some(best),
            line: vec![best],
            depth: distance(value),
            nodes: moves.len() as u64,
            time: clock.elapsed(),
            ..Report::over(value.into())
        };
        if value != Value::Draw {
            return known;
        }
        // Among the moves that hold the draw, the one that sets the most problems.
        let found = self.think(position, limits);
        let holds = |mv: Move| moves.contains(&(mv, Value::Draw));
        match found.best {
            Some(mv) if holds(mv) => Report {
                score: Score::Draw,
                ..found
            },
            _ => known,
        }
    }

    /// Searches until a limit is reached or the value is proven.
    fn think(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        let mut clock = Clock::start(limits);
        let mut report = Report::before_search(position);
        if report.best.is_none() {
            return report;
        }
        // What was deep then is not worth more now.
        self.table.for_each_deepest(|entry| entry.depth /= 2);
        self.history
            .as_flattened_mut()
            .iter_mut()
            .for_each(|h| *h /= 4);
        self.killers.clear();
        for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            let plies = depth as usize + 2;
            self.children.resize_with(plies, Vec::new);
            self.killers.resize(plies, [u8::MAX; 2]);
            self.line.clear();
            let value = self.visit(position, &mut clock, [-WIN, WIN], depth, 0);
            // A depth that was cut short still counts if its first move, which was best
            // before, has been looked at: whatever replaced it was better.
            if let Some(&best) = self.line.first() {
                report.best = Some(best);
                // Deeper searches look at late moves less deeply, so that a win may be longer
                // than need be; but no end is nearer than the full depths have seen.
                report.note(value, depth.min(FULL_WIDTH + 1), !clock.stopped());
            }
            report.nodes = clock.nodes();
            report.time = clock.elapsed();
            if clock.stopped() {
                break;
            }
            report.depth = depth;
            if report.score.is_proven() {
                break;
            }
        }
        report.line = self.expected_line(position, report.best);
        report
    }

    /// The value of a position inside the window, or a bound on the same side of it.
    /// Once the clock has stopped only the line left by the root means anything.
    fn visit(
        &mut self,
        position: &Position,
        clock: &mut Clock,
        [mut alpha, beta]: [i32; 2],
        depth: u32,
        ply: usize,
    ) -> i32 {
        if clock.tick() {
            return alpha;
        }
        if position.outcome().is_some() {
            return ply as i32 - WIN;
        }
        if depth == 0 {
            return self.weights.evaluate(position);
        }
        // Not even a win by the next move can help.
        let most = WIN - ply as i32 - 1;
        if most <= alpha {
            return most;
        }
        let key = position.hash();
        let known = self.table.get(key);
        if ply > 0
            && let Some(value) = known.and_then(|entry| usable(entry, [alpha, beta], depth, ply))
        {
            return value;
        }
        self.list(position, ply, known.map_or(u16::MAX, |entry| entry.best));

        let floor = alpha;
        let mut value = -WIN;
        let mut best = u16::MAX;
        let mut tried = 0;
        while let Some(child) = self.pick(ply, tried) {
            let next = &child.position;
            let mut score;
            if tried == 0 {
                score = -self.visit(next, clock, [-beta, -alpha], depth - 1, ply + 1);
            } else {
                // Late quiet moves are first looked at less deeply.
                let quiet = child.order < CAPTURE / 2;
                let less = match tried {
                    4.. if quiet && depth > FULL_WIDTH => 1 + u32::from(tried >= 12 && depth >= 5),
                    _ => 0,
                };
                let narrow = [-alpha - 1, -alpha];
                score = -self.visit(next, clock, narrow, depth - 1 - less, ply + 1);
                if score > alpha && less > 0 && !clock.stopped() {
                    score = -self.visit(next, clock, narrow, depth - 1, ply + 1);
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
                if ply == 0 {
                    self.line.clear();
                    self.line.push(child.mv);
                }
                alpha = alpha.max(score);
                if alpha >= beta {
                    self.reward(position, child.mv, depth, ply);
                    break;
                }
            }
        }
        let entry = Entry {
            key,
            value: to_table(value, ply),
            best,
            depth: depth as u8,
            bound: if value >= beta {
                Bound::Lower
            } else if value > floor {
                Bound::Exact
            } else {
                Bound::Upper
            },
        };
        self.table.put(key, entry);
        value
    }

    /// Lists the successors at a ply with their order.
    fn list(&mut self, position: &Position, ply: usize, known: u16) {
        let mover = position.side_to_move();
        let balance = |p: &Position| {
            i32::from(p.material(mover)) + i32::from(p.reserve(mover))
                - i32::from(p.material(!mover))
                - i32::from(p.reserve(!mover))
        };
        let before = balance(position) - 1;
        let children = &mut self.children[ply];
        children.clear();
        let [first, second] = self.killers[ply];
        let history = &self.history[mover.index()];
        let mut number = 0;
        let _ = position.visit_successors(|mv, next| {
            let gain = balance(&next) - before;
            let order = if number == known {
                KNOWN_BEST
            } else if gain != 0 {
                gain * CAPTURE
            } else if mv.entry() == first || mv.entry() == second {
                KILLER
            } else {
                history[usize::from(mv.entry())]
            };
            children.push(Child {
                position: next,
                mv,
                number,
                order,
            });
            number += 1;
            ControlFlow::<()>::Continue(())
        });
    }

    /// The next child of a ply in order.
    #[inline]
    fn pick(&mut self, ply: usize, index: usize) -> Option<Child> {
        let rest = self.children[ply].get_mut(index..)?;
        let best = (0..rest.len()).max_by_key(|&i| (rest[i].order, std::cmp::Reverse(i)))?;
        rest.swap(0, best);
        Some(rest[0])
    }

    /// A move that was too good is tried early elsewhere.
    fn reward(&mut self, position: &Position, mv: Move, depth: u32, ply: usize) {
        let entry = mv.entry();
        let [first, second] = &mut self.killers[ply];
        if *first != entry {
            *second = *first;
            *first = entry;
        }
        let history = &mut self.history[position.side_to_move().index()][usize::from(entry)];
        *history = (*history + (depth * depth) as i32).min(KILLER - 1);
    }

    /// The best move and what the table expects after it.
    fn expected_line(&self, position: &Position, best: Option<Move>) -> Vec<Move> {
        let mut line: Vec<Move> = best.into_iter().collect();
        let mut at = *position;
        let mut next = best;
        while let Some(mv) = next {
            at.play_unchecked(mv);
            if line.len() >= 12 {
                break;
            }
            next = self
                .table
                .get(at.hash())
                .and_then(|entry| at.moves().get(usize::from(entry.best)).copied());
            line.extend(next);
        }
        line
    }
}

/// How far a table's value looks ahead.
fn distance(value: Value) -> u32 {
    match value {
        Value::Win(distance) | Value::Loss(distance) => distance,
        Value::Draw => 1,
    }
}

/// The value of an entry, if it answers the question.
fn usable(entry: Entry, [alpha, beta]: [i32; 2], depth: u32, ply: usize) -> Option<i32> {
    let value = from_table(entry.value, ply);
    let deep = u32::from(entry.depth) >= depth;
    answers(value, entry.bound, deep, [alpha, beta]).then_some(value)
}

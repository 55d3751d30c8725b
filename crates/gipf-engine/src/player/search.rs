//! The search of the player.

use std::ops::ControlFlow;
use std::sync::Arc;

use gipf::{Move, Position};
use rules::{Game, Hashed, WIN};
use search::successors::{
    Child, KNOWN_BEST, NO_MOVE, NumberedEntries, NumberedEntry, QuietMoves, expected_line, pick,
};
use search::{Bound, Clock, DepthTable, Limits, Report, Score, answers, from_table, to_table};

use super::{Weights, patterns};
use crate::tables::{Library, Value};

/// No search looks further ahead than this.
const DEEPEST: u32 = 64;

/// Searches of this depth look at every move in full.
const FULL_WIDTH: u32 = 2;

/// Entries of the table: 16 bytes each.
const TABLE_BITS: u32 = 20;

/// A stone that changes hands or comes back is worth this much in the order.
const CAPTURE: i32 = 1 << 20;
/// The order of moves that refuted a sister.
const KILLER: i32 = 1 << 19;

/// The strongest player of GIPF. It keeps its table from search to search.
#[derive(Clone)]
pub struct Player {
    weights: Weights,
    /// The evaluation of the published game, where it fits.
    patterns: Option<gipf_standard_engine::Weights>,
    /// Whether it fits the position that is searched.
    by_patterns: bool,
    table: DepthTable<NumberedEntries>,
    /// The successors of the position at each ply.
    children: Vec<Vec<Child<Position, Move>>>,
    /// Quiet moves by the entry of their push.
    quiet: QuietMoves<KILLER>,
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
    /// Variants that are like the published game are played by its evaluation.
    fn default() -> Player {
        Player {
            patterns: Some(gipf_standard_engine::Weights::default()),
            ..Player::new(Weights::default(), TABLE_BITS)
        }
    }
}

impl Player {
    /// A player with these weights and a table of `2^table_bits` entries, which plays every variant
    /// by them.
    #[must_use]
    pub fn new(weights: Weights, table_bits: u32) -> Player {
        Player {
            weights,
            patterns: None,
            by_patterns: false,
            table: DepthTable::new(table_bits),
            children: Vec::new(),
            quiet: QuietMoves::default(),
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
        self.quiet = QuietMoves::default();
    }

    /// Looks the position up in its tables, and searches if none has it or neither side wins. There
    /// is always a legal move in the report, unless the game is over.
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
        let fit = patterns::fit(position.variant());
        if fit != self.by_patterns {
            // What was found by another measure is worth nothing.
            self.clear();
            self.by_patterns = fit;
        }
        self.table.begin_search();
        self.quiet.fade();
        for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            let plies = depth as usize + 2;
            self.children.resize_with(plies, Vec::new);
            self.quiet.resize(plies);
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
        report.line = expected_line(position, report.best, |at| {
            self.table.get(at.hash()).map(|entry| entry.best)
        });
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
            return self.evaluate(position);
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
        self.list(position, ply, known.map_or(NO_MOVE, |entry| entry.best));

        let floor = alpha;
        let mut value = -WIN;
        let mut best = NO_MOVE;
        let mut tried = 0;
        while let Some(child) = pick(&mut self.children[ply], tried) {
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
                    let side = position.side_to_move();
                    self.quiet.reward(side, ply, child.mv.entry(), depth as i32);
                    break;
                }
            }
        }
        let bound = Bound::of(value, [floor, beta]);
        let entry = NumberedEntry::new(key, to_table(value, ply), bound, best, depth as u8);
        self.table.put(key, entry);
        value
    }

    #[inline]
    fn evaluate(&self, position: &Position) -> i32 {
        match &self.patterns {
            Some(weights) if self.by_patterns => patterns::evaluate(weights, position),
            _ => self.weights.evaluate(position),
        }
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
        let quiet = self.quiet.at(mover, ply);
        let mut number = 0;
        let _ = position.visit_successors(|mv, next| {
            let gain = balance(&next) - before;
            let order = if number == known {
                KNOWN_BEST
            } else if gain != 0 {
                gain * CAPTURE
            } else {
                quiet.of(mv.entry())
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
}

/// How far a table's value looks ahead.
fn distance(value: Value) -> u32 {
    match value {
        Value::Win(distance) | Value::Loss(distance) => distance,
        Value::Draw => 1,
    }
}

/// The value of an entry, if it answers the question.
fn usable(entry: NumberedEntry, [alpha, beta]: [i32; 2], depth: u32, ply: usize) -> Option<i32> {
    let value = from_table(entry.value, ply);
    let deep = u32::from(entry.depth) >= depth;
    answers(value, entry.bound(), deep, [alpha, beta]).then_some(value)
}

//! The search of the player.

use std::ops::ControlFlow;
use std::sync::Arc;

use gipf::{Move, Position};
use rules::{Game, Hashed, Side, WIN};
use search::pvs::{Guide, Pvs};
use search::successors::KILLER;
use search::{Clock, Limits, Report, Score};

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

/// The strongest player of GIPF. It keeps its table from search to search.
#[derive(Clone)]
pub struct Player {
    search: Pvs<Judgement>,
    /// Solved variants.
    solved: Arc<Library>,
}

/// What the player knows of the game.
#[derive(Clone)]
struct Judgement {
    weights: Weights,
    /// The evaluation of the published game, where it fits.
    patterns: Option<gipf_standard_engine::Weights>,
    /// Whether it fits the position that is searched.
    by_patterns: bool,
}

impl std::fmt::Debug for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player")
            .field("weights", &self.search.guide.weights)
            .finish_non_exhaustive()
    }
}

impl Default for Player {
    /// Variants that are like the published game are played by its evaluation.
    fn default() -> Player {
        let mut player = Player::new(Weights::default(), TABLE_BITS);
        player.search.guide.patterns = Some(gipf_standard_engine::Weights::default());
        player
    }
}

impl Player {
    /// A player with these weights and a table of `2^table_bits` entries, which plays every variant
    /// by them.
    #[must_use]
    pub fn new(weights: Weights, table_bits: u32) -> Player {
        let judgement = Judgement {
            weights,
            patterns: None,
            by_patterns: false,
        };
        Player {
            search: Pvs::new(judgement, table_bits),
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
        self.search.clear();
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
        if fit != self.search.guide.by_patterns {
            // What was found by another measure is worth nothing.
            self.clear();
            self.search.guide.by_patterns = fit;
        }
        self.search.begin();
        for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            let window = [-WIN, WIN];
            let value = self.search.value(position, &mut clock, window, depth);
            if let Some(best) = self.search.take_best() {
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
        report.line = self.search.line(position, report.best);
        report
    }
}

impl Guide for Judgement {
    type Position = Position;
    type Before = (Side, i32);

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        position.hash()
    }

    #[inline]
    fn evaluate(&self, position: &Position) -> i32 {
        match &self.patterns {
            Some(weights) if self.by_patterns => patterns::evaluate(weights, position),
            _ => self.weights.evaluate(position),
        }
    }

    #[inline]
    fn visit(&self, position: &Position, mut each: impl FnMut(Move, Position)) {
        let _ = position.visit_successors(|mv, next| {
            each(mv, next);
            ControlFlow::<()>::Continue(())
        });
    }

    #[inline]
    fn before(&self, position: &Position) -> (Side, i32) {
        let mover = position.side_to_move();
        (mover, balance(position, mover) - 1)
    }

    #[inline]
    fn kind(&self, mv: Move) -> u8 {
        mv.entry()
    }

    #[inline]
    fn order(&self, &(mover, before): &(Side, i32), next: &Position, quiet: i32) -> i32 {
        match balance(next, mover) - before {
            0 => quiet,
            gain => gain * CAPTURE,
        }
    }

    #[inline]
    fn reduction(&self, tried: usize, depth: i32, order: i32) -> i32 {
        if depth <= FULL_WIDTH as i32 || tried < 4 || order >= KILLER {
            0
        } else {
            1 + i32::from(tried >= 12 && depth >= 5)
        }
    }
}

/// What a side has beyond the other: stones on the board, and twice those in reserve.
#[inline]
fn balance(position: &Position, side: Side) -> i32 {
    let stones = |side| i32::from(position.material(side)) + i32::from(position.reserve(side));
    stones(side) - stones(!side)
}

/// How far a table's value looks ahead.
fn distance(value: Value) -> u32 {
    match value {
        Value::Win(distance) | Value::Loss(distance) => distance,
        Value::Draw => 1,
    }
}

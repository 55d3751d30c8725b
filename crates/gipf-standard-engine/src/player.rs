//! Principal variation search.

use std::ops::ControlFlow;

use gipf_standard::{Move, Piece, Position, Rules, Stage};
use rules::{Game, Outcome, Side, WIN};
use search::successors::{
    Child, KNOWN_BEST, NO_MOVE, NumberedEntries, NumberedEntry, QuietMoves, expected_line, pick,
};
use search::{Bound, Clock, DepthTable, Distance, Limits, PROVEN, Report, Score, to_table};

use crate::eval::Weights;
use crate::prove::{Proof, Prover};
use crate::table::{key, usable};

/// No search looks further ahead than this.
const DEEPEST: u32 = 60;

/// Searches of this depth look at every move in full.
const FULL_WIDTH: i32 = 2;

/// Reverse futility pruning: so near the leaves, and behind the plies that are looked at in full, a
/// position whose estimate is above the window by this much for each ply is taken for as good as it
/// seems.
const PRUNED_DEPTH: i32 = 3;
const PRUNED_FROM: usize = FULL_WIDTH as usize + 1;
const MARGIN: i32 = 150;

/// Plies that extensions may add to any line.
const MOST_EXTENSIONS: usize = 24;

/// Entries of the table: 16 bytes each.
const TABLE_BITS: u32 = 20;

/// Bytes of the table of proofs, at most.
const PROOF_MEMORY: usize = 32 << 20;

/// For so many positions searched one is expanded for a proof, which costs about ten times as much.
const POSITIONS_PER_PROOF: u64 = 40;

/// A side with so few pieces in reserve may be near its end.
const LATE_RESERVE: u8 = 4;

/// What a captured piece is worth in the order of moves; a piece that returns is an eighth of it.
const CAPTURE: i32 = 1 << 20;
/// The order of moves that refuted a sister.
const KILLER: i32 = 1 << 18;

/// The strongest player. It keeps its table from search to search.
#[derive(Clone)]
pub struct Player {
    weights: Weights,
    table: DepthTable<NumberedEntries>,
    /// The successors of the position at each ply.
    children: Vec<Vec<Child<Position, Move>>>,
    /// Quiet moves by the entry and the piece of their push.
    quiet: QuietMoves<KILLER>,
    best: Option<Move>,
    prover: Prover,
}

/// The number of a move without a push.
const NO_PUSH: u8 = 127;

impl std::fmt::Debug for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Player").finish_non_exhaustive()
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
            quiet: QuietMoves::default(),
            best: None,
            prover: Prover::new(PROOF_MEMORY),
        }
    }

    /// Forgets everything learned from earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.quiet = QuietMoves::default();
        self.prover.clear();
    }

    /// Searches deeper and deeper until a limit is reached or the value is proven; late in a game it
    /// looks for a proof in between. There is always a legal move in the report, unless the game is
    /// over.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        let mut clock = Clock::start(limits);
        let mut report = Report::before_search(position);
        if report.best.is_none() {
            return report;
        }
        self.table.begin_search();
        self.quiet.fade();
        self.best = None;
        for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            let plies = depth as usize + MOST_EXTENSIONS + 2;
            self.children.resize_with(plies, Vec::new);
            self.quiet.resize(plies);
            let value = self.aspire(position, &mut clock, depth, report.score.value());
            // A depth that was cut short still counts: its first move was best before, and
            // whatever replaced it was better.
            if let Some(best) = self.best {
                report.best = Some(best);
            }
            let Some(value) = value else {
                break;
            };
            // Deeper searches look at late moves less deeply, so that a win may be longer than need
            // be; but no end is nearer than the full depths have seen.
            report.note(value, depth.min(FULL_WIDTH as u32 + 1), true);
            report.depth = depth;
            if !report.score.is_proven() && is_late(position) {
                self.prove(position, &mut clock, &mut report);
            }
            if report.score.is_proven() || clock.used().is_some_and(|used| used > 0.6) {
                break;
            }
        }
        report.nodes = clock.nodes();
        report.time = clock.elapsed();
        report.line = expected_line(position, report.best, |at| {
            self.table.get(key(at)).map(|entry| entry.best)
        });
        report
    }

    /// Lets the prover go on, for a part of the positions that were searched so far: first about
    /// the side that seems to win.
    fn prove(&mut self, position: &Position, clock: &mut Clock, report: &mut Report<Move>) {
        let slice = clock.nodes() / POSITIONS_PER_PROOF;
        let mover = position.side();
        let likely = if report.score.value() >= 0 {
            mover
        } else {
            !mover
        };
        for attacker in [likely, !likely] {
            let proof = self
                .prover
                .run(position, attacker, &self.weights, clock, slice);
            match proof {
                Some(Proof::Win(mv)) => {
                    report.best = mv.or(report.best);
                    report.score = match attacker == mover {
                        true => Score::Win(Distance::Unknown),
                        false => Score::Loss(Distance::Unknown),
                    };
                    return;
                }
                Some(Proof::NoWin) => {}
                None => return,
            }
        }
        // Neither side can force a win.
        report.score = Score::Draw;
    }

    /// Aspiration: a narrow window around the last value, opened where the value lies outside.
    /// `None` if the clock has stopped.
    fn aspire(
        &mut self,
        position: &Position,
        clock: &mut Clock,
        depth: u32,
        last: i32,
    ) -> Option<i32> {
        let mut width = 60;
        let mut window = match depth {
            0..4 => [-WIN, WIN],
            _ => [last - width, last + width],
        };
        loop {
            let value = self.visit(position, clock, window, depth as i32, 0);
            if clock.stopped() {
                return None;
            }
            width *= 4;
            if value <= window[0] && window[0] > -WIN {
                window[0] = (value - width).max(-WIN);
            } else if value >= window[1] && window[1] < WIN {
                window[1] = (value + width).min(WIN);
            } else {
                return Some(value);
            }
            if value.abs() >= PROVEN || width > 4_000 {
                window = [-WIN, WIN];
            }
        }
    }

    /// The value of a position inside the window, or a bound on the same side of it. Once the
    /// clock has stopped only the best move of the root means anything.
    fn visit(
        &mut self,
        position: &Position,
        clock: &mut Clock,
        [mut alpha, beta]: [i32; 2],
        mut depth: i32,
        ply: usize,
    ) -> i32 {
        if clock.tick() {
            return alpha;
        }
        if let Some(outcome) = position.outcome() {
            return match outcome {
                Outcome::Draw => 0,
                Outcome::Win(winner) if winner == position.side() => WIN - ply as i32,
                Outcome::Win(_) => ply as i32 - WIN,
            };
        }
        // Rows that must come off change everything: no estimate before they are gone.
        let last = ply + 1 >= self.children.len();
        if position.has_rows() && !last {
            depth = depth.max(0) + 1;
        }
        // Nor before a side has brought in its first GIPF-piece: as yet it looks like one that
        // has lost its last.
        if position.stage(position.side()) == Stage::First && !last {
            depth = depth.max(1);
        }
        if depth <= 0 || last {
            return self.weights.evaluate(position);
        }
        // Not even a win by the next move can help.
        let most = WIN - ply as i32 - 1;
        if most <= alpha {
            return most;
        }
        let key = key(position);
        let known = self.table.get(key);
        if ply > 0
            && let Some(value) =
                known.and_then(|entry| usable(entry, position, [alpha, beta], depth, ply))
        {
            return value;
        }
        // Where rows must come off, the estimate means nothing.
        let narrow = beta - alpha == 1 && beta.abs() < PROVEN;
        if narrow && depth <= PRUNED_DEPTH && ply >= PRUNED_FROM && !position.has_rows() {
            let estimate = self.weights.evaluate(position);
            if estimate - MARGIN * depth >= beta {
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
                let less = reduction(tried, depth, child.order);
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
                    let side = position.side();
                    self.quiet.reward(side, ply, number_of(child.mv), depth);
                    break;
                }
            }
        }
        let bound = Bound::of(value, [floor, beta]);
        let entry =
            NumberedEntry::new(key, to_table(value, ply), bound, best, depth.min(255) as u8);
        self.table.put(key, entry);
        value
    }

    /// Lists the successors at a ply with their order.
    fn list(&mut self, position: &Position, ply: usize, known: u16) {
        let mover = position.side();
        let quiet = self.quiet.at(mover, ply);
        let children = &mut self.children[ply];
        children.clear();
        let lost = |p: &Position| i32::from(p.captured(!mover));
        let gipf = |p: &Position| p.gipf(mover).len() as i32;
        let (before, own, reserve) = (
            lost(position),
            gipf(position),
            i32::from(position.reserve(mover)),
        );
        let mut number = 0;
        let _ = position.visit_successors(|mv, next| {
            let order = if number == known {
                KNOWN_BEST
            } else {
                let captured = lost(&next) - before;
                let given_up = (own - gipf(&next)).max(0);
                let returned = (i32::from(next.reserve(mover)) - reserve).max(0);
                let known = captured * CAPTURE + returned * (CAPTURE / 8) - given_up * CAPTURE;
                known + quiet.of(number_of(mv))
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

/// Whether an end may be near: a side has few pieces to bring in, or one GIPF-piece left.
fn is_late(position: &Position) -> bool {
    Side::BOTH.into_iter().any(|side| {
        position.reserve(side) <= LATE_RESERVE
            || (position.rules() != Rules::Basic && position.gipf(side).len() == 1)
    })
}

/// The number of a move's push among those of its side: the entry and the kind of piece.
#[inline]
fn number_of(mv: Move) -> u8 {
    mv.push.map_or(NO_PUSH, |push| {
        push.entry.index() as u8 + if push.piece == Piece::Gipf { 64 } else { 0 }
    })
}

/// Late move reductions: quiet moves far back are first searched less deeply.
#[inline]
fn reduction(tried: usize, depth: i32, order: i32) -> i32 {
    if depth <= FULL_WIDTH || tried < 4 || order >= CAPTURE / 8 {
        0
    } else {
        1 + i32::from(tried >= 12 && depth >= 5) + i32::from(tried >= 24 && depth >= 7)
    }
}

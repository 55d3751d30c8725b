//! Principal variation search.

use std::ops::ControlFlow;

use gipf_standard::{DrawLimit, Move, Piece, Position, Rules, Stage};
use rules::{Hashed, Side, WIN};
use search::pvs::{Guide, Pvs};
use search::{Clock, Distance, Limits, PROVEN, Report, Score};

use crate::eval::Weights;
use crate::prove::{Proof, Prover};

/// No search looks further ahead than this.
const DEEPEST: u32 = 60;

/// Searches of this depth look at every move in full.
const FULL_WIDTH: i32 = 2;

/// Reverse futility pruning: up to which depth, from which ply on, and by how much for each ply.
const PRUNED_DEPTH: i32 = 3;
const PRUNED_FROM: usize = FULL_WIDTH as usize + 1;
const MARGIN: i32 = 150;

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

/// Plies before the draw from which on the count is part of a key.
const NEAR_DRAW: i32 = 24;

/// The strongest player. It keeps its table from search to search.
#[derive(Clone)]
pub struct Player {
    search: Pvs<Judgement>,
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
            search: Pvs::new(Judgement(weights), table_bits),
            prover: Prover::new(PROOF_MEMORY),
        }
    }

    /// Forgets everything learned from earlier searches.
    pub fn clear(&mut self) {
        self.search.clear();
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
        self.search.begin();
        for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            let value = self.aspire(position, &mut clock, depth, report.score.value());
            report.best = self.search.take_best().or(report.best);
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
        report.line = self.search.line(position, report.best);
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
            let weights = &self.search.guide.0;
            let proof = self.prover.run(position, attacker, weights, clock, slice);
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
            let value = self.search.value(position, clock, window, depth);
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
}

/// What the player knows of the game.
#[derive(Clone)]
struct Judgement(Weights);

/// What the order of moves depends on, counted for the player to move before it.
struct Before {
    mover: Side,
    captured: i32,
    gipf: i32,
    reserve: i32,
}

impl Before {
    #[inline]
    fn of(position: &Position, mover: Side) -> Before {
        Before {
            mover,
            captured: position.captured(!mover).into(),
            gipf: position.gipf(mover).len() as i32,
            reserve: position.reserve(mover).into(),
        }
    }
}

impl Guide for Judgement {
    type Position = Position;
    type Before = Before;

    const MOST_EXTENSIONS: usize = 24;

    /// The plies without a capture are part of the key only near the draw;
    /// [`plies_to_draw`](Guide::plies_to_draw) sees to it that a win further ahead comes before the draw.
    #[inline]
    fn key(&self, position: &Position) -> u64 {
        if self.plies_to_draw(position) > NEAR_DRAW {
            position.never_drawn().hash()
        } else {
            position.hash()
        }
    }

    #[inline]
    fn evaluate(&self, position: &Position) -> i32 {
        self.0.evaluate(position)
    }

    #[inline]
    fn visit(&self, position: &Position, mut each: impl FnMut(Move, Position)) {
        let _ = position.visit_successors(|mv, next| {
            each(mv, next);
            ControlFlow::<()>::Continue(())
        });
    }

    #[inline]
    fn before(&self, position: &Position) -> Before {
        Before::of(position, position.side())
    }

    /// The entry and the piece of the push.
    #[inline]
    fn kind(&self, mv: Move) -> u8 {
        mv.push.map_or(NO_PUSH, |push| {
            push.entry.index() as u8 + if push.piece == Piece::Gipf { 64 } else { 0 }
        })
    }

    #[inline]
    fn order(&self, before: &Before, next: &Position, quiet: i32) -> i32 {
        let after = Before::of(next, before.mover);
        let captured = after.captured - before.captured;
        let given_up = (before.gipf - after.gipf).max(0);
        let returned = (after.reserve - before.reserve).max(0);
        captured * CAPTURE + returned * (CAPTURE / 8) - given_up * CAPTURE + quiet
    }

    /// Quiet moves far back are first searched less deeply.
    #[inline]
    fn reduction(&self, tried: usize, depth: i32, order: i32) -> i32 {
        if depth <= FULL_WIDTH || tried < 4 || order >= CAPTURE / 8 {
            0
        } else {
            1 + i32::from(tried >= 12 && depth >= 5) + i32::from(tried >= 24 && depth >= 7)
        }
    }

    /// Rows that must come off change everything: no estimate before they are gone. Nor before a
    /// side has brought in its first GIPF-piece: as yet it looks like one that has lost its last.
    #[inline]
    fn extended(&self, position: &Position, depth: i32) -> i32 {
        if position.has_rows() {
            depth.max(0) + 1
        } else if position.stage(position.side()) == Stage::First {
            depth.max(1)
        } else {
            depth
        }
    }

    /// So near the leaves, and behind the plies that are looked at in full, a position whose estimate
    /// is above the window by this much for each ply is taken for as good as it seems.
    #[inline]
    fn margin(&self, position: &Position, depth: i32, ply: usize) -> Option<i32> {
        // Where rows must come off, the estimate means nothing.
        (depth <= PRUNED_DEPTH && ply >= PRUNED_FROM && !position.has_rows())
            .then_some(MARGIN * depth)
    }

    #[inline]
    fn plies_to_draw(&self, position: &Position) -> i32 {
        match position.limit() {
            DrawLimit::NEVER => i32::MAX,
            limit => i32::from(limit.half_moves().saturating_sub(position.quiet())),
        }
    }
}

/// Whether an end may be near: a side has few pieces to bring in, or one GIPF-piece left.
fn is_late(position: &Position) -> bool {
    Side::BOTH.into_iter().any(|side| {
        position.reserve(side) <= LATE_RESERVE
            || (position.rules() != Rules::Basic && position.gipf(side).len() == 1)
    })
}

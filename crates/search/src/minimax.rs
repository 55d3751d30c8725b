//! Minimax: every line of so many plies.

use std::ops::ControlFlow;

use rules::{Evaluate, Game, WIN};

use crate::{Clock, Limits, Report, Score};

/// Looks at every line of `limits.depth` plies (one if there is no such limit); the
/// other limits hold too. Plain and slow: the measure for everything cleverer.
pub fn minimax<G: Evaluate>(position: &G, limits: &Limits) -> Report<G::Move> {
    let depth = limits.depth.unwrap_or(1).max(1);
    let mut report = Report::before_search(position);
    let mut search = Minimax {
        clock: Clock::start(limits),
        lines: vec![Vec::new(); depth as usize + 1],
        horizon: false,
    };
    let value = search.visit(position, depth, 0);
    if let Some(&best) = search.lines[0].first() {
        report.best = Some(best);
        report.line = search.lines.swap_remove(0);
        let whole = !search.clock.stopped();
        // Moves that were not looked at may win sooner.
        report.note(value, if whole { depth } else { 0 }, whole);
        if whole {
            report.depth = depth;
            if !search.horizon && value == 0 {
                report.score = Score::Draw;
            }
        }
    }
    report.nodes = search.clock.nodes();
    report.time = search.clock.elapsed();
    report
}

struct Minimax<M> {
    clock: Clock,
    /// The best line from every height.
    lines: Vec<Vec<M>>,
    horizon: bool,
}

impl<M: Copy> Minimax<M> {
    fn visit<G: Game<Move = M> + Evaluate>(&mut self, position: &G, depth: u32, ply: usize) -> i32 {
        if self.clock.tick() {
            return 0;
        }
        if let Some(outcome) = position.outcome() {
            self.lines[ply].clear();
            return outcome.sign_for(position.side_to_move()) * (WIN - ply as i32);
        }
        if depth == 0 {
            self.lines[ply].clear();
            self.horizon = true;
            return position.evaluate();
        }
        let mut best = -WIN - 1;
        let _ = position.visit_moves(|mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let value = -self.visit(&next, depth - 1, ply + 1);
            if self.clock.stopped() {
                return ControlFlow::Break(());
            }
            if value > best {
                best = value;
                let (above, below) = self.lines.split_at_mut(ply + 1);
                above[ply].clear();
                above[ply].push(mv);
                above[ply].extend_from_slice(&below[0]);
            }
            ControlFlow::Continue(())
        });
        best
    }
}

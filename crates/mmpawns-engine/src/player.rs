//! The player: a short search, a proof, and a deepening search, within a budget.

use std::time::Duration;

use mmpawns::{Move, Position};
use rules::{Game, WIN};
use search::{Clock, Distance, Limits, Report, Score};

use crate::arena::Arena;
use crate::board::{Board, Child};
use crate::deepen::{Candidate, Deepener, Found, SURE};
use crate::{Prover, Value};

/// Memory that a player takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Bytes for proofs.
    pub proofs: usize,
    /// Bytes for the deepening search.
    pub values: usize,
}

impl Sizes {
    /// As much as a search of this time can use, and never more than the default: fresh
    /// memory costs time, too.
    #[must_use]
    pub fn for_time(time: Duration) -> Sizes {
        let Sizes { proofs, values } = Sizes::default();
        let part = time.as_secs_f64() / 4.0;
        let some = |bytes: usize| ((bytes as f64 * part) as usize).clamp(1 << 18, bytes);
        Sizes {
            proofs: some(proofs),
            values: some(values),
        }
    }
}

impl Default for Sizes {
    /// 512 MB in all.
    fn default() -> Sizes {
        Sizes {
            proofs: 448 << 20,
            values: 64 << 20,
        }
    }
}

/// A player of MMPawns. What it learns about a field it keeps until asked about another.
pub struct Player {
    pub(crate) prover: Prover,
    pub(crate) deepener: Deepener,
}

impl Player {
    /// A player with this much memory.
    #[must_use]
    pub fn new(sizes: Sizes) -> Player {
        Player {
            prover: Prover::new(sizes.proofs),
            deepener: Deepener::new(sizes.values),
        }
    }

    /// The move to play. A proved win is kept and played by the shortest way that is
    /// seen, a proved loss by the longest; a draw is never given up for less.
    pub fn choose(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        let clock = Clock::start(limits);
        let mut children = Vec::new();
        if position.outcome().is_none() {
            let field = Arena::of(position).field(position.number());
            Board::of(position).each_child(field, |child| children.push(child));
        }
        let side = position.side_to_move();
        if let Some(outcome) = position.outcome() {
            return Report::over(Score::over(outcome, side));
        }
        let (found, value) = self.think(position, &children, limits);
        let best = found.candidates.first();
        let line: Vec<Move> = best.iter().map(|c| c.child.to_move(side)).collect();
        let seen = best.map_or(0, |c| c.value);
        let decided = match Score::decided(seen, found.depth) {
            // Moves that were left out may win sooner, or lose later.
            Some(Score::Win(distance)) if found.candidates.len() < children.len() => {
                let plies = distance.plies().unwrap_or_default();
                Some(Score::Win(Distance::at_most(plies)))
            }
            Some(Score::Loss(_)) if found.candidates.len() < children.len() => {
                Some(Score::Loss(Distance::Unknown))
            }
            decided => decided,
        };
        let proven = value.map(Score::from);
        Report {
            best: line.first().copied(),
            score: decided.or(proven).unwrap_or(Score::Estimate(seen)),
            line,
            depth: found.depth,
            confidence: 100,
            nodes: found.nodes,
            time: clock.elapsed(),
        }
    }

    /// The strongest statement about a position that the limits allow, with a move that keeps it.
    pub fn analyse(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        let clock = Clock::start(limits);
        let mut report = self.choose(position, &share(limits, 0.6));
        if report.score.is_exact() {
            return report;
        }
        let mut children = Vec::new();
        let field = Arena::of(position).field(position.number());
        Board::of(position).each_child(field, |child| children.push(child));
        // A forced move is chosen without a proof.
        if !report.score.is_proven() && children.len() == 1 {
            let proven = self.prover.prove(position, &share(limits, 0.2));
            report.nodes += self.prover.nodes();
            report.score = proven.map_or(report.score, Score::from);
        }
        let found = self
            .deepener
            .search(position, &children, &share(limits, 0.2));
        report.nodes += found.nodes;
        if let Some(best) = found.candidates.first()
            && let Some(score) = Score::decided(best.value, found.depth)
        {
            report.score = score;
            report.line = vec![best.child.to_move(position.side_to_move())];
            report.best = report.line.first().copied();
        }
        report.time = clock.elapsed();
        report
    }

    fn think(
        &mut self,
        position: &Position,
        children: &[Child],
        limits: &Limits,
    ) -> (Found, Option<Value>) {
        // A short search sees the ends that are near, and leaves a move to fall back on.
        let mut found = self
            .deepener
            .search(position, children, &share(limits, 0.1));
        let mut nodes = found.nodes;
        let sees_end = |found: &Found| {
            let best = found.candidates.first();
            best.is_none_or(|c| c.value.abs() >= SURE && WIN - c.value.abs() <= found.depth as i32)
        };
        if children.len() < 2 || sees_end(&found) {
            return (found, None);
        }
        let mut proof = share(limits, 0.6);
        if let (Some(depth), None, None, None) = (limits.depth, proof.nodes, proof.wall, proof.cpu)
        {
            // A depth alone would let a proof go on for ever.
            proof.nodes = Some(1000 * u64::from(depth));
        }
        let value = self.prover.prove(position, &proof);
        nodes += self.prover.nodes();
        let mut keep = self.keeping(position, children, value);
        if keep.is_empty() && matches!(value, Some(Value::Win | Value::Draw)) {
            // The table has forgotten which moves they were: prove them one by one.
            let each = share(&proof, 1.0 / children.len() as f64);
            for child in children {
                self.prover.prove(&after(position, *child), &each);
                nodes += self.prover.nodes();
            }
            keep = self.keeping(position, children, value);
        }
        let keep = if keep.is_empty() { children } else { &keep };
        let rest = match value {
            // The end is worth a look, but no longer than the proof was.
            Some(_) => share(limits, 0.1),
            None => share(limits, 0.3),
        };
        let only = keep.len() == 1 && value.is_some();
        found = if only {
            let candidates = keep.iter().map(|&child| Candidate { child, value: 0 });
            Found {
                candidates: candidates.collect(),
                depth: found.depth,
                nodes: 0,
            }
        } else {
            self.deepener.search(position, keep, &rest)
        };
        found.nodes += nodes;
        (found, value)
    }

    /// The moves that keep what is proved, as far as the prover remembers; without a
    /// proof, those that are not proved to lose.
    fn keeping(&self, position: &Position, children: &[Child], value: Option<Value>) -> Vec<Child> {
        let keeps = |child: &Child| {
            let next = after(position, *child);
            let known = self.prover.known(&next).map(Value::for_opponent);
            match value {
                Some(Value::Win) => known == Some(Value::Win),
                Some(Value::Draw) => self.prover.known_not_won(&next),
                Some(Value::Loss) => true,
                None => known != Some(Value::Loss),
            }
        };
        children.iter().copied().filter(keeps).collect()
    }
}

/// The position after a move.
fn after(position: &Position, child: Child) -> Position {
    let mut next = *position;
    next.play_unchecked(child.to_move(position.side_to_move()));
    next
}

/// A part of the limits in time and positions.
pub(crate) fn share(limits: &Limits, part: f64) -> Limits {
    let time = |t: Duration| t.mul_f64(part);
    Limits {
        nodes: limits.nodes.map(|n| (n as f64 * part) as u64),
        wall: limits.wall.map(time),
        cpu: limits.cpu.map(time),
        ..limits.clone()
    }
}

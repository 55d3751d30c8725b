//! The engine behind the protocols.

use ::othello::Engine;
use ::reversi::{Move, Position};
use rules::Game;
use search::{Limits, Report};

use super::ProtocolEngine;

impl ProtocolEngine for Engine {
    fn think(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        self.search(position, limits, |_| {})
    }

    fn hints(
        &mut self,
        position: &Position,
        count: usize,
        limits: &Limits,
        report: &mut dyn FnMut(&Report<Move>),
    ) {
        if position.is_legal(Move::PASS) {
            report(&self.think(position, limits));
            return;
        }
        let mut known_moves: Vec<Report<Move>> = Vec::new();
        self.analyse(position, limits, |analysis| {
            for known in analysis.moves.iter().take(count) {
                if known.depth > 0 && !known_moves.contains(known) {
                    known_moves.retain(|other| other.best != known.best);
                    known_moves.push(known.clone());
                    report(known);
                }
            }
        });
    }

    fn forget(&mut self) {
        self.clear();
    }
}

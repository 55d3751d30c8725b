//! The engine behind the protocols.

use ::othello::{Engine, MoveValue};
use ::reversi::{Move, Position};
use rules::Game;
use search::Limits;

use super::{Thinker, Thought};

impl Thinker for Engine {
    fn think(&mut self, position: &Position, limits: &Limits) -> Thought {
        let answer = self.search(position, limits, |_| {});
        Thought {
            line: answer.line,
            value: f64::from(answer.value),
            depth: answer.depth,
            confidence: format!("{}%", answer.level.percent()),
            exact: answer.exact,
            nodes: answer.nodes,
            time: answer.time,
        }
    }

    fn hints(
        &mut self,
        position: &Position,
        count: usize,
        limits: &Limits,
        tell: &mut dyn FnMut(&Thought),
    ) {
        if position.is_legal(Move::PASS) {
            tell(&self.think(position, limits));
            return;
        }
        let mut told: Vec<MoveValue> = Vec::new();
        self.analyse(position, limits, |analysis| {
            for known in analysis.moves.iter().take(count) {
                if known.depth > 0 && !told.contains(known) {
                    told.retain(|other| other.mv != known.mv);
                    told.push(known.clone());
                    tell(&Thought {
                        line: known.line.clone(),
                        value: f64::from(known.value),
                        depth: known.depth,
                        confidence: format!("{}%", known.level.percent()),
                        exact: known.exact,
                        nodes: analysis.nodes,
                        time: analysis.time,
                    });
                }
            }
        });
    }

    fn forget(&mut self) {
        self.clear();
    }
}

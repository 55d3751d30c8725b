//! Building a book with the engine itself.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use reversi::{Board, Move, Position};
use rules::{Game, Side};
use search::Limits;

use super::{Advice, canonical};
use crate::{Engine, Options};

/// How a book is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// Positions in the book.
    pub positions: usize,
    /// Plies to look ahead from each.
    pub depth: u32,
    /// Discs that a single move may lose and still be followed.
    pub width: i32,
}

/// The likeliest positions first: those that both sides reach with the fewest discs lost,
/// a ply counting as one. Every one is analysed to the same depth by one thread, so that
/// the same recipe gives the same book.
pub fn build(recipe: Recipe, mut report: impl FnMut(&Position, &Advice)) -> Vec<(Board, Advice)> {
    let mut engine = Engine::new(Options {
        threads: 1,
        hash: 64,
    });
    let start = Position::start();
    let mut seen = HashSet::from([canonical(start.board()).0]);
    let mut queue = BinaryHeap::from([Reverse((0, 0, start.board()))]);
    let mut order = 0;
    let mut entries = Vec::new();
    while let Some(Reverse((cost, _, board))) = queue.pop() {
        if entries.len() == recipe.positions {
            break;
        }
        let position = Position::new(board, Side::First);
        engine.clear();
        let limits = Limits::default().with_depth(recipe.depth);
        let analysis = engine.analyse(&position, &limits, |_| {});
        let Some(best) = analysis.moves.first() else {
            continue;
        };
        let advice = Advice {
            mv: best.mv,
            value: best.value,
            depth: best.depth,
        };
        report(&position, &advice);
        entries.push((board, advice));
        for reply in &analysis.moves {
            let lost = best.value - reply.value;
            if lost > recipe.width {
                continue;
            }
            let mut next = position;
            next.play_unchecked(reply.mv);
            if next.is_legal(Move::PASS) {
                next.play_unchecked(Move::PASS);
            }
            if next.outcome().is_none() && seen.insert(canonical(next.board()).0) {
                order += 1;
                queue.push(Reverse((cost + lost + 1, order, next.board())));
            }
        }
    }
    entries
}

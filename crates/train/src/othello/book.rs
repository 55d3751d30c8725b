//! The opening book: grown by the engine, the likeliest positions first.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use reversi::{Board, Move, Position};
use rules::{Game, Side};
use search::Limits;

use othello::book::{Advice, canonical};
use othello::{Analysis, Engine, Options, discs};

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

/// How many of the likeliest positions are analysed side by side. Fixed, because what one
/// of them opens up is not known to the others: the same recipe gives the same book.
const BATCH: usize = 64;

/// The likeliest positions first: those that both sides reach with the fewest discs lost,
/// a ply counting as one. Every one is analysed to the same depth, by one of `threads`.
pub fn build(
    recipe: Recipe,
    threads: usize,
    mut report: impl FnMut(&Position, &Advice),
) -> Vec<(Board, Advice)> {
    let start = Position::start();
    let mut seen = HashSet::from([canonical(start.board()).0]);
    let mut queue = BinaryHeap::from([Reverse((0, 0, start.board()))]);
    let mut order = 0;
    let mut entries = Vec::new();
    while entries.len() < recipe.positions && !queue.is_empty() {
        let most = BATCH.min(recipe.positions - entries.len());
        let batch: Vec<(i32, Position)> = std::iter::from_fn(|| queue.pop())
            .take(most)
            .map(|Reverse((cost, _, board))| (cost, Position::new(board, Side::First)))
            .collect();
        for ((cost, position), analysis) in batch.iter().zip(analyse(&batch, recipe, threads)) {
            let Some((best, mv)) = analysis
                .moves
                .first()
                .and_then(|best| Some((best, best.best?)))
            else {
                continue;
            };
            let advice = Advice {
                mv,
                value: discs(best.score),
                depth: best.depth,
            };
            report(position, &advice);
            entries.push((position.board(), advice));
            for reply in &analysis.moves {
                let lost = discs(best.score) - discs(reply.score);
                let Some(reply_mv) = reply.best.filter(|_| lost <= recipe.width) else {
                    continue;
                };
                let mut next = *position;
                next.play_unchecked(reply_mv);
                if next.is_legal(Move::PASS) {
                    next.play_unchecked(Move::PASS);
                }
                if next.outcome().is_none() && seen.insert(canonical(next.board()).0) {
                    order += 1;
                    queue.push(Reverse((cost + lost + 1, order, next.board())));
                }
            }
        }
    }
    entries
}

/// Analyses positions side by side, each with a table of its own.
fn analyse(batch: &[(i32, Position)], recipe: Recipe, threads: usize) -> Vec<Analysis> {
    let results: Vec<OnceLock<Analysis>> = batch.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, batch.len().max(1)) {
            scope.spawn(|| {
                let mut engine = Engine::new(Options {
                    threads: 1,
                    hash: 64,
                });
                let limits = Limits::default().with_depth(recipe.depth);
                loop {
                    let at = next.fetch_add(1, Relaxed);
                    let Some((_, position)) = batch.get(at) else {
                        break;
                    };
                    engine.clear();
                    let _ = results[at].set(engine.analyse(position, &limits, |_| {}));
                }
            });
        }
    });
    let done = results.into_iter().map(OnceLock::into_inner);
    done.map(|analysis| analysis.expect("every position was analysed"))
        .collect()
}

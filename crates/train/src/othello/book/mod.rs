//! The opening book: grown by the engine where best play, or nearly best play, leaves it.
//!
//! [`Tree`] holds what is known and says what to look at next; [`grow`] has the engine look;
//! [`starts`] finds the positions to grow from.

pub mod starts;
mod tree;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;

use othello::{Engine, Options, discs};
use reversi::{Board, Position};
use rules::Side;
use search::Limits;

pub use tree::Tree;

/// How many positions are looked at side by side, before what they say counts. Fixed, so
/// that threads change nothing.
const BATCH: usize = 128;

/// Mebibytes of the table of a search: clearing a large one takes longer than a shallow search.
const fn hash(depth: u32) -> usize {
    if depth < 10 { 1 } else { 64 }
}

/// Why a book does not grow any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It has as many positions as it was to have.
    Reached,
    /// There is nothing left that it could grow by.
    Exhausted,
    /// Somebody has set the flag.
    Stopped,
}

/// Has the engine look at positions until there are so many, each position on one of
/// `threads`. `report` is called after every one; its error ends everything. Whenever growth
/// ends, what is known can be written, read and grown on, with the same result as in one go.
pub fn grow<E>(
    tree: &mut Tree,
    positions: usize,
    threads: usize,
    stop: &Arc<AtomicBool>,
    mut report: impl FnMut(&Tree) -> Result<(), E>,
) -> Result<End, E> {
    loop {
        let batch = tree.next(BATCH);
        if batch.is_empty() {
            return Ok(End::Exhausted);
        }
        let mut missing: Vec<Board> = batch
            .into_iter()
            .filter(|&board| !tree.is_under_way(board))
            .collect();
        if missing.is_empty() {
            tree.count();
            continue;
        }
        missing.truncate(positions.saturating_sub(tree.len()));
        if missing.is_empty() {
            return Ok(End::Reached);
        }
        let depth = tree.recipe().depth.into();
        look(&missing, depth, threads, stop, |board, values| {
            tree.insert(board, values);
            report(tree)
        })?;
        if stop.load(Relaxed) {
            return Ok(End::Stopped);
        }
    }
}

/// Looks at positions side by side, and tells the values of their moves as they come.
fn look<E>(
    boards: &[Board],
    depth: u32,
    threads: usize,
    stop: &Arc<AtomicBool>,
    mut tell: impl FnMut(Board, Vec<i8>) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, boards.len()) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let mut engine = Engine::new(Options {
                    threads: 1,
                    hash: hash(depth),
                });
                while let Some(&board) = boards.get(next.fetch_add(1, Relaxed)) {
                    let values = values(&mut engine, board, depth, stop);
                    // What was stopped has not been looked at.
                    if stop.load(Relaxed) || send.send((board, values)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        for (board, values) in receive {
            if let Err(error) = tell(board, values) {
                stop.store(true, Relaxed);
                return Err(error);
            }
        }
        Ok(())
    })
}

/// The values of the moves, in the order of their squares; they depend on nothing that was
/// searched before.
fn values(engine: &mut Engine, board: Board, depth: u32, stop: &Arc<AtomicBool>) -> Vec<i8> {
    engine.clear();
    let limits = Limits::default().with_depth(depth).with_stop(stop.clone());
    let analysis = engine.analyse(&Position::new(board, Side::First), &limits, |_| {});
    let mut moves = analysis.moves;
    moves.sort_by_key(|known| known.best);
    moves
        .iter()
        .map(|known| discs(known.score).clamp(-64, 64) as i8)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::book::{Book, Recipe, settled};

    const RECIPE: Recipe = Recipe {
        depth: 1,
        width: 4,
        loss: 1,
    };

    fn planted() -> Tree {
        let mut tree = Tree::new(RECIPE);
        let start = Position::start().board();
        tree.add_starts(settled(start).map(|start| start.board));
        tree.add_starts(starts::random(7, 8, 5));
        tree
    }

    fn free() -> Arc<AtomicBool> {
        Arc::default()
    }

    fn grown(tree: &mut Tree, positions: usize, threads: usize) -> End {
        grow(tree, positions, threads, &free(), |_| Ok::<(), ()>(())).unwrap()
    }

    fn reread(bytes: &[u8]) -> Tree {
        Tree::read(&Book::read(bytes).unwrap())
    }

    #[test]
    fn goes_and_threads_change_nothing() {
        let mut whole = planted();
        assert_eq!(grown(&mut whole, 200, 1), End::Reached);
        assert_eq!(whole.len(), 200);
        let book = whole.write();
        assert_eq!(Book::read(&book).unwrap().len(), 200);
        // Once more nothing is to be done.
        let mut again = reread(&book);
        assert_eq!(grown(&mut again, 200, 1), End::Reached);
        assert_eq!(again.write(), book);
        // In several goes, within a batch and beyond one.
        let mut bytes = planted().write();
        for positions in [5, 100, 130, 200] {
            let mut tree = reread(&bytes);
            assert_eq!(grown(&mut tree, positions, 2), End::Reached);
            bytes = tree.write();
        }
        assert_eq!(bytes, book);
    }

    #[test]
    fn a_kill_loses_only_what_was_not_written() {
        let mut whole = planted();
        grown(&mut whole, 150, 1);
        let mut bytes = planted().write();
        for (written, killed) in [(3, 9), (90, 100), (7, 20)] {
            let mut tree = reread(&bytes);
            let before = tree.len();
            let ended = grow(&mut tree, 150, 2, &free(), |tree| {
                if tree.len() == before + written {
                    bytes = tree.write();
                }
                match tree.len() == before + killed {
                    true => Err("killed"),
                    false => Ok(()),
                }
            });
            assert_eq!(ended, Err("killed"));
            assert_eq!(reread(&bytes).len(), before + written);
        }
        let mut tree = reread(&bytes);
        grown(&mut tree, 150, 2);
        assert_eq!(tree.write(), whole.write());
    }

    #[test]
    fn a_flag_stops_it() {
        let mut tree = planted();
        let stop = free();
        let end = grow(&mut tree, 150, 1, &stop, |tree| {
            if tree.len() == 10 {
                stop.store(true, Relaxed);
            }
            Ok::<(), ()>(())
        });
        assert_eq!(end, Ok(End::Stopped));
        // What was finished before the flag was seen is kept.
        assert!((10..150).contains(&tree.len()), "{}", tree.len());
        let mut whole = planted();
        grown(&mut tree, 150, 1);
        grown(&mut whole, 150, 1);
        assert_eq!(tree.write(), whole.write());
    }

    #[test]
    fn a_game_that_is_nearly_over_is_soon_exhausted() {
        let mut tree = Tree::new(Recipe {
            width: 128,
            ..RECIPE
        });
        tree.add_starts(starts::random(1, 57, 3));
        assert_eq!(grown(&mut tree, 1000, 1), End::Exhausted);
        let size = tree.len();
        assert!((1..1000).contains(&size), "{size}");
    }
}

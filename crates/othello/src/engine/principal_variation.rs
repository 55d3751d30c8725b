//! The principal variation: best play from here on, as far as it is known.

use isa::Available;
use reversi::{Board, Move, Square};

use super::is_legal;
use crate::solve::solve_on;
use crate::table::hash;
use crate::worker::Worker;

/// With at most this many empty squares the variation is completed by solving.
const SOLVED: u32 = 10;

/// The variation that begins with `first`, as far as the table entries lead; to the end of
/// the game if its value is `proven`.
pub(super) fn principal_variation(
    worker: &mut Worker<'_>,
    mut board: Board,
    first: Move,
    proven: bool,
) -> Vec<Move> {
    let mut line = Vec::new();
    let mut next = Some(first);
    while let Some(mv) = next.filter(|&mv| is_legal(board, mv)) {
        line.push(mv);
        board = match mv.square() {
            Some(square) => board.play(square),
            None => board.pass(),
        };
        next = next_move(worker, board, proven);
    }
    line
}

/// The best move of a position on the variation.
fn next_move(worker: &mut Worker<'_>, board: Board, proven: bool) -> Option<Move> {
    if board.moves().is_empty() {
        return Some(Move::PASS);
    }
    if proven && board.empty().len() <= SOLVED {
        return board
            .moves()
            .max_by_key(|&square| -solve_on(Available::best(), worker, board.play(square)))
            .map(Move::from);
    }
    let [best, _] = worker.table.probe(hash(board.own.0, board.other.0))?.moves;
    (best < 64).then(|| Square::new(best).into())
}

//! Exact values of positions near the end.

use std::cell::RefCell;
use std::sync::Arc;

use reversi::Board;

use crate::hot::{Isa, dispatch};
use crate::pool::Pool;
use crate::score::MAX;
use crate::table::Table;
use crate::worker::Worker;

/// The exact value of a position under best play: the final disc difference, seen by
/// the player to move, empty squares going to the winner.
///
/// Works on the calling thread alone, with a small table of its own, so that many
/// threads can solve many positions side by side.
#[must_use]
pub fn solve_exact(board: Board) -> i32 {
    thread_local! {
        static TABLE: RefCell<Table> = RefCell::new(Table::new(16));
    }
    TABLE.with_borrow(|table| {
        table.age();
        let pool = Pool::default();
        let mut worker = Worker::new(table, &pool, Arc::default());
        solve_on(Isa::detect(), &mut worker, board)
    })
}

/// Solves with a given instruction set.
pub(crate) fn solve_on(isa: Isa, worker: &mut Worker<'_>, board: Board) -> i32 {
    let empties = board.empty().len();
    dispatch!(
        isa,
        endgame::full_window(worker, board.own.0, board.other.0, -MAX, MAX, empties)
    )
}

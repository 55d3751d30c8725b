//! Exact values of positions near the end.

use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

use reversi::Board;

use crate::hot::{Isa, dispatch};
use crate::score::MAX;
use crate::level::Level;
use crate::eval::Features;
use crate::hot::Task;
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
    static NEVER: AtomicBool = AtomicBool::new(false);
    TABLE.with_borrow(|table| {
        table.age();
        let mut worker = Worker::new(table, &NEVER);
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

/// The exact value, and how many positions were visited to find it.
#[doc(hidden)]
#[must_use]
pub fn solve_counting(board: Board) -> (i32, u64) {
    let table = Table::new(256);
    let never = AtomicBool::new(false);
    let mut worker = Worker::new(&table, &never);
    let isa = Isa::detect();
    let features = Features::new(board);
    let empties = board.empty().len();
    let mut value = 0;
    let search = |worker: &mut Worker<'_>, alpha: i32, beta: i32, depth, level| {
        let task = Task {
            alpha,
            beta,
            depth,
            empties,
            level,
        };
        dispatch!(isa, deep::deep(worker, board.own.0, board.other.0, &features, task))
    };
    if std::env::var("PLAIN").is_ok() {
        return (solve_on(isa, &mut worker, board), worker.nodes);
    }
    let verbose = std::env::var("V").is_ok();
    for depth in (2..empties.saturating_sub(8)).step_by(2) {
        value = search(&mut worker, -MAX, MAX, depth, Level::FIRST);
        if verbose { println!("  depth {depth} value {value} nodes {}", worker.nodes); }
    }
    let skip = std::env::var("SKIP").unwrap_or_default();
    for level in Level::all() {
        if skip.contains(&level.index().to_string()) { continue; }
        value = search(&mut worker, -MAX, MAX, empties, level);
        if verbose { println!("  level {level:?} value {value} nodes {}", worker.nodes); }
    }
    (value, worker.nodes)
}

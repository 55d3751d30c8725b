//! Exact values of positions near the end.

use std::cell::RefCell;
use std::sync::Arc;

use isa::Available;
use reversi::Board;

use crate::engine::value_of;
use crate::eval::Features;
use crate::kernel::Task;
use crate::kernel::endgame::{FullWindow, NullWindow};
use crate::level::Level;
use crate::pool::Pool;
use crate::score::MAX;
use crate::table::{LocalTable, Table};
use crate::worker::Worker;

/// The exact value of a position under best play: the final disc difference, seen by
/// the player to move, empty squares going to the winner.
///
/// Works on the calling thread alone, with a small table of its own, so that many
/// threads can solve many positions side by side.
#[must_use]
pub fn solve_exact(board: Board) -> i32 {
    thread_local! {
        static SOLVER: RefCell<Solver> = RefCell::new(Solver::new(16));
    }
    SOLVER.with_borrow_mut(|solver| solver.value(board))
}

/// Solves positions near the end, one after the other, on the calling thread.
///
/// Exact values do not depend on earlier questions; only their speed does.
pub struct Solver {
    table: Table,
    local: LocalTable,
}

impl Solver {
    /// A solver with a table of at most so many mebibytes.
    #[must_use]
    pub fn new(mebibytes: usize) -> Solver {
        Solver {
            table: Table::new(mebibytes),
            local: LocalTable::new(1),
        }
    }

    /// The exact value, seen by the player to move.
    pub fn value(&mut self, board: Board) -> i32 {
        self.table.age();
        self.with_worker(|worker| solve_on(Available::best(), worker, board))
    }

    /// Whether the exact value is greater than `bound`, which is cheaper to find out.
    pub fn exceeds(&mut self, board: Board, bound: i32) -> bool {
        let value = self.with_worker(|worker| {
            Available::best().call(NullWindow(
                worker,
                board.own.0,
                board.other.0,
                bound,
                board.empty().len(),
                true,
            ))
        });
        value > bound
    }

    /// The value of a search to a fixed depth without multi-ProbCut, in discs; exact if the
    /// depth is the number of empty squares. Table entries of earlier, deeper searches count.
    pub fn search(&mut self, board: Board, depth: u32) -> i32 {
        let task = Task {
            alpha: -MAX,
            beta: MAX,
            depth,
            empties: board.empty().len(),
            level: Level::EXACT,
            cut: false,
        };
        self.with_worker(|worker| value_of(worker, board, &Features::new(board), task))
    }

    fn with_worker<T>(&mut self, run: impl FnOnce(&mut Worker<'_>) -> T) -> T {
        let pool = Pool::default();
        run(&mut Worker::new(
            &self.table,
            &mut self.local,
            &pool,
            Arc::default(),
        ))
    }
}

/// Solves with a given instruction set.
pub(crate) fn solve_on(isa: Available, worker: &mut Worker<'_>, board: Board) -> i32 {
    isa.call(FullWindow(
        worker,
        board.own.0,
        board.other.0,
        -MAX,
        MAX,
        board.empty().len(),
    ))
}

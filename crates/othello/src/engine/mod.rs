//! The engine: a position and limits in, values and lines out.

mod analyse;
mod principal_variation;
mod root;
mod schedule;
mod time;

use std::sync::Arc;

use isa::Available;
use reversi::{Board, Move, Position};
use rules::Game as _;
use search::{Limits, Report, Score};

use crate::Level;
use crate::kernel::split::Join;
use crate::pool::Pool;
use crate::score::{final_score, score};
use crate::stop::Stop;
use crate::table::{LocalTable, Table};
use crate::worker::Worker;

pub use analyse::Analysis;
use principal_variation::principal_variation;
use root::Root;
pub(crate) use root::value_of;
use schedule::Goal;
pub use time::allot;

/// How an engine is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads that search.
    pub threads: usize,
    /// Mebibytes of the transposition table.
    pub hash: usize,
}

impl Default for Options {
    /// One thread for each processor, and 64 MiB.
    fn default() -> Options {
        Options {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            hash: 64,
        }
    }
}

/// A search engine with a transposition table that is kept from search to search.
///
/// ```
/// use othello::{Engine, Options};
/// use reversi::Position;
/// use search::Limits;
///
/// let mut engine = Engine::new(Options { threads: 1, hash: 1 });
/// let found = engine.search(&Position::start(), &Limits::default().with_depth(4), |_| {});
/// assert!(found.best.is_some() && found.depth == 4);
/// ```
pub struct Engine {
    table: Table,
    /// The small table of each thread.
    local_tables: Vec<LocalTable>,
}

impl Engine {
    /// An engine with an empty table.
    #[must_use]
    pub fn new(options: Options) -> Engine {
        let threads = options.threads.max(1);
        Engine {
            table: Table::new(options.hash),
            local_tables: (0..threads).map(|_| LocalTable::new(threads)).collect(),
        }
    }

    /// Clears the table, so that the next search does not depend on earlier ones.
    pub fn clear(&mut self) {
        self.table.clear();
        let threads = self.local_tables.len();
        self.local_tables.fill_with(|| LocalTable::new(threads));
    }

    /// Searches for the best move until a limit is reached or the value is proven. The score is
    /// a margin, or an estimate of one; `progress` gets a report after every iteration.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        mut progress: impl FnMut(&Report<Move>),
    ) -> Report<Move> {
        self.with_worker(limits, |worker| {
            iterate(worker, position.board(), limits, &mut progress)
        })
    }

    /// The values of all legal moves by iterative deepening, until a limit is reached or all
    /// are proven. `progress` gets the list of moves whenever one of them changed.
    pub fn analyse(
        &mut self,
        position: &Position,
        limits: &Limits,
        mut progress: impl FnMut(&Analysis),
    ) -> Analysis {
        self.with_worker(limits, |worker| {
            analyse::analyse(worker, position.board(), limits, &mut progress)
        })
    }

    /// Runs a search with helpers on all other threads.
    fn with_worker<T>(&mut self, limits: &Limits, run: impl FnOnce(&mut Worker<'_>) -> T) -> T {
        self.table.age();
        let limits = &limits.begin();
        // A depth that was asked for is that of all moves.
        let reduces = limits.depth.is_none();
        let (pool, stop) = (Pool::default(), Arc::new(Stop::default()));
        let (local, others) = self.local_tables.split_first_mut().expect("a thread");
        let mut worker = Worker::new(&self.table, local, &pool, stop.clone())
            .reducing(reduces)
            .watching(limits);
        std::thread::scope(|scope| {
            for local in others {
                let (table, pool, stop) = (&self.table, &pool, stop.clone());
                // If the system refuses another thread the search is slower, not worse.
                let _ = std::thread::Builder::new()
                    .stack_size(8 << 20)
                    .spawn_scoped(scope, move || {
                        let worker = Worker::new(table, local, pool, stop).reducing(reduces);
                        help(worker.helping(limits));
                    });
            }
            let result = run(&mut worker);
            stop.set();
            pool.close();
            result
        })
    }
}

/// A helper thread: joins one split after the other.
fn help(mut worker: Worker<'_>) {
    while let Some(split) = worker.pool.next() {
        let before = worker.nodes;
        Available::best().call(Join(&mut worker, &split));
        worker.pool.finished(worker.nodes - before);
    }
}

/// Iterative deepening until a limit is reached or the value is proven.
fn iterate(
    worker: &mut Worker<'_>,
    board: Board,
    limits: &Limits,
    progress: &mut dyn FnMut(&Report<Move>),
) -> Report<Move> {
    if board.moves().is_empty() {
        if board.pass().moves().is_empty() {
            let value = final_score(board.own.0, board.other.0);
            return Report::over(Score::Margin(value));
        }
        // A pass is the only move; its value is that of the search for the opponent.
        let mut passed = |reply: &Report<Move>| {
            let mut report = reply.clone();
            report.score = -reply.score;
            report.best = Some(Move::PASS);
            report.line.insert(0, Move::PASS);
            progress(&report);
            report
        };
        let reply = iterate(worker, board.pass(), limits, &mut |reply| {
            passed(reply);
        });
        return passed(&reply);
    }
    let mut root = Root::new(worker, board);
    // The static evaluation counts if there is no time for a step.
    let mut report = Report {
        best: Some(root.best()),
        line: vec![root.best()],
        ..Report::over(score(root.value(), false))
    };
    let empties = board.empty().len();
    let mut predictor = time::Predictor::default();
    for step in schedule::play(empties, limits) {
        if !predictor.worth_starting(worker.clock(), step, empties) {
            break;
        }
        let finished = root.deepen(worker, step);
        if finished || report.best != Some(root.best()) {
            // An unfinished step counts if it has found a better move.
            report.best = Some(root.best());
            report.score = score(root.value(), false);
            report.line = vec![root.best()];
        }
        if finished && step.goal == Goal::Value {
            let exact = step.depth == empties && step.level == Level::EXACT;
            (report.depth, report.confidence) = (step.depth, step.level.percent());
            report.score = score(root.value(), exact);
            report.line = principal_variation(worker, board, root.best(), exact);
        }
        report.nodes = worker.all_nodes();
        report.time = worker
            .clock()
            .map(|clock| clock.elapsed())
            .unwrap_or_default();
        if !finished {
            break;
        }
        progress(&report);
        predictor.finished(report.time, step);
    }
    report
}

/// Whether a move can be played on this board.
fn is_legal(board: Board, mv: Move) -> bool {
    Position::new(board, rules::Side::First).is_legal(mv)
}

//! The engine: a position and limits in, values and lines out.

mod analyse;
mod principal_variation;
mod root;
mod schedule;
mod time;

use std::sync::Arc;
use std::time::Duration;

use isa::Available;
use reversi::{Board, Move, Position};
use rules::Game as _;
use search::Limits;

use crate::Level;
use crate::kernel::split::Join;
use crate::pool::Pool;
use crate::score::final_score;
use crate::stop::Stop;
use crate::table::{LocalTable, Table};
use crate::worker::Worker;

pub use analyse::{Analysis, MoveValue};
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

/// What a search has found, so far or in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move to play; `None` if the game is over.
    pub best: Option<Move>,
    /// The final disc difference to expect, seen by the player to move.
    pub value: i32,
    /// Plies looked ahead; as many as there are empty squares when it is to the end.
    pub depth: u32,
    /// How sure the search was.
    pub level: Level,
    /// Whether the value is proven.
    pub exact: bool,
    /// How the game goes on, `best` first.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// Wall time taken.
    pub time: Duration,
}

/// A search engine with a transposition table that is kept from search to search.
///
/// ```
/// use othello::{Engine, Options};
/// use reversi::Position;
/// use search::Limits;
///
/// let mut engine = Engine::new(Options { threads: 1, hash: 1 });
/// let answer = engine.search(&Position::start(), &Limits::default().with_depth(4), |_| {});
/// assert!(answer.best.is_some() && answer.depth == 4);
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
        Engine {
            table: Table::new(options.hash),
            local_tables: (0..options.threads.max(1))
                .map(|_| LocalTable::new())
                .collect(),
        }
    }

    /// Clears the table, so that the next search does not depend on earlier ones.
    pub fn clear(&mut self) {
        self.table.clear();
        self.local_tables.fill_with(LocalTable::new);
    }

    /// Searches for the best move until a limit is reached or the value is proven.
    /// `report` gets an answer after every iteration.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        mut report: impl FnMut(&Answer),
    ) -> Answer {
        self.with_worker(limits, |worker| {
            iterate(worker, position.board(), limits, &mut report)
        })
    }

    /// The values of all legal moves by iterative deepening, until a limit is reached or all
    /// are proven. `report` gets the list of moves whenever one of them changed.
    pub fn analyse(
        &mut self,
        position: &Position,
        limits: &Limits,
        mut report: impl FnMut(&Analysis),
    ) -> Analysis {
        self.with_worker(limits, |worker| {
            analyse::analyse(worker, position.board(), limits, &mut report)
        })
    }

    /// Runs a search with helpers on all other threads.
    fn with_worker<T>(&mut self, limits: &Limits, run: impl FnOnce(&mut Worker<'_>) -> T) -> T {
        self.table.age();
        let (pool, stop) = (Pool::default(), Arc::new(Stop::default()));
        let (local, others) = self.local_tables.split_first_mut().expect("a thread");
        let mut worker = Worker::new(&self.table, local, &pool, stop.clone()).watching(limits);
        std::thread::scope(|scope| {
            for local in others {
                let (table, pool, stop) = (&self.table, &pool, stop.clone());
                // If the system refuses another thread the search is slower, not worse.
                let _ = std::thread::Builder::new()
                    .stack_size(8 << 20)
                    .spawn_scoped(scope, move || {
                        help(Worker::new(table, local, pool, stop));
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
    report: &mut dyn FnMut(&Answer),
) -> Answer {
    let mut answer = Answer {
        best: None,
        value: final_score(board.own.0, board.other.0),
        depth: 0,
        level: Level::EXACT,
        exact: true,
        line: Vec::new(),
        nodes: 0,
        time: Duration::ZERO,
    };
    if board.moves().is_empty() {
        if board.pass().moves().is_empty() {
            return answer;
        }
        // A pass is the only move; its value is that of the search for the opponent.
        let mut passed = |reply: &Answer| {
            let mut answer = reply.clone();
            answer.value = -reply.value;
            answer.best = Some(Move::PASS);
            answer.line.insert(0, Move::PASS);
            report(&answer);
            answer
        };
        let reply = iterate(worker, board.pass(), limits, &mut |reply| {
            passed(reply);
        });
        return passed(&reply);
    }
    let mut root = Root::new(worker, board);
    answer.best = Some(root.best());
    answer.line = vec![root.best()];
    // The static evaluation counts if there is no time for a step.
    answer.value = root.value();
    answer.exact = false;
    let empties = board.empty().len();
    let mut predictor = time::Predictor::default();
    for step in schedule::play(empties, limits) {
        if !predictor.worth_starting(worker.clock(), step, empties) {
            break;
        }
        let finished = root.deepen(worker, step);
        if finished || root.is_better_than(&answer) {
            answer.best = Some(root.best());
            answer.value = root.value();
            answer.line = vec![root.best()];
        }
        if finished && step.goal == Goal::Value {
            (answer.depth, answer.level) = (step.depth, step.level);
            answer.exact = step.depth == empties && step.level == Level::EXACT;
            answer.line = principal_variation(worker, board, root.best(), answer.exact);
        }
        answer.nodes = worker.all_nodes();
        answer.time = worker
            .clock()
            .map(|clock| clock.elapsed())
            .unwrap_or_default();
        if !finished {
            break;
        }
        report(&answer);
        predictor.finished(answer.time);
    }
    answer
}

/// Whether a move can be played on this board.
fn is_legal(board: Board, mv: Move) -> bool {
    Position::new(board, rules::Side::First).is_legal(mv)
}

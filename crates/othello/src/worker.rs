//! The state of one search thread.

use std::sync::Arc;

use search::{Clock, Limits};

use crate::edges::{EDGES, Edges};
use crate::eval::{Network, Weights};
use crate::pool::Pool;
use crate::probcut::{DEVIATIONS, Deviations};
use crate::stop::Stop;
use crate::table::{LocalTable, Table};

/// One thread of a search.
pub(crate) struct Worker<'a> {
    /// Positions visited, counting those with one empty square.
    pub(crate) nodes: u64,
    /// The transposition table of all threads.
    pub(crate) table: &'a Table,
    /// The small table of this thread, for the last plies.
    pub(crate) local: &'a mut LocalTable,
    /// Where threads share work.
    pub(crate) pool: &'a Pool,
    /// Set when the search is to end; values found afterwards mean nothing.
    pub(crate) stop: Arc<Stop>,
    /// The evaluation.
    pub(crate) weights: &'static Weights,
    /// The correction of the evaluation.
    pub(crate) network: &'static Network,
    /// Inside the shallow search of multi-ProbCut: such searches do not nest.
    pub(crate) in_probcut: bool,
    /// Whether later moves are searched less deeply at first.
    pub(crate) reduces: bool,
    /// The table of edge stability.
    pub(crate) edges: &'static Edges,
    /// The standard deviations of multi-ProbCut.
    pub(crate) deviations: &'static Deviations,
    /// The node count at which the limits are checked again.
    check_at: u64,
    watch: Option<Watch>,
}

/// The limits, checked by one thread for the whole search. Where processor time is limited, the
/// clocks of the others add what they use.
struct Watch {
    clock: Clock,
    nodes: u64,
    whole: Arc<Stop>,
}

/// Nodes between two readings of the clock: well under a millisecond.
const CHECK_EVERY: u64 = 8192;

impl<'a> Worker<'a> {
    /// A thread that stops when `stop` is set.
    pub(crate) fn new(
        table: &'a Table,
        local: &'a mut LocalTable,
        pool: &'a Pool,
        stop: Arc<Stop>,
    ) -> Worker<'a> {
        Worker {
            nodes: 0,
            table,
            local,
            pool,
            stop,
            weights: Weights::embedded(),
            network: Network::embedded(),
            in_probcut: false,
            reduces: false,
            edges: &EDGES,
            deviations: &DEVIATIONS,
            check_at: u64::MAX,
            watch: None,
        }
    }

    /// The same for a search that need not look equally far ahead after all moves.
    pub(crate) fn reducing(self, reduces: bool) -> Worker<'a> {
        Worker { reduces, ..self }
    }

    /// The same, checking the limits as well.
    pub(crate) fn watching(mut self, limits: &Limits) -> Worker<'a> {
        self.watch = Some(Watch {
            clock: Clock::start(limits),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            whole: self.stop.clone(),
        });
        self.check_at = 0;
        self
    }

    /// The same for a helper, which has a part in no limit but that of processor time.
    pub(crate) fn helping(self, limits: &Limits) -> Worker<'a> {
        let own = Limits {
            cpu: limits.cpu,
            time: limits.time.clone(),
            ..Limits::default()
        };
        match own.cpu {
            Some(_) => self.watching(&own),
            None => self,
        }
    }

    /// Whether the search is to end.
    #[inline]
    pub(crate) fn stopped(&mut self) -> bool {
        if self.nodes >= self.check_at {
            self.check_limits();
        }
        self.stop.is_set()
    }

    /// Checks the limits, if this is the thread that does.
    #[cold]
    pub(crate) fn check_limits(&mut self) {
        let Some(watch) = &mut self.watch else {
            return;
        };
        let nodes = self.nodes + self.pool.nodes();
        if watch.clock.check() || nodes >= watch.nodes {
            watch.whole.set();
        }
        let left = watch.nodes.saturating_sub(nodes).max(1);
        self.check_at = self.nodes + left.min(CHECK_EVERY);
    }

    /// The clock, if this is the thread that checks the limits.
    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.watch.as_ref().map(|watch| &watch.clock)
    }

    /// Positions visited by all threads.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes + self.pool.nodes()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn helpers_use_up_the_processor_time_of_the_search() {
        let limits = Limits::default().with_cpu(Duration::from_millis(5)).begin();
        let (table, mut local) = (Table::new(1), LocalTable::new(2));
        let (pool, stop) = (Pool::default(), Arc::new(Stop::default()));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut helper =
                    Worker::new(&table, &mut local, &pool, stop.clone()).helping(&limits);
                while !helper.stopped() {
                    helper.nodes += 1;
                }
            });
        });
        assert!(stop.is_set() && Clock::start(&limits).check());
    }
}

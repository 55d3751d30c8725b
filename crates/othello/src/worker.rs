//! What one thread of a search carries along.

use std::sync::Arc;

use search::{Clock, Limits};

use crate::edges::{EDGES, Edges};
use crate::eval::Weights;
use crate::pool::Pool;
use crate::probcut::{DEVIATIONS, Deviations};
use crate::stop::Stop;
use crate::table::{Near, Table};

/// One thread of a search.
pub(crate) struct Worker<'a> {
    /// Positions visited, counting those with one empty square.
    pub(crate) nodes: u64,
    /// What all threads know.
    pub(crate) table: &'a Table,
    /// What this thread knows about the last plies.
    pub(crate) near: &'a mut Near,
    /// Where threads meet.
    pub(crate) pool: &'a Pool,
    /// Set when the search is to end; values found afterwards mean nothing.
    pub(crate) stop: Arc<Stop>,
    /// The evaluation.
    pub(crate) weights: &'static Weights,
    /// Inside a shallow search that decides about a cut: such searches do not nest.
    pub(crate) in_probe: bool,
    /// The table of edges, at hand.
    pub(crate) edges: &'static Edges,
    /// How far shallow searches are off, at hand.
    pub(crate) deviations: &'static Deviations,
    /// The count at which to look at the limits again.
    look_at: u64,
    watch: Option<Watch>,
}

/// Who keeps an eye on the limits, and ends the whole search.
struct Watch {
    clock: Clock,
    nodes: u64,
    whole: Arc<Stop>,
}

/// Positions between two looks at the clock: well under a millisecond.
const LOOK_EVERY: u64 = 8192;

impl<'a> Worker<'a> {
    /// A thread that has done nothing yet and stops when told.
    pub(crate) fn new(
        table: &'a Table,
        near: &'a mut Near,
        pool: &'a Pool,
        stop: Arc<Stop>,
    ) -> Worker<'a> {
        Worker {
            nodes: 0,
            table,
            near,
            pool,
            stop,
            weights: Weights::embedded(),
            in_probe: false,
            edges: &EDGES,
            deviations: &DEVIATIONS,
            look_at: u64::MAX,
            watch: None,
        }
    }

    /// The same, watching over the limits as well.
    pub(crate) fn watching(mut self, limits: &Limits) -> Worker<'a> {
        self.watch = Some(Watch {
            clock: Clock::start(limits),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            whole: self.stop.clone(),
        });
        self.look_at = 0;
        self
    }

    /// Whether the search is to end.
    #[inline]
    pub(crate) fn stopped(&mut self) -> bool {
        if self.nodes >= self.look_at {
            self.look();
        }
        self.stop.is_set()
    }

    /// Looks at the limits, if it is this thread's business.
    #[cold]
    pub(crate) fn look(&mut self) {
        let Some(watch) = &mut self.watch else {
            return;
        };
        let nodes = self.nodes + self.pool.nodes();
        if watch.clock.check() || nodes >= watch.nodes {
            watch.whole.set();
        }
        let left = watch.nodes.saturating_sub(nodes).max(1);
        self.look_at = self.nodes + left.min(LOOK_EVERY);
    }

    /// The clock of the thread that watches.
    pub(crate) fn clock(&self) -> Option<&Clock> {
        self.watch.as_ref().map(|watch| &watch.clock)
    }

    /// Positions visited by all threads.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes + self.pool.nodes()
    }
}

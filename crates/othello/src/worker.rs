//! What one thread of a search carries along.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::edges::{EDGES, Edges};
use crate::eval::Weights;
use crate::table::Table;

/// One thread of a search.
pub(crate) struct Worker<'a> {
    /// Positions visited, counting those with one empty square.
    pub(crate) nodes: u64,
    /// What all threads know.
    pub(crate) table: &'a Table,
    /// Set when the search is to end; values found afterwards mean nothing.
    pub(crate) stop: &'a AtomicBool,
    /// The evaluation.
    pub(crate) weights: &'static Weights,
    /// Inside a shallow search that decides about a cut: such searches do not nest.
    pub(crate) in_probe: bool,
    /// The table of edges, at hand.
    pub(crate) edges: &'static Edges,
}

impl<'a> Worker<'a> {
    /// A thread that has done nothing yet.
    pub(crate) fn new(table: &'a Table, stop: &'a AtomicBool) -> Worker<'a> {
        Worker {
            nodes: 0,
            table,
            stop,
            weights: Weights::embedded(),
            in_probe: false,
            edges: &EDGES,
        }
    }

    /// Whether the search is to end.
    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

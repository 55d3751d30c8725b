//! Parallel search: young brothers wait, with the helpful-master rule.
//!
//! A thread that has searched the first move of a node without a cutoff offers the other
//! moves as a [`Split`] when another thread is idle. Every thread that joins takes one move
//! at a time. The master, which offered it, works along; while its helpers finish their last
//! moves, it joins only splits below its own, so that it is never late.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::eval::Features;
use crate::kernel::{Candidate, Task};
use crate::stop::Stop;

/// The moves of a node that several threads search together, with a null window.
pub(crate) struct Split {
    /// Set when one of the moves has failed high.
    pub(crate) stop: Arc<Stop>,
    /// The features of the node itself.
    pub(crate) features: Features,
    /// The task for the successors.
    pub(crate) task: Task,
    /// How many moves of the node were searched before.
    pub(crate) earlier: usize,
    /// Whether the node is part of the shallow search of multi-ProbCut.
    pub(crate) in_probcut: bool,
    moves: Vec<Candidate>,
    state: Mutex<State>,
}

struct State {
    next: usize,
    running: usize,
    /// The values of the moves, where their search came to an end.
    values: Vec<Option<i32>>,
}

impl Split {
    /// Moves to be searched together.
    pub(crate) fn new(
        above: &Arc<Stop>,
        moves: &[Candidate],
        features: &Features,
        task: Task,
        earlier: usize,
        in_probcut: bool,
    ) -> Arc<Split> {
        Arc::new(Split {
            stop: Stop::below(above),
            features: *features,
            task,
            earlier,
            in_probcut,
            moves: moves.to_vec(),
            state: Mutex::new(State {
                next: 0,
                running: 0,
                values: vec![None; moves.len()],
            }),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked left nothing half-done in here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next move to search, if any is left.
    pub(crate) fn take(&self) -> Option<(usize, Candidate)> {
        let mut state = self.state();
        if self.stop.is_set() {
            return None;
        }
        let index = state.next;
        let candidate = *self.moves.get(index)?;
        state.next += 1;
        state.running += 1;
        Some((index, candidate))
    }

    /// The value of a move, or `None` if its search was stopped.
    pub(crate) fn put(&self, index: usize, value: Option<i32>) {
        let mut state = self.state();
        state.running -= 1;
        state.values[index] = value;
        // The successors' beta is the negated bound that a move must exceed.
        if value.is_some_and(|value| value > -self.task.beta) {
            self.stop.set();
        }
    }

    /// All values, once no thread works on it any more.
    pub(crate) fn values(&self) -> Vec<Option<i32>> {
        self.state().values.clone()
    }

    fn has_work(&self) -> bool {
        self.state().next < self.moves.len() && !self.stop.is_set()
    }

    fn is_running(&self) -> bool {
        self.state().running > 0
    }
}

/// The open splits of one search, and its idle threads.
#[derive(Default)]
pub(crate) struct Pool {
    open: Mutex<Open>,
    changed: Condvar,
    idle: AtomicUsize,
    nodes: AtomicU64,
}

#[derive(Default)]
struct Open {
    splits: Vec<Arc<Split>>,
    closed: bool,
}

/// How long a master waits before it checks the limits again.
const NAP: Duration = Duration::from_micros(500);

impl Pool {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a thread is idle.
    #[inline]
    pub(crate) fn wants_work(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Offers a split.
    pub(crate) fn offer(&self, split: &Arc<Split>) {
        self.open().splits.push(split.clone());
        self.changed.notify_all();
    }

    /// Withdraws a split; threads that have joined go on.
    pub(crate) fn withdraw(&self, split: &Arc<Split>) {
        self.open()
            .splits
            .retain(|other| !Arc::ptr_eq(other, split));
    }

    /// Waits for work; `None` when the search is over.
    pub(crate) fn next(&self) -> Option<Arc<Split>> {
        let mut open = self.open();
        loop {
            if open.closed {
                return None;
            }
            if let Some(split) = open.splits.iter().find(|split| split.has_work()) {
                return Some(split.clone());
            }
            self.idle.fetch_add(1, Relaxed);
            open = self
                .changed
                .wait(open)
                .unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Relaxed);
        }
    }

    /// While helpers still work on `split`: a split below it, or nothing after a wait.
    /// The outer `None` says that the helpers are done.
    pub(crate) fn next_below(&self, split: &Split) -> Option<Option<Arc<Split>>> {
        let open = self.open();
        if !split.is_running() {
            return None;
        }
        let found = |open: &Open| {
            let mut splits = open.splits.iter();
            splits
                .find(|other| other.stop.is_below(&split.stop) && other.has_work())
                .cloned()
        };
        if let Some(below) = found(&open) {
            return Some(Some(below));
        }
        self.idle.fetch_add(1, Relaxed);
        let (open, _) = self
            .changed
            .wait_timeout(open, NAP)
            .unwrap_or_else(PoisonError::into_inner);
        self.idle.fetch_sub(1, Relaxed);
        Some(found(&open))
    }

    /// Adds to the node count, and wakes the masters that wait.
    pub(crate) fn finished(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
        drop(self.open());
        self.changed.notify_all();
    }

    /// Nodes of the helpers.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Ends all helpers.
    pub(crate) fn close(&self) {
        self.open().closed = true;
        self.changed.notify_all();
    }
}

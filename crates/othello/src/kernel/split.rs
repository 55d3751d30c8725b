//! Young brothers wait: the later moves of one node, shared between threads.

use std::sync::Arc;

use super::pvs::pvs;
use super::shallow::played;
use crate::eval::Features;
use crate::kernel::{Candidate, Node, Task};
use crate::pool::Split;
use crate::worker::Worker;

fns! {
    /// Searches `moves` with a null window together with idle threads, until one of them
    /// fails high. Returns the values of those that were searched.
    pub(super) fn share(
        worker: &mut Worker<'_>,
        moves: &[Candidate],
        features: &Features,
        task: Task,
    ) -> Vec<Option<i32>> {
        let split = Split::new(&worker.stop, moves, features, task, worker.in_probcut);
        worker.pool.offer(&split);
        join(worker, &split);
        worker.pool.withdraw(&split);
        while let Some(below) = worker.pool.next_below(&split) {
            match below {
                Some(below) => join(worker, &below),
                None => worker.check_limits(),
            }
        }
        split.values()
    }

    /// Searches moves of a split until none is left.
    pub(crate) fn join(worker: &mut Worker<'_>, split: &Arc<Split>) {
        let stop = std::mem::replace(&mut worker.stop, split.stop.clone());
        let in_probcut = std::mem::replace(&mut worker.in_probcut, split.in_probcut);
        while let Some((index, candidate)) = split.take() {
            let features = played(&split.features, u32::from(candidate.square), candidate.flipped);
            let next = Node { own: candidate.own, other: candidate.other, features: &features };
            let value = -pvs(worker, next, split.task);
            split.put(index, (!worker.stopped()).then_some(value));
        }
        worker.stop = stop;
        worker.in_probcut = in_probcut;
    }
}

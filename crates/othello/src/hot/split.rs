//! Moves of one node, searched by several threads.

use std::sync::Arc;

use super::deep::deep;
use super::quick::played;
use crate::eval::Features;
use crate::hot::{Candidate, Node, Task};
use crate::pool::Split;
use crate::worker::Worker;

fns! {
    /// Searches `moves` with a null window together with whoever is idle, until one of
    /// them exceeds the bound. Gives the values of those that were searched.
    pub(super) fn share(
        worker: &mut Worker<'_>,
        moves: &[Candidate],
        features: &Features,
        task: Task,
    ) -> Vec<Option<i32>> {
        let split = Split::new(&worker.stop, moves, features, task, worker.in_probe);
        worker.pool.offer(&split);
        join(worker, &split);
        worker.pool.withdraw(&split);
        while let Some(below) = worker.pool.next_below(&split) {
            match below {
                Some(below) => join(worker, &below),
                None => worker.look(),
            }
        }
        split.values()
    }

    /// Searches moves of a split as long as there are any.
    pub(crate) fn join(worker: &mut Worker<'_>, split: &Arc<Split>) {
        let stop = std::mem::replace(&mut worker.stop, split.stop.clone());
        let in_probe = std::mem::replace(&mut worker.in_probe, split.in_probe);
        while let Some((index, candidate)) = split.take() {
            let features = played(&split.features, u32::from(candidate.square), candidate.turned);
            let next = Node { own: candidate.own, other: candidate.other, features: &features };
            let value = -deep(worker, next, split.task);
            split.put(index, (!worker.stopped()).then_some(value));
        }
        worker.stop = stop;
        worker.in_probe = in_probe;
    }
}

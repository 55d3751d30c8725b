//! Young brothers wait: the later moves of one node, shared between threads.

use std::sync::Arc;

use isa::{Isa, Kernel};

use super::pvs::after;
use super::shallow::played;
use crate::eval::Features;
use crate::kernel::{Candidate, Node, Task};
use crate::pool::Split;
use crate::worker::Worker;

/// Searches `moves` with a null window together with idle threads, until one of them
/// fails high; `earlier` moves have been searched before. Returns the values of those that were searched.
#[inline(always)]
pub(super) fn share<I: Isa>(
    isa: I,
    worker: &mut Worker<'_>,
    moves: &[Candidate],
    features: &Features,
    task: Task,
    earlier: usize,
) -> Vec<Option<i32>> {
    let split = Split::new(
        &worker.stop,
        moves,
        features,
        task,
        earlier,
        worker.in_probcut,
    );
    worker.pool.offer(&split);
    isa.call(Join(worker, &split));
    worker.pool.withdraw(&split);
    while let Some(below) = worker.pool.next_below(&split) {
        match below {
            Some(below) => isa.call(Join(worker, &below)),
            None => worker.check_limits(),
        }
    }
    split.values()
}

/// Searches moves of a split until none is left.
pub(crate) struct Join<'a, 'w>(pub(crate) &'a mut Worker<'w>, pub(crate) &'a Arc<Split>);

impl Kernel for Join<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) {
        let Join(worker, split) = self;
        let stop = std::mem::replace(&mut worker.stop, split.stop.clone());
        let in_probcut = std::mem::replace(&mut worker.in_probcut, split.in_probcut);
        while let Some((index, candidate)) = split.take() {
            let features = played(
                &split.features,
                u32::from(candidate.square),
                candidate.flipped,
            );
            let node = Node {
                own: candidate.own,
                other: candidate.other,
                features: &features,
            };
            let value = after(isa, worker, node, split.task, split.earlier + index);
            split.put(index, (!worker.stopped()).then_some(value));
        }
        worker.stop = stop;
        worker.in_probcut = in_probcut;
    }
}

//! Attacker's positions that have not been expanded, by risk.

use super::cells::Node;
use crate::solve::tuning::{BUCKET_RISKS, LOWEST_RISK, RISK_BUCKETS};
use crate::tables::moves::Stones;

/// A position to be worked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WorkItem {
    pub(super) node: Node,
    /// The attacker's position on whose account there is work. Once it has left the set, the work
    /// is only done if another position needs it.
    pub(super) parent: Node,
}

/// A position of the defender that looks for a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unsupported {
    pub(super) item: WorkItem,
    /// The canonical stones of the node.
    pub(super) stones: Stones,
}

/// A position of the attacker that has not been expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unexpanded {
    pub(super) item: WorkItem,
    /// The defender's position to which it was the reply, unless it was asked about.
    pub(super) answered: Option<Node>,
}

/// A bucket queue, the highest risk first: if a position is refuted, that is better known before
/// more is built on it. In a bucket the latest item comes first.
pub(super) struct WorkQueue {
    buckets: Vec<Vec<Unexpanded>>,
    /// All buckets above this one are empty.
    top: usize,
    bytes: usize,
}

impl WorkQueue {
    pub(super) fn new() -> WorkQueue {
        WorkQueue {
            buckets: (0..RISK_BUCKETS).map(|_| Vec::new()).collect(),
            top: 0,
            bytes: 0,
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, item: Unexpanded, risk: i32) {
        let at = risk.saturating_sub(LOWEST_RISK) / BUCKET_RISKS;
        let at = at.clamp(0, RISK_BUCKETS as i32 - 1) as usize;
        let bucket = &mut self.buckets[at];
        let before = bucket.capacity();
        bucket.push(item);
        self.bytes += (bucket.capacity() - before) * size_of::<Unexpanded>();
        self.top = self.top.max(at);
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Unexpanded> {
        loop {
            if let Some(item) = self.buckets[self.top].pop() {
                return Some(item);
            }
            self.top = self.top.checked_sub(1)?;
        }
    }

    /// The item that comes next, if it is in the same bucket as the last one.
    #[inline(always)]
    pub(super) fn peek(&self) -> Option<Unexpanded> {
        self.buckets[self.top].last().copied()
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_risk_comes_first_and_of_equals_the_latest() {
        let mut queue = WorkQueue::new();
        let risks = [0, -5000, 90, 0, 400, i32::MAX, i32::MIN, -799, 401];
        for (index, risk) in (0..).zip(risks) {
            let node = Node { tier: 0, index };
            let item = WorkItem { node, parent: node };
            let answered = None;
            queue.push(Unexpanded { item, answered }, risk);
        }
        let order: Vec<u32> = std::iter::from_fn(|| queue.pop())
            .map(|next| next.item.node.index)
            .collect();
        // 400 and 401 share a bucket, and so do the lowest.
        assert_eq!(order, [5, 8, 4, 2, 3, 0, 7, 6, 1]);
        assert_eq!(queue.pop(), None);
        assert!(queue.bytes() >= risks.len() * size_of::<Unexpanded>());
    }
}

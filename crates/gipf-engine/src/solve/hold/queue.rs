//! Positions of the attacker whose moves have not been followed yet.

use super::cells::Node;

/// Something to do for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Errand {
    pub(super) node: Node,
    /// The attacker's position on whose account it is to be done. Once that one has left the
    /// set, it has to be asked whether anybody else wants it.
    pub(super) by: Node,
}

/// Positions by risk, the highest first: if they are lost, it is good to know before more is
/// built on them. Among equals the latest comes first.
pub(super) struct Queue {
    levels: Vec<Vec<Errand>>,
    /// None above this has any.
    top: usize,
    bytes: usize,
}

/// Risks of one level, and the least risk above the lowest level.
const STEP: i32 = 20;
const LOWEST: i32 = -800;
const LEVELS: usize = 64;

impl Queue {
    pub(super) fn new() -> Queue {
        Queue {
            levels: (0..LEVELS).map(|_| Vec::new()).collect(),
            top: 0,
            bytes: 0,
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, errand: Errand, risk: i32) {
        let at = (risk.saturating_sub(LOWEST) / STEP).clamp(0, LEVELS as i32 - 1) as usize;
        let level = &mut self.levels[at];
        let before = level.capacity();
        level.push(errand);
        self.bytes += (level.capacity() - before) * size_of::<Errand>();
        self.top = self.top.max(at);
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Errand> {
        loop {
            if let Some(errand) = self.levels[self.top].pop() {
                return Some(errand);
            }
            self.top = self.top.checked_sub(1)?;
        }
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
        let mut queue = Queue::new();
        let risks = [0, -5000, 90, 0, 400, i32::MAX, i32::MIN, -799, 401];
        for (number, risk) in (0..).zip(risks) {
            let node = Node { tier: 0, number };
            queue.push(Errand { node, by: node }, risk);
        }
        let order: Vec<u32> = std::iter::from_fn(|| queue.pop())
            .map(|errand| errand.node.number)
            .collect();
        // 400 and 401 are on one level, and so are the lowest.
        assert_eq!(order, [5, 8, 4, 2, 3, 0, 7, 6, 1]);
        assert_eq!(queue.pop(), None);
        assert!(queue.bytes() >= risks.len() * size_of::<Errand>());
    }
}

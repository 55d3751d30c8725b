//! Depth-first proof-number search (df-pn) for two players.
//!
//! Every position has a proof number, the effort that seems to be left to prove that the player
//! to move wins, and a disproof number, the same for the opponent. The player to move picks the
//! child that is easiest to disprove; to disprove a position, all of its children have to be
//! proved. A child is searched until one of its numbers reaches a threshold beyond which another
//! child, or another branch above, looks easier.
//!
//! Children share many positions, so the disproof number is not their plain sum: the largest
//! proof number counts whole, the others to a quarter ([`Effort`]).
//!
//! A number becomes 0 only through those of the children and through ends of games, so a proof
//! is a proof whatever led to the position; all other numbers are estimates.

use std::fmt;

/// The number of what cannot be proved since the contrary has been.
pub const INFINITE: u32 = 1 << 30;

/// The effort left to decide a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofNumbers {
    /// To prove that the player to move wins; 0 once that is proved.
    pub proof: u32,
    /// To prove that the opponent wins; 0 once that is proved.
    pub disproof: u32,
}

impl ProofNumbers {
    /// The player to move wins.
    pub const PROVEN: ProofNumbers = ProofNumbers {
        proof: 0,
        disproof: INFINITE,
    };

    /// The opponent wins.
    pub const DISPROVEN: ProofNumbers = ProofNumbers {
        proof: INFINITE,
        disproof: 0,
    };

    /// Nothing is known.
    pub const UNKNOWN: ProofNumbers = ProofNumbers {
        proof: 1,
        disproof: 1,
    };

    /// Whether the player to move wins, if that is known.
    #[inline]
    #[must_use]
    pub const fn decided(self) -> Option<bool> {
        match self {
            ProofNumbers { proof: 0, .. } => Some(true),
            ProofNumbers { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// Whether one of the numbers is at its threshold.
    #[inline]
    #[must_use]
    pub const fn reach(self, thresholds: ProofNumbers) -> bool {
        self.proof >= thresholds.proof || self.disproof >= thresholds.disproof
    }
}

/// The search was stopped before a threshold was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the search was stopped")
    }
}

impl std::error::Error for Stopped {}

/// Of the proof numbers of children, those beside the largest count to this part.
const SHARE: u64 = 4;

/// The effort to prove all children of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    sum: u64,
    largest: u32,
    second: u32,
}

impl Effort {
    /// One more child with this proof number.
    #[inline]
    pub fn add(&mut self, number: u32) {
        self.sum += u64::from(number);
        self.second = self.second.max(number.min(self.largest));
        self.largest = self.largest.max(number);
    }

    /// The number for all of them, at most `most`: the largest, and a part of the others.
    #[inline]
    #[must_use]
    pub fn whole(self, most: u32) -> u32 {
        let others = self.sum - u64::from(self.largest);
        (u64::from(self.largest) + others / SHARE).min(u64::from(most)) as u32
    }

    /// The least number of the child that now has `number` for which the whole is `wanted`; at
    /// most `most`.
    #[inline]
    #[must_use]
    pub fn child_threshold(self, number: u32, wanted: u32, most: u32) -> u32 {
        let others = self.sum - u64::from(number);
        let largest = match number == self.largest {
            true => self.second,
            false => self.largest,
        };
        let (largest, wanted) = (u64::from(largest), u64::from(wanted));
        let as_largest = wanted.saturating_sub(others / SHARE);
        let least = if as_largest > largest {
            as_largest
        } else {
            (SHARE * wanted.saturating_sub(largest)).saturating_sub(others - largest)
        };
        least.min(u64::from(most)) as u32
    }

    /// What the child that now has `number` may come to until the whole has grown by `room`: as
    /// [`child_threshold`](Effort::child_threshold), but growth is rounded step by step, so that
    /// the whole may end a little off.
    #[inline]
    #[must_use]
    pub fn grown_child(self, number: u32, room: u32) -> u32 {
        let below = self.largest - number;
        let (share, until_largest) = (SHARE as u32, below / SHARE as u32);
        if room > until_largest {
            self.largest + (room - until_largest)
        } else {
            number
                .saturating_add(room.saturating_mul(share))
                .min(self.largest)
        }
    }
}

/// A child as the search sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Child {
    /// Its numbers, as they were seen last.
    pub numbers: ProofNumbers,
    /// Whether it is on the path from the root: going there repeats a position.
    pub on_path: bool,
}

/// What the search must know of a game, and where its results are kept.
pub trait ProofTree {
    /// A position.
    type Node: Copy;

    /// The children of a position while it is searched.
    type Children;

    /// Numbers that are not infinite are at most this.
    const LARGEST: u32;

    /// A child is searched until its disproof number is beyond the second best by this part of
    /// it, lest two children take turns all the time.
    const SLACK: u32;

    /// Positions this far from the root are given up as if they had been tried in vain.
    const DEEPEST: u32 = u32::MAX;

    /// Counts a position that is about to be expanded, unless the search must stop; the
    /// positions before it.
    fn enter(&mut self) -> Result<u64, Stopped>;

    /// Lists the children.
    fn children(&mut self, node: &Self::Node) -> Self::Children;

    /// Gives the children their first numbers; those of the position if one of them decides it.
    fn initialise(
        &mut self,
        node: &Self::Node,
        children: &mut Self::Children,
    ) -> Option<ProofNumbers>;

    /// The children in order.
    fn each<'a>(&'a self, children: &'a Self::Children) -> impl Iterator<Item = Child>;

    /// The position of a child.
    fn child(&self, node: &Self::Node, children: &Self::Children, at: usize) -> Self::Node;

    /// The numbers of a position that is proved by this child.
    #[inline]
    fn proven_by(&self, node: &Self::Node, children: &Self::Children, at: usize) -> ProofNumbers {
        let _ = (node, children, at);
        ProofNumbers::PROVEN
    }

    /// The threshold of the proof number of a child, so that the disproof number of its parent,
    /// now `whole`, gets to `wanted`.
    #[inline]
    fn child_threshold(effort: Effort, number: u32, whole: u32, wanted: u32) -> u32 {
        let _ = whole;
        effort.child_threshold(number, wanted, Self::LARGEST)
    }

    /// A child has been searched.
    fn update(
        &mut self,
        node: &Self::Node,
        children: &mut Self::Children,
        at: usize,
        numbers: ProofNumbers,
    );

    /// A child of the position is about to be searched.
    #[inline]
    fn put_on_path(&mut self, node: &Self::Node, numbers: ProofNumbers) {
        let _ = (node, numbers);
    }

    /// The search was stopped below the position.
    #[inline]
    fn take_off_path(&mut self, node: &Self::Node, numbers: ProofNumbers) {
        let _ = (node, numbers);
    }

    /// The numbers of a position, found after so many positions were counted before it.
    fn store(&mut self, node: &Self::Node, numbers: ProofNumbers, entered: u64);

    /// The children are needed no longer.
    #[inline]
    fn release(&mut self, children: &Self::Children) {
        let _ = children;
    }
}

/// Searches below a position, `ply` plies from the root, until one of its numbers reaches its
/// threshold or the position is decided.
pub fn search<T: ProofTree>(
    tree: &mut T,
    node: T::Node,
    thresholds: ProofNumbers,
    ply: u32,
) -> Result<ProofNumbers, Stopped> {
    let entered = tree.enter()?;
    let mut children = tree.children(&node);
    let result = match tree.initialise(&node, &mut children) {
        Some(decided) => Ok(decided),
        None => select(tree, &node, &mut children, thresholds, ply),
    };
    tree.release(&children);
    if let Ok(numbers) = result {
        tree.store(&node, numbers, entered);
    }
    result
}

/// Searches the most promising child until the numbers of the position reach their thresholds.
#[inline(always)]
fn select<T: ProofTree>(
    tree: &mut T,
    node: &T::Node,
    children: &mut T::Children,
    thresholds: ProofNumbers,
    ply: u32,
) -> Result<ProofNumbers, Stopped> {
    loop {
        let (mut best, mut own) = (0, 0);
        let (mut least, mut second) = (INFINITE, INFINITE);
        let mut effort = Effort::default();
        let mut proven = None;
        let mut repeats = false;
        for (at, Child { numbers, on_path }) in tree.each(children).enumerate() {
            effort.add(numbers.proof);
            if on_path {
                repeats = true;
                if numbers.disproof == 0 {
                    proven = Some(at);
                }
            } else if numbers.disproof < least {
                (second, least) = (least, numbers.disproof);
                (best, own) = (at, numbers.proof);
            } else {
                second = second.min(numbers.disproof);
            }
        }
        if least == 0 {
            proven = Some(best);
        }
        if let Some(at) = proven {
            return Ok(tree.proven_by(node, children, at));
        }
        if effort.sum == 0 {
            return Ok(ProofNumbers::DISPROVEN);
        }
        if repeats && least == INFINITE {
            // Repeating positions does not win: enough of this for now.
            least = thresholds.proof;
        }
        let numbers = ProofNumbers {
            proof: least.min(T::LARGEST),
            disproof: effort.whole(T::LARGEST),
        };
        if numbers.reach(thresholds) {
            return Ok(numbers);
        }
        if ply == T::DEEPEST {
            return Ok(thresholds);
        }
        let wanted = thresholds.disproof;
        let below = ProofNumbers {
            proof: T::child_threshold(effort, own, numbers.disproof, wanted).max(own + 1),
            disproof: thresholds.proof.min(second + second / T::SLACK + 1),
        };
        tree.put_on_path(node, numbers);
        let child = tree.child(node, children, best);
        match search(tree, child, below, ply + 1) {
            Ok(numbers) => tree.update(node, children, best, numbers),
            Err(Stopped) => {
                tree.take_off_path(node, numbers);
                return Err(Stopped);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn effort(numbers: &[u32]) -> Effort {
        let mut effort = Effort::default();
        numbers.iter().for_each(|&number| effort.add(number));
        effort
    }

    #[test]
    fn one_child_gets_the_whole_to_the_threshold() {
        const MOST: u32 = 1 << 26;
        for wanted in [1, 10, 77, 1000, 30_000] {
            for others in [vec![], vec![0], vec![3], vec![500, 2], vec![90, 90, 90, 7]] {
                for own in [0, 2, 90, 600] {
                    let all = |own: u32| effort(&[&others[..], &[own]].concat());
                    let least = all(own).child_threshold(own, wanted, MOST);
                    assert!(all(least).whole(MOST) >= wanted, "{wanted} {others:?}");
                    let less = least.saturating_sub(1);
                    assert!(
                        least == 0 || all(less).whole(MOST) < wanted,
                        "{wanted} {others:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn one_child_may_grow_until_there_is_no_room() {
        for numbers in [[40, 7, 900], [900, 900, 1], [5, 5, 5], [1, 2000, 30]] {
            for room in [1, 10, 100, 1000] {
                for at in 0..3 {
                    let before = effort(&numbers);
                    let mut after = numbers;
                    after[at] = before.grown_child(numbers[at], room);
                    let grown = effort(&after).whole(INFINITE) - before.whole(INFINITE);
                    assert!(
                        grown.abs_diff(room) <= 2,
                        "{numbers:?} {at}: {grown} of {room}"
                    );
                }
            }
        }
    }

    /// A heap of stones: whoever takes the last one wins; passing makes play repeat.
    struct Heap {
        table: HashMap<u32, (ProofNumbers, bool)>,
        nodes: u64,
        most: u64,
    }

    impl Heap {
        fn look(&self, stones: u32) -> Child {
            let known = self.table.get(&stones).copied();
            let (numbers, on_path) = known.unwrap_or((ProofNumbers::UNKNOWN, false));
            Child { numbers, on_path }
        }
    }

    impl ProofTree for Heap {
        type Node = u32;
        type Children = Vec<(u32, Child)>;
        const LARGEST: u32 = 1 << 20;
        const SLACK: u32 = 2;

        fn enter(&mut self) -> Result<u64, Stopped> {
            if self.nodes == self.most {
                return Err(Stopped);
            }
            self.nodes += 1;
            Ok(self.nodes - 1)
        }

        /// Up to two stones can be taken, or from seven on none.
        fn children(&mut self, &stones: &u32) -> Vec<(u32, Child)> {
            let least = if stones >= 7 { 0 } else { 1 };
            let taken = least..=stones.min(2);
            taken
                .map(|taken| (stones - taken, self.look(stones - taken)))
                .collect()
        }

        fn initialise(&mut self, _: &u32, children: &mut Self::Children) -> Option<ProofNumbers> {
            let wins = children.iter().any(|&(stones, _)| stones == 0);
            wins.then_some(ProofNumbers::PROVEN)
        }

        fn each<'a>(&'a self, children: &'a Self::Children) -> impl Iterator<Item = Child> {
            children.iter().map(|&(_, child)| child)
        }

        fn child(&self, _: &u32, children: &Self::Children, at: usize) -> u32 {
            children[at].0
        }

        fn update(&mut self, _: &u32, children: &mut Self::Children, at: usize, n: ProofNumbers) {
            for (stones, child) in children.iter_mut() {
                *child = self.look(*stones);
            }
            children[at].1.numbers = n;
        }

        fn put_on_path(&mut self, &stones: &u32, numbers: ProofNumbers) {
            self.table.insert(stones, (numbers, true));
        }

        fn take_off_path(&mut self, &stones: &u32, numbers: ProofNumbers) {
            self.table.insert(stones, (numbers, false));
        }

        fn store(&mut self, &stones: &u32, numbers: ProofNumbers, _: u64) {
            self.table.insert(stones, (numbers, false));
        }
    }

    #[test]
    fn heaps_are_decided_under_repetition() {
        let all = ProofNumbers {
            proof: Heap::LARGEST,
            disproof: Heap::LARGEST,
        };
        for stones in 1..30 {
            // Stopped again and again, or not.
            for most in [u64::from(stones) + 3, u64::MAX] {
                let mut heap = Heap {
                    table: HashMap::new(),
                    nodes: 0,
                    most,
                };
                let mut found = search(&mut heap, stones, all, 0);
                for _ in 0..10_000 {
                    if found.is_ok() {
                        break;
                    }
                    heap.most += most;
                    found = search(&mut heap, stones, all, 0);
                }
                // Multiples of three lose below seven stones; above, who would lose passes.
                let wins = match stones {
                    0..=6 => Some(stones % 3 != 0),
                    7 | 8 => Some(true),
                    _ => None,
                };
                let decided = found.ok().and_then(ProofNumbers::decided);
                assert_eq!(decided, wins, "{stones} stones");
            }
        }
    }
}

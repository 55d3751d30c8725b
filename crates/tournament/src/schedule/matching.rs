//! Maximum matching in any graph: Edmonds' blossom algorithm.

use std::collections::VecDeque;

/// Adds pairs of joined vertices until there are as many as there can be. `mate` has for every vertex
/// the other one of its pair, or itself; who is paired stays so, perhaps with another.
pub(super) fn enlarge(mate: &mut [usize], joined: impl Fn(usize, usize) -> bool) {
    for root in 0..mate.len() {
        if mate[root] == root {
            Tree::new(root, mate.len()).grow(mate, &joined);
        }
    }
}

/// Paths from an unpaired vertex, the root, on which every second edge is a pair.
struct Tree {
    /// The vertex before this one where the edge between them is no pair; itself if it is not reached so.
    parent: Vec<usize>,
    /// The vertex that stands for the odd cycles (blossoms) in which this one is.
    base: Vec<usize>,
    /// Whether it is reached by an even number of edges, so that its path may go on by any edge.
    even: Vec<bool>,
    open: VecDeque<usize>,
}

impl Tree {
    fn new(root: usize, vertices: usize) -> Tree {
        let mut tree = Tree {
            parent: (0..vertices).collect(),
            base: (0..vertices).collect(),
            even: vec![false; vertices],
            open: VecDeque::new(),
        };
        tree.open(root);
        tree
    }

    fn open(&mut self, vertex: usize) {
        if !self.even[vertex] {
            self.even[vertex] = true;
            self.open.push_back(vertex);
        }
    }

    /// Looks for a path to another unpaired vertex, and exchanges its pairs for its other edges:
    /// one pair more.
    fn grow(&mut self, mate: &mut [usize], joined: impl Fn(usize, usize) -> bool) {
        while let Some(from) = self.open.pop_front() {
            for to in 0..mate.len() {
                if self.base[from] == self.base[to] || mate[from] == to || !joined(from, to) {
                    continue;
                }
                if self.even[to] {
                    self.contract(from, to, mate);
                } else if self.parent[to] == to {
                    self.parent[to] = from;
                    if mate[to] == to {
                        return self.exchange(to, mate);
                    }
                    self.open(mate[to]);
                }
            }
        }
    }

    fn exchange(&self, end: usize, mate: &mut [usize]) {
        let mut vertex = end;
        loop {
            let before = self.parent[vertex];
            let next = mate[before];
            (mate[vertex], mate[before]) = (before, vertex);
            if next == before {
                return;
            }
            vertex = next;
        }
    }

    /// An edge between two even vertices closes an odd cycle: all of it is even now.
    fn contract(&mut self, a: usize, b: usize, mate: &[usize]) {
        let base = self.common_base(a, b, mate);
        let mut inside = vec![false; mate.len()];
        for (mut vertex, mut child) in [(a, b), (b, a)] {
            while self.base[vertex] != base {
                inside[self.base[vertex]] = true;
                inside[self.base[mate[vertex]]] = true;
                self.parent[vertex] = child;
                child = mate[vertex];
                vertex = self.parent[child];
            }
        }
        for vertex in 0..mate.len() {
            if inside[self.base[vertex]] {
                self.base[vertex] = base;
                self.open(vertex);
            }
        }
    }

    /// Where the paths of two even vertices to the root meet.
    fn common_base(&self, mut a: usize, mut b: usize, mate: &[usize]) -> usize {
        let mut seen = vec![false; mate.len()];
        loop {
            a = self.base[a];
            seen[a] = true;
            if mate[a] == a {
                break;
            }
            a = self.parent[mate[a]];
        }
        loop {
            b = self.base[b];
            if seen[b] {
                return b;
            }
            b = self.parent[mate[b]];
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// The slow twin: the largest number of pairs among the vertices of a set.
    pub(in crate::schedule) fn most_pairs(
        vertices: usize,
        joined: impl Fn(usize, usize) -> bool,
    ) -> usize {
        let mut most = vec![0; 1 << vertices];
        for set in 1..most.len() {
            let a = set.trailing_zeros() as usize;
            let rest = set & (set - 1);
            let others = (0..vertices).filter(|&b| (rest >> b) & 1 == 1 && joined(a, b));
            let with = others.map(|b| 1 + most[rest & !(1 << b)]).max();
            most[set] = with.unwrap_or(0).max(most[rest]);
        }
        most[most.len() - 1]
    }

    #[test]
    fn there_are_as_many_pairs_as_there_can_be() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for round in 0..3000 {
            let vertices = rng.random_range(0..=9);
            let density = rng.random_range(0.1..0.6);
            let edges: Vec<bool> = (0..vertices * vertices)
                .map(|_| rng.random_bool(density))
                .collect();
            let joined = |a: usize, b: usize| edges[a.min(b) * vertices + a.max(b)];
            let mut mate: Vec<usize> = (0..vertices).collect();
            enlarge(&mut mate, joined);
            for (a, &b) in mate.iter().enumerate() {
                assert_eq!(mate[b], a);
                assert!(a == b || joined(a, b));
            }
            let paired = mate.iter().enumerate().filter(|&(a, &b)| a != b).count();
            assert_eq!(
                paired / 2,
                most_pairs(vertices, joined),
                "{round}: {edges:?}"
            );
        }
    }
}

//! The safe set, and the search for it.

mod needs;
mod replies;
mod roots;

use self::replies::Listed;

use std::sync::Arc;

use isa::{Available, Isa, Kernel, Set};
use search::{Clock, Limits};

use super::super::Progress;
use super::super::node_map::NodeMap;
use super::Knowledge;
use super::candidates::Candidate;
use super::cells::{Node, attacker, defender};
use super::links::{HashedLinks, Links};
use super::positions::Positions;
use super::work_queue::{Unexpanded, Unsupported, WorkItem, WorkQueue};
use crate::solve::defender::DefenderModel;
use crate::tables::index::Bits;
use crate::tables::moves::{Stones, Successor};
use crate::tables::parallel::SETS;

/// The search for a safe set.
pub(super) struct SafeSet {
    pub(super) positions: Positions,
    model: Arc<DefenderModel>,
    /// The defender does without positions of more risk than this.
    pub(super) risk_limit: i32,
    /// Positions that stay in the set whether others rely on them or not.
    roots: NodeMap,
    /// Attacker's positions that have not been expanded: those found from one root and from the
    /// other, which take turns.
    unexpanded: [WorkQueue; 2],
    turn: usize,
    /// Defender's positions without a reply into the set.
    unsupported: Vec<Unsupported>,
    /// Refuted positions whose predecessors have not been looked at again.
    refuted: Vec<Node>,
    /// Which positions of the defender rely on one of the attacker through a reply that takes rows
    /// off, or through one that dominates it.
    replies: Links,
    /// Which positions of the attacker lead to one of the defender by taking rows off.
    collections: HashedLinks,
    /// Bytes that may be used.
    pub(super) memory: usize,
    /// Positions expanded since the last call of `take_count`.
    pub(super) count: u64,
    // Buffers.
    list: Vec<Successor>,
    before: Vec<Stones>,
    listed: [Listed; 2],
    nodes: Vec<Node>,
    stones: Vec<Stones>,
    wanted: Vec<Node>,
    candidates: Vec<Candidate>,
}

impl SafeSet {
    /// Nothing is known yet; no side has more stones in all than this.
    pub(super) fn new(
        knowledge: Knowledge,
        risk_limit: i32,
        totals: [u8; 2],
        memory: usize,
    ) -> SafeSet {
        let shape = knowledge.index.shape();
        let moves = shape.rim.count_ones() as usize + 2 * shape.lines.len();
        assert!(
            moves < usize::from(defender::REFUTED),
            "the support can be counted"
        );
        SafeSet {
            positions: Positions::new(knowledge.index, totals),
            model: knowledge.model,
            risk_limit,
            roots: NodeMap::new(),
            unexpanded: [WorkQueue::new(), WorkQueue::new()],
            turn: 0,
            unsupported: Vec::new(),
            refuted: Vec::new(),
            replies: Links::new(),
            collections: HashedLinks::new(),
            memory,
            count: 0,
            list: Vec::new(),
            before: Vec::new(),
            listed: Default::default(),
            nodes: Vec::new(),
            stones: Vec::new(),
            wanted: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Lists the nodes from which a move without collection leads here; the stones are those of
    /// the node.
    #[inline(always)]
    fn list_predecessors<B: Bits>(&mut self, node: Node, stones: Stones) {
        debug_assert_eq!(stones, self.positions.stones::<B>(node));
        let lists = (&mut self.before, &mut self.nodes);
        self.positions
            .list_predecessors::<B>(node.tier, stones, lists.0, lists.1);
    }

    /// Adds a position to the set; the stones are those of its node.
    #[inline(always)]
    fn add<B: Bits>(&mut self, item: WorkItem, stones: Stones, answered: Option<Node>, risk: i32) {
        let node = item.node;
        self.positions.set_attack(node, attacker::SAFE);
        self.unexpanded[self.turn].push(Unexpanded { item, answered }, risk);
        self.list_predecessors::<B>(node, stones);
        for i in 0..self.nodes.len() {
            let node = self.nodes[i];
            let cell = self.positions.cell(node);
            if *cell & defender::SUPPORT != defender::REFUTED {
                *cell += 1;
            }
        }
    }

    fn refute_attack(&mut self, node: Node) {
        self.positions.set_attack(node, attacker::REFUTED);
        self.refuted.push(node);
    }

    /// Follows the attacker's moves: each position that they lead to needs support.
    #[inline(always)]
    fn expand<B: Bits>(&mut self, node: Node) {
        if !self.positions.is_safe(node) {
            return;
        }
        let stones = self.positions.stones::<B>(node);
        if self.positions.is_over(node.tier, stones) {
            return;
        }
        let mut list = std::mem::take(&mut self.list);
        self.positions.shape().successors(stones, &mut list);
        self.nodes.clear();
        self.stones.clear();
        // Moves after which the defender wins at once are left out.
        let mut kept = 0;
        let mut lost = false;
        for i in 0..list.len() {
            let next = list[i];
            let tier = self.positions.tier_after(node.tier, &next);
            if self.positions.is_over(tier, next.stones) {
                lost = true;
                break;
            }
            if !self.positions.wins_without_collection(tier, next.stones) {
                let (to, stones) = self.positions.placed::<B>(tier, next.stones);
                self.positions.prefetch(to);
                if next.collected {
                    self.collections.prefetch(to);
                }
                self.nodes.push(to);
                self.stones.push(stones);
                list[kept] = next;
                kept += 1;
            }
        }
        list.truncate(kept);
        let known_refuted =
            |&to: &Node| self.positions.get(to) & defender::SUPPORT == defender::REFUTED;
        if lost || self.nodes.iter().any(known_refuted) {
            self.list = list;
            return self.refute_attack(node);
        }
        for (i, next) in list.iter().enumerate() {
            let to = self.nodes[i];
            if next.collected {
                self.collections.add(to, node);
            }
            let cell = self.positions.cell(to);
            let before = *cell;
            *cell |= defender::NEEDED;
            if before & (defender::SUPPORT | defender::LINKED) == 0 {
                let item = WorkItem {
                    node: to,
                    parent: node,
                };
                let stones = self.stones[i];
                self.unsupported.push(Unsupported { item, stones });
            }
        }
        self.list = list;
    }

    /// A position has left the set: those that it supported may need another reply.
    #[inline(always)]
    fn leave<B: Bits>(&mut self, left: Node) {
        self.list_predecessors::<B>(left, self.positions.stones::<B>(left));
        for i in 0..self.nodes.len() {
            let before = self.nodes[i];
            let cell = self.positions.cell(before);
            if *cell & defender::SUPPORT != defender::REFUTED {
                *cell -= 1;
                if *cell == defender::NEEDED {
                    let item = WorkItem {
                        node: before,
                        parent: left,
                    };
                    let stones = self.positions.stones::<B>(before);
                    self.unsupported.push(Unsupported { item, stones });
                }
            }
        }
        let head = *self.positions.head(left);
        for node in self.replies.of(head, left) {
            let cell = self.positions.cell(node);
            if *cell & defender::SUPPORT != defender::REFUTED {
                *cell &= !defender::LINKED;
                if *cell == defender::NEEDED {
                    let item = WorkItem { node, parent: left };
                    let stones = self.positions.stones::<B>(node);
                    self.unsupported.push(Unsupported { item, stones });
                }
            }
        }
    }

    /// A defender's position is refuted, and so is every attacker's before it.
    #[inline(always)]
    fn propagate<B: Bits>(&mut self, node: Node) {
        self.list_predecessors::<B>(node, self.positions.stones::<B>(node));
        let linked = self.collections.of(node);
        for before in self.nodes.iter().copied().chain(linked) {
            if self.positions.is_safe(before) {
                self.positions.set_attack(before, attacker::REFUTED);
                self.refuted.push(before);
            }
        }
    }

    /// Bytes in use. Lists that grow are there twice for a moment, the new one being twice
    /// as long.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.unsupported.capacity() * size_of::<Unsupported>()
            + self.refuted.capacity() * size_of::<Node>();
        let unexpanded: usize = self.unexpanded.iter().map(WorkQueue::bytes).sum();
        self.positions.bytes()
            + 3 * (lists + unexpanded)
            + self.replies.bytes()
            + self.collections.bytes()
    }

    /// Does the next piece of work; false if there is none.
    #[inline(always)]
    fn step<B: Bits>(&mut self) -> bool {
        if let Some(node) = self.refuted.pop() {
            if self.positions.tiers[usize::from(node.tier)].attacking {
                self.leave::<B>(node);
            } else {
                self.propagate::<B>(node);
            }
        } else if let Some(item) = self.unsupported.pop() {
            self.find_reply::<B>(item);
        } else if let Some(item) = self.next_unexpanded() {
            // The one from the other root comes next.
            if let Some(Unexpanded { item, .. }) = self.unexpanded[1 - self.turn].peek() {
                let WorkItem { node, parent } = item;
                self.positions.prefetch_attack(node);
                self.positions.prefetch_attack(parent);
            }
            self.follow::<B>(item);
        } else {
            return false;
        }
        true
    }

    /// A position found from the other root, if there is any, or from the same one.
    #[inline(always)]
    fn next_unexpanded(&mut self) -> Option<Unexpanded> {
        self.turn = 1 - self.turn;
        self.unexpanded[self.turn].pop().or_else(|| {
            self.turn = 1 - self.turn;
            self.unexpanded[self.turn].pop()
        })
    }

    /// Expands a position, unless nothing relies on it any more: then it leaves the set without
    /// being refuted, and no position becomes unsupported.
    #[inline(always)]
    fn follow<B: Bits>(&mut self, next: Unexpanded) {
        let WorkItem { node, parent } = next.item;
        if self.positions.is_safe(node)
            && !self.positions.is_safe(parent)
            && !self.is_root(node)
            && !self.is_wanted::<B>(node, next.answered)
        {
            self.positions.set_attack(node, 0);
            self.leave::<B>(node);
            debug_assert!(self.unsupported.is_empty(), "nothing relied on it");
            return;
        }
        self.count += 1;
        self.expand::<B>(node);
    }
}

#[cfg(test)]
impl SafeSet {
    /// Does all work that is left.
    pub(super) fn finish(&mut self) {
        while self.step::<crate::tables::index::Portable>() {}
    }
}

impl SafeSet {
    /// Goes on for at most `slice` positions, until the limits are reached, or until one of these
    /// is refuted: see [`FixedPointProver::run`](super::FixedPointProver::run). When no work is
    /// left, none of the roots that are not refuted is won by the attacker.
    pub(super) fn run(&mut self, nodes: [Node; 2], limits: &Limits, slice: u64) -> [Progress; 2] {
        match self.run_until(Some(nodes), limits, slice) {
            Progress::Wins => self.wins(nodes).map(|wins| match wins {
                true => Progress::Wins,
                false => Progress::Paused,
            }),
            both => [both; 2],
        }
    }

    /// The same, until one of these is refuted, if there are any, or until no work is left.
    pub(super) fn run_until(
        &mut self,
        nodes: Option<[Node; 2]>,
        limits: &Limits,
        slice: u64,
    ) -> Progress {
        let clock = Clock::start(limits);
        Available::best().call(Turn {
            set: self,
            nodes,
            clock,
            slice,
        })
    }
}

/// A stretch of the search.
struct Turn<'a> {
    set: &'a mut SafeSet,
    nodes: Option<[Node; 2]>,
    clock: Clock,
    slice: u64,
}

impl Kernel for Turn<'_> {
    type Output = Progress;
    const SETS: &'static [Set] = SETS;

    #[inline(always)]
    fn run<I: Isa>(mut self, _: I) -> Progress {
        let set = self.set;
        let end = set.count.saturating_add(self.slice);
        let mut first = true;
        loop {
            // Later on that changes only when something has been refuted just now.
            if (first || !set.refuted.is_empty())
                && let Some(nodes) = self.nodes
                && set.wins(nodes) != [false; 2]
            {
                return Progress::Wins;
            }
            first = false;
            if set.count >= end || self.clock.tick() {
                return Progress::Paused;
            }
            if set.bytes() > set.memory {
                return Progress::Full;
            }
            if !set.step::<I>() {
                return Progress::Fails;
            }
        }
    }
}

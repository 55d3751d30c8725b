//! The safe set, and the search for it.

use std::sync::Arc;

use isa::{Available, Isa, Kernel, Set};
use search::{Clock, Limits};

use super::super::Progress;
use super::super::node_map::{NIL, NodeMap};
use super::Knowledge;
use super::candidates::Candidate;
use super::cells::{Node, attacker, defender};
use super::links::Links;
use super::positions::Positions;
use super::work_queue::{Unexpanded, WorkItem, WorkQueue};
use crate::solve::defender::DefenderModel;
use crate::solve::rules::SmallBoard;
use crate::solve::tuning::{COMPARED_REPLIES, LOOKED_UP_TOGETHER, NO_RISK_LIMIT};
use crate::tables::index::{Bits, Portable, Tier};
use crate::tables::moves::{Stones, Successor};
use crate::tables::parallel::SETS;

/// A reply of the defender.
enum Reply {
    /// It wins.
    Wins,
    /// It takes rows off and leads to this position of the set, or it leads to one that dominates
    /// this position.
    Known(Node),
    /// It leads to a new position.
    New {
        to: Node,
        /// Whether it takes rows off.
        collects: bool,
        /// The estimated risk that the position is lost.
        risk: i32,
    },
}

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
    unsupported: Vec<WorkItem>,
    /// Refuted positions whose predecessors have not been looked at again.
    refuted: Vec<Node>,
    /// For both ends of moves that take rows off, which positions rely on the other end.
    links: Links,
    /// Bytes that may be used.
    pub(super) memory: usize,
    /// Positions expanded since the last call of `take_count`.
    pub(super) count: u64,
    // Buffers.
    list: Vec<Successor>,
    before: Vec<Stones>,
    nodes: Vec<Node>,
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
            links: Links::new(),
            memory,
            count: 0,
            list: Vec::new(),
            before: Vec::new(),
            nodes: Vec::new(),
            wanted: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Lists the nodes from which a move without collection leads here.
    #[inline(always)]
    fn list_predecessors<B: Bits>(&mut self, node: Node) {
        self.positions
            .list_predecessors::<B>(node, &mut self.before, &mut self.nodes);
    }

    /// Adds a position to the set.
    #[inline(always)]
    fn add<B: Bits>(&mut self, item: WorkItem, answered: Option<Node>, risk: i32) {
        let node = item.node;
        self.positions.set_attack(node, attacker::SAFE);
        self.unexpanded[self.turn].push(Unexpanded { item, answered }, risk);
        self.list_predecessors::<B>(node);
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
                let to = self.positions.node::<B>(tier, next.stones);
                self.positions.prefetch(to);
                if next.collected {
                    self.links.prefetch(to);
                }
                self.nodes.push(to);
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
                self.links.add(to, node);
            }
            let cell = self.positions.cell(to);
            let before = *cell;
            *cell |= defender::NEEDED;
            if before & (defender::SUPPORT | defender::LINKED) == 0 {
                self.unsupported.push(WorkItem {
                    node: to,
                    parent: node,
                });
            }
        }
        self.list = list;
    }

    /// Finds a reply into the set for a defender's position, or refutes the position.
    #[inline(always)]
    fn find_reply<B: Bits>(&mut self, WorkItem { node, parent }: WorkItem) {
        // Another position may have brought support in the meantime.
        if self.positions.get(node) & (defender::SUPPORT | defender::LINKED) != 0 {
            return;
        }
        if !self.positions.is_safe(parent) && !self.is_needed::<B>(node) {
            return;
        }
        let stones = self.positions.stones::<B>(node);
        let mut list = std::mem::take(&mut self.list);
        let mut reply;
        if self.positions.wins_without_collection(node.tier, stones) {
            reply = Some(Reply::Wins);
        } else {
            self.positions.shape().successors(stones, &mut list);
            reply = self.known_reply::<B>(node, &list);
            // Not in a closure, which would be compiled for any processor.
            if reply.is_none() {
                reply = self.new_reply::<B>(node, stones, &list);
            }
        }
        self.list = list;
        match reply {
            Some(Reply::Wins) => *self.positions.cell(node) |= defender::LINKED,
            Some(Reply::Known(to)) => self.rely_on(to, node),
            Some(Reply::New { to, collects, risk }) => {
                debug_assert!(!self.positions.is_safe(to), "it would have been found");
                if collects {
                    self.rely_on(to, node);
                }
                self.add::<B>(WorkItem { node: to, parent }, Some(node), risk);
            }
            None => {
                *self.positions.cell(node) |= defender::REFUTED;
                self.refuted.push(node);
            }
        }
    }

    /// Notes that a defender's position has a reply that takes rows off; others are counted.
    #[inline(always)]
    fn rely_on(&mut self, to: Node, node: Node) {
        *self.positions.cell(node) |= defender::LINKED;
        self.links.add(to, node);
    }

    /// A win, or a reply into the set as it is; `list` holds all replies. None without collection
    /// leads there.
    #[inline(always)]
    fn known_reply<B: Bits>(&mut self, node: Node, list: &[Successor]) -> Option<Reply> {
        self.nodes.clear();
        for next in list.iter().filter(|next| next.collected) {
            let to = self.positions.after::<B>(node.tier, next);
            if self.positions.is_over(to.tier, next.stones) {
                return Some(Reply::Wins);
            }
            self.positions.prefetch_attack(to);
            self.links.prefetch(to);
            self.nodes.push(to);
        }
        let known = |&&to: &&Node| self.positions.is_safe(to);
        self.nodes.iter().find(known).copied().map(Reply::Known)
    }

    /// The first reply in the defender's move ordering that is not refuted, unless another one that
    /// comes soon leads to a position that dominates one of the set.
    #[inline(always)]
    fn new_reply<B: Bits>(
        &mut self,
        node: Node,
        stones: Stones,
        list: &[Successor],
    ) -> Option<Reply> {
        // As the attacker sees it, who moves next.
        let before = Stones {
            own: stones.other,
            other: stones.own,
        };
        let near = self.model.near(self.positions.shape(), before);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for (next, at) in list.iter().zip(0..) {
            let tier = self.positions.tier_after(node.tier, next);
            let totals = self.positions.tiers[tier as usize].tier;
            let reserve = u32::from(totals.other) - next.stones.other.count_ones();
            if reserve == 0 && self.positions.shape().has_quiet_move(next.stones) {
                // The attacker wins by any such move.
                candidates.push(Candidate::NONE);
                continue;
            }
            let shape = self.positions.shape();
            let estimate = self.model.estimate_near(shape, totals, next.stones, &near);
            candidates.push(Candidate::new(estimate, at, self.risk_limit));
        }
        let mut reply = None;
        let mut compared = 0;
        'all: loop {
            // A few of the best are looked up at the same time.
            self.nodes.clear();
            let mut batch = [0; LOOKED_UP_TOGETHER];
            for place in &mut batch {
                // Mostly one of the first will do, so they are not sorted.
                let Some(best) = Candidate::take_best(&mut candidates) else {
                    break;
                };
                *place = best;
                let to = self.positions.after::<B>(node.tier, &list[best]);
                self.positions.prefetch_attack(to);
                self.nodes.push(to);
            }
            if self.nodes.is_empty() {
                break;
            }
            for (at, &to) in batch.into_iter().zip(&self.nodes) {
                if self.positions.attack(to) == attacker::REFUTED {
                    continue;
                }
                if let Some(dominated) = self.positions.dominated_by(to, list[at].stones) {
                    reply = Some(Reply::Known(dominated));
                    break 'all;
                }
                if reply.is_none() {
                    let totals = self.positions.tiers[to.tier as usize].tier;
                    let (shape, stones) = (self.positions.shape(), list[at].stones);
                    let estimate = self.model.estimate_near(shape, totals, stones, &near);
                    reply = Some(Reply::New {
                        to,
                        collects: list[at].collected,
                        risk: estimate.risk,
                    });
                }
                compared += 1;
                if compared == COMPARED_REPLIES {
                    break 'all;
                }
            }
        }
        self.candidates = candidates;
        reply
    }

    /// Whether the attacker can still move to a defender's position from the set; if not, the
    /// position is marked as not needed.
    #[inline(always)]
    fn is_needed<B: Bits>(&mut self, node: Node) -> bool {
        self.list_predecessors::<B>(node);
        for &before in &self.nodes {
            self.positions.prefetch_attack(before);
        }
        let needed = self.is_root(node)
            || self
                .nodes
                .iter()
                .any(|&before| self.positions.is_safe(before))
            || self
                .links
                .of(node)
                .any(|before| self.positions.is_safe(before));
        if !needed {
            *self.positions.cell(node) &= !defender::NEEDED;
        }
        needed
    }

    /// Whether a needed position of the defender has no support but this one.
    #[inline(always)]
    fn is_wanted<B: Bits>(&mut self, node: Node, answered: Option<Node>) -> bool {
        // Mostly that is still the one that it was the reply to.
        let only = [defender::NEEDED | 1, defender::NEEDED | defender::LINKED];
        if let Some(answered) = answered
            && only.contains(&self.positions.get(answered))
            && self.is_needed::<B>(answered)
        {
            return true;
        }
        self.list_predecessors::<B>(node);
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.clear();
        // Several moves can lead from one position to another: each of them counts.
        let support =
            |before: Node| self.nodes.iter().filter(|&&node| node == before).count() as u8;
        let only = |before: Node, mark: u8| {
            self.positions.get(before) == defender::NEEDED | mark | support(before)
        };
        let uncollected = self.nodes.iter().copied();
        wanted.extend(uncollected.filter(|&before| only(before, 0)));
        let linked = self.links.of(node);
        wanted.extend(linked.filter(|&before| only(before, defender::LINKED)));
        let found = wanted.iter().any(|&before| self.is_needed::<B>(before));
        self.wanted = wanted;
        found
    }

    /// A position has left the set: those that it supported may need another reply.
    #[inline(always)]
    fn leave<B: Bits>(&mut self, left: Node) {
        self.list_predecessors::<B>(left);
        for i in 0..self.nodes.len() {
            let before = self.nodes[i];
            let cell = self.positions.cell(before);
            if *cell & defender::SUPPORT != defender::REFUTED {
                *cell -= 1;
                if *cell == defender::NEEDED {
                    self.unsupported.push(WorkItem {
                        node: before,
                        parent: left,
                    });
                }
            }
        }
        for node in self.links.of(left) {
            let cell = self.positions.cell(node);
            if *cell & defender::SUPPORT != defender::REFUTED {
                *cell &= !defender::LINKED;
                if *cell == defender::NEEDED {
                    self.unsupported.push(WorkItem { node, parent: left });
                }
            }
        }
    }

    /// A defender's position is refuted, and so is every attacker's before it.
    #[inline(always)]
    fn propagate<B: Bits>(&mut self, node: Node) {
        self.list_predecessors::<B>(node);
        for before in self.nodes.iter().copied().chain(self.links.of(node)) {
            if self.positions.is_safe(before) {
                self.positions.set_attack(before, attacker::REFUTED);
                self.refuted.push(before);
            }
        }
    }

    /// Bytes in use. Lists that grow are there twice for a moment, the new one being twice
    /// as long.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.unsupported.capacity() * size_of::<WorkItem>()
            + self.refuted.capacity() * size_of::<Node>();
        let unexpanded: usize = self.unexpanded.iter().map(WorkQueue::bytes).sum();
        self.positions.bytes() + 3 * (lists + unexpanded) + self.links.bytes()
    }

    /// A position in which the player to move is the attacker, or the opponent.
    pub(super) fn nodes_of(&mut self, board: SmallBoard) -> [Node; 2] {
        let SmallBoard { stones, totals } = board;
        let [own, other] = totals;
        [true, false].map(|attacking| {
            let tier = self.positions.tier(Tier { own, other }, attacking);
            self.positions.node::<Portable>(tier, stones)
        })
    }

    #[inline(always)]
    fn is_root(&self, node: Node) -> bool {
        self.roots.get(node.key()) != NIL
    }

    /// Whether the player to move is known to win, and whether the opponent is.
    #[inline(always)]
    pub(super) fn wins(&self, nodes: [Node; 2]) -> [bool; 2] {
        let [mover, opponent] = nodes;
        [
            self.positions.attack(mover) == attacker::REFUTED,
            self.positions.get(opponent) & defender::SUPPORT == defender::REFUTED,
        ]
    }

    /// Whether both questions are answered by the set: neither side wins once no work is left.
    pub(super) fn holds(&self, nodes: [Node; 2]) -> bool {
        let [mover, opponent] = nodes;
        let replies = self.positions.get(opponent) & (defender::SUPPORT | defender::LINKED);
        self.wins(nodes) == [false; 2] && self.positions.is_safe(mover) && replies != 0
    }

    /// Adds a position in which the game goes on, for as long as there is the set: whether the
    /// player to move can win it, and whether the opponent can. Nothing happens if it is there.
    pub(super) fn add_root(&mut self, nodes: [Node; 2]) {
        let [mover, opponent] = nodes;
        for node in nodes {
            self.roots.replace(node.key(), 0);
        }
        // Others may have asked for one of them already.
        let cell = self.positions.cell(opponent);
        *cell |= defender::NEEDED;
        if *cell & (defender::SUPPORT | defender::LINKED) == 0 {
            // Once the mover's root is refuted nothing is left to do.
            self.unsupported.push(WorkItem {
                node: opponent,
                parent: mover,
            });
        }
        if self.positions.attack(mover) == 0 {
            let item = WorkItem {
                node: mover,
                parent: mover,
            };
            self.add::<Portable>(item, None, 0);
        }
    }

    /// Takes over who wins a position: the player to move (`mover_wins`) or the opponent. What
    /// was built on the contrary leaves the set.
    pub(super) fn learn(&mut self, nodes: [Node; 2], mover_wins: bool) {
        let [mover, opponent] = nodes;
        for node in nodes {
            self.roots.replace(node.key(), NIL);
        }
        match mover_wins {
            true if self.positions.is_safe(mover) => self.refute_attack(mover),
            true => self.positions.set_attack(mover, attacker::REFUTED),
            false if self.wins(nodes)[1] => {}
            false => {
                *self.positions.cell(opponent) |= defender::REFUTED;
                self.refuted.push(opponent);
            }
        }
    }

    /// Positions stay in the set only if others rely on them, until new ones are added.
    pub(super) fn drop_roots(&mut self) {
        self.roots = NodeMap::new();
    }

    /// Takes the risk limit away, when no work is left. Positions of the set stay, and what was
    /// refuted under the limit is open again.
    pub(super) fn lift_risk_limit(&mut self) {
        self.risk_limit = NO_RISK_LIMIT;
        self.drop_roots();
        Available::best().call(Reopen { set: self });
    }

    /// Forgets that a position is refuted.
    #[inline(always)]
    fn reopen<B: Bits>(&mut self, node: Node, list: &mut Vec<Successor>) {
        if self.positions.tiers[usize::from(node.tier)].attacking {
            return self.positions.set_attack(node, 0);
        }
        let mut support = 0;
        let stones = self.positions.stones::<B>(node);
        self.positions.shape().successors(stones, list);
        for next in list.iter().filter(|next| !next.collected) {
            let to = self.positions.after::<B>(node.tier, next);
            support += u8::from(self.positions.is_safe(to));
        }
        *self.positions.cell(node) = support;
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
        while self.step::<Portable>() {}
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

/// Opens everything again that is refuted.
struct Reopen<'a> {
    set: &'a mut SafeSet,
}

impl Kernel for Reopen<'_> {
    type Output = ();
    const SETS: &'static [Set] = SETS;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let mut list = Vec::new();
        for tier in 0..self.set.positions.tiers.len() as u16 {
            for index in self.set.positions.refuted_of(tier) {
                self.set.reopen::<I>(Node { tier, index }, &mut list);
            }
        }
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
        loop {
            if self
                .nodes
                .is_some_and(|nodes| set.wins(nodes) != [false; 2])
            {
                return Progress::Wins;
            }
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

//! The defender's replies.

use super::super::candidates::Candidate;
use super::super::cells::{Node, attacker, defender};
use super::super::work_queue::WorkItem;
use super::SafeSet;
use crate::solve::tuning::{COMPARED_REPLIES, LOOKED_UP_TOGETHER};
use crate::tables::index::Bits;
use crate::tables::moves::{Stones, Successor};

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

impl SafeSet {
    /// Finds a reply into the set for a defender's position, or refutes the position.
    #[inline(always)]
    pub(super) fn find_reply<B: Bits>(&mut self, WorkItem { node, parent }: WorkItem) {
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
}

//! The defender's replies.

use super::super::candidates::Candidate;
use super::super::cells::{Node, attacker, defender};
use super::super::work_queue::{Unsupported, WorkItem};
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
        stones: Stones,
        /// Whether it takes rows off.
        collects: bool,
        /// The estimated risk that the position is lost.
        risk: i32,
    },
}

/// The replies to a position of the defender.
#[derive(Default)]
pub(super) struct Listed {
    node: Option<Node>,
    /// Whether one of them wins at once; then the others may be missing.
    wins: bool,
    list: Vec<Successor>,
    /// Where those lead to that take rows off.
    known: Vec<(Node, Stones)>,
}

impl SafeSet {
    /// Finds a reply into the set for a defender's position, or refutes the position.
    #[inline(always)]
    pub(super) fn find_reply<B: Bits>(&mut self, Unsupported { item, stones }: Unsupported) {
        let WorkItem { node, parent } = item;
        // Another position may have brought support in the meantime.
        if self.positions.get(node) & (defender::SUPPORT | defender::LINKED) != 0 {
            return;
        }
        if !self.positions.is_safe(parent) && !self.is_needed::<B>(node, stones) {
            return;
        }
        let mut listed = std::mem::take(&mut self.listed[0]);
        if listed.node != Some(node) {
            self.list_replies::<B>(node, stones, &mut listed);
        }
        self.list_next_replies::<B>();
        let mut reply = self.known_reply(&listed);
        // Not in a closure, which would be compiled for any processor.
        if reply.is_none() {
            reply = self.new_reply::<B>(node, stones, &listed.list);
        }
        listed.node = None;
        self.listed[0] = std::mem::replace(&mut self.listed[1], listed);
        match reply {
            Some(Reply::Wins) => *self.positions.cell(node) |= defender::LINKED,
            Some(Reply::Known(to)) => self.rely_on(to, node),
            Some(Reply::New {
                to,
                stones,
                collects,
                risk,
            }) => {
                debug_assert!(!self.positions.is_safe(to), "it would have been found");
                let stones = self.positions.index.views.canonical(stones);
                self.add::<B>(WorkItem { node: to, parent }, stones, Some(node), risk);
                if collects {
                    self.rely_on(to, node);
                }
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
        self.replies.add(self.positions.head(to), to, node);
    }

    /// Lists the replies of the position that is likely to look for one next, so that memory is not
    /// waited for.
    #[inline(always)]
    fn list_next_replies<B: Bits>(&mut self) {
        let Some(&Unsupported { item, stones }) = self.unsupported.last() else {
            return;
        };
        let supported = defender::SUPPORT | defender::LINKED;
        if self.positions.get(item.node) & supported == 0 && self.positions.is_safe(item.parent) {
            let mut listed = std::mem::take(&mut self.listed[1]);
            self.list_replies::<B>(item.node, stones, &mut listed);
            self.listed[1] = listed;
        }
    }

    /// Lists the replies of a position, and asks for what is known of those that take rows off.
    #[inline(always)]
    fn list_replies<B: Bits>(&mut self, node: Node, stones: Stones, listed: &mut Listed) {
        listed.node = Some(node);
        listed.known.clear();
        listed.wins = self.positions.wins_without_collection(node.tier, stones);
        if listed.wins {
            return;
        }
        self.positions.shape().successors(stones, &mut listed.list);
        for next in listed.list.iter().filter(|next| next.collected) {
            let to = self.positions.after::<B>(node.tier, next);
            if self.positions.is_over(to.tier, next.stones) {
                listed.wins = true;
                return;
            }
            self.positions.prefetch_attack(to);
            listed.known.push((to, next.stones));
        }
    }

    /// A win, or a reply into the set as it is, which takes rows off: none without collection leads
    /// there. Or such a reply to a position that dominates one of the set.
    #[inline(always)]
    fn known_reply(&self, listed: &Listed) -> Option<Reply> {
        if listed.wins {
            return Some(Reply::Wins);
        }
        let safe = |&&(to, _): &&(Node, Stones)| self.positions.is_safe(to);
        if let Some(&(to, _)) = listed.known.iter().find(safe) {
            return Some(Reply::Known(to));
        }
        let dominated = |&(to, stones): &(Node, Stones)| self.positions.dominated_by(to, stones);
        listed.known.iter().find_map(dominated).map(Reply::Known)
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
                        stones,
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

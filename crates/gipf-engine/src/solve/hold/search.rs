//! The set that the defender can hold, and the search for it.

use std::sync::Arc;

use isa::{Available, Isa, Kernel, Set};
use search::{Clock, Limits};

use super::super::closure::Progress;
use super::super::outlook::{Estimate, Outlook};
use super::cells::{Node, attacks, defends};
use super::links::Links;
use super::places::Places;
use super::queue::{Errand, Queue};
use super::{Board, Root};
use crate::tables::board::Shape;
use crate::tables::index::{Bits, Portable, Tier};
use crate::tables::moves::{Stones, Successor};
use crate::tables::parallel::SETS;

/// What the defender can do.
enum Way {
    /// Win at once.
    Wins,
    /// Go to a position of the set, taking rows off, or to one that is better for him.
    Known(Node),
    /// Go to one of this risk that may be held, taking rows off or not.
    New(Node, bool, i32),
}

/// The search for a set that the defender can hold.
pub(super) struct Hold {
    pub(super) places: Places,
    outlook: Arc<Outlook>,
    /// The defender does without positions of more risk than this.
    caution: i32,
    /// The player to move is the attacker, or the opponent.
    pub(super) roots: [Node; 2],
    /// Attacker's positions whose moves have not been followed yet: those found from one root
    /// and from the other, which take turns.
    waiting: [Queue; 2],
    turn: usize,
    /// Defender's positions without a way into the set.
    stranded: Vec<Errand>,
    /// Positions that are lost, with those before them still to be looked at.
    fallen: Vec<Node>,
    /// For both ends of moves that take rows off, who must know when the other one falls.
    links: Links,
    /// Bytes that may be used.
    memory: usize,
    /// Positions looked at since somebody asked.
    pub(super) count: u64,
    // Lists that are used again and again.
    list: Vec<Successor>,
    before: Vec<Stones>,
    nodes: Vec<Node>,
    wanted: Vec<Node>,
    candidates: Vec<(Estimate, usize)>,
}

/// So many of the best moves are looked at whether they lead to something better than what is
/// held, before a position is taken in.
const COMPARED: usize = 8;

impl Hold {
    /// Everything open. The root is a position in which the game goes on.
    pub(super) fn new(board: Board, caution: i32, root: Root, memory: usize) -> Hold {
        let Root { stones, totals } = root;
        let shape = board.index.shape();
        let moves = shape.rim.count_ones() as usize + 2 * shape.lines.len();
        assert!(moves < usize::from(defends::LOST), "ways can be counted");
        let mut places = Places::new(board.index, totals);
        let [own, other] = totals;
        let roots = [true, false].map(|attacking| {
            let tier = places.tier(Tier { own, other }, attacking);
            places.node::<Portable>(tier, stones)
        });
        Hold {
            places,
            outlook: board.outlook,
            caution,
            roots,
            waiting: [Queue::new(), Queue::new()],
            turn: 0,
            stranded: Vec::new(),
            fallen: Vec::new(),
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
    fn list_before<B: Bits>(&mut self, node: Node) {
        self.places
            .list_before::<B>(node, &mut self.before, &mut self.nodes);
    }

    /// A position enters the set.
    #[inline(always)]
    fn add<B: Bits>(&mut self, errand: Errand, risk: i32) {
        let node = errand.node;
        *self.places.cell(node) = attacks::HELD;
        self.waiting[self.turn].push(errand, risk);
        self.list_before::<B>(node);
        for i in 0..self.nodes.len() {
            let node = self.nodes[i];
            let cell = self.places.cell(node);
            if *cell & defends::WAYS != defends::LOST {
                *cell += 1;
            }
        }
    }

    fn lose_attack(&mut self, node: Node) {
        *self.places.cell(node) = attacks::LOST;
        self.fallen.push(node);
    }

    /// Follows the attacker's moves.
    #[inline(always)]
    fn expand<B: Bits>(&mut self, node: Node) {
        if self.places.get(node) != attacks::HELD {
            return;
        }
        let stones = self.places.stones::<B>(node);
        if self.places.is_over(node.tier, stones) {
            return;
        }
        let mut list = std::mem::take(&mut self.list);
        self.places.shape().successors(stones, &mut list);
        self.nodes.clear();
        // Moves after which the defender wins at once are left out.
        let mut kept = 0;
        let mut lost = false;
        for i in 0..list.len() {
            let next = list[i];
            let tier = self.places.tier_after(node.tier, &next);
            if self.places.is_over(tier, next.stones) {
                lost = true;
                break;
            }
            if !self.places.wins_quietly(tier, next.stones) {
                let to = self.places.node::<B>(tier, next.stones);
                self.nodes.push(to);
                list[kept] = next;
                kept += 1;
            }
        }
        list.truncate(kept);
        let known_lost = |&to: &Node| self.places.get(to) & defends::WAYS == defends::LOST;
        if lost || self.nodes.iter().any(known_lost) {
            self.list = list;
            return self.lose_attack(node);
        }
        for (i, next) in list.iter().enumerate() {
            let to = self.nodes[i];
            if next.collected {
                self.links.add(to, node);
            }
            let cell = self.places.cell(to);
            let before = *cell;
            *cell |= defends::NEEDED;
            if before & (defends::WAYS | defends::LINKED) == 0 {
                self.stranded.push(Errand { node: to, by: node });
            }
        }
        self.list = list;
    }

    /// Finds a way into the set for a defender's position, or lets it fall.
    #[inline(always)]
    fn find_way<B: Bits>(&mut self, Errand { node, by }: Errand) {
        // Another position may have brought a way in the meantime.
        if self.places.get(node) & (defends::WAYS | defends::LINKED) != 0 {
            return;
        }
        if !self.places.is_held(by) && !self.is_needed::<B>(node) {
            return;
        }
        let stones = self.places.stones::<B>(node);
        let mut list = std::mem::take(&mut self.list);
        let mut way = self.known_way::<B>(node, stones, &mut list);
        // Not in a closure, which would be compiled for any processor.
        if way.is_none() {
            way = self.new_way::<B>(node, stones, &mut list);
        }
        self.list = list;
        match way {
            Some(Way::Wins) => *self.places.cell(node) |= defends::LINKED,
            Some(Way::Known(to)) => self.rely_on(to, node),
            Some(Way::New(to, collected, risk)) => {
                debug_assert!(!self.places.is_held(to), "it would have been known");
                if collected {
                    self.rely_on(to, node);
                }
                self.add::<B>(Errand { node: to, by }, risk);
            }
            None => {
                *self.places.cell(node) |= defends::LOST;
                self.fallen.push(node);
            }
        }
    }

    /// Notes that a defender's position has a way that takes rows off; others are counted.
    #[inline(always)]
    fn rely_on(&mut self, to: Node, node: Node) {
        *self.places.cell(node) |= defends::LINKED;
        self.links.add(to, node);
    }

    /// A win, or a move into the set as it is: no move without collection leads there.
    #[inline(always)]
    fn known_way<B: Bits>(
        &mut self,
        node: Node,
        stones: Stones,
        list: &mut Vec<Successor>,
    ) -> Option<Way> {
        if self.places.wins_quietly(node.tier, stones) {
            return Some(Way::Wins);
        }
        // Mostly one is found before all moves have been looked at.
        for part in 0..Shape::PARTS {
            self.places.shape().collections_of(part, stones, list);
            for next in &*list {
                let to = self.places.after::<B>(node.tier, next);
                if self.places.is_over(to.tier, next.stones) {
                    return Some(Way::Wins);
                }
                if self.places.is_held(to) {
                    return Some(Way::Known(to));
                }
            }
        }
        None
    }

    /// The best move to a position that may be held, unless a move not much worse leads to one
    /// that is better than what is held.
    #[inline(always)]
    fn new_way<B: Bits>(
        &mut self,
        node: Node,
        stones: Stones,
        list: &mut Vec<Successor>,
    ) -> Option<Way> {
        self.places.shape().successors(stones, list);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for (at, next) in list.iter().enumerate() {
            let tier = self.places.tier_after(node.tier, next);
            let totals = self.places.tiers[tier as usize].layout.tier;
            let reserve = u32::from(totals.other) - next.stones.other.count_ones();
            if reserve == 0 && self.places.shape().has_quiet_move(next.stones) {
                // The attacker leaves it at that and wins.
                continue;
            }
            let shape = self.places.shape();
            let estimate = self.outlook.estimate(shape, totals, next.stones);
            if estimate.risk <= self.caution {
                candidates.push((estimate, at));
            }
        }
        let mut way = None;
        let mut compared = 0;
        // Mostly one of the first will do, so they are not sorted.
        while let Some(least) = (0..candidates.len()).min_by_key(|&at| candidates[at].0.order) {
            let (estimate, at) = candidates.swap_remove(least);
            let to = self.places.after::<B>(node.tier, &list[at]);
            if self.places.get(to) == attacks::LOST {
                continue;
            }
            if let Some(worse) = self.places.worse(to, list[at].stones) {
                way = Some(Way::Known(worse));
                break;
            }
            way.get_or_insert(Way::New(to, list[at].collected, estimate.risk));
            compared += 1;
            if compared == COMPARED {
                break;
            }
        }
        self.candidates = candidates;
        way
    }

    /// Whether the attacker can still come to a defender's position from the set; if not, it
    /// is not needed any more.
    #[inline(always)]
    fn is_needed<B: Bits>(&mut self, node: Node) -> bool {
        self.list_before::<B>(node);
        let needed = node == self.roots[1]
            || self.nodes.iter().any(|&before| self.places.is_held(before))
            || self
                .links
                .of(node)
                .any(|before| self.places.is_held(before));
        if !needed {
            *self.places.cell(node) &= !defends::NEEDED;
        }
        needed
    }

    /// Whether a defender's position that is needed has no way but to this one.
    #[inline(always)]
    fn is_wanted<B: Bits>(&mut self, node: Node) -> bool {
        self.list_before::<B>(node);
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.clear();
        // Several moves can lead from one position to another: each of them is a way.
        let ways = |before: Node| self.nodes.iter().filter(|&&node| node == before).count() as u8;
        let only = |before: Node, mark: u8| {
            self.places.get(before) == defends::NEEDED | mark | ways(before)
        };
        let quietly = self.nodes.iter().copied();
        wanted.extend(quietly.filter(|&before| only(before, 0)));
        let linked = self.links.of(node);
        wanted.extend(linked.filter(|&before| only(before, defends::LINKED)));
        let found = wanted.iter().any(|&before| self.is_needed::<B>(before));
        self.wanted = wanted;
        found
    }

    /// A position has left the set: those that counted on it may need another way.
    #[inline(always)]
    fn leave<B: Bits>(&mut self, left: Node) {
        self.list_before::<B>(left);
        for i in 0..self.nodes.len() {
            let before = self.nodes[i];
            let cell = self.places.cell(before);
            if *cell & defends::WAYS != defends::LOST {
                *cell -= 1;
                if *cell == defends::NEEDED {
                    self.stranded.push(Errand {
                        node: before,
                        by: left,
                    });
                }
            }
        }
        for node in self.links.of(left) {
            let cell = self.places.cell(node);
            if *cell & defends::WAYS != defends::LOST {
                *cell &= !defends::LINKED;
                if *cell == defends::NEEDED {
                    self.stranded.push(Errand { node, by: left });
                }
            }
        }
    }

    /// A defender's position is lost, and so is every attacker's before it.
    #[inline(always)]
    fn fall<B: Bits>(&mut self, node: Node) {
        self.list_before::<B>(node);
        for before in self.nodes.iter().copied().chain(self.links.of(node)) {
            if self.places.is_held(before) {
                *self.places.cell(before) = attacks::LOST;
                self.fallen.push(before);
            }
        }
    }

    /// Bytes in use. Lists that grow are there twice for a moment, the new one being twice
    /// as long.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.stranded.capacity() * size_of::<Errand>()
            + self.fallen.capacity() * size_of::<Node>();
        let waiting: usize = self.waiting.iter().map(Queue::bytes).sum();
        self.places.bytes() + 3 * (lists + waiting + self.links.bytes())
    }

    /// Whether the player to move, or the opponent, is known to win.
    #[inline(always)]
    fn wins(&self) -> [bool; 2] {
        let [mover, opponent] = self.roots.map(|root| self.places.get(root));
        [
            mover == attacks::LOST,
            opponent & defends::WAYS == defends::LOST,
        ]
    }

    /// Takes the roots in.
    #[inline(always)]
    fn begin<B: Bits>(&mut self) {
        let [mover, opponent] = self.roots;
        *self.places.cell(opponent) |= defends::NEEDED;
        // Once the mover's root is lost nothing is left to do.
        self.stranded.push(Errand {
            node: opponent,
            by: mover,
        });
        let errand = Errand {
            node: mover,
            by: mover,
        };
        self.add::<B>(errand, 0);
    }

    /// Does what is to be done next; false if nothing is.
    #[inline(always)]
    fn step<B: Bits>(&mut self) -> bool {
        if let Some(node) = self.fallen.pop() {
            if self.places.tiers[usize::from(node.tier)].attacking {
                self.leave::<B>(node);
            } else {
                self.fall::<B>(node);
            }
        } else if let Some(errand) = self.stranded.pop() {
            self.find_way::<B>(errand);
        } else if let Some(errand) = self.next_waiting() {
            self.follow::<B>(errand);
        } else {
            return false;
        }
        true
    }

    /// One found from the other root, if there is any, or from the same one.
    #[inline(always)]
    fn next_waiting(&mut self) -> Option<Errand> {
        self.turn = 1 - self.turn;
        self.waiting[self.turn].pop().or_else(|| {
            self.turn = 1 - self.turn;
            self.waiting[self.turn].pop()
        })
    }

    /// Follows the attacker's moves, unless nobody wants to come here any more: then the
    /// position leaves the set without being lost, and nobody is stranded.
    #[inline(always)]
    fn follow<B: Bits>(&mut self, Errand { node, by }: Errand) {
        if self.places.is_held(node) && !self.places.is_held(by) && !self.is_wanted::<B>(node) {
            *self.places.cell(node) = 0;
            self.leave::<B>(node);
            debug_assert!(self.stranded.is_empty(), "nobody wanted it");
            return;
        }
        self.count += 1;
        self.expand::<B>(node);
    }
}

impl Hold {
    /// Goes on, see [`Defence::run`](super::Defence::run).
    pub(super) fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2] {
        let clock = Clock::start(limits);
        Available::best().call(Turn {
            hold: self,
            clock,
            slice,
        })
    }
}

/// A stretch of the search.
struct Turn<'a> {
    hold: &'a mut Hold,
    clock: Clock,
    slice: u64,
}

impl Kernel for Turn<'_> {
    type Output = [Progress; 2];
    const SETS: &'static [Set] = SETS;

    #[inline(always)]
    fn run<I: Isa>(mut self, _: I) -> [Progress; 2] {
        let hold = self.hold;
        if hold.places.get(hold.roots[0]) == 0 {
            hold.begin::<I>();
        }
        let end = hold.count.saturating_add(self.slice);
        while hold.count < end && !self.clock.tick() {
            if hold.bytes() > hold.memory {
                return [Progress::Full; 2];
            }
            if !hold.step::<I>() {
                return [Progress::Fails; 2];
            }
            let wins = hold.wins();
            if wins != [false; 2] {
                return wins.map(|wins| match wins {
                    true => Progress::Wins,
                    false => Progress::Paused,
                });
            }
        }
        [Progress::Paused; 2]
    }
}

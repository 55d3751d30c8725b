//! The set that the defender can hold, and the search for it.

use std::sync::Arc;

use search::{Clock, Limits};

use super::super::closure::{NIL, Numbers, Progress};
use super::super::outlook::{Estimate, Outlook};
use super::cells::{BLOCK, Block, Cells, Node, attacks, defends};
use super::queue::{Errand, Queue};
use super::{Board, Root};
use crate::tables::board::Shape;
use crate::tables::index::{Bits, Index, Portable, Tier};
use crate::tables::moves::{Stones, Successor};
use crate::tables::parallel::{Task, run_here};

/// An element of a list of nodes.
struct Link {
    node: Node,
    next: u32,
}

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
    pub(super) index: Arc<Index>,
    outlook: Arc<Outlook>,
    /// The defender does without positions of more risk than this.
    caution: i32,
    pub(super) tiers: Vec<Cells>,
    /// Which of the tiers has which side to move and which totals; [`NO_TIER`] for none.
    slots: Vec<u16>,
    /// Numbers of stones in all: fewer than this.
    most: usize,
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
    links: Vec<Link>,
    first_links: Numbers,
    /// Bytes that may be used, and those that blocks use.
    memory: usize,
    blocks: usize,
    /// Positions looked at since somebody asked.
    pub(super) count: u64,
    // Lists that are used again and again.
    list: Vec<Successor>,
    before: Vec<Stones>,
    nodes: Vec<Node>,
    wanted: Vec<Node>,
    candidates: Vec<(Estimate, usize)>,
}

const NO_TIER: u16 = u16::MAX;

/// So many of the best moves are looked at whether they lead to something better than what is
/// held, before a position is taken in.
const COMPARED: usize = 8;

/// Stones that the attacker can have more, and the defender fewer, in a position that another
/// one is compared with: those further apart are hardly ever held.
const STONES_MORE: u8 = 2;
const STONES_LESS: u8 = 1;

impl Hold {
    /// Everything open. The root is a position in which the game goes on.
    pub(super) fn new(board: Board, caution: i32, root: Root, memory: usize) -> Hold {
        let Root { stones, totals } = root;
        let most = usize::from(totals[0].max(totals[1])) + 1;
        let shape = board.index.shape();
        let moves = shape.rim.count_ones() as usize + 2 * shape.lines.len();
        assert!(moves < usize::from(defends::LOST), "ways can be counted");
        let mut hold = Hold {
            index: board.index,
            outlook: board.outlook,
            caution,
            tiers: Vec::new(),
            slots: vec![NO_TIER; 2 * most * most],
            most,
            roots: [Node { tier: 0, number: 0 }; 2],
            waiting: [Queue::new(), Queue::new()],
            turn: 0,
            stranded: Vec::new(),
            fallen: Vec::new(),
            links: Vec::new(),
            first_links: Numbers::new(),
            memory,
            blocks: 0,
            count: 0,
            list: Vec::new(),
            before: Vec::new(),
            nodes: Vec::new(),
            wanted: Vec::new(),
            candidates: Vec::new(),
        };
        let [own, other] = totals;
        hold.roots = [true, false].map(|attacking| {
            let tier = hold.tier(Tier { own, other }, attacking);
            let layout = &hold.tiers[usize::from(tier)].layout;
            let number = hold.index.number::<Portable>(layout, stones);
            Node { tier, number }
        });
        hold
    }

    /// The tier with these totals.
    #[inline(always)]
    fn tier(&mut self, tier: Tier, attacking: bool) -> u16 {
        let slot = self.slot(tier, attacking);
        match self.slots[slot] {
            NO_TIER => self.open_tier(tier, attacking, slot),
            known => known,
        }
    }

    #[inline(always)]
    fn slot(&self, tier: Tier, attacking: bool) -> usize {
        (usize::from(attacking) * self.most + usize::from(tier.own)) * self.most
            + usize::from(tier.other)
    }

    /// The tier with these totals, if it is open; the other one's total is that of a tier.
    #[inline(always)]
    fn known_tier(&self, tier: Tier, attacking: bool) -> Option<u16> {
        if usize::from(tier.own) >= self.most {
            return None;
        }
        let known = self.slots[self.slot(tier, attacking)];
        (known != NO_TIER).then_some(known)
    }

    /// Opens a tier, and the one of the same stones when the other side is to move.
    #[cold]
    fn open_tier(&mut self, tier: Tier, attacking: bool, slot: usize) -> u16 {
        let number = self.tiers.len() as u16;
        self.slots[slot] = number;
        let layout = self.index.layout(tier);
        let blocks = layout.size.div_ceil(BLOCK);
        self.blocks += blocks * size_of::<Block>();
        self.tiers.push(Cells {
            layout,
            attacking,
            next: 0,
            blocks: (0..blocks).map(|_| None).collect(),
        });
        self.tiers[number as usize].next = self.tier(tier.flip(), !attacking);
        number
    }

    /// The cell of a position, to be changed.
    #[inline(always)]
    fn cell(&mut self, node: Node) -> &mut u8 {
        let block = &mut self.tiers[node.tier as usize].blocks[node.number as usize / BLOCK];
        if block.is_none() {
            self.blocks += BLOCK;
            *block = Some(vec![0; BLOCK].into_boxed_slice());
        }
        match block {
            Some(block) => &mut block[node.number as usize % BLOCK],
            None => unreachable!("it has just been made"),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, node: Node) -> u8 {
        self.tiers[node.tier as usize].get(node.number)
    }

    #[inline(always)]
    pub(super) fn stones<B: Bits>(&self, node: Node) -> Stones {
        let layout = &self.tiers[node.tier as usize].layout;
        let section = &layout.sections[layout.section(node.number)];
        self.index.stones::<B>(section, node.number)
    }

    /// The tier after a move.
    #[inline(always)]
    fn tier_after(&mut self, from: u16, next: &Successor) -> u16 {
        let cells = &self.tiers[from as usize];
        if next.lost == [0; 2] {
            return cells.next;
        }
        let Tier { own, other } = cells.layout.tier;
        let to = Tier {
            own: other - next.lost[1],
            other: own - next.lost[0],
        };
        let attacking = !cells.attacking;
        self.tier(to, attacking)
    }

    /// The node after a move.
    #[inline(always)]
    pub(super) fn after<B: Bits>(&mut self, from: u16, next: &Successor) -> Node {
        let to = self.tier_after(from, next);
        let number = self
            .index
            .number::<B>(&self.tiers[to as usize].layout, next.stones);
        Node { tier: to, number }
    }

    /// Whether the player to move has lost.
    #[inline(always)]
    pub(super) fn is_over(&self, tier: u16, stones: Stones) -> bool {
        stones.own.count_ones() == u32::from(self.tiers[tier as usize].layout.tier.own)
            || stones.own | stones.other == self.index.shape().full
    }

    /// Lists the nodes from which a move without collection leads here.
    #[inline(always)]
    fn list_before<B: Bits>(&mut self, node: Node) {
        let stones = self.stones::<B>(node);
        self.index.shape().predecessors(stones, &mut self.before);
        let tier = self.tiers[node.tier as usize].next;
        let layout = &self.tiers[tier as usize].layout;
        self.nodes.clear();
        for &stones in &self.before {
            if self.index.views.is_free(stones.own) {
                let number = self.index.number::<B>(layout, stones);
                self.nodes.push(Node { tier, number });
            }
        }
        // Views of one node lead here through each symmetry of this one.
        if self.index.views.symmetries(stones) > 1 {
            self.nodes.sort_unstable_by_key(|node| node.number);
            self.nodes.dedup();
        }
    }

    /// Notes that `node` must be told when `to` falls.
    fn link(&mut self, to: Node, node: Node) {
        let next = self.links.len() as u32;
        let next = self.first_links.put(to.key(), next);
        self.links.push(Link { node, next });
    }

    fn first_link(&self, node: Node) -> u32 {
        self.first_links.get(node.key())
    }

    /// A position enters the set.
    #[inline(always)]
    fn add<B: Bits>(&mut self, errand: Errand, risk: i32) {
        let node = errand.node;
        *self.cell(node) = attacks::HELD;
        self.waiting[self.turn].push(errand, risk);
        self.list_before::<B>(node);
        for i in 0..self.nodes.len() {
            let node = self.nodes[i];
            let cell = self.cell(node);
            if *cell & defends::WAYS != defends::LOST {
                *cell += 1;
            }
        }
    }

    fn lose_attack(&mut self, node: Node) {
        *self.cell(node) = attacks::LOST;
        self.fallen.push(node);
    }

    /// Follows the attacker's moves.
    #[inline(always)]
    fn expand<B: Bits>(&mut self, node: Node) {
        if self.get(node) != attacks::HELD {
            return;
        }
        let stones = self.stones::<B>(node);
        if self.is_over(node.tier, stones) {
            return;
        }
        let mut list = std::mem::take(&mut self.list);
        self.index.shape().successors(stones, &mut list);
        self.nodes.clear();
        // Moves after which the defender wins at once are left out.
        let mut kept = 0;
        let mut lost = false;
        for i in 0..list.len() {
            let next = list[i];
            let tier = self.tier_after(node.tier, &next);
            if self.is_over(tier, next.stones) {
                lost = true;
                break;
            }
            if !self.wins_quietly(tier, next.stones) {
                let to = self.after::<B>(node.tier, &next);
                self.nodes.push(to);
                list[kept] = next;
                kept += 1;
            }
        }
        list.truncate(kept);
        let known_lost = |&to: &Node| self.get(to) & defends::WAYS == defends::LOST;
        if lost || self.nodes.iter().any(known_lost) {
            self.list = list;
            return self.lose_attack(node);
        }
        for (i, next) in list.iter().enumerate() {
            let to = self.nodes[i];
            if next.collected {
                self.link(to, node);
            }
            let cell = self.cell(to);
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
        if self.get(node) & (defends::WAYS | defends::LINKED) != 0 {
            return;
        }
        if !self.is_held(by) && !self.is_needed::<B>(node) {
            return;
        }
        let stones = self.stones::<B>(node);
        let mut list = std::mem::take(&mut self.list);
        let mut way = self.known_way::<B>(node, stones, &mut list);
        // Not in a closure, which would be compiled for any processor.
        if way.is_none() {
            way = self.new_way::<B>(node, stones, &mut list);
        }
        self.list = list;
        match way {
            Some(Way::Wins) => *self.cell(node) |= defends::LINKED,
            Some(Way::Known(to)) => self.rely_on(to, node),
            Some(Way::New(to, collected, risk)) => {
                debug_assert!(!self.is_held(to), "it would have been known");
                if collected {
                    self.rely_on(to, node);
                }
                self.add::<B>(Errand { node: to, by }, risk);
            }
            None => {
                *self.cell(node) |= defends::LOST;
                self.fallen.push(node);
            }
        }
    }

    /// Notes that a defender's position has a way that takes rows off; others are counted.
    #[inline(always)]
    fn rely_on(&mut self, to: Node, node: Node) {
        *self.cell(node) |= defends::LINKED;
        self.link(to, node);
    }

    /// A win, or a move into the set as it is: no move without collection leads there.
    #[inline(always)]
    fn known_way<B: Bits>(
        &mut self,
        node: Node,
        stones: Stones,
        list: &mut Vec<Successor>,
    ) -> Option<Way> {
        if self.wins_quietly(node.tier, stones) {
            return Some(Way::Wins);
        }
        // Mostly one is found before all moves have been looked at.
        for part in 0..Shape::PARTS {
            self.index.shape().collections_of(part, stones, list);
            for next in &*list {
                let to = self.after::<B>(node.tier, next);
                if self.is_over(to.tier, next.stones) {
                    return Some(Way::Wins);
                }
                if self.is_held(to) {
                    return Some(Way::Known(to));
                }
            }
        }
        None
    }

    /// Whether a move without collection wins: the opponent has no stone to move then, or no
    /// point is free.
    #[inline(always)]
    fn wins_quietly(&self, tier: u16, stones: Stones) -> bool {
        let total = u32::from(self.tiers[tier as usize].layout.tier.other);
        let shape = self.index.shape();
        let empty = shape.full & !(stones.own | stones.other);
        (stones.other.count_ones() == total || empty.count_ones() == 1)
            && shape.has_quiet_move(stones)
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
        self.index.shape().successors(stones, list);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        for (at, next) in list.iter().enumerate() {
            let tier = self.tier_after(node.tier, next);
            let reserve = self.reserve(tier, next);
            if reserve == 0 && self.index.shape().has_quiet_move(next.stones) {
                // The attacker leaves it at that and wins.
                continue;
            }
            let totals = self.tiers[tier as usize].layout.tier;
            let shape = self.index.shape();
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
            let to = self.after::<B>(node.tier, &list[at]);
            if self.get(to) == attacks::LOST {
                continue;
            }
            if let Some(worse) = self.worse(to, list[at].stones) {
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

    /// A position of the set with the same board, in which the attacker has more stones in
    /// reserve or the defender fewer: a stone in reserve never harms its owner.
    #[inline(always)]
    fn worse(&self, to: Node, stones: Stones) -> Option<Node> {
        let layout = &self.tiers[to.tier as usize].layout;
        let Tier { own, other } = layout.tier;
        let within = to.number - layout.start(stones);
        let less = other - STONES_LESS.min(other - stones.other.count_ones() as u8);
        for own in own..=own + STONES_MORE {
            for other in less..=other {
                let Some(tier) = self.known_tier(Tier { own, other }, true) else {
                    continue;
                };
                let number = self.tiers[tier as usize].layout.start(stones) + within;
                let node = Node { tier, number };
                if self.is_held(node) {
                    return Some(node);
                }
            }
        }
        None
    }

    /// The defender's reserve after his move.
    #[inline(always)]
    fn reserve(&self, tier: u16, next: &Successor) -> i32 {
        let total = self.tiers[tier as usize].layout.tier.other;
        i32::from(total) - next.stones.other.count_ones() as i32
    }

    #[inline(always)]
    fn is_held(&self, node: Node) -> bool {
        self.get(node) == attacks::HELD
    }

    /// Whether the attacker can still come to a defender's position from the set; if not, it
    /// is not needed any more.
    #[inline(always)]
    fn is_needed<B: Bits>(&mut self, node: Node) -> bool {
        self.list_before::<B>(node);
        let needed = node == self.roots[1]
            || self.nodes.iter().any(|&before| self.is_held(before))
            || self.linked_to(node).any(|before| self.is_held(before));
        if !needed {
            *self.cell(node) &= !defends::NEEDED;
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
        let only =
            |before: Node, mark: u8| self.get(before) == defends::NEEDED | mark | ways(before);
        let quietly = self.nodes.iter().copied();
        wanted.extend(quietly.filter(|&before| only(before, 0)));
        let linked = self.linked_to(node);
        wanted.extend(linked.filter(|&before| only(before, defends::LINKED)));
        let found = wanted.iter().any(|&before| self.is_needed::<B>(before));
        self.wanted = wanted;
        found
    }

    /// Who must know when a position falls.
    #[inline(always)]
    fn linked_to(&self, node: Node) -> impl Iterator<Item = Node> {
        let mut link = self.first_link(node);
        std::iter::from_fn(move || {
            let Link { node, next } = *self.links.get(link as usize)?;
            link = next;
            Some(node)
        })
    }

    /// A position has left the set: those that counted on it may need another way.
    #[inline(always)]
    fn leave<B: Bits>(&mut self, left: Node) {
        self.list_before::<B>(left);
        for i in 0..self.nodes.len() {
            let before = self.nodes[i];
            let cell = self.cell(before);
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
        let mut link = self.first_link(left);
        while link != NIL {
            let Link { node, next } = self.links[link as usize];
            link = next;
            let cell = self.cell(node);
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
        for i in 0..self.nodes.len() {
            let before = self.nodes[i];
            if self.get(before) == attacks::HELD {
                self.lose_attack(before);
            }
        }
        let mut link = self.first_link(node);
        while link != NIL {
            let Link { node, next } = self.links[link as usize];
            link = next;
            if self.get(node) == attacks::HELD {
                self.lose_attack(node);
            }
        }
    }

    /// The defender's positions that he can be brought to and that are lost or have at most one
    /// way into the set that takes no rows off: these had to look for one.
    pub(super) fn pressed(&self) -> Vec<(Tier, Stones)> {
        let mut pressed = Vec::new();
        let tiers = self.tiers.iter().zip(0..);
        for (cells, tier) in tiers.filter(|(cells, _)| !cells.attacking) {
            for number in 0..cells.layout.size as u32 {
                let cell = cells.get(number);
                let ways = cell & defends::WAYS;
                if cell & defends::NEEDED != 0 && (ways <= 1 || ways == defends::LOST) {
                    let stones = self.stones::<Portable>(Node { tier, number });
                    pressed.push((cells.layout.tier, stones));
                }
            }
        }
        pressed
    }

    /// Bytes in use. Lists that grow are there twice for a moment, the new one being twice
    /// as long.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.stranded.capacity() * size_of::<Errand>()
            + self.fallen.capacity() * size_of::<Node>()
            + self.links.capacity() * size_of::<Link>();
        let waiting: usize = self.waiting.iter().map(Queue::bytes).sum();
        self.blocks + 3 * (lists + waiting + self.first_links.bytes())
    }

    /// Whether the player to move, or the opponent, is known to win.
    #[inline(always)]
    fn wins(&self) -> [bool; 2] {
        let [mover, opponent] = self.roots.map(|root| self.get(root));
        [
            mover == attacks::LOST,
            opponent & defends::WAYS == defends::LOST,
        ]
    }

    /// Takes the roots in.
    #[inline(always)]
    fn begin<B: Bits>(&mut self) {
        let [mover, opponent] = self.roots;
        *self.cell(opponent) |= defends::NEEDED;
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
            if self.tiers[usize::from(node.tier)].attacking {
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
        if self.is_held(node) && !self.is_held(by) && !self.is_wanted::<B>(node) {
            *self.cell(node) = 0;
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
        let mut turn = Turn {
            hold: self,
            clock: Clock::start(limits),
            slice,
            progress: [Progress::Paused; 2],
        };
        run_here(&mut turn);
        turn.progress
    }
}

/// A stretch of the search.
struct Turn<'a> {
    hold: &'a mut Hold,
    clock: Clock,
    slice: u64,
    progress: [Progress; 2],
}

impl Task for Turn<'_> {
    #[inline(always)]
    fn run<B: Bits>(&mut self) {
        let hold = &mut *self.hold;
        if hold.get(hold.roots[0]) == 0 {
            hold.begin::<B>();
        }
        let end = hold.count.saturating_add(self.slice);
        while hold.count < end && !self.clock.tick() {
            if hold.bytes() > hold.memory {
                self.progress = [Progress::Full; 2];
                return;
            }
            if !hold.step::<B>() {
                self.progress = [Progress::Fails; 2];
                return;
            }
            let wins = hold.wins();
            if wins != [false; 2] {
                self.progress = wins.map(|wins| match wins {
                    true => Progress::Wins,
                    false => Progress::Paused,
                });
                return;
            }
        }
    }
}

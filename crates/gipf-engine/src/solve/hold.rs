//! Whether a side can force a win at all, on small boards.
//!
//! The same question as that of [`closure`](super::closure), and the same answer: a set of
//! positions, the attacker to move, that the defender can always come back to. Here the
//! positions have numbers, those of the tables, and what is known of them lies in arrays.
//! Numbers do not tell the colours apart: one set serves both questions, whether the one
//! side can force a win and whether the other can.
//!
//! A position that enters the set is counted in all positions from which the defender can
//! move there; so a defender's position knows without looking at its moves whether one of
//! them leads into the set, and the set grows only where none does. Positions that turn
//! out to be lost leave it and are counted back.
//!
//! Moves that take rows off cannot be taken back so simply; those that matter are kept as
//! links.
//!
//! Most of the work goes into positions that turn out to be lost. So at first the defender
//! is cautious and does without those that look lost: what he can hold like that he can
//! hold, and only if he cannot, all of his moves count.

use std::sync::Arc;

use search::{Clock, Limits};

use super::closure::{Defence, NIL, Numbers, Progress};
use super::outlook::Outlook;
use crate::tables::index::{Bits, Index, Layout, Portable, Tier};
use crate::tables::moves::{Stones, Successor};
use crate::tables::parallel::{Task, run_here};

/// A position: who is to move, the stones in all, and the number of the board among those.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    /// Which of the tiers in use.
    tier: u16,
    number: u32,
}

impl Node {
    fn key(self) -> u64 {
        let word = u64::from(self.tier) << 32 | u64::from(self.number) | 1 << 63;
        let mixed = word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }
}

/// What is known of a defender's position: these marks, and the number of ways into the set.
mod defends {
    /// The attacker can come here.
    pub(super) const NEEDED: u8 = 1 << 7;
    /// A move that takes rows off leads into the set, or wins.
    pub(super) const LINKED: u8 = 1 << 6;
    /// The ways into the set that take no rows off, at most one for each move; all ones if
    /// the position is lost.
    pub(super) const WAYS: u8 = LINKED - 1;
    pub(super) const LOST: u8 = WAYS;
}

/// What is known of an attacker's position.
mod attacks {
    pub(super) const HELD: u8 = 1;
    pub(super) const LOST: u8 = 2;
}

/// Positions that share a block of memory, which is there once one of them is touched.
const BLOCK: usize = 1 << 15;

type Block = Option<Box<[u8]>>;

/// The positions with the same stones in all and the same side to move.
struct Cells {
    layout: Layout,
    attacking: bool,
    /// The tier after a move without loss.
    next: u16,
    blocks: Vec<Block>,
}

impl Cells {
    #[inline(always)]
    fn get(&self, number: u32) -> u8 {
        match &self.blocks[number as usize / BLOCK] {
            Some(block) => block[number as usize % BLOCK],
            None => 0,
        }
    }
}

/// An element of a list of nodes.
struct Link {
    node: Node,
    next: u32,
}

/// What is made once for each size and run length.
#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) index: Arc<Index>,
    pub(crate) outlook: Arc<Outlook>,
}

/// The position that it is all about.
#[derive(Clone, Copy)]
pub(crate) struct Root {
    pub(crate) stones: Stones,
    pub(crate) totals: [u8; 2],
}

/// What the defender can do.
enum Way {
    /// Win at once.
    Wins,
    /// Go to a position that may be held, taking rows off or not.
    To(Node, bool),
}

/// The search for a set that the defender can hold, by and by with more of his moves.
pub(crate) struct Holds {
    board: Board,
    root: Root,
    memory: usize,
    /// Cautions that are left; the next one is the last in the list.
    left: Vec<i32>,
    hold: Hold,
}

/// Any risk will do.
const BOLD: i32 = i32::MAX;

/// What the defender dares first, where risks are known.
const CAUTION: i32 = 200;

impl Holds {
    /// Everything open. The root is a position in which the game goes on.
    pub(crate) fn new(board: Board, root: Root, memory: usize) -> Holds {
        let (first, left) = match board.outlook.is_fitted() {
            true => (CAUTION, vec![BOLD]),
            false => (BOLD, Vec::new()),
        };
        Holds {
            hold: Hold::new(board.clone(), first, root, memory),
            board,
            root,
            memory,
            left,
        }
    }
}

impl Defence for Holds {
    fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2] {
        let progress = self.hold.run(limits, slice);
        if !progress.contains(&Progress::Wins) {
            return progress;
        }
        // Without all moves of the defender that means nothing yet.
        let Some(next) = self.left.pop() else {
            return progress;
        };
        let count = self.hold.count;
        self.hold = Hold::new(self.board.clone(), next, self.root, self.memory);
        self.hold.count = count;
        [Progress::Paused; 2]
    }

    fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.hold.count)
    }
}

/// The search for a set that the defender can hold.
struct Hold {
    index: Arc<Index>,
    outlook: Arc<Outlook>,
    /// The defender does without positions of more risk than this.
    caution: i32,
    tiers: Vec<Cells>,
    /// Which of the tiers has which side to move and which totals; [`NO_TIER`] for none.
    slots: Vec<u16>,
    /// Numbers of stones in all: fewer than this.
    most: usize,
    /// The player to move is the attacker, or the opponent.
    roots: [Node; 2],
    /// Attacker's positions whose moves have not been followed yet: those found from one root
    /// and from the other, which take turns.
    waiting: [Vec<Node>; 2],
    turn: usize,
    /// Defender's positions without a way into the set.
    stranded: Vec<Node>,
    /// Positions that are lost, with those before them still to be looked at.
    fallen: Vec<Node>,
    /// For both ends of moves that take rows off, who must know when the other one falls.
    links: Vec<Link>,
    first_links: Numbers,
    /// Bytes that may be used, and those that blocks use.
    memory: usize,
    blocks: usize,
    /// Positions looked at since somebody asked.
    count: u64,
    // Lists that are used again and again.
    list: Vec<Successor>,
    before: Vec<Stones>,
    nodes: Vec<Node>,
    candidates: Vec<(i32, usize)>,
}

const NO_TIER: u16 = u16::MAX;

impl Hold {
    /// Everything open. The root is a position in which the game goes on.
    fn new(board: Board, caution: i32, root: Root, memory: usize) -> Hold {
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
            waiting: [const { Vec::new() }; 2],
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
        let slot = (usize::from(attacking) * self.most + usize::from(tier.own)) * self.most
            + usize::from(tier.other);
        match self.slots[slot] {
            NO_TIER => self.open_tier(tier, attacking, slot),
            known => known,
        }
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
    fn get(&self, node: Node) -> u8 {
        self.tiers[node.tier as usize].get(node.number)
    }

    #[inline(always)]
    fn stones<B: Bits>(&self, node: Node) -> Stones {
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
    fn after<B: Bits>(&mut self, from: u16, next: &Successor) -> Node {
        let to = self.tier_after(from, next);
        let number = self
            .index
            .number::<B>(&self.tiers[to as usize].layout, next.stones);
        Node { tier: to, number }
    }

    /// Whether the player to move has lost.
    #[inline(always)]
    fn is_over(&self, tier: u16, stones: Stones) -> bool {
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
    fn add<B: Bits>(&mut self, node: Node) {
        *self.cell(node) = attacks::HELD;
        self.waiting[self.turn].push(node);
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
        for next in &list {
            let to = self.after::<B>(node.tier, next);
            self.nodes.push(to);
        }
        let lost = |(next, &to): (&Successor, &Node)| {
            self.is_over(to.tier, next.stones) || self.get(to) & defends::WAYS == defends::LOST
        };
        if list.iter().zip(&self.nodes).any(lost) {
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
                self.stranded.push(to);
            }
        }
        self.list = list;
    }

    /// Finds a way into the set for a defender's position, or lets it fall.
    #[inline(always)]
    fn find_way<B: Bits>(&mut self, node: Node) {
        // Another position may have brought a way in the meantime.
        if self.get(node) & (defends::WAYS | defends::LINKED) != 0 {
            return;
        }
        let stones = self.stones::<B>(node);
        let mut list = std::mem::take(&mut self.list);
        let way = self.known_way::<B>(node, stones, &mut list);
        let way = way.or_else(|| self.new_way::<B>(node, stones, &mut list));
        self.list = list;
        match way {
            Some(Way::Wins) => *self.cell(node) |= defends::LINKED,
            Some(Way::To(to, collected)) => {
                if collected {
                    *self.cell(node) |= defends::LINKED;
                    self.link(to, node);
                }
                if self.get(to) != attacks::HELD {
                    self.add::<B>(to);
                }
            }
            None => {
                *self.cell(node) |= defends::LOST;
                self.fallen.push(node);
            }
        }
    }

    /// A win, or a move into the set as it is: no move without collection leads there.
    #[inline(always)]
    fn known_way<B: Bits>(
        &mut self,
        node: Node,
        stones: Stones,
        list: &mut Vec<Successor>,
    ) -> Option<Way> {
        let quiet = self.index.shape().collections(stones, list);
        if quiet > 0 && self.ends_quietly(node.tier, stones) {
            return Some(Way::Wins);
        }
        let mut way = None;
        for next in list {
            let to = self.after::<B>(node.tier, next);
            if self.is_over(to.tier, next.stones) {
                return Some(Way::Wins);
            }
            if way.is_none() && self.get(to) == attacks::HELD {
                way = Some(Way::To(to, true));
            }
        }
        way
    }

    /// Whether any move without collection ends the game.
    #[inline(always)]
    fn ends_quietly(&self, tier: u16, stones: Stones) -> bool {
        let total = u32::from(self.tiers[tier as usize].layout.tier.other);
        let empty = self.index.shape().full & !(stones.own | stones.other);
        stones.other.count_ones() == total || empty.count_ones() == 1
    }

    /// The best move to a position that may be held.
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
                candidates.push((estimate.order, at));
            }
        }
        let mut way = None;
        // Mostly the first one will do, so they are not sorted.
        while let Some(least) = (0..candidates.len()).min_by_key(|&at| candidates[at].0) {
            let (_, at) = candidates.swap_remove(least);
            let to = self.after::<B>(node.tier, &list[at]);
            if self.get(to) != attacks::LOST {
                way = Some(Way::To(to, list[at].collected));
                break;
            }
        }
        self.candidates = candidates;
        way
    }

    /// The defender's reserve after his move.
    #[inline(always)]
    fn reserve(&self, tier: u16, next: &Successor) -> i32 {
        let total = self.tiers[tier as usize].layout.tier.other;
        i32::from(total) - next.stones.other.count_ones() as i32
    }

    /// A position has left the set: those that counted on it may need another way.
    #[inline(always)]
    fn leave<B: Bits>(&mut self, node: Node) {
        self.list_before::<B>(node);
        for i in 0..self.nodes.len() {
            let before = self.nodes[i];
            let cell = self.cell(before);
            if *cell & defends::WAYS != defends::LOST {
                *cell -= 1;
                if *cell == defends::NEEDED {
                    self.stranded.push(before);
                }
            }
        }
        let mut link = self.first_link(node);
        while link != NIL {
            let Link { node, next } = self.links[link as usize];
            link = next;
            let cell = self.cell(node);
            if *cell & defends::WAYS != defends::LOST {
                *cell &= !defends::LINKED;
                if *cell == defends::NEEDED {
                    self.stranded.push(node);
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

    /// Bytes in use. Lists that grow are there twice for a moment, the new one being twice
    /// as long.
    fn bytes(&self) -> usize {
        let [one, other] = &self.waiting;
        let lists = [one, other, &self.stranded, &self.fallen];
        let nodes: usize = lists.iter().map(|list| list.capacity()).sum();
        let lists = nodes * size_of::<Node>() + self.links.capacity() * size_of::<Link>();
        self.blocks + 3 * (lists + self.first_links.bytes())
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
        self.stranded.push(opponent);
        self.add::<B>(mover);
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
        } else if let Some(node) = self.stranded.pop() {
            self.find_way::<B>(node);
        } else {
            self.turn = 1 - self.turn;
            if self.waiting[self.turn].is_empty() {
                self.turn = 1 - self.turn;
            }
            let Some(node) = self.waiting[self.turn].pop() else {
                return false;
            };
            self.count += 1;
            self.expand::<B>(node);
        }
        true
    }
}

impl Hold {
    /// Goes on, see [`Defence::run`].
    fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2] {
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

#[cfg(test)]
mod tests {
    use gipf::Position;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use rules::Game;

    use super::super::boards::{Boards, Small};
    use super::super::closure::Closures;
    use super::*;

    /// A position of random play in which the game goes on.
    fn random_position(variant: &str, rng: &mut ChaCha8Rng) -> Position {
        loop {
            let mut position = Position::start(variant.parse().unwrap());
            for _ in 0..rng.random_range(0..60) {
                let moves = position.moves();
                if position.outcome().is_some() || moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[rng.random_range(0..moves.len())]);
            }
            if position.outcome().is_none() {
                return position;
            }
        }
    }

    /// Whether the player to move wins, or the opponent, or neither.
    fn finish(defence: &mut impl Defence, slice: u64) -> Option<bool> {
        loop {
            match defence.run(&Limits::default(), slice) {
                [Progress::Wins, _] => return Some(true),
                [_, Progress::Wins] => return Some(false),
                [Progress::Fails, Progress::Fails] => return None,
                [Progress::Full, _] | [_, Progress::Full] => panic!("no memory"),
                _ => {}
            }
        }
    }

    #[test]
    fn agrees_with_the_closure() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let mut counts = [0; 3];
        for (variant, positions) in [
            ("2 2 4 4", 60),
            ("2 2 6 5", 60),
            ("2 3 5 5", 20),
            ("3 3 4 5", 20),
            ("3 3 5 4", 20),
            ("3 4 5 5", 40),
            ("3 5 5 5", 20),
        ] {
            for _ in 0..positions {
                let position = random_position(variant, &mut rng);
                let (boards, board) = Small::new(&position).unwrap();
                let slice = rng.random_range(1..200);
                let found = finish(&mut boards.defence(&board, 1 << 28), slice);
                let mut closures = Closures::new(&boards, &board, 1 << 28);
                assert_eq!(found, finish(&mut closures, slice), "{position}");
                counts[found.map_or(2, usize::from)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    }

    /// The search with so much caution, to its end.
    fn run_with(caution: i32, position: &Position) -> (Hold, [Progress; 2]) {
        let (boards, board) = Small::new(position).unwrap();
        let Holds { board, root, .. } = boards.defence(&board, 1 << 28);
        let mut hold = Hold::new(board, caution, root, 1 << 28);
        let progress = hold.run(&Limits::default(), u64::MAX);
        (hold, progress)
    }

    #[test]
    fn what_is_held_with_caution_is_held() {
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        let mut counts = [0; 2];
        for (variant, positions) in [("3 3 4 5", 10), ("3 3 5 4", 10), ("3 3 5 5", 12)] {
            for _ in 0..positions {
                let position = random_position(variant, &mut rng);
                let caution = rng.random_range(50..400);
                let held = run_with(caution, &position).1 == [Progress::Fails; 2];
                let (boards, board) = Small::new(&position).unwrap();
                let mut closures = Closures::new(&boards, &board, 1 << 28);
                let tie = finish(&mut closures, u64::MAX).is_none();
                assert!(!held || tie, "{position} {caution}");
                counts[usize::from(held)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 2), "{counts:?}");
    }

    /// Everything that a defender's cell claims, looked up move by move.
    fn check_ways(hold: &mut Hold) -> usize {
        let mut checked = 0;
        for tier in 0..hold.tiers.len() as u16 {
            let numbers = match hold.tiers[usize::from(tier)].attacking {
                true => 0,
                false => hold.tiers[usize::from(tier)].layout.size as u32,
            };
            for number in 0..numbers {
                let node = Node { tier, number };
                let cell = hold.get(node);
                if cell == 0 || cell & defends::WAYS == defends::LOST {
                    continue;
                }
                let stones = hold.stones::<Portable>(node);
                if !hold.index.views.is_free(stones.other) {
                    // Taking moves back leads to boards with rows, which nobody comes to.
                    assert_eq!(cell & !defends::WAYS, 0, "{stones:?}");
                    continue;
                }
                let mut list = Vec::new();
                hold.index.shape().successors(stones, &mut list);
                list.retain(|next| !next.collected);
                let held = list.iter().filter(|next| {
                    let to = hold.after::<Portable>(tier, next);
                    hold.get(to) == attacks::HELD
                });
                let held = held.count();
                let ways = usize::from(cell & defends::WAYS);
                assert!(ways <= held, "{stones:?} has {held} ways, not {ways}");
                assert_eq!(ways > 0, held > 0, "{stones:?}");
                // Once nothing is left to do, everybody who is needed has a way.
                if cell & defends::NEEDED != 0 {
                    assert!(cell & !defends::NEEDED != 0, "{stones:?} has no way");
                }
                checked += 1;
            }
        }
        checked
    }

    #[test]
    fn ways_are_counted_once() {
        // Symmetric positions of few stones are those that many views lead to.
        for (variant, caution) in [
            ("2 2 5 5", BOLD),
            ("2 2 8 8", BOLD),
            ("2 2 9 4", BOLD),
            ("3 3 5 5", 200),
        ] {
            let (mut hold, progress) = run_with(caution, &variant.parse().unwrap());
            assert_eq!(progress, [Progress::Fails; 2], "{variant}");
            assert!(check_ways(&mut hold) > 5, "{variant}");
        }
    }

    #[test]
    fn stays_within_its_memory() {
        let position: Position = "3 3 8 8".parse().unwrap();
        let (boards, board) = Small::new(&position).unwrap();
        let mut holds = boards.defence(&board, 8 << 20);
        let progress = holds.run(&Limits::default(), u64::MAX);
        let hold = holds.hold;
        assert_eq!(progress, [Progress::Full; 2]);
        // One step more may have been taken than there was room for.
        assert!(hold.bytes() < 16 << 20, "{}", hold.bytes());
    }
}

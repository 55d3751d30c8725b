//! Whether a side can force a win at all.
//!
//! The attacker's wins are a least fixed point, found locally and on demand. Of a
//! position in which the defender is to move only one successor is followed, the
//! *witness*: as long as it is not shown to be lost, neither is the position. When a
//! witness falls, every position that relied on it looks for another one, and falls
//! itself if there is none. All successors of an attacker's position are followed, as
//! long as it has not been won. Each position is expanded at most once, so the work is
//! at most that of enumerating everything that can be reached, and mostly far less:
//! one safe strategy of the defender is enough.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use search::Clock;

use super::boards::Boards;

/// Ends a list of links.
const NIL: u32 = u32::MAX;

/// One position.
struct Node<B> {
    board: B,
    /// Whether the attacker is to move.
    attacking: bool,
    /// The first link of those that rely on this node.
    relying: u32,
    /// Of a defender's node: the successor that holds it.
    witness: u32,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// An attacker's node that waits for its expansion.
    Waiting,
    /// Nothing speaks against it yet.
    Held,
    /// The attacker wins.
    Lost,
}

/// An element of a list of nodes.
struct Link {
    node: u32,
    next: u32,
}

/// Keys are hashes already.
#[derive(Default)]
struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only 64-bit keys are hashed");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Bytes for each node, with its place in the map and its links, on average.
const fn node_bytes<B>() -> usize {
    size_of::<Node<B>>() + 24 + 6 * size_of::<Link>()
}

/// How far a closure has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// The attacker can force a win.
    Wins,
    /// The attacker cannot.
    Fails,
    /// It can go on.
    Paused,
    /// It has no memory to go on.
    Full,
}

/// The search for a strategy of the defender, or for the attacker's win.
pub(crate) struct Closure<'a, B: Boards> {
    boards: &'a B,
    nodes: Vec<Node<B::Board>>,
    links: Vec<Link>,
    numbers: HashMap<u64, u32, BuildHasherDefault<Identity>>,
    waiting: VecDeque<u32>,
    fallen: Vec<u32>,
    /// Replies of the defender that are being weighed.
    candidates: Vec<(i32, B::Board)>,
    most_nodes: usize,
    root: u32,
    /// Positions looked at since somebody asked.
    count: u64,
}

impl<'a, B: Boards> Closure<'a, B> {
    /// Everything open. The root is a position in which the game goes on; the attacker is
    /// the player to move there (`attacking`) or the other one.
    pub(crate) fn new(
        boards: &'a B,
        root: &B::Board,
        attacking: bool,
        memory: usize,
    ) -> Closure<'a, B> {
        let mut closure = Closure {
            boards,
            nodes: Vec::new(),
            links: Vec::new(),
            numbers: HashMap::default(),
            waiting: VecDeque::new(),
            fallen: Vec::new(),
            candidates: Vec::new(),
            most_nodes: memory / node_bytes::<B::Board>(),
            root: 0,
            count: 0,
        };
        closure.root = closure.number(&boards.canonical(root), attacking);
        if attacking {
            closure.waiting.push_back(closure.root);
        }
        closure
    }

    /// Goes on for at most `slice` positions, until the clock stops, or until somebody
    /// sets `done`, which is set when the attacker's win is found.
    pub(crate) fn run(&mut self, clock: &mut Clock, slice: u64, done: &AtomicBool) -> Progress {
        for _ in 0..slice {
            if self.nodes[self.root as usize].state == State::Lost {
                done.store(true, Ordering::Relaxed);
                return Progress::Wins;
            }
            if clock.tick() || done.load(Ordering::Relaxed) {
                return Progress::Paused;
            }
            if self.nodes.len() >= self.most_nodes {
                return Progress::Full;
            }
            let Some(node) = self.waiting.pop_front() else {
                return Progress::Fails;
            };
            self.count += 1;
            self.expand(node);
            self.fall();
        }
        Progress::Paused
    }

    /// The number of positions looked at since the last time.
    pub(crate) fn take_count(&mut self) -> u64 {
        std::mem::take(&mut self.count)
    }

    /// The number of a canonical position; a new one is entered.
    fn number(&mut self, board: &B::Board, attacking: bool) -> u32 {
        let key = self.boards.key(board, attacking);
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let number = self.nodes.len() as u32;
        self.numbers.insert(key, number);
        self.nodes.push(Node {
            board: *board,
            attacking,
            relying: NIL,
            witness: NIL,
            state: if attacking {
                State::Waiting
            } else {
                State::Held
            },
        });
        if !attacking {
            self.find_witness(number);
        }
        number
    }

    /// Notes that `node` must be looked at again should `on` fall.
    fn rely(&mut self, node: u32, on: u32) {
        let next = self.nodes[on as usize].relying;
        self.nodes[on as usize].relying = self.links.len() as u32;
        self.links.push(Link { node, next });
    }

    /// Follows all moves of the attacker.
    fn expand(&mut self, node: u32) {
        if self.nodes[node as usize].state != State::Waiting || !self.is_needed(node) {
            return;
        }
        self.nodes[node as usize].state = State::Held;
        let board = self.nodes[node as usize].board;
        let boards = self.boards;
        let mut successors = Vec::new();
        let won = boards.after_moves(&board, |next| {
            if boards.is_over(&next) {
                return ControlFlow::Break(());
            }
            if !boards.wins_at_once(&next) {
                successors.push(boards.canonical(&next));
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return self.lose(node);
        }
        for next in &successors {
            let number = self.number(next, false);
            match self.nodes[number as usize].state {
                State::Lost => return self.lose(node),
                State::Held | State::Waiting => self.rely(node, number),
            }
        }
    }

    /// Whether somebody still relies on this attacker's node.
    fn is_needed(&mut self, node: u32) -> bool {
        let mut link = self.nodes[node as usize].relying;
        if node == self.root {
            return true;
        }
        while link != NIL {
            let Link { node: parent, next } = self.links[link as usize];
            let parent = &self.nodes[parent as usize];
            if parent.witness == node && parent.state == State::Held {
                return true;
            }
            link = next;
        }
        // It waits again when somebody chooses it.
        false
    }

    /// Finds a successor that holds a defender's node, or lets the node fall.
    fn find_witness(&mut self, node: u32) {
        let board = self.nodes[node as usize].board;
        let boards = self.boards;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let _ = boards.after_moves(&board, |next| {
            candidates.push((self.danger(&next), boards.canonical(&next)));
            ControlFlow::Continue(())
        });
        candidates.sort_unstable_by_key(|(danger, _)| *danger);
        if candidates.iter().any(|(_, next)| boards.is_over(next)) {
            // The defender wins: nothing can be said against that.
            self.nodes[node as usize].witness = NIL;
            self.candidates = candidates;
            return;
        }
        let mut witness = None;
        for (_, next) in &candidates {
            let known = self.numbers.get(&boards.key(next, true)).copied();
            match known.map(|number| self.nodes[number as usize].state) {
                Some(State::Lost) => continue,
                Some(_) => {}
                None if boards.wins_at_once(next) => continue,
                None => {}
            }
            witness = Some(known.unwrap_or_else(|| self.number(next, true)));
            break;
        }
        self.candidates = candidates;
        let Some(witness) = witness else {
            return self.lose(node);
        };
        self.nodes[node as usize].witness = witness;
        self.rely(node, witness);
        if self.nodes[witness as usize].state == State::Waiting {
            self.waiting.push_back(witness);
        }
    }

    /// How little the defender likes this position, in which the attacker is to move.
    fn danger(&self, next: &B::Board) -> i32 {
        let (reserves, stones) = (self.boards.reserves(next), self.boards.stones(next));
        let worth = |side: usize| 3 * reserves[side] + stones[side];
        worth(0) - 2 * worth(1)
    }

    fn lose(&mut self, node: u32) {
        self.nodes[node as usize].state = State::Lost;
        self.fallen.push(node);
    }

    /// Looks again at everything that relied on a node that has fallen.
    fn fall(&mut self) {
        while let Some(lost) = self.fallen.pop() {
            let attackers = self.nodes[lost as usize].attacking;
            let mut link = self.nodes[lost as usize].relying;
            self.nodes[lost as usize].relying = NIL;
            while link != NIL {
                let Link { node, next } = self.links[link as usize];
                link = next;
                let relying = &self.nodes[node as usize];
                if relying.state != State::Held {
                    continue;
                }
                if !attackers {
                    self.lose(node);
                } else if relying.witness == lost {
                    self.find_witness(node);
                }
            }
        }
    }
}

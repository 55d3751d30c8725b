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

use gipf::Position;
use rules::{Game, Hashed, Side};
use search::Clock;

use crate::canon::canonical;

/// Ends a list of links.
const NIL: u32 = u32::MAX;

/// One position.
struct Node {
    position: Position,
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
const NODE_BYTES: usize = size_of::<Node>() + 24 + 6 * size_of::<Link>();

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
pub(crate) struct Closure {
    attacker: Side,
    nodes: Vec<Node>,
    links: Vec<Link>,
    numbers: HashMap<u64, u32, BuildHasherDefault<Identity>>,
    waiting: VecDeque<u32>,
    fallen: Vec<u32>,
    most_nodes: usize,
    root: u32,
    /// Positions looked at since somebody asked.
    count: u64,
}

impl Closure {
    /// Everything open. The root is a position in which the game goes on.
    pub(crate) fn new(root: &Position, attacker: Side, memory: usize) -> Closure {
        let mut closure = Closure {
            attacker,
            nodes: Vec::new(),
            links: Vec::new(),
            numbers: HashMap::default(),
            waiting: VecDeque::new(),
            fallen: Vec::new(),
            most_nodes: memory / NODE_BYTES,
            root: 0,
            count: 0,
        };
        closure.root = closure.number(&canonical(root));
        if root.side_to_move() == attacker {
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
    fn number(&mut self, position: &Position) -> u32 {
        let key = position.hash();
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let number = self.nodes.len() as u32;
        self.numbers.insert(key, number);
        let attacking = position.side_to_move() == self.attacker;
        self.nodes.push(Node {
            position: *position,
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
        let position = self.nodes[node as usize].position;
        let mut successors = Vec::new();
        let won = position.visit_successors(|_, next| {
            if next.outcome().is_some() {
                return ControlFlow::Break(());
            }
            if !wins_at_once(&next) {
                successors.push(canonical(&next));
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return self.lose(node);
        }
        for next in &successors {
            let number = self.number(next);
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
        let position = self.nodes[node as usize].position;
        let mut candidates: Vec<(i32, Position)> = Vec::new();
        let _ = position.visit_successors(|_, next| {
            candidates.push((self.danger(&next), next));
            ControlFlow::<()>::Continue(())
        });
        candidates.sort_by_key(|(danger, _)| *danger);
        for (_, next) in candidates {
            if wins_at_once(&next) {
                continue;
            }
            let number = self.number(&canonical(&next));
            let state = self.nodes[number as usize].state;
            if state == State::Lost {
                continue;
            }
            self.nodes[node as usize].witness = number;
            self.rely(node, number);
            if state == State::Waiting {
                self.waiting.push_back(number);
            }
            return;
        }
        self.lose(node);
    }

    /// How little the defender likes this position.
    fn danger(&self, next: &Position) -> i32 {
        let worth =
            |side| 3 * i32::from(next.reserve(side)) + next.stones(side).count_ones() as i32;
        worth(self.attacker) - 2 * worth(!self.attacker)
    }

    fn lose(&mut self, node: u32) {
        self.nodes[node as usize].state = State::Lost;
        self.fallen.push(node);
    }

    /// Looks again at everything that relied on a node that has fallen.
    fn fall(&mut self) {
        while let Some(lost) = self.fallen.pop() {
            let attackers = self.nodes[lost as usize].position.side_to_move() == self.attacker;
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

/// Whether the player to move ends the game at once: the other one has no reserve or
/// next to no room left, or it is not worth looking.
fn wins_at_once(position: &Position) -> bool {
    let side = position.side_to_move();
    let occupied = position.stones(side) | position.stones(!side);
    let empty = position.geometry().points() as u32 - occupied.count_ones();
    if position.reserve(!side) > 0 && empty > 1 {
        return false;
    }
    position
        .visit_successors(|_, next| match next.outcome() {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        })
        .is_break()
}

//! The safe set in a hash map, for boards of any size.
//!
//! Of a position in which the defender is to move only one reply is followed, the *witness*: as
//! long as it is not refuted, neither is the position. When a witness is refuted, every position
//! that relied on it looks for another one, and is refuted itself if there is none. All moves of
//! the attacker are followed, as long as the position has not been won. Each position is
//! expanded at most once, so the work is at most that of enumerating everything that can be
//! reached, and mostly far less: one safe strategy of the defender is enough.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use search::{Clock, Limits};

use super::node_map::{NIL, NodeMap};
use super::{FixedPointProver, Progress};
use crate::solve::rules::Rules;
use crate::solve::tuning::{DEFENDER_WEIGHT, WORTH_A_THREAD, material};

/// One position.
struct Node<B> {
    board: B,
    /// Whether the attacker is to move.
    attacking: bool,
    /// The first link of those that rely on this node.
    reliers: u32,
    /// Of a defender's node: the reply that it relies on.
    witness: u32,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// An attacker's node that has not been expanded.
    Unexpanded,
    /// In the safe set, as far as is known.
    Safe,
    /// The attacker wins.
    Refuted,
}

/// An element of a list of nodes.
struct Link {
    node: u32,
    next: u32,
}

/// Bytes for each node, with its slots in the map (old and new, while it grows) and its links,
/// on average; lists that grow are there twice for a moment.
const fn node_bytes<B>() -> usize {
    3 * size_of::<Node<B>>() / 2 + 96 + 12 * size_of::<Link>()
}

/// A safe set against each side.
pub(crate) struct HashedProver<'a, R: Rules>([SafeSet<'a, R>; 2]);

impl<'a, R: Rules> HashedProver<'a, R> {
    /// Nothing is known yet; at most so many bytes are used for both sets. The root is a
    /// position in which the game goes on.
    pub(crate) fn new(rules: &'a R, root: &R::Board, memory: usize) -> HashedProver<'a, R> {
        let set = |attacking| SafeSet::new(rules, root, attacking, memory / 2);
        HashedProver([true, false].map(set))
    }
}

impl<R: Rules> FixedPointProver for HashedProver<'_, R> {
    /// Both sets at the same time if the turn is long enough to be worth a thread.
    fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2] {
        let limits = &limits.begin();
        let done = AtomicBool::new(false);
        let run = |set: &mut SafeSet<'_, R>| set.run(&mut Clock::start(limits), slice, &done);
        let [mover, opponent] = &mut self.0;
        if slice < WORTH_A_THREAD {
            return [run(mover), run(opponent)];
        }
        std::thread::scope(|scope| {
            let opponent = scope.spawn(|| run(opponent));
            let mover = run(mover);
            [mover, opponent.join().unwrap_or(Progress::Full)]
        })
    }

    fn take_count(&mut self) -> u64 {
        let counts = self.0.iter_mut();
        counts.map(|set| std::mem::take(&mut set.count)).sum()
    }
}

/// A refuted node whose reliers are being looked at again.
struct Refutation {
    node: u32,
    attacking: bool,
    /// The link of the next relier.
    next: u32,
}

/// The search for a safe set of the defender, or for the attacker's win.
struct SafeSet<'a, R: Rules> {
    rules: &'a R,
    nodes: Vec<Node<R::Board>>,
    links: Vec<Link>,
    numbers: NodeMap,
    unexpanded: VecDeque<u32>,
    refuted: Vec<u32>,
    refutation: Option<Refutation>,
    /// Moves of the attacker that are being followed: position, key and number.
    moves: Vec<(R::Board, u64, u32)>,
    /// Replies of the defender with their order.
    replies: Vec<(i32, R::Board)>,
    most_nodes: usize,
    root: u32,
    /// Positions expanded since the last call of `take_count`.
    count: u64,
}

impl<'a, R: Rules> SafeSet<'a, R> {
    /// The attacker is the player to move at the root (`attacking`) or the opponent.
    fn new(rules: &'a R, root: &R::Board, attacking: bool, memory: usize) -> SafeSet<'a, R> {
        let mut set = SafeSet {
            rules,
            nodes: Vec::new(),
            links: Vec::new(),
            numbers: NodeMap::new(),
            unexpanded: VecDeque::new(),
            refuted: Vec::new(),
            refutation: None,
            moves: Vec::new(),
            replies: Vec::new(),
            most_nodes: memory / node_bytes::<R::Board>(),
            root: 0,
            count: 0,
        };
        set.root = set.number(&rules.canonical(root), attacking);
        if attacking {
            set.unexpanded.push_back(set.root);
        }
        set
    }

    /// Goes on for at most `slice` positions, until the clock stops, or until `done` is set,
    /// which happens when the attacker's win is found.
    fn run(&mut self, clock: &mut Clock, slice: u64, done: &AtomicBool) -> Progress {
        let mut steps = 0;
        while steps < slice {
            if self.nodes[self.root as usize].state == State::Refuted {
                done.store(true, Ordering::Relaxed);
                return Progress::Wins;
            }
            if clock.stopped() || done.load(Ordering::Relaxed) {
                return Progress::Paused;
            }
            if self.nodes.len() >= self.most_nodes {
                return Progress::Full;
            }
            // Any number of nodes may rely on one.
            if let Some(refutation) = self.refutation.take() {
                self.refutation = self.propagate(refutation, clock);
                continue;
            }
            steps += 1;
            if let Some(number) = self.refuted.pop() {
                let node = &mut self.nodes[number as usize];
                self.refutation = Some(Refutation {
                    node: number,
                    attacking: node.attacking,
                    next: std::mem::replace(&mut node.reliers, NIL),
                });
                continue;
            }
            let Some(node) = self.unexpanded.pop_front() else {
                return Progress::Fails;
            };
            self.count += 1;
            if self.expand(node, clock).is_break() {
                self.count -= 1;
                self.nodes[node as usize].state = State::Unexpanded;
                self.unexpanded.push_front(node);
                return Progress::Paused;
            }
        }
        Progress::Paused
    }

    /// The number of a canonical position; a new one is added.
    fn number(&mut self, board: &R::Board, attacking: bool) -> u32 {
        let key = self.rules.key(board, attacking);
        match self.numbers.get(key) {
            NIL => self.add(board, attacking, key),
            number => number,
        }
    }

    /// Adds a new position.
    fn add(&mut self, board: &R::Board, attacking: bool, key: u64) -> u32 {
        let number = self.nodes.len() as u32;
        self.numbers.insert(key, number);
        self.nodes.push(Node {
            board: *board,
            attacking,
            reliers: NIL,
            witness: NIL,
            state: match attacking {
                true => State::Unexpanded,
                false => State::Safe,
            },
        });
        if !attacking {
            self.find_witness(number);
        }
        number
    }

    /// Notes that `node` must be looked at again if `on` is refuted.
    fn rely(&mut self, node: u32, on: u32) {
        let next = self.nodes[on as usize].reliers;
        self.nodes[on as usize].reliers = self.links.len() as u32;
        self.links.push(Link { node, next });
    }

    /// Follows all moves of the attacker, unless the clock stops: it ticks for this position and
    /// for every new one of the defender, which all take about as long.
    fn expand(&mut self, node: u32, clock: &mut Clock) -> ControlFlow<()> {
        if self.nodes[node as usize].state != State::Unexpanded || !self.is_needed(node) {
            return ControlFlow::Continue(());
        }
        if clock.tick() {
            return ControlFlow::Break(());
        }
        self.nodes[node as usize].state = State::Safe;
        let board = self.nodes[node as usize].board;
        let mut moves = std::mem::take(&mut self.moves);
        let mut flow = ControlFlow::Continue(());
        if self.list_moves(&board, &mut moves) {
            self.refute(node);
        } else {
            for &(next, _, number) in &moves {
                if number == NIL && clock.tick() {
                    flow = ControlFlow::Break(());
                    break;
                }
                let number = match number {
                    NIL => self.number(&next, false),
                    number => number,
                };
                match self.nodes[number as usize].state {
                    State::Refuted => {
                        self.refute(node);
                        break;
                    }
                    State::Safe | State::Unexpanded => self.rely(node, number),
                }
            }
        }
        self.moves = moves;
        flow
    }

    /// Lists where the attacker's moves lead; true if one of them is known to win. Step by step
    /// for all moves at once, so that memory is not waited for each time.
    fn list_moves(&self, board: &R::Board, moves: &mut Vec<(R::Board, u64, u32)>) -> bool {
        let rules = self.rules;
        moves.clear();
        let won = rules.visit_children(board, |next| {
            if rules.is_over(&next) {
                return ControlFlow::Break(());
            }
            if !rules.wins_in_one(&next) {
                let next = rules.canonical(&next);
                moves.push((next, rules.key(&next, false), NIL));
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return true;
        }
        for (_, key, number) in moves.iter_mut() {
            *number = self.numbers.get(*key);
        }
        let refuted = |number: u32| self.nodes[number as usize].state == State::Refuted;
        moves
            .iter()
            .any(|&(_, _, number)| number != NIL && refuted(number))
    }

    /// Whether a node of the safe set relies on this attacker's node.
    fn is_needed(&mut self, node: u32) -> bool {
        let mut link = self.nodes[node as usize].reliers;
        if node == self.root {
            return true;
        }
        while link != NIL {
            let Link { node: parent, next } = self.links[link as usize];
            let parent = &self.nodes[parent as usize];
            if parent.witness == node && parent.state == State::Safe {
                return true;
            }
            link = next;
        }
        // It is queued again when a node chooses it as its witness.
        false
    }

    /// Finds a witness for a defender's node, or refutes the node.
    fn find_witness(&mut self, node: u32) {
        let board = self.nodes[node as usize].board;
        let rules = self.rules;
        let mut replies = std::mem::take(&mut self.replies);
        replies.clear();
        let won = rules.visit_children(&board, |next| {
            if rules.is_over(&next) {
                return ControlFlow::Break(());
            }
            replies.push((self.order(&next), next));
            ControlFlow::Continue(())
        });
        if won.is_break() {
            // The defender wins: nothing can refute that.
            self.nodes[node as usize].witness = NIL;
            self.replies = replies;
            return;
        }
        let mut witness = None;
        // Mostly the first one will do, so they are not sorted.
        while let Some(least) = (0..replies.len()).min_by_key(|&at| replies[at].0) {
            let (_, next) = replies.swap_remove(least);
            let next = rules.canonical(&next);
            let key = rules.key(&next, true);
            match self.numbers.get(key) {
                NIL if rules.wins_in_one(&next) => continue,
                NIL => witness = Some(self.add(&next, true, key)),
                known if self.nodes[known as usize].state == State::Refuted => continue,
                known => witness = Some(known),
            }
            break;
        }
        self.replies = replies;
        let Some(witness) = witness else {
            return self.refute(node);
        };
        self.nodes[node as usize].witness = witness;
        self.rely(node, witness);
        if self.nodes[witness as usize].state == State::Unexpanded {
            self.unexpanded.push_back(witness);
        }
    }

    /// Move ordering of the defender: smaller is tried earlier. The attacker is to move.
    fn order(&self, next: &R::Board) -> i32 {
        let (reserves, stones) = (self.rules.reserves(next), self.rules.stones(next));
        let [attacker, defender] = [0, 1].map(|side| material(reserves[side], stones[side]));
        attacker - DEFENDER_WEIGHT * defender
    }

    fn refute(&mut self, node: u32) {
        self.nodes[node as usize].state = State::Refuted;
        self.refuted.push(node);
    }

    /// Looks again at the next relier of a refuted node; what is left to do for that node.
    fn propagate(&mut self, refutation: Refutation, clock: &mut Clock) -> Option<Refutation> {
        if refutation.next == NIL {
            return None;
        }
        let Link { node, next } = self.links[refutation.next as usize];
        let relier = &self.nodes[node as usize];
        if relier.state == State::Safe {
            if !refutation.attacking {
                self.refute(node);
            } else if relier.witness == refutation.node {
                if clock.tick() {
                    return Some(refutation);
                }
                self.find_witness(node);
            }
        }
        Some(Refutation { next, ..refutation })
    }
}

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

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use search::{Clock, Limits};

use super::WORTH_A_THREAD;
use super::boards::Boards;

/// Ends a list of links.
pub(crate) const NIL: u32 = u32::MAX;

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

/// The numbers of nodes by their keys, which are hashes already. Faster here than a map for
/// every purpose: one look at one place, mostly.
pub(crate) struct Numbers {
    /// A key of 0 is a free place. Their number is a power of two.
    places: Vec<(u64, u32)>,
    used: usize,
}

impl Numbers {
    pub(crate) fn new() -> Numbers {
        Numbers {
            places: vec![(0, NIL); 1 << 10],
            used: 0,
        }
    }

    /// The place of a key, or the free one where it belongs.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.places.len() - 1;
        let mut at = key as usize & mask;
        while self.places[at].0 != key && self.places[at].0 != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    /// The number of a key, or [`NIL`].
    #[inline]
    pub(crate) fn get(&self, key: u64) -> u32 {
        self.places[self.place(key)].1
    }

    /// Enters a key that is not there.
    fn insert(&mut self, key: u64, number: u32) {
        if 2 * self.used >= self.places.len() {
            let more = vec![(0, NIL); 2 * self.places.len()];
            for (key, number) in std::mem::replace(&mut self.places, more) {
                if key != 0 {
                    let place = self.place(key);
                    self.places[place] = (key, number);
                }
            }
        }
        self.used += 1;
        let place = self.place(key);
        self.places[place] = (key, number);
    }

    /// Gives a key a number, and returns the one that it had, or [`NIL`].
    pub(crate) fn put(&mut self, key: u64, number: u32) -> u32 {
        let place = self.place(key);
        if self.places[place].0 == key {
            return std::mem::replace(&mut self.places[place].1, number);
        }
        self.insert(key, number);
        NIL
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.places.len() * size_of::<(u64, u32)>()
    }
}

/// Bytes for each node, with its places in the map (old and new, while it grows) and its
/// links, on average; lists that grow are there twice for a moment.
const fn node_bytes<B>() -> usize {
    3 * size_of::<Node<B>>() / 2 + 96 + 12 * size_of::<Link>()
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

/// Something that finds out whether a side can force a win.
pub(crate) trait Defence: Send {
    /// Goes on for at most so many positions, or until the limits are reached: whether the
    /// player to move can force a win, and whether the opponent can. Once one of them can,
    /// nobody asks about the other.
    fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2];

    /// The number of positions looked at since the last time.
    fn take_count(&mut self) -> u64;
}

/// A closure for each side.
pub(crate) struct Closures<'a, B: Boards>([Closure<'a, B>; 2]);

impl<'a, B: Boards> Closures<'a, B> {
    /// Everything open, with at most so many bytes for both.
    pub(crate) fn new(boards: &'a B, root: &B::Board, memory: usize) -> Closures<'a, B> {
        Closures([true, false].map(|attacking| Closure::new(boards, root, attacking, memory / 2)))
    }
}

impl<B: Boards> Defence for Closures<'_, B> {
    /// Both at the same time if the turn is long enough to be worth a thread.
    fn run(&mut self, limits: &Limits, slice: u64) -> [Progress; 2] {
        let limits = &limits.begin();
        let done = AtomicBool::new(false);
        let run =
            |closure: &mut Closure<'_, B>| closure.run(&mut Clock::start(limits), slice, &done);
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
        counts
            .map(|closure| std::mem::take(&mut closure.count))
            .sum()
    }
}

/// The search for a strategy of the defender, or for the attacker's win.
pub(crate) struct Closure<'a, B: Boards> {
    boards: &'a B,
    nodes: Vec<Node<B::Board>>,
    links: Vec<Link>,
    numbers: Numbers,
    waiting: VecDeque<u32>,
    fallen: Vec<u32>,
    /// The one that is being dealt with: whether the attacker is to move there, itself, and the
    /// next link of those that relied on it.
    falling: Option<(bool, u32, u32)>,
    /// Moves of the attacker that are being followed: position, key and number.
    successors: Vec<(B::Board, u64, u32)>,
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
            numbers: Numbers::new(),
            waiting: VecDeque::new(),
            fallen: Vec::new(),
            falling: None,
            successors: Vec::new(),
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
    fn run(&mut self, clock: &mut Clock, slice: u64, done: &AtomicBool) -> Progress {
        let mut steps = 0;
        while steps < slice {
            if self.nodes[self.root as usize].state == State::Lost {
                done.store(true, Ordering::Relaxed);
                return Progress::Wins;
            }
            if clock.stopped() || done.load(Ordering::Relaxed) {
                return Progress::Paused;
            }
            if self.nodes.len() >= self.most_nodes {
                return Progress::Full;
            }
            // Any number of nodes may have relied on one.
            if self.falling.is_some() {
                self.fall_on(clock);
                continue;
            }
            steps += 1;
            // One fall can bring many others with it: they take their turns as well.
            if let Some(lost) = self.fallen.pop() {
                let node = &mut self.nodes[lost as usize];
                let relying = std::mem::replace(&mut node.relying, NIL);
                self.falling = Some((node.attacking, lost, relying));
                continue;
            }
            let Some(node) = self.waiting.pop_front() else {
                return Progress::Fails;
            };
            self.count += 1;
            if self.expand(node, clock).is_break() {
                self.count -= 1;
                self.nodes[node as usize].state = State::Waiting;
                self.waiting.push_front(node);
                return Progress::Paused;
            }
        }
        Progress::Paused
    }

    /// The number of a canonical position; a new one is entered.
    fn number(&mut self, board: &B::Board, attacking: bool) -> u32 {
        let key = self.boards.key(board, attacking);
        match self.numbers.get(key) {
            NIL => self.enter(board, attacking, key),
            number => number,
        }
    }

    /// Enters a new position.
    fn enter(&mut self, board: &B::Board, attacking: bool, key: u64) -> u32 {
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

    /// Follows all moves of the attacker, unless the clock stops: it ticks for this position and
    /// for every new one of the defender, which all take about as long.
    fn expand(&mut self, node: u32, clock: &mut Clock) -> ControlFlow<()> {
        if self.nodes[node as usize].state != State::Waiting || !self.is_needed(node) {
            return ControlFlow::Continue(());
        }
        if clock.tick() {
            return ControlFlow::Break(());
        }
        self.nodes[node as usize].state = State::Held;
        let board = self.nodes[node as usize].board;
        let mut successors = std::mem::take(&mut self.successors);
        let mut flow = ControlFlow::Continue(());
        if self.follow(&board, &mut successors) {
            self.lose(node);
        } else {
            for &(next, _, number) in &successors {
                if number == NIL && clock.tick() {
                    flow = ControlFlow::Break(());
                    break;
                }
                let number = match number {
                    NIL => self.number(&next, false),
                    number => number,
                };
                match self.nodes[number as usize].state {
                    State::Lost => {
                        self.lose(node);
                        break;
                    }
                    State::Held | State::Waiting => self.rely(node, number),
                }
            }
        }
        self.successors = successors;
        flow
    }

    /// Lists where the attacker's moves lead, or says that one of them is known to win.
    /// Step by step for all moves at once, so that the memory is not waited for each time.
    fn follow(&self, board: &B::Board, successors: &mut Vec<(B::Board, u64, u32)>) -> bool {
        let boards = self.boards;
        successors.clear();
        let won = boards.after_moves(board, |next| {
            if boards.is_over(&next) {
                return ControlFlow::Break(());
            }
            if !boards.wins_at_once(&next) {
                let next = boards.canonical(&next);
                successors.push((next, boards.key(&next, false), NIL));
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return true;
        }
        for (_, key, number) in successors.iter_mut() {
            *number = self.numbers.get(*key);
        }
        let lost = |number: u32| self.nodes[number as usize].state == State::Lost;
        successors
            .iter()
            .any(|&(_, _, number)| number != NIL && lost(number))
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
        let won = boards.after_moves(&board, |next| {
            if boards.is_over(&next) {
                return ControlFlow::Break(());
            }
            candidates.push((self.danger(&next), next));
            ControlFlow::Continue(())
        });
        if won.is_break() {
            // The defender wins: nothing can be said against that.
            self.nodes[node as usize].witness = NIL;
            self.candidates = candidates;
            return;
        }
        let mut witness = None;
        // Mostly the first one will do, so they are not sorted.
        while let Some(least) = (0..candidates.len()).min_by_key(|&at| candidates[at].0) {
            let (_, next) = candidates.swap_remove(least);
            let next = boards.canonical(&next);
            let key = boards.key(&next, true);
            match self.numbers.get(key) {
                NIL if boards.wins_at_once(&next) => continue,
                NIL => witness = Some(self.enter(&next, true, key)),
                known if self.nodes[known as usize].state == State::Lost => continue,
                known => witness = Some(known),
            }
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

    /// Looks again at the next of those that relied on the node that has fallen.
    fn fall_on(&mut self, clock: &mut Clock) {
        let Some((attackers, lost, link)) = self.falling.take() else {
            return;
        };
        if link == NIL {
            return;
        }
        let Link { node, next } = self.links[link as usize];
        self.falling = Some((attackers, lost, next));
        let relying = &self.nodes[node as usize];
        if relying.state != State::Held {
            return;
        }
        if !attackers {
            self.lose(node);
        } else if relying.witness == lost {
            if clock.tick() {
                self.falling = Some((attackers, lost, link));
                return;
            }
            self.find_witness(node);
        }
    }
}

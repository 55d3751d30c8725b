//! Proof-number search: who wins, however long it takes.
//!
//! Bounded search has to show of every shorter length that it is not enough. Here the length
//! does not matter: the search goes where a proof looks nearest, of a win of either side. It is
//! the shared kernel of [`search::proof_number`]; this module adds the transposition table, the
//! children of GIPF positions and their first numbers ([`initial`]).
//!
//! Play can repeat positions. A child that is on the path from the root never proves anything,
//! and of positions that nobody wins the search finds out nothing: its numbers grow until they are
//! all too large. Then it starts anew with what has been proved, until nothing more is.

pub(crate) mod initial;

use std::ops::ControlFlow;

use isa::{Available, Isa, Kernel, Set};
use search::proof_number::{self as kernel, ProofNumbers, ProofTree, Stopped};
use search::{Clock, GrowingTable};

use super::rules::Rules;
use super::tuning::{
    DEEPEST_PROOF, EVEN_NUMBER, LARGEST_NUMBER, MOST_LOG_ODDS, ODDS_ROOT, PROOF_SLACK,
    PROOF_STRETCH,
};
use crate::tables::parallel::SETS;
use initial::LogOdds;

/// Marks a position that is on the path, in its proof number.
const ON_PATH: u32 = 1 << 31;

/// A position with its key.
#[derive(Clone, Copy)]
struct Node<B> {
    board: B,
    key: u64,
}

/// A child of a position on the path.
#[derive(Clone, Copy)]
struct Child<B> {
    node: Node<B>,
    seen: kernel::Child,
}

/// The search for a proof that a side wins, which can be interrupted.
pub(crate) struct ProofNumberSearch<'a, R: Rules, O> {
    rules: &'a R,
    odds: &'a O,
    /// What positions are expanded with.
    isa: Available,
    root: R::Board,
    table: GrowingTable<ProofNumbers>,
    /// The first number for each value of the log-odds, from the smallest.
    first: Vec<u32>,
    /// Those of the root, which stay between two turns.
    thresholds: ProofNumbers,
    nodes: u64,
    /// Positions that were decided when all numbers but theirs were forgotten the last time.
    proofs: Option<usize>,
    /// Nothing was decided between two such times.
    exhausted: bool,
    /// Children of all positions on the path, one batch after the other.
    children: Vec<Child<R::Board>>,
    /// The positions expanded, where training wants them.
    pub(crate) expanded: Option<Vec<R::Board>>,
}

impl<'a, R: Rules, O: LogOdds<R>> ProofNumberSearch<'a, R, O> {
    /// A search whose table takes at most so many bytes. The game is not over.
    pub(crate) fn new(rules: &'a R, odds: &'a O, root: &R::Board, memory: usize) -> Self {
        let number = |log_odds: i32| {
            let root = (-f64::from(log_odds) / (100.0 * ODDS_ROOT)).exp();
            (EVEN_NUMBER * root) as u32
        };
        ProofNumberSearch {
            rules,
            odds,
            isa: Available::best(),
            root: rules.canonical(root),
            table: GrowingTable::new(memory, ProofNumbers::UNKNOWN),
            first: (-MOST_LOG_ODDS..=MOST_LOG_ODDS)
                .map(|log_odds| number(log_odds).max(1))
                .collect(),
            thresholds: ProofNumbers::UNKNOWN,
            nodes: 0,
            proofs: None,
            exhausted: false,
            children: Vec::new(),
            expanded: None,
        }
    }

    /// Turns to another position; what is known of others stays.
    pub(crate) fn turn_to(&mut self, root: &R::Board) {
        self.root = self.rules.canonical(root);
        self.thresholds = ProofNumbers::UNKNOWN;
        self.proofs = None;
        self.exhausted = false;
    }

    /// Positions expanded so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Goes on for at most `slice` positions, or until it is `over`: whether the player to
    /// move wins, or the opponent, if that is found.
    pub(crate) fn run(
        &mut self,
        clock: &mut Clock,
        slice: u64,
        over: impl Fn() -> bool,
    ) -> Option<bool> {
        if self.exhausted {
            return None;
        }
        let end = self.nodes.saturating_add(slice);
        let root = Node {
            board: self.root,
            key: self.rules.key(&self.root, true),
        };
        loop {
            self.children.clear();
            let thresholds = self.thresholds;
            let mut tree = Tree {
                pause_at: end.min(self.nodes + PROOF_STRETCH),
                search: self,
                clock,
            };
            match kernel::search(&mut tree, root, thresholds, 0) {
                Ok(numbers) => {
                    let ProofNumbers { proof, disproof } = numbers;
                    if numbers.decided().is_some() {
                        return numbers.decided();
                    }
                    // Nothing can be learned from numbers that are all too large.
                    if proof.max(disproof) >= LARGEST_NUMBER {
                        if !self.start_anew() {
                            return None;
                        }
                        self.thresholds = ProofNumbers::UNKNOWN;
                        continue;
                    }
                    let twice =
                        |threshold: u32, number: u32| threshold.max(2 * number).min(LARGEST_NUMBER);
                    self.thresholds = ProofNumbers {
                        proof: twice(thresholds.proof, proof),
                        disproof: twice(thresholds.disproof, disproof),
                    };
                }
                Err(Stopped) if self.nodes >= end || clock.stopped() || over() => return None,
                Err(Stopped) => {}
            }
        }
    }

    /// Forgets all numbers but proofs; false if nothing has been proved since the last time.
    ///
    /// Where play repeats positions, numbers grow without end, and those far from the root mislead
    /// the search long before those of the root are too large. With what has been proved by then
    /// the next attempt is shorter.
    fn start_anew(&mut self) -> bool {
        let decided = |numbers: &ProofNumbers| numbers.decided().is_some();
        let proofs = self.table.retain(ProofNumbers::UNKNOWN, decided);
        self.exhausted = self.proofs == Some(proofs);
        self.proofs = Some(proofs);
        !self.exhausted
    }

    /// The first numbers of a position.
    #[inline(always)]
    fn first_numbers(&self, board: &R::Board) -> ProofNumbers {
        match self.rules.plain_winner(board) {
            Some(true) => return ProofNumbers::PROVEN,
            Some(false) => return ProofNumbers::DISPROVEN,
            None => {}
        }
        let number = |log_odds: i32| {
            let bounded = log_odds.clamp(-MOST_LOG_ODDS, MOST_LOG_ODDS);
            self.first[(bounded + MOST_LOG_ODDS) as usize]
        };
        let [proof, disproof] = self.odds.log_odds(self.rules, board).map(number);
        ProofNumbers { proof, disproof }
    }
}

/// One stretch of the search.
struct Tree<'s, 'a, R: Rules, O> {
    search: &'s mut ProofNumberSearch<'a, R, O>,
    clock: &'s mut Clock,
    pause_at: u64,
}

/// An entry of the table as the search sees it.
#[inline(always)]
fn seen(ProofNumbers { proof, disproof }: ProofNumbers) -> kernel::Child {
    kernel::Child {
        numbers: ProofNumbers {
            proof: proof & !ON_PATH,
            disproof,
        },
        on_path: proof & ON_PATH != 0,
    }
}

/// The children of a position: those from `start` on.
struct Batch {
    start: usize,
    /// Whether a move ends the game.
    wins: bool,
}

impl<R: Rules, O: LogOdds<R>> Tree<'_, '_, R, O> {
    fn put(&mut self, key: u64, numbers: ProofNumbers) {
        let table = &mut self.search.table;
        *table.entry(key, ProofNumbers::UNKNOWN, self.clock) = numbers;
    }

    /// Reads from the table what is known of the children: whether one of them is lost for the player
    /// to move there, which is all that matters then.
    fn look_up(&mut self, batch: &Batch) -> bool {
        let ProofNumberSearch {
            children, table, ..
        } = &mut *self.search;
        for child in &mut children[batch.start..] {
            if let Some(known) = table.get(child.node.key) {
                child.seen = seen(known);
                if known.disproof == 0 {
                    return true;
                }
            }
        }
        false
    }

    /// Reads what is known by now of the child that looks easiest to disprove, until that is still
    /// the easiest. Others hardly ever change while a child is searched, and mostly become harder.
    fn refresh_best(&mut self, batch: &Batch) {
        let ProofNumberSearch {
            children, table, ..
        } = &mut *self.search;
        let off_path = |child: &&mut Child<R::Board>| !child.seen.on_path;
        loop {
            let candidates = children[batch.start..].iter_mut().filter(off_path);
            let best = candidates.min_by_key(|child| child.seen.numbers.disproof);
            let Some(best) = best else { return };
            let known = table.get(best.node.key).map(seen);
            match known.filter(|known| *known != best.seen) {
                Some(known) => best.seen = known,
                None => return,
            }
        }
    }
}

impl<R: Rules, O: LogOdds<R>> ProofTree for Tree<'_, '_, R, O> {
    type Node = Node<R::Board>;
    type Children = Batch;

    const LARGEST: u32 = LARGEST_NUMBER;
    const SLACK: u32 = PROOF_SLACK;
    const DEEPEST: u32 = DEEPEST_PROOF;

    fn enter(&mut self) -> Result<u64, Stopped> {
        if self.search.nodes >= self.pause_at || self.clock.tick() {
            return Err(Stopped);
        }
        self.search.nodes += 1;
        Ok(self.search.nodes - 1)
    }

    fn children(&mut self, node: &Node<R::Board>) -> Batch {
        if let Some(expanded) = &mut self.search.expanded {
            expanded.push(node.board);
        }
        self.search.isa.call(ListChildren {
            board: &node.board,
            search: self.search,
        })
    }

    /// All children are looked up before any is estimated, so that memory is not waited for each
    /// time, and often no estimate is needed.
    fn initialise(&mut self, _: &Node<R::Board>, batch: &mut Batch) -> Option<ProofNumbers> {
        if batch.wins {
            return Some(ProofNumbers::PROVEN);
        }
        if self.look_up(batch) {
            return Some(ProofNumbers::PROVEN);
        }
        let search = &mut *self.search;
        search.isa.call(EstimateChildren {
            start: batch.start,
            search,
        });
        None
    }

    #[inline]
    fn each<'a>(&'a self, batch: &'a Batch) -> impl Iterator<Item = kernel::Child> {
        let children = self.search.children[batch.start..].iter();
        children.map(|child| child.seen)
    }

    #[inline]
    fn child(&self, _: &Self::Node, batch: &Batch, at: usize) -> Node<R::Board> {
        self.search.children[batch.start + at].node
    }

    fn update(&mut self, _: &Self::Node, batch: &mut Batch, at: usize, numbers: ProofNumbers) {
        // The table may have lost them already.
        self.search.children[batch.start + at].seen.numbers = numbers;
        self.refresh_best(batch);
    }

    fn put_on_path(&mut self, node: &Self::Node, numbers: ProofNumbers) {
        let proof = numbers.proof | ON_PATH;
        self.put(node.key, ProofNumbers { proof, ..numbers });
    }

    fn take_off_path(&mut self, node: &Self::Node, numbers: ProofNumbers) {
        self.put(node.key, numbers);
    }

    fn store(&mut self, node: &Self::Node, numbers: ProofNumbers, _: u64) {
        self.put(node.key, numbers);
    }

    #[inline]
    fn release(&mut self, batch: &Batch) {
        self.search.children.truncate(batch.start);
    }
}

/// Lists the children of a position, each of them once.
struct ListChildren<'s, 'a, R: Rules, O> {
    search: &'s mut ProofNumberSearch<'a, R, O>,
    board: &'s R::Board,
}

impl<R: Rules, O: LogOdds<R>> Kernel for ListChildren<'_, '_, R, O> {
    type Output = Batch;
    const SETS: &'static [Set] = SETS;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) -> Batch {
        let ProofNumberSearch {
            rules,
            children,
            table,
            ..
        } = self.search;
        let start = children.len();
        // A bit for some of the bits of each key: mostly they tell it from all others.
        let mut seen = [0u64; 4];
        let ended = rules.visit_children(self.board, |next| {
            if rules.is_over(&next) {
                return ControlFlow::Break(());
            }
            let board = rules.canonical(&next);
            let key = rules.key(&board, true);
            let (word, bit) = ((key >> 62) as usize, 1 << (key >> 56 & 63));
            let perhaps = seen[word] & bit != 0;
            if perhaps && children[start..].iter().any(|child| child.node.key == key) {
                return ControlFlow::Continue(());
            }
            seen[word] |= bit;
            table.prefetch(key);
            children.push(Child {
                node: Node { board, key },
                seen: kernel::Child {
                    numbers: ProofNumbers::UNKNOWN,
                    on_path: false,
                },
            });
            ControlFlow::Continue(())
        });
        Batch {
            start,
            wins: ended.is_break(),
        }
    }
}

/// Gives their first numbers to the children from `start` on of which nothing is known.
struct EstimateChildren<'s, 'a, R: Rules, O> {
    search: &'s mut ProofNumberSearch<'a, R, O>,
    start: usize,
}

impl<R: Rules, O: LogOdds<R>> Kernel for EstimateChildren<'_, '_, R, O> {
    type Output = ();
    const SETS: &'static [Set] = SETS;

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        for at in self.start..self.search.children.len() {
            if self.search.children[at].seen.numbers == ProofNumbers::UNKNOWN {
                let numbers = self
                    .search
                    .first_numbers(&self.search.children[at].node.board);
                self.search.children[at].seen.numbers = numbers;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use gipf::Position;
    use search::Limits;

    use super::initial::{MaterialOdds, SmallOdds};
    use super::*;
    use crate::solve::rules::{General, Small, SmallBoard};

    /// Who wins each of the positions that can arise from one: by going over all of them
    /// again and again, until nothing new comes of it.
    fn slowly<R: Rules>(rules: &R, root: &R::Board) -> Vec<(R::Board, Option<bool>)> {
        let mut numbers = HashMap::new();
        let mut positions = vec![rules.canonical(root)];
        numbers.insert(rules.key(&positions[0], true), 0);
        let (mut successors, mut at) = (Vec::new(), 0);
        while at < positions.len() {
            let mut list = Vec::new();
            let over = rules.visit_children(&positions[at].clone(), |next| {
                if rules.is_over(&next) {
                    return ControlFlow::Break(());
                }
                let next = rules.canonical(&next);
                let number = *numbers.entry(rules.key(&next, true)).or_insert_with(|| {
                    positions.push(next);
                    positions.len() - 1
                });
                list.push(number);
                ControlFlow::Continue(())
            });
            successors.push((over.is_break(), list));
            at += 1;
        }
        let mut wins: Vec<Option<bool>> = vec![None; positions.len()];
        loop {
            let before = wins.clone();
            for (at, (over, list)) in successors.iter().enumerate() {
                if *over || list.iter().any(|&next| wins[next] == Some(false)) {
                    wins[at] = Some(true);
                } else if list.iter().all(|&next| wins[next] == Some(true)) {
                    wins[at] = Some(false);
                }
            }
            if wins == before {
                return positions.into_iter().zip(wins).collect();
            }
        }
    }

    /// Counts the wins, the losses and the ties among the positions that were compared.
    fn check<R: Rules>(rules: &R, odds: &impl LogOdds<R>, root: &R::Board, counts: &mut [u32; 3]) {
        let positions = slowly(rules, root);
        let step = positions.len() / 60 + 1;
        for (number, (position, expected)) in positions.iter().step_by(step).enumerate() {
            let memory = 1 << (12 + number % 9);
            let mut proof = ProofNumberSearch::new(rules, odds, position, memory);
            let mut clock = Clock::start(&Limits::default());
            // In one go, or stopped again and again.
            let slice = [3_000, 40][number % 2];
            let found = (0..6_000 / slice).find_map(|_| {
                let before = proof.nodes();
                let found = proof.run(&mut clock, slice, || false);
                assert!(proof.nodes() - before <= slice);
                found
            });
            assert_eq!(found, *expected, "{number} of {}", positions.len());
            counts[expected.map_or(2, usize::from)] += 1;
        }
    }

    #[test]
    fn agrees_with_the_slow_twin() {
        let mut counts = [0; 3];
        for variant in ["2 2 4 4", "2 2 5 5", "2 3 5 5", "3 4 5 5", "3 5 5 5"] {
            let position: Position = variant.parse().unwrap();
            let small = Small::new(position.variant());
            let board = SmallBoard::new(&position).unwrap();
            check(&small, &SmallOdds::new(small.shape()), &board, &mut counts);
            let general = General::new(position.variant());
            check(&general, &MaterialOdds, &position, &mut counts);
        }
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    }

    #[test]
    fn ties_come_to_an_end() {
        const MOST: u64 = 300_000;
        let position: Position = "2 2 4 4".parse().unwrap();
        let rules = Small::new(position.variant());
        let odds = SmallOdds::new(rules.shape());
        let board = SmallBoard::new(&position).unwrap();
        let mut proof = ProofNumberSearch::new(&rules, &odds, &board, 1 << 24);
        let mut clock = Clock::start(&Limits::default());
        assert_eq!(proof.run(&mut clock, MOST, || false), None);
        let nodes = proof.nodes();
        assert!(proof.exhausted && nodes < MOST, "{nodes}");
        // Another turn does nothing; another position is another matter.
        assert_eq!(proof.run(&mut clock, MOST, || false), None);
        assert_eq!(proof.nodes(), nodes);
        proof.turn_to(&SmallBoard::new(&"2 2 4 4 1 1 W W_/___/_B".parse().unwrap()).unwrap());
        assert!(!proof.exhausted);
        proof.run(&mut clock, 100, || false);
        assert!(proof.nodes() > nodes);
    }

    #[test]
    fn long_wins_are_found() {
        // Black wins in 18 plies.
        let position: Position = "3 4 8 8".parse().unwrap();
        let rules = Small::new(position.variant());
        let odds = SmallOdds::new(rules.shape());
        let board = SmallBoard::new(&position).unwrap();
        let mut proof = ProofNumberSearch::new(&rules, &odds, &board, 1 << 24);
        let mut clock = Clock::start(&Limits::default());
        assert_eq!(proof.run(&mut clock, 200_000, || false), Some(false));
    }
}

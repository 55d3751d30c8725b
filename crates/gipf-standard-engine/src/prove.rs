//! Proof-number search: whether a side can force a win, however long it takes.
//!
//! The question names an attacker, who wants to win; a draw is as good as a win to the defender.
//! It is the shared kernel of [`search::proof_number`]; this module adds the transposition table,
//! the children of a position and their first numbers, which come from the static evaluation.
//!
//! The plies without a capture are part of a key, so a proof holds with the draw that the rules of
//! the game have. In a game that is never drawn play can repeat positions: a child that is on the
//! path from the root proves nothing, and of positions that nobody wins the search finds out
//! nothing.

use std::ops::ControlFlow;

use gipf_standard::{Move, Position};
use rules::{Game, Hashed, Outcome, Side};
use search::proof_number::{self as kernel, ProofNumbers, ProofTree, Stopped};
use search::{Clock, GrowingTable, Limits};

use crate::eval::{SCALE, Weights};

/// The largest number that is not infinite.
const LARGEST: u32 = 1 << 26;

/// The first number of an even chance; others are larger or smaller by the square root of the
/// odds.
const EVEN: f32 = 32.0;

/// Estimates beyond this count as this.
const MOST: i32 = 8 * SCALE as i32;

/// Marks a position that is on the path, in its proof number.
const ON_PATH: u32 = 1 << 31;

/// What a proof has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The attacker wins; by this move if it is the attacker's turn.
    Win(Option<Move>),
    /// The attacker cannot force a win.
    NoWin,
}

/// A search for proofs. It keeps what it has found out from search to search.
#[derive(Clone, Debug)]
pub struct Prover {
    table: GrowingTable<ProofNumbers>,
    memory: usize,
    /// Children of all positions on the path, one batch after the other.
    children: Vec<Child>,
}

/// A position with its key in the table.
#[derive(Clone, Copy)]
struct Node {
    position: Position,
    key: u64,
}

/// A child of a position on the path.
#[derive(Clone, Copy, Debug)]
struct Child {
    position: Position,
    key: u64,
    seen: kernel::Child,
    /// Whether the numbers are more than a first guess.
    known: bool,
}

impl Prover {
    /// A search whose table takes at most so many bytes.
    #[must_use]
    pub fn new(memory: usize) -> Prover {
        Prover {
            table: GrowingTable::new(memory, ProofNumbers::UNKNOWN),
            memory,
            children: Vec::new(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Prover::new(self.memory);
    }

    /// Whether the attacker wins, if that is found out within the limits.
    ///
    /// ```
    /// use gipf_standard::Position;
    /// use gipf_standard_engine::{Proof, Prover, Weights};
    /// use rules::Side;
    /// use search::Limits;
    ///
    /// // White has nothing to bring in after the next push, and no row.
    /// let position: Position = "basic 1 9 W ____/_____/______/___w___/______/_____/____".parse()?;
    /// let limits = Limits::default().with_nodes(10_000);
    /// let proof = Prover::new(1 << 20).prove(&position, Side::Second, &Weights::default(), &limits);
    /// assert_eq!(proof, Some(Proof::Win(None)));
    /// # Ok::<(), rules::PositionError>(())
    /// ```
    pub fn prove(
        &mut self,
        position: &Position,
        attacker: Side,
        weights: &Weights,
        limits: &Limits,
    ) -> Option<Proof> {
        let mut clock = Clock::start(limits);
        self.run(position, attacker, weights, &mut clock, u64::MAX)
    }

    /// Goes on for at most `slice` positions.
    pub(crate) fn run(
        &mut self,
        position: &Position,
        attacker: Side,
        weights: &Weights,
        clock: &mut Clock,
        slice: u64,
    ) -> Option<Proof> {
        if let Some(outcome) = position.outcome() {
            return Some(match outcome == Outcome::Win(attacker) {
                true => Proof::Win(None),
                false => Proof::NoWin,
            });
        }
        let root = Node {
            position: *position,
            key: key(position, attacker),
        };
        let mut tree = Tree {
            prover: self,
            weights,
            attacker,
            clock,
            left: slice,
        };
        let mut thresholds = ProofNumbers::UNKNOWN;
        let mover_wins = loop {
            tree.prover.children.clear();
            let numbers = kernel::search(&mut tree, root, thresholds, 0).ok()?;
            if let Some(decided) = numbers.decided() {
                break decided;
            }
            if numbers.proof.max(numbers.disproof) >= LARGEST {
                return None;
            }
            let more = |threshold: u32, number: u32| threshold.max(2 * number).min(LARGEST);
            thresholds = ProofNumbers {
                proof: more(thresholds.proof, numbers.proof),
                disproof: more(thresholds.disproof, numbers.disproof),
            };
        };
        match (mover_wins, position.side() == attacker) {
            (true, true) => {
                let mv = self.winning_move(position, attacker);
                mv.map(|mv| Proof::Win(Some(mv)))
            }
            (false, false) => Some(Proof::Win(None)),
            _ => Some(Proof::NoWin),
        }
    }

    /// A move of the attacker that keeps a proved win, if the table still has it.
    fn winning_move(&self, position: &Position, attacker: Side) -> Option<Move> {
        let found = position.visit_successors(|mv, next| {
            let wins = match next.outcome() {
                Some(outcome) => outcome == Outcome::Win(attacker),
                None => {
                    let known = self.table.get(key(&next, attacker));
                    known.is_some_and(|numbers| numbers.decided() == Some(false))
                }
            };
            match wins {
                true => ControlFlow::Break(mv),
                false => ControlFlow::Continue(()),
            }
        });
        found.break_value()
    }
}

/// The key of a position: a proof is about one attacker.
#[inline]
fn key(position: &Position, attacker: Side) -> u64 {
    position.hash() ^ [0, 0x94d0_49bb_1331_11eb][attacker.index()]
}

/// One stretch of the search.
struct Tree<'a> {
    prover: &'a mut Prover,
    weights: &'a Weights,
    attacker: Side,
    clock: &'a mut Clock,
    /// Positions that may still be expanded.
    left: u64,
}

/// The children of a position: those from `start` on.
struct Batch {
    start: usize,
    /// Whether a move ends the game as the mover wants it.
    wins: bool,
}

impl Tree<'_> {
    fn put(&mut self, key: u64, numbers: ProofNumbers) {
        *self
            .prover
            .table
            .entry(key, ProofNumbers::UNKNOWN, self.clock) = numbers;
    }

    /// Reads from the table what is known of the children by now.
    fn look_up(&mut self, batch: &Batch) {
        let Prover {
            table, children, ..
        } = &mut *self.prover;
        for child in &mut children[batch.start..] {
            if let Some(ProofNumbers { proof, disproof }) = table.get(child.key) {
                child.known = true;
                child.seen = kernel::Child {
                    numbers: ProofNumbers {
                        proof: proof & !ON_PATH,
                        disproof,
                    },
                    on_path: proof & ON_PATH != 0,
                };
            }
        }
    }

    /// The first numbers of a position: those who seem to win are easily proved to.
    fn first_numbers(&self, position: &Position) -> ProofNumbers {
        let estimate = self.weights.evaluate(position).clamp(-MOST, MOST) as f32;
        let odds = (estimate / SCALE / 2.0).exp();
        ProofNumbers {
            proof: (EVEN / odds).max(1.0) as u32,
            disproof: (EVEN * odds).max(1.0) as u32,
        }
    }
}

impl ProofTree for Tree<'_> {
    type Node = Node;
    type Children = Batch;

    const LARGEST: u32 = LARGEST;
    const SLACK: u32 = 4;
    const DEEPEST: u32 = 200;

    fn enter(&mut self) -> Result<u64, Stopped> {
        if self.left == 0 || self.clock.tick() {
            return Err(Stopped);
        }
        self.left -= 1;
        Ok(self.clock.nodes())
    }

    fn children(&mut self, node: &Node) -> Batch {
        let (attacker, mover) = (self.attacker, node.position.side());
        let children = &mut self.prover.children;
        let start = children.len();
        let ended = node.position.visit_successors(|_, position| {
            let seen = match position.outcome() {
                None => ProofNumbers::UNKNOWN,
                Some(outcome) if (outcome == Outcome::Win(attacker)) == (mover == attacker) => {
                    return ControlFlow::Break(());
                }
                Some(_) => ProofNumbers::PROVEN,
            };
            children.push(Child {
                position,
                key: key(&position, attacker),
                seen: kernel::Child {
                    numbers: seen,
                    on_path: false,
                },
                known: seen != ProofNumbers::UNKNOWN,
            });
            ControlFlow::Continue(())
        });
        Batch {
            start,
            wins: ended.is_break(),
        }
    }

    fn initialise(&mut self, _: &Node, batch: &mut Batch) -> Option<ProofNumbers> {
        if batch.wins {
            return Some(ProofNumbers::PROVEN);
        }
        self.look_up(batch);
        for at in batch.start..self.prover.children.len() {
            let Child {
                position,
                seen,
                known,
                ..
            } = self.prover.children[at];
            if seen.numbers.disproof == 0 {
                return Some(ProofNumbers::PROVEN);
            }
            if !known {
                self.prover.children[at].seen.numbers = self.first_numbers(&position);
            }
        }
        None
    }

    #[inline]
    fn each<'a>(&'a self, batch: &'a Batch) -> impl Iterator<Item = kernel::Child> {
        let children = self.prover.children[batch.start..].iter();
        children.map(|child| child.seen)
    }

    #[inline]
    fn child(&self, _: &Node, batch: &Batch, at: usize) -> Node {
        let Child { position, key, .. } = self.prover.children[batch.start + at];
        Node { position, key }
    }

    fn update(&mut self, _: &Node, batch: &mut Batch, at: usize, numbers: ProofNumbers) {
        // The table may have lost them already.
        self.prover.children[batch.start + at].seen.numbers = numbers;
        self.look_up(batch);
    }

    fn put_on_path(&mut self, node: &Node, numbers: ProofNumbers) {
        let proof = numbers.proof | ON_PATH;
        self.put(node.key, ProofNumbers { proof, ..numbers });
    }

    fn take_off_path(&mut self, node: &Node, numbers: ProofNumbers) {
        self.put(node.key, numbers);
    }

    fn store(&mut self, node: &Node, numbers: ProofNumbers, _: u64) {
        self.put(node.key, numbers);
    }

    #[inline]
    fn release(&mut self, batch: &Batch) {
        self.prover.children.truncate(batch.start);
    }
}

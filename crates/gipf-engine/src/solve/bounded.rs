//! Wins within a number of half-moves.

use std::ops::ControlFlow;

use search::Clock;

use super::OutOfBudget;
use super::boards::Boards;
use super::table::Table;

/// The longest win that is looked for.
pub(crate) const LONGEST: u32 = 250;

/// What is known of a position and the one who wants to win it: he wins within `wins`
/// half-moves (or it is not known) and not within `fails`.
#[derive(Clone, Copy)]
struct Fact {
    wins: u8,
    fails: u8,
    /// The number of the move that decided last, in the order of generation.
    best: u16,
}

const UNKNOWN: Fact = Fact {
    wins: u8::MAX,
    fails: 0,
    best: u16::MAX,
};

/// A successor waiting to be searched.
#[derive(Clone, Copy)]
struct Child<B> {
    board: B,
    number: u16,
    order: i32,
}

/// Depth-first search for wins of bounded length, with a table of what it found.
pub(crate) struct Bounded<'a, B: Boards> {
    boards: &'a B,
    table: Table<Fact>,
    nodes: u64,
    /// Successors of all positions on the current path, one after the other.
    children: Vec<Child<B::Board>>,
}

impl<'a, B: Boards> Bounded<'a, B> {
    /// A search whose table takes at most so many bytes.
    pub(crate) fn new(boards: &'a B, memory: usize) -> Bounded<'a, B> {
        Bounded {
            boards,
            table: Table::new(memory, UNKNOWN),
            nodes: 0,
            children: Vec::new(),
        }
    }

    /// Positions looked at so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the player to move (`attacking`) or the other one can force a win within
    /// `length` half-moves. When the clock stops or `slice` positions have been looked at,
    /// what has been found stays in the table.
    pub(crate) fn wins(
        &mut self,
        board: &B::Board,
        attacking: bool,
        length: u32,
        clock: &mut Clock,
        slice: u64,
    ) -> Result<bool, OutOfBudget> {
        self.children.clear();
        Search {
            pause_at: self.nodes.saturating_add(slice),
            bounded: self,
            clock,
        }
        .visit(board, attacking, length.min(LONGEST) as u8)
    }

    fn store(&mut self, key: u64, length: u8, won: bool, best: u16, clock: &Clock) {
        let fact = self.table.entry(key, UNKNOWN, clock);
        if won {
            fact.wins = fact.wins.min(length);
        } else {
            fact.fails = fact.fails.max(length);
        }
        if best != u16::MAX {
            fact.best = best;
        }
    }
}

/// One question to the table and the search behind it.
struct Search<'s, 'a, B: Boards> {
    bounded: &'s mut Bounded<'a, B>,
    clock: &'s mut Clock,
    pause_at: u64,
}

impl<B: Boards> Search<'_, '_, B> {
    /// The game is not over, and there may be a half-move to play.
    fn visit(
        &mut self,
        board: &B::Board,
        attacking: bool,
        length: u8,
    ) -> Result<bool, OutOfBudget> {
        let boards = self.bounded.boards;
        if length == 0 || !possible(boards, board, attacking, length) {
            return Ok(false);
        }
        let board = &boards.canonical(board);
        let key = boards.key(board, attacking);
        let fact = self.bounded.table.get(key).unwrap_or(UNKNOWN);
        if fact.wins <= length {
            return Ok(true);
        }
        if fact.fails >= length {
            return Ok(false);
        }
        self.bounded.nodes += 1;
        if self.bounded.nodes > self.pause_at || self.clock.tick() {
            return Err(OutOfBudget);
        }
        let start = self.bounded.children.len();
        let answer = self.expand(board, attacking, length, fact.best);
        self.bounded.children.truncate(start);
        let (won, decided_by) = answer?;
        self.bounded.store(key, length, won, decided_by, self.clock);
        Ok(won)
    }

    /// Whether the attacker wins, and the number of the move that decides.
    fn expand(
        &mut self,
        board: &B::Board,
        attacking: bool,
        length: u8,
        best: u16,
    ) -> Result<(bool, u16), OutOfBudget> {
        let boards = self.bounded.boards;
        let start = self.bounded.children.len();
        let mut number = 0;
        let children = &mut self.bounded.children;
        let decided = boards.after_moves(board, |next| {
            // Who is to move and cannot has lost.
            if boards.is_over(&next) {
                return ControlFlow::Break(());
            }
            children.push(Child {
                board: next,
                number,
                order: if number == best {
                    i32::MIN
                } else {
                    order(boards, &next, attacking)
                },
            });
            number += 1;
            ControlFlow::Continue(())
        });
        if decided.is_break() {
            // The mover wins: the attacker by this move, or the defender against him.
            return Ok((attacking, number));
        }
        if length == 1 {
            return Ok((false, u16::MAX));
        }
        let end = self.bounded.children.len();
        for i in start..end {
            let least = (i..end)
                .min_by_key(|&j| self.bounded.children[j].order)
                .unwrap_or(i);
            self.bounded.children.swap(i, least);
            let Child { board, number, .. } = self.bounded.children[i];
            if self.visit(&board, !attacking, length - 1)? == attacking {
                return Ok((attacking, number));
            }
        }
        Ok((!attacking, u16::MAX))
    }
}

/// Whether the attacker can conceivably win within so many half-moves: a reserve shrinks
/// only by its owner's own moves, one stone each, and the board fills by one a move.
#[inline]
fn possible<B: Boards>(boards: &B, board: &B::Board, attacking: bool, length: u8) -> bool {
    let moves = if attacking {
        length / 2
    } else {
        length.div_ceil(2)
    };
    let victim = usize::from(attacking);
    boards.reserves(board)[victim] <= i32::from(moves) || boards.empty(board) <= i32::from(length)
}

/// Smaller is searched earlier: what is best for the mover (the attacker or not) before
/// this position.
#[inline]
fn order<B: Boards>(boards: &B, next: &B::Board, attacking: bool) -> i32 {
    let (reserves, stones) = (boards.reserves(next), boards.stones(next));
    // After the attacker's move the defender is the one to move.
    let (attacker, defender) = if attacking { (1, 0) } else { (0, 1) };
    let attack = 3 * reserves[attacker] + stones[attacker];
    let defence = 6 * reserves[defender] + 2 * stones[defender];
    if attacking {
        defence - attack
    } else {
        attack - defence
    }
}
